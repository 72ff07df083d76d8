"""What API.md promises about each pair of a small world: when a contact must be reported, and when it may be.

Only `What the verdicts promise`, the docstrings and the pages are known here, nothing of how the library decides.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise, product

from tests.oracles.rule_paths import (
    Path,
    Solid,
    combined,
    first_move,
    least_distance,
    minus,
    pair_solid,
    plus,
    resting,
    signed_distance,
    times_within,
)
from tests.oracles.rule_spec import Body, Looseness, Spec
from tests.oracles.rule_times import EVER, Times, intersection, long_parts, union, without

ROUNDING = Fraction(1, 10**9)  # more than float64 is off by, for coordinates and times of about one [m]
SHORT = Fraction(1, 10**9)  # contacts outside of windows that are shorter are left to either side [s]
RIGID = Looseness()


@dataclass(frozen=True)
class Expected:
    """What is true of a pair: its contact is to be reported at the instants of `must`, and may be at those of `may`."""

    a: str
    b: str
    margin: Fraction
    is_exempt: bool  # taken out by the robot, by `only`, or allowed all the time
    must: Times
    may: Times
    checked: Times  # closure of what is neither allowed nor contact at the start
    starts_apart: bool  # surely not in contact before it first moves
    exempt: Times  # contact at the start, within the interval, that is listed
    least: Fraction | None  # minimum distance while checked, without path tolerances; None: unchecked
    depth: Fraction  # how deep a listed pair overlaps where no window says anything about it; else 0


class Pair:
    """Two bodies of a world, their relative path, and what is uncertain about it."""

    def __init__(self, spec: Spec, a: Body, b: Body) -> None:
        self.spec, self.a, self.b = spec, a, b
        self.solid: Solid = pair_solid(a.solid, b.solid)
        self.relative = combined([a.path, b.path], -1)
        self.margin = spec.margin(a, b)
        self.first_move = first_move(self.relative)
        self.at_start = signed_distance(self.solid, self.relative.positions[0])
        self.is_loose = any(spec.loose.get(owner, RIGID) != RIGID for owner in self.owners)

    @property
    def owners(self) -> list[str]:
        """Whose path tolerances matter: of the bodies, and of robots that carried them."""
        found = [self.a.owner, self.b.owner]
        for body in (self.a, self.b):
            found += [one.robot for one in self.spec.held(body.name)]
        return list(dict.fromkeys(found))

    def largest_lag(self) -> Fraction:
        return sum((self.spec.loose.get(owner, RIGID).time for owner in self.owners), Fraction(0))

    @property
    def earliest_move(self) -> Fraction:
        """When the pair can first move: a robot that is early or late may take or release a part as it moves."""
        moves = [EVER if self.first_move is None else self.first_move]
        lag = self.largest_lag()
        if lag:
            held = [*self.spec.held(self.a.name), *self.spec.held(self.b.name)]
            moves += [t for one in held for t in (one.t_from, one.end)]
        return min(moves) - lag

    def must_be_near(self, t0: Fraction, t1: Fraction) -> Times:
        """When bodies that keep to their path tolerances can be within the margin."""
        found: list[Times] = []
        for a, b, within in realizations(self):
            path = combined([a, b], -1)
            for start, end in intersection([(t0, t1)], within):
                for u, v in pieces(start, end, [one.t_from for one in self.spec.attachments]):
                    limit = self.margin + self.sure_offset(u) - ROUNDING
                    found.append(times_within(self.solid, path, limit, u, v))
        return union(*found)

    def sure_offset(self, t: Fraction) -> Fraction:
        """How far from their paths bodies can be at an instant and after it, at least [m]."""
        if self.a.owner == self.b.owner or set(self.carriers(self.a)) & set(self.carriers(self.b)):
            return Fraction(0)
        total = Fraction(0)
        for body in (self.a, self.b):
            owners = [body.owner, *(one.robot for one in self.spec.held(body.name) if one.t_from <= t)]
            total += max(self.spec.loose.get(owner, RIGID).distance for owner in owners)
        return total

    def carriers(self, body: Body) -> list[str]:
        return [body.owner, *(one.robot for one in self.spec.held(body.name))]

    @cached_property
    def starts_apart(self) -> bool:
        """Whether the pair is surely not in contact before it first moves."""
        limit = self.margin + self.spec.tolerance + self.largest_offset(-EVER, EVER) + ROUNDING
        return self.at_start > limit

    @cached_property
    def may_near(self) -> Times:
        """When the distance is at most the margin with all that path tolerances may add, and the tolerance."""
        t0, t1 = self.spec.interval
        limit = self.margin + self.spec.tolerance + ROUNDING
        if not self.is_loose:
            return times_within(self.solid, self.relative, limit, t0, t1)
        lags = {self.spec.loose.get(owner, RIGID).time for owner in self.owners}
        knots = {t for body in (self.a, self.b) for t in body.path.times}
        knots |= {
            t for owner in self.owners if owner in self.spec.machines for t in self.spec.machines[owner].times
        }
        cuts = sorted({t + sign * lag for t in knots for lag in lags for sign in (-1, 0, 1)})
        return union(
            *(
                times_within(self.solid, self.relative, limit + self.largest_offset(u, v), u, v)
                for u, v in pieces(t0, t1, cuts)
            )
        )

    def largest_offset(self, t0: Fraction, t1: Fraction) -> Fraction:
        """Not less than what path tolerances may add to the margin during an interval [m]."""
        total = Fraction(0)
        if not self.is_loose:
            return total
        for body in (self.a, self.b):
            own = self.spec.loose.get(body.owner, RIGID)
            total += own.distance + own.time * body.path.top_speed(t0 - own.time, t1 + own.time)
            for one in self.spec.held(body.name):
                loose = self.spec.loose.get(one.robot, RIGID)
                total += (
                    2 * loose.distance
                )  # of the link when it is taken and of the link afterwards; maybe before, too
                if t1 < one.t_from - loose.time:
                    continue
                # An object that is early or late when it is taken is held elsewhere, for good.
                total += own.time * body.path.top_speed(one.t_from - own.time, one.t_from + own.time)
                link = self.spec.link_path(one.robot, one.link)
                taken = link.top_speed(one.t_from - loose.time, one.t_from + loose.time)
                end = min(t1, one.end)
                moved = link.top_speed(min(t0, end) - loose.time, end + loose.time)
                total += loose.time * (taken + moved)
        return total


def all_pairs(spec: Spec) -> list[Pair]:
    return [Pair(spec, a, b) for a, b in combinations(spec.bodies(), 2)]


def pieces(t0: Fraction, t1: Fraction, cuts: list[Fraction]) -> Iterator[tuple[Fraction, Fraction]]:
    """An interval cut at instants."""
    if t0 == t1:
        yield t0, t1
    yield from pairwise(sorted({t0, t1, *(t for t in cuts if t0 < t < t1)}))


def realizations(pair: Pair) -> Iterator[tuple[Path, Path, Times]]:
    """Paths that are within the path tolerances in time, and when they say something.

    Everything that one program moves is late by the same amount. Where several programs move one body, only what is
    as planned is known. A part that is released while its robot is late rests where the robot then is, for good.
    """
    spec, owners = pair.spec, pair.owners
    lags = [spec.loose.get(owner, RIGID).time for owner in owners]
    always: Times = [(-EVER, EVER)]
    for delays in product(*([-lag, 0, lag] if lag else [0] for lag in lags)):
        late = {owner: Fraction(delay) for owner, delay in zip(owners, delays, strict=True)}
        shifted = [shift(spec, body, late) for body in (pair.a, pair.b)]
        if shifted[0] is not None and shifted[1] is not None:
            yield shifted[0], shifted[1], always
        for k, body in enumerate((pair.a, pair.b)):
            other = shifted[1 - k]
            for one, after in pairwise([*spec.held(body.name), None]):
                if other is None or one is None or one.t_to is None or not late[one.robot]:
                    continue
                rest = resting(released(spec, body, one.robot, one.link, one.t_to, late[one.robot]))
                within = [(one.t_to, after.t_from if after else EVER)]
                yield (rest, other, within) if k == 0 else (other, rest, within)


def shift(spec: Spec, body: Body, late: dict[str, Fraction]) -> Path | None:
    """A body's path with its programs late, or None if that says nothing."""
    movers = {one.robot for one in spec.held(body.name)} or {body.owner}
    if len(spec.things[body.name].path.times) > 1 if body.name in spec.things else False:
        movers.add(body.owner)
    delays = {late[mover] for mover in movers}
    return body.path.late(delays.pop()) if len(delays) == 1 else None


def released(
    spec: Spec, body: Body, robot: str, link: str, t: Fraction, delay: Fraction
) -> tuple[Fraction, ...]:
    """Where a part lies that was released by a robot that was late."""
    path = spec.link_path(robot, link)
    return plus(body.path.at(t), minus(path.at(t - delay), path.at(t)))


def expectation(pair: Pair) -> Expected:
    """What is promised about a pair."""
    spec, a, b = pair.spec, pair.a, pair.b
    t0, t1 = spec.interval
    allowed = spec.allowed_times(a, b)
    open_times = without([(t0, t1)], allowed)
    taken_out = spec.is_robot_pair(a, b) or not spec.is_selected(a, b)
    is_exempt = taken_out or not open_times
    if is_exempt:
        must_times, may_times, exempt = [], [], []
    elif pair.first_move is None:
        may_times = without(open_times, [(-EVER, pair.earliest_move)])
        must_times, exempt = [], [(t0, t1)] if pair.at_start <= 0 else []
    else:
        must_times, may_times, exempt = start_rule(pair, open_times)
    must = intersection(pair.must_be_near(t0, t1), must_times) if must_times else []
    return Expected(
        a.name,
        b.name,
        margin=pair.margin,
        is_exempt=is_exempt,
        must=must if t0 == t1 else long_parts(must, SHORT),
        may=intersection(pair.may_near, may_times) if may_times else [],
        checked=must_times,
        starts_apart=pair.starts_apart,
        exempt=exempt,
        least=min((least_distance(pair.solid, pair.relative, u, v) for u, v in must_times), default=None),
        depth=max(-pair.at_start, Fraction(0)) if exempt and not allowed else Fraction(0),
    )


def start_rule(pair: Pair, open_times: Times) -> tuple[Times, Times, Times]:
    """What must be checked, what may be, and what is listed: contact at the start until the pair first moves.

    API.md does not say whether a pair that starts within its margin or the tolerance, without touching, is in contact
    at the start: such a pair may be checked until it first moves, and need not be.
    """
    assert pair.first_move is not None
    if pair.starts_apart:
        return open_times, open_times, []
    before: Times = [(-EVER, pair.first_move)]
    after = without(open_times, before)
    if pair.at_start > -ROUNDING:
        return after, open_times, []
    early = [(-EVER, pair.earliest_move)]
    return after, without(open_times, early), long_parts(intersection(open_times, before), SHORT)
