"""No file that keepclear keeps or reads holds pickled objects: whoever can write such a file runs commands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import keepclear

FILES = sorted(Path(keepclear.__file__).parent.rglob("*.py"))
FORBIDDEN = {"_pickle", "cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}


def unsafe_lines(source: str) -> Iterator[int]:
    """Give the lines that import a module which reads objects from bytes, or let NumPy or YAML do so."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = {part for alias in node.names for part in alias.name.split(".")}
        elif isinstance(node, ast.ImportFrom):
            names = {*(node.module or "").split("."), *(alias.name for alias in node.names)}
        elif isinstance(node, ast.Attribute):
            names = {node.attr} & {
                "unsafe_load",
                "unsafe_load_all",
                "UnsafeLoader",
                "FullLoader",
                "serialize",
            }
            names = {"pickle"} if names else set()
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            is_off = isinstance(node.value, ast.Constant) and node.value.value is False
            names = set() if is_off else {"pickle"}
        else:
            continue
        if names & FORBIDDEN:
            yield getattr(node, "lineno", 0)


def test_unsafe_lines_are_found_in_every_form() -> None:
    source = """
import os, pickle
def late():
    from numba import cloudpickle
    np.load(path, allow_pickle=True)
    np.load(path, allow_pickle=False)
    np.load(path, allow_pickle=wish)
    yaml.unsafe_load(text)
    yaml.load(text, Loader=yaml.SafeLoader)
"""
    assert sorted(unsafe_lines(source)) == [2, 4, 5, 7, 8]


def test_nothing_is_unpickled() -> None:
    assert len(FILES) > 100
    found = {path.name: list(unsafe_lines(path.read_text("utf-8"))) for path in FILES}
    assert {name: lines for name, lines in found.items() if lines} == {}
