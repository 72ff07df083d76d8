"""The bodies and programs of small worlds of rules, drawn at random on grids of powers of two."""

import random
from fractions import Fraction

from tests.oracles.rule_paths import (
    Path,
    Solid,
    Vector,
    minus,
    pair_solid,
    plus,
    resting,
    vector,
)
from tests.oracles.rule_spec import Attachment, Link, Looseness, Machine, Spec, Thing, Window

ORIGIN = vector((0, 0, 0))
GAPS = [Fraction(k, 1024) for k in (-64, -16, -8, -3, 0, 0, 3, 8, 16)]  # overlaps, touching, small gaps [m]


class Dice(random.Random):
    """Random numbers on grids."""

    def chance(self, p: float) -> bool:
        return self.random() < p

    def step(self, low: int, high: int, parts: int) -> Fraction:
        return Fraction(self.randint(low, high), parts)

    def place(self) -> Vector:
        return self.step(-64, 64, 64), self.step(-8, 8, 64), self.step(-32, 32, 64) + self.step(-8, 8, 1024)

    def solid(self, low: int = 3, high: int = 20) -> Solid:
        if self.chance(0.35):
            return Solid(ORIGIN, self.step(low, high, 64))
        return Solid(vector(self.step(low, high, 64) for _ in range(3)), Fraction(0))

    def clock(self, count: int) -> tuple[Fraction, ...]:
        times = [self.step(0, 6, 4)]
        while len(times) < count:
            times.append(times[-1] + self.choice([Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2)]))
        return tuple(times)

    def path(self) -> Path:
        """Steps, along an axis or not, and rests."""
        times = self.clock(self.randint(2, 6))
        places = [self.place()]
        while len(places) < len(times):
            p = self.place()
            if self.chance(0.35):
                p = places[-1]
            elif self.chance(0.4):
                axis = self.randrange(3)
                p = vector(p[k] if k == axis else places[-1][k] for k in range(3))
            places.append(p)
        return Path(times, tuple(places))


def free_world(dice: Dice) -> Spec:
    """Objects that rest or move, some of them in contact at the start or at the end."""
    spec = Spec()
    for name in dice.sample(["table", "cart", "ball", "wall", "drone"], dice.randint(2, 4)):
        path = dice.path() if dice.chance(0.65) else resting(dice.place())
        spec.things[name] = Thing(dice.solid(), path)
    if dice.chance(0.6):  # something lies on or sinks into something
        under_name = dice.choice(list(spec.things))
        under, solid = spec.things[under_name], dice.solid(2, 8)
        when = dice.choice(under.path.times)
        place = plus(under.path.at(when), above(solid, under.solid, dice.choice(GAPS)))
        path = resting(place)
        if dice.chance(0.5):
            path = dice.path()
            shift = minus(place, dice.choice([path.positions[0], path.positions[-1]]))
            path = Path(path.times, tuple(plus(p, shift) for p in path.positions))
        spec.things["part"] = Thing(solid, path)
    return spec


def above(top: Solid, bottom: Solid, gap: Fraction) -> Vector:
    """Where the centre of a solid is that stands on another with a gap, relative to the other's centre."""
    both = pair_solid(top, bottom)
    return vector((0, 0, both.half[2] + both.radius + gap))


def machine(dice: Dice) -> Machine:
    """A carriage along x, a hand along z on it, maybe a finger along y or fixed to the hand."""
    body = [dice.solid(4, 10) if dice.chance(p) else None for p in (0.5, 0.5, 1.0, 1.0)]
    links = [
        Link("rail", "", None, ORIGIN, body[0]),
        Link("carriage", "rail", 0, vector((0, 0, dice.step(-4, 40, 64))), body[1]),
        Link("hand", "carriage", 2, vector((0, 0, dice.step(-40, -4, 64))), body[2]),
    ]
    if dice.chance(0.4):
        offset = vector((dice.step(-20, 20, 64), 0, dice.step(-20, -4, 64)))
        links.append(Link("finger", "hand", dice.choice([None, 1]), offset, body[3]))
    times = dice.clock(dice.randint(3, 8))
    columns = sum(link.axis is not None for link in links)
    q: list[tuple[Fraction, ...]] = []
    for _ in times:
        row = tuple(dice.step(-48, 48, 64) / (1 if k == 0 else 2) for k in range(columns))
        if q and dice.chance(0.7):  # rests, or one joint at a time
            row = (
                q[-1]
                if dice.chance(0.4)
                else tuple(
                    x if k == dice.randrange(columns) else y
                    for k, (x, y) in enumerate(zip(row, q[-1], strict=True))
                )
            )
        q.append(row)
    return Machine(tuple(links), dice.place(), times, tuple(q))


def robot_world(dice: Dice) -> Spec:
    """One or two robots that take parts along, release them, and hand them over."""
    spec = Spec()
    for name in ["arm", "gantry"][: 2 if dice.chance(0.25) else 1]:
        spec.machines[name] = machine(dice)
    for name in ["part", "tool"][: 2 if dice.chance(0.3) else 1]:
        add_part(dice, spec, name)
    if dice.chance(0.5):
        spec.things["wall"] = Thing(dice.solid(), resting(dice.place()))
    if dice.chance(0.25):
        spec.things["cart"] = Thing(dice.solid(), dice.path())
    if dice.chance(0.5):  # where a part ends, or begins
        name = dice.choice([name for name in spec.things if name in ("part", "tool")])
        path, solid = spec.thing_path(name), dice.solid()
        where = dice.choice([path.positions[-1], path.positions[-1], path.positions[0]])
        offset = above(spec.things[name].solid, solid, dice.choice(GAPS))
        if dice.chance(0.3):
            offset = vector((offset[2], 0, 0))
        spec.things["table"] = Thing(solid, resting(minus(where, offset)))
    return spec


def add_part(dice: Dice, spec: Spec, name: str) -> None:
    """An object that links carry for a while, once or twice; some of them are just where the link takes them."""
    solid = dice.solid(2, 8)
    robot = dice.choice(list(spec.machines))
    links = takers(spec, robot)
    link = dice.choice([links[-1], dice.choice(links)])
    start, end = spec.span
    grid = [start + Fraction(k, 8) for k in range(int((end - start) * 8) + 1)]
    t_from = dice.choice([dice.choice(spec.machines[robot].times[:-1]), dice.choice(grid[:-1])])
    path = resting(dice.place())
    if dice.chance(0.7):
        assert link.solid is not None
        hand = spec.link_path(robot, link.name).at(t_from)
        path = resting(minus(hand, above(link.solid, solid, dice.choice(GAPS))))
    elif dice.chance(0.2):
        path = dice.path()
    spec.things[name] = Thing(solid, path)
    while True:
        later = [t for t in grid if t > t_from]
        t_to = dice.choice([*later, *spec.machines[robot].times]) if later and dice.chance(0.8) else None
        t_to = t_to if t_to is None or t_to > t_from else later[0]
        spec.attachments.append(Attachment(name, robot, link.name, t_from, t_to))
        if t_to is None or not dice.chance(0.3):
            break
        t_from = dice.choice([t for t in grid if t >= t_to] or [t_to])
        robot = dice.choice(list(spec.machines))
        link = dice.choice(takers(spec, robot))
        if t_from >= end:
            break


def drop_world(dice: Dice) -> Spec:
    """A part that a robot releases as it moves, so near to something that being late decides about contact."""
    while True:
        spec = Spec(machines={"arm": machine(dice)})
        link = dice.choice(takers(spec, "arm"))
        path = spec.link_path("arm", link.name)
        legs = [leg for leg in path.legs if any(leg[2])]
        if legs:
            break
    start, end, v = dice.choice(legs)
    t_to = start + (end - start) * dice.choice([Fraction(1, 2), Fraction(3, 4), Fraction(1)])
    axis = dice.choice([k for k in range(3) if v[k]])
    sign = dice.choice([-1, 1])
    lag = dice.step(2, 8, 64)
    part, wall = dice.solid(2, 8), dice.solid(6, 20)
    hand = path.at(start)
    spec.things["part"] = Thing(part, resting(vector((hand[0], hand[1] + dice.step(-40, 40, 64), hand[2]))))
    spec.attachments = [Attachment("part", "arm", link.name, dice.choice([start, path.times[0]]), t_to)]
    both = pair_solid(part, wall)
    gap = both.half[axis] + both.radius + abs(v[axis]) * lag * dice.step(-2, 12, 8)
    beside = vector(sign * gap if k == axis else 0 for k in range(3))
    spec.things["wall"] = Thing(wall, resting(plus(spec.thing_path("part").at(t_to), beside)))
    spec.loose["arm"] = Looseness(dice.choice([Fraction(0), dice.step(1, 4, 512)]), lag)
    if dice.chance(0.5):
        spec.windows.append(Window("part", "wall", None, t_to + dice.step(0, 2, 4)))
    elif dice.chance(0.6):
        spec.t0 = t_to + dice.step(1, 4, 4)
        spec.t1 = spec.t0 + dice.step(0, 8, 4)
    return spec


def takers(spec: Spec, robot: str) -> list[Link]:
    """Links that move and have a body."""
    return [link for link in spec.machines[robot].links if link.parent and link.solid is not None]
