"""Crowds written to files and read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import keepclear as kc


def crowd_of(motion, **options) -> kc.Crowd:
    rng = np.random.default_rng(1)
    x, v = rng.uniform(2, 8, (10, 2)), rng.normal(size=(10, 2)) * 3
    return kc.Crowd(x, v, 0.6, 4.0, motion=motion, bounds=([0, 0], [10, 10]), **options)


@pytest.mark.parametrize(
    "motion",
    [kc.Ballistic(), kc.RandomForces(seed=3, interval=0.05), kc.VelocityField(speed=4.0)],
    ids=lambda motion: type(motion).__name__,
)
def test_a_restored_crowd_goes_on_as_before(motion, tmp_path: Path) -> None:
    crowd = crowd_of(motion)
    crowd.advance(0.4)
    crowd.save(tmp_path / "crowd.npz")
    again = kc.Crowd.restore(tmp_path / "crowd.npz")
    first, second = crowd.advance(0.8), again.advance(0.8)
    assert len(first) > 0
    assert first.tobytes() == second.tobytes()
    assert np.array_equal(crowd.positions(), again.positions())
    assert crowd.statistics == again.statistics


def test_tracks_and_observations_are_restored(tmp_path: Path) -> None:
    x = np.zeros((3, 2, 2))
    x[:, 1, 0] = [4.0, 2.0, 0.0]
    crowd = kc.Crowd(None, None, 0.5, motion=kc.RecordedTracks([0, 1, 2], x))
    crowd.advance(1.2)
    crowd.save(tmp_path / "tracks")
    (event,) = kc.Crowd.restore(tmp_path / "tracks").advance(1.9)
    assert event.time == pytest.approx(1.5)
    seen = kc.Crowd([[0, 0], [9, 0]], [[0, 0], [0, 0]], 1.0, 1.0)
    seen.save(tmp_path / "seen")
    assert kc.Crowd.restore(tmp_path / "seen").clear_until(0, 1) == seen.clear_until(0, 1)


def test_a_probe_is_given_again(tmp_path: Path) -> None:
    def probe(ids, t):
        return np.array([[0.0, 0], [4.0 - t, 0]])[ids], np.array([[0.0, 0], [-1.0, 0]])[ids]

    crowd = kc.Crowd([[0, 0], [4, 0]], [[0, 0], [-1, 0]], 1.0, 0.1, motion=probe)
    crowd.advance(1.0)
    crowd.save(tmp_path / "c")
    with pytest.raises(kc.ArgumentError, match="had a probe of its caller"):
        kc.Crowd.restore(tmp_path / "c")
    assert kc.Crowd.restore(tmp_path / "c", motion=probe).advance(3.0).kind.tolist() == ["begin"]


def test_bad_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(kc.FileMissingError, match="there is no file"):
        kc.Crowd.restore(tmp_path / "nothing")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(kc.CrowdError, match="holds no saved crowd"):
        kc.Crowd.restore(tmp_path / "text")


@pytest.mark.parametrize("table", ["F", "N", "K", "H", "Q", "G", "E"])
def test_a_table_that_is_cut_is_damaged(table: str, tmp_path: Path) -> None:
    path = tmp_path / "crowd.npz"
    kc.Crowd([[0, 0], [9, 0]], np.zeros((2, 2)), 1.0, motion=kc.Ballistic()).save(path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays[table] = arrays[table][:-1, :-1] if arrays[table].ndim == 2 else arrays[table][:-1]
    np.savez(path, **arrays)
    with pytest.raises(kc.CrowdError, match="holds no saved crowd, or a damaged one"):
        kc.Crowd.restore(path)
