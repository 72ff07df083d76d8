"""Names of objects, the life of a world, streamed meshes, and what is said when something is wrong."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
import pytest
from tests.unit.world.doubles import PATIENCE, Body, EndlessSearch, HeldSearch, Search, new_search

from keepclear.errors import ArgumentError, KeepclearError, MeshError, PoseError, UnknownNameError
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.primitives import Capsule, Cylinder
from keepclear.motion.fixed import Fixed
from keepclear.scene import items as items_module
from keepclear.world import world as world_module
from keepclear.world.submit import search as search_module
from keepclear.world.world import World

X = np.eye(4)
VERTICES = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
MESH = Mesh(VERTICES, FACES)


@pytest.fixture(autouse=True)
def _doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_module, "new_search", new_search)
    monkeypatch.setattr(items_module, "prepared", lambda body, **_: body)
    monkeypatch.setattr(search_module, "_pair_with_faces", lambda _a, _b, _find: (MESH, MESH))


def world_of(*names: str) -> World:
    world = World(threads=1)
    for name in names:
        world.add(name, Body())
    return world


def scaled(factor: float) -> np.ndarray:
    return np.diag([factor, factor, factor, 1.0])


# Names


def test_a_world_knows_its_names() -> None:
    world = world_of()
    assert (world.names, len(world), repr(world)) == ((), 0, "World(no objects)")
    assert world  # an empty world is a world
    world = world_of("table", "part")
    assert world.names == ("table", "part")
    assert len(world) == 2
    assert "part" in world
    assert "prat" not in world
    assert 3 not in world
    assert repr(world) == "World(2 objects: table, part)"
    assert repr(world_of(*"abcdefghij")) == "World(10 objects: a, b, c, d, e, f, g, h, ...)"


def test_a_name_is_taken_until_it_is_removed() -> None:
    world = world_of("part")
    with pytest.raises(
        ArgumentError, match=r"already has an object 'part'; remove it first, or choose another"
    ):
        world.add("part", Body())
    with pytest.raises(ArgumentError, match="already has an object 'part'"):
        world.begin("part")
    world.remove("part")
    world.add("part", Body())
    assert world.names == ("part",)


def test_two_threads_cannot_add_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2)
    monkeypatch.setattr(items_module, "prepared", lambda body, **_: (both.wait(PATIENCE), body)[1])
    world, outcomes = World(), []

    def add() -> None:
        try:
            outcomes.append(world.add("part", Body()))
        except ArgumentError as error:
            outcomes.append(str(error)[:39])

    threads = [threading.Thread(target=add) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(outcomes, key=str) == [None, "this World already has an object 'part'"]


@pytest.mark.parametrize("name", [None, 3, b"part", ("a",), ""])
def test_a_name_is_a_text(name: Any) -> None:
    world = world_of("part")
    with pytest.raises(ArgumentError, match="the name of an object must be a non-empty string, but it is"):
        world.add(name, Body())
    with pytest.raises(
        KeepclearError, match=r"this World has no object ''\.|an object is given by its name, a string such"
    ):
        world.submit("part", name, X)
    with pytest.raises(
        KeepclearError, match=r"this World has no object ''\.|an object is given by its name, a string such"
    ):
        world.remove(name)


def test_unknown_and_removed_names_are_told_apart() -> None:
    world = world_of("table", "part_1", "part_2")
    with pytest.raises(UnknownNameError) as error:
        world.submit("tabel", "part_1", X)
    assert str(error.value) == (
        "this World has no object 'tabel'; did you mean 'table'? It has 3 objects: table, part_1, part_2."
    )
    assert isinstance(error.value, LookupError)
    with pytest.raises(UnknownNameError, match=r"^this World has no object 'robot'\. It has 3 objects"):
        world.submit("table", "robot", X)
    world.remove("part_1")
    with pytest.raises(UnknownNameError) as error:
        world.submit("table", "part_1", X)
    assert str(error.value) == (
        "this World has no object 'part_1' (it was removed); did you mean 'part_2'? "
        "It has 2 objects: part_2, table."
    )
    with pytest.raises(UnknownNameError, match=r"'part_1' \(it was removed\)"):
        world.remove("part_1")
    with pytest.raises(UnknownNameError, match=r"has no object 'x'\. It has no objects\.$"):
        World().remove("x")


def test_checks_in_flight_do_not_notice_a_removal() -> None:
    with World(threads=1) as world:
        held = HeldSearch([(1, 2)])
        world.add("a", Body([held, Search([(3, 4)])].pop))
        world.add("b", Body())
        checks = [world.submit("a", "b", X) for _ in range(2)]
        world.remove("a")
        world.remove("b")
        with pytest.raises(UnknownNameError):
            world.submit("a", "b", X)
        held.allow()
        assert [check.result(PATIENCE).pairs for check in checks] == [[(3, 4)], [(1, 2)]]


# What submit refuses, at once


@pytest.mark.parametrize(
    ("X_AB", "message"),
    [
        (np.eye(3), r"X_AB must be a pose \(4, 4\) or poses \(n, 4, 4\), but it has shape \(3, 3\)"),
        (
            np.eye(4)[None],
            r"X_AB must be one pose \(4, 4\), but it has shape \(1, 4, 4\); take them one by one\.",
        ),
        ("here", "X_AB must be an array of numbers"),
        (None, "X_AB must be an array of numbers"),
        (np.diag([1, 1, 2.0, 1]), "X_AB is not rigid"),
        (np.diag([1, 1, -1.0, 1]), "X_AB mirrors"),
        (np.diag([np.nan, 1, 1, 1]), r"X_AB has an entry that is not finite: \[0, 0\] = nan"),
        (np.diag([1, 1, 1, 2.0]), "X_AB has the last row"),
        (scaled(0.0), "X_AB is not rigid"),
        (scaled(-2.0), "X_AB"),
    ],
)
def test_a_bad_pose_is_refused_when_it_is_submitted(X_AB: Any, message: str) -> None:
    world = world_of("a", "b")
    with pytest.raises(PoseError, match=message):
        world.submit("a", "b", X_AB)
    assert world._workers is None


def test_the_pose_is_checked_copied_and_may_carry_a_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    poses = []
    monkeypatch.setattr(world_module, "new_search", lambda *a: (poses.append(a[2]), Search())[1])
    c, s = np.float32(np.cos(0.3)), np.float32(np.sin(0.3))
    rough = np.array([[c, -s, 0, 1], [s, c, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], dtype=float)
    with world_of("a", "b") as world:
        for given in (X, scaled(2.5), scaled(2.5).tolist(), rough, np.float32(rough)):
            X_AB = np.array(given) if isinstance(given, np.ndarray) else given
            check = world.submit("a", "a", X_AB)
            if isinstance(X_AB, np.ndarray):
                X_AB[:] = np.nan  # too late
            check.result(PATIENCE)
    assert np.array_equal(poses[0], X)
    assert np.array_equal(poses[1], scaled(2.5))
    assert np.array_equal(poses[2], scaled(2.5))
    assert np.abs(poses[3][:3, :3].T @ poses[3][:3, :3] - np.eye(3)).max() < 1e-15
    assert np.array_equal(poses[3], poses[4])


@pytest.mark.parametrize("find", ["first", None, 1, ["any"]])
def test_find_is_any_or_all(find: Any) -> None:
    with pytest.raises(ArgumentError, match="find must be 'any' or 'all', but it is"):
        world_of("a", "b").submit("a", "b", X, find)


@pytest.mark.parametrize("using", ["bvh", 1, ["obb_tree"], np.array(["box_tree"])])
def test_using_names_a_tree(using: Any) -> None:
    with pytest.raises(ArgumentError, match="using must be None, 'obb_tree' or 'box_tree', but it is"):
        world_of("a", "b").submit("a", "b", X, using=using)


# Its life


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_the_number_of_threads_is_checked(threads: Any) -> None:
    with pytest.raises(ArgumentError, match="threads must be a whole number >= 1"):
        World(threads=threads)


def test_there_are_as_many_threads_as_processors_unless_told() -> None:
    assert 1 <= World()._n_threads <= (os.cpu_count() or 1)
    assert World(threads=7)._n_threads == 7


def test_a_closed_world_takes_nothing() -> None:
    world = world_of("a", "b")
    check = world.submit("a", "b", X)
    world.close()
    world.close()
    assert check.done()
    assert (repr(world), world.names) == ("World(closed)", ())
    for use in (
        lambda: world.add("c", Body()),
        lambda: world.begin("c"),
        lambda: world.remove("a"),
        lambda: world.submit("a", "b", X),
        world.__enter__,
    ):
        with pytest.raises(ArgumentError, match=r"this World is closed; make a new one with kc\.World\(\)"):
            use()


def test_leaving_by_an_exception_cancels_what_is_in_flight() -> None:
    world = world_of("b")
    world.add("a", Body(EndlessSearch))
    checks = [world.submit("a", "b", X), world.submit("a", "b", X)]

    def leave() -> None:
        with world:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        leave()
    assert checks[0].cancelled()
    assert checks[1].cancelled()


# Poses of objects


def test_the_pose_of_an_object_is_kept() -> None:
    world = World()
    X_WO = np.eye(4)
    X_WO[:3, 3] = 1, 2, 3
    world.add("a", Body(), X_WO)
    world.add("b", Body())
    kept = world._objects["a"].motion
    assert isinstance(kept, Fixed)
    assert np.array_equal(kept.X_W, X_WO)
    assert not np.shares_memory(kept.X_W, X_WO)
    assert world._objects["b"].motion is None
    for bad in (scaled(2.0), "here", np.eye(4)[None], np.eye(3), object()):
        with pytest.raises(KeepclearError, match=r"object 'c': motion"):
            world.add("c", Body(), bad)
        with pytest.raises(KeepclearError, match=r"object 'c': motion"):
            world.begin("c", bad)
    assert "c" not in world


# Vertices and faces


def test_vertices_and_faces_make_a_mesh() -> None:
    world = World()
    world.add("part", (VERTICES, FACES))
    assert world._objects["part"].body == Mesh(VERTICES, FACES)
    with pytest.raises(MeshError, match=r"^mesh 'bad': faces\[0\] uses vertex 4"):
        world.add("bad", (VERTICES, [[0, 1, 4]]))
    with pytest.raises(
        ArgumentError, match=r"^object 'bad': expected a shape, vertices and faces as a pair, or a list of"
    ):
        world.add("bad", (VERTICES, FACES, FACES))
    assert world.names == ("part",)


def test_a_streamed_mesh_is_there_at_its_end() -> None:
    world = World()
    with world.begin("part", solid=True) as part:
        part.faces(FACES[:2])  # their vertices come later
        points = VERTICES[:1].copy()
        assert part.vertices(points) == 0
        points[:] = 7.0  # the caller may use the memory again
        assert part.vertices([]) == 1
        assert part.vertices(VERTICES[1:].tolist()) == 1
        part.faces([])
        part.faces(FACES[2:].tolist())
        assert "part" not in world
    assert "part" in world
    mesh = world._objects["part"].body
    assert mesh == Mesh(VERTICES, FACES, solid=True)
    assert mesh.name == "part"


def test_portions_of_faces_may_come_in_one_array_that_is_filled_again() -> None:
    world, portion = World(threads=1), np.empty((2, 3), np.int32)
    with world.begin("part", solid=True) as part:
        part.vertices(VERTICES)
        for faces in (FACES[:2], FACES[2:]):
            portion[:] = faces
            part.faces(portion)
    assert world._find("part").body == MESH


def test_streamed_faces_may_be_polygons() -> None:
    world = World()
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]]
    with world.begin("sheet", X) as sheet:
        sheet.vertices(square)
        sheet.faces([[0, 1, 2, 3]])
        sheet.faces([[1, 4, 2]])
    mesh = world._objects["sheet"].body
    assert mesh.faces == ((0, 1, 2, 3), (1, 4, 2))
    assert np.array_equal(world._objects["sheet"].motion.X_W, X)


def test_begin_and_end_without_a_block() -> None:
    world = World()
    part = world.begin("part")
    part.vertices(VERTICES)
    part.faces(FACES)
    part.end()
    assert "part" in world
    with pytest.raises(ArgumentError, match="already has an object 'part'"):
        part.end()


@pytest.mark.parametrize(
    ("vertices", "faces", "message"),
    [
        ([[0, 0, 0], [0, np.nan, 0]], FACES, r"^object 'part': vertices\[1\] has y = nan"),
        ([0, 0, 0], FACES, r"^object 'part': vertices must have shape \(n, 3\)"),
        (VERTICES, [[0.5, 1, 2]], r"^object 'part': faces must hold integers"),
        (VERTICES, None, r"^object 'part': faces must be an integer array"),
        (VERTICES, [[0, 1]], r"^object 'part': faces\[0\] = \[0, 1\] has fewer than 3"),
        (VERTICES, [], r"^mesh 'part' has no faces"),
        ([], FACES, r"^mesh 'part': faces\[0\] uses vertex 0, but there are no vertices"),
        (VERTICES, [[0, 1, 2], [0, 1, 9]], r"^mesh 'part': faces\[1\] uses vertex 9"),
        (VERTICES, FACES[:3], r"^mesh 'part' has 3 open edges"),
    ],
)
def test_what_goes_wrong_in_a_stream_is_told_and_adds_nothing(
    vertices: Any, faces: Any, message: str
) -> None:
    world = World()

    def stream() -> None:
        with world.begin("part", solid=True) as part:
            part.vertices(vertices)
            part.faces(faces)

    with pytest.raises(MeshError, match=message):
        stream()
    assert world.names == ()


def test_a_stream_that_is_left_by_an_exception_adds_nothing() -> None:
    world = World()

    def stream() -> None:
        with world.begin("part") as part:
            part.vertices(VERTICES)
            part.faces(FACES)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stream()
    assert world.names == ()
    with pytest.raises(MeshError, match=r"^mesh 'part' has no faces"):
        world.begin("part").end()


def test_messages_of_python_name_the_public_class() -> None:
    world = World()
    for ask in (world.attach, world.check_edges, world.verify):
        with pytest.raises(
            TypeError, match=rf"^World\.{ask.__name__}\(\) got an unexpected keyword argument 'wrong'"
        ):
            ask(wrong=1)
    for shape in (Capsule, Cylinder):
        with pytest.raises(TypeError, match=rf"^{shape.__name__}\.__init__\(\) missing"):
            shape(0.1)  # type: ignore[call-arg]
