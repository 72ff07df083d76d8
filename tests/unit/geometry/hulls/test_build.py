"""Hulls of meshes that are found once: with their mesh and in the cache; those of files are proved."""

from __future__ import annotations

import gc
import subprocess
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.hull_bodies import ball

import keepclear as kc
from keepclear.compiler import code_files
from keepclear.geometry.hulls import build
from keepclear.geometry.hulls.build import HULL_VERSION, hull_sections
from keepclear.geometry.shapes.hull import build_hull_graph
from keepclear.geometry.storage import cache
from keepclear.geometry.storage.cache import digest_of
from keepclear.geometry.storage.section_file import FileDamage

POINTS = ball(np.random.default_rng(3), 60)
KEY = "hull", HULL_VERSION, digest_of("points", POINTS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for each test, which reports what is not used."""
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    monkeypatch.setattr(code_files, "complaints", {})
    monkeypatch.setattr(cache, "_written", 0)
    return tmp_path / "cache" / "models"


def mesh_of(points: np.ndarray) -> kc.Mesh:
    graph = build_hull_graph(points)
    return kc.Mesh(points, graph.point_index[graph.triangles])


def not_to_be_found(_: object) -> None:
    raise AssertionError("the hull was found again")


def test_a_hull_is_made_once_and_goes_with_its_mesh() -> None:
    mesh = mesh_of(POINTS)
    hull = build.hull_of(mesh)
    assert isinstance(hull, kc.Convex)
    assert build.hull_of(mesh) is hull
    ends = weakref.ref(hull)
    del mesh, hull
    gc.collect()
    assert ends() is None


def test_a_mesh_without_a_hull(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise kc.ShapeError("no hull")

    mesh = mesh_of(POINTS)
    monkeypatch.setattr(kc.Convex, "_around", refuse)
    assert build.hull_of(mesh) is None
    monkeypatch.undo()
    assert build.hull_of(mesh) is None  # which was found out once


def test_the_next_process_finds_the_hull_on_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build.hull_of(mesh_of(POINTS))
    assert first is not None
    assert not folder.exists()  # until its graph is needed
    built = first.graph
    (path,) = folder.iterdir()
    assert path.name == cache._name(*KEY)
    assert path.stat().st_mode & 0o777 == 0o600
    mesh = mesh_of(POINTS)
    monkeypatch.setattr(build, "build_hull_graph", not_to_be_found)
    again = build.hull_of(mesh)
    assert again is not None
    assert again.graph is not built
    assert np.array_equal(again.graph.neighbours, built.neighbours)
    assert np.array_equal(again.vertices, first.vertices)
    assert again == first == kc.Convex(POINTS)


def test_scipy_is_not_imported_the_second_time(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    code = (
        "import sys, numpy as np, keepclear as kc; from keepclear.geometry.hulls.build import hull_of;"
        "corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)];"
        "faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];"
        "hull = hull_of(kc.Mesh(corners, faces));"
        "print(len(hull.vertices), 'scipy.spatial' in sys.modules)"
    )
    assert run_python(code).stdout.split() == ["8", "True"]
    assert run_python(code).stdout.split() == ["8", "False"]


@pytest.mark.parametrize("name", ["point_index", "triangles", "facet", "witness", "order", "table"])
def test_sections_that_are_missing_or_of_another_type_are_no_hull(name: str) -> None:
    sections = hull_sections(POINTS, build_hull_graph(POINTS))
    assert sections is not None
    assert build.proved_hull(POINTS, sections).proved
    for wrong in (
        {key: value for key, value in sections.items() if key != name},
        sections | {name: sections[name].astype(np.float64)},
        sections | {name: sections[name][None]},
        sections | {"more": sections[name]},
    ):
        with pytest.raises(FileDamage, match="has a hull with other arrays than"):
            build.proved_hull(POINTS, wrong)


def test_a_hull_that_leaves_out_a_vertex_is_refused() -> None:
    """A walk on it would miss contacts."""
    small = hull_sections(POINTS[:-1], build_hull_graph(POINTS[:-1]))
    assert small is not None
    small["witness"] = np.append(small["witness"], np.int32(0))
    with pytest.raises(FileDamage, match="not that of its points"):
        build.proved_hull(POINTS, small)


def test_flat_hulls_are_not_stored(folder: Path) -> None:
    assert build._find_graph(POINTS * [1.0, 1.0, 0.0]).dimension == 2
    assert not folder.exists()
