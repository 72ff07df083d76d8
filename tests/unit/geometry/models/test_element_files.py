"""Files of elements: what is written is read, and every other text is refused with the line that is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.unit.geometry.element_meshes import plate, u_block

import keepclear as kc
from keepclear.geometry.models.element_files import (
    ElementRecord,
    HullFace,
    HullRecord,
    read_elements,
    read_hull,
    write_elements,
    write_hull,
)

ALL = tuple(np.array([i for i in range(4) if i != k]) for k in range(4))
TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1 / 3]])
ELEMENTS = (ElementRecord(1, TETRAHEDRON, ALL), ElementRecord(-1, 0.1 * TETRAHEDRON, ALL))
INNER = np.concatenate([TETRAHEDRON, [[0.1, 0.1, 0.1]]])
FACES = tuple(
    HullFace(int(k == 2), corners) for k, corners in enumerate([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
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


def test_what_files_hold_is_accepted_as_shapes(tmp_path: Path) -> None:
    mesh, X = u_block(), np.eye(4)
    parts = kc.decompose(mesh)
    parts.write_elements(tmp_path / "u.l")
    parts.write_hull(tmp_path / "u.hl")
    ball, X[:3, 3] = kc.Sphere(0.1), (0.3, -0.2, 5.0)
    body = [(element.hull, np.eye(4)) for element in parts.read_elements(tmp_path / "u.l")]
    hull = parts.read_hull(tmp_path / "u.hl").hull
    truth = kc.distance(mesh, np.eye(4), ball, X).distance
    assert kc.distance(hull, np.eye(4), ball, X).distance <= truth + 1e-12
    assert kc.distance(body, np.eye(4), ball, X).distance <= truth + 1e-12
    world = kc.World()
    world.add("u", body, np.eye(4))
    world.add("ball", ball, X)
    assert world.distances(0.0)[0].distance == pytest.approx(kc.distance(body, np.eye(4), ball, X).distance)


def test_a_hull_comes_back_with_its_inner_vertices_and_virtual_faces(tmp_path: Path) -> None:
    write_hull(HULL, tmp_path / "part.hl")
    found = read_hull(tmp_path / "part.hl")
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
        ("1 + 4", "1 + 3", "line 2: '4' is not a vertex; there are 3"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 nan 4 1 2 3 4", "line 2: 'nan' is not a coordinate"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 1_0 4 1 2 3 4", "line 2: '1_0' is not a coordinate"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 5 1 2 3 4", "line 2: it announces '5', and 4 are there"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 3 1 2 3 4", "line 2: vertex 1 has another number"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 4 2 1 3 4", "line 2: vertex 1 has another number"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 4 1 2 2 4", "line 2: vertex 1 has a neighbour twice"),
        ("1 0.0 0.0 0.0 4 1 2 3 4", "1 0.0 0.0 0.0 4 1 2 3 5", "line 2: '5' is not a vertex; there are 4"),
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
        ("\n1 0 3 1 3 2", "\n1 3 3 1 3 2", "expected face 1, its virtuality 0, 1 or 2"),
        ("\n1 0 3 1 3 2", "\n2 0 3 1 3 2", "expected face 1, its virtuality"),
        ("\n1 0 3 1 3 2", "\n1 0 2 1 3", "fewer than 3"),
        ("\n1 0 3 1 3 2", "\n1 0 3 1 3 6", "'6' is not a vertex; there are 5"),
    ],
)
def test_texts_that_are_no_hull(old: str, new: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "part.hl"
    write_hull(HULL, path)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(kc.PreparedFileError, match=why):
        read_hull(path)


def test_files_that_end_early_are_refused(tmp_path: Path) -> None:
    write_hull(HULL, tmp_path / "part.hl")
    lines = (tmp_path / "part.hl").read_text().splitlines()
    for n in range(len(lines)):
        (tmp_path / "cut.hl").write_text("\n".join(lines[:n]))
        with pytest.raises(kc.PreparedFileError):
            read_hull(tmp_path / "cut.hl")


def test_files_that_are_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(kc.FileMissingError, match="there is no file of elements"):
        read_elements(tmp_path / "none.l")
    (tmp_path / "bytes.l").write_bytes(b"\xff\xfe")
    with pytest.raises(kc.PreparedFileError, match="is not text"):
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


def test_the_elements_of_a_mesh_are_written_with_the_graphs_of_their_hulls(tmp_path: Path) -> None:
    found = kc.decompose(plate(1))
    write_elements(found, tmp_path / "plate.l")
    read = read_elements(tmp_path / "plate.l")
    assert [record.sign for record in read] == [element.sign for element in found]
    assert -1 in found.signs
    for record, element in zip(read, found, strict=True):
        points = {tuple(point) for point in np.asarray(element.hull.vertices).tolist()}
        assert {tuple(point) for point in record.vertices.tolist()} == points
        assert all(len(around) >= 2 for around in record.neighbours)
        if element.hull.is_solid:
            assert sum(map(len, record.neighbours)) == 2 * len(element.hull.edges)


def test_a_flat_element_is_a_ring(tmp_path: Path) -> None:
    square = kc.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    write_elements(kc.decompose(square), tmp_path / "square.l")
    [record] = read_elements(tmp_path / "square.l")
    for k, around in enumerate(record.neighbours):
        assert len(around) == 2
        assert all(np.linalg.norm(record.vertices[i] - record.vertices[k]) == 1.0 for i in around)


def test_the_hull_of_a_u_has_its_mouth_as_a_virtual_face(tmp_path: Path) -> None:
    mesh = u_block()
    write_hull(kc.prepare(mesh), tmp_path / "u.hl")
    record = read_hull(tmp_path / "u.hl")
    assert record.vertices.tobytes() == np.asarray(mesh.vertices).tobytes()
    kinds = {}
    for face in record.faces:
        a, b, c = record.vertices[list(face.corners[:3])]
        kinds[tuple(np.sign(np.round(np.cross(b - a, c - a), 9)).astype(int))] = face.virtuality
    # The mouth is in the plane of the two ends of the U, so it is mixed; the U is seen from both sides in part.
    assert kinds == {(-1, 0, 0): 0, (1, 0, 0): 0, (0, -1, 0): 0, (0, 1, 0): 2, (0, 0, -1): 2, (0, 0, 1): 2}
    inner = [k for k, around in enumerate(record.neighbours) if len(around) == 0]
    assert len(inner) == len(mesh.vertices) - 8


def test_what_is_no_hull_and_no_elements(tmp_path: Path) -> None:
    with pytest.raises(kc.ArgumentError, match=r"write_hull takes a kc.Mesh"):
        write_hull(kc.Sphere(1.0), tmp_path / "x.hl")  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="is flat, so its hull has no faces"):
        write_hull(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), tmp_path / "x.hl")
    with pytest.raises(kc.ArgumentError, match="records of elements, but it was given"):
        write_elements([3], tmp_path / "x.l")  # type: ignore[list-item]
    with pytest.raises(kc.ArgumentError, match="takes the path of a file"):
        read_elements(3)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
