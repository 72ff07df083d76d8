"""Rules about pairs: which are judged, when, and how far they must keep."""

from __future__ import annotations

import math

import pytest

from keepclear.scene.rules import ALWAYS, Allowed, Attachment, PathTolerance, Rules, left_over

INF = math.inf


def before(t: float) -> float:
    return math.nextafter(t, -INF)


def after(t: float) -> float:
    return math.nextafter(t, INF)


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        ([], [(0, 9)]),
        ([(2, 3)], [(0, before(2)), (after(3), 9)]),
        ([(2, 3), (3, 4)], [(0, before(2)), (after(4), 9)]),
        ([(4, 6), (2, 5)], [(0, before(2)), (after(6), 9)]),
        ([(2, 7), (3, 4)], [(0, before(2)), (after(7), 9)]),
        ([(-INF, 3)], [(after(3), 9)]),
        ([(3, INF)], [(0, before(3))]),
        ([ALWAYS], []),
        ([(0, 9)], []),
        ([(-5, -1), (10, 12)], [(0, 9)]),
        ([(-5, 0)], [(after(0), 9)]),
        ([(9, 12)], [(0, before(9))]),
        ([(4, 4)], [(0, before(4)), (after(4), 9)]),
        ([(0, 4), (after(4), 9)], []),
        ([(0, 4), (after(after(4)), 9)], [(after(4), after(4))]),
        ([(after(0), 9)], [(0, 0)]),
        ([(0, before(9))], [(9, 9)]),
    ],
)
def test_what_is_left_of_a_window(taken: list[tuple[float, float]], left: list[tuple[float, float]]) -> None:
    assert left_over((0.0, 9.0), taken) == left


def test_what_is_left_of_an_instant() -> None:
    assert left_over((3.0, 3.0), []) == [(3, 3)]
    assert left_over((3.0, 3.0), [(1, 2), (4, 5)]) == [(3, 3)]
    assert left_over((3.0, 3.0), [(2, 3)]) == []
    assert left_over((3.0, 3.0), [(3, 4)]) == []


def test_names_of_robots_are_those_of_their_links() -> None:
    rules = Rules(allowed=[Allowed("arm", "table", (1, 2), "why"), Allowed("table", "box", ALWAYS, "")])
    assert [rule.reason for rule in rules.windows("table", "arm/hand")] == ["why"]
    assert [rule.reason for rule in rules.windows("arm/hand", "table")] == ["why"]
    assert rules.windows("arm/hand", "box") == []
    assert rules.windows("army/hand", "table") == []  # another robot, whose name begins alike
    assert len(rules.windows("box", "table")) == 1


def test_links_of_one_robot_may_all_touch_each_other() -> None:
    rules = Rules(allowed=[Allowed("arm", "arm", ALWAYS, "")])
    assert len(rules.windows("arm/a", "arm/b")) == 1
    assert rules.windows("arm/a", "table") == []


def test_designated_pairs() -> None:
    assert Rules().is_selected("a", "b")
    rules = Rules(only=[("arm", "table"), ("box", None)])
    assert rules.is_selected("arm/hand", "table")
    assert rules.is_selected("table", "arm/hand")
    assert rules.is_selected("box", "anything")
    assert rules.is_selected("anything", "box")
    assert not rules.is_selected("arm/hand", "wall")
    assert not rules.is_selected("table", "wall")
    assert not Rules(only=[]).is_selected("a", "b")


def test_the_larger_margin_of_two_objects_counts() -> None:
    rules = Rules(margins={"a": 0.1, "b": 0.2, "arm": 0.3, "arm/hand": 0.05})
    assert rules.margin("a", "b") == 0.2
    assert rules.margin("b", "a") == 0.2
    assert rules.margin("a", "c") == 0.1
    assert rules.margin("c", "d") == 0.0
    assert rules.margin("arm/foot", "b") == 0.3
    assert (
        rules.margin("arm/hand", "c") == 0.05
    )  # what is said of a link counts before what is said of its robot


def test_margins_of_pairs_count_before_those_of_objects() -> None:
    rules = Rules(margins={"a": 0.5}, pair_margins=[("a", "b", 0.1), ("arm", "b", 0.2)])
    assert rules.margin("b", "a") == 0.1
    assert rules.margin("arm/hand", "b") == 0.2
    assert rules.margin("a", "arm/hand") == 0.5


def test_the_most_specific_margin_of_a_pair_counts_and_then_the_last() -> None:
    rules = Rules(pair_margins=[("arm/hand", "b", 0.1), ("arm", "b", 0.2), ("arm", "b", 0.3)])
    assert rules.margin("arm/hand", "b") == 0.1
    assert rules.margin("arm/foot", "b") == 0.3
    again = Rules(pair_margins=[("a", "b", 0.1), ("b", "a", 0.0)])
    assert again.margin("a", "b") == 0.0


def test_margins_of_a_robot_are_those_of_its_tools() -> None:
    mounted = [Attachment("grip", "arm/hand", *ALWAYS), Attachment("part", "arm/hand", 1.0, math.inf)]
    pairs = [("arm", "b", 0.2), ("arm", "arm", 0.1)]
    rules = Rules(margins={"arm": 0.3}, pair_margins=pairs, attachments=mounted)
    assert (rules.margin("grip", "b"), rules.margin("b", "grip"), rules.margin("grip", "c")) == (
        0.2,
        0.2,
        0.3,
    )
    assert (rules.margin("part", "b"), rules.margin("part", "c")) == (0.0, 0.0)  # it is held for a while only
    assert rules.margin("grip", "arm/foot") == 0.1
    own = Rules(
        margins={"arm": 0.3, "grip": 0.05}, pair_margins=[("grip", "b", 0.0), *pairs], attachments=mounted
    )
    assert (own.margin("grip", "b"), own.margin("grip", "c"), own.margin("arm/hand", "b")) == (0.0, 0.05, 0.2)


def test_a_selected_robot_includes_its_tools_and_a_permission_does_not() -> None:
    mounted = [Attachment("grip", "arm/hand", *ALWAYS), Attachment("part", "arm/hand", 1.0, math.inf)]
    rules = Rules(only=[("arm", None)], attachments=mounted)
    assert rules.is_selected("grip", "b")
    assert not rules.is_selected("part", "b")
    pair = Rules(only=[("b", "arm")], allowed=[Allowed("arm", "b", ALWAYS, "")], attachments=mounted)
    assert (pair.is_selected("grip", "b"), pair.is_selected("grip", "c")) == (True, False)
    assert pair.windows("grip", "b") == []


def test_path_tolerances_of_links_and_robots() -> None:
    rules = Rules(tolerances={"arm": PathTolerance(0.1, 0.2), "arm/hand": PathTolerance(0.3, 0.0)})
    assert rules.path_tolerance("arm/hand") == (0.3, 0.0)
    assert rules.path_tolerance("arm/foot") == (0.1, 0.2)
    assert rules.path_tolerance("table") == (0.0, 0.0)


def test_what_is_removed_is_forgotten() -> None:
    rules = Rules(
        allowed=[Allowed("arm/hand", "b", ALWAYS, ""), Allowed("a", "b", ALWAYS, "")],
        only=[("arm", "b"), ("a", None), ("a", "arm/hand")],
        pair_margins=[("a", "arm", 0.1), ("a", "b", 0.2)],
        margins={"arm/hand": 0.1, "a": 0.2, "army": 0.3},
        tolerances={"arm": PathTolerance(1, 1), "a": PathTolerance(2, 2)},
        attachments=[Attachment("a", "arm/hand", 0, 1), Attachment("b", "other/hand", 0, 1)],
    )
    rules = rules.without("arm")
    assert rules.allowed == [("a", "b", ALWAYS, "")]
    assert rules.only == [("a", None)]
    assert rules.pair_margins == [("a", "b", 0.2)]
    assert rules.margins == {"a": 0.2, "army": 0.3}
    assert rules.tolerances == {"a": (2, 2)}
    assert rules.attachments == [("b", "other/hand", 0, 1, None)]
