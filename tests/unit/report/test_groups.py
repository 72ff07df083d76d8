"""Groups of pairs: chosen ones first, those of a robot's own links below the others."""

from __future__ import annotations

import json

import click
import pytest
from tests.unit.report.example_reports import CLOSE, clear_report

import keepclear as kc
from keepclear.cli.summary import summary_lines
from keepclear.report.groups import GROUPS, groups_of
from keepclear.report.pages.payload import build_payload
from keepclear.report.parts import PairReport
from keepclear.report.report import Report

NAMES = ("arm", "arm/base", "arm/hand", "arm/tip", "bin", "bin - lid", "wall", "armoire")


def pair(a: str, b: str, clearance: float, verdict: kc.Verdict = kc.Verdict.CLEAR) -> PairReport:
    hits = verdict is kc.Verdict.COLLIDING
    return PairReport(
        a=a, b=b, verdict=verdict, time=1.0 if hits else None, t_lo=1.0 if hits else 2.0, t_hi=1.0 if hits else 2.0,
        clearance_lower=clearance, clearance_upper=clearance, clearance_time=1.0,
    )  # fmt: skip


def report(*pairs: PairReport, verdict: kc.Verdict = kc.Verdict.CLEAR, **more: object) -> Report:
    return Report(verdict=verdict, t0=0.0, t1=2.0, tolerance=1e-4, pairs=pairs, objects=NAMES[1:], **more)  # type: ignore[arg-type]


PAIRS = (
    pair("arm/base", "arm/tip", 0.001),
    pair("arm/hand", "wall", 0.01),
    pair("arm/tip", "bin", 0.02),
    pair("armoire", "bin - lid", 0.03),
    pair("armoire", "wall", 0.04),
)


def shown(found: Report) -> list[tuple[str, str]]:
    return [(one.a, one.b) for one in found.pairs]


@pytest.mark.parametrize(
    ("pin", "first"),
    [
        ("bin", ["arm/tip - bin"]),
        ("arm/tip", ["arm/base - arm/tip", "arm/tip - bin"]),
        ("arm", ["arm/base - arm/tip", "arm/hand - wall", "arm/tip - bin"]),
        ("wall - arm", ["arm/hand - wall"]),
        ("wall - armoire", ["armoire - wall"]),
        ("bin - lid", ["armoire - bin - lid"]),
        ("bin - lid - armoire", ["armoire - bin - lid"]),
        ("arm - arm", ["arm/base - arm/tip"]),
        ("bin - wall", []),
    ],
)
def test_chosen_pairs_come_first_and_the_others_keep_their_order(pin: str, first: list[str]) -> None:
    found = report(*PAIRS).pinned(pin)
    assert found.pins == (pin,)
    names = [f"{a} - {b}" for a, b in shown(found)]
    rest = [name for name in (f"{one.a} - {one.b}" for one in PAIRS) if name not in first]
    assert names == [*first, *rest]
    assert kc.Report.from_json(found.to_json()) == found
    assert [one["a"] for one in json.loads(found.to_json())["pairs"]] == [a for a, _ in shown(found)]
    groups = [one["group"] for one in build_payload(found)[0]["programs"][0]["report"]["pairs"]]
    assert groups.count("pinned") == len(first)


def test_pins_replace_earlier_ones_and_reach_programs() -> None:
    both = Report(
        verdict=kc.Verdict.CLEAR, t0=0.0, t1=2.0, tolerance=1e-4, pairs=PAIRS, objects=NAMES[1:],
        programs=(report(*PAIRS, program="one"), report(*PAIRS[1:], program="two")),
    )  # fmt: skip
    found = both.pinned("bin").pinned("armoire")
    assert [program.pins for program in found.programs] == [("armoire",)] * 2
    assert all(program.pairs[0].a == "armoire" for program in (found, *found.programs))


@pytest.mark.parametrize(
    ("pin", "message"),
    [
        ("bim", "has no object, link or robot 'bim' to pin; did you mean 'bin'? It has 8 names: bin"),
        ("arm/tipp", "did you mean 'arm/tip'?"),
        ("bin - wal", "'wal' of the pair 'bin - wal' to pin; did you mean 'wall'?"),
        ("ar", "'ar' to pin"),
    ],
)
def test_unknown_names_get_a_suggestion(pin: str, message: str) -> None:
    with pytest.raises(kc.UnknownNameError) as caught:
        report(*PAIRS).pinned(pin)
    assert message in str(caught.value)


def test_what_is_no_name_is_refused() -> None:
    for pin in ("", 3):
        with pytest.raises(kc.ArgumentError, match="pins must be a list of names"):
            report(*PAIRS).pinned(pin)  # type: ignore[arg-type]


def test_own_links_are_those_of_one_robot() -> None:
    groups = [GROUPS[code] for code in groups_of(report(*PAIRS).records, ())]
    assert groups == ["own links", *["surroundings"] * 4]
    two = report(pair("arm/tip", "left/tip", 0.1))
    assert GROUPS[groups_of(two.records, ())[0]] == "surroundings"


def lines(found: Report) -> list[str]:
    return [text for text in map(click.unstyle, summary_lines(found)) if text.startswith("  ")]


def test_the_summary_has_own_links_below_the_surroundings() -> None:
    hit = pair("arm/base", "arm/hand", 0.0, kc.Verdict.COLLIDING)
    found = report(hit, *PAIRS, verdict=kc.Verdict.COLLIDING).pinned("armoire")
    text = [line.split("  ")[1] for line in lines(found)][1:]
    assert text == [
        "pinned:", "armoire - bin - lid", "armoire - wall",
        "with the surroundings:", "arm/hand - wall", "arm/tip - bin",
        "own links:", "arm/base - arm/hand", "arm/base - arm/tip",
    ]  # fmt: skip


def test_one_group_has_no_title_and_pins_without_pairs_are_named() -> None:
    assert not any(":" in line for line in lines(clear_report(pairs=(CLOSE,))))
    found = report(PAIRS[1]).pinned("bin")
    assert "  pinned bin: no pair of it is listed; all are far apart or not checked" in lines(found)
