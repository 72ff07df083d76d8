"""Compares the results of the library for a small world of rules with its guarantees."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path as File
from typing import Any

from tests.oracles.rule_library import library_world
from tests.oracles.rule_paths import signed_distance, times_within
from tests.oracles.rule_spec import Spec
from tests.oracles.rule_times import Times, holds, text, union, without
from tests.oracles.rule_truth import ROUNDING, Expected, Pair, all_pairs, expectation

import keepclear as kc

SLOP = 1e-7  # of instants: distances change by less than the rounding of coordinates in this [s]
CONTACTS = ("first", "earliest", "all")


@dataclass(frozen=True)
class Fault:
    """A promise that was not kept: miss, false alarm, undecided, time, clearance, listing, warning or error."""

    kind: str
    door: str
    pair: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind.upper()} {self.door} {self.pair}: {self.text}"


@dataclass
class Tally:
    """Faults and counts of one world."""

    faults: list[Fault]
    pairs: int = 0
    contacts: int = 0

    def add(self, kind: str, words: str, *, door: str, a: str, b: str) -> None:
        self.faults.append(Fault(kind, door, f"{a} - {b}", words))


Say = Callable[[str, str], None]  # kind and words of a fault


def check_spec(spec: Spec, folder: File, contacts: str = "first") -> Tally:
    """Ask everything about one world."""
    pairs = all_pairs(spec)
    expected = {frozenset((pair.a.name, pair.b.name)): expectation(pair) for pair in pairs}
    tally = Tally([], len(pairs), sum(bool(one.must) for one in expected.values()))
    world = library_world(spec, folder)
    report = world.verify(
        None if spec.t0 is None else float(spec.t0),
        None if spec.t1 is None else float(spec.t1),
        tolerance=float(spec.tolerance),
        contacts=contacts,
        threads=1,
    )
    check_report(spec, report, expected, contacts, tally)
    check_first_contacts(spec, world, pairs, tally)
    check_instants(spec, world, pairs, tally)
    return tally


def check_report(
    spec: Spec, report: Any, expected: dict[frozenset[str], Expected], contacts: str, tally: Tally
) -> None:
    """Verdicts, times, clearances, listed pairs and warnings of `verify`."""
    door = f"verify({contacts})"
    judged = {frozenset((pair.a, pair.b)): pair for pair in report.pairs}
    for key, truth in expected.items():
        say = partial(tally.add, door=door, a=truth.a, b=truth.b)
        check_pair(spec, report, judged.pop(key, None), truth, contacts, say)
    for pair in judged.values():
        tally.add("error", "there is no such pair", door=door, a=pair.a, b=pair.b)
    worst = [kc.Verdict.COLLIDING, kc.Verdict.UNDECIDED, kc.Verdict.CLEAR]
    verdict = next((v for v in worst if any(pair.verdict is v for pair in report.pairs)), kc.Verdict.CLEAR)
    if report.verdict is not verdict:
        words = f"{report.verdict.name}, but the worst of its pairs is {verdict.name}"
        tally.add("error", words, door=door, a="all", b="all")


def check_pair(spec: Spec, report: Any, pair: Any, truth: Expected, contacts: str, say: Say) -> None:
    """One pair of the report, or None where the report has no verdict about it."""
    is_listed = any(
        {one.a, one.b} == {truth.a, truth.b} for one in report.unchecked if one.reason == "at rest"
    )
    earliest = report.first.time if contacts == "earliest" and report.first is not None else None
    if pair is None or pair.verdict is kc.Verdict.CLEAR:
        if truth.must:
            verdict = "CLEAR" if pair else f"not checked, listed: {is_listed}"
            say("miss", f"{verdict}, but in contact at {text(truth.must)}")
        elif pair is None and truth.checked and truth.starts_apart:
            say("listing", f"not checked, listed: {is_listed}, but it moves")
    elif pair.verdict is kc.Verdict.COLLIDING:
        check_contacts(spec, pair, truth, contacts, say)
    elif earliest is None or pair.t_lo < earliest - SLOP:
        say("undecided", f"from {pair.t_lo} s, contact is at {text(truth.must)}")
    elif truth.must and truth.must[0][0] < pair.t_lo - SLOP:
        say("miss", f"undecided from {pair.t_lo} s, but in contact at {text(truth.must)}")
    if pair is not None:
        check_clearance(spec, pair, truth, say)
    if not truth.is_exempt:
        check_listing(spec, report, is_listed, truth, say)


def check_contacts(spec: Spec, pair: Any, truth: Expected, contacts: str, say: Say) -> None:
    """Whether a contact is one, and whether none is before it."""
    if not truth.may:
        say("false alarm", f"COLLIDING at {pair.time} s, but never closer than allowed")
        return
    if not pair.t_lo <= pair.time <= pair.t_hi:
        say("time", f"t_lo = {pair.t_lo}, time = {pair.time}, t_hi = {pair.t_hi} are not in order")
    for one in pair.contacts:
        if not holds(truth.may, one.time, SLOP):
            say("false alarm", f"COLLIDING at {one.time} s, but only so at {text(truth.may)}")
    if truth.must and pair.t_lo > truth.must[0][0] + SLOP:
        say("miss", f"proved apart until {pair.t_lo} s, but in contact at {text(truth.must)}")
    if truth.must and pair.time > truth.must[0][1] + SLOP:
        say("time", f"the contact at {text(truth.must)} is said to begin at {pair.time} s")
    if contacts == "all":
        check_all(spec, pair, truth, say)


def check_all(spec: Spec, pair: Any, truth: Expected, say: Say) -> None:
    """Whether all contacts are covered; one without an end goes on until the pair is surely apart while checked.

    A contact may contain separations that are shorter than its sampling: it goes on until its `t_last` at least.
    """
    contacts: Times = []
    apart = without(truth.checked, truth.may)
    for one in pair.contacts:
        end = min((start for start, _ in apart if start > one.time), default=spec.interval[1])
        if one.t_last is not None:
            end = max(end, Fraction(one.t_last))
        until = end if one.t_end is None else Fraction(one.t_end)
        contacts.append((Fraction(one.t_lo), until))
    slop = Fraction(SLOP)
    missed = without(truth.must, union((start - slop, end + slop) for start, end in contacts))
    if missed:
        say("miss", f"contacts {text(contacts)} leave out {text(missed)}")


def check_clearance(spec: Spec, pair: Any, truth: Expected, say: Say) -> None:
    """Bounds of the minimum distance while the pair is checked; path tolerances are not part of it."""
    if truth.least is None or pair.verdict is kc.Verdict.UNDECIDED:
        return
    lower, upper = pair.clearance_lower, pair.clearance_upper
    if lower is not None and lower > truth.least + ROUNDING:
        say("clearance", f"lower = {lower}, but it is {float(truth.least):.9g} m")
    whole = truth.checked == [spec.interval]
    if upper is not None and whole and pair.verdict is kc.Verdict.CLEAR:
        if upper < truth.least - ROUNDING:
            say("clearance", f"upper = {upper}, but it is {float(truth.least):.9g} m")
        if upper - lower > spec.tolerance + ROUNDING:
            say("clearance", f"{lower} to {upper} m is more than the tolerance")


def check_listing(spec: Spec, report: Any, is_listed: bool, truth: Expected, say: Say) -> None:
    """Whether pairs that are not checked are listed, and deep overlaps among them are warnings."""
    if truth.exempt and truth.depth > ROUNDING and not is_listed:
        say("listing", f"in contact at the start ({text(truth.exempt)}), but not listed")
    if is_listed and truth.starts_apart:
        say("listing", "listed as at rest, but it is apart at the start")
    is_warned = any(f"'{truth.a}'" in words and f"'{truth.b}'" in words for words in report.warnings)
    if truth.depth > spec.tolerance + ROUNDING and not is_warned:
        say("warning", f"no warning about a listed overlap of {float(truth.depth):.6g} m")


def check_first_contacts(spec: Spec, world: Any, pairs: list[Pair], tally: Tally) -> None:
    """`World.first_contact`, which knows no windows and no rests."""
    t0, t1 = spec.interval
    for pair in pairs:
        near = times_within(pair.solid, pair.relative, pair.margin - ROUNDING, t0, t1)
        found = world.first_contact(
            pair.a.name, pair.b.name, float(spec.tolerance), t0=float(t0), t1=float(t1)
        )
        say = partial(tally.add, door="first_contact", a=pair.a.name, b=pair.b.name)
        if found.verdict is kc.Verdict.UNDECIDED:
            say("undecided", f"from {found.t_lo} s")
        elif found.verdict is kc.Verdict.CLEAR:
            if near:
                say("miss", f"CLEAR, but in contact at {text(near)}")
        elif not holds(pair.may_near, found.time, SLOP):
            say("false alarm", f"COLLIDING at {found.time} s, but only so at {text(pair.may_near)}")
        elif near and found.t_lo > near[0][0] + SLOP:
            say("miss", f"proved apart until {found.t_lo} s, but in contact at {text(near)}")
        if found.verdict is kc.Verdict.COLLIDING and not found.t_lo <= found.time <= found.t_hi:
            say("time", f"{found.t_lo}, {found.time}, {found.t_hi} s are not in order")


def check_instants(spec: Spec, world: Any, pairs: list[Pair], tally: Tally, count: int = 3) -> None:
    """`World.collisions` at some instants that are on no edge of a window."""
    t0, t1 = spec.interval
    for k in range(count):
        t = t0 + (t1 - t0) * Fraction(2 * k + 1, 2 * count) + Fraction(1, 1024)
        touching = {frozenset(pair) for pair in world.collisions(float(t))}
        for pair in pairs:
            a, b = pair.a, pair.b
            near = may = False
            if (
                spec.is_selected(a, b)
                and not spec.is_robot_pair(a, b)
                and not holds(spec.allowed_times(a, b), t)
            ):
                distance = signed_distance(pair.solid, pair.relative.at(t))
                near = distance < pair.margin - ROUNDING
                may = distance < pair.margin + pair.largest_offset(t, t) + ROUNDING
            found = frozenset((a.name, b.name)) in touching
            say = partial(tally.add, door="collisions", a=a.name, b=b.name)
            if near and not found:
                say("miss", f"not in contact at {float(t)} s, but it is")
            if found and not may:
                say("false alarm", f"in contact at {float(t)} s, but it is not")
