"""Tables of docs/theory/sources*.md: a mechanism of a source is where its row says, or the row says "not there"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.test_architecture import PROJECT, found_path, is_path, quoted, wrong_names

PAGES = sorted((PROJECT / "docs" / "theory").glob("sources*.md"))
HEAD = ["mechanism", "where", "how"]
ABSENT = "not there"


def rows(text: str) -> Iterator[list[str]]:
    """Give the rows of all tables of mechanisms, as three cells."""
    inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells == HEAD:
            inside = True
        elif inside and not set(line) <= set("|- :"):
            yield cells


def faults(cells: list[str]) -> list[str]:
    """Return what is wrong with a row: a module or function that does not exist, or none at all, or no explanation."""
    if len(cells) != len(HEAD) or not all(cells):
        return [f"three cells are needed: {cells}"]
    _, where, how = cells
    commands = re.findall(r"`python -m ([\w.]+(?: [a-z]\w*)?)", how)
    missing = [f"`{command}` is no command" for command in commands if not is_command(command)]
    if where.startswith(ABSENT):
        return missing
    tokens = quoted(where)
    modules = [token for token in tokens if is_path(token)]
    if not modules:
        return [f"no file is named: {where}"]
    if any(token.endswith(".py") for token in modules) and len(tokens) == len(modules):
        return [f"no function is named: {where}"]
    return missing + wrong_names(where, functions=True)


def is_command(command: str) -> bool:
    """Tell whether `python -m command` runs a module of this project."""
    module, _, benchmark = command.partition(" ")
    path = f"benchmarks/{benchmark}.py" if module == "benchmarks" else f"{module.replace('.', '/')}.py"
    return found_path(path) is not None


def test_there_are_pages() -> None:
    assert PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_mechanism_is_where_its_row_says(page: Path) -> None:
    found = list(rows(page.read_text(encoding="utf-8")))
    names = [cells[0] for cells in found]
    assert [fault for cells in found for fault in faults(cells)] == []
    assert len(set(names)) == len(names)
    is_listed = f"theory/{page.name}" in (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    assert is_listed


def test_the_overview_counts_the_rows_of_each_table() -> None:
    overview = (PROJECT / "docs" / "theory" / "sources.md").read_text(encoding="utf-8")
    counts = {}
    for page in PAGES:
        found = list(rows(page.read_text(encoding="utf-8")))
        absent = sum(where.startswith(ABSENT) or how.startswith(ABSENT) for _, where, how in found)
        counts[page.name] = [len(found), absent, sum(how.startswith("beyond") for _, _, how in found)]
    del counts["sources.md"]
    listed = re.findall(r"\((sources-[\w-]+\.md)\) \| (\d+) \| (\d+) \| (\d+) \|", overview)
    assert {name: [int(n) for n in numbers] for name, *numbers in listed} == counts
    assert (
        "| all | | " + " | ".join(str(sum(n)) for n in zip(*counts.values(), strict=True)) + " |" in overview
    )


@pytest.mark.parametrize(
    "row",
    [
        "| roots | `continuous/no_such_module.py` `exact_first_contact` | as described |",
        "| roots | `query/interval/exact.py` `no_such_function` | as described |",
        "| roots | `query/interval/exact.py` | as described |",
        "| roots | in the exact method | as described |",
        "| roots | `query/interval/exact.py` `exact_first_contact` | |",
        "| roots | `query/interval/exact.py` `exact_first_contact` | measured by `python -m benchmarks "
        "no_such_table` |",
        "| roots | `query/interval/exact.py` `exact_first_contact` | one cell | too many |",
    ],
)
def test_a_wrong_row_is_found(row: str) -> None:
    (cells,) = rows(f"| mechanism | where | how |\n| --- | --- | --- |\n{row}\n")
    assert faults(cells)


def test_right_rows_and_other_tables_pass() -> None:
    text = """
| risk | distances |
| --- | --- |
| low | 2 |

| mechanism | where | how |
| --- | --- | --- |
| roots | `query/interval/exact.py` `with_faces` | as described; `python -m benchmarks contact_methods` |
| envelopes | not there | swept boxes are cheaper |
| a table | `benchmarks/bisection_risk.py` `main` | `python -m tests.oracles.cross_check_campaign` |
"""
    found = list(rows(text))
    assert [cells[0] for cells in found] == ["roots", "envelopes", "a table"]
    assert [faults(cells) for cells in found] == [[], [], []]
