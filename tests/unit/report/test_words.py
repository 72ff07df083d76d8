"""What a report says in plain words, for each verdict, and that it never says more than is proved."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR

import pytest
from tests.unit.report.example_reports import (
    CLOSE,
    CONTACT,
    FAR,
    OPEN,
    clear_report,
    far_report,
    full_report,
    programs_report,
)

import keepclear as kc
from keepclear.report.parts import FarPairs, Unchecked
from keepclear.report.words import (
    between,
    clearance,
    counted,
    event_of,
    headline,
    length,
    measured,
    overlap_warning,
    pair_sentence,
    shown_warnings,
)


def test_a_contact_is_told_with_all_that_is_known() -> None:
    assert str(full_report()).splitlines() == [
        "COLLIDING: 'arm/forearm' touches 'table' at 1.284 s (1.2838 .. 1.2841 s), p_W = (0.31, 0.02, 0.05) m",
        "  warning: joint 'elbow' is 0.2 rad beyond its limit at 3 s",
        "  undecided: 'arm/hand' - 'table' is undecided from 2 to 2.25 s",
        "  2 pairs proved clear from 0 to 8 s, closest 'arm/hand' - 'part' 4.12 to 4.2 mm at 3.2 s",
        "  not checked: 1 at rest relative to each other; 1 links next to each other; "
        "1 disabled by the robot's SRDF; 'arm/hand' - 'part' from 3.25 s allowed",
        "  at rest, touching or within margin and tolerance (1 mm): 'arm/base' - 'table'",
    ]


def test_clear_pairs_are_told_with_the_closest() -> None:
    text = "CLEAR: 2 pairs proved clear from 0 to 8 s, closest 'arm/hand' - 'part' 4.12 to 4.2 mm at 3.2 s"
    assert str(clear_report()) == text
    assert (
        str(clear_report(pairs=(FAR,))) == "CLEAR: 1 pair proved clear from 0 to 8 s, more than 0.1 m apart"
    )
    unknown = replace(FAR, clearance_lower=0.0)
    assert str(clear_report(pairs=(unknown, FAR))) == "CLEAR: 2 pairs proved clear from 0 to 8 s"
    assert str(clear_report(pairs=())) == "CLEAR: no pair had to be checked from 0 to 8 s"


def test_undecided_is_never_called_clear() -> None:
    report = clear_report(verdict=kc.Verdict.UNDECIDED, pairs=(OPEN, CLOSE))
    assert (
        headline(report) == "UNDECIDED: the budget ended with 1 of 2 pairs undecided, no contact found so far"
    )
    touching = replace(report, pairs=(replace(OPEN, clearance_upper=0.0), CLOSE))
    assert headline(touching).endswith(
        "1 of 2 pairs undecided, but 'arm/hand' - 'table' was found 0 mm apart at 2.125 s"
    )
    stopped = clear_report(verdict=kc.Verdict.UNDECIDED, pairs=(OPEN, CLOSE), interrupted=True)
    assert headline(stopped).startswith("UNDECIDED: the check was stopped with 1 of 2 pairs undecided")
    nothing = clear_report(verdict=kc.Verdict.UNDECIDED, pairs=())
    assert headline(nothing) == "UNDECIDED: nothing was verified"
    assert (
        headline(replace(nothing, interrupted=True))
        == "UNDECIDED: the check was stopped before its first pair"
    )


def test_more_contacts_are_listed_by_time_and_the_first_is_the_earliest() -> None:
    later = [replace(CONTACT, a=f"link {i}", time=9.0 - i, t_lo=9.0 - i, t_hi=9.0 - i) for i in range(6)]
    report = full_report(pairs=(*later, CONTACT))
    assert report.first is CONTACT
    assert str(report).splitlines()[2] == (
        "  6 more contacts: 'link 5' - 'table' at 4 s, 'link 4' - 'table' at 5 s, 'link 3' - 'table' at 6 s, "
        "'link 2' - 'table' at 7 s and 2 more"
    )


def test_programs_have_a_line_each() -> None:
    lines = str(programs_report()).splitlines()
    assert lines[0] == "COLLIDING: 1 of 2 programs collides"
    assert lines[2].startswith("  'good' CLEAR: 2 pairs proved clear")
    assert lines[3].startswith("  'bad' COLLIDING: 'arm/forearm' touches 'table'")
    both = clear_report(programs=(clear_report(program="a"), clear_report(program="b")))
    assert headline(both) == "CLEAR: 2 programs proved clear"
    some = clear_report(
        verdict=kc.Verdict.UNDECIDED,
        programs=(clear_report(), clear_report(verdict=kc.Verdict.UNDECIDED, pairs=(OPEN,))),
    )
    assert headline(some) == "UNDECIDED: 1 of 2 programs is undecided"


def test_a_margin_is_part_of_the_sentence() -> None:
    assert pair_sentence(replace(CONTACT, margin=0.005)).startswith(
        "'arm/forearm' comes within 5 mm of 'table' at"
    )
    assert pair_sentence(CLOSE) == "'arm/hand' - 'part' keeps its margin of 2 mm, 4.12 to 4.2 mm at 3.2 s"


def test_a_narrow_bracket_is_left_out() -> None:
    narrow = replace(CONTACT, time=1.2840312345, t_lo=1.2840312345, t_hi=1.2840312346, contacts=())
    assert pair_sentence(narrow) == "'arm/forearm' touches 'table' at 1.284 s"


def test_windows_are_told_in_full() -> None:
    window = Unchecked(a="a", b="b", reason="ours", t_from=1.0, t_to=2.0)
    assert "not checked: 'a' - 'b' from 1 s until 2 s ours" in str(clear_report(unchecked=(window,)))


@pytest.mark.parametrize(
    ("metres", "rounding", "text"),
    [
        (0.0041299, ROUND_FLOOR, "4.12 mm"),
        (0.0041201, ROUND_CEILING, "4.13 mm"),
        (0.1, None, "0.1 m"),
        (0.0999, None, "0.0999 m"),
        (0.05, None, "50 mm"),
        (1.2345, None, "1.23 m"),
        (0.0, None, "0 mm"),
        (float("inf"), None, "an unknown distance"),
    ],
)
def test_lengths(metres: float, rounding: str | None, text: str) -> None:
    assert length(metres, rounding) == text


def test_a_clearance_claims_no_more_than_is_proved() -> None:
    assert clearance(FAR) == "more than 0.1 m"
    assert clearance(OPEN) == "at most 0.3 mm"
    assert clearance(replace(OPEN, verdict=kc.Verdict.CLEAR)) == "between 0 and 0.3 mm"
    assert clearance(replace(FAR, clearance_lower=0.0)) == ""
    assert clearance(replace(CLOSE, clearance_lower=0.0999999)) == "0.0999 m"


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (0.0399999, 0.0400001, "40 mm"),  # narrower than the last digit: nearest
        (0.0399999, 0.0400999, "39.9 mm"),  # as wide as the last digit: not more than is proved
        (0.0041234, 0.0041235, "4.12 mm"),
        (0.0041251, 0.0041252, "4.13 mm"),
        (0.9996, 0.9999, "1 m"),
        (0.9996, 1.01, "0.999 m"),
        (0.0, 0.001, "0 mm"),
    ],
)
def test_a_length_between_narrow_bounds_is_the_nearest(lower: float, upper: float, text: str) -> None:
    assert measured(lower, upper) == text


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (0.0009375, 0.0013265, "0.937 to 1.33 mm"),
        (0.0399999, 0.0400001, "40 mm"),
        (0.0399999, 0.0401, "39.9 to 40.1 mm"),
        (0.0994, 0.1004, "99.4 mm to 0.101 m"),
        (0.04, float("inf"), "40 mm"),
        (0.0, 0.001, "0 mm"),
    ],
)
def test_bounds_that_differ_are_both_given(lower: float, upper: float, text: str) -> None:
    assert between(lower, upper) == text


def test_the_distance_at_an_instant_is_not_the_lower_bound_of_the_minimum() -> None:
    wide = replace(
        CLOSE, clearance_lower=0.0009375, clearance_upper=0.0013265, clearance_time=4.2, margin=0.0005
    )
    assert pair_sentence(wide) == "'arm/hand' - 'part' keeps its margin of 0.5 mm, 0.937 to 1.33 mm at 4.2 s"
    assert headline(clear_report(pairs=(wide,))).endswith(
        "closest 'arm/hand' - 'part' 0.937 to 1.33 mm at 4.2 s"
    )


def test_events_tell_contacts_from_pairs_that_are_too_close() -> None:
    close = replace(CONTACT, margin=0.01, clearance_upper=0.01, contacts=())
    deep = replace(CONTACT.contacts[0], distance_upper=-0.002)
    assert event_of(CONTACT, 1e-3) == "contact"
    assert event_of(close, 1e-3) == "too close"
    assert event_of(replace(close, contacts=(deep,)), 1e-3) == "contact"
    assert (event_of(OPEN, 1e-3), event_of(CLOSE, 1e-3)) == ("undecided", "clear")
    other = replace(close, b="wall")
    assert "1 more contact, 1 too close: " in str(
        full_report(pairs=(CONTACT, replace(CONTACT, b="box"), other))
    )
    assert "1 more too close: " in str(full_report(pairs=(CONTACT, other)))


def test_many_overlaps_at_rest_are_one_line_after_other_warnings() -> None:
    states = ["they overlap by 20 mm", "they overlap by 0.12 m", *["they overlap by 1e-05 mm"] * 4]
    overlaps = [overlap_warning(f"a{k}", "b", text, "nothing moves") for k, text in enumerate(states)]
    limits = "bot: joint 'drive' gets to 10 m, above its limit 9 m"
    assert shown_warnings([*overlaps[:4], limits]) == [limits, *overlaps[:4]]
    report = clear_report(warnings=(*overlaps, limits))
    assert str(report).splitlines()[1:3] == [
        f"  warning: {limits}",
        "  warning: 6 pairs at rest overlap by up to 0.12 m, and this is not checked: "
        "'a0' and 'b', 'a1' and 'b', 'a2' and 'b', 'a3' and 'b' and 2 more",
    ]
    assert len(report.warnings) == 7
    state = "they overlap, probably by more than 1 mm"
    unknown = overlap_warning("c", "d", state, "they first move at 1 s")
    assert "7 pairs at rest overlap by 0.12 m or more, and" in shown_warnings([*overlaps, unknown])[0]
    meshes = [unknown.replace("'c'", f"'c{k}'") for k in range(5)]
    assert shown_warnings(meshes)[0].startswith(
        "5 pairs at rest overlap, and this is not checked: 'c0' and 'd', "
    )


def test_names_cannot_forge_lines() -> None:
    forged = replace(CONTACT, a="x\nCLEAR: all fine")
    assert len(str(clear_report(verdict=kc.Verdict.COLLIDING, pairs=(forged,))).splitlines()) == 1


def test_a_report_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(clear_report())
    assert repr(clear_report()) == "Report(CLEAR, 2 pairs, 0 .. 8 s)"
    assert repr(programs_report()) == "Report(COLLIDING, 6 pairs, 0 .. 8 s, 2 programs)"


def test_a_pair_prints_as_a_sentence_and_its_curve_shortly() -> None:
    assert str(FAR) == "CLEAR: 'arm/base' - 'part' stays apart, more than 0.1 m"
    assert repr(CONTACT.curve) == "Curve(9 instants, at least 0.0395 m)"


@pytest.mark.parametrize(("verdict", "code"), [("CLEAR", 0), ("COLLIDING", 1), ("UNDECIDED", 3)])
def test_exit_codes(verdict: str, code: int) -> None:
    assert clear_report(verdict=kc.Verdict[verdict]).exit_code == code


def test_far_pairs_are_counted() -> None:
    assert headline(far_report()) == (
        "CLEAR: 14 pairs proved clear from 0 to 8 s, 2 come near, closest 'arm/hand' - 'part' 4.12 to 4.2 mm at 3.2 s"
    )
    assert repr(far_report()) == "Report(CLEAR, 14 pairs, 0 .. 8 s)"
    many = FarPairs(count=1_999_000, bound=0.1)
    text = "CLEAR: 1 999 000 pairs proved clear from 0 to 8 s, none comes near"
    assert headline(far_report(far=many, pairs=())) == f"{text}, all more than 0.1 m apart"
    assert headline(far_report(far=replace(many, bound=0.0), pairs=())) == text
    one = headline(far_report(far=replace(many, bound=0.05), pairs=(FAR,)))
    assert one.endswith("1 999 001 pairs proved clear from 0 to 8 s, 1 comes near, all more than 50 mm apart")
    unknown = headline(far_report(far=many, pairs=(replace(FAR, clearance_lower=0.0),)))
    assert unknown.endswith("proved clear from 0 to 8 s, 1 comes near")
    assert (counted(9_999, "pair"), counted(10_000, "pair"), counted(1, "pair")) == (
        "9999 pairs",
        "10 000 pairs",
        "1 pair",
    )


def test_far_pairs_do_not_hide_what_is_open_or_touches() -> None:
    open_ = far_report(verdict=kc.Verdict.UNDECIDED, pairs=(OPEN, CLOSE))
    assert (
        headline(open_) == "UNDECIDED: the budget ended with 1 of 14 pairs undecided, no contact found so far"
    )
    touching = far_report(verdict=kc.Verdict.COLLIDING, pairs=(CONTACT,))
    assert str(touching).splitlines()[1] == (
        "  12 pairs proved clear from 0 to 8 s, none comes near, all more than 0.1 m apart"
    )
    stopped = far_report(verdict=kc.Verdict.UNDECIDED, pairs=(), far=None, interrupted=True)
    assert headline(stopped) == "UNDECIDED: the check was stopped before its first pair"
