"""What a verdict over a world depends on is told with it."""

from __future__ import annotations

from tests.unit.world.worlds import at, drive, slider, way

import keepclear as kc


def told(world: kc.World, t0: float = 0.0, t1: float = 4.0) -> set[tuple[str, str, str]]:
    return {(a.kind, a.subject, a.text) for a in world.verify(t0, t1, clearances=False).assumptions}


def test_how_motions_are_read_and_held() -> None:
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way([1, 3], (0, 0, 0), (1, 0, 0)))
    world.add("table", kc.Sphere(0.1), at(0, 5))
    world.add_robot("bot", slider(), drive([0, 4, 5], [0, 1, 2], interpolation="spline"), at(0, 9))
    world.add_robot("idle", slider(), None, at(0, 19))
    found = told(world)
    assert ("hold", "ball", "it is at rest before 1 s and after 3 s") in found
    assert {(kind, subject) for kind, subject, _ in found} == {
        ("interpolation", "ball"), ("hold", "ball"), ("interpolation", "bot"), ("tolerance", "all pairs"),
        ("hold", "idle"),
    }  # fmt: skip
    assert "spline" in next(text for kind, subject, text in found if subject == "bot")
    assert ("hold", "bot", "it is at rest after 5 s") in told(world, 0.0, 9.0)


def test_a_robot_that_was_given_no_program_stands_at_zero() -> None:
    world = kc.World()
    world.add_robot("idle", slider())
    world.add_robot("placed", slider(), [0.1, 0.0], at(0, 9))
    holds = {(subject, text) for kind, subject, text in told(world) if kind == "hold"}
    assert holds == {("idle", "it has no program: it is at rest with all joints at 0")}


def test_tolerances_and_attachments() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 4], [0, 1]))
    world.add("part", kc.Sphere(0.01), at(0, 5))
    world.set_path_tolerance("bot", distance=0.01, time=0.1)
    world.attach("part", "bot/head", 1.0, 2.0)
    world.assume("units", "bot.urdf", "taken for metres")
    world.warn("look at this")
    found = told(world)
    assert ("units", "bot.urdf", "taken for metres") in found
    assert any(subject == "bot" and "0.01 m" in text and "0.1 s" in text for _, subject, text in found)
    assert any(subject == "part" and "bot/head" in text and "2 s" in text for _, subject, text in found)
    report = world.verify(0.0, 4.0)
    assert "look at this" in report.warnings


def test_programs_outside_of_limits_are_warned_about() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1], [0, 10]))
    assert "bot: joint 'drive' gets to 10 m, above its limit 9 m" in world.verify().warnings


def test_all_that_leaves_limits_is_one_warning_for_each_robot() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 0.1], [0, 10], [0, -10]))
    world.add_robot("arm", slider(), drive([0, 1], [0, 10]), at(0, 1))
    assert world.verify().warnings == (
        "arm: joint 'drive' gets to 10 m, above its limit 9 m",
        "bot: joint 'drive' gets to 10 m, above its limit 9 m; joint 'drive' moves at 100 m/s, faster than its limit "
        "99 m/s; joint 'lift' gets to -10 m, below its limit -9 m; joint 'lift' moves at 100 m/s, faster than its "
        "limit 99 m/s",
    )


def test_the_order_of_adding_does_not_change_the_order_of_assumptions() -> None:
    def made(names: str) -> kc.World:
        world = kc.World()
        for name in names:
            y = float(ord(name))
            world.add(name, kc.Sphere(0.1), way([0, 1], (0, y, 0), (1, y, 0)))
            world.set_path_tolerance(name, distance=0.01)
            world.assume("unit", name, "taken for metres")
        return world

    one, other = made("abc").verify(), made("cab").verify()
    assert one.assumptions == other.assumptions
    assert [a.subject for a in one.assumptions] == [*"aaabbbccc", "all pairs"]


def test_open_meshes_are_named() -> None:
    """A body inside the shell of an open link was CLEAR, and nothing said why."""
    shell = kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3]])
    closed = kc.Mesh(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    )
    world = kc.World()
    world.add("shell", shell, at(0, 0))
    world.add("block", closed, at(5, 0))
    world.add("ball", kc.Sphere(0.1), way([0, 4], (0, 9, 0), (1, 9, 0)))
    found = [text for kind, subject, text in told(world) if (kind, subject) == ("shape", "shell")]
    assert len(found) == 1
    assert "only its surface is checked" in found[0]
    assert not any(subject == "block" for _, subject, _ in told(world))
