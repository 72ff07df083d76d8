"""Files of elements: what is written is read, and every other text is refused with the line that is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import keepclear as kc
from keepclear.preprocess.element_files import (
    ElementRecord,
    HullFace,
    HullRecord,
    read_elements,
    read_hull_file,
    write_elements,
    write_hull_file,
)

ALL = tuple(np.array([i for i in range(4) if i != k]) for k in range(4))
TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1 / 3]])
ELEMENTS = (ElementRecord(1, TETRAHEDRON, ALL), ElementRecord(-1, 0.1 * TETRAHEDRON, ALL))
INNER = np.concatenate([TETRAHEDRON, [[0.1, 0.1, 0.1]]])
FACES = tuple(
    HullFace(k == 2, corners) for k, corners in enumerate([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
)
HULL = HullRecord(INNER, (*ALL, np.empty(0, np.int64)), FACES)


def assert_same(one: ElementRecord | HullRecord, other: ElementRecord | HullRecord) -> None:
    assert one.vertices.tobytes() == other.vertices.tobytes()
    assert [list(a) for a in one.neighbours] == [list(a) for a in other.neighbours]


def test_elements_come_back(tmp_path: Path) -> None:
    write_elements(ELEMENTS, tmp_path / "part.l")
    found = read_elements(tmp_path / "part.l")
    assert [element.sign for element in found] == [1, -1]
    for one, other in zip(found, ELEMENTS, strict=True):
        assert_same(one, other)
    lines = (tmp_path / "part.l").read_text().splitlines()
    assert lines[:2] == ["1 + 4", "1 0.0 0.0 0.0 4 1 2 3 4"]


def test_a_hull_comes_back_with_its_inner_vertices_and_virtual_faces(tmp_path: Path) -> None:
    write_hull_file(HULL, tmp_path / "part.hl")
    found = read_hull_file(tmp_path / "part.hl")
    assert_same(found, HULL)
    assert found.faces == FACES
    lines = (tmp_path / "part.hl").read_text().splitlines()
    assert lines[5:8] == ["5 0.1 0.1 0.1 1 5", "4", "1 0 3 1 3 2"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("1 + 4", "2 + 4", "line 1: expected element 1"),
        ("1 + 4", "1 * 4", "line 1: expected element 1"),
        ("1 + 4", "1 + 4000000000", "line 1: it announces '4000000000'"),
        ("1 + 4", "1 + 90", "line 1: it announces '90', and 9 are there"),
        ("1 + 4", "1 + -4", "line 1: it announces '-4'"),
        ("1 + 4", "1 + 0", "line 1: element 1 has no vertices"),
        ("1 + 4", "1 + 4 4", "line 1: the line has too few or too many words"),
        ("1 + 4", "1 + 3", "line 2: '4' is no vertex; there are 3"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 nan 4 1 2 3 4", "line 2: 'nan' is no coordinate"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 1_0 4 1 2 3 4", "line 2: '1_0' is no coordinate"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 5 1 2 3 4", "line 2: it announces '5', and 4 are there"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 3 1 2 3 4", "line 2: vertex 1 has another number"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 4 2 1 3 4", "line 2: vertex 1 has another number"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 4 1 2 2 4", "line 2: vertex 1 has a neighbour twice"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 4 1 2 3 5", "line 2: '5' is no vertex; there are 4"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 3 1 2 3", "not the other way round"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "2 0.0 0.0 0.0 4 1 2 3 4", "line 2: expected vertex 1"),
    ],
)
def test_texts_that_are_no_elements(old: str, new: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "part.l"
    write_elements(ELEMENTS, path)
    text = path.read_text()
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(kc.PreparedFileError, match=why):
        read_elements(path)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("1 + 5", "1 - 5", "the hull has the sign -"),
        ("\n4\n", "\n5\n", "it announces '5', and 4 are there"),
        ("\n4\n", "\n3\n", "more behind the last face"),
        ("\n1 0 3 1 3 2", "\n1 2 3 1 3 2", "expected face 1, 0 or 1"),
        ("\n1 0 3 1 3 2", "\n2 0 3 1 3 2", "expected face 1, 0 or 1"),
        ("\n1 0 3 1 3 2", "\n1 0 2 1 3", "fewer than 3"),
        ("\n1 0 3 1 3 2", "\n1 0 3 1 3 6", "'6' is no vertex; there are 5"),
    ],
)
def test_texts_that_are_no_hull(old: str, new: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "part.hl"
    write_hull_file(HULL, path)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(kc.PreparedFileError, match=why):
        read_hull_file(path)


def test_files_that_end_early_are_refused(tmp_path: Path) -> None:
    write_hull_file(HULL, tmp_path / "part.hl")
    lines = (tmp_path / "part.hl").read_text().splitlines()
    for n in range(len(lines)):
        (tmp_path / "cut.hl").write_text("\n".join(lines[:n]))
        with pytest.raises(kc.PreparedFileError):
            read_hull_file(tmp_path / "cut.hl")


def test_files_that_are_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(kc.FileMissingError, match="there is no file of elements"):
        read_elements(tmp_path / "none.l")
    (tmp_path / "bytes.l").write_bytes(b"\xff\xfe")
    with pytest.raises(kc.PreparedFileError, match="is no text"):
        read_elements(tmp_path / "bytes.l")
    (tmp_path / "empty.l").write_text("")
    with pytest.raises(kc.PreparedFileError, match="there are no elements"):
        read_elements(tmp_path / "empty.l")
    with pytest.raises(kc.PreparedFileError, match="cannot be opened"):
        read_elements(tmp_path)
    with pytest.raises(kc.PreparedFileError, match="cannot be written"):
        write_elements(ELEMENTS, tmp_path / "none" / "part.l")
    with pytest.raises(kc.ArgumentError, match="the sign 2"):
        write_elements([ElementRecord(2, TETRAHEDRON, ALL)], tmp_path / "part.l")
    with pytest.raises(kc.ArgumentError, match="neighbours of 3"):
        write_elements([ElementRecord(1, TETRAHEDRON, ALL[:3])], tmp_path / "part.l")
