"""What was built is kept on disk: found again, refused where it is damaged or others can write, bounded, removed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import PROJECT

import keepclear as kc
from keepclear.compiler import cache_folders, code_files
from keepclear.files import trust
from keepclear.geometry.storage import cache
from keepclear.geometry.storage.cache import clear, digest_of, entries, read_entry, write_entry
from keepclear.geometry.trees import trees
from keepclear.geometry.trees.trees import tree_of

NUMBERS = {"numbers": np.arange(40, dtype=np.int32), "reals": np.linspace(0.0, 1.0, 9).reshape(3, 3)}
KEY = "hull", 1, digest_of("test", NUMBERS["numbers"])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for each test, which reports what is not used."""
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    monkeypatch.setattr(code_files, "complaints", {})
    monkeypatch.setattr(cache, "_written", 0)
    monkeypatch.setattr(cache, "LEAST_TRIANGLES", 100)
    return tmp_path / "cache" / "models"


def bumpy(n: int = 12) -> kc.Mesh:
    """A closed torus of 2 n^2 triangles with bumps."""
    u, v = (2.0 * np.pi * np.arange(n) / n for _ in range(2))
    u, v = (w.ravel() for w in np.meshgrid(u, v, indexing="ij"))
    r = 0.3 + 0.02 * np.sin(3 * u + 2 * v)
    points = np.stack(
        [(1 + r * np.cos(v)) * np.cos(u), (1 + r * np.cos(v)) * np.sin(u), r * np.sin(v)], axis=1
    )
    i, j = (w.ravel() for w in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    a, b, c, d = i * n + j, (i + 1) % n * n + j, (i + 1) % n * n + (j + 1) % n, i * n + (j + 1) % n
    return kc.Mesh(points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]))


def kept() -> kc.Mesh:
    mesh = bumpy()
    mesh._keep()
    return mesh


def test_what_is_written_is_read(folder: Path) -> None:
    assert read_entry(*KEY) is None
    write_entry(*KEY, NUMBERS)
    found = read_entry(*KEY)
    assert found is not None
    for name, array in NUMBERS.items():
        assert np.array_equal(found[name], array)
        assert found[name].dtype == array.dtype
        assert found[name].flags.writeable
    assert [path.stat().st_mode & 0o777 for path in folder.iterdir()] == [0o600]
    assert read_entry("hull", 2, KEY[2]) is None
    assert read_entry("obb_tree", 1, KEY[2]) is None


def test_other_content_has_another_digest() -> None:
    mesh = bumpy()
    nudged = mesh.vertices.copy()
    nudged[0, 0] = np.nextafter(nudged[0, 0], 2.0)
    meshes = [mesh, kc.Mesh(nudged, mesh.triangles), kc.Mesh(mesh.vertices, mesh.triangles[::-1])]
    assert len({cache.mesh_digest(one) for one in meshes}) == 3
    assert cache.mesh_digest(mesh) == cache.mesh_digest(bumpy())
    assert digest_of("a", np.zeros(4)) != digest_of("a", np.zeros((2, 2))) != digest_of("b", np.zeros((2, 2)))
    assert digest_of("a", np.zeros(1), np.zeros(2)) != digest_of("a", np.zeros(2), np.zeros(1))


def test_damage_is_found_and_reported_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_entry(*KEY, NUMBERS)
    (path,) = folder.iterdir()
    good = path.read_bytes()
    refused = 0
    for at in range(0, len(good), 7):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :])
        found = read_entry(*KEY)
        refused += found is None
        if found is not None:  # a bit of the archive that means nothing, such as the date of an array
            assert all(np.array_equal(found[name], array) for name, array in NUMBERS.items())
    assert refused > len(good) / 21
    path.write_bytes(good[:-1])
    capsys.readouterr()
    code_files.complaints.clear()
    assert read_entry(*KEY) is read_entry(*KEY) is None
    assert capsys.readouterr().err.count("stored models are not used: ") == 1
    for length in (0, 10, 40, len(good) // 2, len(good) - 30):
        path.write_bytes(good[:length])
        assert read_entry(*KEY) is None


def test_an_entry_under_another_name_is_refused(folder: Path) -> None:
    write_entry(*KEY, NUMBERS)
    (path,) = folder.iterdir()
    other = digest_of("test", NUMBERS["reals"])
    path.rename(path.with_name(cache._name("hull", 1, other)))
    assert read_entry("hull", 1, other) is None


def test_what_other_sources_have_built_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A builder that had a fault may have left a tree that misses triangles; nothing proves it when it is read."""
    write_entry(*KEY, NUMBERS)
    (path,) = folder.iterdir()
    now = cache.sources_digest()
    monkeypatch.setattr(cache, "sources_digest", lambda: b"repaired")
    assert read_entry(*KEY) is None
    path.rename(path.with_name(cache._name(*KEY)))
    assert read_entry(*KEY) is None
    monkeypatch.setattr(cache, "sources_digest", lambda: now)
    path.with_name(cache._name(*KEY)).unlink(missing_ok=True)
    write_entry(*KEY, NUMBERS)
    assert read_entry(*KEY) is not None


def test_the_digest_of_sources_has_all_that_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes
    seen: list[Path] = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: seen.append(path) or read(path))
    cache.sources_digest.__wrapped__()
    names = {"/".join(path.parts[-3:]) for path in seen}
    assert {"geometry/shapes/hull.py", "geometry/trees/trees.py", "geometry/spheres/cover_build.py"} <= names


@pytest.mark.skipif(not trust.has_owners(), reason="this system does not say who can write to a file")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_others_can_write_is_not_used(
    folder: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_entry(*KEY, NUMBERS)
    (path,) = folder.iterdir()
    (path if what == "file" else folder).chmod(0o777)
    assert read_entry(*KEY) is None
    assert "can be written by other users" in capsys.readouterr().err
    assert entries() == ({} if what == "folder" else {"hull": [path]})
    write_entry(*KEY, NUMBERS)
    assert read_entry(*KEY) is not None  # where that is safe


@pytest.mark.skipif(
    not trust.has_owners() or os.geteuid() != 0, reason="only root can give files to other users"
)
def test_a_folder_of_another_user_is_not_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_entry(*KEY, NUMBERS)
    os.chown(folder, 12345, 12345)
    assert read_entry(*KEY) is None
    assert "belongs to user 12345" in capsys.readouterr().err
    assert clear()[0] == 0


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    write_entry(*KEY, NUMBERS)
    (path,) = folder.iterdir()
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert read_entry(*KEY) is None


def test_without_a_folder_all_is_built_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    assert tree_of(kept(), "obb_tree").n_nodes == 2 * 288 - 1
    assert read_entry(*KEY) is None


def test_entries_used_longest_ago_are_removed_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    monkeypatch.setattr(cache, "SWEPT_EVERY", 1)
    keys = [("hull", version, KEY[2]) for version in (1, 2, 3, 4)]
    for age, key in enumerate(keys[:3]):
        write_entry(*key, NUMBERS)
        os.utime(folder / cache._name(*key), (1e9 + age, 1e9 + age))
    assert read_entry(*keys[0]) is not None  # which makes it the one used last
    write_entry(*keys[3], NUMBERS)
    assert [read_entry(*key) is not None for key in keys] == [True, False, True, True]
    cache_folders.sweep(folder, 3, 1)
    assert entries() == {}


def test_an_entry_that_disappears_does_not_end_a_sweep(folder: Path) -> None:
    for k in range(4):
        write_entry("hull", k, KEY[2], NUMBERS)
    (folder / "removed.kcm").symlink_to(folder / "nothing")  # its size cannot be read, as after a removal
    cache_folders.sweep(folder, 1, 1 << 30)
    assert len([path for path in folder.iterdir() if path.exists()]) == 1


def test_large_entries_are_not_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 100)
    write_entry(*KEY, NUMBERS)
    assert not folder.exists()


def test_all_are_removed_on_request(folder: Path) -> None:
    write_entry(*KEY, NUMBERS)
    ((path,),) = entries().values()
    size = path.stat().st_size
    assert clear() == (1, size)
    assert not folder.exists()
    assert clear() == (0, 0)


def refuse_to_build(*_: object) -> None:
    raise AssertionError("it was built again")


@pytest.mark.parametrize("kind", ["obb_tree", "box_tree"])
def test_trees_are_built_once(kind: trees.Using, monkeypatch: pytest.MonkeyPatch) -> None:
    first = tree_of(kept(), kind)
    facts = first.surface
    assert set(entries()) == {kind}
    monkeypatch.setattr(trees, f"build_{kind}", refuse_to_build)
    again = tree_of(kept(), kind)
    assert again._nodes.tobytes() == first._nodes.tobytes()
    assert again.surface.reals.tobytes() == facts.reals.tobytes()
    assert again.surface.links.tobytes() == facts.links.tobytes()


def test_meshes_that_are_small_or_nobody_keeps_are_not_stored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ = tree_of(bumpy(), "obb_tree").surface
    monkeypatch.setattr(cache, "LEAST_TRIANGLES", 289)
    _ = tree_of(kept(), "obb_tree").surface
    assert not folder.exists()


def test_processes_that_write_one_entry_leave_a_whole_one(folder: Path) -> None:
    code = (
        "import numpy as np; from keepclear.geometry.storage import cache as c\n"
        "for k in range(200): c.write_entry('hull', 1, bytes(32), {'a': np.full(20_000, 7, np.int32)})\n"
    )
    environment = os.environ | {"KEEPCLEAR_CACHE_DIR": str(folder.parent), "KEEPCLEAR_QUIET": ""}
    writers = [
        subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT, env=environment, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    n_read = 0
    while any(writer.poll() is None for writer in writers):
        found = read_entry("hull", 1, bytes(32))
        if found is not None:
            assert np.array_equal(found["a"], np.full(20_000, 7, np.int32))
            n_read += 1
    assert [writer.communicate()[1] for writer in writers] == [b"", b""]
    assert n_read > 0
    assert len(list(folder.iterdir())) == 1  # and nothing half-written beside it
    assert code_files.complaints == {}
