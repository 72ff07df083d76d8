"""`keepclear pairs`: the table, what an SRDF file allows wrongly, files and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import keepclear as kc
from keepclear.cli.main import main

BAR = '<collision><origin xyz="0.15 0 0"/><geometry><box size="0.3 0.05 0.05"/></geometry></collision>'
JOINT = (
    '<joint name="{0}" type="{4}"><parent link="{1}"/><child link="{2}"/><origin xyz="0.29 0 0"/>'
    '<axis xyz="0 0 1"/><limit lower="-{3}" upper="{3}"/></joint>'
)
SRDF = '<robot name="arm"><disable_collisions link1="a" link2="{}" reason="{}"/></robot>'


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    """A folding arm of three bars: the first and the last touch when it folds."""
    body = "".join(f'<link name="{name}">{BAR}</link>' for name in "abc")
    joints = JOINT.format("j1", "a", "b", 2.9, "revolute") + JOINT.format("j2", "b", "c", 2.9, "revolute")
    file = tmp_path / "arm.urdf"
    file.write_text(f'<robot name="arm">{body}{joints}</robot>')
    return file


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["pairs", *map(str, arguments)], catch_exceptions=False)


def test_the_table(arm: Path) -> None:
    result = run(arm)
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0] == "a - b  ALWAYS"
    assert lines[1].startswith("a - c  SOMETIMES, hulls overlap by ")
    assert lines[-1] == "3 pairs: 2 ALWAYS, 1 SOMETIMES"
    assert result.stderr == ""


def test_a_pair_that_the_srdf_disables_wrongly(arm: Path, tmp_path: Path) -> None:
    srdf = tmp_path / "arm.srdf"
    srdf.write_text(SRDF.format("c", "Never"))
    result = run(arm, "--srdf", srdf)
    assert result.exit_code == 1
    assert "'arm.srdf' disables these, although they touch only sometimes:" in result.stdout
    assert '  a - c (reason "Never"), hulls overlap by ' in result.stdout
    assert "    j1 = " in result.stdout
    srdf.write_text(SRDF.format("b", "Adjacent"))
    result = run(arm, "--srdf", srdf)
    assert result.exit_code == 0
    assert "disables no pair that touches only sometimes" in result.stdout
    assert run(arm, "--srdf", srdf, "--quiet").stdout == ""


def test_neighbours_are_not_listed(arm: Path, tmp_path: Path) -> None:
    body = f'<link name="a">{BAR}</link><link name="b">{BAR}</link>'
    joint = JOINT.format("j1", "a", "b", 1, "prismatic").replace('"0 0 1"', '"0 1 0"')
    (tmp_path / "slide.urdf").write_text(f'<robot name="slide">{body}{joint}</robot>')
    (tmp_path / "slide.srdf").write_text(SRDF.format("b", "Adjacent"))
    result = run(tmp_path / "slide.urdf", "--srdf", tmp_path / "slide.srdf")
    assert "SOMETIMES" in result.stdout
    assert result.exit_code == 0
    assert arm.exists()


def test_files_are_written(arm: Path, tmp_path: Path) -> None:
    result = run(arm, "--write", tmp_path / "new.srdf", "--json", tmp_path / "pairs.json")
    assert result.exit_code == 0
    assert f"written: {tmp_path / 'new.srdf'}" in result.stdout
    robot = kc.read_robot(arm, srdf=tmp_path / "new.srdf")
    assert [(pair.a, pair.b, pair.detail) for pair in robot.allowed_pairs] == [
        ("a", "b", "Adjacent"),
        ("b", "c", "Adjacent"),
    ]
    assert json.loads((tmp_path / "pairs.json").read_text())["robot"] == "arm"
    piped = run(arm, "--json", "-")
    assert json.loads(piped.stdout)["tolerance"] == 1e-4
    assert "3 pairs" in piped.stderr


def test_limits_and_budget(arm: Path) -> None:
    assert "a - c  NEVER" in run(arm, "--limit", "j1=-0.5:0.5", "--limit", "j2=-0.5:0.5").stdout
    result = run(arm, "--limit", "j1=-1.7:1.7", "--limit", "j2=-1.7:1.7", "--budget", "1")
    assert result.exit_code == 3
    assert "UNDECIDED" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--limit", "j1"], "--limit must be JOINT=LOWER:UPPER, such as elbow=-1.5:1.5, but it is 'j1'"),
        (["--limit", "j7=0:1"], "has no independent joint 'j7'"),
        (["--tolerance", "0"], "--tolerance must be a number > 0, but it is '0'"),
        (["--budget", "1.5"], "--budget must be a whole number >= 1"),
        (["--write", "{folder}"], "this is a folder"),
        (["--write", "{arm}"], "this command already uses this file"),
        (["--json", "{arm}"], "this command already uses this file"),
        (["--srdf", "{folder}/none.srdf"], "there is no SRDF file"),
        (["--package-dir", "{folder}/none"], "there is no folder"),
    ],
)
def test_bad_input_is_one_line(arm: Path, tmp_path: Path, arguments: list[str], text: str) -> None:
    result = run(arm, *(word.format(folder=tmp_path, arm=arm) for word in arguments))
    assert result.exit_code == 2
    assert text in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert arm.read_text().startswith("<robot")
