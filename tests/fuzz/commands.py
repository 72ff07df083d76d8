"""Commands under test: run as their script runs them, with the exit codes that their reports ask for."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import keepclear as kc

CLEAR, CONTACT, BAD_INPUT, UNDECIDED, INTERNAL_ERROR, STOPPED = 0, 1, 2, 3, 4, 130
_BY_VERDICT = {"CLEAR": CLEAR, "COLLIDING": CONTACT, "UNDECIDED": UNDECIDED}


class InternalError(AssertionError):
    """A command that ended with exit code 4; `where` is the function that the error came from."""

    def __init__(self, err: str) -> None:
        last = err.strip().splitlines()[-1] if err.strip() else "no message"
        super().__init__(last)
        places = re.findall(r'File ".*?([^/"]+/[^/"]+)", line \d+, in (\S+)', err)
        ours = [f"{file}:{name}" for file, name in places]
        self.where = " ".join([*ours[-1:], *re.findall(r"internal error: (\w+)", last)])


class Refused(kc.KeepclearError):
    """A command that ended with exit code 2 and said why."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code and what it printed."""

    code: int
    out: str
    err: str


def run(*arguments: str) -> Ended:
    """Run a command as the installed script does; an exception that leaves it is a traceback, and comes out here."""
    main = importlib.import_module("keepclear.__main__").run
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["keepclear", *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            main()
            code: object = 0
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv = before
    number = 0 if code is None else code if isinstance(code, int) else 1
    return Ended(number, out.getvalue(), err.getvalue())


def verify_cell(path: Path) -> None:
    """Verify a cell file."""
    _verify(path)


def verify_host(host: str) -> Callable[[Path], None]:
    """Return a function that verifies the cell that names the file under test."""
    return lambda path: _verify(path.parent / f"{host}.yaml")


def _verify(cell: Path) -> None:
    """Verify a cell, and hold the exit code against the report."""
    output = cell.with_name("report.json")
    output.unlink(missing_ok=True)
    ended = run("verify", str(cell), "--json", str(output), "--threads", "1", "--tolerance", "0.001")
    _check_refusal(ended)
    assert output.is_file(), f"exit code {ended.code} without a report"
    verdicts = [pair["verdict"] for pair in json.loads(output.read_text())["pairs"]]
    report = kc.read_report(output)
    assert ended.code == _BY_VERDICT[report.verdict.value], (
        f"exit code {ended.code}, verdict {report.verdict}"
    )
    assert ended.code != CONTACT or "COLLIDING" in verdicts, "exit code 1 without a contact"
    assert ended.code != CLEAR or set(verdicts) <= {"CLEAR"}, "exit code 0 with a pair that is not clear"


def init(path: Path) -> None:
    """Write a cell file for a robot."""
    _init(path, str(path))


def init_motion(path: Path) -> None:
    """Write a cell file for a robot and its program."""
    _init(path, str(path.with_name("arm.urdf")), str(path))


def _init(path: Path, *arguments: str) -> None:
    output = path.with_name("new.yaml")
    ended = run("init", *arguments, "--force", "--output", str(output))
    _check_refusal(ended)
    assert ended.code == 0, f"exit code {ended.code}"


def view(path: Path) -> None:
    """Make the page of a report."""
    ended = run("view", "--no-open", str(path))
    _check_refusal(ended)
    assert ended.code == 0, f"exit code {ended.code}"


def reproduce(path: Path) -> None:
    """Make a report again, and hold the exit code against the one that is written."""
    output = path.with_name("again.json")
    output.unlink(missing_ok=True)
    ended = run("reproduce", str(path), "--json", str(output))
    _check_refusal(ended)
    before, now = kc.read_report(path), kc.read_report(output)
    assert ended.code != CLEAR or before.verdict is now.verdict, "exit code 0 with another verdict"
    assert ended.code != CONTACT or now.verdict is kc.Verdict.COLLIDING, "exit code 1 without a contact"


def crowd(path: Path) -> None:
    """Look for contacts of recorded tracks, and hold the exit code against the events."""
    output = path.with_name("crowd.json")
    output.unlink(missing_ok=True)
    ended = run("crowd", "--tracks", str(path), "--radii", "0.2:0.3", "--quiet", "--json", str(output))
    _check_refusal(ended)
    found = json.loads(output.read_text())
    expected = CONTACT if found["events"]["time"] else UNDECIDED if found["interrupted"] else CLEAR
    assert ended.code == expected, f"exit code {ended.code} with {len(found['events']['time'])} events"


def _check_refusal(ended: Ended) -> None:
    """Raise `Refused` where a command refused its input as it should."""
    if ended.code == INTERNAL_ERROR:
        raise InternalError(ended.err)
    assert "Traceback" not in ended.err + ended.out, "a traceback is printed"
    assert ended.code in (CLEAR, CONTACT, BAD_INPUT, UNDECIDED), f"exit code {ended.code}: {ended.err[-300:]}"
    if ended.code == BAD_INPUT:
        assert ended.err.strip(), "exit code 2 without a word"
        raise Refused(ended.err.splitlines()[0])
