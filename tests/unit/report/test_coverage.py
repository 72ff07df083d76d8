"""Which pairs a report is about: far pairs are found by name, and what was not checked is never called clear."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from tests.unit.report.example_reports import CLOSE, CONTACT, FAR, OPEN, clear_report, far_report, full_report

import keepclear as kc
from keepclear.report.coverage import count_far
from keepclear.report.parts import FarPairs, Unchecked
from keepclear.report.report import Report


def test_listed_pairs_are_found_in_either_order() -> None:
    report = far_report()
    assert report.pair("arm/hand", "part") is report.pairs[0]
    assert report.pair("part", "arm/hand") is report.pairs[0]
    assert full_report().pair("table", "arm/forearm") == CONTACT  # of a report without objects


def test_far_pairs_are_clear_by_the_bound() -> None:
    pair = far_report(program="pick").pair("wall", "part")
    assert (pair.a, pair.b, pair.verdict, pair.proof, pair.program) == (
        "wall",
        "part",
        kc.Verdict.CLEAR,
        "swept boxes",
        "pick",
    )
    assert (pair.time, pair.t_lo, pair.t_hi) == (None, 8.0, 8.0)
    assert (pair.clearance_lower, pair.clearance_upper, pair.contacts) == (0.1, None, ())


def test_the_rule_gives_as_many_pairs_as_are_counted() -> None:
    report = far_report()
    found = 0
    for a, b in itertools.combinations(report.objects, 2):
        try:
            found += report.pair(a, b) not in report.pairs
        except kc.ReportError:
            continue
    assert report.far is not None
    assert found == report.far.count == count_far(report) == 12


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("arm/forearm", "arm/base", "'arm/forearm' - 'arm/base' was not checked: links next to each other"),
        ("table", "wall", "was not checked: they do not move relative to each other, and are apart"),
    ],
)
def test_pairs_that_were_not_checked_are_not_called_clear(a: str, b: str, message: str) -> None:
    with pytest.raises(kc.ReportError) as caught:
        far_report().pair(a, b)
    assert message in str(caught.value)


def test_names_that_nothing_has_are_named() -> None:
    with pytest.raises(kc.UnknownNameError, match=r"has no object 'tabel'; did you mean 'table'\?"):
        far_report().pair("part", "tabel")
    with pytest.raises(kc.ArgumentError, match="'part' is the name of both objects"):
        far_report().pair("part", "part")
    with pytest.raises(kc.UnknownNameError, match="has no object 'wall'"):
        full_report().pair("part", "wall")


@pytest.mark.parametrize("count", [0, 11, 13, 10**9])
def test_a_count_that_the_objects_do_not_make_proves_nothing(count: int) -> None:
    report = far_report(far=FarPairs(count=count, bound=0.1))
    assert report.pair("part", "arm/hand").verdict is kc.Verdict.CLEAR
    with pytest.raises(
        kc.ReportError, match=f"{count} pairs are far, and 12 pairs of its objects are not listed"
    ):
        report.pair("wall", "part")


def test_without_far_pairs_all_checked_pairs_are_listed() -> None:
    with pytest.raises(kc.ReportError, match="was not checked: all pairs that were checked are listed"):
        far_report(far=None).pair("wall", "part")


def three_objects(*windows: tuple[float | None, float | None]) -> Report:
    unchecked = [Unchecked(a="b", b="a", reason="allowed", t_from=start, t_to=end) for start, end in windows]
    return clear_report(
        pairs=(), objects=("a", "b", "c"), far=FarPairs(count=3, bound=0.0), unchecked=tuple(unchecked)
    )


@pytest.mark.parametrize(
    "windows",
    [
        [(None, None)],
        [(None, 8.0)],
        [(0.0, None)],
        [(4.0, None), (-1.0, 5.0)],
        [(None, -1.0), (0.0, 3.0), (3.0000000000000004, 8.0)],
    ],
)
def test_windows_that_leave_no_time_make_a_pair_unchecked(
    windows: list[tuple[float | None, float | None]],
) -> None:
    report = three_objects(*windows)
    assert count_far(report) == 2
    with pytest.raises(kc.ReportError, match="'a' - 'b' was not checked: allowed"):
        report.pair("a", "b")
    report = replace(report, far=FarPairs(count=2, bound=0.0))
    assert report.pair("a", "c").clearance_lower == 0.0


@pytest.mark.parametrize(
    "windows", [[(None, 7.9)], [(1e-9, None)], [(None, 3.0), (3.1, None)], [(9.0, None)]]
)
def test_a_far_pair_may_be_unchecked_for_a_while(windows: list[tuple[float | None, float | None]]) -> None:
    report = three_objects(*windows)
    assert count_far(report) == 3
    assert report.pair("a", "b").verdict is kc.Verdict.CLEAR


def test_of_several_programs_the_worst_is_given() -> None:
    good, bad = far_report(program="good"), far_report(program="bad", verdict=kc.Verdict.UNDECIDED)
    bad = replace(bad, pairs=(replace(OPEN, b="part"), FAR))
    report = clear_report(verdict=kc.Verdict.UNDECIDED, programs=(good, bad))
    assert report.pair("part", "arm/hand").verdict is kc.Verdict.UNDECIDED
    assert report.pair("part", "wall").program == "bad"
    assert report.pair("part", "arm/base") == FAR
    skipping = replace(good, program="skips", unchecked=(Unchecked(a="part", b="wall", reason="allowed"),))
    with pytest.raises(
        kc.ReportError, match="program 'skips': the pair 'part' - 'wall' was not checked: allowed"
    ):
        replace(report, programs=(good, skipping)).pair("part", "wall")
    assert replace(report, programs=(good, skipping)).pair("part", "arm/hand") == CLOSE
