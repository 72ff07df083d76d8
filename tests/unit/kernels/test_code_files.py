"""Files of machine code: damaged ones are replaced, folders that cannot be written are replaced by others."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numba
import pytest

from keepclear.kernels import _code_files as files
from keepclear.kernels import _warmup

needs_jit = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="the JIT is off, so there is nothing to test")

Run = Callable[..., CompletedProcess[str]]
LENGTH = """
import numpy as np
from keepclear.kernels import _code_files, _compile
from tests.unit.kernels import toy
print(toy.length(np.ones(4), 4), toy.length.origin, _code_files.cache_folder())
"""


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@needs_jit
def test_damaged_files_are_ignored_and_written_again(run_python: Run, tmp_path: Path) -> None:
    run_python(LENGTH)
    (path,) = (tmp_path / "cache").glob("kernels/*/*.kcode")
    good = path.read_bytes()
    not_ours = tmp_path / "not_ours.kcode"
    assert files.write_code(not_ours, {"kernel": "toy.length"}, pickle.dumps(("another", "tuple")))
    assert files.write_code(tmp_path / "not_pickled.kcode", {}, b"\x80garbage")
    for damage in (good[:-100], good[:30], b"", flipped(good), not_ours.read_bytes(), b"\x80garbage"):
        path.write_bytes(damage)
        assert run_python(LENGTH).stdout.startswith("2.0 compiled ")
        assert files.read_code(path) is not None
        assert run_python(LENGTH).stdout.startswith("2.0 cache ")


@needs_jit
def test_the_machine_code_in_the_package_comes_first(run_python: Run, tmp_path: Path) -> None:
    run_python(LENGTH)
    (path,) = (tmp_path / "cache").glob("kernels/*/*.kcode")
    (tmp_path / "shipped").mkdir()
    path.rename(tmp_path / "shipped" / path.name)
    shipped = f"_code_files.SHIPPED_FOLDER = _code_files.Path({str(tmp_path / 'shipped')!r})\n"
    code = LENGTH.replace("print", shipped + "print")
    assert run_python(code).stdout.startswith("2.0 shipped ")
    assert not list((tmp_path / "cache").glob("kernels/*/*"))


@needs_jit
def test_a_cache_that_cannot_be_written_is_replaced_by_a_private_folder(
    run_python: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    blocked = {"KEEPCLEAR_CACHE_DIR": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path)}
    private = tmp_path / f"keepclear-{os.getuid()}"
    assert run_python(LENGTH, **blocked).stdout == f"2.0 compiled {private / 'kernels'}\n"
    assert run_python(LENGTH, **blocked).stdout == f"2.0 cache {private / 'kernels'}\n"
    assert private.stat().st_mode & 0o077 == 0


@needs_jit
@pytest.mark.parametrize("kind", ["open to others", "link"])
def test_a_folder_that_others_could_change_is_not_used(run_python: Run, tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("in the way")
    private = tmp_path / f"keepclear-{os.getuid()}"
    blocked = {"KEEPCLEAR_CACHE_DIR": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path)}
    run_python(LENGTH, **blocked)
    if kind == "link":
        private.rename(tmp_path / "elsewhere")
        private.symlink_to(tmp_path / "elsewhere")
    else:
        private.chmod(0o777)
    assert run_python(LENGTH, **blocked).stdout == "2.0 compiled None\n"


@needs_jit
def test_processes_may_compile_the_same_kernel_at_once(project: Path, tmp_path: Path) -> None:
    settings = os.environ | {"KEEPCLEAR_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", LENGTH]
    running = [subprocess.Popen(command, cwd=project, env=settings, stdout=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate()[0][:4] for process in running] == [b"2.0 "] * 3
    (path,) = (tmp_path / "cache").glob("kernels/*/*")
    assert files.read_code(path) is not None


@needs_jit
def test_kernels_hold_no_paths_of_the_machine_that_compiled_them(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    modules = ["keepclear.kernels.pose", "tests.unit.kernels.toy"]
    ready = list(_warmup.compile_all(modules))
    stored = {path.name: path.read_bytes() for path in (tmp_path / "cache").glob("kernels/*/*.kcode")}
    assert len(stored) == len(ready)
    ours = [content for name, content in stored.items() if name.startswith("pose.")]
    (foreign,) = (content for name, content in stored.items() if name.startswith("toy.length"))
    assert str(project).encode() in foreign  # so a path would be seen
    assert ours
    for content in ours:
        assert str(project).encode() not in content
        assert str(Path.home()).encode() not in content


def test_the_digest_changes_with_every_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "KERNEL_FOLDER", tmp_path)
    digest = files.source_digest.__wrapped__
    (tmp_path / "a.py").write_text("one")
    (tmp_path / "b.py").write_text("two")
    first = digest()
    os.utime(tmp_path / "a.py", (0, 0))
    assert digest() == first
    (tmp_path / "b.py").write_text("too")
    second = digest()
    (tmp_path / "b.py").rename(tmp_path / "c.py")
    assert len({first, second, digest()}) == 3


def test_a_file_that_says_nothing_useful_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.kcode"
    assert files.read_code(path) is None
    assert files.read_about(path) is None
    for content in (b"", b"text", files.MAGIC, files.MAGIC + b"[1]\ncode", files.MAGIC + b"{}\ncode"):
        path.write_bytes(content)
        assert files.read_code(path) is None
    assert files.write_code(path, {"seconds": 2.5}, b"line\nline")
    found = files.read_code(path)
    assert found is not None
    assert (found.about["seconds"], found.code) == (2.5, b"line\nline")
    assert files.read_about(path) == found.about


def test_old_generations_are_swept_away_in_the_order_of_their_use(tmp_path: Path) -> None:
    for age in range(9):
        (tmp_path / f"g{age}").mkdir()
        os.utime(tmp_path / f"g{age}", (1000.0 - age, 1000.0 - age))
    files.sweep(tmp_path, current="g8")
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["g0", "g1", "g2", "g3", "g8"]


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "mine"))
    assert files.user_folder() == tmp_path / "mine"
    monkeypatch.delenv("KEEPCLEAR_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert files.user_folder() == tmp_path / "keepclear"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.user_folder() == tmp_path / ".cache" / "keepclear"
