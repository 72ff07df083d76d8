"""The whole job from a file: verdicts, programs, what is assumed, and what happens after Ctrl-C."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import config
from tests.unit.jobs.cell.cells import ARM, PICK, write

from keepclear.errors import ArgumentError, CellError, UnknownNameError
from keepclear.jobs.cell.cell import read_cell
from keepclear.jobs.cell.verify import verify
from keepclear.results import Verdict
from keepclear.world.world import World

BALL = """
title: A ball and a post
tolerance: 1e-4
objects:
  ball: {sphere: 0.1, motion: {times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}}
  post: {box: [0.2, 0.2, 0.2], position: [0.5, 0, 0]}
"""
PROGRAMS = """
tolerance: 1e-4
objects:
  ball: {sphere: 0.1, position: [0, 0, 0]}
  post: {box: [0.2, 0.2, 0.2], position: [0.5, 0, 0]}
programs:
  beside: {ball: {times: [0, 1], positions: [[0, 0.25, 0], [1, 0.25, 0]]}}
  through: {ball: {times: [0, 2], positions: [[0, 0, 0], [1, 0, 0]]}}
"""


def test_the_verdict_over_a_cell(tmp_path: Path) -> None:
    report = verify(write(tmp_path, cell_yaml=BALL))
    assert report.verdict is Verdict.COLLIDING
    assert report.title == "A ball and a post"
    assert (report.t0, report.t1, report.tolerance) == (0.0, 1.0, 1e-4)
    (pair,) = report.pairs
    assert {pair.a, pair.b} == {"ball", "post"}
    assert pair.time == pytest.approx(0.3, abs=1e-3)


def test_the_method_of_a_cell_and_its_cross_check(tmp_path: Path) -> None:
    path = write(tmp_path, cell_yaml="method: bisection" + PROGRAMS)
    report = verify(path, cross_check=True)
    assert "answered by method 'bisection'" in next(a.text for a in report.assumptions if a.kind == "method")
    assert [program.cross_check.n_confirmed for program in report.programs] == [1, 1]
    assert report.cross_check.n_confirmed == 2
    assert [a.text for a in verify(path, method="hybrid").assumptions if a.kind == "method"] == []
    with pytest.raises(ArgumentError, match="cross_check is for proofs"):
        verify(path, stepwise=0.1, cross_check=True)


def test_what_the_caller_says_counts_more_than_the_cell(tmp_path: Path) -> None:
    path = write(tmp_path, cell_yaml="interval: [0, 1]" + BALL)
    assert verify(path, t1=0.2).verdict is Verdict.CLEAR
    assert verify(path, tolerance=1e-2).tolerance == 1e-2
    assert verify(read_cell(path)) == verify(path)


def test_rules_of_the_cell_count(tmp_path: Path) -> None:
    for rule, expected in (
        ("allowed: [[ball, post]]", []),
        ("allowed: [{pair: [ball, post], from: 0.25, reason: it pushes the post}]", [Verdict.CLEAR]),
        ("margins: [{pair: [post, ball], margin: 0.05}]\ninterval: [0, 0.27]", [Verdict.COLLIDING]),
        ("interval: [0, 0.27]", [Verdict.CLEAR]),
    ):
        report = verify(write(tmp_path, cell_yaml=BALL + rule))
        assert [pair.verdict for pair in report.pairs] == expected
    aside = BALL.replace("post: {", "far: {sphere: 0.1, position: [0, 9, 0]}\n  post: {margin: 0.05, ")
    report = verify(write(tmp_path, cell_yaml=aside + "only: [[ball, post]]\ninterval: [0, 0.27]"))
    assert [(pair.verdict, pair.margin) for pair in report.pairs] == [(Verdict.COLLIDING, 0.05)]
    late = BALL.replace("ball: {", "ball: {path_tolerance: {distance: 0.01, time: 0.04}, ")
    report = verify(write(tmp_path, cell_yaml=late + "interval: [0, 0.27]"))
    assert report.verdict is Verdict.COLLIDING


def test_what_was_guessed_and_what_leaves_its_limits_is_told(tmp_path: Path) -> None:
    fast = PICK.replace("2,1.0,0.2", "2,2.5,0.2")
    text = "objects: {arm: {robot: arm.urdf, motion: fast.csv}, ball: {sphere: 0.1, position: [9, 0, 0]}}"
    report = verify(write(tmp_path, cell_yaml=text, arm_urdf=ARM, fast_csv=fast))
    units = [note.text for note in report.assumptions if note.kind == "unit"]
    assert units == [
        "fast.csv is taken as seconds, radians and metres, since neither it nor the cell gives units"
    ]
    assert [text for text in report.warnings if "limit" in text] == [
        "arm: joint 'shoulder' gets to 2.5 rad, above its limit 2 rad"
    ]
    still = verify(
        write(tmp_path, cell_yaml="objects: {a: {sphere: 1}, b: {sphere: 1, position: [3, 0, 0]}}")
    )
    assert still.warnings == ("nothing in this cell moves: it is checked at rest",)


def test_programs_have_a_verdict_each(tmp_path: Path) -> None:
    path = write(tmp_path, cell_yaml=PROGRAMS)
    calls: list[tuple[int, int, str]] = []
    report = verify(path, progress=lambda *call: calls.append(call))
    assert report.verdict is Verdict.COLLIDING
    assert [(one.program, one.verdict) for one in report.programs] == [
        ("beside", Verdict.CLEAR),
        ("through", Verdict.COLLIDING),
    ]
    assert [(pair.program, pair.verdict) for pair in report.pairs] == [
        ("through", Verdict.COLLIDING),
        ("beside", Verdict.CLEAR),
    ]
    assert (report.t0, report.t1) == (0.0, 2.0)
    assert report.statistics["pairs"] == 2
    assert calls
    assert all(done <= total and text.startswith(("beside: ", "through: ")) for done, total, text in calls)
    alone = verify(path, program="beside")
    assert (alone.verdict, alone.program, alone.programs) == (Verdict.CLEAR, "beside", ())
    assert alone == report.programs[0]
    with pytest.raises(UnknownNameError, match=r"has no program 'beyond'; it has 2 programs"):
        verify(path, program="beyond")


def test_the_report_does_not_depend_on_threads(tmp_path: Path) -> None:
    path = write(tmp_path, cell_yaml=PROGRAMS)
    assert verify(path, threads=1) == verify(path, threads=2)


def test_programs_after_an_interrupt_are_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(
        tmp_path,
        cell_yaml=PROGRAMS.replace(
            "through:", "middle: {ball: {times: [0, 3], positions: [[0, 0, 0], [0, 1, 0]]}}\n  through:"
        ),
    )
    check, calls = World.verify, []

    def interrupted(world: World, **options: Any) -> Any:
        calls.append(options["t0"])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return check(world, **options)

    monkeypatch.setattr(World, "verify", interrupted)
    report = verify(path)
    assert len(calls) == 2
    assert report.interrupted
    assert report.verdict is Verdict.UNDECIDED
    assert [one.verdict for one in report.programs] == [Verdict.CLEAR, Verdict.UNDECIDED, Verdict.UNDECIDED]
    assert [(one.program, one.t1) for one in report.programs] == [
        ("beside", 1.0),
        ("middle", 3.0),
        ("through", 2.0),
    ]


def test_mistakes_come_before_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(World, "verify", lambda *_, **__: pytest.fail("it worked on a cell with mistakes"))
    with pytest.raises(CellError, match="did you mean 'post'"):
        verify(write(tmp_path, cell_yaml=PROGRAMS + "allowed: [[ball, pots]]"))


def test_rules_may_be_about_one_program(tmp_path: Path) -> None:
    twice = PROGRAMS + "  again: {ball: {times: [0, 2], positions: [[0, 0, 0], [1, 0, 0]]}}\n"
    rule = "allowed: [{pair: [ball, post], program: again}]\n"
    rule += "margins: [{pair: [ball, post], margin: 0.1, program: [beside]}]"
    report = verify(write(tmp_path, cell_yaml=twice + rule))
    assert [(one.program, one.verdict.name, len(one.pairs)) for one in report.programs] == [
        ("beside", "COLLIDING", 1),
        ("through", "COLLIDING", 1),
        ("again", "CLEAR", 0),
    ]
    with pytest.raises(
        CellError, match=r"allowed\[0\]\.program: there is no program 'agan'; did you mean 'again'\?"
    ):
        read_cell(write(tmp_path, cell_yaml=twice + rule.replace("again", "agan")))


def test_steps_until_the_first_contact(tmp_path: Path) -> None:
    path = write(tmp_path, cell_yaml=BALL)
    report = verify(path, stepwise=0.25, scene=True)
    assert (report.verdict, report.title, report.tolerance) == (Verdict.COLLIDING, "A ball and a post", 1e-4)
    assert report.sampling is not None
    assert report.sampling.steps == ("FREE", "FREE", "CONTACT")
    assert report.scene is not None
    assert report.scene.times.tolist() == [0.0, 0.25, 0.5]
    assert verify(path, stepwise=0.25, t1=0.25).verdict is Verdict.UNDECIDED


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python takes minutes")
def test_steps_until_the_first_possible_contact(tmp_path: Path) -> None:
    covers = verify(write(tmp_path, cell_yaml=BALL), stepwise=0.01, models="spheres")
    assert (covers.verdict, covers.exit_code) == (Verdict.UNDECIDED, 3)
    assert covers.sampling is not None
    assert covers.sampling.steps[-1] == "MAY_TOUCH"


def test_steps_of_several_programs(tmp_path: Path) -> None:
    path = write(tmp_path, cell_yaml=PROGRAMS)
    report = verify(path, stepwise=0.1)
    assert report.verdict is Verdict.COLLIDING
    assert [one.verdict for one in report.programs] == [Verdict.UNDECIDED, Verdict.COLLIDING]
    assert all(one.sampling is not None for one in report.programs)
    beside = verify(path, stepwise=0.1, program="beside")
    assert (beside.verdict, beside.program) == (Verdict.UNDECIDED, "beside")
    told: list[tuple[int, int, str]] = []
    verify(path, stepwise=0.1, program="beside", progress=lambda *given: told.append(given))
    assert told[-1] == (11, 11, "beside: simulating steps")


def test_ctrl_c_in_a_simulation_keeps_what_is_known(tmp_path: Path) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    report = verify(write(tmp_path, cell_yaml=PROGRAMS), stepwise=0.01, progress=stop)
    first, second = report.programs
    assert (report.interrupted, first.interrupted, second.interrupted) == (True, True, True)
    assert first.sampling is not None
    assert len(first.sampling.times) == 8
    assert second.sampling is None
    assert report.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"models": "exact"}, "give stepwise, the time between steps, too"),
        ({"stepwise": 0.1, "contacts": "all"}, "contacts is for proofs, and stepwise samples"),
        ({"stepwise": 0.1, "curves": 5}, "curves is for proofs, and stepwise samples"),
        ({"stepwise": 0.1, "budget": 5}, "budget is for proofs, and stepwise samples"),
        ({"accuracy": 0.01}, "accuracy is for sphere models; give stepwise and models='spheres' too"),
        ({"stepwise": 0.1, "ranks": 3}, "ranks is for sphere models; give stepwise and models='spheres' too"),
        ({"stepwise": 0.1, "models": "spheres", "accuracy": -1.0}, "accuracy must be a finite number > 0"),
        ({"stepwise": 0.0}, "dt must be a finite number > 0, in seconds"),
        ({"stepwise": 0.1, "models": "boxes"}, "models must be 'spheres' or 'exact'"),
    ],
)
def test_options_that_do_not_fit_together(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        verify(write(tmp_path, cell_yaml=BALL), **options)


@pytest.mark.parametrize(
    ("motion", "file", "rows"),
    [
        ("path.csv", "path.csv", (5, 7)),  # behind a comment, around an empty line
        ("{file: path.csv, start: 10}", "path.csv", (5, 7)),
        ("{times: [0, 1, 2], positions: [[-9, 0, 0],\n    [0, 0, 0],\n    [1, 0, 0]]}", "cell.yaml", (6, 7)),
        ("path.npz", "path.npz", (None, None)),  # samples of an archive have no rows
    ],
)
def test_hints_name_the_rows_around_a_contact(
    tmp_path: Path, motion: str, file: str, rows: tuple[int, int]
) -> None:
    times, positions = [0.0, 1.0, 2.0], [[-9.0, 0, 0], [0, 0, 0], [1, 0, 0]]
    np.savez(tmp_path / "path.npz", times=times, positions=positions)
    csv = "# by hand\n\ntime,x,y,z\n0,-9,0,0\n1,0,0,0\n\n2,1,0,0\n"
    cell = BALL.replace("{times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}", motion)
    (pair,) = verify(write(tmp_path, cell_yaml=cell, path_csv=csv), hints=True).pairs
    assert pair.hint is not None
    around = pair.hint.around
    assert around is not None
    assert (around.of, around.first, around.last) == ("ball", 1, 2)
    assert (around.file, around.row_first, around.row_last) == (file, *rows)
    assert pair.hint.text.endswith(f" of {file}" if file else " of 'ball'")
