"""The first cell file for a robot loads without mistakes, and its schema is that of the models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.jobs.cell.cells import ARM, PICK, SRDF, write

from keepclear.errors import ArgumentError, FileMissingError
from keepclear.jobs.cell.cell import read_cell
from keepclear.jobs.cell.template import SCHEMA_FILE, schema_text, write_template


def test_a_written_cell_loads(tmp_path: Path) -> None:
    write(tmp_path, arm_urdf=ARM, pick_csv=PICK)
    for motion in (tmp_path / "pick.csv", None):
        text = write_template(tmp_path / "arm.urdf", motion, tmp_path / "cell.yaml", overwrite=True)
        assert (tmp_path / "cell.yaml").read_text() == text
        assert text.startswith("# yaml-language-server: $schema=cell.schema.json\n")
        assert (tmp_path / "cell.schema.json").read_text() == SCHEMA_FILE.read_text()
        cell = read_cell(tmp_path / "cell.yaml")
        assert list(cell.objects) == ["arm"]
        assert list(cell.motions) == ([] if motion is None else ["arm"])
        assert cell.objects["arm"].q is not None or motion is not None


def test_the_comments_of_a_written_cell_are_right(tmp_path: Path) -> None:
    write(tmp_path, arm_urdf=ARM, pick_csv=PICK, place_csv=PICK)
    text = write_template(tmp_path / "arm.urdf", tmp_path / "pick.csv", tmp_path / "cell.yaml")
    lines = [line.replace("# ", "", 1) if _is_code(line) else line for line in text.splitlines()[1:]]
    lines = [
        line
        for line in lines
        if not line.strip().startswith(("motion: pick", "srdf:", "joints:", "part:", "gripper:"))
    ]
    shown = "\n".join(lines).replace("\n  post:", "\n  part: {sphere: 0.1, position: [3, 3, 3]}\n  post:")
    (tmp_path / "cell.yaml").write_text(shown)
    cell = read_cell(tmp_path / "cell.yaml", strict=False)
    assert cell.mistakes == ()
    assert list(cell.objects) == ["arm", "table", "part", "post"]
    assert cell.programs == ("pick", "place")


def test_what_a_written_cell_suggests_is_accepted(tmp_path: Path) -> None:
    """It suggested `tool0`, a link without a shape, which `verify` refused."""
    tool = '<link name="tool0"/><joint name="t" type="fixed"><parent link="hand"/><child link="tool0"/></joint></robot>'
    assert '<link name="hand">' in ARM
    write(tmp_path, arm_urdf=ARM.replace("</robot>", tool), pick_csv=PICK)
    text = write_template(tmp_path / "arm.urdf", tmp_path / "pick.csv", tmp_path / "cell.yaml")
    assert "# attached: [{object: part, to: arm/tool0, from: 3.2, until: 6.5}]" in text
    assert "#   - {pair: [arm/hand, part], from: 3.2, reason: it takes the part}" in text
    for key in ("allowed:", "  - ", "attached:"):
        text = text.replace(f"\n# {key}", f"\n{key}")
    things = (
        "  part: {sphere: 0.01, position: [3, 3, 3]}\n  table: {box: [1, 1, 0.1], position: [0, 0, -9]}\n"
    )
    (tmp_path / "cell.yaml").write_text(text.replace("\n# Pairs", f"\n{things}\n# Pairs"))
    cell = read_cell(tmp_path / "cell.yaml")
    assert [event.link for event in cell.world()._rules.attachments] == ["arm/tool0"]


def test_a_written_cell_names_no_path_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "cells").mkdir()
    write(tmp_path, arm_urdf=ARM, pick_csv=PICK)
    text = write_template(tmp_path / "arm.urdf", tmp_path / "pick.csv", tmp_path / "cells" / "cell.yaml")
    assert "file:" not in text.splitlines()[0]
    for folder in (SCHEMA_FILE.parent, tmp_path, Path.cwd()):
        assert folder.as_posix() not in text
    assert "    robot: ../arm.urdf #" in text


def test_a_schema_that_is_there_stays_unless_files_are_overwritten(tmp_path: Path) -> None:
    write(tmp_path, arm_urdf=ARM)
    (tmp_path / "cell.schema.json").write_text("mine")
    write_template(tmp_path / "arm.urdf", None, tmp_path / "cell.yaml")
    assert (tmp_path / "cell.schema.json").read_text() == "mine"
    write_template(tmp_path / "arm.urdf", None, tmp_path / "cell.yaml", overwrite=True)
    assert (tmp_path / "cell.schema.json").read_text() == SCHEMA_FILE.read_text()


def _is_code(line: str) -> bool:
    """Tell whether a comment is a line of a cell file that is not used yet."""
    words = line.strip().removeprefix("# ")
    return line.strip().startswith("#") and (words.startswith("  - ") or ": " in words or words == "allowed:") and (
        not words.endswith((".", ":")) or words == "allowed:"
    )  # fmt: skip


def test_an_srdf_beside_the_robot_is_found(tmp_path: Path) -> None:
    (tmp_path / "robots").mkdir()
    (tmp_path / "cells").mkdir()
    write(tmp_path / "robots", arm_urdf=ARM.replace('name="arm"', 'name="7 arms"'), arm_srdf=SRDF)
    text = write_template(tmp_path / "robots" / "arm.urdf", path=tmp_path / "cells" / "cell.yaml")
    assert "  arm:\n    robot: ../robots/arm.urdf # 2 joints, 3 links, 3 shapes\n" in text
    assert "    srdf: ../robots/arm.srdf # " in text
    assert "    # state: all/out # " in text
    assert read_cell(tmp_path / "cells" / "cell.yaml").title == "Cell of 7 arms"


def test_a_program_that_lacks_something_is_named_with_what_it_lacks(tmp_path: Path) -> None:
    write(tmp_path, arm_urdf=ARM, list_csv="0,0\n90,0.1\n", bad_csv="time,sholder,reach\n0,0,0\n")
    text = write_template(tmp_path / "arm.urdf", tmp_path / "list.csv", tmp_path / "cell.yaml")
    assert "    motion: {file: list.csv, dt: 0.1} # the file has no times: " in text
    assert read_cell(tmp_path / "cell.yaml").motions["arm"].motion.t_end == 0.1
    text = write_template(tmp_path / "arm.urdf", tmp_path / "bad.csv", tmp_path / "bad.yaml")
    told = "    # to fix: bad.csv:1: the robot has no joint 'sholder'; did you mean 'shoulder'?\n"
    assert f"    motion: bad.csv\n{told}" in text
    with pytest.raises(
        FileMissingError, match=r"there is no motion file '.*bet\.csv'; did you mean 'bad\.csv'"
    ):
        write_template(tmp_path / "arm.urdf", tmp_path / "bet.csv", tmp_path / "bet.yaml")


def test_an_existing_cell_is_not_overwritten(tmp_path: Path) -> None:
    write(tmp_path, arm_urdf=ARM, cell_yaml="mine")
    with pytest.raises(ArgumentError, match="exists; choose another name, or remove it first"):
        write_template(tmp_path / "arm.urdf", None, tmp_path / "cell.yaml")
    assert (tmp_path / "cell.yaml").read_text() == "mine"
    with pytest.raises(FileMissingError):
        write_template(tmp_path / "none.urdf", None, tmp_path / "new.yaml")
    assert not (tmp_path / "new.yaml").exists()


def test_the_schema_that_ships_is_that_of_the_models() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), (
        "run python -m keepclear.jobs.cell.template"
    )


def test_the_schema_describes_every_key() -> None:
    schema = json.loads(schema_text())
    for model in (schema, *schema["$defs"].values()):
        for key, value in model["properties"].items():
            assert value.get("description"), key
            assert "null" not in json.dumps(value)
    assert set(schema["properties"]) == {
        "title", "notes", "tolerance", "interval", "far", "method", "spheres", "objects", "allowed", "margins", "only",
        "attached", "programs",
    }  # fmt: skip


def test_the_schema_accepts_cells_and_refuses_mistakes() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    good = {
        "objects": {
            "arm": {"robot": "arm.urdf", "motion": {"file": "a.csv", "units": {"angle": "deg"}}},
            "ball": {"sphere": 0.1, "motion": {"times": [0, 1], "positions": [[0, 0, 0], [1, 0, 0]]}},
            "post": {"cylinder": {"radius": 1, "length": 2}, "position": [0, 0, 1]},
        },
        "allowed": [["arm", "ball"], {"pair": ["arm", "post"], "from": 1}],
        "only": ["arm", ["ball", "post"]],
        "programs": {"a": {"arm": "b.csv"}},
    }
    assert list(validator.iter_errors(good)) == []
    for key, value in (
        ("objects", {"a": {"bxo": 1}}),
        ("tolerance", -1),
        ("allowed", [["a"]]),
        ("margin", 1),
    ):
        assert list(validator.iter_errors(good | {key: value}))


def test_the_reference_tells_every_key() -> None:
    page = (Path(__file__).parents[4] / "docs" / "reference" / "cell-file.md").read_text(encoding="utf-8")
    schema = json.loads(schema_text())
    for model in (schema, *schema["$defs"].values()):
        for key in model["properties"]:
            assert f"`{key}`" in page or f"{key}:" in page, key
