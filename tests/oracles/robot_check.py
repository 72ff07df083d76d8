"""Compares a report about a world with the truth, pair by pair, and lists its errors."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from tests.oracles.contact_time import point_distance
from tests.oracles.robot_paths import JointPath
from tests.oracles.robot_random import Scene
from tests.oracles.robot_urdf import Arm
from tests.oracles.robot_world import Item, Machine, Pair, item_on_link

import keepclear as kc

SLACK = 1e-12  # of a few metres, for what the library rounds: poses and points
NEAR = 1e-9  # what the searches of the truth leave open [m]
Windows = Sequence[tuple[float, float]]  # when a pair is judged


def names(pair: Any) -> frozenset[str]:
    return frozenset((pair.a, pair.b))


def contact_intervals(pair: Pair, margin: float, windows: Windows, most: int = 20_000) -> tuple[float, float]:
    """Until when a pair is clear for sure, and when it surely touches (nan if never), within the windows."""
    for t0, t1 in windows:
        found = pair.within(t0, t1).first_contact(margin, resolution=1e-9, most=most)
        if not np.isnan(found.contact_at) or found.clear_until < t1:
            return found.clear_until, found.contact_at
    return windows[-1][1], np.nan


def pair_faults(
    found: Any, pair: Pair, *, tolerance: float, margin: float = 0.0, windows: Windows | None = None
) -> Iterator[str]:
    """Everything that is wrong with the verdict, the bracket and the contact of one pair."""
    windows = windows or [(pair.t0, pair.t1)]
    if found.margin != margin:
        yield f"margin {found.margin!r} and not {margin!r}"
    if found.verdict is kc.Verdict.UNDECIDED:
        yield f"undecided on [{found.t_lo!r}, {found.t_hi!r}]"
        return
    _, contact_at = contact_intervals(pair, margin, windows)
    if found.verdict is kc.Verdict.CLEAR:
        if not np.isnan(contact_at):
            yield f"MISSED: called clear, but in contact at {contact_at!r}"
        if found.time is not None or found.contacts:
            yield "clear, but with a time or contacts"
        if found.t_lo not in (windows[-1][1], pair.t1):
            yield f"clear until {found.t_lo!r} and not until {windows[-1][1]!r}"
        return
    if found.time is None or not (windows[0][0] <= found.t_lo <= found.time <= found.t_hi <= windows[-1][1]):
        yield f"times {found.t_lo!r}, {found.time!r}, {found.t_hi!r} are not in order within the interval"
        return
    if found.t_lo > contact_at:
        yield f"MISSED: t_lo is {found.t_lo - contact_at:.3g} s after contact at {contact_at!r}"
    here = float(pair.distances([found.time])[0][0])
    if here > margin + tolerance + NEAR:
        yield f"FALSE: at {found.time!r} the distance is {here:.9g}"
    if not any(t0 <= found.time <= t1 for t0, t1 in windows):
        yield f"contact at {found.time!r}, when nobody asked"
    yield from contact_faults(found, pair, tolerance + margin)


def contact_faults(found: Any, pair: Pair, within: float) -> Iterator[str]:
    """The contacts are those of the pair, and their points are close to both bodies."""
    if not found.contacts:
        yield "colliding, but without a contact"
        return
    first = found.contacts[0]
    if (first.time, first.t_lo, first.t_hi) != (found.time, found.t_lo, found.t_hi):
        yield f"the first contact is {first}, and not that of the pair"
    for contact in found.contacts:
        if contact.p_W is None:
            continue
        for item in (pair.a, pair.b):
            off = away_from(item, contact.time, contact.p_W)
            if off > within + SLACK:
                yield f"p_W at {contact.time!r} is {off:.3g} off {item.name}"
        n = contact.normal_W
        if n is not None and abs(np.linalg.norm(n) - 1) > 1e-12:
            yield f"the normal {n} has not the length 1"


def away_from(item: Item, t: float, p_W: Any) -> float:
    """How far a point is from a body at a time, at most [m]."""
    X = item.at(t)[0]
    return min(
        point_distance(part.thing, (X @ part.X_LG).astype(np.float64), np.array(p_W)) for part in item.parts
    )


def clearance_faults(
    found: Any, pair: Pair, *, tolerance: float, far: float, windows: Windows | None = None
) -> Iterator[str]:
    """The bounds of the clearance hold and are as close as asked for, and the points are where it is.

    The upper bound is the distance at the time that is told. The lower one must be below every distance seen.
    """
    windows = windows or [(pair.t0, pair.t1)]
    closely = {} if found.clearance_upper is not None else {"samples": 30, "halvings": 1}
    up = min(pair.within(*window).least_seen(**closely) for window in windows)
    if found.clearance_lower > up + NEAR:
        yield f"clearance_lower {found.clearance_lower!r}, but the minimum distance is {up!r} at most"
    if found.clearance_upper is None:
        if found.clearance_lower < far and found.verdict is kc.Verdict.CLEAR:
            yield f"no clearance_upper, though clearance_lower {found.clearance_lower!r} is not far"
        return
    if max(found.clearance_lower, 0.0) < found.clearance_upper - tolerance - NEAR:
        yield f"clearance {found.clearance_lower!r} to {found.clearance_upper!r} is wider than {tolerance}"
    if found.clearance_time is None:
        yield "a clearance without its time"
        return
    here = float(pair.distances([found.clearance_time])[0][0])
    if here > found.clearance_upper + NEAR:
        yield f"at {found.clearance_time!r} the distance is {here!r}, not {found.clearance_upper!r}"
    if found.clearance_upper <= NEAR:  # in contact there are no closest points
        return
    # Within the tolerance of contact, one point may stand for both.
    in_contact = found.clearance_upper if found.verdict is kc.Verdict.COLLIDING else 0.0
    for item, p in ((pair.a, found.p_WA), (pair.b, found.p_WB)):
        name = found.a if p is found.p_WA else found.b
        body = item if item.name == name else (pair.b if item is pair.a else pair.a)
        off = 0.0 if p is None else away_from(body, found.clearance_time, p)
        if off > NEAR + in_contact:
            yield f"the closest point of {body.name} is {off:.3g} off it"
    if found.p_WA is not None and found.p_WB is not None:
        apart = float(np.linalg.norm(np.subtract(found.p_WA, found.p_WB)))
        if not -NEAR <= found.clearance_upper - apart <= tolerance + in_contact:
            yield f"the closest points are {apart!r} apart, and not {found.clearance_upper!r}"


def curve_faults(curve: Any, pair: Pair, *, between: int = 3) -> Iterator[str]:
    """The distance is within the band at its instants, and above the lower bounds in between."""
    t = np.array(curve.times)
    if np.any(np.diff(t) <= 0):
        yield "the times of the curve do not increase"
    low, up = pair.distances(t)
    for k in np.flatnonzero(np.array(curve.lower) > up + NEAR):
        yield f"curve at {t[k]!r}: lower {curve.lower[k]!r}, but the distance is {up[k]!r}"
    for k in np.flatnonzero(np.array(curve.upper) < low - NEAR):
        yield f"curve at {t[k]!r}: upper {curve.upper[k]!r}, but the distance is {low[k]!r}"
    for s in np.arange(1, between + 1) / (between + 1):
        inner = t[:-1] + s * np.diff(t)
        _, up = pair.distances(inner)
        for k in np.flatnonzero(np.array(curve.lower_between) > up + NEAR):
            yield f"curve after {t[k]!r}: {curve.lower_between[k]!r}, but {up[k]!r} at {inner[k]!r}"


def expected_unchecked(scene: Scene) -> dict[frozenset[str], str]:
    """The pairs that nobody judges without being told anything, and why."""
    found: dict[frozenset[str], str] = {}
    for a, b in combinations(scene.items, 2):
        robot, _, link = a.partition("/")
        other, _, second = b.partition("/")
        pair = Pair(scene.items[a], scene.items[b], scene.t0, scene.t1)
        if link and second and robot == other:
            arm = scene.robots[robot].machine.arm
            if arm.are_neighbours(link, second):
                found[frozenset((a, b))] = "neighbours"
                continue
            if zero_distance(arm, link, second) == 0.0:
                found[frozenset((a, b))] = "zero pose"
                continue
        if not pair.moves:
            touches = pair.distances([scene.t0])[1][0] == 0.0
            found[frozenset((a, b))] = "at rest" if touches else "at rest and apart"
    return found


def zero_distance(arm: Arm, a: str, b: str) -> float:
    """The distance of two links where all joints are 0 [m], at most."""
    machine = Machine(arm, JointPath(np.array([0.0, 1.0]), np.zeros((2, len(arm.columns)))))
    pair = Pair(item_on_link(a, machine, a), item_on_link(b, machine, b), 0.0, 1.0)
    return float(pair.distances([0.0])[1][0])
