"""Files of machine code: their format, reading and writing.

A file holds one compiled entry point. Its name contains a key made of everything that the code depends on, and its
header repeats the key, the kernel and the signature. There is no index and nothing to invalidate, and deleting a file
costs time only. A file that another user could have written, or whose content does not match its name, is not used, and
one line on stderr gives the reason.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keepclear.files import trust

PACKAGE = Path(__file__).parents[1]
KERNEL_FOLDER = PACKAGE / "kernels"
FOLDERS = KERNEL_FOLDER, PACKAGE / "compiler"
"""Where the sources are that machine code depends on: kernels, and what compiles them."""
SHIPPED_FOLDER = KERNEL_FOLDER / "_machine_code"
SUFFIX = ".kcode"
REASON_FILE = "none.txt"  # instead of machine code, if a wheel should contain it and does not
MAGIC = b"keepclear machine code 3\n"
GREATEST_HEADER = 1 << 16  # [bytes]
OWN_FOLDERS = 2  # the cache folder, and `kernels` or another one in it
complaints: dict[Path, str] = {}
"""Why folders of machine code are not used in this process, one line each, printed or not."""


class CodeFileError(Exception):
    """A file that is not the machine code it should be; the message says what is wrong with it."""


@dataclass(frozen=True)
class CodeFile:
    """One compiled entry point as it is stored on disk: its header, and the chunks of its code."""

    about: dict[str, Any]
    chunks: list[bytes]


@functools.cache
def source_digest() -> str:
    """Return the digest of all sources of kernels and their compiler, of which answers may depend on each."""
    return _digest(path for folder in FOLDERS for path in folder.rglob("*.py"))


@functools.cache
def imported_digest(module: str) -> str:
    """Return the digest of a kernel module and of all kernel modules that it imports, directly or through others.

    Machine code depends on no other source: kernel modules import only each other and the decorator, and a kernel that
    becomes part of another one is imported by name. The decorator and the record types are imported by all.
    """
    found: set[Path] = set()
    left = [KERNEL_FOLDER.joinpath(*module.split(".")).with_suffix(".py")]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += imports(path.read_text("utf-8"))
    return _digest(found)


def imports(source: str) -> list[Path]:
    """Return the files of the kernel modules and packages that a source imports."""
    found = []
    for module, names in _IMPORT.findall(source):
        path = PACKAGE.joinpath(*module.split(".")[1:])
        if path.is_dir():
            found.append(path / "__init__.py")
            modules = (
                path / f"{name.split()[0]}.py" for name in names.strip("()").split(",") if name.strip()
            )
            found += [module for module in modules if module.is_file()]
        else:
            found.append(path.with_suffix(".py"))
    return found


_IMPORT = re.compile(r"^ *from (keepclear\.(?:kernels|compiler)[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        content, name = path.read_bytes(), path.relative_to(PACKAGE).as_posix()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def key_digest(key: Iterable[object]) -> str:
    """Return the digest of all that the code of a kernel depends on."""
    return hashlib.sha256(repr(tuple(key)).encode()).hexdigest()


def file_name(kernel: str, key: str, compiler: str = "") -> str:
    """Return the name of the file for the kernel `folder.module.function` compiled under the key of this digest.

    In a cache it also has a digest of the exact compiler; a wheel drops it.
    """
    end = f"-{key_digest([compiler])[:8]}" if compiler else ""
    return f"{kernel}-{key[:24]}{end}{SUFFIX}"


def encode(about: Mapping[str, Any], chunks: list[bytes]) -> bytes:
    """Return the content of a file: a line that names the format, a header in JSON, the chunks."""
    code = b"".join(chunks)
    header = {**about, "sizes": [len(chunk) for chunk in chunks], "sha256": hashlib.sha256(code).hexdigest()}
    return MAGIC + json.dumps(header, sort_keys=True).encode() + b"\n" + code


def decode(content: bytes, expected: Mapping[str, str] | None = None) -> CodeFile:
    """Return the content of a file, if it is complete and its header has the expected entries.

    Raises:
        CodeFileError: It is damaged, or the machine code of something else.
    """
    about = _header(content[: len(MAGIC) + GREATEST_HEADER])
    if about is None:
        raise CodeFileError("is not a machine-code file, or is damaged")
    for name, value in (expected or {}).items():
        if about.get(name) != value:
            raise CodeFileError(f"holds the code of another {name}: {about.get(name)!s:.80}")
    start = content.index(b"\n", len(MAGIC)) + 1
    sizes = about.get("sizes")
    if not isinstance(sizes, list) or not all(type(size) is int and size >= 0 for size in sizes):
        raise CodeFileError("has a damaged header")
    if sum(sizes) != len(content) - start:
        raise CodeFileError(f"has {len(content) - start} bytes of code instead of {sum(sizes)}")
    if about.get("sha256") != hashlib.sha256(memoryview(content)[start:]).hexdigest():
        raise CodeFileError("has damaged code")
    chunks = []
    for size in sizes:
        chunks.append(content[start : start + size])
        start += size
    return CodeFile(about, chunks)


def _header(content: bytes) -> dict[str, Any] | None:
    """Return the header at the beginning of a file of machine code, or None if there is none."""
    line, end, _ = content[len(MAGIC) :].partition(b"\n")
    if not content.startswith(MAGIC) or not end:
        return None
    try:
        about = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return about if isinstance(about, dict) else None


def read_shipped(name: str, expected: Mapping[str, str]) -> CodeFile | None:
    """Return machine code that came with the package, or None if there is none that fits.

    Its compiler may differ: the key, which has no patch number of Numba, is sufficient.
    """
    path, found = SHIPPED_FOLDER / name, None
    with reporting(path):
        content = trust.read_beside(path, Path(__file__))
        own = {name: value for name, value in expected.items() if name != "compiler"}
        found = decode(content, own)
    return found


def read_cached(folder: Path, name: str, expected: Mapping[str, str]) -> CodeFile | None:
    """Return machine code from a folder of this user, or None if there is none, or none that can be trusted."""
    found = None
    with reporting(folder / name), trust.opened(folder, own=OWN_FOLDERS) as trusted:
        found = decode(trust.read(trusted, name), expected)
        with contextlib.suppress(OSError):  # recently used files are removed last
            os.utime(trusted.place(name), dir_fd=trusted.descriptor)
    return found


def why_none_are_shipped() -> str:
    """Return why the package came without machine code, as recorded by its build; empty if there is no record."""
    try:
        return (SHIPPED_FOLDER / REASON_FILE).read_text("utf-8").strip()
    except OSError:
        return ""


def write_code(path: Path, about: Mapping[str, Any], chunks: list[bytes]) -> None:
    """Write a complete file of machine code, by a rename.

    Raises:
        UntrustedError: Another user can change what is at this path.
        OSError: The file cannot be written.
    """
    with trust.opened(path.parent, own=OWN_FOLDERS, make=True) as folder:
        trust.write(folder, path.name, encode(about, chunks))


def is_quiet() -> bool:
    """Return whether the user wants no lines about compiling."""
    return os.environ.get("KEEPCLEAR_QUIET", "") not in ("", "0")


def refuse(path: Path, why: str, what: str = "compiled kernels") -> None:
    """Print on stderr, once for each folder, why a file of a cache or a folder of them is not used."""
    _report(path, f"{what} are not used: {why}")


def _report(path: Path, line: str) -> None:
    folder = path.parent if path.suffix == SUFFIX else path
    if folder in complaints:
        return
    complaints[folder] = line
    if not is_quiet():
        print(f"keepclear: {line}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def reporting(path: Path, what: str = "compiled kernels") -> Iterator[None]:
    """Leave the block silently if there is no file, or with a printed reason if it cannot be used."""
    try:
        yield
    except OSError:
        pass
    except CodeFileError as error:
        refuse(path, f"{path} {error}", what)
    except trust.UntrustedError as error:
        refuse(error.path, str(error), what)


@contextlib.contextmanager
def storing(path: Path) -> Iterator[None]:
    """Leave the block with a printed reason if the file or folder cannot be written."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        _report(
            path,
            f"compiled kernels cannot be stored: {path}: {why}; set KEEPCLEAR_CACHE_DIR to another folder",
        )
    except trust.UntrustedError as error:
        refuse(error.path, str(error))


def read_about(path: Path) -> dict[str, Any] | None:
    """Return the header of a file of machine code, without reading the code."""
    try:
        if not path.is_file():  # reading a pipe would block
            return None
        with path.open("rb") as file:
            return _header(file.read(len(MAGIC) + GREATEST_HEADER))
    except OSError:
        return None
