"""Seeded small worlds of rules: rests, windows, attachments, releases, margins, path tolerances, parts of the time.

All numbers are sums of powers of two, so that float64 holds them and the oracle and the library mean the same world.
"""

from dataclasses import replace
from fractions import Fraction

from tests.oracles.rule_bodies import Dice, drop_world, free_world, robot_world
from tests.oracles.rule_paths import (
    combined,
    pair_solid,
    times_within,
)
from tests.oracles.rule_spec import Body, Looseness, Spec, Window
from tests.oracles.rule_times import Times


def random_spec(seed: int) -> Spec:
    """The world of a seed; something moves in each of them."""
    dice = Dice(seed)
    while True:
        kind = dice.random()
        spec = free_world(dice) if kind < 0.3 else robot_world(dice) if kind < 0.85 else drop_world(dice)
        bodies = spec.bodies()
        if any(len(set(body.path.positions)) > 1 for body in bodies) and clear_zero_pose(spec):
            break
    add_margins(dice, spec)
    add_looseness(dice, spec)
    add_interval(dice, spec)
    add_windows(dice, spec)
    if dice.chance(0.15):
        chosen = dice.sample(bodies, 2)
        spec.only = [chosen[0].owner] if dice.chance(0.5) else [(chosen[0].name, chosen[1].name)]
        if dice.chance(0.3):
            spec.only.append(dice.choice(bodies).name)
    spec.tolerance = Fraction(dice.choice([1e-3, 1e-3, 1e-4]))
    return spec


def clear_zero_pose(spec: Spec) -> bool:
    """Whether rounding cannot decide which links of a robot touch in the zero pose."""
    for machine in spec.machines.values():
        solid = [link for link in machine.links if link.solid is not None]
        if any(
            abs(machine.zero_distance(a, b)) < Fraction(1, 10**6) for a in solid for b in solid if a is not b
        ):
            return False
    return True


def near_times(spec: Spec, a: Body, b: Body) -> Times:
    start, end = spec.span
    both = combined([a.path, b.path], -1)
    return times_within(pair_solid(a.solid, b.solid), both, spec.margin(a, b), start - 1, end + 1)


def add_windows(dice: Dice, spec: Spec) -> None:
    """Windows for pairs in contact, most of them, that begin and end at knots or near contacts."""
    bodies = spec.bodies()
    pairs = [(a, b) for k, a in enumerate(bodies) for b in bodies[k + 1 :] if not spec.is_robot_pair(a, b)]
    start, end = spec.span
    for a, b in pairs:
        if spec.allowed_times(a, b):
            continue
        near = near_times(spec, a, b)
        if not dice.chance(0.75 if near else 0.1):
            continue
        events = {*a.path.times, *b.path.times, start, end}
        events |= {Fraction(round(t * 8), 8) + dice.step(-1, 1, 8) for ends in near for t in ends}
        usual = sorted(t for t in events if start - 1 <= t <= end + 1)
        for _ in range(dice.choice([1, 1, 1, 2])):
            t_from, t_to = sorted([dice.choice(usual), dice.choice(usual)])
            kind = dice.choice(["whole", "from", "until", "both", "until", "both"])
            x, y = dice.sample([a, b], 2)
            window = Window(
                x.name,
                y.name,
                t_from if kind in ("from", "both") else None,
                t_to if kind in ("until", "both") else None,
            )
            if kind == "both" and t_from == t_to:
                window = replace(window, t_to=t_to + Fraction(1, 4))
            if dice.chance(0.15) and x.owner != y.owner:
                window = replace(window, a=x.owner)
            spec.windows.append(window)


def add_margins(dice: Dice, spec: Spec) -> None:
    if not dice.chance(0.35):
        return
    bodies = spec.bodies()
    if dice.chance(0.6):
        spec.margins.append((dice.choice(bodies).owner, None, dice.step(1, 40, 512)))
    if dice.chance(0.6):
        a, b = dice.sample(bodies, 2)
        spec.margins.append((a.name, b.name, dice.step(0, 40, 512)))


def add_looseness(dice: Dice, spec: Spec) -> None:
    """Path tolerances of robots and of objects that move by themselves."""
    movers = [*spec.machines, *(name for name, thing in spec.things.items() if len(thing.path.times) > 1)]
    if spec.loose or not movers or not dice.chance(0.3):
        return
    for name in dice.sample(movers, dice.randint(1, min(2, len(movers)))):
        kind = dice.choice(["distance", "time", "both"])
        distance = Fraction(0) if kind == "time" else dice.step(1, 16, 512)
        spec.loose[name] = Looseness(distance, Fraction(0) if kind == "distance" else dice.step(1, 8, 64))


def add_interval(dice: Dice, spec: Spec) -> None:
    """All of the time, a part of it, or more than it; sometimes a single instant."""
    if spec.t0 is not None or dice.chance(0.4):
        return
    start, end = spec.span
    grid = [start - 1 + Fraction(k, 4) for k in range(int((end - start + 2) * 4) + 1)]
    t0, t1 = sorted(dice.sample(grid, 2))
    spec.t0, spec.t1 = (t0, t0) if dice.chance(0.03) else (t0, t1)
