"""Exit codes where standard streams are closed or full, or the current folder is gone: verdicts were turned into 4."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CELL = """\
objects:
  wall: {{box: [0.1, 1, 1], position: [{x}, 0, 0]}}
  ball: {{sphere: 0.1, motion: {{times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}}}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "clear.yaml").write_text(CELL.format(x=3))
    (tmp_path / "contact.yaml").write_text(CELL.format(x=0.5))
    (tmp_path / "bad.yaml").write_text("objects: 3\n")
    return tmp_path


def shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    script = script.replace("keepclear", f"'{sys.executable}' -m keepclear")
    return subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("streams", ["2>&-", ">&-", ">&- 2>&-", "> /dev/full"])
def test_a_verdict_does_not_depend_on_who_reads_it(folder: Path, streams: str) -> None:
    for cell, code in (("clear", 0), ("contact", 1), ("bad", 2)):
        done = shell(folder, f"keepclear verify {cell}.yaml {streams}")
        assert done.returncode == code
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("streams", [">&-", "> /dev/full"])
def test_json_that_cannot_be_written_is_an_error(folder: Path, streams: str) -> None:
    done = shell(folder, f"keepclear verify clear.yaml --json - {streams}")
    assert done.returncode == 2
    assert "--json -" in done.stderr


def test_output_that_is_lost_is_reported(folder: Path) -> None:
    """A full disk lost the summary of a verdict without a word."""
    for command in ("verify clear.yaml", "cache"):
        done = shell(folder, f"keepclear {command} > /dev/full")
        assert (done.returncode, done.stderr) == (
            0,
            "keepclear: the output is lost: No space left on device\n",
        )


@pytest.mark.parametrize("command", ["cache", "demo --out demo", "verify contact.yaml"])
def test_a_reader_that_goes_away_changes_nothing(folder: Path, command: str) -> None:
    """`keepclear cache | head -1` ended with 4, and the demo without its report."""
    done = shell(folder, f"{{ keepclear {command}; echo $? > code; }} | true")
    assert (folder / "code").read_text() == ("1\n" if "contact" in command else "0\n")
    assert "error" not in done.stderr
    assert (folder / "demo" / "report.html").exists() == command.startswith("demo")


def test_a_current_folder_that_is_gone_is_bad_input(folder: Path) -> None:
    done = shell(folder, "mkdir gone; cd gone; rm -r ../gone; keepclear verify clear.yaml")
    assert done.returncode == 2
    assert (
        done.stderr.splitlines()[-1]
        == "keepclear: the current folder no longer exists; change to another one"
    )


def test_a_report_is_made_again_whoever_reads_it(folder: Path) -> None:
    shell(folder, "keepclear verify contact.yaml --json report.json")
    for streams in ("2>&-", ">&- 2>&-", "> /dev/full", "| head -c 1"):
        assert shell(folder, f"keepclear reproduce report.json {streams}").returncode == 0
    done = shell(folder, "keepclear reproduce report.json --json - > /dev/full")
    assert done.returncode == 2
    assert "--json -" in done.stderr
    (folder / "contact.yaml").write_text(CELL.format(x=0.4))
    assert shell(folder, "keepclear reproduce report.json >&- 2>&-").returncode == 3
    (folder / "contact.yaml").unlink()
    assert shell(folder, "keepclear reproduce report.json >&- 2>&-").returncode == 2
