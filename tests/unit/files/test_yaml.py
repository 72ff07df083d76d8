"""YAML with positions: what values are, where they stand, and what is wrong with a file that is no YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepclear.errors import FileMissingError
from keepclear.files.yaml import Document, read_document


def read(folder: Path, text: str | bytes) -> Document:
    file = folder / "a.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_document(file, "a.yaml")


def test_values_are_those_of_yaml_1_2(tmp_path: Path) -> None:
    text = "a: 1e-3\nb: on\nc: [0, -2, .5, 1., '3']\nd: true\ne:\n12: no\nf: 1:30\n"
    assert read(tmp_path, text).value == {
        "a": 0.001, "b": "on", "c": [0, -2, 0.5, 1.0, "3"], "d": True, "e": None, "12": "no", "f": "1:30",
    }  # fmt: skip


def test_values_and_keys_know_their_line_and_column(tmp_path: Path) -> None:
    document = read(tmp_path, "# first\nobjects:\n  arm: {robot: arm.urdf, q: [0, 1]}\n  e:\n")
    assert document.position(("objects", "arm", "q", 1)) == (3, 33)
    assert document.position(("objects", "arm", "q"), key=True) == (3, 26)
    assert document.position(("objects", "e")) == (4, 3)
    assert document.position(("objects", "arm", "absent")) == (3, 8)
    document.add(("objects", "arm", "q", 1), "too large;\n make it less")
    document.add((), "first of all")
    assert document.mistakes == (
        "a.yaml:2:1: first of all",
        "a.yaml:3:33: objects.arm.q[1]: too large; make it less",
    )


def test_named_and_merged_values_are_there(tmp_path: Path) -> None:
    document = read(tmp_path, "a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}\n")
    assert document.value["b"] == {"x": 1, "y": 2}
    assert document.value["c"] == {"x": 1, "y": 3}
    assert document.position(("c", "x")) == (1, 11)
    assert document.mistakes == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", "a.yaml:3:1: a: it occurs twice, in line 1 and here; keep one of them"),
        ("a:\n\tb: 1\n", "a.yaml:2:1: YAML: this line is indented with a tab; indent with spaces"),
        (
            "a: b: c\n",
            "a.yaml:1:5: YAML: a second ':' in one line; put the value in quotes, or begin a new line",
        ),
        ("a: 1\n---\nb: 2\n", "a.yaml:2:1: YAML: a second document begins here; keep one in a file"),
        ("a: !include b\n", "a.yaml:1:4: a: tags such as '!include' mean nothing here; remove it"),
        (
            "a: &x {b: *x}\n",
            "a.yaml:1:4: a.b: this contains itself; write it out instead of naming it with '*'",
        ),
        ("[a]: 1\n", "a.yaml:1:1: a key must be a string; put a name before the ':'"),
        (b"a: 1\nb: \xff\n", "a.yaml:2:1: YAML: this line is not UTF-8 text; save the file as UTF-8"),
        ("a: 1\nb: \x01\n", "a.yaml:2:4: YAML: the character '\\x01' cannot be here; remove it"),
        (
            "a: *x\n",
            (
                "a.yaml:1:4: YAML: found undefined alias 'x'; name it with '&' before it is used, or put the text in "
                "quotes"
            ),
        ),
        (
            "a: [1, 2\nb: 3\n",
            (
                "a.yaml:2:2: YAML: expected ',' or ']', but found ':' while parsing a flow sequence that begins in "
                "line 1; look for a missing ':', ',', bracket or quote here or just above"
            ),
        ),
    ],
)
def test_each_mistake_is_one_located_line(tmp_path: Path, text: str | bytes, expected: str) -> None:
    assert read(tmp_path, text).mistakes == (expected,)


def test_nesting_without_end_is_one_line(tmp_path: Path) -> None:
    (mistake,) = read(tmp_path, "[" * 5000).mistakes
    assert mistake == "a.yaml:1:1: YAML: its values are nested too deeply; a few levels are enough"


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileMissingError, match=r"there is no cell file 'b\.yaml'; check the path"):
        read_document(tmp_path / "b.yaml", "b.yaml")


def test_aliases_that_multiply_are_refused(tmp_path: Path) -> None:
    lists = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)
    )
    merges = "a0: &a0 {x: 1}\n" + "".join(
        f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}]}}\n" for i in range(1, 10)
    )
    for text in (lists, merges):
        (tmp_path / "cell.yaml").write_text(text)
        document = read_document(tmp_path / "cell.yaml", "cell.yaml")
        assert document.is_broken
        (line,) = document.mistakes
        assert line.startswith("cell.yaml:1:1: YAML: its aliases ('*name') repeat ")


def test_aliases_that_are_used_a_few_times_are_read(tmp_path: Path) -> None:
    (tmp_path / "cell.yaml").write_text("a: &a [1, 2]\nb: {c: *a, d: *a}\n")
    assert read_document(tmp_path / "cell.yaml", "cell.yaml").value["b"] == {"c": [1, 2], "d": [1, 2]}


def test_integers_of_many_digits_are_infinite(tmp_path: Path) -> None:
    (tmp_path / "cell.yaml").write_text(f"a: {'9' * 5000}\nb: -{'9' * 5000}\n")
    value = read_document(tmp_path / "cell.yaml", "cell.yaml").value
    assert value == {"a": float("inf"), "b": float("-inf")}
