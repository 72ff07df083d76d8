"""The text of STEP files: whether it is complete, and how many faces it describes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from keepclear.errors import MeshFileError
from keepclear.geometry.mesh_files import step
from keepclear.geometry.mesh_files.reading import read_mesh
from keepclear.geometry.mesh_files.step import parse_step
from keepclear.geometry.mesh_files.text import Damage

DATA = Path(__file__).resolve().parents[3] / "data"
TWO_PINS = (DATA / "two_pins.step").read_text()


def without(number: int, text: str = TWO_PINS) -> str:
    """Return the text of a file without the line that defines a number."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(f"#{number}="))


def refused(text: str) -> str:
    """Return the error about a text."""
    with pytest.raises(Damage) as caught:
        parse_step(text.encode())
    return str(caught.value)


def one_pin_twice() -> str:
    """Return an assembly that has one pin in two places."""
    text = TWO_PINS.replace(",#1021)", ")")
    begin, end = text.index("#1015="), text.index("ENDSEC;\nEND-ISO")
    rows = [
        "#2004=PRODUCT('asm','asm','',(#3));",
        "#2005=PRODUCT_DEFINITION_FORMATION('','',#2004);",
        "#2007=PRODUCT_DEFINITION('design','',#2005,#6);",
        "#2008=PRODUCT_DEFINITION_SHAPE('','',#2007);",
        "#2009=SHAPE_DEFINITION_REPRESENTATION(#2008,#2020);",
        "#2020=SHAPE_REPRESENTATION('',(#18,#2101,#2201),#14);",
    ]
    for k, x in ((2100, 0.0), (2200, 100.0)):
        rows += [
            f"#{k}=CARTESIAN_POINT('',({x},0.,0.));",
            f"#{k + 1}=AXIS2_PLACEMENT_3D('',#{k},#16,#17);",
            f"#{k + 2}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('{k}','pin{k}','',#2007,#7,$);",
            f"#{k + 3}=PRODUCT_DEFINITION_SHAPE('','',#{k + 2});",
            f"#{k + 4}=ITEM_DEFINED_TRANSFORMATION('','',#18,#{k + 1});",
            f"#{k + 5}=( REPRESENTATION_RELATIONSHIP('','',#20,#2020) "
            f"REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#{k + 4}) SHAPE_REPRESENTATION_RELATIONSHIP() );",
            f"#{k + 6}=CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#{k + 5},#{k + 3});",
        ]
    return text[:begin] + "\n".join(rows) + "\n" + text[end:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TWO_PINS, (6, True)),
        ((DATA / "cylinder.step").read_text(), (3, True)),
        (one_pin_twice(), (3, True)),
        (TWO_PINS.replace("#1022=CLOSED_SHELL", "#1022=OPEN_SHELL"), (6, False)),
        (TWO_PINS.replace("=", " = ").replace("(", " (\n").replace("FACE", "Face"), (6, True)),
        (TWO_PINS.replace("#1042", "#0001042", 1), (6, True)),
        (
            TWO_PINS.replace(",#1021)", ")"),
            (3, True),
        ),  # a solid that no representation has is no part of the shape
    ],
)
def test_faces_of_shapes_are_counted(text: str, expected: tuple[int, bool]) -> None:
    assert parse_step(text.encode()) == expected


@pytest.mark.parametrize(
    ("number", "line"), [(1042, 74), (1021, 26), (1070, 63), (1045, 64), (1046, 71), (14, 25), (16, 24)]
)
def test_a_reference_to_nothing_is_refused_with_its_line(number: int, line: int) -> None:
    assert f"refers to #{number} in line {line}, which it does not define" in refused(without(number))


@pytest.mark.parametrize("more", ["'see #77'", "'it''s #77'", "/* #77 */ $", "'/*','#77','*/'"])
def test_numbers_in_strings_and_comments_are_no_references(more: str) -> None:
    text = TWO_PINS.replace("PRODUCT_CONTEXT('',", f"PRODUCT_CONTEXT({more},")
    assert parse_step(text.encode()) == (6, True)


def test_a_string_hides_no_reference() -> None:
    text = without(1042).replace("VERTEX_POINT('',#1042)", "VERTEX_POINT('/*',#1042,'*/')")
    assert "#1042 in line 74" in refused(text)


def test_text_that_ends_or_repeats_itself_is_refused() -> None:
    assert "defines #1042 twice" in refused(TWO_PINS.replace("#1043=", "#1042=", 1))
    assert "which it does not define" in refused(
        TWO_PINS.replace("#1022);", "#1022)", 1)
    )  # then #1022 is no statement
    for change in ("/* #1022=", "' #1022=/*"):
        assert "has a string or a comment without an end" in refused(
            TWO_PINS.replace("#1022=", change, 1).replace("*,*", "$,$")
        )
    long = "1" * 5000
    assert f"refers to #{long[:20]} in line 63" in refused(TWO_PINS.replace("#1070))", f"#{long}))"))


@pytest.mark.parametrize("name", ["CSG_SOLID", "BLOCK", "EXTRUDED_AREA_SOLID", "sphere", "TESSELLATED_SOLID"])
def test_solids_without_faces_are_refused(name: str) -> None:
    text = TWO_PINS.replace("#1021=MANIFOLD_SOLID_BREP('',#1022);", f"#1021={name}('',#1022);")
    assert f"has a {name.upper()}, a solid without faces, which is not read" in refused(text)


def test_a_file_whose_faces_cannot_be_counted_is_refused() -> None:
    assert "has no faces in a shape representation" in refused(
        TWO_PINS.replace("SHAPE_REPRESENTATION", "SHAPE_MODEL")
    )


@pytest.mark.parametrize("number", [1021, 1042, 1045, 1046, 1070])
def test_half_a_step_file_is_no_mesh(number: int, tmp_path: Path) -> None:
    """Open CASCADE returned the other pin alone, or one with a hole, and said nothing."""
    pytest.importorskip("cascadio", reason="STEP files need cascadio")
    (tmp_path / "lost.step").write_text(without(number))
    with pytest.raises(MeshFileError, match=rf"lost\.step' refers to #{number} in line"):
        read_mesh(tmp_path / "lost.step")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda text: text.replace(
                "#1042=CARTESIAN_POINT('',(120.0,0.,0.))", "#1042=DIRECTION('',(1.,0.,0.))"
            ),
            "has 6 faces, of which Open CASCADE can read 3",
        ),
        (
            lambda text: text.replace("#1045=CYLINDRICAL_SURFACE", "#1045=CYLINDRICAL_SURFACES"),
            "has 6 faces, of which Open CASCADE can read 5",
        ),
        (lambda text: text.replace("#1018,20.0)", "#1018 20.0)"), "has errors.*StepFile : Incorrect Syntax"),
        (
            lambda text: without(1070, text).replace("#1050,#1070)", "#1050)"),
            "has closed shells, but its triangles have 45 open edges",
        ),
    ],
)
def test_faces_that_open_cascade_leaves_out_are_missed(
    change: Callable[[str], str], message: str, tmp_path: Path
) -> None:
    pytest.importorskip("cascadio", reason="STEP files need cascadio")
    file = tmp_path / "a.step"
    file.write_text(change(TWO_PINS))
    with pytest.raises(MeshFileError, match=message):
        read_mesh(file)
    if "closed shells" in message:
        assert not read_mesh(file, solid=False).is_solid


def test_an_assembly_has_its_part_twice(tmp_path: Path) -> None:
    pytest.importorskip("cascadio", reason="STEP files need cascadio")
    (tmp_path / "a.step").write_text(one_pin_twice())
    mesh, both = read_mesh(tmp_path / "a.step"), read_mesh(DATA / "two_pins.step")
    assert len(mesh.triangles) == len(both.triangles)
    assert mesh.is_solid
    assert mesh.volume == pytest.approx(both.volume)


def test_a_file_that_keeps_open_cascade_busy_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cascadio")
    monkeypatch.setattr(step, "SECONDS", 1.0)
    with pytest.raises(MeshFileError, match="keeps Open CASCADE busy for more than 2 s of processor time"):
        read_mesh(DATA / "endless.step")
    monkeypatch.setattr(step, "PATIENCE", 0.1)  # where processor time cannot be limited
    with pytest.raises(MeshFileError, match="keeps Open CASCADE busy"):
        read_mesh(DATA / "endless.step")
