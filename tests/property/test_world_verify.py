"""Reports about worlds hold against slow searches and each other: verdicts, brackets, clearances."""

import math
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.robot_check import (
    clearance_faults,
    curve_faults,
    expected_unchecked,
    names,
    pair_faults,
)
from tests.oracles.robot_random import Scene, library_world, random_scene
from tests.oracles.robot_world import Pair, attached

import keepclear as kc

TOLERANCE = 1e-4
FAR = 0.1


def judged(report: Any) -> dict[frozenset[str], Any]:
    """The pairs by their names, each once."""
    found = {names(pair): pair for pair in report.pairs}
    assert len(found) == len(report.pairs)
    return found


def whole_unchecked(report: Any) -> dict[frozenset[str], Any]:
    """The pairs that were not judged at any time."""
    return {names(u): u for u in report.unchecked if u.t_from is None and u.t_to is None}


def pair_of(scene: Scene, key: frozenset[str]) -> Pair:
    a, b = sorted(key)
    return Pair(scene.items[a], scene.items[b], scene.t0, scene.t1)


def faults(
    scene: Scene, report: Any, margin: float = 0.0, *, tolerance: float = TOLERANCE, far: float = FAR
) -> list[str]:
    """Everything that is wrong with a report about a scene in which all pairs have one margin."""
    found = []
    for key, pair in judged(report).items():
        case = pair_of(scene, key)
        wrong = [*pair_faults(pair, case, tolerance=tolerance, margin=margin)]
        wrong += clearance_faults(pair, case, tolerance=tolerance, far=far)
        found += [f"{pair.a} - {pair.b}: {text}" for text in wrong]
    return found


@pytest.mark.parametrize(
    "seed", [2, 10, 14, 18, 19, 20, 23, 25, 26, 27, 28]
)  # of those that the slow search can afford
def test_random_worlds_are_judged_right(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, tmp_path, n_robots=1 + seed % 2, n_objects=2 + seed % 2)
    report = library_world(scene).verify(tolerance=TOLERANCE, far=FAR)
    assert (report.t0, report.t1, report.tolerance) == (scene.t0, scene.t1, TOLERANCE)
    assert faults(scene, report) == []
    expected = expected_unchecked(scene)
    told = {key: unchecked.reason for key, unchecked in whole_unchecked(report).items()}
    assert told == {key: reason for key, reason in expected.items() if reason != "at rest and apart"}
    assert set(judged(report)) == {frozenset(pair) for pair in combinations(scene.items, 2)} - set(expected)
    apart = sum(reason == "at rest and apart" for reason in expected.values())
    assert report.statistics.get("at rest and apart", 0) == apart
    verdicts = {pair.verdict for pair in report.pairs}
    assert report.verdict is (kc.Verdict.COLLIDING if kc.Verdict.COLLIDING in verdicts else kc.Verdict.CLEAR)
    times = [pair.time for pair in report.pairs if pair.time is not None]
    assert times == sorted(times)


@pytest.mark.parametrize("seed", range(4))
def test_margins_move_the_verdict(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(1000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=2)
    world = library_world(scene)
    margin = float(rng.choice([0.01, 0.1]))
    for a, b in combinations(scene.items, 2):
        world.set_margin(a, b, margin)
    report = world.verify(tolerance=TOLERANCE, clearances=False)
    wrong = []
    for key, pair in judged(report).items():
        wrong += [*pair_faults(pair, pair_of(scene, key), tolerance=TOLERANCE, margin=margin)]
    assert wrong == []


@pytest.mark.parametrize("seed", range(2))
def test_answers_depend_neither_on_threads_nor_on_order_and_survive_storage(
    seed: int, tmp_path: Path
) -> None:
    rng = np.random.default_rng(2000 + seed)
    scene = random_scene(rng, tmp_path, n_robots=2, n_objects=4)
    report = library_world(scene).verify(tolerance=TOLERANCE, threads=1, curves=5)
    threaded = library_world(scene).verify(tolerance=TOLERANCE, threads=2, curves=5)
    assert threaded == report
    order = [*scene.robots, *scene.objects]
    rng.shuffle(order)
    shuffled = library_world(scene, order=order).verify(tolerance=TOLERANCE, curves=5)
    here, there = judged(report), judged(shuffled)
    assert set(here) == set(there)
    for key, pair in here.items():
        assert (pair.verdict, pair.proof, pair.margin) == (
            there[key].verdict,
            there[key].proof,
            there[key].margin,
        )
        # Whoever of two comes first changes the last digits.
        assert np.allclose(numbers(pair), numbers(there[key]), rtol=0.0, atol=1e-9, equal_nan=True), sorted(
            key
        )
    reasons = [
        {key: (u.reason, u.touching) for key, u in whole_unchecked(r).items()} for r in (shuffled, report)
    ]
    assert reasons[0] == reasons[1]
    file = tmp_path / "report.json"
    report.to_json(file)
    assert kc.read_report(file) == report


def numbers(pair: Any) -> np.ndarray:
    """The times and distances of a pair in a row."""
    told = [pair.time, pair.t_lo, pair.t_hi, pair.clearance_lower, pair.clearance_upper, pair.clearance_time]
    if pair.curve is not None:
        told += [*pair.curve.times, *pair.curve.lower, *pair.curve.upper, *pair.curve.lower_between]
    return np.array([math.nan if value is None else value for value in told])


@pytest.mark.parametrize("seed", range(5))
def test_the_earliest_contact_alone_is_the_same_one(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(10_000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=3)
    whole = library_world(scene).verify(tolerance=TOLERANCE, clearances=False)
    earliest = library_world(scene).verify(tolerance=TOLERANCE, clearances=False, contacts="earliest")
    assert earliest.verdict is whole.verdict
    assert set(judged(earliest)) == set(judged(whole))
    if whole.first is None:
        assert earliest.first is None
        return
    limit = earliest.first.time
    assert earliest.first.t_lo <= whole.first.t_hi
    assert whole.first.t_lo <= earliest.first.t_hi
    for key, pair in judged(earliest).items():
        if pair.verdict is kc.Verdict.COLLIDING:
            assert [*pair_faults(pair, pair_of(scene, key), tolerance=TOLERANCE)] == []
        elif pair.verdict is kc.Verdict.UNDECIDED:
            # Nothing touches before the contact that was found; from there on nobody looked.
            assert pair.t_lo >= earliest.first.t_lo
            lower = judged(whole)[key]
            assert lower.time is None or lower.t_hi >= earliest.first.t_lo
        else:
            assert judged(whole)[key].verdict is kc.Verdict.CLEAR
    assert all(pair.time is None or pair.time >= limit for pair in earliest.pairs)


@pytest.mark.parametrize("seed", range(3))
def test_curves_hold_the_distance(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(3000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=2)
    report = library_world(scene).verify(tolerance=1e-3, curves=20, far=10.0)
    wrong = []
    for key, pair in judged(report).items():
        if pair.curve is not None:
            assert (pair.curve.times[0], pair.curve.times[-1]) == (scene.t0, scene.t1)
            wrong += [f"{sorted(key)}: {text}" for text in curve_faults(pair.curve, pair_of(scene, key))]
    assert wrong == []
    assert any(pair.curve is not None for pair in report.pairs)


@pytest.mark.parametrize("seed", range(4))
def test_all_contacts_are_found_and_the_times_between_them_are_clear(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(4000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=2)
    report = library_world(scene).verify(tolerance=TOLERANCE, contacts="all", clearances=False)
    for key, pair in judged(report).items():
        if pair.verdict is not kc.Verdict.COLLIDING:
            continue
        t = np.linspace(scene.t0, scene.t1, 400)
        _, upper = pair_of(scene, key).distances(t)
        spans = [(c.t_lo, scene.t1 if c.t_end is None else c.t_end) for c in pair.contacts]
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        for time in t[upper == 0.0]:
            assert any(start <= time <= end for start, end in spans), (sorted(key), time, spans)
        for contact in pair.contacts:
            assert pair_of(scene, key).distances([contact.time])[0][0] <= TOLERANCE
        # What lies well outside of all contacts is clear, and inside of one there is contact.
        for start, end in spans:
            assert np.any(pair_of(scene, key).distances(np.linspace(start, end, 200))[0] <= TOLERANCE)


@pytest.mark.parametrize("seed", range(4))
def test_windows_of_permission_are_not_judged_and_the_rest_is(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(5000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=2)
    everything = judged(library_world(scene).verify(tolerance=TOLERANCE, clearances=False))
    span = scene.t1 - scene.t0
    for key, before in sorted(everything.items(), key=lambda kv: sorted(kv[0]))[:6]:
        middle = scene.t0 + float(rng.uniform(0.2, 0.8)) * span if before.time is None else before.time
        t_from, t_to = max(scene.t0, middle - 0.15 * span), min(scene.t1, middle + 0.15 * span)
        after = math.nextafter(t_to, math.inf)
        windows = [w for w in ((scene.t0, t_from), (after, scene.t1)) if w[0] < w[1]]
        world = library_world(scene)
        world.allow(*sorted(key), t_from=t_from, t_to=t_to, reason="grasp")
        report = world.verify(tolerance=TOLERANCE, clearances=False)
        wrong = [*pair_faults(judged(report)[key], pair_of(scene, key), tolerance=TOLERANCE, windows=windows)]
        assert wrong == [], sorted(key)
        (told,) = (u for u in report.unchecked if names(u) == key)
        assert (told.reason, told.t_from, told.t_to) == ("allowed", t_from, t_to)
        others = {k: v.verdict for k, v in judged(report).items() if k != key}
        assert others == {k: v.verdict for k, v in everything.items() if k != key}


def test_allowed_pairs_and_undesignated_ones_are_listed(tmp_path: Path) -> None:
    scene = random_scene(np.random.default_rng(6000), tmp_path, n_objects=3)
    links = list(scene.links)
    world = library_world(scene)
    world.allow("o0", "r0", reason="they belong together")
    report = world.verify(tolerance=1e-3, clearances=False)
    for link in links:
        told = whole_unchecked(report)[frozenset(("o0", link))]
        assert told.reason in ("allowed", "at rest")
    world = library_world(scene)
    world.only([("r0", "o1")])
    report = world.verify(tolerance=1e-3, clearances=False)
    assert set(judged(report)) <= {frozenset(("o1", link)) for link in links}
    assert judged(report)
    assert whole_unchecked(report)[frozenset(("o0", "o1"))].reason in ("not designated", "at rest")
    world = library_world(scene)
    world.only(["o1"])
    assert all("o1" in key for key in judged(world.verify(tolerance=1e-3, clearances=False)))


@pytest.mark.parametrize("seed", [1, 2, 3, 6])
def test_carried_objects_ride_along_and_stay_where_they_are_released(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(7000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=3)
    link = str(rng.choice(list(scene.links)))
    span = scene.t1 - scene.t0
    t_from = scene.t0 + float(rng.uniform(0.1, 0.4)) * span
    t_to = None if seed % 2 else scene.t0 + float(rng.uniform(0.6, 0.9)) * span
    world = library_world(scene)
    world.attach("o0", link, t_from, t_to)
    report = world.verify(tolerance=TOLERANCE, far=FAR)
    carried = attached(scene.objects["o0"], scene.robots["r0"].machine, link.split("/")[1], t_from, t_to)
    scene = replace(scene, objects={**scene.objects, "o0": carried})
    wrong = []
    for key, pair in judged(report).items():
        if key == {"o0", link}:
            continue
        case = pair_of(scene, key)
        found = [*pair_faults(pair, case, tolerance=TOLERANCE)]
        found += clearance_faults(pair, case, tolerance=TOLERANCE, far=FAR)
        wrong += [f"{pair.a} - {pair.b}: {text}" for text in found]
    assert wrong == []
    for other in scene.items:
        if other not in ("o0", link) and pair_of(scene, frozenset(("o0", other))).moves:
            assert frozenset(("o0", other)) in judged(report)


@pytest.mark.parametrize("seed", range(3))
def test_a_path_tolerance_covers_delays_and_offsets(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(8000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=3)
    world = library_world(scene)
    distance, delay = 0.01, 0.02
    world.set_path_tolerance("r0", distance=distance, time=delay)
    report = world.verify(tolerance=TOLERANCE, clearances=False)
    plain = judged(library_world(scene).verify(tolerance=TOLERANCE, clearances=False))
    t = np.linspace(scene.t0, scene.t1, 60)
    for key, pair in judged(report).items():
        own = [name for name in key if name.startswith("r0/")]
        if not own:
            assert pair.verdict is plain[key].verdict
            continue
        if plain[key].verdict is kc.Verdict.COLLIDING:
            assert pair.verdict is kc.Verdict.COLLIDING
            assert pair.t_lo <= plain[key].t_hi
        if pair.verdict is kc.Verdict.CLEAR and len(own) == 1:
            # Late or early by the delay, the link is still farther away than the offset.
            (other,) = key - set(own)
            for late in (-delay, 0.0, delay):
                moved = delayed(scene.items[own[0]], late)
                assert Pair(moved, scene.items[other], scene.t0, scene.t1).distances(t)[0].min() >= distance


def delayed(item: Any, late: float) -> Any:
    """The item of a link that is late all the time."""
    ((start, ride),) = item.rides
    path = replace(ride.machine.path, times=ride.machine.path.times + late)
    return replace(item, rides=[(start, replace(ride, machine=replace(ride.machine, path=path)))])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_single_instants_agree(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(9000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=3)
    world = library_world(scene)
    for t in rng.uniform(scene.t0, scene.t1, size=3):
        touching = {frozenset(pair) for pair in world.collisions(float(t))}
        distances = {frozenset((d.a, d.b)): d for d in world.distances(float(t), far=1.0)}
        for key in {frozenset(pair) for pair in combinations(scene.items, 2)}:
            low, up = (float(x[0]) for x in pair_of(scene, key).distances([t]))
            if key in touching:
                assert low == 0.0, sorted(key)
            if key in distances and up > 1e-9:
                assert low - 1e-9 <= distances[key].distance <= up + 1e-9, sorted(key)
