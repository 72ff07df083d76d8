"""Messages about names: the nearest first, none truncated."""

from __future__ import annotations

import ast
from pathlib import Path

import keepclear
from keepclear.names import close_name, did_you_mean, known_names, listed, nearest_first


def test_the_nearest_name_is_found_in_any_case() -> None:
    assert close_name("Tabel", ["chair", "table"]) == "; did you mean 'table'?"
    assert close_name("TOOL0", ["tool0"]) == "; did you mean 'tool0'?"
    assert close_name("lamp", ["chair", "table"]) == "."
    assert close_name(7, ["chair", "table"]) == "."
    assert did_you_mean("lamp", ["chair"], "there are chairs") == "; there are chairs"


def test_the_nearest_names_come_first_and_the_others_as_given() -> None:
    names = ["base", "wrist_1", "elbow", "wrist_2", "wrist_22"]
    assert nearest_first("wrist_2", names) == ["wrist_2", "wrist_22", "wrist_1", "base", "elbow"]
    assert nearest_first(None, names) == names
    assert nearest_first("a", []) == []
    assert nearest_first("one", ["One", "ONE", "one", "two"])[3] == "two"


def test_no_name_is_cut_off() -> None:
    names = [f"link_{k:02}" for k in range(60)]
    text = known_names("link_59x", names, "link")
    assert text.startswith("; did you mean 'link_59'? It has 60 links: link_59, ")
    assert all(f"{name}," in text or f"{name}." in text for name in names)
    assert listed(map(str, range(300))).endswith(", 198, 199 and 100 more")


def test_names_are_words() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert listed(["a", "b", "c"], None) == "a, b, c"
    assert listed(["a"]) == "a"
    assert listed([]) == ""


def test_one_module_makes_suggestions() -> None:
    package = Path(keepclear.__file__).parent
    users = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Import) and any(alias.name == "difflib" for alias in node.names)
    }
    assert users == {"names.py"}
