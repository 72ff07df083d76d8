"""What the package imports is declared in pyproject.toml, and what is declared for all users is imported."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

NAMES = {"yaml": "pyyaml"}  # modules whose package has another name
BROUGHT = {"dask": "distributed", "llvmlite": "numba"}  # modules that another package always brings


def imported(project: Path) -> set[str]:
    """Return the modules of other packages that any file of ours imports, at its top or inside functions."""
    found: set[str] = set()
    for path in (project / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    found -= {*sys.stdlib_module_names, "keepclear"}
    return {BROUGHT.get(name, NAMES.get(name, name)) for name in found}


def declared(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=\[ ]", text, maxsplit=1)[0].lower() for text in requirements}


def test_imports_and_dependencies_agree(project: Path) -> None:
    table = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core, modules = declared(table["dependencies"]), imported(project)
    extras = {
        name
        for extra in ("cluster", "plan", "plot", "step", "view")
        for name in declared(table["optional-dependencies"][extra])
    }
    assert core <= modules
    assert modules <= core | extras
