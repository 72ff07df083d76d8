"""Rules by pair: the same as the slow rules say of each pair of names."""

from __future__ import annotations

import itertools
import math
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.unit.world.worlds import at, scene, slider, way

import keepclear as kc
from keepclear.scene import pair_rules as module
from keepclear.scene.pair_rules import PairRules, reach_of
from keepclear.scene.rules import ALWAYS, allowed_links
from keepclear.scene.scene import Scene

LINKS = ("base", "base2", "tool", "tool_tip")


@cache
def robot(links: tuple[str, ...] = LINKS) -> kc.Robot:
    """Links one after the other, whose names are prefixes of each other."""
    shape = '<collision><geometry><sphere radius="0.05"/></geometry></collision>'
    text = "".join(f'<link name="{name}">{shape}</link>' for name in links)
    for k, (a, b) in enumerate(itertools.pairwise(links)):
        text += (
            f'<joint name="j{k}" type="prismatic"><parent link="{a}"/><child link="{b}"/><origin xyz="0 0 0.3"/>'
            '<axis xyz="1 0 0"/><limit lower="-9" upper="9" velocity="99" effort="1"/></joint>'
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(f'<robot name="r">{text}</robot>')
        return kc.read_robot(file)


def random_world(seed: int, links: tuple[str, ...] = LINKS) -> kc.World:
    """Robots and objects whose names are prefixes of each other, and rules that name objects, robots and links."""
    rng = np.random.default_rng(seed)
    world = kc.World()
    for name in ("arm", "arm2"):
        program = kc.JointTrajectory(robot(links), [0, 1], rng.uniform(-1, 1, (2, len(links) - 1)))
        world.add_robot(name, robot(links), program, at(0, rng.uniform(-2, 2)))
    for k, name in enumerate(("ar", "arm3", "b", "b2", "tool")):
        place = rng.uniform(-1, 1, 3)
        world.add(name, kc.Sphere(0.1), way([0, 1], place, place + 1) if k % 2 else at(*place))
    names = ["arm", "arm2", "ar", "arm3", "b", "b2", "tool"]
    names += [f"{name}/{link}" for name in ("arm", "arm2") for link in links]

    def pair() -> tuple[str, str]:
        a, b = (str(name) for name in rng.choice(names, 2))
        return (a, b) if a != b or a in ("arm", "arm2") else pair()

    for _ in range(rng.integers(0, 5)):
        window = [(None, None), (0.2, 0.4), (None, 0.5), (0.7, None), (0.3, 0.9)][rng.integers(5)]
        world.allow(*pair(), t_from=window[0], t_to=window[1], reason=f"reason {rng.integers(9)}")
    for _ in range(rng.integers(0, 5)):
        world.set_margin(*pair(), float(rng.choice([0.0, 0.01, 0.1, 0.5])))
    for _ in range(rng.integers(0, 4)):
        world.set_margin(str(rng.choice(names)), None, float(rng.choice([0.0, 0.02, 0.2])))
    if seed % 3 == 0:
        world.attach("tool", f"arm/{links[-1]}", X_LA=np.eye(4))  # a margin of the robot is one of its tool
    if rng.random() < 0.3:
        world.set_path_tolerance(str(rng.choice(names)), distance=0.01)
    if rng.random() < 0.5:
        world.only(
            [str(rng.choice(names)) if rng.random() < 0.3 else pair() for _ in range(rng.integers(1, 5))]
        )
    return world


def slow_reason(tables: Scene, i: int, j: int) -> str | None:
    """Why a pair is never checked, by the rules for names."""
    a, b = tables.items[i], tables.items[j]
    if not tables.rules.is_selected(a.name, b.name):
        return "not designated"
    if a.owner is b.owner:
        links = allowed_links(a.owner)  # type: ignore[arg-type]
        found = links.get(frozenset(item.name.partition("/")[2] for item in (a, b)))
        if found is not None:
            return found[0]
    if any(rule.window == ALWAYS for rule in tables.rules.windows(a.name, b.name)):
        return "allowed"
    return None


SEEDS = range(60)
SLASHES = ("a", "a/b", "b", "a/bb")


def check_rules(world: kc.World) -> None:
    tables = scene(world)
    rules, n = tables.pair_rules, len(tables.items)
    names = [item.name for item in tables.items]
    told = {(u.a, u.b): u.reason for u in rules.unchecked if u.t_from is None and u.t_to is None}
    windows = Counter(
        (u.a, u.b, u.t_from, u.t_to) for u in rules.unchecked if not (u.t_from is u.t_to is None)
    )
    expected: Counter[tuple[str, str, float | None, float | None]] = Counter()
    for i, j in itertools.combinations(range(n), 2):
        a, b, key = names[i], names[j], np.array([i * n + j])
        reason = slow_reason(tables, i, j)
        assert bool(rules.is_checked(key)[0]) == (reason is None), (a, b, reason)
        assert told.get((a, b)) == reason, (a, b)
        margin = tables.rules.margin(a, b)
        assert rules.margin(i, j) == margin
        assert sum(reach_of(rules)[[i, j]]) >= margin, (a, b)
        if reason is None:
            slow = tables.rules.windows(a, b)
            assert rules.windows(i, j) == slow, (a, b)
            for rule in slow:
                start, end = (x if math.isfinite(x) else None for x in rule.window)
                expected[a, b, start, end] += 1
            if not (tables.is_plain[i] and tables.is_plain[j]):
                continue
            if slow or margin > 0.0:
                assert key[0] in rules.special, (a, b)
    assert windows == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_by_pair_are_those_by_name(seed: int) -> None:
    check_rules(random_world(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_of_excluded_pairs(seed: int) -> None:
    tables = scene(random_world(seed))
    rules, n = tables.pair_rules, len(tables.items)
    rng = np.random.default_rng(seed)
    for classes in (tables.frames.classes, np.zeros(n, np.int64), np.arange(n), rng.integers(0, 4, n)):
        counts = [0, 0]
        for i, j in itertools.combinations(range(n), 2):
            counts[int(classes[i] == classes[j])] += slow_reason(tables, i, j) is not None
        assert rules.n_excluded(classes) == tuple(counts)


def test_all_cases_are_among_the_random_worlds() -> None:
    reasons: set[str | None] = set()
    selections, windows = set(), 0
    for seed in SEEDS:
        tables = scene(random_world(seed))
        for i, j in itertools.combinations(range(len(tables.items)), 2):
            reasons.add(slow_reason(tables, i, j))
            windows += len(tables.pair_rules.windows(i, j))
        selections.add(tables.pair_rules.selected is None)
    assert {"not designated", "neighbours", "allowed", None} <= reasons
    assert selections == {True, False}
    assert windows > 20


@pytest.mark.parametrize("seed", range(20))
def test_links_with_a_slash_in_their_names(seed: int) -> None:
    """What is said of link "a" of a robot is not said of its link "a/b"."""
    check_rules(random_world(seed, SLASHES))


def test_an_empty_world_and_one_body() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), at(0, 0))
    rules = scene(world).pair_rules
    assert rules.n_excluded(np.zeros(1, np.int64)) == (0, 0)
    assert rules.is_checked(np.empty(0, np.int64)).tolist() == []
    none = PairRules([], world._rules)
    assert none.n_excluded(np.empty(0, np.int64)) == (0, 0)
    assert none.unchecked == []


def test_pairs_that_were_not_selected_are_counted_where_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = kc.World()
    for k in range(6):
        world.add(f"x{k}", kc.Sphere(0.1), at(k, 0))
    world.only([("x0", "x1"), ("x1", "x2")])
    rules = scene(world).pair_rules
    assert (rules.not_listed, len(rules.unchecked)) == (0, 13)
    assert {u.reason for u in rules.unchecked} == {"not designated"}
    assert ("x0", "x1") not in {(u.a, u.b) for u in rules.unchecked}
    monkeypatch.setattr(module, "MOST_LISTED", 12)
    world.set_margin("x0", None, 0.0)
    rules = scene(world).pair_rules
    assert (rules.not_listed, rules.unchecked) == (13, [])
    assert rules.n_excluded(np.arange(6)) == (13, 0)


def test_reach_is_the_larger_one_of_own_margins_and_those_of_pairs() -> None:
    world = kc.World()
    world.add_robot("bot", slider())
    for name in ("a", "b", "c"):
        world.add(name, kc.Sphere(0.1), at(0, 0))
    world.set_margin("a", None, 0.3)
    world.set_margin("a", "b", 0.2)
    world.set_margin("b", "bot", 0.4)
    world.set_margin("b", "bot", 0.1)
    tables = scene(world)
    names = [item.name for item in tables.items]
    found = dict(zip(names, reach_of(tables.pair_rules).tolist(), strict=True))
    assert found == {"a": 0.3, "b": 0.4, "c": 0.0, "bot/finger": 0.4, "bot/head": 0.4, "bot/lamp": 0.4}
