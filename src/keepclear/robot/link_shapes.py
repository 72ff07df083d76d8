"""Collision shapes of links: primitives, and meshes that are read once for each file and scale."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from keepclear.errors import MeshFileError, ShapeError, UnitMistake, UnitWarning
from keepclear.robot.links import Link, LinkElement, LinkVisual
from keepclear.robot.mesh_paths import find_mesh
from keepclear.robot.urdf_model import UrdfCollision, UrdfLink, UrdfModel, UrdfVisual
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.mesh_file import read_mesh
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import primitive
from keepclear.tolerances import IMPLAUSIBLY_LARGE, IMPLAUSIBLY_SMALL

__all__ = ["LinkReader", "mesh_scale", "scaled"]

Scale = tuple[float, float, float]


class LinkReader:
    """Reads the collision shapes of a robot's links; links with the same mesh file and scale share one mesh.

    Args:
        model: The content of the URDF file.
        package_dirs: Where packages are, as `checked_package_dirs` returns them.
        warnings: Texts about implausible sizes are added here.
    """

    def __init__(
        self, model: UrdfModel, package_dirs: Sequence[tuple[str | None, Path]], warnings: list[str]
    ) -> None:
        self._model, self._package_dirs, self._warnings = model, package_dirs, warnings
        self._files: dict[Path, Mesh] = {}
        self._meshes: dict[tuple[Path, Scale], Mesh] = {}

    def read(self, link: UrdfLink) -> Link:
        """Return a link with its shapes."""
        elements = []
        for collision in link.collisions:
            try:
                shape, source = self._shape(link.name, collision)
            except ShapeError as cause:
                raise self._model.file.error(
                    f"the collision geometry of link '{link.name}': {cause}"
                ) from cause
            elements.append(LinkElement(shape, collision.X_LG, source))
        return Link(link.name, tuple(elements), tuple(self._visual(visual) for visual in link.visuals))

    def _visual(self, visual: UrdfVisual) -> LinkVisual:
        """Return the visual geometry of a link, which is read when it is shown."""
        known = visual.geometry or UrdfCollision("", (), "", np.eye(4))
        return LinkVisual(
            known.kind, known.numbers, known.filename, known.X_LG, visual.colour, self._model.file.path.parent,
            tuple(self._package_dirs),
        )  # fmt: skip

    def _shape(self, link: str, collision: UrdfCollision) -> tuple[Shape, str]:
        if collision.kind == "mesh":
            return self._mesh(link, collision)
        return primitive(collision.kind, collision.numbers), collision.kind

    def _mesh(self, link: str, mesh: UrdfCollision) -> tuple[Mesh, str]:
        key = mesh_scale(mesh.numbers)
        label = f"{self._model.file.kind} file '{self._model.file.path}', link '{link}'"
        if 0.0 in key:
            raise self._model.file.error(
                f"mesh '{mesh.filename}' of link '{link}' has a scale of 0 in {key}."
            )
        path = find_mesh(mesh.filename, self._model.file.path.parent, self._package_dirs, label)
        file = path.resolve()
        if file not in self._files:
            self._files[file] = self._read(link, path)
        if (file, key) not in self._meshes:
            self._meshes[file, key] = scaled(self._files[file], key)
            self._warn_if_implausible(link, mesh.filename, self._meshes[file, key])
        return self._meshes[file, key], str(path)

    def _read(self, link: str, path: Path) -> Mesh:
        """Return the mesh of a file; its size is checked with the scale, not before."""
        try:
            with python_warnings.catch_warnings():
                python_warnings.simplefilter("ignore", UnitWarning)
                return read_mesh(path)
        except MeshFileError as cause:
            raise self._model.file.error(f"link '{link}': {cause}") from cause

    def _warn_if_implausible(self, link: str, name: str, mesh: Mesh) -> None:
        lower, upper = mesh.bounds
        extent = float((upper - lower).max())
        if extent > IMPLAUSIBLY_LARGE:
            advice = 'its numbers look like millimetres: write scale="0.001 0.001 0.001"'
        elif extent < IMPLAUSIBLY_SMALL:
            advice = "its numbers may not be metres: check its scale"
        else:
            return
        self._warnings.append(UnitMistake(f"link '{link}': mesh '{name}' is {extent:.3g} m large; {advice}."))


def mesh_scale(numbers: Sequence[float]) -> Scale:
    """Return the factors for the axes of a mesh: three, one for all, or none."""
    x, y, z = np.broadcast_to(numbers or 1.0, (3,)).tolist()
    return x, y, z


def scaled(mesh: Mesh, scale: Scale) -> Mesh:
    """Return a mesh with a factor for each axis; a mirrored one has its faces reversed, so that they face outwards."""
    if scale == (1.0, 1.0, 1.0):
        return mesh
    triangles = mesh.triangles if scale[0] * scale[1] * scale[2] > 0.0 else mesh.triangles[:, ::-1]
    return Mesh(
        mesh.vertices * np.array(scale),
        triangles,
        name=mesh.name,
        tessellation_error=mesh.tessellation_error * max(map(abs, scale)),
    )
