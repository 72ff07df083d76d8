"""A folder imports only from those below it, so that each can be read and tested without those above."""

from __future__ import annotations

import ast
from collections import Counter

import pytest
from tools.rooms import PACKAGE, TOP, Import, folder_of, imports_of, modules_of

ORDER = [
    "(top)",
    "files",
    "kernels/tables",
    "compiler",
    "kernels",
    "kernels/convex",
    "kernels/triangles",
    "kernels/trees",
    "kernels/box_trees",
    "kernels/motion",
    "kernels/advance",
    "kernels/broad_phase",
    "kernels/edges",
    "kernels/decomposition",
    "kernels/spheres",
    "kernels/crowd",
    "geometry",
    "geometry/shapes",
    "geometry/mesh_files",
    "geometry/storage",
    "geometry/trees",
    "geometry/hulls",
    "geometry/bodies",
    "geometry/decomposition",
    "geometry/spheres",
    "geometry/models",
    "motion",
    "motion/joints",
    "query",
    "query/instant",
    "query/track",
    "query/moving",
    "query/interval",
    "query/points",
    "crowd/parts",
    "crowd/files",
    "crowd",
    "robot",
    "robot/pairs",
    "robot/readers",
    "robot/spheres",
    "report",
    "report/pages",
    "scene",
    "scene/robots",
    "world/contents",
    "world/selection",
    "world/verify",
    "world/planner",
    "world/simulate",
    "world/submit",
    "world",
    "adapters",
    "jobs",
    "jobs/store",
    "jobs/executors",
    "jobs/motion_files",
    "jobs/moveit",
    "jobs/cell",
    "jobs/fleet",
    "cli",
    "cli/commands",
]
"""Every folder, the lowest first; the folder of a tier may be above those that are in it."""

FACADES = {
    ("geometry/decomposition/decomposition.py", "geometry/models"),
    ("geometry/decomposition/decomposition.py", "report/pages"),
    ("geometry/models/prepared.py", "report/pages"),
    ("geometry/spheres/tree.py", "report/pages"),
    ("motion/joints/program.py", "robot"),
    ("report/report.py", "report/pages"),
    ("robot/model.py", "robot/pairs"),
    ("robot/model.py", "robot/spheres"),
    ("robot/pairs/reach.py", "robot/readers"),
    ("robot/spheres/audit.py", "report/pages"),
    ("robot/spheres/model.py", "report/pages"),
}
"""Methods and types for users that lead upwards, as (module, folder): the import is in a function or for types only."""

MOST_FILES = 17
PUBLIC = {"__init__.py", "__main__.py", "executors.py", "fleet.py", "plan.py"}
"""Modules at the top that only gather names for users; all others there are below every folder."""

MODULES = modules_of(PACKAGE)
IMPORTS = sorted(imports_of(MODULES), key=lambda i: (i.source, i.target))


def leads_upwards(each: Import) -> bool:
    return ORDER.index(folder_of(each.target)) > ORDER.index(folder_of(each.source))


def test_every_folder_has_its_place() -> None:
    assert set(ORDER) == {folder_of(path) for path in MODULES}
    assert len(ORDER) == len(set(ORDER))


@pytest.mark.parametrize("folder", ORDER)
def test_a_folder_imports_only_from_those_below_it(folder: str) -> None:
    upwards = [each for each in IMPORTS if folder_of(each.source) == folder and leads_upwards(each)]
    wrong = [i for i in upwards if not i.late or (i.source, folder_of(i.target)) not in FACADES]
    assert not wrong, "\n".join(f"{i.source} imports {i.target}" for i in wrong)


def test_every_facade_is_used() -> None:
    assert {(i.source, folder_of(i.target)) for i in IMPORTS if leads_upwards(i)} == FACADES


def test_modules_at_the_top_import_no_folder() -> None:
    for path, tree in MODULES.items():
        if folder_of(path) == TOP and path not in PUBLIC:
            names = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
            inner = [name for name in names if name.startswith("keepclear.")]
            assert all((PACKAGE / f"{name.split('.')[1]}.py").is_file() for name in inner), path


def test_only_commands_use_the_package_as_users_do() -> None:
    for path, tree in MODULES.items():
        uses = any(isinstance(n, ast.Import) and n.names[0].name == "keepclear" for n in ast.walk(tree))
        assert not uses or path.startswith("cli/"), path


def test_folders_are_small_and_say_what_they_hold() -> None:
    sizes = Counter(folder_of(path) for path in MODULES)
    assert {folder: n for folder, n in sizes.items() if n > MOST_FILES} == {}
    for folder in ORDER[1:]:
        assert ast.get_docstring(MODULES[f"{folder}/__init__.py"]), folder
