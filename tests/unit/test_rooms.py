"""The drawing of folders and imports: order, arrows, facades, cycles, and modules under other paths."""

from __future__ import annotations

import ast

from tools.rooms import Import, draw, imports_of, moved

SOURCES = {
    "names.py": "import os",
    "low/__init__.py": "",
    "low/shape.py": "from keepclear.names import close_name",
    "high/view.py": "from keepclear.low import shape\nfrom keepclear.low.shape import Shape",
    "high/page.py": "import keepclear.low.shape\n\ndef late():\n    from keepclear.high.view import View",
}


def parsed(**changes: str) -> dict[str, ast.Module]:
    return {path: ast.parse(text) for path, text in (SOURCES | changes).items()}


def drawn(modules: dict[str, ast.Module], *, single: bool = False) -> tuple[list[str], bool]:
    text, one_way = draw(imports_of(modules), dict.fromkeys(modules, 10), single=single)
    return text.splitlines(), one_way


def test_imports_name_modules_and_whether_they_are_late() -> None:
    assert imports_of(parsed()) == {
        Import("low/shape.py", "names.py", False),
        Import("high/view.py", "low/shape.py", False),
        Import("high/page.py", "low/shape.py", False),
        Import("high/page.py", "high/view.py", True),
    }


def test_folders_are_drawn_from_the_lowest_with_their_arrows() -> None:
    lines, one_way = drawn(parsed())
    assert one_way
    assert [" ".join(line.split()) for line in lines[1:]] == [
        "(top) 1 10",
        "low 2 20",
        "high 2 20 low 2",
        "5 files, 50 lines, 3 folders",
    ]


def test_an_import_in_a_function_that_points_upwards_is_a_facade() -> None:
    source = "def late():\n    from keepclear.high.view import View"
    lines, one_way = drawn(parsed(**{"low/shape.py": source}))
    assert one_way
    assert lines[-1] == "facade: low -> high (1, inside functions)"


def test_folders_that_import_each_other_are_a_cycle() -> None:
    lines, one_way = drawn(parsed(**{"low/shape.py": "from keepclear.high.view import View"}))
    assert not one_way
    assert lines[-2:] == ["cycle: high <-> low", "in a cycle: high, low"]


def test_modules_with_one_importer_are_listed() -> None:
    assert drawn(parsed(), single=True)[0][-2:] == [
        "single: high/view.py (10 lines) <- high/page.py",
        "single: names.py (10 lines) <- low/shape.py",
    ]


def test_a_table_puts_modules_under_other_paths() -> None:
    imports = moved(imports_of(parsed()), {"low/shape.py": "forms/solid.py", "high/view.py": "forms/view.py"})
    assert Import("forms/view.py", "forms/solid.py", False) in imports
