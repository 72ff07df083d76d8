"""Fleet files: variants, and every mistake with its line and column."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import keepclear as kc
from keepclear.jobs.fleet.fleet_file import read_fleet

EXAMPLE = Path(__file__).parents[4] / "examples" / "fleet" / "fleet.yaml"


def test_the_example_names_every_combination() -> None:
    fleet = read_fleet(EXAMPLE)
    assert fleet.title == "A gripper over a table"
    assert len(fleet.sources) == 1 + 4 + 8
    assert fleet.options == kc.VerifyOptions(tolerance=0.001, contacts="first", clearances=True, threads=1)
    assert fleet.timeout == 600.0
    assert fleet.sources[1].variant == "table.z=-0.025, post.x=0.4"
    cell = fleet.sources[4].read()
    assert cell.objects["table"].X_W[2, 3] == -0.02
    assert cell.objects["post"].X_W[0, 3] == 0.44
    last = fleet.sources[-1]
    assert last.programs(last.read()) == ("place",)
    assert last.read().program_motions["place"]["gripper"].motion.times.tolist() == [0.0, 2 / 1.5, 2.0]


def test_the_example_is_verified(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    fleet = read_fleet(EXAMPLE)
    options = {"tolerance": 0.001}
    found = list(kc.fleet.verify_programs(fleet.sources, store=tmp_path / "r.db", **options))
    assert len(found) == 2 + 8 + 8
    assert {one.verdict for one in found} == {kc.Verdict.CLEAR}
    assert len({one.name for one in found}) == 18
    assert sum(one.stored for one in found) == 0, "nothing is of an earlier run"
    one, other = fleet.sources[1:3]
    list(kc.fleet.verify_programs([one], store=tmp_path / "one.db", **options))
    shared = list(kc.fleet.verify_programs([other], store=tmp_path / "one.db", **options))
    assert sum(one.stored for one in shared) > 0, "variants share the pairs that they do not change"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cells: []", "fleet.yaml:1:8: cells: "),
        ("cells: [nowhere.yaml]", "fleet.yaml:1:9: cells[0]: there is no cell 'nowhere.yaml'"),
        ("cells: [{cell: cell.yaml, program: a}]", "fleet.yaml:1:27: cells[0].program: "),
        (
            "cells: [{cell: cell.yaml, variants: [{speed: [0]}]}]",
            "fleet.yaml:1:47: cells[0].variants[0].speed[0]: ",
        ),
        (
            "cells: [{cell: cell.yaml, variants: [{object: a}]}]",
            "variants: object takes positions or x or y or z",
        ),
        (
            "cells: [{cell: cell.yaml, variants: [{object: a, x: {from: 1}}]}]",
            "numbers are a list, or a range",
        ),
        ("- a", "a fleet has keys and values"),
        ("cells: [{cell: 'x*.yaml'}]", "no file matches 'x*.yaml'"),
    ],
)
def test_mistakes_have_their_lines(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "cell.yaml").write_text("objects:\n  a: {sphere: 1}\n")
    file = tmp_path / "fleet.yaml"
    file.write_text(text + "\n")
    with pytest.raises(kc.CellError) as error:
        read_fleet(file)
    assert message in str(error.value)


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    """A key that does not exist hid the program and the object that do not."""
    (tmp_path / "cell.yaml").write_text(
        "objects:\n  a: {sphere: 1}\nprograms:\n  pick: {a: {times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}}\n"
    )
    file = tmp_path / "fleet.yaml"
    file.write_text(
        "timout: 5\ncells:\n  - {cell: cell.yaml, programs: [pock]}\n"
        "  - {cell: cell.yaml, variants: [{object: b, x: [1]}]}\n  - nowhere.yaml\n  - {cel: x}\n"
    )
    with pytest.raises(kc.CellError) as error:
        read_fleet(file)
    found = sorted(line.partition("fleet.yaml:")[2].partition(": ")[0] for line in error.value.mistakes)
    assert found == ["1:1", "3:33", "4:43", "5:5", "6:6"]
    assert "cells[0].programs: cell.yaml: no program is called 'pock'; did you mean 'pick'?" in str(
        error.value
    )


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        (
            "{object: tabel, x: [1, 2, 3]}",
            "1:47: cells[0].variants[0].object: cell.yaml: there is no object 'tabel'",
        ),
        ("{payload: tabel, shapes: [{sphere: 1}]}", "did you mean 'table'?"),
        ("{object: cart, z: [1, 2]}", "'cart' has a motion or a whole pose; give it a position to vary"),
        (
            "{object: a, x: {from: 1, to: 2, cnt: 3}}",
            "1:70: cells[0].variants[0].x.cnt: unknown key 'cnt'; did you",
        ),
        ("{object: a, x: {from: 1, to: 2, steps: 3}}", "the keys here are values, from, to and count"),
    ],
)
def test_a_wrong_variant_is_one_mistake_in_the_fleet_file(tmp_path: Path, variant: str, message: str) -> None:
    objects = "objects:\n  table: {sphere: 1}\n  cart: {sphere: 1, motion: m.csv}\n  a: {sphere: 1}\n"
    (tmp_path / "cell.yaml").write_text(objects)
    (tmp_path / "fleet.yaml").write_text(f"cells: [{{cell: cell.yaml, variants: [{variant}]}}]\n")
    with pytest.raises(kc.CellError) as error:
        read_fleet(tmp_path / "fleet.yaml")
    (mistake,) = error.value.mistakes
    assert message in mistake


def test_mistakes_of_a_variant_have_their_lines_in_the_cell(tmp_path: Path) -> None:
    (tmp_path / "cell.yaml").write_text("objects:\n  a: {sphere: 1}\n  b: {sphere: 1, position: [5, 0, 0]}\n")
    fleet = "cells: [{cell: cell.yaml, variants: [{payload: b, shapes: [{mesh: no.stl}]}]}]\n"
    (tmp_path / "fleet.yaml").write_text(fleet)
    (found,) = kc.fleet.verify_programs(read_fleet(tmp_path / "fleet.yaml").sources)
    assert found.exit_code() == 2
    assert "cell.yaml:3:" in found.failure
    assert found.failure.endswith("(variant b=shape 1)")


@pytest.mark.parametrize(
    ("variants", "message"),
    [
        (
            "[{object: post, x: [-0.3]}, {object: post, x: [5]}]",
            "x of post varies twice; give all values in one list",
        ),
        ("[{object: post, y: [1]}, {object: post, positions: [[0, 0, 0]]}]", "y of post varies twice"),
        ("[{speed: [1, 2]}, {speed: [3]}]", "speed varies twice"),
        ("[{object: mover, x: [0.1]}]", "program 'go' moves 'mover', so that its position has no effect"),
        (
            "[{object: post, x: {from: 0, to: 1, count: 5000}, y: {from: 0, to: 1, count: 5000}}]",
            "there are more than 100000 variants",
        ),
    ],
)
def test_variants_without_effect_are_refused(tmp_path: Path, variants: str, message: str) -> None:
    """Values that another variant or a program replaced were reported as verified."""
    (tmp_path / "cell.yaml").write_text(
        "objects:\n  mover: {box: [1, 1, 1]}\n  post: {sphere: 0.1, position: [3, 0, 0]}\n"
        "programs: {go: {mover: {times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}}}\n"
    )
    fleet = tmp_path / "fleet.yaml"
    fleet.write_text(f"cells:\n  - {{cell: cell.yaml, variants: {variants}}}\n")
    with pytest.raises(kc.CellError, match=re.escape(message)):
        read_fleet(fleet)


def test_absolute_patterns_are_one_error(tmp_path: Path) -> None:
    fleet = tmp_path / "fleet.yaml"
    fleet.write_text("cells: ['/**']\n")
    with pytest.raises(kc.CellError, match="cannot be used; make it relative to this file"):
        read_fleet(fleet)
