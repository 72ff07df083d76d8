"""Files of machine code: those that are damaged, or that others could have written, are not used."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numba
import pytest
from llvmlite import binding

from keepclear.compiler import cache_folders as folders
from keepclear.compiler import code_files as files
from keepclear.compiler import plain_code, warmup
from keepclear.compiler.plain_code import inflated

needs_jit = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="the JIT is off, so there is nothing to test")
needs_root = pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can give files to other users"
)
STRANGER = 65534
GOOD = files.encode({"kernel": "a", "key": "k"}, [b"code"])

Run = Callable[..., CompletedProcess[str]]
LENGTH = """
import numpy as np
from keepclear.compiler import cache_folders, code_files, kernel
from tests.unit.kernels import toy
print(toy.length(np.ones(4), 4), toy.length.origin, cache_folders.cache_folder())
"""


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@needs_jit
def test_damaged_files_are_ignored_and_written_again(run_python: Run, tmp_path: Path) -> None:
    run_python(LENGTH)
    (path,) = (tmp_path / "cache").glob("kernels/*.kcode")
    good = path.read_bytes()
    found, own = files.decode(good), b"tests.unit.kernels.toy"
    described = zlib.decompress(found.chunks[0])

    def with_description(text: bytes) -> bytes:
        return files.encode(found.about, [zlib.compress(text), *found.chunks[1:]])

    module, called = (
        with_description(described.replace(old, new)) for old, new in ((own, b"os"), (b'[["' + own, b'[["os'))
    )
    assert len({module, called, with_description(described)}) == 3
    cut = [found.chunks[0], found.chunks[1][:-9], found.chunks[2]]
    damaged = {
        flipped(good): "has damaged code",
        module: "this is code of module 'os'",
        called: "a kernel does not call functions of module 'os'",
        files.encode(found.about, cut): "its code is damaged, or larger than any kernel",
        files.encode(found.about, found.chunks[:2]): f"cannot be loaded by Numba {numba.__version__}",
        files.encode(found.about | {"compiler": "0"}, found.chunks): "holds the code of another compiler: 0",
    }
    for damage, reason in damaged.items():
        path.write_bytes(damage)
        again = run_python(LENGTH)
        assert again.stdout.startswith("2.0 compiled ")
        assert again.stderr.startswith(f"keepclear: compiled kernels are not used: {path} ")
        assert reason in again.stderr.splitlines()[0]
        assert len(again.stderr.splitlines()) == 2  # and that it compiles
        assert files.decode(path.read_bytes()).chunks == found.chunks
    assert run_python(LENGTH).stdout.startswith("2.0 cache ")


@needs_jit
def test_the_code_of_one_kernel_does_not_serve_another(run_python: Run, tmp_path: Path) -> None:
    both = LENGTH.replace(
        "toy.length(np.ones(4), 4)", "toy.length(np.ones(4), 4), toy.roots(np.ones(4), np.ones(4))"
    )
    run_python(both)
    length, roots = sorted((tmp_path / "cache").glob("kernels/*.kcode"))
    roots.replace(length)
    again = run_python(LENGTH)
    assert again.stdout.startswith("2.0 compiled ")
    assert f"{length} holds the code of another kernel: toy.roots\n" in again.stderr


@needs_jit
def test_nothing_in_a_file_is_unpickled(run_python: Run, tmp_path: Path) -> None:
    run_python(LENGTH)
    (path,) = (tmp_path / "cache").glob("kernels/*.kcode")
    found, victim = files.decode(path.read_bytes()), tmp_path / "victim"
    attack = pickle.dumps(Attack(str(victim)))
    header = json.dumps(found.about | {"sha256": hashlib.sha256(attack).hexdigest()}).encode()
    contents = [
        b"keepclear machine code 1\n" + header + b"\n" + attack,  # the first format, which was unpickled
        files.encode(found.about, [attack, *found.chunks[1:]]),
    ]
    for content in contents:
        path.write_bytes(content)
        assert run_python(LENGTH).stdout.startswith("2.0 compiled ")
        assert not victim.exists()


class Attack:
    """What makes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (self.path,)


@needs_jit
@needs_root
@pytest.mark.parametrize("kind", ["file", "kernels", "cache"])
def test_code_that_another_user_could_have_written_is_not_run(
    run_python: Run, tmp_path: Path, kind: str
) -> None:
    # A file of user 65534 in a cache that KEEPCLEAR_CACHE_DIR names was unpickled by root: it ran commands.
    run_python(LENGTH, TMPDIR=str(tmp_path))
    (path,) = (tmp_path / "cache").glob("kernels/*.kcode")
    target = path if kind == "file" else path.parents[("kernels", "cache").index(kind)]
    os.chown(target, STRANGER, STRANGER)
    again = run_python(LENGTH, TMPDIR=str(tmp_path))
    assert again.stdout.startswith("2.0 compiled ")
    reason = f"{target} belongs to user {STRANGER}, and this is user 0; remove it, or set KEEPCLEAR_CACHE_DIR"
    assert again.stderr.splitlines()[0].startswith(f"keepclear: compiled kernels are not used: {reason}")
    assert len(again.stderr.splitlines()) == 2


@needs_jit
@needs_root
@pytest.mark.parametrize(("owner", "origin"), [(0, "cache"), (STRANGER, "cache"), (STRANGER - 1, "compiled")])
def test_a_user_takes_code_of_root_and_their_own(run_python: Run, owner: int, origin: str) -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's folders are for root alone
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "tmp").mkdir()
        (folder / "tmp").chmod(0o1777)
        settings = {"KEEPCLEAR_CACHE_DIR": str(folder / "cache"), "TMPDIR": str(folder / "tmp")}
        run_python(LENGTH, **settings)
        for path in (folder / "cache", *(folder / "cache").rglob("*")):
            path.chmod(0o755)
            os.chown(path, owner, owner)
        ready = "toy.roots(np.ones(1), np.ones(1)); code_files.complaints.clear()"  # all is imported
        become = f"os.setgroups([]); os.setgid({STRANGER}); os.setuid({STRANGER})"
        done = run_python(f"import os\n{LENGTH.replace('print', f'{ready}; {become}; print')}", **settings)
        assert done.stdout.startswith(f"2.0 {origin} ")
        reason = f"belongs to user {owner}, and this is user {STRANGER}"
        assert (reason in done.stderr) == (origin == "compiled")


@needs_jit
def test_why_code_is_not_used_is_said_once(run_python: Run, tmp_path: Path) -> None:
    three = LENGTH.replace(
        "toy.length(np.ones(4), 4)", "toy.longer(np.ones(4), np.ones(1)), toy.roots(np.ones(4), np.ones(4))"
    )
    run_python(three)
    for path in (tmp_path / "cache").glob("kernels/*.kcode"):
        path.chmod(0o666)
    lines = run_python(three).stderr.splitlines()
    assert sum("are not used" in line for line in lines) == 1
    assert run_python(LENGTH, KEEPCLEAR_QUIET="1").stderr == ""


@needs_jit
def test_a_cache_that_others_can_write_is_replaced_by_a_private_folder(
    run_python: Run, tmp_path: Path
) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    private = tmp_path / f"keepclear-{os.geteuid()}"
    for origin in ("compiled", "cache"):
        done = run_python(LENGTH, TMPDIR=str(tmp_path))
        assert done.stdout == f"2.0 {origin} {private / 'kernels'}\n"
        assert f"{tmp_path / 'cache'} can be written by other users (mode 0777)" in done.stderr
    assert list((tmp_path / "cache").iterdir()) == []


@needs_jit
def test_the_machine_code_in_the_package_comes_first(run_python: Run, tmp_path: Path) -> None:
    run_python(LENGTH)
    (path,) = (tmp_path / "cache").glob("kernels/*.kcode")
    (tmp_path / "shipped").mkdir()
    path.rename(tmp_path / "shipped" / f"{path.name.rpartition('-')[0]}.kcode")
    shipped = f"code_files.SHIPPED_FOLDER = code_files.Path({str(tmp_path / 'shipped')!r})\n"
    code = LENGTH.replace("print", shipped + "print")
    assert run_python(code).stdout.startswith("2.0 shipped ")
    assert not list((tmp_path / "cache").glob("kernels/*"))


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
def test_folders_after_the_first_usable_one_are_not_searched(run_python: Run, tmp_path: Path) -> None:
    # Wheels lacked kernels that the build had found in the temporary folder, and had not stored in its own.
    (tmp_path / "file").write_text("in the way")
    blocked = run_python(LENGTH, KEEPCLEAR_CACHE_DIR=str(tmp_path / "file" / "cache"))
    reason = f"{tmp_path / 'file' / 'cache' / 'kernels'}: Not a directory; set KEEPCLEAR_CACHE_DIR to another folder"
    assert blocked.stderr.splitlines()[0] == f"keepclear: compiled kernels cannot be stored: {reason}"
    for origin in ("compiled", "cache"):
        assert run_python(LENGTH).stdout == f"2.0 {origin} {tmp_path / 'cache' / 'kernels'}\n"
    assert len(list((tmp_path / "cache").glob("kernels/*.kcode"))) == 1


@needs_jit
def test_a_folder_that_can_only_be_read_is_searched_too(run_python: Run, tmp_path: Path) -> None:
    run_python(LENGTH)
    read_only = "cache_folders.is_usable = lambda kernels: kernels.parent.name != 'cache'\nprint"
    done = run_python(LENGTH.replace("print", read_only))
    assert done.stdout == f"2.0 cache {tmp_path / f'keepclear-{os.geteuid()}' / 'kernels'}\n"


@needs_jit
def test_code_that_cannot_be_written_is_reported(run_python: Run, tmp_path: Path) -> None:
    full = (
        "def write(*_): raise OSError(28, 'No space left on device')\ncode_files.trust.write = write\nprint"
    )
    done = run_python(LENGTH.replace("print", full).replace("toy.length.origin", "toy.length.file"))
    assert done.stdout == f"2.0 None {tmp_path / 'cache' / 'kernels'}\n"
    assert "keepclear: compiled kernels cannot be stored: " in done.stderr
    assert ": No space left on device; set KEEPCLEAR_CACHE_DIR to another folder\n" in done.stderr
    run_python(LENGTH)


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
    (path,) = (tmp_path / "cache").glob("kernels/*")
    assert files.decode(path.read_bytes()).about["kernel"] == "toy.length"


@needs_jit
def test_kernels_hold_no_paths_of_the_machine_that_compiled_them(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    modules = ["keepclear.kernels.convex.pose", "tests.unit.kernels.toy"]
    ready = list(warmup.compile_all(modules))
    stored = {
        path.name: b"".join(map(inflated, files.decode(path.read_bytes()).chunks))
        for path in (tmp_path / "cache").glob("kernels/*.kcode")
    }
    assert len(stored) == len(ready)
    ours = [content for name, content in stored.items() if name.startswith("convex.pose.")]
    (foreign,) = (content for name, content in stored.items() if name.startswith("toy.length"))
    assert str(project).encode() in foreign  # so a path would be seen
    assert ours
    for content in ours:
        assert str(project).encode() not in content
        assert str(Path.home()).encode() not in content


@needs_jit
def test_bitcode_has_the_names_of_functions_only(run_python: Run, tmp_path: Path) -> None:
    run_python(LENGTH)
    (path,) = (tmp_path / "cache").glob("kernels/*.kcode")
    chunks = files.decode(path.read_bytes()).chunks
    function = json.loads(inflated(chunks[0]))["function"]["mangled_name"]
    module = binding.parse_bitcode(inflated(chunks[2]))
    values = [
        value.name
        for one in module.functions
        for block in one.blocks
        for value in (block, *block.instructions)
    ]
    assert function in {one.name for one in module.functions if not one.is_declaration}
    assert len(values) > 10
    assert not any(values)


def test_what_is_larger_than_any_kernel_is_not_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    chunk = zlib.compress(bytes(100))
    assert inflated(chunk) == bytes(100)
    monkeypatch.setattr(plain_code, "GREATEST_SIZE", 99)
    for damaged in (chunk, chunk + b"more", chunk[:-1], b"", b"code"):
        with pytest.raises((ValueError, zlib.error)):
            inflated(damaged)


def test_the_digest_changes_with_every_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PACKAGE", tmp_path)
    monkeypatch.setattr(files, "FOLDERS", (tmp_path,))
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


def test_the_digest_of_a_kernel_changes_with_what_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PACKAGE", tmp_path)
    tmp_path = tmp_path / "kernels"
    monkeypatch.setattr(files, "KERNEL_FOLDER", tmp_path)
    (tmp_path / "sub").mkdir(parents=True)
    (tmp_path / "sub" / "__init__.py").write_text("")
    (tmp_path / "sub" / "a.py").write_text(
        "from keepclear.kernels.sub import b, other\nfrom keepclear.kernels.c import (\n    X,\n)\n"
    )
    (tmp_path / "sub" / "b.py").write_text("    from keepclear.kernels.sub.d import f as g\n")
    for name in ("c", "sub/d", "sub/beside"):
        (tmp_path / f"{name}.py").write_text("from keepclear.kernels.sub.a import y\n")
    digest = files.imported_digest.__wrapped__
    seen = {digest("sub.a")}
    (tmp_path / "sub" / "beside.py").write_text("z = 1\n")
    assert {digest("sub.a")} == seen
    for name in ("sub/a", "sub/b", "c", "sub/d", "sub/__init__"):
        path = tmp_path / f"{name}.py"
        path.write_text(path.read_text() + "z = 1\n")
        seen.add(digest("sub.a"))
    assert len(seen) == 6


def test_every_import_of_a_kernel_module_is_found() -> None:
    for path in files.KERNEL_FOLDER.rglob("*.py"):
        source, expected = path.read_text("utf-8"), set()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("keepclear"):
                for name in node.names:
                    whole = files.PACKAGE.joinpath(*f"{node.module}.{name.name}".split(".")[1:])
                    expected.add(
                        whole.with_suffix(".py") if whole.with_suffix(".py").is_file() else whole.parent
                    )
            elif isinstance(node, ast.Import):
                assert not any(name.name.startswith("keepclear") for name in node.names), path
            assert not (isinstance(node, ast.ImportFrom) and node.level), path
        expected = {
            one / "__init__.py" if one.is_dir() else one if one.suffix else one.with_suffix(".py")
            for one in expected
        }
        assert expected <= set(files.imports(source)), path
        assert all(one.is_file() for one in files.imports(source)), path


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not a machine-code file, or is damaged"),
        (b"text", "is not a machine-code file, or is damaged"),
        (files.MAGIC, "is not a machine-code file, or is damaged"),
        (files.MAGIC + b"{}", "is not a machine-code file, or is damaged"),
        (files.MAGIC + b"[1]\ncode", "is not a machine-code file, or is damaged"),
        (files.MAGIC + b"[" * 50_000 + b"\ncode", "is not a machine-code file, or is damaged"),
        (files.MAGIC + b"{}\ncode", "has a damaged header"),
        (GOOD[:-1], "has 3 bytes of code instead of 4"),
        (GOOD + b" ", "has 5 bytes of code instead of 4"),
        (GOOD[:-1] + b"f", "has damaged code"),
        (files.encode({"kernel": "b", "key": "k"}, [b"code"]), "holds the code of another kernel: b"),
        (files.encode({"kernel": "a", "key": "l"}, [b"code"]), "holds the code of another key: l"),
        (files.encode({"kernel": "a"}, [b"code"]), "holds the code of another key: None"),
        *[
            (GOOD.replace(b"[4]", sizes), "header|bytes of code")
            for sizes in (b"null", b"[-1, 5]", b"[true, 3]", b"[4.0]", b'["4"]', b"[3]", b"{}")
        ],
    ],
)
def test_a_file_that_is_damaged_or_of_something_else_is_refused(content: bytes, reason: str) -> None:
    expected = {"kernel": "a", "key": "k"}
    assert files.decode(GOOD, expected).chunks == [b"code"]
    assert content != GOOD
    with pytest.raises(files.CodeFileError, match=reason):
        files.decode(content, {} if content.startswith(files.MAGIC + b"{}") else expected)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.kcode"
    assert files.read_about(path) is None
    path.write_bytes(files.encode({"seconds": 2.5}, [b"line\n", b"", b"line"]))
    found = files.decode(path.read_bytes(), {})
    assert (found.about["seconds"], found.chunks) == (2.5, [b"line\n", b"", b"line"])
    assert files.read_about(path) == found.about


def test_a_pipe_in_place_of_machine_code_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.kcode")
    assert files.read_about(tmp_path / "a.kcode") is None


def test_compiled_code_is_copied_under_the_same_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "target"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    monkeypatch.setattr(files, "complaints", {})
    source = tmp_path / "source" / "kernels"
    for name in ("a.kcode", "b.kcode", "c.kcode"):
        files.write_code(source / name, {}, [b"code"])
    (source / "a.kcode").chmod(0o666)
    (source / "b.kcode").write_bytes(b"damaged")
    assert folders.copy_code(tmp_path / "source") == 1
    assert [path.name for path in (tmp_path / "target").rglob("*.kcode")] == ["c.kcode"]
    assert "a.kcode can be written by other users" in capsys.readouterr().err
    (tmp_path / "source").chmod(0o777)
    assert folders.copy_code(tmp_path / "source") == 0
    assert folders.copy_code(tmp_path / "nowhere") == 0


def test_folders_that_others_can_write_are_neither_listed_nor_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(folders, "private_folder", lambda: tmp_path / "private")
    path = tmp_path / "cache" / "kernels" / "a.kcode"
    files.write_code(path, {}, [b"code"])
    assert folders.cached_files() == [path]
    (tmp_path / "cache").chmod(0o777)  # a link to another folder `kernels` would be emptied
    assert folders.cached_files() == []
    assert folders.clear() == (0, 0)
    assert path.exists()
    (tmp_path / "cache").chmod(0o700)
    assert folders.clear()[0] == 1
    assert not path.exists()


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "mine"))
    assert folders.user_folder() == tmp_path / "mine"
    monkeypatch.delenv("KEEPCLEAR_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folders.user_folder() == tmp_path / "keepclear"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folders.user_folder() == tmp_path / ".cache" / "keepclear"
