"""The crowd command: what it finds, prints and writes, how it ends, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import keepclear as kc
from keepclear.cli import crowd_run as module
from keepclear.cli.crowd_run import CrowdResult, Run, result_lines
from keepclear.cli.main import main
from keepclear.crowd.experiment import Experiment

SMALL = ["--spheres", "12", "--size", "60", "--seconds", "0.5"]
TRACKS = """frame,id,x_m,y_m
0,7,0.0,0.0
0,9,4.0,0.0
10,7,2.0,0.0
10,9,2.0,0.0
20,7,4.0,0.0
20,9,0.0,0.0
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["crowd", *arguments], catch_exceptions=False)


def run_of(**changes: Any) -> Run:
    given: dict[str, Any] = {
        "members": 1000, "dimensions": 3, "motion": "random", "response": "elastic", "edge": 200.0, "filled": 0.13,
        "seed": 1, "seconds": 15.0, "simulated": 15.0, "cpu_seconds": 0.6, "contacts": 34_086, "wall_contacts": 11_004,
        "memory": 2_300_000,
        "statistics": {
            "cells entered": 150, "cells left": 140, "bounds updated": 30, "bounds touched": 60, "walls touched": 15,
        },
    }  # fmt: skip
    return Run(**(given | changes))


def test_a_crowd_is_run_and_told_of(tmp_path: Path) -> None:
    file = tmp_path / "crowd.json"
    result = run(*SMALL, "--seed", "3", "--json", str(file))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("12 spheres in a box of 60 m, ")
    assert lines[0].endswith(" % full: random forces, elastic impacts, seed 3")
    assert lines[1].startswith("0.5 s simulated in ")
    assert lines[1].endswith(" s for a simulated second")
    assert [line[2:16].strip() for line in lines[3:10]] == [
        "cells entered", "cells left", "bounds updated", "bounds touched", "walls touched", "contacts", "memory",
    ]  # fmt: skip
    assert lines[-1] == f"written: {file}"
    found = json.loads(file.read_text())
    assert (found["format"], found["interrupted"]) == ("keepclear-crowd/2", False)
    (only,) = found["runs"]
    assert (only["members"], only["edge"], only["simulated"], only["seed"]) == (12, 60.0, 0.5, 3)
    crowd = Experiment(12, edge=60.0, seed=3).build()
    events = crowd.advance(0.5)
    assert found["events"]["time"] == pytest.approx(events.time.tolist(), abs=1e-9)
    assert found["events"]["kind"] == events.kind.tolist()
    assert only["contacts"] == (events.kind == "contact").sum()
    assert only["wall_contacts"] == (events.kind == "wall").sum() > 0


def test_results_match_their_schema(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(module.__file__).with_name("crowd.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    tracks, file = tmp_path / "walkers.csv", tmp_path / "crowd.json"
    tracks.write_text(TRACKS)
    for arguments in (SMALL, ["--tracks", str(tracks), "--frame-rate", "10", "--radii", "0.3"]):
        run(*arguments, "--json", str(file))
        found = json.loads(file.read_text())
        jsonschema.validate(found, schema)
    found["runs"][0]["statistics"]["entering"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema)


@pytest.mark.parametrize("motion", ["field", "ballistic"])
def test_other_motions_in_a_plane(motion: str) -> None:
    result = run(
        *SMALL, "--motion", motion, "--dimensions", "2", "--radii", "1:2", "--speeds", "5", "--size", "30"
    )
    words = {"field": "circulating", "ballistic": "free flight"}[motion]
    assert result.exit_code == 0
    assert result.stdout.startswith("12 discs in a box of 30 m, ")
    assert f": {words}, elastic impacts, seed 1\n" in result.stdout


def test_a_sweep_is_a_table(tmp_path: Path) -> None:
    file = tmp_path / "sweep.json"
    result = run("--sweep", "8,4", "--seconds", "0.1", "--size", "90", "--json", str(file))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "random forces, 0.1 s simulated, seed 1"
    assert lines[1].split()[:3] == ["spheres", "full", "s"]
    assert [line.split()[0] for line in lines[2:4]] == ["4", "8"]
    found = json.loads(file.read_text())
    assert [run["members"] for run in found["runs"]] == [4, 8]
    assert "events" not in found


def test_a_bare_sweep_is_that_of_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def take(experiments: list[Experiment], job: module.Job) -> CrowdResult:
        asked.extend(experiment.n for experiment in experiments)
        assert job == module.Job(quiet=True)
        return CrowdResult((run_of(),))

    monkeypatch.setattr(module, "run_sweep", take)
    assert run("--sweep", "-q").exit_code == 0
    assert asked == [500, 1000, 1500, 2000, 2500, 3000, 3500]


def test_overlaps_of_tracks_are_a_collision(tmp_path: Path) -> None:
    file = tmp_path / "tracks.csv"
    file.write_text(TRACKS)
    output = tmp_path / "found.json"
    result = run("--tracks", str(file), "--frame-rate", "10", "--radii", "0.5", "--json", str(output))
    assert result.exit_code == 1
    assert result.stdout.startswith("2 discs: recorded tracks, passing through each other\n2 s simulated in ")
    assert "  0.750000 s: 7 and 9 begin to overlap at (2.000, 0.000)\n" in result.stdout
    found = json.loads(output.read_text())
    assert found["ids"] == [7, 9]
    assert found["events"]["time"] == pytest.approx([0.75, 1.25], abs=1e-9)
    early = run("--tracks", str(file), "--frame-rate", "10", "--radii", "0.5", "--seconds", "0.5")
    assert early.exit_code == 0
    assert early.stdout.splitlines()[-2].split()[:2] == ["overlaps", "0"]


def test_with_json_on_the_standard_output_words_go_elsewhere() -> None:
    result = run(*SMALL, "--json", "-")
    assert json.loads(result.stdout)["runs"][0]["members"] == 12
    assert result.stderr.startswith("12 spheres in a box of 60 m")
    assert run(*SMALL, "-q").stdout == ""


def test_a_page_is_written(tmp_path: Path) -> None:
    file = tmp_path / "crowd.html"
    result = run(*SMALL, "--html", str(file))
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, f"written: {file}")
    assert "<title>12 spheres, random forces</title>" in file.read_text()


def test_the_first_ctrl_c_ends_it_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    advance, calls = kc.Crowd.advance, []

    def interrupted(crowd: kc.Crowd, until: float) -> Any:
        calls.append(until)
        if len(calls) == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return advance(crowd, until)

    monkeypatch.setattr(kc.Crowd, "advance", interrupted)
    before = signal.getsignal(signal.SIGINT)
    result = run("--spheres", "12", "--size", "60", "--seconds", "1000")
    assert result.exit_code == 3
    last = result.stdout.splitlines()[-1]
    assert last.startswith("stopped before the end at ")
    assert last.endswith(" of 1000 s; this is the result so far")
    assert "12 spheres in a box of 60 m" in result.stdout
    assert signal.getsignal(signal.SIGINT) is before


def test_exit_codes() -> None:
    def code(interrupted: bool = False, **changes: Any) -> int:
        return CrowdResult((run_of(**changes),), interrupted).exit_code

    assert code() == 0
    assert code(response="report", contacts=0) == 0
    assert code(response="report") == 1
    assert code(interrupted=True) == 3
    assert code(interrupted=True, response="report") == 1


def test_lines_of_results() -> None:
    assert list(result_lines(CrowdResult((run_of(),)))) == [
        "\x1b[1m1,000 spheres in a box of 200 m, 13 % full\x1b[0m: random forces, elastic impacts, seed 1",
        "15 s simulated in 0.600 s of processor time: \x1b[1m0.0400 s for a simulated second\x1b[0m",
        "\x1b[2m  count                number   per second\x1b[0m",
        "  cells entered           150           10",
        "  cells left              140            9",
        "  bounds updated           30            2",
        "  bounds touched           60            4",
        "  walls touched            15            1",
        "  contacts             34,086 with each other, 11,004 with walls",
        "  memory               2.3 MB",
    ]
    (line,) = result_lines(CrowdResult((), True))
    assert "stopped before the end; this is the result so far" in line


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--spheres", "0"], "--spheres must be a whole number >= 1, but it is '0'."),
        (["--spheres", "1.5"], "--spheres must be a whole number >= 1, but it is '1.5'."),
        (["--seconds", "nan"], "--seconds must be a number > 0, but it is 'nan'."),
        (["--seconds", "0"], "--seconds must be a number > 0, but it is '0'."),
        (["--seed", "-1"], "--seed must be a whole number >= 0, but it is '-1'."),
        (
            ["--radii", "5:1"],
            "--radii must be a number >= 0, or two such as 0.1:10 from low to high, but it is '5:1'.",
        ),
        (["--speeds", "1:2:3"], "--speeds must be a number >= 0, or two"),
        (["--accelerations", "much"], "--accelerations must be a number >= 0, or two"),
        (["--sweep", "5,x"], "--sweep must be whole numbers with commas between them, such as 500,1000"),
        (["--sweep", "5", "--spheres", "5"], "leave out --spheres."),
        (["--sweep", "5", "--html", "a.html"], "--html shows one crowd, and --sweep runs several"),
        (["--figures", "folder"], "--figures plots results of --sweep; give both."),
        (["--frame-rate", "5"], "--frame-rate is for --tracks only; leave it out."),
        (["--tracks", "a.csv"], "--tracks needs the radii of its members; add --radii"),
        (["--tracks", "a.csv", "--radii", "1"], "there is no file 'a.csv' with tracks; check the path."),
        (
            ["--tracks", "a.csv", "--radii", "1", "--spheres", "9"],
            "--spheres and --tracks exclude each other",
        ),
        (["--tracks", "a.csv", "--radii", "1", "--response", "elastic"], "their motion is given."),
        (["--json", "no/such/folder/a.json"], "there is no folder 'no/such/folder'; create it first."),
        (
            ["--tracks", ".", "--radii", "1"],
            "tracks '.' cannot be read as text: it is a folder, not a regular file.",
        ),
        (
            ["--size", "10", "--spheres", "1", "--radii", "9"],
            "keepclear: sphere 0 with radius 9 does not fit",
        ),
        (["--size", "10"], "does not fit into a box that is 10 wide."),
        (["--spheres", "20", "--radii", "3", "--size", "12"], "20 spheres would fill 130.9% of the box"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert text in result.stderr
    assert result.stderr.startswith("keepclear: ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("option", ["--spheres", "--sweep"])
def test_a_crowd_that_no_memory_holds_is_bad_input(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system ended the process, without a message."""
    monkeypatch.setattr(os, "sysconf", lambda _: 50_000, raising=False)  # pages, and bytes of each
    result = run(option, "1e9", "--seconds", "0.1")
    text = (
        "1000000000: so many spheres need more than 1000 GB of memory, and this machine has 2 GB; take fewer."
    )
    assert (result.exit_code, result.stderr) == (2, f"keepclear: {option} {text}\n")


def test_radii_of_tracks_may_differ(tmp_path: Path) -> None:
    file = tmp_path / "tracks.csv"
    file.write_text(TRACKS)
    assert run("--tracks", str(file), "--frame-rate", "10", "--radii", "0.1:0.4").exit_code == 1
    assert run("--tracks", str(file), "--frame-rate", "10", "--radii", "0", "--seconds", "0.9").exit_code == 0
