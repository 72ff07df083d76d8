"""A reader of PLY files, text and binary, with polygons of any number of corners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.geometry.mesh_files.text import Damage, FileMesh, check_text_end, numbers, packed, whole
from keepclear.geometry.shapes.mesh_faces import Faces

_TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
_WHOLE = frozenset(name for name, kind in _TYPES.items() if kind[0] in "iu")
_FORMATS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}


class _Property(NamedTuple):
    name: str
    kind: str  # of the values
    length: str | None  # of the number of values, for a list


class _Element(NamedTuple):
    name: str
    n: int
    properties: list[_Property]


def read_ply(data: bytes) -> FileMesh:
    """Return the faces of a PLY file."""
    head, mark, body = data.partition(b"end_header")
    if not data.startswith(b"ply") or not mark:
        raise Damage("has no complete PLY header; it is damaged, truncated or no PLY file")
    order, elements = _header(head.decode("utf-8", errors="replace"))
    line_end, newline, rest = body.partition(b"\n")
    if line_end.strip() or not newline:
        raise Damage("is truncated after its header; export it again")
    columns, lists = _read_text(rest, elements) if order == "" else _read_binary(rest, elements, order)
    if any(axis not in columns for axis in "xyz"):
        raise Damage("has no vertices with x, y and z; it is damaged or holds something else")
    vertices = np.column_stack([columns[axis] for axis in "xyz"]).astype(np.float64)
    if lists is None:
        return FileMesh(vertices, packed([], len(vertices)))
    return FileMesh(vertices, packed(lists, len(vertices)) if isinstance(lists, list) else lists)


def _header(text: str) -> tuple[str, list[_Element]]:
    order: str | None = None
    elements: list[_Element] = []
    for line in text.splitlines()[1:]:
        words = line.split()
        match words:
            case [] | ["comment", *_] | ["obj_info", *_]:
                pass
            case ["format", kind, "1.0"] if kind in _FORMATS:
                order = _FORMATS[kind]
            case ["element", name, count]:
                elements.append(_Element(name, whole(count, "the header"), []))
            case ["property", "list", count, kind, name] if elements and count in _WHOLE and kind in _TYPES:
                elements[-1].properties.append(_Property(name, _TYPES[kind], _TYPES[count]))
            case ["property", kind, name] if elements and kind in _TYPES:
                elements[-1].properties.append(_Property(name, _TYPES[kind], None))
            case _:
                raise Damage(f"has {line.strip()[:40]!r} in its header; it is damaged or of an unknown kind")
    if order is None or any(element.n < 0 for element in elements):
        raise Damage("has a damaged PLY header; export it again")
    _check_elements(elements)
    return order, elements


def _check_elements(elements: list[_Element]) -> None:
    """Refuse surfaces that are not faces, and repeated names: one of them would be lost."""
    for element in elements:
        lists = [prop.name for prop in element.properties if prop.length is not None]
        if element.name == "tristrips":
            raise Damage("holds strips of triangles; export it with plain faces")
        if element.name not in ("face", "range_grid") and any(
            name.startswith("vertex_ind") for name in lists
        ):
            raise Damage(
                f"holds faces in an unknown element {element.name[:40]!r}; export it with plain faces"
            )
        names = [prop.name for prop in element.properties]
        if [one.name for one in elements].count(element.name) > 1 or len(set(names)) < len(names):
            raise Damage(f"has element {element.name[:40]!r} or a property of it twice; it is damaged")


Columns = dict[str, npt.NDArray[np.float64]]
Lists = list[list[int]] | Faces | None


def _is_corners(element: _Element, prop: _Property) -> bool:
    is_list = prop.length is not None and prop.kind[0] in "iu"
    return is_list and element.name == "face" and prop.name in ("vertex_indices", "vertex_index")


def _read_text(body: bytes, elements: list[_Element]) -> tuple[Columns, Lists]:
    text = body.decode("utf-8", errors="replace")
    lines = [words for line in text.splitlines() if (words := line.split())]
    declared = sum(element.n for element in elements)
    if len(lines) != declared:
        raise Damage(f"is damaged or truncated: it declares {declared} lines of data and has {len(lines)}")
    columns: Columns = {}
    lists: list[list[int]] | None = None
    first = 0
    for element in elements:
        rows = lines[first : first + element.n]
        first += element.n
        if not any(prop.length for prop in element.properties):
            if any(len(row) != len(element.properties) for row in rows):
                raise Damage(f"has a line of element {element.name!r} with a wrong number of values")
            if element.name == "vertex":
                for i, prop in enumerate(element.properties):
                    columns[prop.name] = numbers([row[i] for row in rows], "a vertex")
        elif element.name == "face":
            lists = [_text_corners(element, row) for row in rows]
    if lines:
        check_text_end(text, lines[-1], len(columns.get("x", ())))
    return columns, lists


def _text_corners(element: _Element, row: list[str]) -> list[int]:
    """Return the corners that one line of the face element lists."""
    corners: list[int] | None = None
    position = 0
    for prop in element.properties:
        n = 1 if prop.length is None else whole(row[position], "a face") if position < len(row) else -1
        begin = position if prop.length is None else position + 1
        position = begin + n
        if n < 0 or position > len(row):
            raise Damage("has a face with fewer values than it declares; it is damaged or truncated")
        if _is_corners(element, prop):
            corners = [whole(word, "a face") for word in row[begin:position]]
    if position != len(row) or corners is None or len(corners) < 3:
        raise Damage("has a face without corners, or with more values than it declares; it is damaged")
    return corners


def _read_binary(body: bytes, elements: list[_Element], order: str) -> tuple[Columns, Lists]:
    columns: Columns = {}
    lists: Lists = None
    offset = 0
    for element in elements:
        if not any(prop.length for prop in element.properties):
            names = [f"{i}" for i in range(len(element.properties))]
            kinds = [order + prop.kind for prop in element.properties]
            record = np.dtype(list(zip(names, kinds, strict=True)))
            if offset + element.n * record.itemsize > len(body):
                raise _short(element)
            if element.name == "vertex" and element.n:
                table = np.frombuffer(body, dtype=record, offset=offset, count=element.n)
                for name, prop in zip(names, element.properties, strict=True):
                    columns[prop.name] = table[name].astype(np.float64)
            offset += element.n * record.itemsize
        else:
            found, offset = _binary_lists(body, offset, element, order)
            lists = found if element.name == "face" else lists
    if offset != len(body):
        raise Damage(f"is damaged: {len(body) - offset} bytes follow the data that its header declares")
    return columns, lists


def _binary_lists(body: bytes, offset: int, element: _Element, order: str) -> tuple[Lists, int]:
    """Return the corners of an element with lists, and where it ends; at once if all are equally long."""
    lengths = [1] * len(element.properties)
    if element.n:
        lengths = [n for _, n, _ in _fields(body, offset, element, order)]
    fields: list[tuple[str, str, int]] = []
    for i, (prop, n) in enumerate(zip(element.properties, lengths, strict=True)):
        if prop.length is not None:
            fields.append((f"n{i}", order + prop.length, 1))
        fields.append((f"v{i}", order + prop.kind, n))
    record = np.dtype([(name, kind, (n,)) for name, kind, n in fields])
    end = offset + element.n * record.itemsize
    if end <= len(body):
        table = np.frombuffer(body, dtype=record, offset=offset, count=element.n)
        if all((table[f"n{i}"] == n).all() for i, n in enumerate(lengths) if element.properties[i].length):
            for i, prop in enumerate(element.properties):
                if _is_corners(element, prop):
                    return table[f"v{i}"].astype(np.int64).tolist(), end
            return None, end
    return _walk_lists(body, offset, element, order)


def _fields(body: bytes, offset: int, element: _Element, order: str) -> Iterator[tuple[_Property, int, int]]:
    """Yield each property of the row at an offset, with how many values it has and where they begin."""
    for prop in element.properties:
        n = 1
        if prop.length is not None:
            n, offset = _value(body, offset, order + prop.length, element)
        end = offset + n * np.dtype(prop.kind).itemsize
        if end > len(body):
            raise _short(element)
        yield prop, n, offset
        offset = end


def _walk_lists(body: bytes, offset: int, element: _Element, order: str) -> tuple[Lists, int]:
    found: list[list[int]] = []
    for _ in range(element.n):
        for prop, n, at in _fields(body, offset, element, order):
            kind = np.dtype(order + prop.kind)
            if _is_corners(element, prop):
                if n < 3:
                    raise Damage(f"has a face with {n} corners; expected 3 or more")
                found.append(np.frombuffer(body, kind, count=n, offset=at).astype(np.int64).tolist())
            offset = at + n * kind.itemsize
    return found or None, offset


def _value(body: bytes, offset: int, kind: str, element: _Element) -> tuple[int, int]:
    size = np.dtype(kind).itemsize
    if offset + size > len(body):
        raise _short(element)
    n = int(np.frombuffer(body, dtype=kind, count=1, offset=offset)[0])
    if n < 0:
        raise Damage("has a list of negative length; it is damaged")
    return n, offset + size


def _short(element: _Element) -> Damage:
    return Damage(
        f"is truncated or damaged: it declares {element.n} of element {element.name!r} and has fewer"
    )
