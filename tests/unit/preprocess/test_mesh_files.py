"""Files that are read again: the same mesh and the same warnings, from an order of vertices that is proved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.unit.preprocess.test_model_cache import bumpy

import keepclear as kc
from keepclear.preprocess import mesh_files, model_cache
from keepclear.preprocess.mesh_files import read_mesh_again
from keepclear.preprocess.model_cache import digest_of, entries, write_entry


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in which each triangle has corners that no other has, and a cache for it."""
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(model_cache, "_places", lambda: [tmp_path / "cache" / "models"])
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    monkeypatch.setattr(model_cache, "_reported", set())
    monkeypatch.setattr(mesh_files, "LEAST_TRIANGLES", 100)
    mesh = bumpy()
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices[mesh.triangles].reshape(-1, 3).tolist()]
    lines += [f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}" for k in range(len(mesh.triangles))]
    (tmp_path / "part.obj").write_text("\n".join(lines))
    return tmp_path / "part.obj"


def test_the_same_mesh_comes_back_and_is_sorted_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = kc.read_mesh(path, "cm", scale=2.0)
    first = read_mesh_again(path, "cm", scale=2.0)
    assert list(entries()) == ["order"]

    def refuse(*_: object) -> None:
        raise AssertionError("it was sorted again")

    monkeypatch.setattr(mesh_files.np, "lexsort", refuse)
    again = read_mesh_again(path, "cm", scale=2.0)
    monkeypatch.undo()
    for mesh in (first, again):
        assert mesh == plain
        assert (mesh.name, mesh.is_solid, mesh._is_kept) == ("part.obj", True, True)


def test_a_wrong_order_is_found_again(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = kc.read_mesh(path)
    corners = kc.read_mesh(path, merge=False)._vertices
    key = "order", 1, digest_of("points", corners)
    order = np.lexsort(corners.T[::-1]).astype(np.int32)
    for wrong in (order[::-1].copy(), order[:-1], order.astype(np.float64), np.zeros_like(order)):
        write_entry(*key, {"order": wrong})
        assert read_mesh_again(path) == plain
    assert "has content that could not be proved" in capsys.readouterr().err


def test_small_files_and_mistakes_are_as_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh_files, "LEAST_TRIANGLES", 10_000)
    assert read_mesh_again(path) == kc.read_mesh(path)
    assert entries() == {}
    with pytest.raises(kc.FileMissingError):
        read_mesh_again(path.with_name("none.obj"))
    with pytest.warns(kc.UnitWarning, match="looks like millimetres"):
        read_mesh_again(path, scale=1000.0)
