"""The page of spheres: a sphere tree by its ranks, or a sphere model over its robot with the uncovered surface."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.geometry.spheres.cover_body import build_cover_body
from keepclear.geometry.spheres.tree import SphereTree
from keepclear.report.json_file import written
from keepclear.report.pages.display import build_display_mesh
from keepclear.report.pages.page import counted, model_page_text
from keepclear.report.pages.payload import Packer
from keepclear.report.pages.sphere_words import (
    audit_sentence,
    lower_length,
    openings_text,
    share_text,
    sticks_out_text,
    upper_length,
)
from keepclear.robot.model import Robot
from keepclear.robot.spheres.audit import SphereAudit
from keepclear.robot.spheres.model import SphereModel

MOST_SPHERES = 30_000
"""Greatest number of spheres of one rank that a page shows."""

MOST_CORNERS = 12_000
"""Greatest number of triangles of one link's surface, subdivided to show its uncovered part."""

_COLOURS = "Spheres are coloured by link or by excess, an upper bound of how far a point of a sphere is from the body."
_VERDICTS = {"covered": "CLEAR", "uncovered": "COLLIDING", "undecided": "UNDECIDED"}


class _Body(NamedTuple):
    """A body with its name, its pose in the world and its spheres, if any."""

    name: str
    elements: Sequence[tuple[Shape, FloatArray]]
    X_W: FloatArray
    cover: SphereCover | None
    marked: bool


def page_of_spheres(
    spheres: SphereTree | SphereModel | SphereAudit | tuple[Shape, SphereCover],
    robot: Robot | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
) -> str:
    """Return a page that shows spheres over the shapes that they cover, and write it to a file if a path is given.

    A sphere tree is shown rank by rank, selected by a slider. For an audit, the surface outside of all spheres is red,
    and a slider grows the radii until all of it is covered. Spheres are coloured by link, or by how far they reach
    beyond the body. Texts are escaped and cannot become a script or a request. A model is shown on its robot, in its
    zero pose.
    """
    packer = Packer()
    if isinstance(spheres, SphereTree):
        payload = _tree(spheres, packer)
    elif isinstance(spheres, SphereAudit):
        payload = _audit(spheres, packer)
    elif isinstance(spheres, SphereModel):
        if not isinstance(robot, Robot):
            raise ArgumentError(f"to_html: a model is shown on its robot; robot is {shown(robot)}.")
        payload = _model(spheres, robot, packer)
    else:
        payload = _cover(*spheres, packer)
    payload["title"] = title or payload["title"]
    return written(model_page_text(payload, packer), path)


def _tree(tree: SphereTree, packer: Packer) -> dict[str, Any]:
    elements = [(tree.shape, np.eye(4))]
    body = build_cover_body(elements, 0.1 * tree.accuracy)
    ranks = []
    for rank in tree.ranks:
        radii = np.full(len(rank), rank.radius)
        excess = np.zeros(0) if len(rank) > MOST_SPHERES else _reach_beyond(body, rank.centers, radii)
        ranks.append(_rank(rank.centers, radii, excess, packer) | {"radius": rank.radius})
    shown_ranks = [k for k, rank in enumerate(ranks) if rank["centers"] is not None]
    rows = [
        {"cells": [f"rank {k + 1}", f"{rank['n']:,}", f"{1e3 * rank['radius']:.4g} mm"], "rank": k}
        for k, rank in enumerate(ranks)
    ]
    notes = [
        "Each rank of spheres covers the whole surface, which is proved.",
        "The colour of a sphere is an upper bound of how far a point of it is from the body.",
    ]
    if len(shown_ranks) < len(ranks):
        notes.append(f"Ranks of more than {MOST_SPHERES:,} spheres are listed and not drawn.")
    return {
        "title": f"{counted(tree.n_spheres, 'sphere')} in {counted(len(ranks), 'rank')}",
        "sentence": (
            f"The smallest spheres cover the surface, and reach at most {upper_length(tree.excess)} beyond it."
        ),
        "verdict": "",
        "facts": [["accuracy", f"{1e3 * tree.accuracy:.4g} mm"], ["ratio of radii", f"{tree.ratio:.3g}"],
                  ["smallest spheres", f"{tree.n_leaves:,}"]],
        "ranks": ranks,
        "first_rank": max(shown_ranks, default=0),
        "inflation": 0.0,
        "bodies": _bodies([_Body("body", elements, np.eye(4), None, False)], packer),
        "table_title": "Ranks",
        "columns": ["Rank", "Spheres", "Radius"],
        "rows": rows,
        "notes": notes,
    }  # fmt: skip


def _cover(shape: Shape, cover: SphereCover, packer: Packer) -> dict[str, Any]:
    bodies = [_Body("body", [(shape, np.eye(4))], np.eye(4), cover, cover.cover > 0.0)]
    row = [*_cover_cells("body", cover)]
    return _of_bodies(bodies, [{"cells": row}], packer) | {
        "title": counted(len(cover), "sphere"),
        "sentence": _cover_sentence([cover], cover.cover, cover.excess),
        "columns": ["Body", "Spheres", "Coverage", "Excess"],
        "notes": [_COLOURS, *_notes_on_openings({"body": cover.openings})],
    }


def _model(model: SphereModel, robot: Robot, packer: Packer) -> dict[str, Any]:
    names = [name for name in robot.link_names if name in model.covers]
    rows = [{"cells": _cover_cells(name, model[name])} for name in names]
    bodies = _robot_bodies(robot, model, marked=model.cover > 0.0)
    return _of_bodies(bodies, rows, packer) | {
        "title": f"{model.robot_name}: {counted(model.n_spheres, 'sphere')}",
        "sentence": _cover_sentence(list(model.covers.values()), model.cover, model.excess),
        "facts": [["links", str(len(names))], ["spheres", f"{model.n_spheres:,}"]],
        "columns": ["Link", "Spheres", "Coverage", "Excess"],
        "notes": [_COLOURS, *_notes_on_openings({name: model[name].openings for name in names})],
    }


def _audit(audit: SphereAudit, packer: Packer) -> dict[str, Any]:
    X_WL, covered = audit.robot.link_poses(audit.robot.zero), audit.state == "covered"
    rows = []
    for row in audit.links:
        X = X_WL[audit.robot.link_index(row.link)]
        rows.append(
            {
                "cells": [
                    row.link,
                    str(row.n_spheres),
                    sticks_out_text(row),
                    *([] if covered else [share_text(row.uncovered_lower, row.uncovered_upper)]),
                    upper_length(row.excess_upper) if row.n_spheres else "",
                ],
                "state": row.state,
                "point": None
                if row.state == "covered"
                else (X[:3, :3] @ row.worst_point + X[:3, 3]).tolist(),
            }
        )
    grown = max((row.inflation for row in audit.links if row.n_spheres), default=0.0)
    largest = max((float(cover.radii.max()) for cover in audit.model.covers.values()), default=0.0)
    payload = _of_bodies(_robot_bodies(audit.robot, audit.model, marked=True), rows, packer)
    facts = [
        ["outside of spheres", _between(audit)],
        ["excess", f"at most {upper_length(audit.excess_upper)}"],
    ]
    notes = [
        "Lengths and shares are certified bounds; the colours of the picture are computed at the corners of triangles.",
        *_notes_on_openings({row.link: row.openings for row in audit.links}),
    ]
    if not covered:
        facts.append(["grow radii by", upper_length(audit.inflation)])
        slider = " The slider grows all radii until all of it is inside." if grown else ""
        notes.insert(0, f"Red is the surface outside of all spheres of its link.{slider}")
        notes.append("Select a link to see the position where it sticks out most.")
    if audit.unneeded:
        notes.append(f"The model has spheres for links without shapes: {', '.join(audit.unneeded)}.")
    return payload | {
        "title": f"{audit.robot.name}: audit of {counted(audit.model.n_spheres, 'sphere')}",
        "sentence": audit_sentence(audit),
        "verdict": _VERDICTS[audit.state],
        "facts": facts,
        "inflation": grown + 1e-5 * largest if grown else 0.0,  # the picture is in single precision
        "columns": ["Link", "Spheres", "Coverage", *([] if covered else ["Uncovered"]), "Excess"],
        "notes": notes,
    }


def _notes_on_openings(counts: Mapping[str, int]) -> list[str]:
    return [f"{text[0].upper()}{text[1:]}." for text in openings_text(counts)]


def _between(audit: SphereAudit) -> str:
    if audit.state == "covered":
        return "nowhere"
    if not np.isfinite(audit.sticks_out_upper):
        return "a link has no spheres"
    return f"{lower_length(audit.sticks_out_lower)} to {upper_length(audit.sticks_out_upper)}"


def _cover_cells(name: str, cover: SphereCover) -> list[str]:
    bounds = [upper_length(x) if np.isfinite(x) else "unknown" for x in (cover.cover, cover.excess)]
    return [name, str(len(cover)), "covered" if cover.cover == 0.0 else bounds[0], bounds[1]]


def _cover_sentence(covers: Sequence[SphereCover], cover: float, excess: float) -> str:
    if cover == 0.0:
        what = "whole solid" if covers and all(one.solid for one in covers) else "whole surface"
        return f"Proved: the spheres cover the {what}. They reach at most {upper_length(excess)} beyond it."
    if np.isfinite(cover):
        return f"Something sticks out of the spheres by at most {upper_length(cover)}."
    return "It is not known what these spheres cover; an audit measures it."


def _of_bodies(bodies: list[_Body], rows: list[dict[str, Any]], packer: Packer) -> dict[str, Any]:
    """Return the common content of pages of models and audits: one rank of spheres in the world frame."""
    row_of = {row["cells"][0]: k for k, row in enumerate(rows)}
    centers, radii, excess, link = [], [], [], []
    for body in bodies:
        if body.cover is not None:
            reach = np.zeros(len(body.cover))
            if body.elements:
                found = build_cover_body(body.elements, 1e-4)
                reach = np.minimum(
                    _reach_beyond(found, body.cover.centers, body.cover.radii), body.cover.excess
                )
            centers.append(body.cover.centers @ body.X_W[:3, :3].T + body.X_W[:3, 3])
            radii.append(body.cover.radii)
            excess.append(reach)
            link.append(np.full(len(reach), row_of[body.name]))
    joined = [np.concatenate(part) if part else np.zeros(0) for part in (centers, radii, excess)]
    rank = _rank(joined[0].reshape(-1, 3), joined[1], joined[2], packer) | {"radius": 0.0}
    if rank["centers"] is not None:
        rank["link"] = packer.add(np.concatenate(link) if link else np.zeros(0), "u4")
    return {
        "verdict": "",
        "facts": [],
        "ranks": [rank],
        "first_rank": 0,
        "inflation": 0.0,
        "bodies": _bodies(bodies, packer),
        "table_title": "Links",
        "rows": rows,
    }


def _rank(centers: FloatArray, radii: FloatArray, excess: FloatArray, packer: Packer) -> dict[str, Any]:
    n = len(radii)
    if n > MOST_SPHERES:
        return {"n": n, "top": 0.0, "centers": None, "radii": None, "excess": None}
    return {
        "n": n,
        "top": float(excess.max(initial=0.0)),
        "centers": packer.add(centers, "f4"),
        "radii": packer.add(radii, "f4"),
        "excess": packer.add(excess, "f4"),
    }


def _reach_beyond(body: Any, centers: FloatArray, radii: FloatArray) -> FloatArray:
    """Return for each sphere an upper bound of how far its points are from a body [m]."""
    return np.asarray(np.maximum(body.outside(np.array(centers)).upper + radii, 0.0))


def _robot_bodies(robot: Robot, model: SphereModel, *, marked: bool) -> list[_Body]:
    X_WL = robot.link_poses(robot.zero)
    bodies = []
    for link, X in zip(robot.links, X_WL, strict=True):
        elements = [(element.shape, element.X_LG) for element in link.elements]
        if elements or link.name in model.covers:
            bodies.append(_Body(link.name, elements, X, model.covers.get(link.name), marked))
    return bodies


def _bodies(bodies: list[_Body], packer: Packer) -> list[dict[str, Any]]:
    found = []
    for body in bodies:
        for shape, X_LG in body.elements:
            mesh = build_display_mesh(shape)
            points, triangles = mesh.positions.astype(np.float64), mesh.triangles.astype(np.int64)
            points = points @ X_LG[:3, :3].T + X_LG[:3, 3]
            outside = None
            if body.marked:
                points, triangles = _divided(points, triangles)
                outside = _outside(points, body.cover)
            points = points @ body.X_W[:3, :3].T + body.X_W[:3, 3]
            found.append(
                {
                    "positions": packer.add(points, "f4"),
                    "triangles": packer.add(triangles, "u4"),
                    "outside": None if outside is None else packer.add(outside, "f4"),
                }
            )
    return found


def _outside(points: FloatArray, cover: SphereCover | None) -> FloatArray:
    """Return the distance of each point from the union of spheres [m], negative inside; 1000 without spheres."""
    nearest = np.full(len(points), 1000.0)
    if cover is not None:
        for center, radius in zip(cover.centers, cover.radii, strict=True):
            np.minimum(nearest, np.sqrt(((points - center) ** 2).sum(axis=1)) - radius, out=nearest)
    return nearest


def _divided(
    points: FloatArray, triangles: npt.NDArray[np.int64]
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return a surface whose long triangles are repeatedly split into four, so that colours have sharp edges."""
    corners = points[triangles]
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    for share in (1 / 8, 1 / 16, 1 / 32, 1 / 64):
        while True:
            edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
            is_long = edges > share * size
            if not is_long.any() or len(corners) + 3 * int(is_long.sum()) > MOST_CORNERS:
                break
            a, b, c = np.moveaxis(corners[is_long], 1, 0)
            ab, bc, ca = 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)
            parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
            corners = np.concatenate([corners[~is_long], *(np.stack(part, axis=1) for part in parts)])
    joined, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return joined, index.reshape(-1, 3)
