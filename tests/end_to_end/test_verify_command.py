"""The command line as a user has it: real processes, pipes and signals, on the cell that ships in the package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import keepclear as kc

CELL = Path(kc.__file__).parent / "jobs" / "cell" / "demo" / "cell.yaml"
MISTAKES = """\
tolerence: 0.001
interval: [8, 0]
objects:
  arm: {robot: missing.urdf}
  table: {box: [1.0, 1.0]}
  ball: {sphere: -0.1}
  wall: {box: [1, 1, 1], colour: red}
  part: {mesh: missing.stl}
  post: {cylinder: {radius: 0.1, length: long}}
  thing: {position: [0, 0, 0]}
allowed: [[table, tabel]]
"""


pytestmark = pytest.mark.xdist_group("demo")  # which runs once for all of them


def keepclear(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, its output in pipes."""
    command = [sys.executable, "-m", "keepclear", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the demo has run."""
    folder: Path = tmp_path_factory.mktemp("demo") / "out"
    done = keepclear("demo", "--out", folder)
    assert done.returncode == 0, done.stderr
    (folder / "printed.txt").write_text(done.stdout)
    assert done.stderr == ""
    return folder


def test_the_demo_tells_its_story(folder: Path) -> None:
    printed = (folder / "printed.txt").read_text()
    lines = printed.splitlines()
    assert "\x1b" not in printed
    assert "sampled check  program 'pick' at 100 poses: clear" in lines
    contact = next(line for line in lines if "program 'pick' at every instant" in line)
    assert "contact at t = 2.06" in contact
    assert "'arm/gripper'" in contact
    assert "'arch'" in contact
    corrected = next(line for line in lines if "program 'pick-corrected' at every instant" in line)
    assert corrected.endswith("proved clear with 4.0 mm to spare")
    assert f"report  {folder / 'report.html'}" in printed
    assert lines[-1] == f"repeat  keepclear verify {folder / 'cell.yaml'}"
    assert 'data-verdict="COLLIDING"' in (folder / "report.html").read_text()


def test_a_clear_program_exits_with_0_and_writes_its_files(folder: Path, tmp_path: Path) -> None:
    paths = {name: tmp_path / name for name in ("r.json", "r.xml")}
    done = keepclear("verify", folder / "cell.yaml", "--program", "pick-corrected", "--json", paths["r.json"],
                     "--junit", paths["r.xml"])  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "CLEAR: " in done.stdout.splitlines()[1]
    report = kc.read_report(paths["r.json"])
    assert report.verdict is kc.Verdict.CLEAR
    assert min(pair.clearance_lower for pair in report.pairs) > 0.004
    base = next(pair for pair in report.unchecked if {pair.a, pair.b} == {"arm/base", "table"})
    assert (base.reason, base.touching) == ("at rest", True)
    suite = next(ElementTree.parse(paths["r.xml"]).getroot().iter("testsuite"))
    assert (suite.get("failures"), suite.get("errors")) == ("0", "0")


def test_a_contact_exits_with_1_and_json_comes_alone(folder: Path) -> None:
    done = keepclear("verify", folder / "cell.yaml", "--program", "pick", "--json", "-", "--quiet")
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    touching = [pair for pair in told["pairs"] if pair["verdict"] == "COLLIDING"]
    assert [{pair["a"], pair["b"]} for pair in touching] == [{"arm/gripper", "arch"}]
    assert touching[0]["t_lo"] <= touching[0]["time"] <= touching[0]["t_hi"]


def test_steps_exit_with_1_at_contact_and_otherwise_with_3(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("r.json", "r.html", "r.xml")]
    outputs = [
        text
        for file, kind in zip(files, ("json", "html", "junit"), strict=True)
        for text in (f"--{kind}", file)
    ]
    done = keepclear("verify", CELL, "--program", "pick", "--stepwise", "0.01", *outputs)
    assert (done.returncode, done.stderr) == (1, "")
    report = kc.read_report(files[0])
    assert report.verdict is kc.Verdict.COLLIDING
    assert report.sampling is not None
    assert report.sampling.steps[-1] == "CONTACT"
    assert 'data-verdict="COLLIDING"' in files[1].read_text()
    (suite,) = ElementTree.parse(files[2]).getroot()
    assert suite.get("failures") == "1"
    done = keepclear("verify", CELL, "--program", "pick-corrected", "--stepwise", "0.05", "--json", "-")
    assert done.returncode == 3
    assert json.loads(done.stdout)["verdict"] == "UNDECIDED"
    assert "nothing is proved between steps" in done.stderr
    assert "CLEAR" not in done.stdout + done.stderr
    done = keepclear("verify", CELL, "--program", "pick", "--stepwise", "0.08")
    assert done.returncode == 3  # steps of 80 ms miss the contact, and do not call that clear


def test_ten_mistakes_are_ten_lines_and_exit_with_2(tmp_path: Path) -> None:
    path = tmp_path / "cell.yaml"
    path.write_text(MISTAKES)
    done = keepclear("verify", path)
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert len(lines) == 10
    places = [line.removeprefix(f"{path}:").split(":")[0] for line in lines]
    assert places == [str(k) for k in (1, 2, 4, 5, 6, 7, 8, 9, 10, 11)]
    assert "did you mean 'tolerance'?" in lines[0]
    assert "did you mean 'table'?" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "no-such-cell.yaml"], "no-such-cell.yaml"),
        (["view", "no-such-report.html"], "there is no file 'no-such-report.html'"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str) -> None:
    done = keepclear(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr
    assert done.stderr.startswith("keepclear: ")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX systems")
def test_stopped_by_a_signal_it_reports_what_it_knows(tmp_path: Path) -> None:
    """The command stops itself by a signal when hulls have left pairs open, before exact shapes decide them."""
    report = tmp_path / "r.json"
    code = f"""
import os, signal, sys
import keepclear as kc
from keepclear.cli.commands import verify as module
from keepclear.cli.main import main
from contextlib import contextmanager

@contextmanager
def bar(quiet=False):
    yield lambda done, total, text: os.kill(os.getpid(), signal.SIGINT) if "checking pairs" in text else None

module.progress_bar = bar
main(["verify", {str(CELL)!r}, "--program", "pick-corrected", "--threads", "1", "--json", {str(report)!r}])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert done.stderr == ""
    assert "stopped before the end" in done.stdout
    known = kc.read_report(report)
    assert (known.verdict, known.interrupted) == (kc.Verdict.UNDECIDED, True)
    assert any(pair.verdict is kc.Verdict.UNDECIDED for pair in known.pairs)
