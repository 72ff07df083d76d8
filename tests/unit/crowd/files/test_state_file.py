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


ARRAYS = [
    "settings",
    "counters",
    "numbers",
    "ids",
    "rows",
    "free",
    "members",
    "marks",
    "pairs",
    "data",
    "events",
]
ARRAYS += ["waiting", "log", "format"]


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return dict(file)


@pytest.fixture
def pushed(tmp_path: Path) -> Path:
    """A saved crowd with everything in it: overlaps, events that wait, history, free rows."""
    crowd = crowd_of(kc.RandomForces(seed=3, interval=0.05), response="report", history=True)
    crowd.remove([3, 7])
    crowd.forecast(0.1)
    crowd.advance(0.2)
    crowd.remove([1])
    path = tmp_path / "crowd.npz"
    crowd.save(path)
    assert all(len(arrays_of(path)[name]) for name in ARRAYS if name != "waiting")
    return path


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("how", ["missing", "longer", "other type", "other shape"])
def test_an_array_that_is_another_is_refused(name: str, how: str, pushed: Path) -> None:
    arrays = arrays_of(pushed)
    old = arrays.pop(name)
    if how == "longer":
        arrays[name] = np.concatenate([old, old, np.zeros_like(old, shape=(1, *old.shape[1:]))])
    elif how == "other type":
        arrays[name] = old.astype(np.float32)
    elif how == "other shape":
        arrays[name] = old[..., None]
    np.savez(pushed, **arrays)
    if how == "longer" and name in ("events", "log", "waiting"):
        arrays[name][-1] = np.nan
        np.savez(pushed, **arrays)
    with pytest.raises(kc.CrowdError, match="holds no saved crowd, or a damaged one"):
        kc.Crowd.restore(pushed)


def test_files_of_other_formats_are_named(pushed: Path) -> None:
    arrays = arrays_of(pushed)
    np.savez(pushed, **arrays | {"format": np.array([3])})
    with pytest.raises(kc.CrowdError, match="has format 3, and this version reads 2"):
        kc.Crowd.restore(pushed)
    np.savez(pushed, **arrays | {"more": np.zeros(1)})
    with pytest.raises(kc.CrowdError, match="it has an array 'more', which no crowd has"):
        kc.Crowd.restore(pushed)
    del arrays["format"]
    np.savez(pushed, **arrays)
    with pytest.raises(kc.CrowdError, match="its format is missing; it may be of an older version"):
        kc.Crowd.restore(pushed)


def test_a_crowd_is_not_saved_by_those_it_asks(tmp_path: Path) -> None:
    crowd = crowd_of(kc.Ballistic(), response=lambda _event, v: crowd.save(tmp_path / "c") or v)
    with pytest.raises(kc.ArgumentError, match="cannot save the crowd that asks it; save it after advance"):
        crowd.advance(5.0)
    crowd.save(tmp_path / "c")


def test_events_that_wait_are_saved(tmp_path: Path) -> None:
    """Overlaps that end because a member was taken out are told by the next advance, of the copy as well."""
    crowd = kc.Crowd([[0, 0], [1, 0]], np.zeros((2, 2)), 1.0, motion=kc.Ballistic(), response="report")
    assert crowd.advance(1.0).kind.tolist() == ["begin"]
    crowd.remove(0)
    crowd.save(tmp_path / "c")
    again = kc.Crowd.restore(tmp_path / "c")
    assert crowd.advance(2.0).kind.tolist() == again.advance(2.0).kind.tolist() == ["end"]


def test_overlaps_are_told_once_by_a_restored_crowd(tmp_path: Path) -> None:
    crowd = kc.Crowd(
        [[0, 0], [9, 0], [5, 5]], [[1, 0], [-1, 0], [0, 0]], 1.0, motion=kc.Ballistic(), response="report"
    )
    assert crowd.advance(4.0).kind.tolist() == ["begin"]
    crowd.save(tmp_path / "c")
    again = kc.Crowd.restore(tmp_path / "c")
    assert again.clear_until(0, 1) == 4.0
    assert again.clear_until(0, 2) == crowd.clear_until(0, 2)
    (event,) = again.advance(9.0)
    assert (event.kind, event.time) == ("end", pytest.approx(5.5))


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    crowd = kc.Crowd([[0, 0]], [[1, 0]], 0.5, motion=kc.Ballistic())
    with pytest.raises(kc.CrowdError, match=r"'.*no/x.npz' cannot be written: No such file or directory"):
        crowd.save(tmp_path / "no" / "x.npz")
