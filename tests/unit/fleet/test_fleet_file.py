"""Fleet files: variants, and every mistake with its line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

import keepclear as kc
from keepclear.fleet.fleet_file import read_fleet

EXAMPLE = Path(__file__).parents[3] / "examples" / "fleet" / "fleet.yaml"


def test_the_example_names_every_combination() -> None:
    fleet = read_fleet(EXAMPLE)
    assert fleet.title == "A gripper over a table"
    assert len(fleet.sources) == 1 + 4 + 8
    assert fleet.options == {"tolerance": 0.001, "contacts": "first", "clearances": True, "timeout": 600.0}
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
    found = list(kc.verify_programs(fleet.sources, store=tmp_path / "r.db", **options))
    assert len(found) == 2 + 8 + 8
    assert {one.verdict for one in found} == {kc.Verdict.CLEAR}
    assert len({one.name for one in found}) == 18
    assert sum(one.stored for one in found) > 0, "variants share the pairs that they do not change"


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


def test_a_variant_of_an_object_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "cell.yaml").write_text("objects:\n  a: {sphere: 1}\n  b: {sphere: 1, position: [5, 0, 0]}\n")
    (tmp_path / "fleet.yaml").write_text("cells: [{cell: cell.yaml, variants: [{object: c, x: [1]}]}]\n")
    (found,) = kc.verify_programs(read_fleet(tmp_path / "fleet.yaml").sources)
    assert found.exit_code() == 2
    assert "there is no object 'c' in this cell" in found.failure
