"""Tests of files that are written whole, through links, and into what is no regular file."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from keepclear.files.access import write_whole_file


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    write_whole_file(file, b"one")
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~_umask()
    file.chmod(0o640)
    write_whole_file(file, b"two")
    assert file.read_bytes() == b"two"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    """The link was replaced, and its target kept the report of the last run."""
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_bytes(b"old verdict")
    link.symlink_to(target)
    write_whole_file(link, b"new verdict")
    assert link.is_symlink()
    assert target.read_bytes() == b"new verdict"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """As root, --json /dev/null replaced the null device of the machine by a regular file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="No such device or address"):  # nothing reads it
        write_whole_file(pipe, b"x")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    content = b"report " * 100_000
    for _ in range(1000):
        try:
            write_whole_file(pipe, content)
            break
        except OSError:  # the reader has not opened it yet
            reader.join(0.01)
    reader.join(10.0)
    assert read == [content]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_was_there_stays_if_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "report.json"
    file.write_bytes(b"old")

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError, match="No space left"):
        write_whole_file(file, b"new")
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_whole_file(tmp_path / "no" / "report.json", b"x")
    assert caught.value.filename == str(tmp_path / "no" / "report.json")
