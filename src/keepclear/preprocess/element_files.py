"""Text files of convex elements (L), and of a hull with all vertices of its object (HL).

An L file has for each element a line with its number, its sign and its number of vertices, then a line for each
vertex: its number, its three coordinates, the number of its neighbours and the neighbours, the vertex itself first.

    1 + 4
    1 0 0 0 4 1 2 3 4
    2 1 0 0 4 2 1 3 4
    ...

An HL file has one element, the hull, with all vertices of the object: those inside the hull have only themselves as
neighbours. Behind the vertices comes a line with the number of faces, then for each its number, 1 if it is virtual (no
face of the object) or 0, its number of corners and the corners.

Numbers count from 1. A file is read in two passes: the first counts, so that what a line announces is compared with
what is there before memory is taken for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError, FileMissingError, PreparedFileError
from keepclear.files import MAX_TEXT_SIZE, parse_number, read_regular_file, write_whole_file

__all__ = [
    "ElementRecord",
    "HullFace",
    "HullRecord",
    "read_elements",
    "read_hull_file",
    "write_elements",
    "write_hull_file",
]

Neighbours = tuple[npt.NDArray[np.int64], ...]


class Element(Protocol):
    """What a file keeps of an element: 1 or -1, its vertices (n, 3) [m], and the neighbours of each, from 0."""

    @property
    def sign(self) -> int: ...
    @property
    def vertices(self) -> FloatArray: ...
    @property
    def neighbours(self) -> Sequence[npt.NDArray[np.int64]]: ...


class ElementRecord(NamedTuple):
    """An element as a file has it.

    Attributes:
        sign: 1, or -1 for one that is taken away.
        vertices: (n, 3) [m].
        neighbours: For each vertex those that share an edge with it, counted from 0; it is not among them.
    """

    sign: int
    vertices: FloatArray
    neighbours: Neighbours


class HullFace(NamedTuple):
    """A face of a hull: whether it is virtual, and its corners, counted from 0."""

    is_virtual: bool
    corners: tuple[int, ...]


class HullRecord(NamedTuple):
    """The hull of an object as a file has it: all vertices of the object, neighbours in the hull, faces."""

    vertices: FloatArray
    neighbours: Neighbours
    faces: tuple[HullFace, ...]


def write_elements(elements: Iterable[Element], path: str | os.PathLike[str]) -> None:
    """Write elements to an L file, whole or not at all; numbers are written with all their digits.

    Raises:
        PreparedFileError: The file cannot be written.
    """
    lines: list[str] = []
    for number, element in enumerate(elements, 1):
        if element.sign not in (1, -1):
            raise ArgumentError(
                f"write_elements: element {number} has the sign {shown(element.sign)}, not 1 or -1."
            )
        lines += _element_lines(number, element.sign, element.vertices, element.neighbours)
    _write(path, lines)


def write_hull_file(hull: HullRecord, path: str | os.PathLike[str]) -> None:
    """Write the hull of an object to an HL file, whole or not at all.

    Raises:
        PreparedFileError: The file cannot be written.
    """
    lines = _element_lines(1, 1, hull.vertices, hull.neighbours)
    lines.append(str(len(hull.faces)))
    for number, face in enumerate(hull.faces, 1):
        corners = " ".join(str(k + 1) for k in face.corners)
        lines.append(f"{number} {int(face.is_virtual)} {len(face.corners)} {corners}")
    _write(path, lines)


def read_elements(path: str | os.PathLike[str]) -> tuple[ElementRecord, ...]:
    """Return the elements of an L file.

    Raises:
        FileMissingError: There is no such file.
        PreparedFileError: It is no such file, or is cut off or damaged; the message names the line.
    """
    lines = _Lines(path)
    found: list[ElementRecord] = []
    while not lines.at_end:
        found.append(_read_element(lines, len(found) + 1))
    if not found:
        raise lines.error("there are no elements")
    return tuple(found)


def read_hull_file(path: str | os.PathLike[str]) -> HullRecord:
    """Return the hull of an HL file.

    Raises:
        FileMissingError: There is no such file.
        PreparedFileError: It is no such file, or is cut off or damaged; the message names the line.
    """
    lines = _Lines(path)
    element = _read_element(lines, 1)
    if element.sign != 1:
        raise lines.error("the hull has the sign -")
    (text,) = lines.words(1)
    n_faces = lines.count(text, lines.left)
    faces = []
    for number in range(1, n_faces + 1):
        first, virtual, count, *corners = lines.words()
        if first != str(number) or virtual not in ("0", "1"):
            raise lines.error(f"expected face {number}, 0 or 1, and its corners")
        if lines.count(count, len(corners)) != len(corners) or len(corners) < 3:
            raise lines.error(f"face {number} has another number of corners than it says, or fewer than 3")
        faces.append(HullFace(virtual == "1", tuple(lines.index(k, len(element.vertices)) for k in corners)))
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
    """The lines of a file, one after the other, split into words; errors name the line that was read last."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path, self._next = Path(path), 0
        try:
            data = read_regular_file(self._path, MAX_TEXT_SIZE)
        except FileNotFoundError as cause:
            raise FileMissingError(f"there is no file of elements '{self._path}'; check the path.") from cause
        except OSError as cause:
            raise PreparedFileError(
                f"file of elements '{self._path}' cannot be opened: {cause.strerror or cause}."
            ) from cause
        try:
            self._lines = [line for line in data.decode("ascii").splitlines() if line.strip()]
        except UnicodeDecodeError as cause:
            raise PreparedFileError(f"file of elements '{self._path}' is no text; it is damaged.") from cause

    @property
    def left(self) -> int:
        """How many lines are left."""
        return len(self._lines) - self._next

    @property
    def at_end(self) -> bool:
        """Whether there are no more lines."""
        return self.left == 0

    def words(self, n: int | None = None) -> list[str]:
        """Return the words of the next line: n of them, or at least 5 numbers of a vertex or 4 of a face."""
        if self.at_end:
            raise self.error("the file is cut off")
        self._next += 1
        words = self._lines[self._next - 1].split()
        if len(words) != n if n is not None else len(words) < 5:
            raise self.error("the line has too few or too many words")
        return words

    def count(self, word: str, most: int) -> int:
        """Return a count that is at most what is there."""
        if not word.isdecimal() or len(word) > 9 or int(word) > most:
            raise self.error(f"it announces {word[:20]!r}, and {most} are there")
        return int(word)

    def index(self, word: str, n: int) -> int:
        """Return a number from 1 to n, counted from 0."""
        if not word.isdecimal() or len(word) > 9 or not 1 <= int(word) <= n:
            raise self.error(f"{word[:20]!r} is no vertex; there are {n}")
        return int(word) - 1

    def number(self, word: str) -> float:
        """Return a finite coordinate."""
        try:
            value = parse_number(word)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise self.error(f"{word[:20]!r} is no coordinate")
        return value

    def error(self, why: str) -> PreparedFileError:
        """Return the error for the line that was read last."""
        return PreparedFileError(f"file of elements '{self._path}', line {self._next}: {why}.")


def _write(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    try:
        write_whole_file(path, ("\n".join(_ended(lines))).encode("ascii"))
    except OSError as cause:
        raise PreparedFileError(
            f"file of elements '{Path(path)}' cannot be written: {cause.strerror or cause}."
        ) from cause


def _ended(lines: Iterable[str]) -> Iterator[str]:
    yield from lines
    yield ""
