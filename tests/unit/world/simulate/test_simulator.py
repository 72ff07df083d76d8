"""A world step by step: every step against what exact shapes say at that instant, stops, callbacks, arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba import config
from tests.unit.world.simulated import check_against_oracle, near_miss, passing, random_world
from tests.unit.world.worlds import at, cube, drive, slider, way

import keepclear as kc
from keepclear.world.simulate import sampling
from keepclear.world.simulate.sampling import usual_accuracy
from keepclear.world.simulate.simulator import MOST_STEPS, even_instants

FREE, MAY_TOUCH, CONTACT = kc.Step.FREE, kc.Step.MAY_TOUCH, kc.Step.CONTACT


def test_a_ball_that_touches_a_post() -> None:
    world = passing()
    s = world.simulate(dt=0.1, models="exact", stop=False)
    assert [step.name for step in s.steps] == ["FREE"] * 5 + ["CONTACT"] + ["FREE"] * 5
    (pair,) = s.pairs(5)
    assert (pair.a, pair.b, pair.step, pair.margin) == ("ball", "post", CONTACT, 0.0)
    assert math.isnan(pair.gap)
    assert pair.p_W == pytest.approx((0.5, 0.1, 0.0), abs=1e-6)
    assert s.pairs(4) == ()
    assert s.stopped_at is None
    assert s.position is None
    assert (s.t0, s.t1, s.n_asked, len(s)) == (0.0, 1.0, 11, 11)


def test_it_stops_at_the_first_contact() -> None:
    s = passing().simulate(dt=0.1, models="exact")
    assert len(s) == 6
    assert s.stopped_at == 0.5
    assert s.position == pytest.approx((0.5, 0.1, 0.0), abs=1e-6)
    assert s.steps[-1] is CONTACT
    assert (s.steps[:-1] == FREE).all()


def test_covers_stop_at_a_possible_contact() -> None:
    s = near_miss().simulate(dt=0.1, accuracy=0.01)
    assert s.models == "spheres"
    assert s.steps[-1] is MAY_TOUCH
    assert s.stopped_at == 0.5
    assert 0.002 <= s.gap[-1] <= 0.0401
    assert s.position is not None
    assert 0.44 < s.position[0] < 0.56  # along the edge
    assert np.abs(np.subtract(s.position[1:], 0.0714)).max() < 0.02
    assert near_miss().simulate(dt=0.1, models="exact").stopped_at is None


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python takes minutes")
def test_the_accuracy_decides_how_near_models_are_compared() -> None:
    world = near_miss()
    assert world.simulate(dt=0.1, accuracy=0.02).gap[-1] == pytest.approx(0.08, rel=1e-6)
    assert world.simulate(times=[0.4, 0.5], accuracy=0.001).stopped_at is None


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python takes minutes")
def test_a_possible_contact_says_which_accuracy_decides_it() -> None:
    world = near_miss()
    s = world.simulate(dt=0.1, accuracy=0.01)
    least = world.distances(0.5)[0].lower
    assert 0.24 * least <= s.deciding_accuracy <= 0.25 * least
    assert "spheres with an accuracy of 0.0" in str(s)
    assert any("spheres with an accuracy of 0.0" in text for text in s.report().warnings)
    finer = world.simulate(dt=0.1, accuracy=s.deciding_accuracy)
    assert (finer.stopped_at, finer.deciding_accuracy) == (None, None)


def test_no_accuracy_decides_what_is_within_its_margin() -> None:
    s = passing(0.1).simulate(dt=0.1, accuracy=0.05)
    assert s.steps[-1] is MAY_TOUCH
    assert s.deciding_accuracy == 0.0
    assert "no sphere model decides that" in str(s)


def test_ranks_of_covers_are_those_that_are_asked_for() -> None:
    world, counts = near_miss(), []
    for options in ({}, {"ratio": 4.0}, {"ranks": 4}):
        s = world.simulate(times=[0.5], accuracy=0.02, **options)
        counts.append((s.statistics["models"], s.statistics["spheres"]))
    assert len(set(counts)) == 3
    assert all(models > 0 for models, _ in counts)


def test_a_body_inside_a_solid_is_a_contact_also_for_covers() -> None:
    world = kc.World()
    world.add("shell", cube(1.0), at(0, 0))
    world.add("seed", kc.Sphere(0.05), way([0, 1], (0, 0, 0), (2, 0, 0)))
    s = world.simulate(dt=0.5, accuracy=0.1)
    assert (s.steps[0], s.stopped_at, s.pairs(0)[0].step) == (CONTACT, 0.0, CONTACT)
    check_against_oracle(world, [0.0, 0.1, 0.25, 0.3, 0.6, 1.0], 0.1)


def test_it_prints_that_it_is_sampled_and_never_clear() -> None:
    apart, touching = passing(0.4).simulate(dt=0.25), passing().simulate(dt=0.5, models="exact")
    assert repr(apart) == "Simulation(sampled, 5 of 5 steps: 5 FREE)"
    assert repr(touching) == "Simulation(sampled, 2 of 3 steps: 1 FREE, 1 CONTACT)"
    assert "sampled at 5 steps from 0 to 1 s; nothing is known between two steps" in str(apart)
    assert "stopped at 0.5 s: 'ball' touches 'post', p_W = (0.5, 0.1, 0) m" in str(touching)
    for s in (apart, touching):
        assert "CLEAR" not in str(s) + repr(s) + str(s.report())
    with pytest.raises(TypeError, match=r"compare \.steps with kc\.Step\.FREE"):
        bool(apart)


def test_models_are_built_for_bodies_that_come_near_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[kc.SphereTree] = []
    build = sampling.build_sphere_tree
    monkeypatch.setattr(
        sampling, "build_sphere_tree", lambda *given: built.append(build(*given)) or built[-1]
    )
    world = passing()
    world.add("far", kc.Box([0.2, 0.2, 0.2]), at(0, 0, 9))
    world.add("selected", kc.Sphere(0.3), at(0.5, 0.6))
    before = world.nbytes
    s = world.simulate(dt=0.1, accuracy=0.03, stop=False)
    assert {tree.shape for tree in built} == {kc.Sphere(0.1), kc.Box([0.1, 0.1, 0.5])}
    assert s.statistics["models"] == 2
    assert s.statistics["spheres"] == sum(tree.n_spheres for tree in built)
    assert world.nbytes >= before + sum(tree.nbytes for tree in built)
    world.simulate(dt=0.01, accuracy=0.03, stop=False)
    assert len(built) == 2
    world.simulate(dt=0.1, accuracy=0.05)
    assert len(built) == 4
    world.remove("post")
    world.simulate(dt=0.1, accuracy=0.03)
    assert {key[0] for key in world._models} == {kc.Sphere(0.1)}
    assert passing().simulate(dt=0.1, models="exact").statistics["models"] == 0


def test_a_model_that_cannot_be_built_is_an_error_with_its_name() -> None:
    with pytest.raises(kc.ArgumentError, match=r"'ball': accuracy = 1e-15 m is too fine"):
        passing().simulate(dt=0.5, accuracy=1e-15)


@pytest.mark.parametrize(
    ("size", "accuracy"), [(0.01, 0.5 * 0.01 * math.sqrt(3) / 16), (0.5, 0.005), (10.0, 0.5 * 10 * math.sqrt(3) / 256)]
)  # fmt: skip
def test_the_usual_accuracy_follows_the_size(size: float, accuracy: float) -> None:
    assert usual_accuracy(kc.Box([size] * 3)) == pytest.approx(accuracy)


class TestRules:
    """The same pairs, windows and margins as in `verify`."""

    def test_allowed_pairs_and_windows(self) -> None:
        world = passing()
        world.allow("ball", "post", t_from=0.4, t_to=0.5)
        times = [0.45, 0.5, math.nextafter(0.5, 1.0), 0.52, 0.6]
        s = world.simulate(times=times, models="exact", stop=False)
        assert [step.name for step in s.steps] == ["FREE", "FREE", "CONTACT", "CONTACT", "FREE"]
        check_against_oracle(world, times, 0.05)
        world.allow("ball", "post")
        assert (world.simulate(times=times, models="exact").steps == FREE).all()

    def test_selected_pairs(self) -> None:
        world = passing()
        world.add("other", kc.Sphere(0.01), at(0.5, -0.05))
        world.only([("ball", "other")])
        s = world.simulate(dt=0.5, models="exact")
        assert [pair[:2] for pair in s.pairs(-1)] == [("ball", "other")]

    def test_margins(self) -> None:
        world = passing(0.175)  # 0.025 m apart
        world.set_margin("ball", "post", 0.03)
        s = world.simulate(dt=0.1, models="exact")
        assert (s.stopped_at, s.pairs(-1)[0].margin) == (0.5, 0.03)
        assert s.position == pytest.approx((0.5, 0.1125, 0.0), abs=1e-6)
        check_against_oracle(world, np.linspace(0, 1, 31).tolist(), 0.05)
        world.set_margin("ball", "post", 0.01)
        assert world.simulate(dt=0.1, models="exact").stopped_at is None

    def test_path_tolerances_make_margins_larger_as_in_verify(self) -> None:
        world = passing(0.175)
        world.set_path_tolerance("ball", distance=0.03)
        s = world.simulate(dt=0.1, models="exact")
        assert (s.stopped_at, s.pairs(-1)[0].margin) == (0.5, 0.03)
        assert world.verify().verdict is kc.Verdict.COLLIDING
        world.set_path_tolerance("ball", time=0.01)  # it moves at 1 m/s
        assert world.simulate(dt=0.1, models="exact").stopped_at is None
        world.set_path_tolerance("ball", time=0.03)
        assert world.simulate(dt=0.1, models="exact").stopped_at == 0.5

    def test_what_is_attached_moves_with_its_link(self) -> None:
        world = kc.World()
        world.add_robot("arm", slider(), drive([0, 1, 2], [0.0, 0.0, 2.0]))
        world.add("part", kc.Sphere(0.1), at(0, 0, -0.2))
        world.add("stop", cube(0.2), at(1.0, 0, -0.3))
        world.attach("part", "arm/head", 1.0)
        world.allow("part", "arm/head")
        times = np.linspace(0, 2, 41).tolist()
        contacts, _ = check_against_oracle(world, times, 0.05)
        assert contacts > 3
        s = world.simulate(times=times, models="exact")
        assert s.pairs(-1)[0][:2] == ("part", "stop")
        assert s.stopped_at == pytest.approx(1.4, abs=0.05)

    def test_contact_at_rest_is_listed_until_the_pair_moves(self) -> None:
        world = kc.World()
        world.add("table", kc.Box([1, 1, 0.1]), at(0, 0, -0.05))
        world.add("part", kc.Sphere(0.1), way([0, 1, 2], (0, 0, 0.1), (0, 0, 0.1), (0, 0, 1.0)))
        world.add("drop", kc.Sphere(0.1), way([0, 1, 2], (0.3, 0, 0.1), (0.3, 0, 0.1), (0.3, 0, -0.1)))
        times = [0.0, 0.5, 1.0, 1.01, 1.5, 2.0]
        s = world.simulate(times=times, models="exact", stop=False)
        drop, part = ("drop", "table"), ("part", "table")
        found = [[pair[:2] for pair in s.pairs(k)] for k in range(6)]
        assert found == [
            [],
            [],
            [drop, part],
            [drop],
            [drop],
            [drop],
        ]  # as in `verify`, from when it moves on
        assert world.verify().pair("part", "table").time == 1.0
        check_against_oracle(world, times, 0.05)
        listed = {(one.a, one.b): one.t_to for one in s.report().unchecked if one.reason == "at rest"}
        assert listed == {("part", "table"): 1.0, ("drop", "table"): 1.0}

    def test_a_world_in_which_nothing_moves_is_checked_as_it_stands(self) -> None:
        world = kc.World()
        world.add("a", kc.Sphere(0.1), at(0, 0))
        world.add("b", kc.Sphere(0.1), at(0.1, 0))
        s = world.simulate(dt=1.0, models="exact")
        assert (s.times.tolist(), s.steps[0]) == ([0.0], CONTACT)


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python takes minutes")
@pytest.mark.parametrize("seed", range(6))
def test_random_worlds_agree_with_exact_shapes_at_every_step(seed: int) -> None:
    times = np.unique(np.concatenate([np.linspace(-0.5, 3.5, 30), [1.0, 2.25]])).tolist()
    contacts, possible = check_against_oracle(random_world(seed), times, None)
    assert contacts > 5
    assert possible > 1


class Circle(kc.CustomMotion):
    """A body that goes around the origin at 1 m/s without turning."""

    def pose(self, t: float) -> Any:
        return at(math.cos(t), math.sin(t))

    def path_length(self, radius: float, t0: float, t1: float) -> float:  # noqa: ARG002
        return t1 - t0


def test_motions_of_a_users_class_and_objects_of_several_parts() -> None:
    world = kc.World()
    world.add("round", [(kc.Sphere(0.1), at(0.1, 0)), (cube(0.1), at(-0.1, 0))], Circle(0.0, 4.0))
    world.add("box", kc.Box([0.3, 0.3, 0.3]), at(0.0, 1.2, 0.1))
    contacts, _ = check_against_oracle(world, np.linspace(0, 4, 21).tolist(), 0.05)
    assert contacts > 1


class TestTimes:
    """When steps are."""

    def test_the_last_step_is_at_the_end_exactly(self) -> None:
        world = passing(0.4)
        assert world.simulate(dt=0.3).times.tolist() == [0.0, 0.3, 0.6, pytest.approx(0.9), 1.0]
        assert world.simulate(dt=0.1).times[-1] == 1.0
        assert len(world.simulate(dt=0.1)) == 11
        assert world.simulate(dt=5.0).times.tolist() == [0.0, 1.0]
        assert world.simulate(dt=0.2, t0=0.5, t1=0.75).times.tolist() == [0.5, 0.7, 0.75]
        assert world.simulate(dt=0.2, t0=0.5, t1=0.5).times.tolist() == [0.5]

    def test_steps_do_not_drift(self) -> None:
        times = even_instants(0.0, 1000.0, 0.001)
        assert len(times) == 1_000_001
        assert abs(times[999_999] - 999.999) <= math.ulp(1000.0)
        shifted = even_instants(1e6, 1e6 + 7.0, 0.1)
        assert len(shifted) == 71
        assert np.abs(np.diff(shifted) - 0.1).max() < 1e-9

    def test_given_instants(self) -> None:
        s = passing().simulate(times=[0.1, 0.5, 0.9], models="exact", stop=False)
        assert s.times.tolist() == [0.1, 0.5, 0.9]
        assert s.steps.tolist() == [FREE, CONTACT, FREE]
        assert s.times.flags.writeable is False


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "simulate: give dt, or the times themselves, but neither is given."),
        ({"dt": 0.1, "times": [0.0]}, "simulate: give dt, or the times themselves, but both are given."),
        ({"times": [0.0], "t1": 1.0}, "simulate: times are the instants themselves; give t0 and t1 with dt only."),
        ({"dt": 0.0}, "dt must be a finite number > 0, in seconds, but it is 0.0."),
        ({"dt": -1.0}, "dt must be a finite number > 0"),
        ({"dt": math.nan}, "dt must be a finite number > 0"),
        ({"dt": "0.1"}, "dt must be a finite number > 0"),
        ({"dt": 1e-9}, f"would make 1e+09 steps, more than {MOST_STEPS}; use a larger dt"),
        ({"dt": 5e-324}, f"would make inf steps, more than {MOST_STEPS}; use a larger dt"),
        ({"dt": 0.1, "t0": 2.0, "t1": 1.0}, "t0 = 2 s comes after t1 = 1 s"),
        ({"dt": 1e-12, "t0": 1e8, "t1": 1e8 + 1e-6}, "is lost in the rounding of times"),
        ({"times": []}, "simulate: times must be a list of instants in seconds"),
        ({"times": 0.5}, "simulate: times must be a list of instants in seconds"),
        ({"times": ["soon"]}, "simulate: times must be a list of instants in seconds"),
        ({"times": [0.0, math.nan]}, "simulate: each of the times must be a finite number of seconds"),
        ({"times": [0.0, math.inf]}, "simulate: each of the times must be a finite number of seconds"),
        ({"times": [0.0, 0.5, 0.5]}, "times must increase, but times[2] = 0.5 s follows times[1] = 0.5 s."),
        ({"dt": 0.1, "models": "sphere"}, "simulate: models must be 'spheres' or 'exact', but it is 'sphere'"),
        ({"dt": 0.1, "accuracy": 0.0}, "accuracy must be a finite number > 0, in metres"),
        ({"dt": 0.1, "accuracy": math.nan}, "accuracy must be a finite number > 0, in metres"),
        ({"dt": 0.1, "ratio": 1.0}, "ratio must be a finite number > 1"),
        ({"dt": 0.1, "ranks": 1}, "ranks must be a whole number from 2"),
        ({"dt": 0.1, "stop": 1}, "stop must be True or False"),
        ({"dt": 0.1, "on_step": 3}, "simulate: on_step must be a function, or None, but it is 3"),
    ],
)  # fmt: skip
def test_bad_arguments(options: dict[str, Any], words: str) -> None:
    with pytest.raises(kc.ArgumentError) as error:
        passing().simulate(**options)
    assert words in str(error.value)


def test_the_first_step_is_at_the_start_however_long_steps_are() -> None:
    """With dt = 1e9 the step at t0, and the contact there, was left out."""
    world = kc.World()
    world.add("a", kc.Box([0.2] * 3), np.eye(4))
    world.add("b", kc.Sphere(0.1), kc.PoseTrajectory.from_positions([0, 1], [[0.1, 0, 0], [1, 0, 0]]))
    for dt in (1.0, 5.0, 9e8, 1e9, 1e20):
        found = world.simulate(dt=dt, models="exact", stop=False)
        assert found.times.tolist() == [0.0, 1.0]
        assert found.steps[0] is kc.Step.CONTACT


@pytest.mark.parametrize("offset", [0.0, 1e5, -1e5, 1e6, -1e6])
@pytest.mark.parametrize(("length", "dt", "n"), [(0.1, 0.001, 101), (0.1, 0.004, 26), (0.001, 0.001, 2)])
def test_steps_that_end_within_rounding_of_the_end_are_the_end(
    offset: float, length: float, dt: float, n: int
) -> None:
    times = even_instants(offset, offset + length, dt)
    assert len(times) == n
    assert (times[0], times[-1]) == (offset, offset + length)
    assert (np.diff(times) > 0.5 * dt).all()


def test_an_empty_world_and_motions_that_end_are_refused() -> None:
    with pytest.raises(kc.ArgumentError, match="this World is empty"):
        kc.World().simulate(dt=0.1)
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0), hold="none"))
    with pytest.raises(kc.TrajectoryError, match="ball"):
        world.simulate(dt=0.1, t1=2.0)


def test_steps_are_numbered() -> None:
    s = passing().simulate(dt=0.5, models="exact")
    assert s.pairs(-1) == s.pairs(1)
    for k in (2, -3, 0.5, True, "0"):
        with pytest.raises(kc.ArgumentError, match="steps are numbered from 0 to 1"):
            s.pairs(k)  # type: ignore[arg-type]


class TestCallback:
    """What `on_step` sees, and what it does."""

    def test_it_is_called_for_each_step_before_the_next_is_checked(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        order: list[Any] = []
        checked = sampling.Stepping._checked

        def note(self: Any, block: Any, first: int, last: int) -> Any:
            order.append("check")
            assert last == first + 1
            return checked(self, block, first, last)

        monkeypatch.setattr(sampling.Stepping, "_checked", note)
        s = passing().simulate(dt=0.1, models="exact", on_step=order.append)
        steps = order[1::2]
        assert order[::2] == ["check"] * 6
        assert [(step.number, step.time) for step in steps] == list(enumerate(s.times.tolist()))
        assert [step.step for step in steps] == s.steps.tolist()
        assert steps[-1].pairs == s.pairs(5)
        assert steps[0].pairs == ()

    @pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python takes minutes")
    @pytest.mark.parametrize("models", ["spheres", "exact"])
    def test_it_sees_the_steps_that_a_run_without_it_finds(self, models: Any) -> None:
        world, seen = random_world(1), []
        with_it = world.simulate(dt=0.11, models=models, stop=False, on_step=seen.append)
        without = world.simulate(dt=0.11, models=models, stop=False)
        assert with_it.steps.tolist() == without.steps.tolist() == [step.step for step in seen]
        for k in range(len(without)):
            assert [pair[:3] for pair in without.pairs(k)] == [pair[:3] for pair in seen[k].pairs]

    def test_it_may_stop(self) -> None:
        s = passing().simulate(dt=0.1, models="exact", on_step=lambda step: step.number == 2)
        assert (len(s), s.stopped_at, s.position) == (3, 0.2, None)

    def test_what_it_raises_comes_through(self) -> None:
        def fail(step: Any) -> None:
            if step.number == 3:
                raise LookupError("no robot")

        world = passing()
        with pytest.raises(LookupError, match="no robot"):
            world.simulate(dt=0.1, accuracy=0.05, on_step=fail)
        assert world.simulate(dt=0.1, models="exact").stopped_at == 0.5

    def test_it_sees_the_world_as_it_was(self) -> None:
        world = passing()

        def take_away(step: Any) -> None:
            if step.number == 0:
                world.remove("post")

        s = world.simulate(dt=0.1, models="exact", on_step=take_away)
        assert s.stopped_at == 0.5


class TestInterrupt:
    """Ctrl-C keeps what is known."""

    def test_in_a_callback(self) -> None:
        def stop(step: Any) -> None:
            if step.number == 3:
                raise KeyboardInterrupt

        s = passing().simulate(dt=0.1, models="exact", on_step=stop)
        assert (len(s), s.interrupted, s.stopped_at) == (4, True, None)
        assert s.report().interrupted
        assert s.report().verdict is kc.Verdict.UNDECIDED
        assert "interrupted" in str(s)

    def test_in_the_middle_of_the_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        calls = []
        checked = sampling.Stepping._checked

        def note(self: Any, block: Any, first: int, last: int) -> Any:
            calls.append(first)
            if len(calls) == 2:
                raise KeyboardInterrupt
            return checked(self, block, first, last)

        monkeypatch.setattr(sampling.Stepping, "_checked", note)
        s = passing(0.4).simulate(dt=0.01)
        assert (len(s), s.interrupted) == (sampling.FIRST_BLOCK, True)
        monkeypatch.undo()
        assert s.steps.tolist() == [FREE] * sampling.FIRST_BLOCK

    def test_before_the_first_step(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def stop(*_: Any) -> Any:
            raise KeyboardInterrupt

        monkeypatch.setattr(sampling.Stepping, "_checked", stop)
        s = passing().simulate(dt=0.1)
        assert (len(s), s.interrupted, s.position) == (0, True, None)
        report = s.report(scene=True)
        assert kc.Report.from_json(report.to_json()) == report
        assert "before its first step" in str(report)
        with pytest.raises(kc.ArgumentError, match="stopped before its first one"):
            s.pairs(0)
