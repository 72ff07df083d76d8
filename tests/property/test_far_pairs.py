"""Worlds that list only near pairs say the same as worlds that list all: the rule gives back the far pairs."""

from __future__ import annotations

import contextlib
import itertools

import numpy as np
import pytest

import keepclear as kc
from keepclear.report.coverage import count_far
from keepclear.report.report import Report
from keepclear.scene import pair_rules
from keepclear.world.selection import plan as plans

N = 75  # about 2400 pairs that move relative to each other


def random_world(seed: int, *, is_selective: bool = False) -> kc.World:
    """Balls in a room, most of them moving, with rules of all kinds."""
    rng = np.random.default_rng(seed)
    world = kc.World(threads=1)
    for k in range(N):
        start, end = rng.uniform(-1.5, 1.5, (2, 3))
        if k % 5 == 0:
            X = np.eye(4)
            X[:3, 3] = start
            world.add(f"ball {k}", kc.Sphere(0.05), X)
        else:
            path = kc.PoseTrajectory.from_positions([0.0, 1.0, 2.0], [start, 0.5 * (start + end), end])
            world.add(f"ball {k}", kc.Sphere(0.05), path)
    pairs = rng.permutation(list(itertools.combinations(range(N), 2)))[:240]
    for number, (i, j) in enumerate(pairs.tolist()):
        a, b = f"ball {i}", f"ball {j}"
        windows = [(None, None), (None, 1.0), (1.0, None), (0.5, 0.75)][number % 4]
        if number % 6 == 5:  # two windows that leave nothing
            world.allow(a, b, reason="first half", t_to=1.0)
            world.allow(a, b, reason="second half", t_from=1.0)
        elif number % 6 < 4:
            world.allow(a, b, reason="so it is", t_from=windows[0], t_to=windows[1])
        else:
            world.set_margin(a, b, 0.03)
    if is_selective:
        world.only([f"ball {k}" for k in range(60)])
    return world


def verdicts(report: Report) -> dict[tuple[str, str], tuple[kc.Verdict, float | None]]:
    """Return what a report says of each pair of its objects that was checked."""
    found = {}
    for a, b in itertools.combinations(report.objects, 2):
        with contextlib.suppress(kc.ReportError):
            pair = report.pair(a, b)
            found[a, b] = pair.verdict, pair.time
    assert len(found) == report.n_checked
    return found


@pytest.mark.parametrize(
    ("seed", "clearances", "is_selective"), [(0, False, False), (1, True, False), (2, False, True)]
)
def test_far_pairs_are_the_others(
    seed: int, clearances: bool, is_selective: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def verified() -> Report:
        world = random_world(seed, is_selective=is_selective)
        return world.verify(0.0, 2.0, tolerance=1e-4, clearances=clearances)

    sparse = verified()
    monkeypatch.setattr(plans, "MOST_LISTED", 10_000)
    full = verified()
    assert full.far is None
    assert sparse.far is not None
    assert sparse.far.count == count_far(sparse) == len(full.pairs) - len(sparse.pairs) > 1000
    assert sparse.n_checked == full.n_checked == count_far(full) + len(full.pairs)
    assert sparse.verdict is full.verdict is kc.Verdict.COLLIDING
    assert (sparse.unchecked, sparse.at_rest, sparse.first) == (full.unchecked, full.at_rest, full.first)
    assert verdicts(sparse) == verdicts(full)
    assert list(sparse.pairs) == [pair for pair in full.pairs if sparse.records.rows_of(pair.a, pair.b)]
    assert sparse.far.bound == (0.1 if clearances else 0.0)
    if clearances:
        far = [pair for pair in full.pairs if not sparse.records.rows_of(pair.a, pair.b)]
        assert all(pair.clearance_lower >= sparse.far.bound and pair.proof == "swept boxes" for pair in far)
    assert Report.from_json(sparse.to_json()) == sparse


def test_pairs_that_were_not_selected_are_counted_where_they_are_too_many_to_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plans, "MOST_LISTED", 500)
    listing = random_world(2, is_selective=True).verify(0.0, 2.0, tolerance=1e-4, clearances=False)
    monkeypatch.setattr(pair_rules, "MOST_LISTED", 50)
    report = random_world(2, is_selective=True).verify(0.0, 2.0, tolerance=1e-4, clearances=False)
    assert report.far is not None
    assert listing.far is not None
    assert (report.far.count, report.pairs) == (listing.far.count, listing.pairs)
    not_selected = sum(entry.reason == "not designated" for entry in listing.unchecked)
    assert not_selected == 15 * 14 // 2
    text = "105 pairs were not selected: they are neither checked nor listed"
    assert report.far.rule.endswith(f"one group of `at_rest`. {text}.")
    assert [one.text for one in report.assumptions if one.kind == "selection"] == [text]
    assert count_far(report) > report.far.count
    with pytest.raises(kc.ReportError, match="does not say whether it was selected"):
        report.pair("ball 61", "ball 62")
    assert Report.from_json(report.to_json()) == report
