"""The page of a prepared mesh: convex elements in colours, the faces of the hull, holes, and their sizes."""

from __future__ import annotations

import colorsys
import os
from typing import Any

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.decomposition.decomposition import Decomposition, Element, decompose
from keepclear.geometry.hulls.build import hull_of
from keepclear.geometry.hulls.faces import MIXED, REAL, VIRTUAL, HullFaces, hull_faces_of
from keepclear.geometry.models.prepared import Prepared
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.report.json_file import written
from keepclear.report.pages.page import counted, model_page_text
from keepclear.report.pages.payload import Packer

MOST_TRIANGLES = 300_000
"""Greatest number of triangles that a page draws."""

MOST_ROWS = 1000
"""A page lists this many elements, the largest ones."""

NANOMETRE = 1e-9

_TURN = 0.618033988749895  # part of the colour circle between consecutive elements, so that neighbours differ
_HULL_COLOURS = {REAL: ("#7d8ba0", 0.08), VIRTUAL: ("#f08c1e", 0.34), MIXED: ("#e3c21f", 0.3)}
_KINDS = {REAL: "real", VIRTUAL: "virtual", MIXED: "mixed"}


def page_of_elements(
    elements: Decomposition | Prepared, path: str | os.PathLike[str] | None = None, *, title: str = ""
) -> str:
    """Return the page of elements, and write it to a file if a path is given; texts in it are escaped.

    Convex elements are blue and green, concave ones red and orange. Faces of the hull are translucent: grey where they
    are faces of the mesh, orange where they span a gap, yellow where the mesh covers a part of them. A slider moves
    elements apart. A prepared mesh without elements is decomposed with the default tolerance.
    """
    found, packer = _elements_of(elements), Packer()
    mesh = found.mesh
    rings = {k: _n_loops(element) for k, element in enumerate(found) if element.sign < 0}
    colours = [_colour(k, sign) for k, sign in enumerate(found.signs.tolist())]
    faces = hull_faces_of(mesh)
    n_holes = sum(loops == 2 for loops in rings.values())
    payload = {
        "page": "elements",
        "title": title or f"{mesh.name or 'mesh'}: {counted(len(found), 'convex element')}",
        "sentence": _sentence(found, n_holes, faces),
        "verdict": "",
        "facts": _facts(found, n_holes, faces),
        "arrays": _arrays(found, faces, packer),
        "colours": colours,
        "hull_colours": [_HULL_COLOURS[kind] for kind in (REAL, VIRTUAL, MIXED)],
        "legend": _legend(found, faces),
        "table_title": "Elements",
        "columns": ["Element", "Kind", "Triangles", "Size", "Defect"],
        "rows": _rows(found, rings, colours),
        "notes": _notes(found),
    }
    return written(model_page_text(payload, packer), path)


def _elements_of(elements: Decomposition | Prepared) -> Decomposition:
    if isinstance(elements, Decomposition):
        return elements
    if elements.elements is not None:
        return elements.elements
    if isinstance(elements.shape, Mesh):
        return decompose(elements.shape)
    raise ArgumentError(
        f"to_html shows the elements of a mesh, but the prepared shape is {elements.shape!r}."
    )


def _colour(number: int, sign: int) -> str:
    """Return the colour of an element: blue to green for convex elements, red to orange for concave ones."""
    place = number * _TURN % 1.0
    hue = 0.28 + 0.5 * place if sign > 0 else -0.04 + 0.12 * place
    rgb = colorsys.hls_to_rgb(hue % 1.0, 0.6 + 0.12 * (number % 2), 0.42 if sign > 0 else 0.85)
    return "#" + "".join(f"{round(255 * value):02x}" for value in rgb)


def _n_loops(element: Element) -> int:
    """Return the number of boundary loops of an element; the wall of a hole has two."""
    parent = {int(vertex): int(vertex) for vertex in np.unique(element.boundary)}

    def root(vertex: int) -> int:
        while parent[vertex] != vertex:
            parent[vertex] = parent[parent[vertex]]
            vertex = parent[vertex]
        return vertex

    for a, b in element.boundary.tolist():
        parent[root(a)] = root(b)
    return sum(root(vertex) == vertex for vertex in parent)


def _sentence(found: Decomposition, n_holes: int, faces: HullFaces | None) -> str:
    concave = int((found.signs < 0).sum())
    n = len(found.element_of)
    text = f"{counted(n, 'triangle')} make{'s' * (n == 1)} {counted(len(found), 'convex element')}"
    if concave:
        text += f", {concave} of them concave"
        if n_holes:
            text += f" ({counted(n_holes, 'wall')} around holes)"
    if faces is None:
        return text + "."
    virtual, mixed = (int((faces.virtuality == kind).sum()) for kind in (VIRTUAL, MIXED))
    if virtual + mixed == 0:
        return text + ". All faces of the hull are faces of the mesh."
    return (
        text + f". Of {counted(len(faces), 'face')} of the hull {virtual} span a gap, and {mixed} do in part."
    )


def _facts(found: Decomposition, n_holes: int, faces: HullFaces | None) -> list[list[str]]:
    facts = [
        ["elements", f"{len(found):,}"],
        ["concave", f"{int((found.signs < 0).sum()):,}"],
        ["walls of holes", f"{n_holes:,}"],
        ["tolerance", _length(found.eps)],
    ]
    if faces is not None:
        kinds = np.bincount(faces.virtuality, minlength=3)
        facts.append(
            ["hull faces", ", ".join(f"{kinds[k]:,} {name}" for k, name in _KINDS.items() if kinds[k])]
        )
    return facts


def _legend(found: Decomposition, faces: HullFaces | None) -> list[list[str]]:
    legend = [["convex element", _colour(0, 1)]]
    if (found.signs < 0).any():
        legend.append(["concave element", _colour(0, -1)])
    if faces is not None:
        names = {VIRTUAL: "virtual face of the hull", MIXED: "mixed face of the hull"}
        legend += [
            [text, _HULL_COLOURS[kind][0]] for kind, text in names.items() if (faces.virtuality == kind).any()
        ]
    return legend


def _rows(found: Decomposition, rings: dict[int, int], colours: list[str]) -> list[dict[str, Any]]:
    lower, upper = _boxes(found)
    sizes = (upper - lower).max(axis=1)
    listed = np.argsort(-sizes, kind="stable")[:MOST_ROWS]
    return [
        {
            "cells": [
                f"{k + 1}",
                "convex" if k not in rings else "hole" if rings[k] == 2 else "concave",
                f"{len(found[k]):,}",
                _length(float(sizes[k])),
                _length(float(found.defects[k])),
            ],
            "element": k,
            "colour": colours[k],
        }
        for k in listed.tolist()
    ]


def _boxes(found: Decomposition) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper corner of the box around each element, (n, 3)."""
    corners = found.mesh._vertices[found._welded[found._order]]
    start = found._start[:-1]
    return np.minimum.reduceat(corners.min(axis=1), start), np.maximum.reduceat(corners.max(axis=1), start)


def _arrays(found: Decomposition, faces: HullFaces | None, packer: Packer) -> dict[str, Any]:
    """Return the geometry to draw: triangles with their elements, edges around elements, and the hull."""
    mesh = found.mesh
    is_drawn = len(mesh._triangles) <= MOST_TRIANGLES
    triangles = mesh._triangles if is_drawn else mesh._triangles[:0]
    lines = [element.boundary for element in found] if is_drawn else []
    owner = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    lower, upper = _boxes(found)
    hull, kinds = np.empty((0, 3), np.int64), np.empty(0, np.int64)
    graph = getattr(hull_of(mesh), "graph", None)
    if faces is not None and graph is not None and is_drawn:
        hull, kinds = graph.point_index[graph.triangles], faces.virtuality[graph.facet]
    return {
        "positions": packer.add(mesh._vertices, "f4"),
        "triangles": packer.add(triangles, "u4"),
        "elements": packer.add(found.element_of[: len(triangles)], "u4"),
        "lines": packer.add(np.concatenate(lines) if lines else np.empty(0), "u4"),
        "line_elements": packer.add(owner, "u4"),
        "middles": packer.add(0.5 * (lower + upper), "f4"),
        "signs": packer.add(found.signs, "i4"),
        "hull_triangles": packer.add(hull, "u4"),
        "hull_kinds": packer.add(kinds, "u1"),
    }


def _notes(found: Decomposition) -> list[str]:
    notes = [
        "Each element is convex within its defect, which is certified: no vertex is farther above one of its faces.",
        "A concave element is convex from inside. One that is bounded by two closed lines is the wall of a hole.",
        "Virtual faces of the hull span a gap of the mesh; mixed ones are partly covered by it.",
        "Select an element to see it alone in its colour.",
    ]
    if found.n_borders:
        notes.append(
            f"{counted(found.n_borders, 'edge')} without two triangles: nothing is merged across them."
        )
    if len(found) > MOST_ROWS:
        notes.append(f"The {MOST_ROWS:,} largest of {len(found):,} elements are listed.")
    if len(found.element_of) > MOST_TRIANGLES:
        notes.append(f"Meshes of more than {MOST_TRIANGLES:,} triangles are listed and not drawn.")
    return notes


def _length(metres: float) -> str:
    if metres < NANOMETRE:
        return "< 1 nm"
    return f"{1e3 * metres:.3g} mm" if metres < 1.0 else f"{metres:.4g} m"
