"""Shapes of links, to check and to show: primitives, and meshes from files that are found and read once."""

from __future__ import annotations

import os
import warnings as python_warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from keepclear.checks import FloatArray, shown
from keepclear.errors import (
    ArgumentError,
    FileMissingError,
    MeshFileError,
    RobotError,
    ShapeError,
    UnitMistake,
    UnitWarning,
)
from keepclear.geometry.mesh_files.reading import read_mesh
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import primitive
from keepclear.names import listed
from keepclear.robot.links import Colour, Geometry, Link, LinkElement, LinkVisual
from keepclear.robot.readers.urdf_model import UrdfLink, UrdfModel
from keepclear.tolerances import IMPLAUSIBLY_LARGE, IMPLAUSIBLY_SMALL

PackageDirs = Sequence[str | os.PathLike[str]] | Mapping[str, str | os.PathLike[str]]


def checked_package_dirs(value: object) -> tuple[tuple[str | None, Path], ...]:
    """Return folders as (name of the package or None, folder): a list of folders, or folders by package."""
    if isinstance(value, str | os.PathLike):
        value = (value,)
    if isinstance(value, Mapping):
        pairs = list(value.items())
    elif isinstance(value, Sequence):
        pairs = [(None, folder) for folder in value]
    else:
        raise ArgumentError(f"package_dirs must be a list of folders, but it is {shown(value)}.")
    for name, folder in pairs:
        if not isinstance(folder, str | os.PathLike) or not isinstance(name, str | None):
            raise ArgumentError(f"package_dirs must hold paths of folders, but it has {shown(folder)}.")
        if not Path(folder).is_dir():
            raise FileMissingError(f"package_dirs: there is no folder '{os.fspath(folder)}'; check the path.")
    return tuple((name, Path(folder)) for name, folder in pairs)


def find_mesh(uri: str, folder: Path, package_dirs: Sequence[tuple[str | None, Path]], label: str) -> Path:
    """Return the file that a mesh's name in a URDF file refers to.

    Args:
        uri: The name as written: package://name/rest, file://path, or a path.
        folder: Where the URDF file is.
        package_dirs: As `checked_package_dirs` returns them.
        label: The user of the mesh, for messages.

    Raises:
        FileMissingError: It is in none of the folders; the message lists them.
    """
    places = list(dict.fromkeys(_places(uri, folder, package_dirs)))
    for place in places:
        try:
            if place.exists() and not place.is_dir():  # the reader reports a path that is not a regular file
                return place
        except OSError:  # a name that the system refuses
            continue
    tried = listed((f"'{place}'" for place in places), None)
    advice = "pass package_dirs=[folder that holds the package]" if "://" in uri else "check the path"
    raise FileMissingError(f"{label}: mesh '{uri}' is not there; tried {tried}; {advice}.")


def _places(uri: str, folder: Path, package_dirs: Sequence[tuple[str | None, Path]]) -> Iterator[Path]:
    """Yield the possible paths of a mesh, the most likely first."""
    scheme, separator, rest = uri.strip().partition("://")
    if not separator:
        relative = Path(uri.strip().replace("\\", "/"))
        yield folder / relative
        if not relative.is_absolute():
            yield from (place / relative for _, place in package_dirs)
    elif scheme == "file":
        path = unquote(rest)
        yield Path(path) if path.startswith("/") else folder / path
    else:
        yield from _package_places(*rest.partition("/")[::2], folder, package_dirs)


def _package_places(
    name: str, rest: str, folder: Path, package_dirs: Sequence[tuple[str | None, Path]]
) -> Iterator[Path]:
    for package, place in package_dirs:
        if package in (None, name):
            if package is None:
                yield place / name / rest
            yield place / rest
    above = folder.resolve()
    for place in (above, *above.parents):
        yield place / name / rest
        if place.name == name:
            yield place / rest
    for place in (above, *above.parents[:2]):
        yield place / rest


Scale = tuple[float, float, float]


class _Meshes:
    """The meshes of files, each read once, and scaled once for each scale."""

    def __init__(self) -> None:
        self._files: dict[Path, Mesh] = {}
        self._scaled: dict[tuple[Path, Scale], Mesh] = {}

    def find(self, path: Path, scale: Scale) -> tuple[Mesh, bool]:
        """Return a mesh, and whether it is new; its size is checked with the scale, not before."""
        file = path.resolve()
        if file not in self._files:
            with python_warnings.catch_warnings():
                python_warnings.simplefilter("ignore", UnitWarning)
                self._files[file] = read_mesh(path)
        key = file, scale
        is_new = key not in self._scaled
        if is_new:
            self._scaled[key] = scaled(self._files[file], scale)
        return self._scaled[key], is_new


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
        self._meshes = _Meshes()

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
        folder = self._model.file.path.parent
        visuals = (LinkVisual(*visual, folder, tuple(self._package_dirs)) for visual in link.visuals)
        return Link(link.name, tuple(elements), tuple(visuals))

    def _shape(self, link: str, collision: Geometry) -> tuple[Shape, str]:
        if collision.kind != "mesh":
            return primitive(collision.kind, collision.numbers), collision.kind
        scale, file, name = mesh_scale(collision.numbers), self._model.file, collision.filename
        if 0.0 in scale:
            raise file.error(f"mesh '{name}' of link '{link}' has a scale of 0 in {scale}.")
        label = f"{file.kind} file '{file.path}', link '{link}'"
        path = find_mesh(name, file.path.parent, self._package_dirs, label)
        try:
            mesh, is_new = self._meshes.find(path, scale)
        except MeshFileError as cause:
            raise file.error(f"link '{link}': {cause}") from cause
        if is_new:
            self._warn_if_implausible(link, name, mesh)
        return mesh, str(path)

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


class ShownShape(NamedTuple):
    """A shape to show, and its pose in the frame of its link."""

    shape: Shape
    X_LG: FloatArray
    colour: Colour | None


class VisualReader:
    """Reads the visual geometry of links; a file is read once.

    Attributes:
        failures: Why visual geometry could not be read, by the name of its link.
    """

    def __init__(self) -> None:
        self.failures: dict[str, str] = {}
        self._meshes = _Meshes()

    def read(self, link: Link) -> tuple[ShownShape, ...]:
        """Return the visual shapes of a link; none if one cannot be read, or if they are those that are checked."""
        shown = []
        for visual in link.visuals:
            try:
                shape = self._shape(visual, link)
                assert visual.geometry is not None
                shown.append(ShownShape(shape, visual.geometry.X_LG, visual.colour))
            except Exception as cause:  # after any error, it is just not shown
                self.failures.setdefault(link.name, str(cause) or type(cause).__name__)
                return ()
        checked = [(element.shape, element.X_LG) for element in link.elements]
        same = len(shown) == len(checked) and all(
            one.shape == shape and np.array_equal(one.X_LG, X_LG)
            for one, (shape, X_LG) in zip(shown, checked, strict=True)
        )
        return () if same else tuple(shown)

    def _shape(self, visual: LinkVisual, link: Link) -> Shape:
        found = visual.geometry
        if found is None:
            raise RobotError(f"link '{link.name}': its visual geometry is none of those that URDF has")
        if found.kind != "mesh":
            return primitive(found.kind, found.numbers)
        path = find_mesh(found.filename, visual.folder, visual.package_dirs, f"link '{link.name}'")
        scale = mesh_scale(found.numbers)
        for element in link.elements:  # a mesh that was read already
            if scale == (1.0, 1.0, 1.0) and element.source == str(path):
                return element.shape
        return self._meshes.find(path, scale)[0]


def colour_of(link: Link) -> Colour | None:
    """Return the colour of the first visual of a link that has one."""
    return next((visual.colour for visual in link.visuals if visual.colour is not None), None)
