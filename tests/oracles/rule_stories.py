"""Small worlds of rules with results known by hand: examples of the guarantees about rest and windows."""

from fractions import Fraction

from tests.oracles.rule_paths import Path, Solid, resting, vector
from tests.oracles.rule_spec import Attachment, Link, Looseness, Machine, Spec, Thing, Window

HALF = Fraction(1, 2)
CUBE = Solid(vector((Fraction(1, 8),) * 3), Fraction(0))  # edges of 1/4 m
WALL = Thing(CUBE, resting(vector((1, 0, 0))))  # from x = 7/8 m on


def along_x(times: list[Fraction | int], places: list[Fraction | int]) -> Path:
    return Path(tuple(map(Fraction, times)), tuple(vector((x, 0, 0)) for x in places))


def slider(times: list[Fraction | int], places: list[Fraction | int], z: Fraction | int = 0) -> Machine:
    """A head, a cube, that a joint moves along x."""
    links = (
        Link("rail", "", None, vector((0, 0, 0)), None),
        Link("head", "rail", 0, vector((0, 0, 0)), CUBE),
    )
    q = tuple((Fraction(x),) for x in places)
    return Machine(links, vector((0, 0, z)), tuple(map(Fraction, times)), q)


def head_stops_in_wall() -> Spec:
    """The head is 1/16 m deep in the wall from 1 s on, and touches from 11/13 s on; allowed until it stops."""
    spec = Spec(
        {"head": Thing(CUBE, along_x([0, 1, 3], [0, Fraction(13, 16), Fraction(13, 16)])), "wall": WALL}
    )
    spec.windows = [Window("head", "wall", None, Fraction(1))]
    return spec


def robot_stops_in_wall() -> Spec:
    """The same by a robot, whose program ends there at 1 s, while something else moves until 3 s."""
    bird = Thing(CUBE, Path((Fraction(0), Fraction(3)), (vector((0, 5, 0)), vector((0, 6, 0)))))
    spec = Spec({"wall": WALL, "bird": bird}, {"arm": slider([0, 1], [0, Fraction(13, 16)])})
    spec.windows = [Window("arm", "wall", None, Fraction(1))]
    return spec


def robot_rests_in_wall_later() -> Spec:
    spec = robot_stops_in_wall()
    spec.windows, spec.t0, spec.t1 = [], Fraction(2), Fraction(3)
    return spec


def asked_after_the_stop() -> Spec:
    """The same head without a window, asked about when it rests already."""
    spec = head_stops_in_wall()
    spec.windows, spec.t0, spec.t1 = [], Fraction(1), Fraction(3)
    return spec


def asked_beyond_all_motions() -> Spec:
    spec = asked_after_the_stop()
    spec.t0, spec.t1 = Fraction(4), Fraction(5)
    return spec


def part_on_its_table() -> Spec:
    """A part sinks into its table by 1/64 m, rests until 1 s, and is lifted, which is allowed."""
    lift = (vector((0, 0, 0)), vector((0, 0, 0)), vector((0, 0, 1)))
    table = Thing(CUBE, resting(vector((0, 0, Fraction(1, 64) - Fraction(1, 4)))))
    part = Thing(CUBE, Path((Fraction(0), Fraction(1), Fraction(2)), lift))
    return Spec({"part": part, "table": table}, windows=[Window("part", "table", Fraction(1), Fraction(2))])


def part_lifted_without_permission() -> Spec:
    """It must be reported from 1 s until it has risen by 1/64 m."""
    spec = part_on_its_table()
    spec.windows = []
    return spec


def part_lifted_after_the_interval() -> Spec:
    spec = part_lifted_without_permission()
    spec.t1 = HALF
    return spec


def released_in_wall() -> Spec:
    """A part, 1/4 m above the head, is carried into a wall above and released there at 1 s; allowed until then."""
    high = Thing(CUBE, resting(vector((1, 0, HALF))))
    part = Thing(CUBE, resting(vector((0, 0, HALF))))
    spec = Spec({"part": part, "wall": high}, {"arm": slider([0, 1, 3], [0, Fraction(13, 16), Fraction(-1)])})
    spec.attachments = [Attachment("part", "arm", "head", Fraction(0), Fraction(1))]
    spec.windows = [Window("part", "wall", None, Fraction(1))]
    return spec


def released_late() -> Spec:
    """A part is released at 1 m/s, 1/64 m before a wall, by a robot that may be late or early by 1/32 s.

    Then it lies up to 1/32 m farther, in the wall, for good; asked about long after.
    """
    spec = released_in_wall()
    gap = Fraction(7, 8) - Fraction(1, 8) - Fraction(1, 64)
    spec.machines = {"arm": slider([0, 1, 3], [0, 1, 1])}
    spec.attachments = [Attachment("part", "arm", "head", Fraction(0), gap)]
    spec.windows, spec.loose = [], {"arm": Looseness(time=Fraction(1, 32))}
    spec.t0, spec.t1 = Fraction(2), Fraction(3)
    return spec


def carried_together() -> Spec:
    """Two parts that overlap ride on one head from the start for good: they never move relative to each other."""
    parts = {
        name: Thing(CUBE, resting(vector((0, 0, z)))) for name, z in (("a", HALF), ("b", Fraction(11, 16)))
    }
    spec = Spec(parts, {"arm": slider([0, 1], [0, 1])})
    spec.attachments = [Attachment(name, "arm", "head", Fraction(0), None) for name in parts]
    return spec


STORIES = {  # when contact must be reported, by the pair; all other pairs are clear or listed
    head_stops_in_wall: ("head", "wall", [(1, 3)]),
    robot_stops_in_wall: ("arm/head", "wall", [(1, 3)]),
    robot_rests_in_wall_later: ("arm/head", "wall", [(2, 3)]),
    asked_after_the_stop: ("head", "wall", [(1, 3)]),
    asked_beyond_all_motions: ("head", "wall", [(4, 5)]),
    part_on_its_table: ("part", "table", []),
    part_lifted_without_permission: ("part", "table", [(1, 1 + Fraction(1, 64))]),
    part_lifted_after_the_interval: ("part", "table", []),
    released_in_wall: ("part", "wall", [(1, 3)]),
    released_late: ("part", "wall", [(2, 3)]),
    carried_together: ("a", "b", []),
}
