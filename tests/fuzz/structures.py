"""Random changes that keep a file's structure: trees of JSON, YAML and XML, tables, archives and headers."""

from __future__ import annotations

import ast
import copy
import hashlib
import io
import json
import struct
import warnings
import zipfile
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import yaml
from lxml import etree
from tests.fuzz.corpus_meshes import packed_glb
from tests.fuzz.nasty import NUMBERS, TEXTS, VALUES

Change = Callable[[bytes, Random, Sequence[bytes]], bytes]
_SHAPES = (
    (), (0,), (1,), (2,), (3, 0), (0, 3), (2, 2), (1, 2, 3), (-1,), (10**12,), (2**40, 2**40), (10**22,), ("a",), (1.5,), (1,) * 40,
)  # fmt: skip
_TYPES = (
    "<f8",
    "<f4",
    ">f8",
    "<i8",
    "|b1",
    "|O",
    "<U5",
    "<c16",
    "<M8[s]",
    "|V8",
    "|S0",
    "<f16",
    "xx",
    "<U1000000000",
)


def changed(form: str, data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Return a file changed in its structure; one that cannot be read as such comes back as it is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # archives with a name twice
            return _FORMS[form](data, random, others)
    except Exception:  # parsers raise anything at files that were changed before
        return data


def _json(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:  # noqa: ARG001
    return json.dumps(_tree(json.loads(data), random)).encode("utf-8", "surrogatepass")


def _yaml(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:  # noqa: ARG001
    tree = _tree(yaml.load(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), random)
    if random.random() < 0.5:
        return yaml.safe_dump(tree, sort_keys=False, allow_unicode=True).encode("utf-8", "surrogatepass")
    return json.dumps(tree).encode("utf-8", "surrogatepass")


def _tree(tree: Any, random: Random) -> Any:
    """Return a tree of lists and dictionaries with a change somewhere."""
    tree = copy.deepcopy(tree)
    places = list(_places(tree))
    if not places:
        return random.choice(VALUES)
    holder, key = random.choice(places)
    match random.randrange(6):
        case 0 | 1:
            holder[key] = random.choice(VALUES)
        case 2:
            del holder[key]
        case 3:
            source, other = random.choice(places)
            holder[key] = copy.deepcopy(source[other])
        case 4:
            for _ in range(random.choice((1, 2, 30))):
                holder[key] = [holder[key]] if random.random() < 0.5 else {"a": holder[key]}
        case _ if isinstance(holder, dict):
            holder[random.choice((*TEXTS[:8], *(str(k) for h, k in places if isinstance(h, dict))))] = (
                holder.pop(key)
            )
        case _:
            holder.insert(key, copy.deepcopy(holder[key]))
    return tree


def _places(tree: Any) -> Any:
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        entries = (
            holder.items()
            if isinstance(holder, dict)
            else enumerate(holder)
            if isinstance(holder, list)
            else ()
        )
        for key, value in entries:
            yield holder, key
            waiting.append(value)


def _xml(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(data, parser)
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    element, other = random.choice(elements), random.choice(elements)
    if random.random() < 0.2:
        donor = etree.fromstring(random.choice(others), parser)
        other = random.choice([found for found in donor.iter() if isinstance(found.tag, str)])
    match random.randrange(7):
        case 0 if element is not root:
            element.getparent().remove(element)
        case 1:
            element.append(copy.deepcopy(other))
        case 2:
            element.tag = other.tag
        case 3 if element.attrib:
            del element.attrib[random.choice(list(element.attrib))]
        case 4 if element.text and element.text.strip():
            element.text = random.choice(
                (*NUMBERS[:40], *TEXTS[4:12], element.text + " 1", element.text[:-1])
            )
        case 5:
            for _ in range(random.choice((1, 20, 300))):
                element = etree.SubElement(element, other.tag)
        case _ if element.attrib:
            key = random.choice(list(element.attrib))
            values = [value for found in elements for value in found.attrib.values()]
            element.set(
                key,
                random.choice(
                    (random.choice(NUMBERS), random.choice(values), " ".join(random.choices(NUMBERS, k=3)))
                ),
            )
    text: bytes = etree.tostring(root)
    return text


def _csv(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:  # noqa: ARG001
    """Return a table with a cell, a row or a column changed."""
    lines = data.split(b"\n")
    separator = max((b",", b";", b"\t", b" "), key=lambda one: data.count(one))
    k = random.randrange(len(lines))
    cells = lines[k].split(separator)
    i = random.randrange(len(cells))
    match random.randrange(5):
        case 0 | 1:
            cells[i] = random.choice(NUMBERS).encode()
        case 2:
            cells.insert(i, cells[random.randrange(len(cells))])
        case 3:
            rows = [line.split(separator) for line in lines]
            j = random.randrange(3)
            return b"\n".join(
                separator.join([*row[:j], *row[j : j + 1], *row[j:]] if random.random() < 0.99 else row)
                for row in rows
            )
        case _:
            del cells[i]
    lines[k] = separator.join(cells)
    return b"\n".join(lines)


def _zip(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Return an archive with a member changed, renamed, left out or there twice."""
    members = _members(data)
    if random.random() < 0.1:
        members += _members(random.choice(others))[:1]
    k = random.randrange(len(members))
    name, content = members[k]
    match random.randrange(8):
        case 0:
            members.pop(k)
        case 1:
            members[k] = (random.choice([other for other, _ in members] + list(TEXTS[1:8])), content)
        case 2:
            members.append((name, content))
        case 3:
            members[k] = (name, content[: random.randrange(len(content) + 1)])
        case _:
            members[k] = (
                name,
                _npy(content, random)
                if name.endswith(".npy")
                else changed("xml", content, random, [content]),
            )
    return _archived(members, random)


def _members(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(info.file_size for info in archive.infolist()) > 2_000_000:
            raise ValueError("too large")
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def _archived(members: list[tuple[str, bytes]], random: Random) -> bytes:
    buffer = io.BytesIO()
    kind = random.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    )
    with zipfile.ZipFile(buffer, "w", kind) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, kind)
    return buffer.getvalue()


def _npy(content: bytes, random: Random) -> bytes:
    """Return an array of NumPy with its header, its length or its values changed."""
    size = struct.unpack("<H", content[8:10])[0]
    about, values = (
        ast.literal_eval(content[10 : 10 + size].decode("latin1").strip()),
        bytearray(content[10 + size :]),
    )
    match random.randrange(6):
        case 0:
            about["shape"] = random.choice(_SHAPES)
        case 1:
            about["descr"] = random.choice(_TYPES)
        case 2 if about["shape"]:
            n = about["shape"][0]
            row = len(values) // n if n else 8
            more = random.choice((-1, 1, 1, 7))
            about["shape"] = (n + more, *about["shape"][1:])
            values = values[:more] if more < 0 else values + (values[:row] or bytes(row)) * more
        case _:
            _change_values(values, random, is_float="f8" in str(about["descr"]))
    header = repr(about).encode("latin1", "replace").ljust(size - 1) + b"\n"
    return content[:8] + struct.pack("<H", len(header)) + header + bytes(values)


def _change_values(values: bytearray, random: Random, *, is_float: bool) -> None:
    kind = "<d" if is_float else "<q"
    for _ in range(random.choice((1, 1, 3, 10))):
        at = 8 * random.randrange(max(1, len(values) // 8))
        if at + 8 <= len(values):
            old = struct.unpack(kind, values[at : at + 8])[0]
            values[at : at + 8] = struct.pack(kind, _number_near(old, random, is_float))


def _number_near(old: float, random: Random, is_float: bool) -> float:
    if is_float:
        return random.choice(
            (
                0.0,
                1.0,
                -1.0,
                1e300,
                -1e300,
                float("nan"),
                float("inf"),
                -float("inf"),
                5e-324,
                -old,
                old * 2.0,
                old + 1.0,
            )
        )
    return int(random.choice((0, 1, -1, -2, 7, 1000, 2**31, 2**62, -(2**62), old + 1, old - 1, -old)) % 2**63)


def _glb(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    size = struct.unpack("<I", data[12:16])[0]
    header, rest = data[20 : 20 + size], data[28 + size :]
    if random.random() < 0.8:
        header = _json(header, random, others)
    else:
        rest = rest[: random.randrange(len(rest) + 1)]
    return packed_glb(header, rest)


def _code(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:  # noqa: ARG001
    """Return a file of machine code whose header, or code, is changed; its checksum mostly fits."""
    magic, header, code = data.split(b"\n", 2)
    about = json.loads(header)
    code = code[: random.randrange(len(code) + 1)] if random.random() < 0.3 else code
    if random.random() < 0.7:
        about["sha256"] = hashlib.sha256(code).hexdigest()
        about["sizes"] = [len(code) - len(code) // 3, len(code) // 3]
    about = _tree(about, random) if random.random() < 0.8 else random.choice(VALUES)
    return magic + b"\n" + json.dumps(about).encode("utf-8", "surrogatepass") + b"\n" + code


_FORMS: dict[str, Change] = {
    "json": _json, "yaml": _yaml, "xml": _xml, "csv": _csv, "zip": _zip, "npz": _zip, "glb": _glb, "code": _code,
}  # fmt: skip
