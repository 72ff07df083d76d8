"""Text files of convex elements (L), and of a hull with all vertices of its object (HL).

An L file has for each element a line with its number, its sign and its number of vertices, then a line for each
vertex: its number, its three coordinates, the number of its neighbours and the neighbours, the vertex itself first.

    1 + 4
    1 0 0 0 4 1 2 3 4
    2 1 0 0 4 2 1 3 4
    ...

An HL file has one element, the hull, with all vertices of the object: those inside the hull have only themselves as
neighbours. Behind the vertices comes a line with the number of faces, then for each its number, its virtuality (0 for a
face of the object, 1 for none, 2 for one that is partly covered), its number of corners and the corners.

Numbers count from 1. A file is read in two passes: the first counts, so that announced counts are compared with the
lines of the file before memory is allocated for them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_path, shown
from keepclear.errors import ArgumentError, PreparedFileError
from keepclear.files.access import MAX_TEXT_SIZE, parse_number, read_named_file, write_named_file
from keepclear.geometry.decomposition.decomposition import Decomposition
from keepclear.geometry.hulls.build import hull_of
from keepclear.geometry.hulls.faces import hull_faces_of
from keepclear.geometry.models.prepared import Prepared
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh, as_shape
from keepclear.results import compared_by_content

Neighbours = tuple[npt.NDArray[np.int64], ...]


@compared_by_content
class ElementRecord(NamedTuple):
    """An element in a file.

    Attributes:
        sign: 1, or -1 for an element that is subtracted.
        vertices: (n, 3) [m].
        neighbours: For each vertex the vertices that share an edge with it, counted from 0, without itself.
    """

    sign: int
    vertices: FloatArray
    neighbours: Neighbours

    @property
    def hull(self) -> Convex:
        """The convex hull of its vertices, a shape; hulls of a surface's elements may contain free space."""
        return Convex(self.vertices)


class HullFace(NamedTuple):
    """A face of a hull.

    Attributes:
        virtuality: 0 for a face of the object, 1 for one that is not, 2 for one that faces of the object partly cover.
        corners: Its vertices, counted from 0, counter-clockwise viewed from outside.
    """

    virtuality: int
    corners: tuple[int, ...]


@compared_by_content
class HullRecord(NamedTuple):
    """The hull of an object in a file: all vertices of the object, neighbours in the hull, faces."""

    vertices: FloatArray
    neighbours: Neighbours
    faces: tuple[HullFace, ...]

    @property
    def hull(self) -> Convex:
        """The hull as a shape."""
        return Convex(self.vertices)


def write_elements(elements: Decomposition | Iterable[ElementRecord], path: str | os.PathLike[str]) -> None:
    """Write convex elements to an L file, whole or not at all; numbers are written with all their digits.

    Args:
        elements: From `kc.decompose`, of which the hull of each element is written, or records.
        path: The file; the usual extension is `.l`.

    Raises:
        ArgumentError: They are not elements.
        PreparedFileError: The file cannot be written.
    """
    file, lines = checked_path("write_elements", path), list[str]()
    for number, element in enumerate(_records(elements), 1):
        if element.sign not in (1, -1):
            raise ArgumentError(
                f"write_elements: element {number} has the sign {shown(element.sign)}, not 1 or -1."
            )
        lines += _element_lines(number, element.sign, element.vertices, element.neighbours)
    _write(file, lines)


def _records(elements: object) -> Iterator[ElementRecord]:
    """Yield the records of elements."""
    if isinstance(elements, Decomposition):
        for element in elements:
            yield ElementRecord(element.sign, *_graph_of(element.hull))
        return
    for record in elements if isinstance(elements, Iterable) else (elements,):
        if not isinstance(record, ElementRecord):
            raise ArgumentError(
                f"write_elements takes what kc.decompose(mesh) returns, or records of elements, but it was given "
                f"{shown(record)}."
            )
        yield record


def _graph_of(hull: Convex) -> tuple[FloatArray, Neighbours]:
    """Return the vertices of a hull, and the neighbours of each; a flat hull is a ring of corners."""
    graph = hull.graph
    vertices, n = graph.vertices, len(graph.vertices)
    if graph.dimension == 3 and len(graph.triangles):
        return vertices, tuple(
            graph.neighbours[graph.neighbour_start[k] : graph.neighbour_start[k + 1]] for k in range(n)
        )
    offsets = vertices - vertices.mean(axis=0)
    axes = np.linalg.svd(offsets, full_matrices=True)[2]
    order = np.argsort(np.arctan2(offsets @ axes[1], offsets @ axes[0]), kind="stable")
    place = np.argsort(order)
    around = [np.unique(order[[place[k] - 1, (place[k] + 1) % n]]) for k in range(n)]
    return vertices, tuple(ring[ring != k] for k, ring in enumerate(around))


def write_hull(hull: Mesh | Prepared | HullRecord, path: str | os.PathLike[str]) -> None:
    """Write the convex hull of a mesh, with all of its vertices, to an HL file, whole or not at all.

    Args:
        hull: A mesh or its prepared model, of which the hull is found, or a record.
        path: The file; the usual extension is `.hl`.

    Raises:
        ArgumentError: It is not a mesh, or one that is flat.
        PreparedFileError: The file cannot be written.
    """
    file = checked_path("write_hull", path)
    record = hull if isinstance(hull, HullRecord) else _hull_record(hull)
    lines = _element_lines(1, 1, record.vertices, record.neighbours)
    lines.append(str(len(record.faces)))
    for number, face in enumerate(record.faces, 1):
        corners = " ".join(str(k + 1) for k in face.corners)
        lines.append(f"{number} {int(face.virtuality)} {len(face.corners)} {corners}")
    _write(file, lines)


def _hull_record(shape: object) -> HullRecord:
    """Return the hull of a mesh, with the virtuality of its faces."""
    mesh = as_shape(shape)
    if not isinstance(mesh, Mesh):
        raise ArgumentError(f"write_hull takes a kc.Mesh, but it was given {shown(shape)}.")
    faces = hull_faces_of(mesh)
    if faces is None:
        raise ArgumentError(f"write_hull: {mesh!r} is flat, so its hull has no faces.")
    graph = cast(Convex, hull_of(mesh)).graph
    neighbours = [np.empty(0, np.int64)] * len(mesh._vertices)
    for k, point in enumerate(graph.point_index):
        around = graph.neighbours[graph.neighbour_start[k] : graph.neighbour_start[k + 1]]
        neighbours[point] = graph.point_index[around]
    return HullRecord(
        mesh.vertices,
        tuple(neighbours),
        tuple(
            HullFace(int(kind), tuple(faces.corners_of(face).tolist()))
            for face, kind in enumerate(faces.virtuality)
        ),
    )


def read_elements(path: str | os.PathLike[str]) -> tuple[ElementRecord, ...]:
    """Return the elements of an L file.

    Raises:
        FileMissingError: There is no such file.
        PreparedFileError: The file has another format, or is truncated or damaged; the message names the line.
        ArgumentError: It is not a path.
    """
    lines = _Lines(checked_path("read_elements", path))
    found: list[ElementRecord] = []
    while not lines.at_end:
        found.append(_read_element(lines, len(found) + 1))
    if not found:
        raise lines.error("there are no elements")
    return tuple(found)


def read_hull(path: str | os.PathLike[str]) -> HullRecord:
    """Return the hull of an HL file.

    Raises:
        FileMissingError: There is no such file.
        PreparedFileError: The file has another format, or is truncated or damaged; the message names the line.
        ArgumentError: It is not a path.
    """
    lines = _Lines(checked_path("read_hull", path))
    element = _read_element(lines, 1)
    if element.sign != 1:
        raise lines.error("the hull has the sign -")
    (text,) = lines.words(1)
    n_faces = lines.count(text, lines.left)
    faces = []
    for number in range(1, n_faces + 1):
        first, virtual, count, *corners = lines.words()
        if first != str(number) or virtual not in ("0", "1", "2"):
            raise lines.error(f"expected face {number}, its virtuality 0, 1 or 2, and its corners")
        if lines.count(count, len(corners)) != len(corners) or len(corners) < 3:
            raise lines.error(f"face {number} has another number of corners than it says, or fewer than 3")
        faces.append(HullFace(int(virtual), tuple(lines.index(k, len(element.vertices)) for k in corners)))
    if not lines.at_end:
        raise lines.error("there is more behind the last face")
    return HullRecord(element.vertices, element.neighbours, tuple(faces))


def _element_lines(
    number: int, sign: int, vertices: FloatArray, neighbours: Sequence[npt.NDArray[np.int64]]
) -> list[str]:
    if len(vertices) != len(neighbours):
        raise ArgumentError(
            f"element {number} has {len(vertices)} vertices, and neighbours of {len(neighbours)} of them."
        )
    lines = [f"{number} {'+' if sign > 0 else '-'} {len(vertices)}"]
    for k, (vertex, around) in enumerate(zip(vertices.tolist(), neighbours, strict=True)):
        numbers = " ".join(str(int(i) + 1) for i in (k, *around))
        lines.append(f"{k + 1} {' '.join(map(repr, vertex))} {1 + len(around)} {numbers}")
    return lines


def _read_element(lines: _Lines, number: int) -> ElementRecord:
    first, sign, text = lines.words(3)
    if first != str(number) or sign not in ("+", "-"):
        raise lines.error(f"expected element {number}, its sign + or -, and its number of vertices")
    n = lines.count(text, lines.left)
    if n == 0:
        raise lines.error(f"element {number} has no vertices")
    vertices, neighbours = np.empty((n, 3)), []
    for k in range(n):
        first, x, y, z, count, *around = lines.words()
        if first != str(k + 1):
            raise lines.error(f"expected vertex {k + 1} of element {number}")
        vertices[k] = [lines.number(word) for word in (x, y, z)]
        numbers = [lines.index(word, n) for word in around]
        if lines.count(count, len(around)) != len(around) or numbers[:1] != [k]:
            raise lines.error(
                f"vertex {k + 1} has another number of neighbours than it says, or is not the first"
            )
        if len(set(numbers)) != len(numbers):
            raise lines.error(f"vertex {k + 1} has a neighbour twice")
        neighbours.append(np.array(numbers[1:], dtype=np.int64))
    _check_mutual(lines, neighbours)
    return ElementRecord(1 if sign == "+" else -1, vertices, tuple(neighbours))


def _check_mutual(lines: _Lines, neighbours: Sequence[npt.NDArray[np.int64]]) -> None:
    edges = {(k, int(i)) for k, around in enumerate(neighbours) for i in around}
    for a, b in edges:
        if (b, a) not in edges:
            raise lines.error(f"vertex {b + 1} is a neighbour of vertex {a + 1}, but not the other way round")


class _Lines:
    """The lines of a file in order, split into words; errors name the line that was read last."""

    def __init__(self, path: Path) -> None:
        self._path, self._next = path, 0
        data = read_named_file(self._path, "file of elements", PreparedFileError, MAX_TEXT_SIZE)
        try:
            self._lines = [line for line in data.decode("ascii").splitlines() if line.strip()]
        except UnicodeDecodeError as cause:
            raise PreparedFileError(f"file of elements '{self._path}' is not text; it is damaged.") from cause

    @property
    def left(self) -> int:
        """The number of remaining lines."""
        return len(self._lines) - self._next

    @property
    def at_end(self) -> bool:
        """Whether there are no more lines."""
        return self.left == 0

    def words(self, n: int | None = None) -> list[str]:
        """Return the words of the next line: n of them, or at least 5 numbers of a vertex or 4 of a face."""
        if self.at_end:
            raise self.error("the file is truncated")
        self._next += 1
        words = self._lines[self._next - 1].split()
        if len(words) != n if n is not None else len(words) < 5:
            raise self.error("the line has too few or too many words")
        return words

    def count(self, word: str, most: int) -> int:
        """Return a count that does not exceed the number of remaining items."""
        if not word.isdecimal() or len(word) > 9 or int(word) > most:
            raise self.error(f"it announces {word[:20]!r}, and {most} are there")
        return int(word)

    def index(self, word: str, n: int) -> int:
        """Return a number from 1 to n, counted from 0."""
        if not word.isdecimal() or len(word) > 9 or not 1 <= int(word) <= n:
            raise self.error(f"{word[:20]!r} is not a vertex; there are {n}")
        return int(word) - 1

    def number(self, word: str) -> float:
        """Return a finite coordinate."""
        try:
            value = parse_number(word)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise self.error(f"{word[:20]!r} is not a coordinate")
        return value

    def error(self, why: str) -> PreparedFileError:
        """Return the error for the line that was read last."""
        return PreparedFileError(f"file of elements '{self._path}', line {self._next}: {why}.")


def _write(path: Path, lines: Iterable[str]) -> None:
    content = "\n".join(_ended(lines)).encode("ascii")
    write_named_file(path, content, f"file of elements '{path}'", PreparedFileError)


def _ended(lines: Iterable[str]) -> Iterator[str]:
    yield from lines
    yield ""
