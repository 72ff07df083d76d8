"""`keepclear verify`: options, exit codes, files, and what it does when it is stopped."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.unit.cli import reports

import keepclear as kc
from keepclear.cli.commands.verify import CURVE_INSTANTS
from keepclear.cli.main import main
from keepclear.cli.outputs import checked_outputs
from keepclear.cli.progress import stoppable

Calls = list[dict[str, Any]]


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Calls]:
    """Let `kc.verify` answer with a report, or raise an error, and note what it was asked."""

    def let(result: Any) -> Calls:
        calls: Calls = []

        def verify(cell: Any, options: kc.VerifyOptions, **others: Any) -> Any:
            calls.append({"path": cell.path, **dataclasses.asdict(options), **others})
            if isinstance(result, BaseException):
                raise result
            return result

        monkeypatch.setattr(kc, "verify", verify, raising=False)
        read = lambda path: SimpleNamespace(path=path, files=[Path("program.csv")])  # noqa: E731
        monkeypatch.setattr(kc, "read_cell", read, raising=False)
        return calls

    return let


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["verify", *arguments], catch_exceptions=False)


@pytest.mark.parametrize(
    ("report", "code"),
    [(reports.clear, 0), (reports.colliding, 1), (reports.undecided, 3), (reports.both, 1)],
)
def test_the_exit_code_is_the_verdict(answer: Any, report: kc.Report, code: int) -> None:
    answer(report)
    result = run("cell.yaml")
    assert result.exit_code == code
    assert f"{report.verdict.value}: " in result.stdout
    assert result.stderr == ""
    assert "\x1b" not in result.stdout


def test_options_are_handed_on(answer: Any, tmp_path: Path) -> None:
    calls = answer(reports.clear)
    run("a.yaml")
    run("a.yaml", "--program", "pick", "--contacts", "all", "--threads", "2", "--tolerance", "1e-5", "--html",
        str(tmp_path / "a.html"))  # fmt: skip
    plain = {"path": "a.yaml", "progress": None} | dataclasses.asdict(kc.VerifyOptions())
    plain |= {"contacts": "all", "hints": True}
    assert calls[0] == plain
    more = {"program": "pick", "contacts": "all", "threads": 2, "tolerance": 1e-5}
    assert calls[1] == plain | more | {"scene": True, "curves": CURVE_INSTANTS, "evidence": True}
    run("a.yaml", "--html", str(tmp_path / "b.html"))
    run("a.yaml", "--html", str(tmp_path / "c.html"), "--contacts", "first")
    assert [call["contacts"] for call in calls[2:]] == ["all", "first"]  # a page shows how long contacts last


def test_methods_and_cross_checks_are_handed_on(answer: Any) -> None:
    calls = answer(reports.clear)
    run("a.yaml", "--method", "bisect_exact", "--cross-check")
    assert (calls[0]["method"], calls[0]["cross_check"]) == ("bisect_exact", True)
    result = run("a.yaml", "--method", "guess")
    assert (result.exit_code, len(calls)) == (2, 1)
    assert "'guess' is not one of 'hybrid', 'bisection', 'exact', 'bisect_exact'" in result.stderr


def test_pins_are_checked_before_the_work_and_come_first(tmp_path: Path) -> None:
    cell = tmp_path / "cell.yaml"
    cell.write_text(
        "objects:\n"
        "  ball: {sphere: 0.1, motion: {times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}}\n"
        "  post: {sphere: 0.1, position: [0.5, 0.25, 0]}\n"
        "  wall: {sphere: 0.1, position: [0.5, -0.28, 0]}\n"
    )
    result = run(str(cell), "--pin", "wal")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "has no object, link or robot 'wal' to pin; did you mean 'wall'?" in result.stderr
    result = run(str(cell), "--pin", "wall - ball", "--json", str(tmp_path / "a.json"))
    assert result.stdout.index("ball - wall ") < result.stdout.index("ball - post ")
    content = json.loads((tmp_path / "a.json").read_text())
    assert (content["pins"], content["pairs"][0]["b"]) == (["wall - ball"], "wall")
    assert content["evidence"]["command"].endswith(" --pin 'wall - ball'")
    again = tmp_path / "again.json"
    assert (
        CliRunner().invoke(main, ["reproduce", str(tmp_path / "a.json"), "--json", str(again)]).exit_code == 0
    )
    assert json.loads(again.read_text())["pairs"] == content["pairs"]
    assert run(str(cell), str(cell), "--pin", "wall").exit_code == 2


def test_a_pdf_is_checked_before_the_work(
    answer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = answer(reports.clear)
    monkeypatch.setenv("KEEPCLEAR_CHROMIUM", str(tmp_path / "gone"))
    result = run("a.yaml", "--pdf", str(tmp_path / "a.pdf"))
    assert (result.exit_code, calls) == (2, [])
    assert "which is no program" in result.stderr
    assert "give the path of a file" in run("a.yaml", "--pdf", "-").stderr
    monkeypatch.setenv("KEEPCLEAR_CHROMIUM", "false")
    assert "--pdf is for one cell" in run("a.yaml", "b.yaml", "--pdf", str(tmp_path / "a.pdf")).stderr
    result = run("a.yaml", "--pdf", str(tmp_path / "a.pdf"), "--json", str(tmp_path / "a.json"))
    assert result.exit_code == 2
    assert "made no PDF; write the page" in result.stderr
    assert (tmp_path / "a.json").exists(), "the other files are written"
    assert (calls[0]["scene"], calls[0]["curves"], calls[0]["evidence"]) == (True, CURVE_INSTANTS, True)


@pytest.mark.parametrize("more", [[], ["--strict"]])
def test_methods_that_disagree_exit_with_4(answer: Any, more: list[str]) -> None:
    answer(reports.disputed)
    result = run("cell.yaml", *more)
    assert result.exit_code == 4
    assert (
        "cross-check: 2 pairs confirmed by another method, 1 pair with contradictory answers" in result.stdout
    )


def test_options_of_a_simulation_are_handed_on(answer: Any, tmp_path: Path) -> None:
    calls = answer(reports.undecided)
    assert run("a.yaml", "--stepwise", "0.02").exit_code == 3
    run("a.yaml", "--stepwise", "0.02", "--models", "spheres", "--html", str(tmp_path / "a.html"))
    spheres = "--stepwise", "0.02", "--models", "spheres"
    run("a.yaml", *spheres, "--accuracy", "0.002", "--ratio", "3", "--ranks", "4")
    plain = {"path": "a.yaml", "progress": None} | dataclasses.asdict(kc.VerifyOptions())
    assert calls[0] == plain | {"stepwise": 0.02, "models": None}
    assert calls[1] == plain | {"stepwise": 0.02, "models": "spheres", "scene": True, "evidence": True}
    asked = {"stepwise": 0.02, "models": "spheres", "accuracy": 0.002, "ratio": 3.0, "ranks": 4}
    assert calls[2] == plain | asked
    for options in (["--accuracy", "0.1"], ["--stepwise", "0.1", "--ranks", "3"]):
        refused = run("a.yaml", *options)
        assert (refused.exit_code, len(calls)) == (2, 3)
        assert "needs --stepwise and --models spheres" in refused.stderr


@pytest.mark.parametrize("dt", ["0", "-1", "nan", "soon"])
def test_a_bad_step_is_one_line(answer: Any, dt: str) -> None:
    calls = answer(reports.clear)
    result = run("a.yaml", "--stepwise", dt)
    assert (result.exit_code, calls) == (2, [])
    assert result.stderr == f"keepclear: --stepwise must be a number > 0, but it is '{dt}'.\n"


def test_files_are_written_and_named(answer: Any, tmp_path: Path) -> None:
    answer(reports.colliding)
    paths = [str(tmp_path / name) for name in ("r.json", "r.xml", "r.html")]
    result = run("cell.yaml", "--json", paths[0], "--junit", paths[1], "--html", paths[2])
    assert result.exit_code == 1
    assert [line for line in result.stdout.splitlines() if line.startswith("written")] == [
        f"written: {path}" for path in (paths[0], paths[2], paths[1])
    ]
    assert kc.read_report(paths[0]) == reports.colliding
    assert "<failure" in Path(paths[1]).read_text()
    assert 'data-verdict="COLLIDING"' in Path(paths[2]).read_text()


def test_json_on_the_standard_output_is_alone_there(answer: Any) -> None:
    answer(reports.clear)
    result = run("cell.yaml", "--json", "-")
    assert json.loads(result.stdout)["verdict"] == "CLEAR"
    assert "CLEAR: 3 pairs" in result.stderr


def test_quiet_prints_nothing(answer: Any) -> None:
    answer(reports.colliding)
    result = run("cell.yaml", "--quiet")
    assert (result.exit_code, result.output) == (1, "")


def test_each_mistake_is_a_line(answer: Any) -> None:
    answer(kc.CellError(["cell.yaml:3:5: objects.arm: no such file", "cell.yaml:7:1: colour: unknown key"]))
    result = run("cell.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        "cell.yaml:3:5: objects.arm: no such file",
        "cell.yaml:7:1: colour: unknown key",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--json", "no/such/r.json"], "there is no folder 'no/such'; create it first"),
        (["--html", "."], "this is a folder; give the path of a file"),
        (["--json", "r", "--junit", "./r"], "--junit ./r: this is also the path of --json;"),
        (["--json", "-", "--html", "-"], "--html -: this is also the path of --json;"),
        (["--json", "cell.yaml"], "--json cell.yaml: this command already uses this file;"),
    ],
)
def test_paths_are_looked_at_before_the_work(
    answer: Any, arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    calls = answer(reports.clear)
    result = run("cell.yaml", *arguments)
    assert (result.exit_code, result.stdout, calls) == (2, "", [])
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_noticed(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(kc.ArgumentError, match=r"the folder .* is not writable; choose another path"):
        checked_outputs({"json": str(tmp_path / "r.json")})
    tmp_path.chmod(0o700)


def test_a_file_that_cannot_be_written_after_all_is_bad_input(
    answer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(reports.clear)

    def full(*_: Any) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kc.Report, "to_json", full)
    result = run("cell.yaml", "--json", str(tmp_path / "r.json"), "--junit", str(tmp_path / "r.xml"))
    assert result.exit_code == 2
    assert "cannot be written: No space left on device" in result.stderr
    assert (tmp_path / "r.xml").exists()


def test_files_that_the_cell_names_are_not_replaced(answer: Any) -> None:
    """A report under the name of the robot's program replaced the program."""
    answer(reports.clear)
    result = run("cell.yaml", "--json", "program.csv")
    assert result.exit_code == 2
    assert "--json program.csv: the cell uses this file" in result.stderr


def test_strict_says_why_it_fails(answer: Any) -> None:
    answer(dataclasses.replace(reports.clear, warnings=("the base is far away",)))
    for more, lines in (
        ([], ["keepclear: exit code 2: 1 warning with --strict"]),
        (["-q"], ["keepclear: exit code 2: 1 warning with --strict", "warning: the base is far away"]),
    ):
        result = run("cell.yaml", "--strict", *more)
        assert (result.exit_code, result.stderr.splitlines()) == (2, lines)


@pytest.mark.parametrize(
    "arguments", [["--threads", "0"], ["--tolerance", "0"], ["--contacts", "some"], ["--colour"]]
)
def test_bad_options_are_bad_input(arguments: list[str]) -> None:
    assert run("cell.yaml", *arguments).exit_code == 2


def test_stopped_before_the_first_pair_is_undecided(answer: Any, tmp_path: Path) -> None:
    answer(KeyboardInterrupt())
    result = run("cell.yaml", "--json", str(tmp_path / "r.json"))
    assert result.exit_code == 3
    assert "stopped before anything was checked" in result.stdout
    report = kc.read_report(tmp_path / "r.json")
    assert (report.verdict, report.interrupted) == (kc.Verdict.UNDECIDED, True)


def test_other_commands_say_that_they_were_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("keepclear.cli.commands.warmup.compile_kernels", stopped)
    result = CliRunner().invoke(main, ["warmup"])
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "keepclear: stopped\n")


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_and_the_second_would_end_the_process(name: signal.Signals) -> None:
    before = signal.getsignal(name)
    with stoppable():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(name)
        assert signal.getsignal(name) == signal.SIG_DFL
    assert signal.getsignal(name) == before


def test_another_thread_leaves_signals_alone() -> None:
    before, entered = signal.getsignal(signal.SIGINT), []

    def work() -> None:
        with stoppable():
            entered.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert entered == [before]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ur10.urdf", "is a robot, not a cell file; write one for it with: keepclear init ur10.urdf"),
        (
            "pick.csv",
            "is a motion, not a cell file; write one for the robot that it moves with: "
            "keepclear init ROBOT.urdf pick.csv",
        ),
        (
            "part.STL",
            "is a mesh, not a cell file; name it in one, such as objects: {part: {mesh: part.STL}}",
        ),
    ],
)
def test_another_file_than_a_cell_gets_the_command_that_helps(answer: Any, name: str, said: str) -> None:
    calls = answer(reports.clear)
    result = run(name)
    assert (result.exit_code, result.stdout, calls) == (2, "", [])
    assert result.stderr == f"keepclear: '{name}' {said}\n"


def test_models_without_steps_are_bad_input(answer: Any) -> None:
    answer(reports.clear)
    result = run("cell.yaml", "--models", "spheres")
    assert (result.exit_code, result.stderr) == (2, "keepclear: --models needs --stepwise; give both.\n")
