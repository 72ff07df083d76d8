"""ARCHITECTURE.md and CONTRIBUTING.md name modules, functions, folders and commands that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.unit.test_layers import ORDER
from tools.rooms import PACKAGE, TOP

import keepclear
from keepclear import kinds
from keepclear.cli.main import _COMMANDS

PROJECT = Path(__file__).parents[2]
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md")
CALLS = ("kc.distance", "kc.first_contact", "keepclear verify")
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\(.*\))?")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)*(/|\.(py|md|toml|json|yaml))")


def blocks(text: str) -> Iterator[str]:
    """Give rows of tables, items of lists and paragraphs, without what is between code fences."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for part in re.split(r"\n\s*\n|\n(?=\s*(?:\||- |\d+\. ))", text):
        if part.strip():
            yield " ".join(part.split())


def quoted(block: str) -> list[str]:
    return re.findall(r"`([^`]+)`", block)


def is_path(token: str) -> bool:
    return PATH.fullmatch(token) is not None


def found_path(token: str) -> Path | None:
    """Return the file or folder that is meant: in the package, or in the repository."""
    places = (PACKAGE / token, PROJECT / token)
    wanted = Path.is_dir if token.endswith("/") else Path.is_file
    return next((place for place in places if wanted(place)), None)


@cache
def defined_in(path: Path) -> frozenset[str]:
    """Return what a module defines: its names, and those of its classes, alone and behind the name of the class."""
    tree = ast.parse(path.read_text())
    found = set(_assigned(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            members = {*_assigned(node), *(n.name for n in node.body if isinstance(n, ast.FunctionDef))}
            members |= {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and _is_own(n)}
            found |= {node.name, *members, *(f"{node.name}.{name}" for name in members)}
    return frozenset(found)


def _is_own(node: ast.Attribute) -> bool:
    """Tell whether an attribute of `self` is set."""
    return isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _assigned(scope: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Give the names that the body of a module or class assigns, slots included."""
    for node in scope.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]
        yield from names
        if names == ["__slots__"] and node.value is not None:
            yield from (str(n.value) for n in ast.walk(node.value) if isinstance(n, ast.Constant))


def is_public(name: str) -> bool:
    """Tell whether `kc.name` or `kc.Class.method` is there."""
    first, *rest = name.removeprefix("kc.").split(".")
    if first not in keepclear.__all__:
        return False
    value = getattr(keepclear, first)
    for part in rest:
        value = getattr(value, part, None)
    return value is not None


def wrong_names(text: str, *, functions: bool) -> list[str]:
    """Return what a page names and is not there; functions belong to a module that the same row or paragraph names."""
    wrong = []
    for block in blocks(text):
        tokens = quoted(block)
        modules = [found_path(token) for token in tokens if token.endswith(".py") and is_path(token)]
        known = {name for path in modules if path is not None for name in defined_in(path)}
        for token in tokens:
            if is_path(token):
                is_wrong = found_path(token) is None
            elif token.startswith("kc.") and NAME.fullmatch(token):
                is_wrong = not is_public(token.partition("(")[0])
            elif token.startswith("keepclear "):
                is_wrong = token.split()[1] not in _COMMANDS
            else:
                is_wrong = (
                    functions and NAME.fullmatch(token) is not None and token.partition("(")[0] not in known
                )
            wrong += [f"`{token}` in: {block}"] * is_wrong
    return wrong


@pytest.fixture(scope="module")
def architecture() -> str:
    return (PROJECT / "ARCHITECTURE.md").read_text()


def folder_rows(text: str) -> list[tuple[str, list[str]]]:
    """Return tier and folders of each row of the table of folders."""
    section = text.partition("\n## Folders\n")[2].partition("\n## ")[0]
    cells = [[cell.strip() for cell in row.split("|")] for row in section.splitlines() if row.startswith("|")]
    return [(cell[1].strip("`"), quoted(cell[2])) for cell in cells[2:]]


def test_modules_and_functions_of_the_architecture_exist(architecture: str) -> None:
    before, _, rest = architecture.partition("\n## Folders\n")
    text = before + rest[rest.index("\n## ") :]
    assert wrong_names(text, functions=True) == []


def test_the_table_has_every_folder_in_the_order_of_the_layers(architecture: str) -> None:
    tiers = [folder.partition("/")[0] for folder in ORDER]
    last = {tier: k for k, tier in enumerate(tiers)}  # a tier is as high as its highest folder
    rows = folder_rows(architecture)
    assert [tier for tier, _ in rows] == sorted(last, key=lambda tier: (tier != TOP, last[tier]))
    for tier, folders in rows:
        assert folders == [
            folder.removeprefix(f"{tier}/") for folder in ORDER if folder.startswith(f"{tier}/")
        ]


def test_the_page_is_read_in_ten_minutes(architecture: str) -> None:
    assert len(architecture.splitlines()) <= 250


def test_three_calls_are_walked(architecture: str) -> None:
    headings = re.findall(r"^### `([^`(]+)", architecture, flags=re.MULTILINE)
    assert [heading.removesuffix(" CELL") for heading in headings] == list(CALLS)


@pytest.mark.parametrize("page", PAGES)
def test_paths_public_names_and_commands_exist(page: str) -> None:
    text = (PROJECT / page).read_text()
    assert sum(is_path(token) for block in blocks(text) for token in quoted(block)) > 50
    assert wrong_names(text, functions=False) == []


def test_modules_and_functions_of_the_recipes_exist() -> None:
    recipes = (PROJECT / "CONTRIBUTING.md").read_text().partition("\n## Recipe")[2]
    assert wrong_names(recipes, functions=True) == []


def test_recipes_are_there() -> None:
    found = re.findall(r"^## Recipe: (.+)$", (PROJECT / "CONTRIBUTING.md").read_text(), flags=re.MULTILINE)
    assert found == [
        "a kind of shape",
        "a kind of motion",
        "a robot format",
        "a mesh format",
        "a tree",
        "a section of prepared models",
        "a command",
        "an option of a command",
    ]


@pytest.mark.parametrize(
    "group", ["SHAPES", "TREES", "SPHERE_TREES", "PREPARED", "MOTIONS", "PROGRAMS", "ROBOTS", "CROWD_MOTIONS"]
)
def test_the_table_of_kinds_has_every_kind(architecture: str, group: str) -> None:
    (row,) = [
        line for line in architecture.splitlines() if f"`{group}`" in line and line.startswith("| `kinds.py`")
    ]
    assert set(getattr(kinds, group).names) <= set(re.findall(r"\w+", row))


@pytest.mark.parametrize("page", PAGES)
def test_links_and_make_targets_exist(page: str) -> None:
    text, targets = (PROJECT / page).read_text(), (PROJECT / "Makefile").read_text()
    for link in re.findall(r"\]\(([^)#]+)", text):
        assert link.startswith("https://") or (PROJECT / link).exists(), link
    for target in re.findall(r"(?:^|`)make (\w+)", text, flags=re.MULTILINE):
        assert f"\n{target}:" in targets, target
    assert page in (PROJECT / "README.md").read_text()


@pytest.mark.parametrize(
    "text",
    [
        "`scene/no_such_module.py` builds it",
        "`no_such_folder/` has it",
        "| `scene/scene.py` | `Scene.no_such_method` | what |",
        "| `scene/scene.py` | `PairTable` | of another module |",
        "`Scene`, of which no module is named",
        "ask `kc.no_such_name(a, b)`",
        "ask `kc.World.no_such_method()`",
        "run `keepclear no_such_command`",
    ],
)
def test_what_is_not_there_is_found(text: str) -> None:
    assert len(wrong_names(text, functions=True)) == 1


def test_what_is_there_is_not_found() -> None:
    text = """
`scene/scene.py` and `tests/unit/test_layers.py`: `Scene.kept`, `MotionTable`,
`MOST_KEPT`, `starts`

| `geometry/shapes/shape.py` | `Shape._packed` | `kc.distance(a, X_WA, b, X_WB)` |
- `kernels/crowd/`, `keepclear verify CELL`, `kc.World.verify()`
```
`kc.no_such_name`
```
"""
    assert wrong_names(text, functions=True) == []
