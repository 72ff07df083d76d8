"""`keepclear init`: a cell file to begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import keepclear as kc
from keepclear.cli.main import main

DEMO = Path(kc.__file__).parent / "cell" / "demo"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["init", *map(str, arguments)], catch_exceptions=False)


def test_the_cell_that_is_written_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "cell.yaml"
    result = run(DEMO / "arm.urdf", DEMO / "pick.csv", "-o", path)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[0] == f"written: {path}"
    cell = kc.read_cell(path)
    assert "arm" in cell.objects
    assert "#" in path.read_text()


def test_a_file_is_not_written_over_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "cell.yaml"
    path.write_text("mine")
    result = run(DEMO / "arm.urdf", "-o", path)
    assert (result.exit_code, path.read_text()) == (2, "mine")
    assert "--force writes over it" in result.stderr
    assert run(DEMO / "arm.urdf", "-o", path, "--force").exit_code == 0
    assert path.read_text() != "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such.urdf"], "no-such.urdf"),
        ([str(DEMO / "arm.urdf"), "-o", "no/such/cell.yaml"], "there is no folder"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []
