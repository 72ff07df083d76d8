"""A folder imports only from those above it, so that each can be read and tested without those below."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import keepclear

PACKAGE = Path(keepclear.__file__).parent
ORDER = [
    "",  # errors, results, tolerances, files, archives
    "kernels",
    "shapes",
    "preprocess",
    "motions",
    "proximity",
    "continuous",
    "crowd",
    "robot",
    "report",
    "scene",
    "world",
    "plan",
    "store",
    "executors",
    "cell",
    "fleet",
    "cli",
]
FACADES = {
    ("preprocess/decomposition.py", "report"),
    ("preprocess/prepared.py", "report"),
    ("preprocess/sphere_tree.py", "report"),
    ("robot/sphere_audit.py", "report"),
    ("robot/sphere_model.py", "report"),
}
"""Methods for users that write a page, which is made further down: `to_html`."""
FILES = sorted(
    path for path in PACKAGE.rglob("*.py") if path not in (PACKAGE / "__init__.py", PACKAGE / "__main__.py")
)


def folder_of(module: str) -> str:
    """Return the folder of a module's full name; the empty name is the top."""
    parts = module.split(".")[1:]
    return parts[0] if parts and (PACKAGE / parts[0]).is_dir() else ""


def imported_modules(source: str, package: str) -> Iterator[str]:
    """Give the full names of the keepclear modules that the source imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "keepclear")
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: -node.level + 1 or None]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            if module.split(".")[0] == "keepclear":
                yield from (f"{module}.{alias.name}" for alias in node.names)


def test_imports_are_found_in_every_form() -> None:
    source = """
import os, keepclear.shapes.mesh
def late():
    from keepclear.kernels.convex import gjk
    from . import support
    from ..shapes.convex import Convex
"""
    assert list(imported_modules(source, "keepclear.kernels")) == [
        "keepclear.shapes.mesh",
        "keepclear.kernels.convex.gjk",
        "keepclear.kernels.support",
        "keepclear.shapes.convex.Convex",
    ]
    assert folder_of("keepclear.shapes.convex.Convex") == "shapes"
    assert folder_of("keepclear.errors.PoseError") == ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_folder_imports_only_from_those_above_it(path: Path) -> None:
    folder = path.parent.relative_to(PACKAGE).as_posix().replace(".", "", 1).partition("/")[0]
    assert folder in ORDER
    package = ".".join(["keepclear", *filter(None, [folder])])
    for module in imported_modules(path.read_text(), package):
        if module == "keepclear":
            assert folder == "cli", "only commands may use the package as users do"
        elif (path.relative_to(PACKAGE).as_posix(), folder_of(module)) not in FACADES:
            assert ORDER.index(folder_of(module)) <= ORDER.index(folder), f"{path.name} imports {module}"
