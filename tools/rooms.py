"""Draws the folders of the package and their imports: files, lines, and an arrow for each folder that one imports from.

    python -m tools.rooms                  tiers and their folders from the lowest to the highest
    python -m tools.rooms --single         also the modules that one other module imports
    python -m tools.rooms --table FILE     as if modules were moved: rows `old_path,new_path` below src/keepclear

The order is found from the imports: a folder stands above all folders that it imports from when it is loaded. Imports
inside functions and those for type checkers have no part in it; those that point upwards are listed as facades. Folders
that import each other when they are loaded are listed as cycles, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import ast
import csv
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

PACKAGE = Path(__file__).parents[1] / "src" / "keepclear"
NAME = "keepclear"
TOP = "(top)"


@dataclass(frozen=True)
class Import:
    """One module imports another; `late` if only inside a function or for type checkers. Both are paths."""

    source: str
    target: str
    late: bool


def modules_of(package: Path) -> dict[str, ast.Module]:
    """Return every module of a package by its path in it."""
    return {
        path.relative_to(package).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(package.rglob("*.py"))
    }


def imports_of(modules: Mapping[str, ast.Module]) -> set[Import]:
    """Return the imports between modules; those of the package itself, which has the public names, are left out."""
    found = set()
    for source, tree in modules.items():
        for name, late in _names(tree, late=False):
            parts = name.split(".")
            paths = ("/".join(parts[1:k]) for k in range(len(parts), 1, -1))
            target = next(
                (f for path in paths for f in (f"{path}.py", f"{path}/__init__.py") if f in modules), None
            )
            if target not in (None, source) and "/" in source:
                found.add(Import(source, str(target), late))
    return {each for each in found if not each.late or Import(each.source, each.target, False) not in found}


def _names(node: ast.AST, late: bool) -> Iterator[tuple[str, bool]]:
    """Give the full names of imported modules and their members, and whether they are imported late."""
    for child in ast.iter_child_nodes(node):
        inside = late or isinstance(child, ast.FunctionDef) or _is_for_types(child)
        if isinstance(child, ast.Import):
            yield from ((alias.name, late) for alias in child.names if alias.name.startswith(f"{NAME}."))
        elif isinstance(child, ast.ImportFrom) and (child.module or "").split(".")[0] == NAME:
            yield from ((f"{child.module}.{alias.name}", late) for alias in child.names)
        yield from _names(child, inside)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def folder_of(path: str) -> str:
    """Return the folder of a module; the modules of the package itself are in the folder `TOP`."""
    parent = str(PurePosixPath(path).parent)
    return TOP if parent == "." else parent


def _tier(folder: str) -> str:
    """Return the outermost folder of a folder."""
    return folder.partition("/")[0]


def arrows(imports: set[Import], *, late: bool) -> Counter[tuple[str, str]]:
    """Return how many imports go from one folder to another."""
    pairs = [(folder_of(i.source), folder_of(i.target)) for i in imports if i.late is late]
    return Counter(pair for pair in pairs if pair[0] != pair[1])


def levels_of(folders: set[str], down: set[tuple[str, str]]) -> tuple[dict[str, int], set[str]]:
    """Return for each folder the length of the longest chain of imports below it, and the folders in cycles."""
    levels: dict[str, int] = {}
    left = set(folders)
    while left:
        ready = {a for a in left if all(b not in left for x, b in down if x == a)}
        if not ready:
            return levels | dict.fromkeys(left, len(folders)), left
        for folder in ready:
            levels[folder] = max((levels[b] + 1 for a, b in down if a == folder), default=0)
        left -= ready
    return levels, set()


def draw(imports: set[Import], lines: Mapping[str, int], *, single: bool = False) -> tuple[str, bool]:
    """Return the drawing of modules, given by their lines, and whether every arrow points downwards."""
    down, late = arrows(imports, late=False), arrows(imports, late=True)
    folders = {folder_of(path) for path in lines}
    levels, cyclic = levels_of(folders, set(down))
    height = {_tier(f): max(levels[g] for g in folders if _tier(g) == _tier(f)) for f in folders}
    order = sorted(folders, key=lambda f: (f != TOP, height[_tier(f)], _tier(f), levels[f], f))
    width = max(map(len, folders))
    out = [f"{'folder':{width}}  files  lines  imports from (number of imports)"]
    for folder in order:
        inside = [path for path in lines if folder_of(path) == folder]
        used = sorted((b for a, b in down if a == folder), key=lambda b: (-levels[b], b))
        shown = ", ".join(f"{b} {down[folder, b]}" for b in used if b != TOP)
        out.append(f"{folder:{width}}  {len(inside):5}  {sum(lines[p] for p in inside):5}  {shown}".rstrip())
    out.append(f"{len(lines)} files, {sum(lines.values())} lines, {len(folders)} folders")
    out += [f"cycle: {a} <-> {b}" for a, b in sorted(down) if a < b and (b, a) in down]
    out += [f"in a cycle: {', '.join(sorted(cyclic))}"] if cyclic else []
    out += [
        f"facade: {a} -> {b} ({n}, inside functions)"
        for (a, b), n in sorted(late.items())
        if levels[b] >= levels[a]
    ]
    if single:
        importers = Counter(i.target for i in imports)
        pairs = sorted((i.target, i.source) for i in imports if importers[i.target] == 1)
        out += [f"single: {target} ({lines[target]} lines) <- {source}" for target, source in pairs]
    return "\n".join(out), not cyclic


def moved(imports: set[Import], table: Mapping[str, str]) -> set[Import]:
    """Return the imports between modules that have other paths by a table."""
    return {Import(table.get(i.source, i.source), table.get(i.target, i.target), i.late) for i in imports}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.rooms", description=__doc__.partition("\n")[0])
    parser.add_argument("--single", action="store_true", help="list modules that one other module imports")
    parser.add_argument("--table", type=Path, metavar="FILE", help="draw modules where this table puts them")
    options = parser.parse_args()
    modules, table = modules_of(PACKAGE), {}
    if options.table is not None:
        with options.table.open(newline="") as file:
            table = {row["old_path"]: row["new_path"] for row in csv.DictReader(file)}
    lines = {table.get(path, path): (PACKAGE / path).read_text("utf-8").count("\n") for path in modules}
    text, one_way = draw(moved(imports_of(modules), table), lines, single=options.single)
    print(text)
    return 0 if one_way else 1


if __name__ == "__main__":
    sys.exit(main())
