"""A simulation as a report: never CLEAR, in no form, and the same when it is read back."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
from numba import config
from tests.unit.world.simulated import near_miss, passing, random_world
from tests.unit.world.worlds import at, way

import keepclear as kc
from keepclear.report.parts import SAMPLED
from keepclear.world.selection import plan as plans
from keepclear.world.simulate import results


def test_free_steps_leave_everything_undecided() -> None:
    report = passing(0.4).simulate(dt=0.1).report(title="cell")
    assert report.verdict is kc.Verdict.UNDECIDED
    assert report.exit_code == 3
    (pair,) = report.pairs
    assert (pair.verdict, pair.t_lo, pair.t_hi, pair.proof) == (kc.Verdict.UNDECIDED, 0.0, 1.0, SAMPLED)
    assert (pair.clearance_lower, pair.clearance_upper, pair.time) == (0.0, None, None)
    text = "UNDECIDED: sampled at 11 steps from 0 to 1 s, no contact at any of them; nothing is proved between steps"
    assert str(report).splitlines()[0] == text
    assert str(pair) == "UNDECIDED: 'ball' - 'post' has no contact at any step"
    assert report.title == "cell"


def test_a_contact_has_a_witness_and_no_proof_before_it() -> None:
    report = passing().simulate(dt=0.1, models="exact").report()
    assert (report.verdict, report.exit_code) == (kc.Verdict.COLLIDING, 1)
    (pair,) = report.pairs
    assert (pair.time, pair.t_lo, pair.t_hi) == (0.5, 0.0, 0.5)
    assert pair.contacts[0].p_W == pytest.approx((0.5, 0.1, 0.0), abs=1e-6)
    assert report.first is pair
    assert report.sampling is not None
    assert report.sampling.steps == ("FREE",) * 5 + ("CONTACT",)
    assert report.sampling.n_asked == 11


def test_a_possible_contact_is_undecided_with_its_gap() -> None:
    report = near_miss().simulate(dt=0.1, accuracy=0.01).report()
    assert report.verdict is kc.Verdict.UNDECIDED
    (pair,) = report.pairs
    assert pair.clearance_time == 0.5
    assert 0.002 <= pair.clearance_upper <= 0.0401
    assert "1 possible contact, the first at 0.5 s with a gap of at most 40" in str(report)
    assert "possible contacts: 'ball' - 'post' may touch at 0.5 s, at most 40" in str(report)


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python takes minutes")
@pytest.mark.parametrize("models", ["spheres", "exact"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_is_the_same_when_it_is_read_back(models: str, seed: int, tmp_path: Path) -> None:
    simulation = random_world(seed).simulate(dt=0.2, models=models, stop=False)  # type: ignore[arg-type]
    report = simulation.report(title="random")
    report.to_json(tmp_path / "r.json")
    read = kc.read_report(tmp_path / "r.json")
    assert read == report
    assert read.verdict is report.verdict is not kc.Verdict.CLEAR
    assert all(pair.verdict is not kc.Verdict.CLEAR for pair in read.pairs)
    assert kc.Report.from_json(report.to_json(effort=False)).verdict is report.verdict
    contact = {
        pair[:2]
        for k in range(len(simulation))
        for pair in simulation.pairs(k)
        if pair.step is kc.Step.CONTACT
    }
    assert {(pair.a, pair.b) for pair in read.pairs if pair.verdict is kc.Verdict.COLLIDING} == contact
    assert "CLEAR" not in report.to_junit()
    assert read.far is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"verdict": "CLEAR"}, "CLEAR"),
        (
            {"sampling": {"steps": ["CONTACT"] + ["FREE"] * 10}},
            "a step is CONTACT, but its verdict is UNDECIDED",
        ),
        (
            {"sampling": {"steps": ["CLEAR"] + ["FREE"] * 10}},
            "a step is 'CLEAR', not FREE, MAY_TOUCH or CONTACT",
        ),
        ({"sampling": {"steps": ["FREE"]}}, "it has 11 steps of 11, 1 states and 11 gaps"),
        ({"sampling": {"n_asked": 3}}, "it has 11 steps of 3"),
        ({"sampling": {"times": [9.0] * 11}}, "its steps do not increase, or are outside of the interval"),
        ({"far": {"count": 1, "bound": 0.1, "rule": ""}}, "has far pairs, which are CLEAR"),
    ],
)
def test_a_file_that_was_changed_is_refused(change: dict, words: str) -> None:  # type: ignore[type-arg]
    content = json.loads(passing(0.4).simulate(dt=0.1).report().to_json())
    for name, value in change.items():
        content[name] = content[name] | value if isinstance(content[name], dict) else value
    with pytest.raises(kc.ReportError, match="contradicts itself") as error:
        kc.Report.from_json(json.dumps(content))
    assert words in str(error.value)


def test_a_clear_pair_is_refused() -> None:
    report = passing(0.4).simulate(dt=0.1).report()
    clear = [dataclasses.replace(report.pairs[0], verdict=kc.Verdict.CLEAR, t_lo=1.0)]
    changed = dataclasses.replace(report, pairs=clear)
    with pytest.raises(kc.ReportError, match="'ball' - 'post' is CLEAR, but was sampled in time"):
        kc.Report.from_json(changed.to_json())


def test_pairs_of_large_worlds_that_do_not_come_near_are_not_called_clear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plans, "MOST_LISTED", 0)
    world = passing()
    world.add("far", kc.Sphere(0.1), at(0, 9))
    report = world.simulate(dt=0.5, models="exact").report()
    assert [(pair.a, pair.b) for pair in report.pairs] == [("ball", "post")]
    assert report.far is None
    assert any(one.kind == "sampling" and "1 more pair" in one.text for one in report.assumptions)
    with pytest.raises(kc.ReportError, match="sampled in time"):
        report.pair("ball", "far")
    world.remove("post")
    report = world.simulate(dt=0.5).report()
    assert (report.verdict, len(report.pairs)) == (kc.Verdict.UNDECIDED, 0)
    assert kc.Report.from_json(report.to_json()) == report


def test_a_world_without_pairs_is_undecided_with_a_warning() -> None:
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    report = world.simulate(dt=0.5).report()
    assert report.verdict is kc.Verdict.UNDECIDED
    assert any("no pair was checked" in text for text in report.warnings)


def test_each_step_is_a_frame_of_the_page(tmp_path: Path) -> None:
    simulation = passing().simulate(dt=0.1, models="exact")
    report = simulation.report(scene=True)
    assert report.scene is not None
    assert report.scene.times.tolist() == simulation.times.tolist()
    ball = next(body for body in report.scene.bodies if body.name == "ball")
    assert ball.X_W[:, 0, 3] == pytest.approx(simulation.times)
    page = simulation.to_html(tmp_path / "p.html", title="steps")
    assert (tmp_path / "p.html").read_text() == page
    assert 'data-verdict="COLLIDING"' in page
    assert '"sampling":{"n_asked":11' in page


def test_a_page_of_very_many_steps_shows_all_that_are_not_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST_POSES", 2)
    simulation = passing().simulate(dt=0.002, models="exact", stop=False)
    scene = simulation.report(scene=True).scene
    assert scene is not None
    assert len(scene.times) < len(simulation)
    busy = simulation.times[simulation.steps == kc.Step.CONTACT]
    assert 0 < len(busy) <= 100
    assert np.isin(busy, scene.times).all()


def test_bad_options_of_the_report() -> None:
    simulation = passing().simulate(dt=0.5, models="exact")
    with pytest.raises(kc.ArgumentError, match="title must be a string"):
        simulation.report(title=3)  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="scene must be True or False"):
        simulation.report(scene=1)  # type: ignore[arg-type]


def test_warnings_and_assumptions_are_those_of_verify() -> None:
    world = passing(0.4)
    world.warn("look here")
    world.assume("unit", "post", "it is in millimetres")
    sampled, verified = world.simulate(dt=0.5).report(), world.verify()
    assert sampled.warnings == verified.warnings
    kinds = {"tolerance", "sampling"}
    assert [one for one in sampled.assumptions if one.kind not in kinds] == [
        one for one in verified.assumptions if one.kind not in kinds
    ]
    assert [one.text for one in sampled.assumptions if one.kind in kinds] == [
        "the motion was sampled, and nothing is known about the time between steps"
    ]
    assert sampled.unchecked == verified.unchecked
    assert not math.isnan(sampled.tolerance)
