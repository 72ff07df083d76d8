"""Visual geometry of links, for display only: it is read when it is shown, and never causes a failure."""

from __future__ import annotations

import warnings as python_warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import RobotError, UnitWarning
from keepclear.robot.link_shapes import mesh_scale, scaled
from keepclear.robot.links import Link, LinkVisual
from keepclear.robot.mesh_paths import find_mesh
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.mesh_file import read_mesh
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import primitive

__all__ = ["ShownShape", "VisualReader"]

Colour = tuple[float, float, float]


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
        self._files: dict[Path, Mesh] = {}
        self._meshes: dict[tuple[Path, tuple[float, float, float]], Mesh] = {}

    def read(self, link: Link) -> tuple[ShownShape, ...]:
        """Return the visual shapes of a link; none if one cannot be read, or if they are those that are checked."""
        shown = []
        for visual in link.visuals:
            try:
                shown.append(ShownShape(self._shape(visual, link), visual.X_LG, visual.colour))
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
        if not visual.kind:
            raise RobotError(f"link '{link.name}': its visual geometry is none of those that URDF has")
        if visual.kind != "mesh":
            return primitive(visual.kind, visual.numbers)
        path = find_mesh(visual.filename, visual.folder, visual.package_dirs, f"link '{link.name}'")
        scale, file = mesh_scale(visual.numbers), path.resolve()
        for element in link.elements:  # a mesh that was read already
            if scale == (1.0, 1.0, 1.0) and element.source == str(path):
                return element.shape
        if file not in self._files:
            with python_warnings.catch_warnings():
                python_warnings.simplefilter("ignore", UnitWarning)
                self._files[file] = read_mesh(path)
        if (file, scale) not in self._meshes:
            self._meshes[file, scale] = scaled(self._files[file], scale)
        return self._meshes[file, scale]


def colour_of(link: Link) -> Colour | None:
    """Return the colour of the first visual of a link that has one."""
    return next((visual.colour for visual in link.visuals if visual.colour is not None), None)
