"""Several cells and fleets on the command line: what is written, what changed, and exit codes."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from tests.unit.jobs.fleet.fleets import write_cell

from keepclear.cli.main import main
from keepclear.errors import FleetError
from keepclear.jobs.fleet.results import ProgramResult
from keepclear.jobs.fleet.run import verify_programs
from keepclear.jobs.fleet.variants import read_variant


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_cell(tmp_path, "a.yaml")
    write_cell(tmp_path, "b.yaml", wall=0.8)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_every_output_of_several_cells(folder: Path) -> None:
    names = {kind: f"out.{kind}" for kind in ("json", "html", "junit", "csv", "sarif")}
    options = [part for kind, name in names.items() for part in (f"--{kind}", name)]
    result = run("verify", "a.yaml", "b.yaml", "--pages", "pages", *options)
    assert result.exit_code == 0, result.output
    assert "4 programs: 4 CLEAR" in result.output
    assert all(f"written: {name}" in result.output for name in names.values())
    assert len(json.loads((folder / "out.json").read_text())["programs"]) == 4
    assert (folder / "out.html").read_text().count("pages/") == 4
    assert len(list((folder / "pages").iterdir())) == 4
    assert (folder / "out.csv").read_text().count("\n") == 5
    assert len(ElementTree.parse(folder / "out.junit").getroot()) == 4
    assert json.loads((folder / "out.sarif").read_text())["version"] == "2.1.0"


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is a file of Linux")
@pytest.mark.parametrize("option", ["--json", "--pages"])
def test_a_contact_counts_more_than_what_cannot_be_written(folder: Path, option: str) -> None:
    write_cell(folder, "b.yaml", wall=0.5)
    value = {"--json": "/dev/full", "--pages": "/dev/null/pages"}[option]
    result = run("verify", "a.yaml", "b.yaml", option, value)
    clear = run("verify", "a.yaml", option, value, "--processes", "1")
    assert result.exit_code == 1, result.output
    assert f"keepclear: {option} {value}" in result.output or "keepclear: '/dev/full' cannot" in result.output
    assert clear.exit_code == 2, clear.output


@pytest.mark.skipif(sys.platform == "win32", reason="a port may be used twice there")
def test_a_port_in_use_is_found_before_the_work() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = run("verify", "a.yaml", "b.yaml", "--serve", str(port))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"keepclear: --serve {port} cannot be used: ")


@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a process there at once")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_with_the_verdict(folder: Path, number: int) -> None:
    write_cell(folder, "b.yaml", wall=0.5)
    command = [sys.executable, "-m", "keepclear", "verify", "a.yaml", "b.yaml", "--serve", "0", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "(Ctrl-C ends it)" in process.stdout.readline()
        process.send_signal(number)
        assert process.wait(timeout=60) == 1
        assert process.stderr is not None
        assert process.stderr.read() in ("ended\n", "")


def test_a_name_that_the_output_cannot_show(folder: Path) -> None:
    """A redirected output of Windows has few characters; the run ended without its reports."""
    cell = write_cell(folder, "b.yaml", wall=0.5)
    cell.write_text(cell.read_text().replace("table:", '"漢":'), encoding="utf-8")
    for cells in (["a.yaml", "b.yaml"], ["b.yaml"]):
        result = subprocess.run(
            [sys.executable, "-m", "keepclear", "verify", *cells],
            capture_output=True, env=os.environ | {"PYTHONIOENCODING": "cp1252"},
        )  # fmt: skip
        assert result.returncode == 1, result.stderr
        assert b"\\u6f22" in result.stdout
        assert result.stderr == b""


def test_a_name_stays_on_its_line(folder: Path) -> None:
    """A line of its own would be a command to whoever reads workflow commands."""
    cell = folder / "b.yaml"
    cell.write_text(cell.read_text().replace("table:", '"go\\n::stop-commands::x\\e[2K\\ud83d":'))
    result = run("verify", "a.yaml", "b.yaml")
    assert result.exit_code == 0, result.output
    assert "CLEAR     b.yaml go ::stop-commands::x?[2K?: by at least " in result.output


@pytest.mark.parametrize("command", [["batch"], ["verify"], ["verify", "a.yaml"]])
def test_a_name_that_is_too_long_is_bad_input(command: list[str]) -> None:
    result = run(*command, "a" * 300)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output


def test_a_cell_is_no_fleet(folder: Path) -> None:  # noqa: ARG001
    result = run("batch", "a.yaml")
    assert result.exit_code == 2
    assert result.stderr == (
        "a.yaml:1:1: objects: this is a cell file, not a fleet; run: keepclear verify a.yaml\n"
    )


def test_a_cell_of_a_fleet_with_a_name_that_is_too_long(folder: Path) -> None:
    (folder / "fleet.yaml").write_text(f"cells: [{'a' * 300}.yaml]\n")
    result = run("batch", "fleet.yaml")
    assert result.exit_code == 2, result.output
    assert "fleet.yaml:1:9: cells[0]: there is no cell 'aaa" in result.output


def test_messages_name_options_and_not_functions(folder: Path) -> None:
    (folder / "old.json").write_text("{}")
    for arguments, message in (
        (("--timeout", "1e400"), "--timeout must be a number > 0 and at most 1e+12, but it is '1e400'."),
        (
            ("--cluster", "foo"),
            "--cluster foo: give the address of a scheduler, such as tcp://10.0.0.1:8786, or",
        ),
        (
            ("--stepwise", "1e-12"),
            "keepclear: --stepwise = 1e-12 s would make 2e+12 steps, more than 10000000; use",
        ),
        (("--baseline", "old.json"), "it has no 'format'; give what --json wrote."),
        (("--store", "."), "store '.' is a folder; give the path of a file in it."),
        (("--threads", "9" * 20), "is not in the range 1<=x<=10000. See"),
    ):
        result = run("verify", "a.yaml", *arguments)
        assert (result.exit_code, message in result.stderr) == (2, True), result.output
    extra = run("cache", "extra")
    assert extra.stderr.startswith("keepclear: Got unexpected extra argument (extra). See ")


@pytest.mark.parametrize("value", ["nan", "inf", "0", "soon"])
def test_time_limits_that_are_none(value: str) -> None:
    result = run("verify", "a.yaml", "--timeout", value)
    assert result.exit_code == 2
    assert "--timeout must be a number > 0" in result.output


def test_warnings_of_one_cause_are_one_line_with_a_program(folder: Path) -> None:
    """Nine lines about one joint, which differed in its speed, named no program."""
    for name, x in (("a.yaml", 900), ("b.yaml", 800)):
        cell = folder / name
        cell.write_text(
            cell.read_text().replace("[0.8, 0, 0]", f"[{x}, 0, 0]").replace("[0.75, 0, 0]", f"[{x}, 0, 0]")
        )
    result = run("verify", "a.yaml", "b.yaml", "--no-clearances")
    (line,) = [line for line in result.output.splitlines() if line.startswith("warning: ")]
    assert line.startswith("warning: a.yaml inline: object 'wall' never comes within ")
    assert line.endswith(" (and 3 more programs)")


def test_a_very_long_time_limit() -> None:
    result = run("verify", "a.yaml", "--timeout", "1e9")
    assert result.exit_code == 0, result.output


def test_the_json_does_not_depend_on_the_run(folder: Path) -> None:
    assert run("verify", "a.yaml", "b.yaml", "--json", "one.json", "--store", "r.db").exit_code == 0
    assert run("verify", "b.yaml", "a.yaml", "--json", "two.json", "--store", "r.db").exit_code == 0
    one, two = (json.loads((folder / f"{name}.json").read_text()) for name in ("one", "two"))
    assert one["programs"] == two["programs"]
    assert (
        run("verify", "a.yaml", "b.yaml", "--json", "three.json", "--store", "r.db", "--effort").exit_code
        == 0
    )
    effort = json.loads((folder / "three.json").read_text())["effort"]
    assert [(entry["computed"], entry["stored"] > 0) for entry in effort] == [(0, True)] * 4


def test_a_baseline_ends_in_1_for_a_clearance_that_fell(folder: Path) -> None:
    assert run("verify", "a.yaml", "b.yaml", "--json", "old.json", "--store", "r.db").exit_code == 0
    write_cell(folder, "b.yaml", wall=0.8, post=0.19)
    for old in ("old.json", "r.db"):
        result = run(
            "verify", "a.yaml", "b.yaml", "--baseline", old, "--json", "new.json", "--annotations", "github"
        )
        assert result.exit_code == 1, result.output
        assert f"since {old}: 4 programs compared: 2 fallen clearances" in result.output
        assert "::error file=b.yaml,line=" in result.output
    assert len(json.loads((folder / "new.json").read_text())["baseline"]["changes"]) == 2
    limit = ["--baseline-limit", "0.02"]
    assert run("verify", "a.yaml", "b.yaml", "--baseline", "old.json", *limit).exit_code == 0
    result = run("verify", "a.yaml", "b.yaml", "--baseline", "old.json", "--no-clearances")
    assert result.exit_code == 0, result.output
    assert "not compared: only bounds are known now" in result.output


def test_one_cell_has_a_baseline_and_findings_too(folder: Path) -> None:
    assert run("verify", "b.yaml", "--json", "old.json").exit_code == 0
    write_cell(folder, "b.yaml", wall=0.8, post=0.19)
    result = run("verify", "b.yaml", "--baseline", "old.json", "--sarif", "out.sarif", "--csv", "out.csv")
    assert result.exit_code == 1, result.output
    assert "2 fallen clearances" in result.output
    found = json.loads((folder / "out.sarif").read_text())["runs"][0]["results"]
    assert {one["ruleId"] for one in found} >= {"clearance-fell"}
    assert "clearance fell" in (folder / "out.csv").read_text()
    write_cell(folder, "b.yaml", wall=0.5)
    result = run("verify", "b.yaml", "--annotations", "github", "-q")
    assert result.exit_code == 1
    assert (
        "::error file=rows.csv,line=4,col=1,title=Contact::b.yaml table: 'ball' touches 'wall'"
        in result.output
    )


def test_the_standard_output_is_nothing_but_the_file(folder: Path) -> None:
    assert run("verify", "b.yaml", "--json", "old.json").exit_code == 0
    write_cell(folder, "b.yaml", wall=0.8, post=0.19)
    for cells in (("b.yaml",), ("b.yaml", "b.yaml")):
        result = run("verify", *cells, "--json", "-", "--baseline", "old.json", "--annotations", "github")
        assert result.exit_code == 1, result.output
        assert json.loads(result.stdout)["verdict"] == "CLEAR"
        assert "2 fallen clearances" in result.stderr
        assert "::error" in result.stderr


def test_one_output_that_fails_does_not_stop_the_others(folder: Path) -> None:
    (folder / "dir").mkdir()
    (folder / "dir" / "file").write_text("x")
    result = run("verify", "a.yaml", "b.yaml", "--csv", "o.csv", "--pages", "dir/file/pages")
    assert (result.exit_code, "cannot be created" in result.output) == (2, True)
    assert (folder / "o.csv").exists()


def test_a_baseline_that_cannot_be_compared_is_one_line_and_2(folder: Path) -> None:
    assert run("verify", "a.yaml", "b.yaml", "--json", "old.json").exit_code == 0
    (folder / "damaged.json").write_text((folder / "old.json").read_text()[:-40])
    write_cell(folder, "c.yaml", wall=0.9)
    cells = ("a.yaml", "b.yaml")
    for arguments, message in (
        ((*cells, "--baseline", "nothing.json"), "there is no baseline 'nothing.json'"),
        ((*cells, "--baseline", "damaged.json"), "'damaged.json' is neither a store nor JSON"),
        (
            (*cells, "--baseline", "old.json", "--tolerance", "0.002"),
            "with a tolerance of 0.001 m, and now with 0.002",
        ),
        (("c.yaml", "--baseline", "old.json"), "has no program of this run"),
        ((*cells, "--baseline", "old.json", "--json", "old.json"), "this command already uses this file"),
        ((*cells, "--baseline-limit", "0.1"), "--baseline-limit needs --baseline"),
        ((*cells, "--baseline", "old.json", "--baseline-limit", "-1"), "must be a number >= 0"),
        ((*cells, "--baseline", "old.json", "--baseline-limit", "1", "--no-clearances"), "needs clearances"),
        ((*cells, "--effort"), "--effort needs --json"),
        ((*cells, "--pages", "a.yaml"), "this is a file"),
        (("a.yaml", "--pages", "pages"), "--pages is for several cells"),
        ((*cells, "--threads", "2"), "--threads is for one cell, without --processes"),
        ((*cells, "--sarif", "no/out.sarif"), "there is no folder 'no'"),
        ((*cells, "--annotations", "gitlab"), "'gitlab' is not 'github'"),
    ):
        result = run("verify", *arguments, "-q")
        assert result.exit_code == 2, (arguments, result.output)
        assert message in result.output
        assert result.stderr.count("\n") == 1, result.stderr


def test_no_file_is_written_over_one_that_is_read(folder: Path) -> None:
    run("verify", "a.yaml", "--store", "r.db")
    (folder / "fleet.yaml").write_text("cells: [a.yaml, b.yaml]\nstore: r.db\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for arguments, message in (
        (("verify", "a.yaml", "b.yaml", "--csv", "rows.csv"), "the cell uses this file"),
        (("verify", ".", "--json", "./b.yaml"), "the cell uses this file"),
        (("batch", "fleet.yaml", "--csv", "rows.csv"), "the cell uses this file"),
        (("batch", "fleet.yaml", "--json", "r.db"), "this command already uses this file"),
        (("batch", "fleet.yaml", "--json", "fleet.yaml"), "this command already uses this file"),
        (("verify", "a.yaml", "--store", "r.db", "--json", "r.db"), "this command already uses this file"),
        (("verify", "a.yaml", "--csv", "rows.csv"), "the cell uses this file"),
    ):
        result = run(*arguments)
        assert (result.exit_code, message in result.output) == (2, True), (arguments, result.output)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_store_of_one_cell_is_a_baseline(folder: Path) -> None:
    assert run("verify", "a.yaml", "--store", "r.db", "--html", "a.html").exit_code == 0
    again = run("verify", "a.yaml", "--store", "r.db", "--baseline", "r.db")
    assert (again.exit_code, "2 programs compared: nothing changed" in again.output) == (0, True)
    write_cell(folder, "a.yaml", post=0.19)
    one = run("verify", "a.yaml", "--store", "r.db", "--baseline", "r.db", "--program", "table")
    assert one.exit_code == 1
    assert "1 program compared: 1 fallen clearance" in one.output
    both = run("verify", "a.yaml", "b.yaml", "--store", "r.db", "--baseline", "r.db")
    assert (both.exit_code, "2 fallen clearances" in both.output) == (1, True)
    assert run("verify", "a.yaml", "b.yaml", "--store", "r.db").exit_code == 0, "they are accepted"
    last = run("verify", "a.yaml", "b.yaml", "--baseline", "r.db")
    assert (last.exit_code, "nothing changed" in last.output) == (0, True)


def test_a_contact_counts_before_a_baseline_that_cannot_be_compared(folder: Path) -> None:
    assert run("verify", "a.yaml", "b.yaml", "--json", "old.json").exit_code == 0
    write_cell(folder, "b.yaml", wall=0.5)
    result = run(
        "verify", "b.yaml", "a.yaml", "--baseline", "old.json", "--tolerance", "0.002", "--json", "new.json"
    )
    assert result.exit_code == 1
    assert "verify both with the same" in result.stderr
    assert (folder / "new.json").exists(), "what was found is written all the same"


def test_strict_holds_for_what_the_store_knows(folder: Path) -> None:
    write_cell(folder, "b.yaml", wall=0.8, more="  \n")
    (folder / "b.yaml").write_text((folder / "b.yaml").read_text().replace("[0.8, 0, 0]", "[900, 0, 0]"))
    for cells in (("a.yaml", "b.yaml"), ("b.yaml",)):
        for _ in range(2):
            result = run("verify", *cells, "--strict", "--store", "r.db", "--no-clearances")
            assert result.exit_code == 2, result.output
            assert "warning: " in result.output
            assert "--strict" in result.stderr, "the reason for the exit code"
    result = run("verify", "a.yaml", "b.yaml", "--store", "r.db", "--no-clearances")
    assert result.exit_code == 0
    assert ": 0 proved in this run" in result.output


def test_pairs_are_counted_as_proved_or_taken_from_earlier_runs(folder: Path) -> None:
    cells = ("verify", "a.yaml", "b.yaml", "--store", "r.db")
    assert "8 pairs: 8 proved in this run, 0 taken from the store" in run(*cells).output
    assert "8 pairs: 0 proved in this run, 8 taken from the store" in run(*cells).output
    write_cell(folder, "a.yaml", wall=0.7)  # the pair of the post is known, and that of the wall is not
    write_cell(folder, "b.yaml", wall=0.8, post=5.0)  # boxes alone prove that pair
    assert "8 pairs: 6 proved in this run, 2 taken from the store" in run(*cells).output
    again = run("verify", "a.yaml", "b.yaml")
    assert "8 pairs: 8 proved in this run, 0 taken from the store" in again.output


def test_a_time_limit_for_several_cells_is_undecided() -> None:
    files = ("--junit", "out.xml", "--csv", "out.csv", "--annotations", "github")
    result = run("verify", "a.yaml", "b.yaml", "--timeout", "1e-6", *files)
    assert result.exit_code == 3, result.output
    errors = [error.attrib for error in ElementTree.parse("out.xml").getroot().iter("error")]
    assert errors == [{"message": "it took more than 1e-06 s", "type": "time limit"}] * 4
    assert "title=Time limit::a.yaml inline: it took more than 1e-06 s" in result.output


def test_a_fleet_file_names_its_outputs(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "fleet.yaml").write_text(
        "title: Two cells\ncells: [a.yaml, b.yaml]\nstore: r.db\n"
        "report: {json: sub/f.json, html: sub/f.html, csv: f.csv, junit: f.xml, sarif: f.sarif, pages: sub/pages}\n"
    )
    assert run("batch", "fleet.yaml").exit_code == 0
    assert json.loads((folder / "sub/f.json").read_text())["title"] == "Two cells"
    assert '"page":"pages/' in (folder / "sub/f.html").read_text()
    write_cell(folder, "b.yaml", wall=0.8, post=0.19)
    again = run("batch", "fleet.yaml", "--csv", "other.csv")
    assert again.exit_code == 0, (
        "the overview shows what changed since the last run; without --baseline that fails nothing"
    )
    assert "clearance fell from" in (folder / "sub/f.html").read_text()
    assert (folder / "other.csv").exists()
    run("verify", "a.yaml", "b.yaml", "--json", "old.json")
    (folder / "fleet.yaml").write_text("cells: [a.yaml, b.yaml]\nreport: {baseline: old.json}\n")
    result = run("batch", "fleet.yaml")
    assert (result.exit_code, "nothing changed" in result.output) == (0, True)


def test_view_shows_a_fleet_and_one_program_of_it() -> None:
    run("verify", "a.yaml", "b.yaml", "--json", "fleet.json")
    shown = run("view", "fleet.json", "--no-open")
    assert shown.exit_code == 0, shown.output
    overview = Path(shown.output.splitlines()[-1]).read_text()
    assert "4 programs: 4 proved clear" in overview
    one = run("view", "fleet.json", "--program", "b.yaml table", "--no-open")
    assert "<title>CLEAR - b.yaml</title>" in Path(one.output.splitlines()[-1]).read_text()
    assert run("view", "fleet.json", "--program", "table", "--no-open").exit_code == 2
    assert run("view", "a.yaml", "--program", "table", "--no-open").exit_code == 2


def test_an_exported_store_is_a_baseline() -> None:
    run("verify", "a.yaml", "b.yaml", "--store", "r.db")
    assert run("store", "r.db", "--export", "all.json").exit_code == 0
    result = run("verify", "a.yaml", "b.yaml", "--baseline", "all.json")
    assert (result.exit_code, "nothing changed" in result.output) == (0, True)


def test_what_is_known_is_reported_when_an_executor_breaks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler that went away lost the contacts found before, and ended in 2."""

    def breaking(*given: object, **options: object) -> Iterator[ProgramResult]:
        yield next(iter(verify_programs(*given, **options)))  # type: ignore[arg-type]
        raise FleetError("the scheduler is gone")

    monkeypatch.setattr("keepclear.jobs.fleet.run.verify_programs", breaking)
    result = run("verify", "a.yaml", "b.yaml", "--json", "out.json")
    assert result.exit_code == 4
    assert "keepclear: the scheduler is gone" in result.output
    written = json.loads((folder / "out.json").read_text())
    assert (written["verdict"], written["not_run"]) == ("UNDECIDED", 3)
    assert written["programs"][1]["failure"] == "not run: the scheduler is gone"
    write_cell(folder, "a.yaml", wall=0.3)
    assert run("verify", "a.yaml", "b.yaml").exit_code == 1


def stop_after(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    """Stop runs after so many results, as Ctrl-C and SIGTERM do."""

    def stopped(*given: object, **options: object) -> Iterator[ProgramResult]:
        yield from itertools.islice(verify_programs(*given, **options), n)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr("keepclear.jobs.fleet.run.verify_programs", stopped)


def test_a_stopped_run_is_undecided_in_every_output(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of a run that was stopped said CLEAR, about the programs that were verified before."""
    stop_after(monkeypatch, 1)
    names = {kind: f"out.{kind}" for kind in ("json", "html", "junit", "csv", "sarif")}
    options = [part for kind, name in names.items() for part in (f"--{kind}", name)]
    result = run("verify", "a.yaml", "b.yaml", "--annotations", "github", *options)
    text = "3 of 4 programs were not run: stopped before the end"
    assert result.exit_code == 130, result.output
    assert "4 programs: 1 CLEAR, 3 not run" in result.output
    assert f"UNDECIDED: {text}" in result.output
    assert f"::error file=a.yaml,line=1,col=1,title=Not run::{text}" in result.output
    written = json.loads((folder / "out.json").read_text())
    assert (written["verdict"], written["not_run"]) == ("UNDECIDED", 3)
    assert [one["verdict"] for one in written["programs"]] == ["CLEAR"] + ["UNDECIDED"] * 3
    page = (folder / "out.html").read_text()
    assert "<title>UNDECIDED - " in page
    assert "4 programs: 1 proved clear, 3 not run" in page
    errors = [error.attrib for error in ElementTree.parse("out.junit").getroot().iter("error")]
    assert errors == [{"message": "not run: stopped before the end", "type": "not run"}] * 3
    assert (folder / "out.csv").read_text().count("not run: stopped before the end") == 3
    sarif = json.loads((folder / "out.sarif").read_text())["runs"][0]
    assert [one["message"]["text"] for one in sarif["results"] if one["ruleId"] == "not-run"] == [text]
    (invocation,) = sarif["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == text
    shown = run("view", "out.json", "--no-open")
    assert "<title>UNDECIDED - " in Path(shown.output.splitlines()[-1]).read_text()


def test_a_stopped_run_is_no_baseline(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs that were not run counted as new, and the exit code was 0."""
    with monkeypatch.context() as patched:
        stop_after(patched, 1)
        assert run("verify", "a.yaml", "b.yaml", "--json", "old.json").exit_code == 130
    result = run("verify", "a.yaml", "b.yaml", "--baseline", "old.json", "--json", "new.json")
    assert result.exit_code == 2, result.output
    assert "baseline 'old.json': 3 of 4 programs were not run: stopped before the end; give" in result.stderr
    assert json.loads((folder / "new.json").read_text())["verdict"] == "CLEAR"


def test_a_stopped_run_is_compared_by_what_was_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("verify", "a.yaml", "b.yaml", "--json", "old.json").exit_code == 0
    stop_after(monkeypatch, 1)
    result = run("verify", "a.yaml", "b.yaml", "--baseline", "old.json")
    assert result.exit_code == 130, result.output
    assert "since old.json: 1 program compared: nothing changed" in result.output
    write_cell(folder, "a.yaml", wall=0.3)
    assert run("verify", "a.yaml", "b.yaml", "--json", "new.json").exit_code == 1, "a contact counts most"
    assert json.loads((folder / "new.json").read_text())["not_run"] == 3
    stop_after(monkeypatch, 0)
    assert run("verify", "a.yaml", "b.yaml", "--baseline", "old.json").exit_code == 130


def test_cells_that_were_not_read_are_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(path: str, *_: object) -> object:
        if path == "b.yaml":
            raise KeyboardInterrupt
        return read_variant(path, ())

    monkeypatch.setattr("keepclear.jobs.fleet.run.read_variant", stopped)
    result = run("verify", "a.yaml", "a.yaml", "b.yaml", "--json", "out.json")
    assert result.exit_code == 130
    text = "3 of 3 programs were not run: stopped before the end; 1 cell among them not read, each counted as"
    assert text in result.output
    programs = json.loads((folder / "out.json").read_text())["programs"]
    assert [one["program"] for one in programs] == ["inline", "table", ""]


def test_programs_that_were_not_begun_are_errors_and_findings(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have no pair that could be an error, so that JUnit and SARIF files had nothing about them."""

    def stopped(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("keepclear.world.world.World.verify", stopped)
    result = run("verify", "a.yaml", "--junit", "out.xml", "--sarif", "out.sarif")
    assert result.exit_code == 3, result.output
    assert len(list(ElementTree.parse("out.xml").getroot().iter("error"))) == 2
    found = json.loads((folder / "out.sarif").read_text())["runs"][0]["results"]
    assert [one["ruleId"] for one in found] == ["undecided"] * 2


@pytest.mark.parametrize("change", ["verdict = 'UNDECIDED'", "key = zeroblob(32)", "cell = 'c' || cell"])
def test_changed_rows_of_programs_are_damage(folder: Path, change: str) -> None:
    assert run("verify", "a.yaml", "b.yaml", "--store", "r.db").exit_code == 0
    with contextlib.closing(sqlite3.connect(folder / "r.db")) as connection, connection:
        connection.execute(f"UPDATE programs SET {change}")
    result = run("store", "r.db", "--programs")
    assert result.exit_code == 2
    assert "is damaged: a program row has a wrong checksum" in result.output


@pytest.mark.parametrize("cells", [("b.yaml",), ("a.yaml", "b.yaml")], ids=["one cell", "two cells"])
def test_a_clearance_that_fell_is_found_until_it_is_accepted(folder: Path, cells: tuple[str, ...]) -> None:
    """A run that failed was the baseline of the next one, so that a second run of the same command passed."""
    keep, compare = ("--store", "r.db"), ("--store", "r.db", "--baseline", "r.db")
    write_cell(folder, "a.yaml")
    write_cell(folder, "b.yaml")
    assert run("verify", *cells, *keep).exit_code == 0
    assert run("verify", *cells, *compare).exit_code == 0
    write_cell(folder, "b.yaml", post=0.19)
    for _ in range(3):
        result = run("verify", *cells, *compare)
        assert result.exit_code == 1, result.output
        assert "to accept the new ones, run once without --baseline" in result.output
    assert run("verify", *cells, *keep).exit_code == 0
    assert run("verify", *cells, *compare).exit_code == 0


def test_a_contact_does_not_replace_a_clearance_in_the_baseline(folder: Path) -> None:
    """Clear, then in contact, then clear but closer than at first: the last was compared with the contact."""
    compare = ("--store", "r.db", "--baseline", "r.db")
    write_cell(folder, "b.yaml")
    assert run("verify", "b.yaml", "--store", "r.db").exit_code == 0
    write_cell(folder, "b.yaml", post=0.1)
    assert run("verify", "b.yaml", *compare).exit_code == 1
    write_cell(folder, "b.yaml", post=0.19)
    result = run("verify", "b.yaml", *compare)
    assert (result.exit_code, "fallen clearance" in result.output) == (1, True), result.output
