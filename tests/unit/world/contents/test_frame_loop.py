"""The loop at frame rate: poses in, what is near out, with answers known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, slider, swing, way

import keepclear as kc
from keepclear.world.contents.frame_contacts import FrameContacts

Array = np.ndarray


def balls(*positions: tuple[float, float, float], radius: float = 0.1) -> kc.World:
    """A world of balls a, b, c ..."""
    world = kc.World()
    for name, position in zip("abcdefgh", positions, strict=False):
        world.add(name, kc.Sphere(radius), at(*position))
    return world


def poses(*positions: tuple[float, float, float]) -> Array:
    return np.array([at(*position) for position in positions])


def pairs(found: FrameContacts) -> list[tuple[str, str]]:
    return list(zip(found.a.tolist(), found.b.tolist(), strict=True))


def turned(angle: float, x: float = 0.0) -> Array:
    X = at(x, 0.0)
    X[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    return X


def test_what_is_near_now() -> None:
    world = balls((0, 0, 0), (0.22, 0, 0), (9, 0, 0))
    world.update(["b", "a"], poses((0.23, 0, 0), (0, 0, 0)))
    found = world.contacts(far=0.05)
    assert pairs(found) == [("a", "b")]
    assert found.distance == pytest.approx([0.03])
    assert 0.03 - 1e-12 < found.lower[0] <= 0.03
    assert found.p_WA == pytest.approx(np.array([[0.1, 0, 0]]))
    assert found.p_WB == pytest.approx(np.array([[0.13, 0, 0]]))
    assert found.normal_W == pytest.approx(np.array([[1, 0, 0]]))
    assert found.state.tolist() == [kc.State.SEPARATE]
    assert found.margin.tolist() == [0.0]
    assert len(found) == 1
    assert repr(found) == "FrameContacts(1 pair, closest 'a' and 'b' at 0.03 m)"


def test_overlap_has_a_depth() -> None:
    world = balls((0, 0, 0), (1, 0, 0))
    world.update("b", at(0.15, 0))
    found = world.contacts()
    assert found.distance == pytest.approx([-0.05])
    assert found.state.tolist() == [kc.State.INTERFERING]


def test_boxes_that_overlap_have_a_depth() -> None:
    world = kc.World()
    world.add("a", kc.Box([1, 1, 1]), np.eye(4))
    world.add("b", kc.Box([1, 1, 1]), at(5, 0))
    world.update("b", at(0.9, 0))
    found = world.contacts()
    assert found.distance == pytest.approx([-0.1])
    assert found.normal_W == pytest.approx(np.array([[1, 0, 0]]))


def test_order_is_that_of_names_and_stays() -> None:
    world = balls((0, 0, 0), (0.1, 0, 0), (0.2, 0, 0), (0.3, 0, 0))
    expected = [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d"), ("c", "d")]
    for shift in (0.0, 0.01, -0.02):
        world.update(["d", "c", "b", "a"], poses((0.3, shift, 0), (0.2, 0, 0), (0.1, 0, 0), (0, shift, 0)))
        assert pairs(world.contacts(far=0.05)) == expected


def test_began_and_ended_since_the_last_call() -> None:
    world = balls((0, 0, 0), (1, 0, 0), (2, 0, 0))
    world.update(["a", "b", "c"], poses((0, 0, 0), (0.21, 0, 0), (2, 0, 0)))
    first = world.contacts(far=0.05)
    assert first.began == (("a", "b"),)
    assert first.ended == ()
    again = world.contacts(far=0.05)
    assert again.began == again.ended == ()
    world.update("b", at(1.79, 0))
    moved = world.contacts(far=0.05)
    assert moved.began == (("b", "c"),)
    assert moved.ended == (("a", "b"),)
    assert first.began == (("a", "b"),)  # an answer does not change


def test_began_and_ended_survive_changes_of_the_world() -> None:
    world = balls((0, 0, 0), (0.21, 0, 0))
    world.update("b", at(0.21, 0))
    world.contacts(far=0.05)
    world.add("post", kc.Sphere(0.1), at(0.42, 0))
    found = world.contacts(far=0.05)
    assert found.began == (("b", "post"),)
    assert found.ended == ()
    world.remove("b")
    assert world.contacts(far=0.05).ended == (("a", "b"), ("b", "post"))


def test_pairs_that_never_move_are_not_reported() -> None:
    world = balls((0, 0, 0), (0.1, 0, 0), (9, 0, 0))
    assert pairs(world.contacts()) == [("a", "b")]  # nothing has moved yet: the world as it stands
    world.update("c", at(8, 0))
    assert pairs(world.contacts()) == []
    world.update("a", at(0, 0))
    assert pairs(world.contacts()) == [("a", "b")]


def test_what_was_moved_counts_as_moving() -> None:
    world = balls((0, 0, 0), (0.1, 0, 0), (9, 0, 0))
    world.update("c", at(8, 0))
    world.move("b", at(0.12, 0))
    assert pairs(world.contacts()) == [("a", "b")]


def test_updated_objects_rest_where_they_are_for_all_other_questions() -> None:
    world = balls((0, 0, 0), (1, 0, 0))
    for x in (0.9, 0.5, 0.25):
        world.update(["b"], poses((x, 0, 0)))
        world.contacts()
    assert world.distances(3.0)[0].distance == pytest.approx(0.05)
    assert world.span == (0.0, 0.0)
    world.update(["b"], poses((0.3, 0, 0)))
    assert world.verify().pairs[0].clearance_lower == pytest.approx(0.1, abs=1e-3)
    world.update(["b"], poses((0.15, 0, 0)))
    assert world.collisions() == (("a", "b"),)
    assert world.first_contact("a", "b").verdict is kc.Verdict.COLLIDING


def test_a_change_after_an_update_keeps_it() -> None:
    world = balls((0, 0, 0), (1, 0, 0), (5, 0, 0))
    world.update(["a", "b"], poses((0, 0, 0), (0.9, 0, 0)))
    world.contacts()
    world.update(["a", "b"], poses((0, 0, 0), (0.23, 0, 0)))
    world.move("c", at(0.46, 0))
    assert pairs(world.contacts()) == [("a", "b"), ("b", "c")]
    world.update(["a", "b"], poses((0, 0, 0), (0.22, 0, 0)))
    world.set_margin("a", "b", 0.01)
    assert world.contacts().distance == pytest.approx([0.02, 0.04])
    world.update(["a", "b"], poses((0, 0, 0), (0.21, 0, 0)))
    world.add("d", kc.Sphere(0.1), at(0, 0.21))
    assert world.contacts(far=0.02).distance == pytest.approx([0.01, 0.01])


def test_rules_count() -> None:
    world = balls((0, 0, 0), (0.2, 0, 0), (0.4, 0, 0), (0.6, 0, 0))
    world.update(list("abcd"), poses((0, 0, 0), (0.21, 0, 0), (0.42, 0, 0), (0.63, 0, 0)))
    assert len(world.contacts()) == 3
    world.allow("a", "b")
    assert pairs(world.contacts()) == [("b", "c"), ("c", "d")]
    world.only([("c", "d"), "a"])
    assert pairs(world.contacts()) == [("c", "d")]


def test_margins_reach_beyond_far() -> None:
    world = balls((0, 0, 0), (0.4, 0, 0), (0.9, 0, 0))
    world.update(list("abc"), poses((0, 0, 0), (0.4, 0, 0), (0.9, 0, 0)))
    assert len(world.contacts(far=0.05)) == 0
    world.set_margin("a", None, 0.25)
    found = world.contacts(far=0.05)
    assert pairs(found) == [("a", "b")]
    assert found.margin.tolist() == [0.25]
    world.set_margin("b", "c", 0.35)
    found = world.contacts(far=0.05)
    assert pairs(found) == [("a", "b"), ("b", "c")]
    assert found.margin.tolist() == [0.25, 0.35]


def test_windows_count_as_at_the_instant() -> None:
    world = balls((0, 0, 0), (0.21, 0, 0))
    world.update("b", at(0.21, 0))
    world.allow("a", "b", t_from=1.0, t_to=2.0)
    assert [len(world.contacts(t=t)) for t in (0.0, 1.0, 1.5, 2.0, 2.1)] == [1, 0, 0, 0, 1]


def test_objects_with_motions_are_where_they_are_at_the_instant() -> None:
    world = balls((0, 0, 0))
    world.add("cart", kc.Sphere(0.1), way([0, 1], (1, 0, 0), (0.2, 0, 0)))
    world.update("a", at(0, 0))
    assert len(world.contacts()) == 0
    assert world.contacts(t=1.0).distance == pytest.approx([0.0], abs=1e-12)
    world.contacts(t=0.5)
    with pytest.raises(kc.ArgumentError, match="'cart' has a motion and has moved since the last call"):
        world.contacts(t=0.6, between=True)
    assert world.contacts(t=0.5, between=True).verdict.tolist() == []


def test_a_motion_that_does_not_cover_the_instant() -> None:
    world = balls((0, 0, 0))
    world.add("cart", kc.Sphere(0.1), way([0, 1], (1, 0, 0), (0.2, 0, 0), hold="none"))
    with pytest.raises(kc.TrajectoryError, match="cart"):
        world.contacts(t=2.0)


def test_a_cubic_that_deforms_its_body_keeps_its_bound() -> None:
    X = np.array([turned(0.1 * k) for k in range(4)])
    world = kc.World()
    world.add("turning", kc.Box([1, 1, 1]), kc.PoseTrajectory([0, 1, 2, 3], X, max_deviation=0.1))
    world.add("ball", kc.Sphere(0.1), at(1, 0))
    world.update("ball", at(0.65, 0))
    found = world.contacts(t=1.5, far=0.2)
    (slow,) = world.distances(1.5)
    assert found.lower[0] <= slow.distance + 1e-12
    assert found.distance == pytest.approx([slow.distance], abs=1e-3)


def test_robots_move_by_their_joints() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.add("post", kc.Sphere(0.1), at(1, 0))
    world.update("arm", [0.77, 1.0])
    found = world.contacts(far=0.05)
    assert pairs(found) == [("arm/head", "post")]
    assert found.distance == pytest.approx([0.03])
    world.update("arm", {"drive": 0.76, "lift": 0.2})
    found = world.contacts(far=0.05)
    assert pairs(found) == [("arm/finger", "arm/lamp"), ("arm/head", "post")]
    assert found.distance == pytest.approx([-0.1, 0.04])
    assert world.distances(far=0.05)[-1].distance == pytest.approx(0.04)


def test_objects_and_robots_together() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.add_robot("swing", swing())
    world.add("post", kc.Sphere(0.1), at(1, 0))
    world.update(["post", "arm", "swing"], [at(0.5, 0), [0.27, 1.0], [1.0]])
    assert pairs(world.contacts()) == [("arm/head", "post")]
    world.update(["swing", "post"], ([0.0], at(0.79, 0)))
    assert pairs(world.contacts(far=0.02)) == [("post", "swing/arm")]


def test_links_that_are_fixed_to_each_other_are_not_reported() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.update("arm", [0.0, -0.3])
    assert pairs(world.contacts(far=0.45)) == [("arm/finger", "arm/lamp")]  # head and lamp are 0.35 m apart


def test_a_robot_that_was_not_updated_is_where_its_program_is() -> None:
    world = kc.World()
    world.add_robot("arm", slider(), drive([0, 1], [0.0, 1.0]))
    world.add("post", kc.Sphere(0.1), at(9, 0))
    world.update("post", at(1, 0))
    assert pairs(world.contacts()) == []
    assert pairs(world.contacts(t=1.0)) == [("arm/head", "post")]


def test_attached_objects_ride_with_their_links() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.add("part", kc.Sphere(0.05), at(0, 0.3))
    world.add("post", kc.Sphere(0.1), at(1, 0.3))
    world.attach("part", "arm/head", 1.0)
    world.update("arm", [0.0, 0.0])
    world.contacts(t=2.0)
    for x in (0.3, 0.6, 0.82):
        world.update("arm", [x, 0.0])
        found = world.contacts(t=2.0, far=0.05)
    assert pairs(found) == [("part", "post")]
    assert found.distance == pytest.approx([0.03])
    assert world.distances(2.0, far=0.05)[0].distance == pytest.approx(
        0.03
    )  # and it is there for other questions
    world.update("arm", [0.83, 0.0])
    assert world.contacts(t=2.0, far=0.05).distance == pytest.approx([0.02])
    world.update("arm", [0.0, 0.0])
    assert pairs(world.contacts(t=2.0, far=0.05)) == []


def test_an_attached_object_is_reported_beside_its_link_unless_it_is_allowed() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.add("part", kc.Sphere(0.05), at(0, 0.14))
    world.attach("part", "arm/head", 0.0)
    world.update("arm", [0.5, 0.0])
    assert pairs(world.contacts()) == [("arm/head", "part")]
    world.allow("part", "arm/head")
    world.update("arm", [0.6, 0.0])
    assert pairs(world.contacts()) == []


def test_an_attached_object_can_be_updated() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.add("part", kc.Sphere(0.05), at(0, 0.5))
    world.add("post", kc.Sphere(0.1), at(1, 0.3))
    world.attach("part", "arm/head", 0.0)
    world.update("arm", [0.5, 0.0])
    world.contacts()
    world.update("part", at(0.5, 0.3))  # held there from now on
    world.contacts()
    world.update("arm", [0.84, 0.0])
    assert world.contacts().distance == pytest.approx([0.01])


def test_objects_of_several_parts_are_one_row() -> None:
    world = kc.World()
    world.add("dumbbell", [(kc.Sphere(0.1), at(-0.3, 0)), (kc.Sphere(0.1), at(0.3, 0))], at(5, 0))
    world.add("ball", kc.Sphere(0.1), np.eye(4))
    world.update("dumbbell", at(0.53, 0))
    found = world.contacts(far=0.7)
    assert pairs(found) == [("ball", "dumbbell")]
    assert found.distance == pytest.approx([0.03])
    assert found.lower[0] <= 0.03 <= found.upper[0]
    world.update("dumbbell", at(0.52, 0))
    assert world.contacts(far=0.7).distance == pytest.approx([0.02])
    world.move("ball", np.eye(4))
    assert world.contacts(far=0.7).distance == pytest.approx([0.02])  # its pose is not forgotten


CUBE = kc.Convex([[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])


def test_meshes_are_searched_exactly() -> None:
    mesh = kc.Mesh(CUBE.vertices, CUBE.triangles)
    ell = kc.Mesh(
        np.concatenate([mesh.vertices, mesh.vertices + np.array([0.6, 0, 0])]),
        np.concatenate([mesh.triangles, mesh.triangles + 8]),
    )
    world = kc.World()
    world.add("gap", ell, np.eye(4))  # two cubes: between them is room that their hull fills
    world.add("ball", kc.Sphere(0.05), at(5, 0))
    world.add("cube", mesh, at(5, 1))
    world.update(["ball", "cube"], poses((0.3, 0, 0), (0.85, 0, 0)))
    found = world.contacts(far=0.16)
    assert pairs(found) == [("ball", "gap"), ("cube", "gap")]
    assert found.distance == pytest.approx([0.15, 0.05])
    assert (found.lower <= [0.15, 0.05]).all()
    world.update(["ball", "cube"], poses((0.2, 0, 0), (0.75, 0, 0)))
    found = world.contacts(far=0.1)
    assert found.distance == pytest.approx([0.05, 0.0])
    assert found.state.tolist() == [kc.State.SEPARATE, kc.State.INTERFERING]
    assert np.isnan(found.normal_W[1]).all()


def test_a_mesh_without_a_hull_is_searched_by_its_ball() -> None:
    flat = kc.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 1, 2]])
    world = kc.World()
    world.add("sheet", flat, np.eye(4))
    world.add("ball", kc.Sphere(0.1), at(9, 0))
    world.update("ball", at(0.8, 0.2, 0.13))
    assert world.contacts().distance == pytest.approx([0.03])


def test_contacts_between_two_frames() -> None:
    world = balls((-1, 0, 0), (0, 0, 0), (0, 3, 0))
    world.update("a", at(-1, 0))
    first = world.contacts(between=True)
    assert len(first) == 0
    world.update("a", at(1, 0))
    found = world.contacts(between=True)
    assert pairs(found) == [("a", "b")]
    assert found.verdict.tolist() == [kc.Verdict.COLLIDING]
    assert found.time == pytest.approx([0.4], abs=1e-3)
    assert found.distance == pytest.approx([0.8])
    assert found.began == ()  # it is not near now
    assert "1 in contact since the last call" in repr(found)
    again = world.contacts(between=True)
    assert len(again) == 0


def test_near_pairs_are_clear_between_frames() -> None:
    world = balls((-0.3, 0, 0), (0, 0, 0))
    world.update("a", at(-0.26, 0))
    world.contacts()
    world.update("a", at(-0.22, 0.01))
    found = world.contacts(between=True)
    assert found.verdict.tolist() == [kc.Verdict.CLEAR]
    assert np.isnan(found.time).all()


def test_margins_count_between_frames() -> None:
    world = balls((-1, 0.25, 0), (0, 0, 0))
    world.update("a", at(-1, 0.25))
    world.contacts()
    world.update("a", at(1, 0.25))
    assert len(world.contacts(between=True)) == 0
    world.set_margin("a", "b", 0.06)
    world.update("a", at(-1, 0.25))
    found = world.contacts(between=True)
    assert found.verdict.tolist() == [kc.Verdict.COLLIDING]
    assert 0.4 < found.time[0] < 0.5


def test_a_screw_between_frames() -> None:
    world = kc.World()
    world.add("blade", kc.Box([1.0, 0.02, 0.02]), np.eye(4))
    world.add("post", kc.Sphere(0.05), at(0.0, 0.4))
    world.update("blade", turned(0.2))
    world.contacts()
    world.update("blade", turned(3.0))  # over the post, which is at a quarter turn
    found = world.contacts(between=True)
    assert found.verdict.tolist() == [kc.Verdict.COLLIDING]
    at_contact = 0.5 * math.pi - math.asin(0.06 / 0.4)  # side of the blade and ball
    assert found.time == pytest.approx([(at_contact - 0.2) / 2.8], abs=2e-3)


def test_half_a_turn_is_refused_between_frames() -> None:
    world = balls((0, 0, 0), (3, 0, 0))
    world.update("a", turned(0.0))
    world.contacts()
    world.update("a", turned(math.pi))
    with pytest.raises(kc.ArgumentError, match="'a' has made half a turn"):
        world.contacts(between=True)
    assert len(world.contacts()) == 0


def test_robots_move_linearly_in_their_joints_between_frames() -> None:
    world = kc.World()
    world.add_robot("arm", swing())
    world.add("post", kc.Sphere(0.05), at(0.0, 1.0))
    world.update("arm", [0.0])
    world.contacts()
    world.update("arm", [math.pi])  # no screw: half a turn is fine
    found = world.contacts(between=True)
    assert pairs(found) == [("arm/arm", "post")]
    assert found.time == pytest.approx([0.5 - 2.0 * math.asin(0.075) / math.pi], abs=1e-3)
    world.update("arm", [math.pi + 0.1])
    assert len(world.contacts(between=True)) == 0


def test_two_links_of_a_robot_between_frames() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.update("arm", [0.0, 1.0])
    world.contacts()
    world.update("arm", [3.0, -1.0])
    found = world.contacts(between=True)
    row = pairs(found).index(("arm/finger", "arm/lamp"))
    assert found.verdict[row] is kc.Verdict.COLLIDING
    assert found.time[row] == pytest.approx(0.5 * (1.0 - 0.2 - 0.1), abs=1e-3)


def test_what_a_robot_holds_moves_with_it_between_frames() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.add("part", kc.Sphere(0.05), at(0, 0.3))
    world.add("post", kc.Sphere(0.1), at(1, 0.3))
    world.attach("part", "arm/head", 0.0)
    world.update("arm", [0.0, 0.0])
    world.contacts()
    world.update("arm", [2.0, 0.0])
    found = world.contacts(between=True)
    assert pairs(found) == [("part", "post")]
    assert found.time == pytest.approx([0.425], abs=1e-3)


def test_parts_between_frames_are_one_row() -> None:
    world = kc.World()
    world.add("dumbbell", [(kc.Sphere(0.1), at(0, -0.3)), (kc.Sphere(0.1), at(0, 0.3))], at(-2, 0))
    world.add("wall", kc.Box([0.2, 2, 2]), np.eye(4))
    world.update("dumbbell", at(-2, 0))
    world.contacts()
    world.update("dumbbell", at(2, 0))
    found = world.contacts(between=True)
    assert pairs(found) == [("dumbbell", "wall")]
    assert found.time == pytest.approx([0.45], abs=1e-3)


def test_meshes_between_frames() -> None:
    mesh = kc.Mesh(CUBE.vertices, CUBE.triangles)
    world = kc.World()
    world.add("a", mesh, at(-1, 0))
    world.add("b", mesh, np.eye(4))
    world.update("a", at(-1, 0.01))
    world.contacts()
    world.update("a", at(1, 0.01))
    found = world.contacts(between=True)
    assert found.verdict.tolist() == [kc.Verdict.COLLIDING]
    assert found.time == pytest.approx([0.4], abs=1e-3)


def test_a_replaced_object_does_not_move_from_the_old_one() -> None:
    world = balls((-1, 0, 0), (0, 0, 0))
    world.update("a", at(-1, 0))
    world.contacts()
    world.remove("a")
    world.add("a", kc.Sphere(0.1), at(1, 0))
    world.update("a", at(1, 0))
    assert len(world.contacts(between=True)) == 0


def test_verdicts_are_there_only_between_frames() -> None:
    world = balls((0, 0, 0))
    with pytest.raises(AttributeError, match="between=True"):
        _ = world.contacts().verdict
    with pytest.raises(AttributeError, match="between=True"):
        _ = world.contacts().time


def test_nothing_near_is_empty_arrays() -> None:
    for world in (kc.World(), balls((0, 0, 0)), balls((0, 0, 0), (5, 0, 0))):
        for between in (False, True):
            found = world.contacts(between=between)
            assert len(found) == len(found.a) == len(found.b) == len(found.distance) == len(found.state) == 0
            assert found.p_WA.shape == found.p_WB.shape == found.normal_W.shape == (0, 3)
            assert found.began == found.ended == ()
        assert found.verdict.shape == found.time.shape == (0,)
        assert repr(found).startswith("FrameContacts(0 pairs")


def test_empty_updates_do_nothing() -> None:
    world = balls((0, 0, 0), (0.2, 0, 0))
    world.update([], np.empty((0, 4, 4)))
    world.update([], [])
    assert len(world.contacts()) == 1


def test_an_infinite_distance_reports_all_pairs() -> None:
    world = balls((0, 0, 0), (5, 0, 0), (50, 0, 0))
    world.update("a", at(0, 0))
    assert pairs(world.contacts(far=math.inf)) == [("a", "b"), ("a", "c")]


def test_far_may_change_from_call_to_call() -> None:
    world = balls((0, 0, 0), (0.3, 0, 0), (1, 0, 0))
    world.update("a", at(0, 0))
    counts = [len(world.contacts(far=far)) for far in (0.05, 0.2, 0.9, 0.2, 0.05)]
    assert counts == [0, 1, 2, 1, 0]


def rigid_but(entry: float, row: int = 0, column: int = 0) -> Array:
    X = np.eye(4)
    X[row, column] = entry
    return X


BAD = [
    ("b", np.full((4, 4), np.nan), kc.PoseError, "pose of 'b' has an entry that is not finite"),
    (["a", "b"], np.array([at(2, 0), rigid_but(math.nan, 0, 3)]), kc.PoseError, "pose of 'b' has an entry"),
    (["a", "b"], [at(2, 0), rigid_but(2.0)], kc.PoseError, "pose of 'b' is not rigid"),
    (
        ["a", "b"],
        poses((2, 0, 0)),
        kc.ArgumentError,
        r"2 names need poses \(2, 4, 4\), but X has shape \(1, 4, 4\)",
    ),
    (["a", "b"], at(2, 0), kc.ArgumentError, r"2 names need poses \(2, 4, 4\)"),
    (["a", "b"], [at(2, 0)], kc.ArgumentError, "2 names, but 1 poses"),
    (["a", "b"], np.zeros((2, 3)), kc.PoseError, r"must be a pose \(4, 4\) or poses"),
    (["a", "b"], None, kc.ArgumentError, "expected a pose for each of 2 names"),
    ("b", poses((2, 0, 0)), kc.ArgumentError, "must be one pose"),
    ("b", "here", kc.PoseError, "array of numbers"),
    (["a", "nobody"], poses((2, 0, 0), (2, 0, 0)), kc.UnknownNameError, "no object 'nobody'"),
    (["a", "a"], poses((2, 0, 0), (2, 0, 0)), kc.ArgumentError, "'a' is named twice"),
    (["a", 3], poses((2, 0, 0), (2, 0, 0)), kc.ArgumentError, "an object is given by its name"),
    (7, poses((2, 0, 0)), kc.ArgumentError, "a name or a list of names"),
    (["a", "arm"], [at(2, 0), [0.0]], kc.ArgumentError, r"robot 'arm' needs 2 joint values, shape \(2,\)"),
    (["a", "arm"], [at(2, 0), at(2, 0)], kc.ArgumentError, "robot 'arm' needs 2 joint values"),
    (["a", "arm"], poses((2, 0, 0), (2, 0, 0)), kc.ArgumentError, "robot 'arm' needs 2 joint values"),
    (["a", "arm"], [at(2, 0), [0.0, math.nan]], kc.TrajectoryError, "arm"),
    (["a", "arm"], [at(2, 0), [0.0, 1e9]], kc.TrajectoryError, "arm"),
    (["a", "arm"], [at(2, 0), {"drive": 0.0}], kc.TrajectoryError, "lift"),
    (["a", "arm"], [at(2, 0), drive([0, 1], [0, 1])], kc.ArgumentError, r"world.move\('arm', program\)"),
    ("arm/head", at(2, 0), kc.UnknownNameError, "arm/head"),
]


@pytest.mark.parametrize(("names", "X", "error", "message"), BAD)
@pytest.mark.parametrize("running", [False, True])
def test_bad_updates_change_nothing(
    names: object, X: object, error: type[Exception], message: str, running: bool
) -> None:
    world = balls((0, 0, 0), (0.21, 0, 0))
    world.add_robot("arm", slider(), X_WB=at(0, 9))
    if running:
        world.update(["a", "b", "arm"], [at(0, 0), at(0.21, 0), [0.0, 0.0]])
        world.update(["a", "b"], poses((0, 0, 0), (0.21, 0, 0)))
        world.contacts()
        world.update(["a", "b"], poses((0, 0, 0), (0.21, 0, 0)))
    with pytest.raises(error, match=message):
        world.update(names, X)  # type: ignore[arg-type]
    assert [(d.a, d.b, round(d.distance, 9)) for d in world.distances(far=0.05)] == [("a", "b", 0.01)]
    assert world.contacts().distance == pytest.approx([0.01])


def test_bad_questions() -> None:
    world = balls((0, 0, 0))
    for bad in (-0.1, math.nan, "far", None, True):
        with pytest.raises(kc.ArgumentError, match="far"):
            world.contacts(far=bad)  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="between"):
        world.contacts(between=1)  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="t must"):
        world.contacts(t=math.inf)
    with pytest.raises(kc.ArgumentError, match="tolerance"):
        world.contacts(tolerance=0.0)
    world.add("lost", kc.Sphere(0.1))
    with pytest.raises(kc.ArgumentError, match="'lost' has no pose"):
        world.contacts()
    world.update("lost", at(0.1, 0))
    assert pairs(world.contacts()) == [("a", "lost")]
    world.close()
    with pytest.raises(kc.ArgumentError, match="closed"):
        world.contacts()
    with pytest.raises(kc.ArgumentError, match="closed"):
        world.update("a", at(0, 0))


def test_poses_with_few_digits_are_projected_as_elsewhere() -> None:
    world = balls((0, 0, 0), (0.3, 0, 0))
    X = turned(0.3, 0.25)
    X[:3, :3] += 1e-8
    world.update("a", X)
    world.update(["a"], X[None])
    (row,) = [kc.distance(kc.Sphere(0.1), X, kc.Sphere(0.1), at(0.3, 0)).distance]
    assert world.contacts().distance == pytest.approx([row], abs=1e-15)


def test_poses_are_copied() -> None:
    world = balls((0, 0, 0), (0.21, 0, 0))
    X = poses((0, 0, 0), (0.21, 0, 0))
    for _ in range(2):
        world.update(["a", "b"], X)
        world.contacts()
    X[1, 0, 3] = 5.0
    assert world.contacts().distance == pytest.approx([0.01])
    assert world.distances()[0].distance == pytest.approx(0.01)


def test_answers_stay_as_they_are() -> None:
    world = balls((0, 0, 0), (0.21, 0, 0))
    world.update(["a", "b"], poses((0, 0, 0), (0.21, 0, 0)))
    first = world.contacts()
    world.update(["a", "b"], poses((0, 0, 0), (0.22, 0, 0)))
    world.contacts()
    assert first.distance == pytest.approx([0.01])
    with pytest.raises(ValueError, match="read-only"):
        first.distance[0] = 3.0


def test_many_pairs_need_more_room() -> None:
    world = kc.World()
    names = [f"ball_{k:03}" for k in range(60)]
    X = np.tile(np.eye(4), (60, 1, 1))
    for name in names:
        world.add(name, kc.Sphere(0.1), np.eye(4))
    X[:, 0, 3] = np.linspace(0.0, 0.1, 60)
    world.update(names, X)
    found = world.contacts()
    assert len(found) == 60 * 59 // 2
    assert (found.distance < 0.0).all()
    world.update(names, X)
    assert np.array_equal(world.contacts().distance, found.distance)


def test_the_instant_may_go_on_with_every_frame() -> None:
    world = kc.World()
    world.add_robot("arm", slider())
    world.add("part", kc.Sphere(0.05), at(0, 0.3))
    world.add("post", kc.Sphere(0.1), at(0.66, 0.3))
    world.attach("part", "arm/head", 1.0, 2.0)
    world.allow("part", "post", t_from=1.5, t_to=1.6)
    tables, near = [], []
    for k in range(25):  # at 1.0 s the head is at 0.4 m and takes the part along; it stops at 0.88 m
        world.update("arm", [0.08 * min(k, 16) - 0.4, 0.0])
        near.append(("part", "post") in pairs(world.contacts(far=0.05, t=0.1 * k)))
        tables.append(world._loop.table)
    assert (
        near == [False] * 17 + [True] * 8
    )  # the part is at 0.48 m from frame 16 on, in which they may touch
    assert [k for k in range(1, 25) if tables[k] is not tables[k - 1]] == [10, 15, 17, 20]


def test_a_closed_world_has_no_updates_left() -> None:
    world = balls((0, 0, 0), (0.21, 0, 0))
    world.update(["a", "b"], poses((0, 0, 0), (0.21, 0, 0)))
    world.contacts()
    world.update(["a", "b"], poses((0, 0, 0), (0.22, 0, 0)))
    world.close()
    assert world.span == (0.0, 0.0)


def test_names_may_come_as_tuples_and_arrays() -> None:
    world = balls((0, 0, 0), (0.21, 0, 0))
    for names in (("a", "b"), np.array(["a", "b"]), ["a", "b"], ("a", "b")):
        for x in (0.21, 0.22):
            world.update(names, poses((0, 0, 0), (x, 0, 0)))  # type: ignore[arg-type]
            assert world.contacts().distance == pytest.approx([x - 0.2])
    assert len(world._loop._placings) == 1


def test_a_failure_between_frames_leaves_the_motion_to_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    world = balls((-1, 0, 0), (0, 0, 0))
    world.update("a", at(-1, 0))
    world.contacts()
    world.update("a", at(1, 0))
    with monkeypatch.context() as patch:
        patch.setattr("keepclear.world.contents.frame_loop.first_contact_batch", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            world.contacts(between=True)
    assert world.contacts(between=True).verdict.tolist() == [kc.Verdict.COLLIDING]


def test_a_tolerance_that_rounding_cannot_keep_names_the_pair() -> None:
    world = balls((1e9, 0, 0), (1e9, 0.3, 0))
    world.update("a", at(1e9, 0))
    world.contacts()
    world.update("a", at(1e9 + 1.0, 0.3))
    with pytest.raises(kc.ArgumentError, match=r"between the frames, 'a' and 'b': .*tolerance"):
        world.contacts(between=True, tolerance=1e-7)


def test_bodies_of_parts_that_touched_and_are_far_have_the_distance_of_all_parts() -> None:
    def shifted(x: float) -> np.ndarray:
        X = np.eye(4)
        X[0, 3] = x
        return X

    world = kc.World()
    world.add("pair", [(kc.Sphere(0.1), shifted(0.0)), (kc.Sphere(0.1), shifted(3.0))], shifted(0.0))
    world.add("ball", kc.Sphere(0.1), shifted(-1.0))
    world.update(["ball"], shifted(-1.0)[None])
    world.contacts()
    world.update(["ball"], shifted(2.0)[None])
    found = world.contacts(between=True)
    assert found.verdict[0] is kc.Verdict.COLLIDING
    assert found.lower[0] <= 0.8 <= found.upper[0]
    assert found.distance[0] == pytest.approx(0.8)
