"""Hulls that are found once: with their mesh, on disk, checked when read, bounded in number, and removed on request."""

from __future__ import annotations

import gc
import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.hull_bodies import ball

import keepclear as kc
from keepclear.kernels import _trust
from keepclear.preprocess import hull_files, hulls
from keepclear.preprocess.hull_files import StoredHull, digest_of, read_hull, write_hull
from keepclear.shapes.hull import build_hull_graph

POINTS = ball(np.random.default_rng(3), 60)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test, which is told what is not used."""
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    monkeypatch.setattr(hull_files, "_reported", set())
    monkeypatch.setattr(hull_files, "_written", 0)
    return tmp_path / "cache" / "hulls"


def mesh_of(points: np.ndarray) -> kc.Mesh:
    graph = build_hull_graph(points)
    return kc.Mesh(points, graph.point_index[graph.triangles])


def numbers_of(points: np.ndarray) -> StoredHull:
    graph = build_hull_graph(points)
    return StoredHull(graph.point_index, graph.triangles, graph.facet)


def not_to_be_found(_: object) -> None:
    raise AssertionError("the hull was found again")


def test_a_hull_is_made_once_and_goes_with_its_mesh() -> None:
    mesh = mesh_of(POINTS)
    hull = hulls.hull_of(mesh)
    assert isinstance(hull, kc.Convex)
    assert hulls.hull_of(mesh) is hull
    count = len(hulls._hulls)
    del mesh
    gc.collect()
    assert len(hulls._hulls) < count


def test_a_mesh_without_a_hull(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise kc.ShapeError("no hull")

    monkeypatch.setattr(kc.Convex, "_around", refuse)
    assert hulls.hull_of(mesh_of(POINTS)) is None


def test_the_next_process_finds_the_hull_on_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = mesh_of(POINTS)
    first = hulls.hull_of(mesh)
    assert first is not None
    assert not folder.exists()  # until its graph is needed
    built = first.graph
    (path,) = folder.iterdir()
    assert path.name == digest_of(POINTS).hex() + ".hull"
    assert path.stat().st_mode & 0o777 == 0o600
    hulls._hulls.clear()
    monkeypatch.setattr(hulls, "build_hull_graph", not_to_be_found)
    again = hulls.hull_of(mesh)
    assert again is not None
    assert again.graph is not built
    assert np.array_equal(again.graph.neighbours, built.neighbours)
    assert np.array_equal(again.vertices, first.vertices)
    assert again == first == kc.Convex(POINTS)


def test_scipy_is_not_imported_the_second_time(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    code = (
        "import sys, numpy as np, keepclear as kc; from keepclear.preprocess.hulls import hull_of;"
        "corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)];"
        "faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];"
        "hull = hull_of(kc.Mesh(corners, faces));"
        "print(len(hull.vertices), 'scipy.spatial' in sys.modules)"
    )
    assert run_python(code).stdout.split() == ["8", "True"]
    assert run_python(code).stdout.split() == ["8", "False"]


def test_other_points_have_another_digest() -> None:
    digests = {digest_of(POINTS), digest_of(POINTS[:-1]), digest_of(POINTS + 0.0), digest_of(POINTS[::-1])}
    nudged = POINTS.copy()
    nudged[0, 0] = np.nextafter(nudged[0, 0], 2.0)
    assert len(digests | {digest_of(nudged)}) == 4
    assert digest_of(POINTS) == digest_of(np.asfortranarray(POINTS))


def test_what_is_written_is_read() -> None:
    digest, hull = digest_of(POINTS), numbers_of(POINTS)
    assert read_hull(digest) is None
    write_hull(digest, hull)
    found = read_hull(digest)
    assert found is not None
    for one, other in zip(found, hull, strict=True):
        assert np.array_equal(one, other)
        assert one.dtype == np.int64


@pytest.mark.parametrize("at", [0, 20, 55, 200, -1])
def test_damage_is_found_and_mended(folder: Path, at: int, capsys: pytest.CaptureFixture[str]) -> None:
    mesh = mesh_of(POINTS)
    assert hulls._find_graph(POINTS).proved
    (path,) = folder.iterdir()
    good = path.read_bytes()
    bad = bytearray(good)
    bad[at] ^= 0x10
    path.write_bytes(bad)
    assert read_hull(digest_of(POINTS)) is None
    assert f"stored hulls are not used: {path} is damaged" in capsys.readouterr().err
    hull = hulls.hull_of(mesh)
    assert hull is not None
    assert hull.graph.proved
    assert path.read_bytes() == good
    for length in (0, 10, 40, len(good) - 1):
        path.write_bytes(good[:length])
        assert read_hull(digest_of(POINTS)) is None
    path.write_bytes(good + b"\0")
    assert read_hull(digest_of(POINTS)) is None


def test_a_whole_file_that_is_not_the_hull_is_found_again() -> None:
    """Someone wrote, with all digests right, a hull that leaves out a vertex: a walk on it would miss contacts."""
    some = POINTS[:-1]
    small = numbers_of(some)
    write_hull(digest_of(POINTS), small)
    graph = hulls._find_graph(POINTS)
    assert len(graph.vertices) == len(POINTS) > len(small.point_index)
    found = read_hull(digest_of(POINTS))
    assert found is not None
    assert len(found.point_index) == len(POINTS)  # the right one is there now


def test_a_file_of_other_points_under_this_name_is_refused(folder: Path) -> None:
    other = POINTS[:-1]
    write_hull(digest_of(other), numbers_of(other))
    (path,) = folder.iterdir()
    path.rename(path.with_name(digest_of(POINTS).hex() + ".hull"))
    assert read_hull(digest_of(POINTS)) is None


def test_counts_that_do_not_fit_take_no_memory() -> None:
    digest = digest_of(POINTS)
    content = hull_files.MAGIC + digest + hull_files.COUNTS.pack(2**32 - 1, 2**32 - 1)
    content += hashlib.sha256(content).digest()
    assert hull_files.decode(content, digest) is None


@pytest.mark.skipif(not _trust.has_owners(), reason="this system does not say who can write to a file")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_others_can_write_is_not_used(
    folder: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    digest = digest_of(POINTS)
    write_hull(digest, numbers_of(POINTS))
    (path,) = folder.iterdir()
    (path if what == "file" else folder).chmod(0o777)
    assert read_hull(digest) is None
    assert read_hull(digest) is None
    said = capsys.readouterr().err
    assert said.count("keepclear: stored hulls are not used: ") == 1
    assert "can be written by other users" in said
    assert hulls._find_graph(POINTS).proved  # and stored where that is safe
    assert read_hull(digest) is not None


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    digest = digest_of(POINTS)
    write_hull(digest, numbers_of(POINTS))
    (path,) = folder.iterdir()
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert read_hull(digest) is None


def test_without_a_folder_hulls_are_found_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    assert hulls._find_graph(POINTS).proved
    assert read_hull(digest_of(POINTS)) is None


def test_hulls_used_longest_ago_are_removed_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hull_files, "MOST_FILES", 3)
    monkeypatch.setattr(hull_files, "SWEPT_EVERY", 1)
    digests = [digest_of(POINTS * scale) for scale in (1, 2, 3, 4)]
    for age, digest in enumerate(digests[:3]):
        write_hull(digest, numbers_of(POINTS))
        os.utime(folder / f"{digest.hex()}.hull", (1e9 + age, 1e9 + age))
    assert read_hull(digests[0]) is not None  # which makes it the one used last
    write_hull(digests[3], numbers_of(POINTS))
    assert [read_hull(digest) is not None for digest in digests] == [True, False, True, True]
    monkeypatch.setattr(hull_files, "MOST_BYTES", 1)
    hull_files.sweep(folder)
    assert hull_files.stored_files() == []


def test_large_hulls_are_not_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hull_files, "LARGEST", 1000)
    write_hull(digest_of(POINTS), numbers_of(POINTS))
    assert not folder.exists()


def test_flat_hulls_are_not_stored(folder: Path) -> None:
    assert hulls._find_graph(POINTS * [1.0, 1.0, 0.0]).dimension == 2
    assert not folder.exists()


def test_all_are_removed_on_request(folder: Path) -> None:
    write_hull(digest_of(POINTS), numbers_of(POINTS))
    (path,) = hull_files.stored_files()
    size = path.stat().st_size
    assert hull_files.clear() == (1, size)
    assert not folder.exists()
    assert hull_files.clear() == (0, 0)
