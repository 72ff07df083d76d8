"""Tracks in tables of text: read as they are, and refused with the line that is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import keepclear as kc
from keepclear.crowd.files.track_file import read_tracks


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tracks.csv"


def test_times_ids_and_gaps(file: Path) -> None:
    file.write_text("\ufeffID; T ;X;Y;Z\n5;0.5;1;2;3\n2;0;4;5;6\n\n5;0;7;8;9\n")
    tracks, ids = read_tracks(file)
    assert ids.tolist() == [2, 5]
    assert tracks.times.tolist() == [0.0, 0.5]
    assert tracks.positions[:, 1].tolist() == [[7, 8, 9], [1, 2, 3]]
    assert tracks.positions[0, 0].tolist() == [4, 5, 6]
    assert np.isnan(tracks.positions[1, 0]).all()


def test_rows_at_instants_of_their_own_are_refused(file: Path) -> None:
    file.write_text("time,id,x,y\n0,1,0,0\n0.1,2,0,0\n0.2,1,1,0\n0.3,2,1,0\n")
    with pytest.raises(
        kc.TrajectoryError, match=r"member 1 has a row at 0 s, but none .* at common instants"
    ):
        read_tracks(file)


def test_frames_need_a_rate(file: Path) -> None:
    file.write_text("frame,id,x_m,y_m\n0,1,0,0\n5,1,1,0\n")
    assert read_tracks(file, 25.0)[0].times.tolist() == [0.0, 0.2]
    with pytest.raises(
        kc.TrajectoryError, match="the rows have frames, not times; give the frames per second"
    ):
        read_tracks(file)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "",
            "must name the columns time (or frame), id, x and y, for spheres also z, but it has nothing.",
        ),
        ("time,x,y\n", "but it has time, x, y."),
        ("time,id,x,y\n", "there is no row under the names of the columns."),
        ("time,id,x,y\n0,1,2,3\n1,1,2\n", "line 3: '1,1,2' is not a row of numbers."),
        ("time,id,x,y\n0,a,2,3\n", "line 2: '0,a,2,3' is not a row of numbers."),
        (
            "time,id,x,y\n0,1,nan,3\n",
            "line 2: numbers must be finite and ids whole, but they are '0,1,nan,3'.",
        ),
        ("time,id,x,y\n0,1.5,1,3\n", "numbers must be finite and ids whole"),
        ("time,id,x,y\n0,1,1,3\n0,1,2,3\n", "member 1 has two rows at 0; keep one of them."),
        ("time,id,x,y\n0,1,1,3\n", "a track needs two samples"),
    ],
)
def test_what_is_no_table_is_refused(file: Path, text: str, error: str) -> None:
    file.write_text(text)
    with pytest.raises(kc.TrajectoryError) as caught:
        read_tracks(file)
    assert error in str(caught.value)


def test_a_file_that_is_missing_or_no_text(file: Path) -> None:
    with pytest.raises(kc.FileMissingError, match="there is no file"):
        read_tracks(file)
    file.write_bytes(b"\xff\xfe\x00\x01\x80")
    with pytest.raises(kc.TrajectoryError, match="cannot be read as text"):
        read_tracks(file)


def test_a_field_longer_than_tables_have_is_refused(file: Path) -> None:
    file.write_text("time,id,x,y\n0,1,0," + "1" * 200_000)
    with pytest.raises(kc.TrajectoryError, match="not a table of text: field larger"):
        read_tracks(file)


def test_ids_that_float64_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    """An id of -2**63 - 1 became a positive one."""
    file = tmp_path / "tracks.csv"
    file.write_text("time,id,x,y\n0,7,0,0\n1,7,0,0\n0,-9223372036854775809,2,0\n1,-9223372036854775809,2,0\n")
    with pytest.raises(kc.TrajectoryError, match=r"line 4: ids must be within 9007199254740992 of 0"):
        read_tracks(file)
