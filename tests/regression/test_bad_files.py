"""Files that ended a command with a traceback and exit code 1, which means a contact, or that never ended.

Each of them now ends with exit code 2 and lines on stderr that name the file: named pipes blocked the reader for ever,
JSON of 100 000 levels raised RecursionError, integers of 5 000 digits a ValueError, an NPZ header of 1e12 values a
MemoryError, and aliases of nine levels of ten filled the memory.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.unit.jobs.cell.cells import ARM, SRDF

from keepclear.cli.main import main

CELL = "objects:\n  arm: {{robot: arm.urdf, srdf: arm.srdf, motion: {}}}\n  part: {{mesh: {}, unit: mm}}\n"
FLAP = "v 0 0 0\nv 80 0 0\nv 0 50 0\nf 1 2 3\n"


def verify(folder: Path, motion: str = "{times: [0], q: [[0, 0]]}", mesh: str = "flap.obj") -> list[str]:
    """Verify a cell with these files, which must be bad input, and return the lines on stderr."""
    files = {"cell.yaml": CELL.format(motion, mesh), "arm.urdf": ARM, "arm.srdf": SRDF, "flap.obj": FLAP}
    for name, text in files.items():
        if not (folder / name).exists():
            (folder / name).write_text(text)
    return bad_input("verify", str(folder / "cell.yaml"))


def bad_input(*arguments: str) -> list[str]:
    result = CliRunner().invoke(main, list(arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    return result.stderr.splitlines()


def npz(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("q.npy", content)
    return file.getvalue()


def declared(shape: str) -> bytes:
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("a.json", lambda: b"[" * 100_000, "its values are nested too deeply"),
        ("a.json", lambda: b'{"times": [' + b"9" * 5000 + b"]}", "an integer has 5000 digits"),
        (
            "a.npz",
            lambda: npz(declared("(1000000000000,)")),
            "declares 8000000000000 bytes for array 'q.npy'",
        ),
        ("a.npz", lambda: npz(bytes(2**27)), "would unpack from"),
    ],
    ids=["deep", "digits", "header", "bomb"],
)
def test_motions(tmp_path: Path, name: str, make: Callable[[], bytes], message: str) -> None:
    (tmp_path / name).write_bytes(make())
    (line,) = verify(tmp_path, motion=name)
    assert "cell.yaml:2:" in line
    assert message in line


@pytest.mark.parametrize(
    "name", ["arm.urdf", "arm.srdf", "flap.obj", "pick.csv", "pick.npz", "pick.json", "cell.yaml"]
)
def test_named_pipes(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    lines = verify(tmp_path, **({"motion": name} if name.startswith("pick") else {}))
    assert any("named pipe" in line or "not a regular file" in line for line in lines)


@pytest.mark.parametrize("name", ["report.json", "report", "cell.yaml"])
def test_named_pipes_that_are_shown(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    (line,) = bad_input("view", "--no-open", str(tmp_path / name))
    assert "is not a regular file" in line


def test_tracks_that_are_a_named_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tracks.csv")
    (line,) = bad_input("crowd", "--tracks", str(tmp_path / "tracks.csv"), "--radii", "0.3")
    assert "named pipe" in line


@pytest.mark.parametrize("mesh", ["/dev/zero", "."])
def test_devices_and_folders(tmp_path: Path, mesh: str) -> None:
    (line,) = verify(tmp_path, mesh=mesh)
    assert "not a regular file" in line or "is a folder" in line


def test_aliases_of_nine_levels_of_ten(tmp_path: Path) -> None:
    levels = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)
    )
    (tmp_path / "cell.yaml").write_text(levels + "objects: *a9\n")
    (line,) = verify(tmp_path)
    assert "its aliases ('*name') repeat more than 1000000000 values" in line


def test_entities_that_multiply(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    text = f'<!DOCTYPE robot [<!ENTITY e0 "ha">{entities}]>{ARM.replace("0.2 0.2 0.1", "&e9;")}'
    (tmp_path / "arm.urdf").write_text(text)
    (line,) = verify(tmp_path)
    assert "it declares entities, which are not expanded" in line
