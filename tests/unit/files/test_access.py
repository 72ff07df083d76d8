"""Nothing but a regular file of a bounded size is read, and numbers are in plain digits."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest

from keepclear.files.access import IrregularFileError, parse_json, parse_number, read_regular_file


def test_a_regular_file_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    assert read_regular_file(tmp_path / "file") == b"content"
    assert read_regular_file(str(tmp_path / "link"), max_size=7) == b"content"


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name, kind in (("pipe", "a named pipe"), ("link", "a named pipe"), (".", "a folder")):
        with pytest.raises(IrregularFileError, match=f"it is {kind}, not a regular file"):
            read_regular_file(tmp_path / name)
    with pytest.raises(IrregularFileError, match="it is a device"):
        read_regular_file("/dev/zero")


def test_a_socket_is_refused() -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{folder}/s")
        with pytest.raises(IrregularFileError, match="it is a socket"):
            read_regular_file(f"{folder}/s")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sparse"
    with file.open("wb") as stream:
        stream.truncate(2**41)
    with pytest.raises(IrregularFileError, match="at most 1073741824 are read"):
        read_regular_file(file)
    with pytest.raises(IrregularFileError, match="at most 10 are read"):
        read_regular_file("/proc/self/maps", max_size=10)  # the system calls its size 0


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_regular_file(tmp_path / "nothing")


@pytest.mark.parametrize("text", ["1", "-1.5", "+.5", "2.", "1e-3", " 7E5\t", "inf", "-Infinity", "1e999"])
def test_numbers_in_plain_digits_are_read(text: str) -> None:
    assert parse_number(text) == float(text)


@pytest.mark.parametrize("text", ["", "1_0", "١٢", "１", "0x10", "1e", ".", "1 2", "1\u00a0", "--1", "1,5"])  # noqa: RUF001
def test_other_texts_are_no_numbers(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        parse_number(text)


def test_json_is_read() -> None:
    assert parse_json('{"a": [1, -2.5e3, null]}') == {"a": [1, -2500.0, None]}
    assert parse_json(b"-12") == -12
    assert parse_json("NaN", str) == "NaN"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9" * 5000, "an integer has 5000 digits"),
        ("-" + "9" * 600, "an integer has 601 digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"q": [0], "t": 1, "q": [1]}', "the name 'q' occurs twice"),
        ("{", "Expecting property name"),
        (b"\xff\xfe\xfa", "utf"),
    ],
)
def test_bad_json_is_a_value_error(text: str | bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_json(text)


def test_a_name_that_is_twice_among_many_is_found_in_one_pass() -> None:
    """A search for each name among all before it took minutes; within the test's time, only one pass ends."""
    text = "{" + "".join(f'"{k}": 0, ' for k in range(200_000)) + '"199999": 1}'
    with pytest.raises(ValueError, match="'199999' occurs twice"):
        parse_json(text)
