"""Columns on a terminal: wide characters, joined marks, cut and filled texts."""

from __future__ import annotations

import pytest

from keepclear.cli.progress import columns_of, cut, padded, plain_line


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("arm", 3),
        ("Träger", 6),
        ("Tra\u0308ger", 6),
        ("机器人", 6),
        ("ロボ-1", 6),
        ("\u200barm", 3),
        ("…", 1),
    ],
)
def test_columns(text: str, columns: int) -> None:
    assert columns_of(text) == columns
    assert columns_of(padded(text, 9)) == 9
    assert padded(text, 0) == text


def test_texts_are_cut_between_characters() -> None:
    assert cut("gripper", 7) == "gripper"
    assert cut("gripper", 6) == "gripp…"
    assert cut("机器人", 5) == "机器…"
    assert cut("机器人", 4) == "机…"
    assert cut("gripper", 1) == "…"
    assert cut("gripper", 0) == ""


def test_one_line_without_control_characters() -> None:
    assert plain_line("pick\n  and\tplace") == "pick and place"
    assert plain_line("\x1b[2Jpick\x07") == "?[2Jpick?"
    assert plain_line("机器人") == "机器人"
