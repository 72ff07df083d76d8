"""Audits of sphere models: the uncovered part of each link's shapes, and the excess of its spheres."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np

from keepclear.checks import FloatArray, checked_positive, shown
from keepclear.errors import ArgumentError, RobotError, UnknownNameError
from keepclear.files.access import write_whole_file
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.geometry.spheres.cover_measure import CoverMeasure, measure_cover
from keepclear.names import known_names, listed
from keepclear.robot.links import Link
from keepclear.robot.model import Robot
from keepclear.robot.spheres.model import SphereModel

__all__ = ["LinkAudit", "SphereAudit", "audit_sphere_model", "measured_model"]

State = Literal["covered", "uncovered", "undecided"]
FORMAT = "1"
TOLERANCE = 1e-4
"""Default largest difference of lower and upper bounds [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkAudit:
    """The audit of the spheres of one link.

    Attributes:
        link: Its name.
        n_spheres: How many spheres the model has for it; 0: the model lacks the link.
        state: "covered" (proved that no point of the link is outside), "uncovered" (a point is), or "undecided".
        sticks_out_lower: The link sticks out of its spheres by at least this [m].
        sticks_out_upper: ... and by at most this [m]; 0: covered; infinite without spheres.
        uncovered_lower: At least this fraction of its surface, by area, is outside [1].
        uncovered_upper: ... and at most this fraction [1].
        worst_point: (3,) the point of the link found farthest outside, in the frame of the link [m]; of a covered link
            a point inside.
        excess_lower: A point of the spheres is this far from the link, at least [m].
        excess_upper: ... and none is farther than this [m].
        excess_point: (3,) the point of the spheres found farthest from the link [m].
        inflation: What must be added to each radius to cover the link [m]; infinite without spheres.
        solid: Whether the inside of closed shapes counts too.
        openings: How many openings of open meshes count as closed: the excess is measured from the solid with caps.
    """

    link: str
    n_spheres: int
    state: State
    sticks_out_lower: float
    sticks_out_upper: float
    uncovered_lower: float
    uncovered_upper: float
    worst_point: FloatArray
    excess_lower: float
    excess_upper: float
    excess_point: FloatArray
    inflation: float
    solid: bool
    openings: int


@dataclass(frozen=True, slots=True, eq=False)
class SphereAudit:
    """An audit of a sphere model against the shapes of a robot; immutable.

    Attributes:
        robot: The robot.
        model: The model, with the bounds that were found. It may lack links that have shapes: `state` counts them, and
            the bounds of the model do not.
        links: One row for each link of the robot that has shapes.
        unneeded: Links for which the model has spheres although they have no shapes.
        tolerance: How far lower and upper bounds were allowed to be apart [m].
    """

    robot: Robot = field(repr=False)
    model: SphereModel
    links: tuple[LinkAudit, ...] = field(repr=False)
    unneeded: tuple[str, ...]
    tolerance: float

    @property
    def state(self) -> State:
        """Return "covered" if every link is, "uncovered" if a point of any link is outside, else "undecided"."""
        states = {row.state for row in self.links}
        return "uncovered" if "uncovered" in states else "undecided" if "undecided" in states else "covered"

    @property
    def sticks_out_lower(self) -> float:
        """A link sticks out of its spheres by at least this [m]."""
        return max((row.sticks_out_lower for row in self.links), default=0.0)

    @property
    def sticks_out_upper(self) -> float:
        """No link sticks out of its spheres by more than this [m]."""
        return max((row.sticks_out_upper for row in self.links), default=0.0)

    @property
    def excess_upper(self) -> float:
        """No point of the spheres is farther from its link than this [m]."""
        return max((row.excess_upper for row in self.links), default=0.0)

    @property
    def inflation(self) -> float:
        """What must be added to all radii to cover all links [m]."""
        return max((row.inflation for row in self.links), default=0.0)

    def __getitem__(self, link: str) -> LinkAudit:
        for row in self.links:
            if row.link == link:
                return row
        names = tuple(row.link for row in self.links)
        raise UnknownNameError(
            f"the audit has no link {link!r} with shapes{known_names(link, names, 'link')}"
        )

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the audit as JSON, and write it to a file if a path is given; None stands for infinity."""
        text = json.dumps(self._content(), indent=1, allow_nan=False) + "\n"
        if path is not None:
            write_whole_file(path, text.encode("utf-8", "replace"))
        return text

    def to_html(self, path: str | os.PathLike[str] | None = None, *, title: str = "") -> str:
        """Return a self-contained page of the audit, and write it to a file if a path is given.

        The surface outside of all spheres is red, and a slider grows the radii until all of it is covered.
        """
        from keepclear.report.pages.sphere_page import page_of_spheres

        return page_of_spheres(self, path=path, title=title)

    def _content(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "robot": self.robot.name,
            "state": self.state,
            "spheres": self.model.n_spheres,
            "tolerance": self.tolerance,
            "sticks_out_lower": _finite(self.sticks_out_lower),
            "sticks_out_upper": _finite(self.sticks_out_upper),
            "excess_upper": _finite(self.excess_upper),
            "inflation": _finite(self.inflation),
            "links": [_row(row) for row in self.links],
            "unneeded": list(self.unneeded),
        }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _row(row: LinkAudit) -> dict[str, Any]:
    content: dict[str, Any] = {"link": row.link, "state": row.state, "spheres": row.n_spheres}
    for one in fields(row)[3:]:
        value = getattr(row, one.name)
        if isinstance(value, np.ndarray):
            content[one.name] = value.tolist()
        else:
            content[one.name] = _finite(value) if isinstance(value, float) else value
    return content


def audit_sphere_model(
    model: SphereModel, robot: Robot, *, tolerance: float = TOLERANCE, solid: bool | None = None
) -> SphereAudit:
    """Return how far the links of a robot stick out of the spheres of a model, and how far these reach beyond the
    links.

    Every bound is certified: it is computed on the shapes of the links, not on samples. The bounds stored in `model`
    are not used.

    Args:
        model: The model, from keepclear or another tool.
        robot: The robot with the shapes to cover.
        tolerance: How far lower and upper bounds may be apart [m]; those of curved surfaces at least 0.2 % of a radius.
        solid: Whether the inside of closed shapes must be covered too; None: as each cover of the model says.

    Raises:
        ArgumentError: An argument has a wrong type or is out of its range.
        UnknownNameError: The model has spheres for a link that the robot does not have.

    Examples:
        >>> import keepclear as kc
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> text = '''<robot name="bar"><link name="bar">
        ...   <collision><geometry><box size="0.4 0.1 0.1"/></geometry></collision></link></robot>'''
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "bar.urdf"
        ...     _ = file.write_text(text)
        ...     robot = kc.read_robot(file)
        >>> model = kc.SphereModel("bar", {"bar": kc.SphereCover([[0, 0, 0]], [0.2])})
        >>> audit = kc.audit_sphere_model(model, robot)
        >>> audit.state, round(audit["bar"].sticks_out_upper, 4)
        ('uncovered', 0.0121)
    """
    if not isinstance(model, SphereModel):
        raise ArgumentError(f"audit_sphere_model takes a kc.SphereModel, but it was given {shown(model)}.")
    if not isinstance(robot, Robot):
        raise ArgumentError(f"audit_sphere_model: robot must be a kc.Robot, but it is {shown(robot)}.")
    width = checked_positive("tolerance", tolerance, "metres")
    if solid is not None and not isinstance(solid, bool):
        raise ArgumentError(
            f"audit_sphere_model: solid must be True, False or None, but it is {shown(solid)}."
        )
    for name in model.covers:
        robot.link_index(name)
    rows, covers = [], dict(model.covers)
    for link in robot.links:
        if not link.elements:
            continue
        cover = model.covers.get(link.name)
        wanted = bool(solid) if solid is not None else cover is not None and cover.solid
        row = _audited(link, cover, width, wanted)
        rows.append(row)
        if cover is not None:
            covers[link.name] = SphereCover(
                cover.centers, cover.radii, row.sticks_out_upper, row.excess_upper, wanted, row.openings
            )
    unneeded = tuple(name for name in model.covers if not robot.link(name).elements)
    for name in unneeded:  # without shapes nothing sticks out
        cover = model.covers[name]
        covers[name] = SphereCover(cover.centers, cover.radii, 0.0, solid=cover.solid)
    return SphereAudit(robot, SphereModel(model.robot_name, covers), tuple(rows), unneeded, width)


def measured_model(model: SphereModel, robot: Robot) -> SphereModel:
    """Return a model with certified bounds, which has spheres for every link that has shapes.

    Raises:
        RobotError: A link has no spheres, so the bounds of the others would not hold for the robot.
    """
    missing = [link.name for link in robot.links if link.elements and link.name not in model.covers]
    if missing:
        raise RobotError(
            f"sphere model of {model.robot_name!r} has no spheres for {listed(map(repr, missing))} of robot "
            f"{robot.name!r}, so that it covers nothing of that; kc.audit_sphere_model measures what there is."
        )
    return audit_sphere_model(model, robot).model


def _audited(link: Link, cover: SphereCover | None, tolerance: float, solid: bool) -> LinkAudit:
    elements = [(element.shape, element.X_LG) for element in link.elements]
    centers = np.empty((0, 3)) if cover is None else cover.centers
    radii = np.empty(0) if cover is None else cover.radii
    found = measure_cover(elements, centers, radii, tolerance=tolerance, solid=solid)
    measured = {one.name: getattr(found, one.name) for one in fields(found)}
    closed = all(not isinstance(shape, Mesh) or shape.is_solid for shape, _ in elements)
    return LinkAudit(
        link=link.name, n_spheres=len(radii), state=_state(found), **measured | {"solid": solid and closed}
    )  # fmt: skip


def _state(found: CoverMeasure) -> State:
    if found.covered:
        return "covered"
    return "uncovered" if found.sticks_out_lower > 0.0 else "undecided"
