"""What the library says about a small world of rules, compared with what is promised."""

from dataclasses import dataclass
from fractions import Fraction
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

    def add(self, kind: str, door: str, a: str, b: str, words: str) -> None:
        self.faults.append(Fault(kind, door, f"{a} - {b}", words))


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
    listed = {frozenset((pair.a, pair.b)) for pair in report.unchecked if pair.reason == "at rest"}
    earliest = report.first.time if report.first is not None else None
    for key, truth in expected.items():
        pair = judged.pop(key, None)
        if pair is None or pair.verdict is kc.Verdict.CLEAR:
            if truth.must:
                said = "CLEAR" if pair else f"not checked, listed: {key in listed}"
                tally.add("miss", door, truth.a, truth.b, f"{said}, but in contact at {text(truth.must)}")
            elif pair is None and truth.checked and truth.least:
                tally.add(
                    "listing", door, truth.a, truth.b, f"not checked, listed: {key in listed}, but it moves"
                )
        elif pair.verdict is kc.Verdict.COLLIDING:
            check_contacts(spec, pair, truth, contacts, tally, door)
        elif contacts != "earliest" or earliest is None or pair.t_lo < earliest - SLOP:
            tally.add(
                "undecided", door, truth.a, truth.b, f"from {pair.t_lo} s, contact is at {text(truth.must)}"
            )
        elif truth.must and truth.must[0][0] < pair.t_lo - SLOP:
            tally.add(
                "miss",
                door,
                truth.a,
                truth.b,
                f"undecided from {pair.t_lo} s, but in contact at {text(truth.must)}",
            )
        if pair is not None:
            check_clearance(spec, pair, truth, tally, door)
        check_listing(spec, report, key, key in listed, truth, tally, door)
    for pair in judged.values():
        tally.add("error", door, pair.a, pair.b, "there is no such pair")
    worst = [kc.Verdict.COLLIDING, kc.Verdict.UNDECIDED, kc.Verdict.CLEAR]
    if report.verdict is not next(
        (v for v in worst if any(p.verdict is v for p in report.pairs)), kc.Verdict.CLEAR
    ):
        tally.faults.append(
            Fault("error", door, "all pairs", f"{report.verdict.name} is not the worst of its pairs")
        )


def check_contacts(spec: Spec, pair: Any, truth: Expected, contacts: str, tally: Tally, door: str) -> None:
    """Whether a contact is one, and whether none is before it."""
    if not truth.may:
        tally.add(
            "false alarm",
            door,
            truth.a,
            truth.b,
            f"COLLIDING at {pair.time} s, but never closer than allowed",
        )
        return
    if not pair.t_lo <= pair.time <= pair.t_hi:
        tally.add(
            "time",
            door,
            truth,
            f"t_lo = {pair.t_lo}, time = {pair.time}, t_hi = {pair.t_hi} are not in order",
        )
    for one in pair.contacts:
        if not holds(truth.may, one.time, SLOP):
            tally.add(
                "false alarm",
                door,
                truth.a,
                truth.b,
                f"COLLIDING at {one.time} s, but only so at {text(truth.may)}",
            )
    if truth.must and pair.t_lo > truth.must[0][0] + SLOP:
        tally.add(
            "miss",
            door,
            truth.a,
            truth.b,
            f"proved apart until {pair.t_lo} s, but in contact at {text(truth.must)}",
        )
    if truth.must and pair.time > next(end for start, end in truth.must) + SLOP:
        tally.add(
            "time",
            door,
            truth.a,
            truth.b,
            f"the contact at {text(truth.must)} is said to begin at {pair.time} s",
        )
    if contacts == "all":
        check_all(spec, pair, truth, tally, door)


def check_all(spec: Spec, pair: Any, truth: Expected, tally: Tally, door: str) -> None:
    """Whether all contacts are covered; one without an end goes on while the pair is checked without a break."""
    said: Times = []
    for one in pair.contacts:
        end = next(
            (end for start, end in truth.checked if start - SLOP <= one.time <= end + SLOP), spec.interval[1]
        )
        said.append((Fraction(one.t_lo), end if one.t_end is None else Fraction(one.t_end)))
    slop = Fraction(SLOP)
    missed = without(truth.must, union((start - slop, end + slop) for start, end in said))
    if missed:
        tally.add("miss", door, truth.a, truth.b, f"contacts {text(said)} leave out {text(missed)}")


def check_clearance(spec: Spec, pair: Any, truth: Expected, tally: Tally, door: str) -> None:
    """Bounds of the least distance while the pair is checked; path tolerances are not part of it."""
    if truth.least is None:
        return
    if pair.clearance_lower is not None and pair.clearance_lower > truth.least + ROUNDING:
        tally.add(
            "clearance",
            door,
            truth.a,
            truth.b,
            f"lower = {pair.clearance_lower}, but it is {float(truth.least):.9g} m",
        )
    whole = truth.checked == [spec.interval]
    if pair.clearance_upper is not None and whole and pair.verdict is kc.Verdict.CLEAR:
        if pair.clearance_upper < truth.least - ROUNDING:
            tally.add(
                "clearance",
                door,
                truth,
                f"upper = {pair.clearance_upper}, but it is {float(truth.least):.9g} m",
            )
        if pair.clearance_upper - pair.clearance_lower > spec.tolerance + ROUNDING:
            words = f"{pair.clearance_lower} to {pair.clearance_upper} m is more than the tolerance"
            tally.add("clearance", door, truth.a, truth.b, words)


def check_listing(
    spec: Spec, report: Any, key: frozenset[str], is_listed: bool, truth: Expected, tally: Tally, door: str
) -> None:
    """Whether pairs that are not checked are listed, and deep overlaps among them are warnings."""
    if truth.is_exempt:
        return
    if truth.exempt and truth.depth > ROUNDING and not is_listed:
        tally.add(
            "listing",
            door,
            truth.a,
            truth.b,
            f"in contact at the start ({text(truth.exempt)}), but not listed",
        )
    if (
        is_listed
        and not truth.exempt
        and truth.least is not None
        and truth.least > truth.margin + 2 * spec.tolerance
    ):
        tally.add(
            "listing", door, truth.a, truth.b, "listed as at rest, but it is checked at all times and apart"
        )
    warned = [words for words in report.warnings if all(f"'{name}'" in words for name in key)]
    if truth.depth > spec.tolerance + ROUNDING and not warned:
        tally.add(
            "warning",
            door,
            truth.a,
            truth.b,
            f"no warning about a listed overlap of {float(truth.depth):.6g} m",
        )


def check_first_contacts(spec: Spec, world: Any, pairs: list[Pair], tally: Tally) -> None:
    """`World.first_contact`, which knows no windows and no rests."""
    t0, t1 = spec.interval
    door = "first_contact"
    for pair in pairs:
        near = times_within(pair.solid, pair.relative, pair.margin - ROUNDING, t0, t1)
        a, b = pair.a.name, pair.b.name
        said = world.first_contact(a, b, float(spec.tolerance), t0=float(t0), t1=float(t1))
        if said.verdict is kc.Verdict.UNDECIDED:
            tally.add("undecided", door, a, b, f"from {said.t_lo} s")
        elif said.verdict is kc.Verdict.CLEAR:
            if near:
                tally.add("miss", door, a, b, f"CLEAR, but in contact at {text(near)}")
        elif not holds(pair.may_near, said.time, SLOP):
            words = f"COLLIDING at {said.time} s, but only so at {text(pair.may_near)}"
            tally.add("false alarm", door, a, b, words)
        elif near and said.t_lo > near[0][0] + SLOP:
            tally.add("miss", door, a, b, f"proved apart until {said.t_lo} s, but in contact at {text(near)}")
        if said.verdict is kc.Verdict.COLLIDING and not said.t_lo <= said.time <= said.t_hi:
            tally.add("time", door, a, b, f"{said.t_lo}, {said.time}, {said.t_hi} s are not in order")


def check_instants(spec: Spec, world: Any, pairs: list[Pair], tally: Tally, count: int = 3) -> None:
    """`World.collisions` at some instants that are on no edge of a window."""
    t0, t1 = spec.interval
    for k in range(count):
        t = t0 + (t1 - t0) * Fraction(2 * k + 1, 2 * count) + Fraction(1, 1024)
        said = {frozenset(pair) for pair in world.collisions(float(t))}
        for pair in pairs:
            a, b = pair.a, pair.b
            near = may = False
            if not (
                spec.is_robot_pair(a, b) or not spec.is_selected(a, b) or holds(spec.allowed_times(a, b), t)
            ):
                distance = signed_distance(pair.solid, pair.relative.at(t))
                near = distance < pair.margin - ROUNDING
                may = distance < pair.margin + pair.largest_offset(t, t) + ROUNDING
            found = frozenset((a.name, b.name)) in said
            if near and not found:
                tally.add("miss", "collisions", a.name, b.name, f"not in contact at {float(t)} s, but it is")
            if found and not may:
                tally.add(
                    "false alarm", "collisions", a.name, b.name, f"in contact at {float(t)} s, but it is not"
                )
