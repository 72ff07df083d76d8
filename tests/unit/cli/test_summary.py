"""The lines that a command prints about a report."""

from __future__ import annotations

from dataclasses import replace

import click
import pytest
from tests.unit.cli import reports

from keepclear.cli.progress import columns_of
from keepclear.cli.summary import SHOWN_PAIRS, summary_lines
from keepclear.report.parts import Assumption, FarPairs, PairReport, Unchecked
from keepclear.report.report import Report


def lines(report: Report) -> list[str]:
    """The lines as a pipe gets them."""
    return [click.unstyle(line) for line in summary_lines(report)]


def test_warnings_come_first_and_then_the_verdict() -> None:
    for report, start in (
        (reports.clear, "CLEAR: 3 pairs proved clear"),
        (reports.colliding, "COLLIDING: 'arm/hand' touches 'arch' at 2.0625 s"),
        (reports.undecided, "UNDECIDED: the check was stopped with 1 of 4 pairs undecided"),
    ):
        assert lines(report)[0] == "cell.yaml"
        assert lines(report)[1] == "warning: 'pick.csv' leaves the limits of joint_2"
        assert lines(report)[2].startswith(start)
        assert lines(replace(report, warnings=()))[1].startswith(start)


def test_the_closest_pairs_are_a_table() -> None:
    shown = lines(reports.colliding)
    top = next(k for k, line in enumerate(shown) if line.split()[:2] == ["pair", "result"])
    assert [" ".join(line.split()) for line in shown[top : top + 3]] == [
        "pair result minimum distance margin slack at",
        "arm/hand - arch touches 0 mm 0 mm 0 mm 2.0625 s",
        "arm/wrist - arch clear 25 mm 0 mm 25 mm 3.0000 s",
    ]
    assert shown[top + 3].strip() == "and 1 more pair, proved clear, by at least 0.1 m"
    assert len({line.index("s", 40) for line in shown[top + 1 : top + 3]}) == 1  # columns line up


def test_columns_line_up_behind_wide_characters() -> None:
    pairs = (replace(reports.CONTACT, a="机器人/hand"), *reports.colliding.pairs[1:])
    shown = lines(replace(reports.colliding, pairs=pairs))
    top = next(k for k, line in enumerate(shown) if line.split()[:2] == ["pair", "result"])
    starts = [columns_of(line.partition(word)[0]) for line, word in
              zip(shown[top : top + 3], ("result", "touches", "clear"), strict=True)]  # fmt: skip
    assert len(set(starts)) == 1


def test_a_margin_and_an_open_pair_are_told() -> None:
    near = replace(reports.colliding, pairs=(replace(reports.CONTACT, margin=0.005),))
    assert "may touch  at most 5 mm      5 mm    at most 0 mm  2.0625 s" in "\n".join(lines(near))
    assert lines(near)[2].startswith("COLLIDING: 'arm/hand' comes within 5 mm of 'arch' at 2.0625 s")
    assert "undecided  unknown           0 mm    unknown          1.5000 s to 8.0000 s" in "\n".join(
        lines(reports.undecided)
    )


def searched(a: str, upper: float, margin: float) -> PairReport:
    """Return a pair whose contacts were all searched, at most `upper` apart."""
    contact = replace(reports.CONTACT.contacts[0], distance_upper=upper)
    return replace(reports.CONTACT, a=a, margin=margin, contacts=(contact,))


def test_touching_and_too_close_pairs_are_apart_and_sorted_by_urgency() -> None:
    pairs = (
        replace(searched("close", 0.002, 0.005), time=1.0),
        replace(searched("deep", -0.04 + 1e-14, 0.005), time=2.0),
        replace(searched("touching", 0.0, 0.0), time=3.0),
        replace(reports.pair("free", "arch", 0.03), margin=0.01, clearance_upper=0.03005),
    )
    shown = lines(replace(reports.colliding, pairs=pairs))
    assert (
        shown[2]
        == "COLLIDING: 'deep' comes within 5 mm of 'arch' at 2 s (2.0624 .. 2.0625 s), and then touches it"
    )
    assert [" ".join(line.split()) for line in shown if " - arch " in line] == [
        "deep - arch touches 0 mm, at least 40 mm deep 5 mm -45 mm 2.0000 s",
        "touching - arch touches 0 mm 0 mm 0 mm 3.0000 s",
        "close - arch too close at most 2 mm 5 mm -3 mm 1.0000 s",
        "free - arch clear 30 mm 10 mm 20 mm 3.0000 s",
    ]


def test_a_report_in_which_nothing_touches_is_too_close() -> None:
    close = replace(reports.colliding, pairs=(searched("hand", 0.002, 0.005), *reports.colliding.pairs[1:]))
    assert lines(close)[2].startswith("TOO CLOSE: 'hand' comes within 5 mm of 'arch' at 2.0625 s")
    assert (close.verdict.value, close.exit_code) == ("COLLIDING", 1)
    programs = (replace(close, program="one"), replace(reports.clear, program="two"))
    assert lines(replace(reports.both, programs=programs))[-1] == "TOO CLOSE: 1 of 2 programs comes too close"
    programs = (*programs, replace(reports.colliding, program="three"))
    mixed = lines(replace(reports.both, programs=programs))
    assert mixed[-1] == "COLLIDING: 1 of 3 programs collides, 1 comes too close"


def test_a_pair_that_is_not_clear_is_never_hidden_among_clear_ones() -> None:
    pairs = tuple(replace(reports.CONTACT, a=f"arm/{k}") for k in range(3 * SHOWN_PAIRS))
    shown = lines(replace(reports.colliding, pairs=pairs))
    assert sum("touches  0 mm" in line for line in shown) == 2 * SHOWN_PAIRS
    assert f"  and {SHOWN_PAIRS} more pairs, of which {SHOWN_PAIRS} are not clear" in shown


def test_what_was_not_checked_is_told_with_its_reason() -> None:
    window = Unchecked(a="cart", b="part", reason="allowed", detail="it stands on it", t_to=4.1)
    shown = lines(replace(reports.clear, unchecked=(*reports.clear.unchecked, window)))
    assert (
        "not checked (at rest relative to each other): 1 pair: arm/base - table (touching or nearly)" in shown
    )
    assert "not checked (disabled by the robot's SRDF): 1 pair: arm/base - arm/turret" in shown
    assert "not checked (it stands on it, until 4.1 s): 1 pair: cart - part" in shown


def test_assumptions_warnings_and_the_stop_are_told() -> None:
    shown = lines(reports.undecided)
    assert "assumed: arm: straight lines between the rows" in shown
    assert "warning: 'pick.csv' leaves the limits of joint_2" in shown
    assert shown[-1] == "stopped before the end; pairs that are still open are UNDECIDED"
    judged = lines(replace(reports.clear, interrupted=True))
    assert judged[-1] == "stopped before the end; all pairs are checked, but some distances may be missing"
    many = lines(replace(reports.clear, warnings=tuple(f"number {k}" for k in range(20))))
    assert many[1:13] == [f"warning: number {k}" for k in range(12)]
    assert many[13] == "warning: 8 more, in the files of the report"


def test_what_is_assumed_about_many_is_one_line() -> None:
    """Each text once, with its subjects; what programs share stays apart from what one of them assumes."""
    straight, kept = "it goes straight", "it stands still"
    assumed = [Assumption(kind="interpolation", subject=name, text=straight) for name in "abcdef"]
    assumed += [
        Assumption(kind="hold", subject="a", text=kept),
        Assumption(kind="unit", subject="", text="in metres"),
    ]
    shown = [line for line in lines(replace(reports.clear, assumptions=tuple(assumed))) if "assumed" in line]
    assert shown == [
        f"assumed: a, b, c, d and 2 more: {straight}", f"assumed: a: {kept}", "assumed: in metres"
    ]  # fmt: skip
    first, second = reports.both.programs
    programs = (
        replace(first, assumptions=tuple(assumed[:2])),
        replace(second, assumptions=tuple(assumed[1:4])),
    )
    shown = [line for line in lines(replace(reports.both, programs=programs)) if "assumed" in line]
    assert shown == [f"  assumed: a: {straight}", f"  assumed: c, d: {straight}", f"assumed: b: {straight}"]


def test_pairs_with_the_least_left_come_first() -> None:
    """30 mm are little beside a margin of 29 mm, and 5 mm much beside none."""
    tight = replace(reports.pair("tight", "arch", 0.03), margin=0.029)
    loose = reports.pair("loose", "arch", 0.005)
    shown = lines(replace(reports.clear, pairs=(loose, tight)))
    assert [line.split()[0] for line in shown if line.split()[2:4] == ["arch", "clear"]] == ["tight", "loose"]


def test_each_program_has_its_verdict_and_the_worst_is_the_last() -> None:
    shown = lines(reports.both)
    starts = [line for line in shown if line.startswith(("pick", "COLLIDING", "CLEAR"))]
    assert [line.split()[:2] for line in starts] == [
        ["pick:", "COLLIDING:"],
        ["pick-corrected:", "CLEAR:"],
        ["COLLIDING:", "1"],
    ]


def test_what_programs_share_is_told_once() -> None:
    other = replace(reports.both.programs[1], unchecked=(reports.RESTING,))
    shown = lines(replace(reports.both, programs=(reports.both.programs[0], other)))
    assert sum("arm/base - table (touching or nearly)" in line for line in shown) == 1
    assert "assumed: arm: straight lines between the rows" in shown
    own = next(k for k, line in enumerate(shown) if "disabled by the robot's SRDF" in line)
    assert shown[own].startswith("  not checked")
    assert own < next(k for k, line in enumerate(shown) if line.startswith("pick-corrected"))


@pytest.mark.parametrize(
    ("report", "colour"), [(reports.clear, 32), (reports.colliding, 31), (reports.undecided, 33)]
)
def test_the_verdict_has_its_colour(report: Report, colour: int) -> None:
    assert list(summary_lines(report))[2].startswith(f"\x1b[{colour}m\x1b[1m{report.verdict.value}\x1b[0m")


def test_far_pairs_are_counted_below_the_table() -> None:
    far = FarPairs(count=1_998_997, bound=0.05)
    shown = lines(replace(reports.clear, far=far))
    assert any(
        line.startswith("CLEAR: 1 999 000 pairs proved clear from 0 to 8 s, 3 come near") for line in shown
    )
    assert "  and 1 998 998 more pairs, proved clear, by at least 50 mm" in shown
    bare = lines(replace(reports.clear, pairs=(), far=replace(far, bound=0.0)))
    assert "  and 1 998 997 more pairs, proved clear" in bare
    stopped = lines(replace(reports.clear, pairs=(), far=far, interrupted=True))
    assert stopped[-1] == "stopped before the end; all pairs are checked, but some distances may be missing"
