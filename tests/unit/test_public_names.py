"""The public names: the table, the imports for type checkers and what is really there agree."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import keepclear


def typed_imports() -> dict[str, str]:
    """Return name and module of every import that type checkers see in the package's `__init__`."""
    tree = ast.parse(Path(keepclear.__file__).read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    assert len(imports) == len(block.body)
    return {alias.asname or "": str(node.module) for node in imports for alias in node.names}


def test_all_is_sorted_and_complete() -> None:
    assert list(keepclear.__all__) == sorted(set(keepclear.__all__))
    homes = {name: f"keepclear.{home}" for name, home in keepclear._MODULE_OF.items()}
    assert typed_imports() == homes | dict.fromkeys(keepclear._PACKAGES, "keepclear")
    assert set(keepclear.__all__) <= set(dir(keepclear))


@pytest.mark.parametrize("name", keepclear._MODULE_OF)
def test_each_name_is_there_and_public_at_home(name: str) -> None:
    module = importlib.import_module(f"keepclear.{keepclear._MODULE_OF[name]}")
    value = getattr(keepclear, name)
    assert value is getattr(module, name)
    assert value.__doc__
    assert value.__module__ == module.__name__
    assert name in module.__all__


@pytest.mark.parametrize("name", keepclear._PACKAGES)
def test_each_package_is_there_with_its_names(name: str) -> None:
    package = getattr(keepclear, name)
    assert package is importlib.import_module(f"keepclear.{name}")
    assert package.__doc__
    assert package.__all__ == sorted(package.__all__)
    assert all(getattr(package, inner).__doc__ for inner in package.__all__)


def test_every_error_is_public() -> None:
    errors = importlib.import_module("keepclear.errors")
    assert set(errors.__all__) <= set(keepclear.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'keepclear' has no attribute 'Spheer'"):
        _ = keepclear.Spheer


@pytest.mark.parametrize("name", keepclear._MOVED)
def test_an_old_name_is_an_error_that_names_the_new_one(name: str) -> None:
    assert name not in keepclear.__all__
    with pytest.raises(
        AttributeError, match=f"^{re.escape(f'keepclear.{name} is now {keepclear._MOVED[name]}.')}$"
    ):
        getattr(keepclear, name)


@pytest.mark.parametrize("name", keepclear._MOVED)
def test_what_took_the_place_of_an_old_name_is_there(name: str) -> None:
    for place in re.findall(r"(?:keepclear\.)?[A-Za-z]\w*\.\w+", keepclear._MOVED[name]):
        value: object = keepclear
        for part in place.removeprefix("keepclear.").split("."):
            value = getattr(value, part)
        assert value is not None


def test_import_is_cheap() -> None:
    code = "import sys, keepclear; print(sorted({'numba', 'numpy', 'ompl', 'scipy', 'trimesh'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
