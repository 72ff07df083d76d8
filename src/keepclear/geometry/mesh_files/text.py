"""Readers of OBJ, OFF and STL files that detect truncated files and damaged lines where possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.mesh_faces import Faces

T = TypeVar("T")


class Damage(Exception):  # noqa: N818 - the reader of the file turns it into an error with the file's name
    """The defect of a mesh file, as a sentence that follows the file's name."""


class FileMesh(NamedTuple):
    """The content of a mesh file: points in the file's unit, faces, and that unit [m] if the file gives it.

    `error` bounds how far its true surface is from the faces [m]; `is_closed`: the file says that it is closed.
    """

    vertices: FloatArray
    faces: Faces
    unit: float | None = None
    error: float = 0.0
    is_closed: bool = False


def read_stl(data: bytes) -> FileMesh:
    """Return the triangles of a binary or text STL file."""
    n_declared = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if len(data) == 84 + 50 * n_declared:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        corners = np.frombuffer(data, dtype=record, offset=84)["corners"]
        return _soup(corners.reshape(-1, 3).astype(np.float64))
    if data.lstrip()[:5].lower() == b"solid" and b"\0" not in data:
        return _read_text_stl(data)
    if n_declared < 0:
        raise Damage(
            f"has only {len(data)} bytes, fewer than the header of an STL file; it is truncated or no STL"
        )
    raise Damage(
        f"is damaged or truncated: it declares {n_declared} triangles ({84 + 50 * n_declared} bytes), "
        f"but has {len(data)} bytes; export it again"
    )


def _read_text_stl(data: bytes) -> FileMesh:
    lines = [line.strip() for line in _text(data).lower().splitlines()]
    marks = [line.startswith("endsolid") for line in lines if line.startswith(("solid", "endsolid"))]
    if len(marks) % 2 or any(is_end != bool(i % 2) for i, is_end in enumerate(marks)):
        raise Damage("is damaged or truncated: a 'solid' is not closed by 'endsolid'; export it again")
    if not lines[[i for i, line in enumerate(lines) if line][-1]].startswith("endsolid"):
        raise Damage("is damaged or truncated: it does not end with 'endsolid'; export it again")
    tokens = " ".join(line for line in lines if not line.startswith(("solid", "endsolid"))).split()
    n, rest = divmod(len(tokens), 21)
    words = ["facet", "normal", *[""] * 3, "outer", "loop"]
    words += ["vertex", "", "", ""] * 3 + ["endloop", "endfacet"]
    if rest or any(tokens[i::21] != [word] * n for i, word in enumerate(words) if word):
        raise Damage("has a facet that is not 'facet normal', three vertices and 'endfacet'; export it again")
    columns = [numbers(tokens[i::21], "a facet") for i in (8, 9, 10, 12, 13, 14, 16, 17, 18)]
    return _soup(np.column_stack(columns).reshape(-1, 3) if n else np.zeros((0, 3)))


def _soup(vertices: FloatArray) -> FileMesh:
    start = np.arange(0, len(vertices) + 1, 3, dtype=np.int64)
    return FileMesh(vertices, Faces(start, np.arange(len(vertices), dtype=np.int32)))


# Words that carry no surface, and words of curves and surfaces that have not been cut into faces.
_OBJ_IGNORED = frozenset(
    {"bevel", "c_interp", "d_interp", "g", "l", "lod", "maplib", "mg", "mtllib", "o", "p", "s"}
)
_OBJ_STYLE = frozenset({"shadow_obj", "trace_obj", "usemap", "usemtl", "vn", "vp", "vt"})
_OBJ_CURVED = frozenset({"bmat", "cstype", "curv", "curv2", "deg", "end", "parm", "step", "surf", "trim"})


def read_obj(data: bytes) -> FileMesh:
    """Return the faces of an OBJ file, all objects and groups together.

    A word that OBJ does not have is taken as damage: it may have been a vertex or a face. Some programs write
    a line with the counts before the first vertex; that is none.
    """
    points: list[list[str]] = []
    faces: list[list[int]] = []
    text = _text(data)
    last: list[str] = []
    for number, line in enumerate(text.replace("\\\r\n", "  ").replace("\\\n", " ").splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        last = words
        if words[0] == "v":
            if len(words) not in (4, 5, 7, 8):
                raise Damage(f"has a vertex with {len(words) - 1} numbers in line {number}; expected 3")
            points.append(words[1:4])
        elif words[0] == "f":
            faces.append([_obj_index(word, len(points), number) for word in words[1:]])
            if len(faces[-1]) < 3:
                raise Damage(f"has a face with {len(faces[-1])} corners in line {number}; expected 3 or more")
        elif words[0] in _OBJ_CURVED:
            raise Damage(f"has curved surfaces ({words[0]!r} in line {number}); export it as triangles")
        elif words[0] not in _OBJ_IGNORED | _OBJ_STYLE and (points or not words[0].isdigit()):
            raise Damage(f"has an unknown word {words[0]!r} in line {number}; it is damaged or no OBJ file")
    flat = [word for point in points for word in point]
    vertices = numbers(flat, "a vertex").reshape(-1, 3)
    result = FileMesh(vertices, packed(faces, len(vertices)))
    if not text.endswith(("\n", "\r")) and last and last[0] in ("v", "f"):
        _check_obj_end(last, result)
    return result


def _obj_index(word: str, n_points: int, number: int) -> int:
    """Return a vertex index that counts from 0: OBJ counts from 1, or backwards from the latest vertex."""
    index = whole(word.partition("/")[0], f"line {number}")
    if index == 0:
        raise Damage(f"uses vertex 0 in line {number}, but OBJ files count from 1; export it again")
    return index - 1 if index > 0 else n_points + index


def _check_obj_end(last: list[str], mesh: FileMesh) -> None:
    """Raise `Damage` if a file without a final newline looks like one that was cut there."""
    start, corners = mesh.faces
    unused = len(mesh.vertices) - len(np.unique(corners))
    n_corners = int(start[-1] - start[-2]) if len(start) > 1 else 0
    shorter = last[0] == "f" and n_corners < int(np.diff(start)[:-1].max(initial=3))
    if unused or shorter or (last[0] == "f" and not is_last_index(last[-1], len(mesh.vertices) + 1)):
        raise Damage(
            "ends in the middle of a line and seems to be truncated "
            f"({unused} vertices are in no face); export it again, or add a newline if it is whole"
        )


def read_off(data: bytes) -> FileMesh:
    """Return the faces of an OFF file."""
    text = _text(data)
    lines = [words for line in text.splitlines() if (words := line.partition("#")[0].split())]
    if not lines or lines[0][0].upper() not in ("OFF", "COFF", "NOFF", "CNOFF", "STOFF"):
        raise Damage("does not begin with 'OFF'; it is damaged or no OFF file")
    counts = lines[0][1:] or (lines[1] if len(lines) > 1 else [])
    first = 1 if lines[0][1:] else 2
    if len(counts) not in (2, 3):
        raise Damage("does not give its numbers of vertices and faces; it is damaged, truncated or binary")
    n_vertices, n_faces = (whole(word, "the counts") for word in counts[:2])
    if n_vertices < 0 or n_faces < 0 or len(lines) != first + n_vertices + n_faces:
        raise Damage(
            f"is damaged or truncated: it declares {n_vertices} vertices and {n_faces} faces, "
            f"but has {len(lines) - first} lines for them; export it again"
        )
    points = lines[first : first + n_vertices]
    if any(len(words) < 3 for words in points):
        raise Damage("has a vertex with fewer than 3 numbers; export it again")
    faces = [_counted_face(words) for words in lines[first + n_vertices :]]
    check_text_end(text, lines[-1], n_vertices)
    vertices = numbers([word for words in points for word in words[:3]], "a vertex").reshape(-1, 3)
    return FileMesh(vertices, packed(faces, n_vertices))


def _counted_face(words: Sequence[str]) -> list[int]:
    """Return the corners of a face given as their number followed by that many indices."""
    n = whole(words[0], "a face")
    if n < 3 or len(words) < n + 1:
        raise Damage(f"has a face that declares {n} corners and lists {len(words) - 1}; export it again")
    return [whole(word, "a face") for word in words[1 : n + 1]]


def check_text_end(text: str, last: Sequence[str], n_vertices: int) -> None:
    """Raise `Damage` if the last number of a text without final newline could have lost digits."""
    if not text.endswith(("\n", "\r")) and not is_last_index(last[-1], n_vertices):
        raise Damage(
            "ends without a newline, so its last number may be truncated; export it again, "
            "or add a newline if it is whole"
        )


def is_last_index(word: str, end: int) -> bool:
    """Return whether no index below `end` begins with these digits and goes on."""
    return "/" in word or not word.isdigit() or 10 * int(word) >= end


def packed(faces: Sequence[Sequence[int]], n_vertices: int) -> Faces:
    """Return lists of indices as `Faces`, or raise `Damage` for one that is out of range."""
    counts = np.fromiter(map(len, faces), dtype=np.int64, count=len(faces))
    start = np.concatenate(([0], np.cumsum(counts)))
    corners = [index for face in faces for index in face]
    if corners and not 0 <= min(corners) <= max(corners) < n_vertices:
        bad = next(i for i, face in enumerate(faces) if not all(0 <= index < n_vertices for index in face))
        raise Damage(
            f"has a face ({bad}, corners {list(faces[bad])[:6]}, counted from 0) that uses a vertex outside "
            f"of its {n_vertices}; it is damaged or truncated"
        )
    return Faces(start, np.array(corners, dtype=np.int32))


def numbers(words: Sequence[str], where: str) -> FloatArray:
    """Return words as numbers, or raise `Damage` for the first that is none."""
    return np.array(_converted(float, words, where), dtype=np.float64)


def whole_numbers(words: Sequence[str], where: str) -> npt.NDArray[np.int64]:
    """Return words as whole numbers, or raise `Damage` for the first that is none."""
    try:
        return np.array(_converted(int, words, where), dtype=np.int64)
    except OverflowError:
        raise Damage(f"has a number in {where} that is not an index; it is damaged") from None


def whole(word: str, where: str) -> int:
    """Return a word as a whole number, or raise `Damage`."""
    return _converted(int, [word], where)[0]


def _converted(kind: Callable[[str], T], words: Sequence[str], where: str) -> list[T]:
    try:
        text = "".join(words)
        if "_" in text or not text.isascii():  # Python would read 1_0 as ten, and digits of other scripts
            raise ValueError
        return [kind(word) for word in words]
    except ValueError:
        bad = next(word for word in words if "_" in word or not word.isascii() or not _is(kind, word))
        raise Damage(f"has {bad[:20]!r} in {where} where a number should be; it is damaged") from None


def _is(kind: Callable[[str], T], word: str) -> bool:
    try:
        kind(word)
    except ValueError:
        return False
    return True


def _text(data: bytes) -> str:
    if b"\0" in data:
        raise Damage("has zero bytes where text should be; it is damaged or of another format")
    return data.decode("utf-8-sig", errors="replace")
