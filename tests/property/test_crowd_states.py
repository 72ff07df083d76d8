"""State files of crowds that were damaged on purpose are refused, or tell of a crowd that misses no contact."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.crowd_state_campaign import campaign
from tests.oracles.crowd_state_files import CROWDS, faults, write_valid

import keepclear as kc


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    return write_valid(tmp_path_factory.mktemp("states"))


@pytest.mark.parametrize("name", CROWDS)
def test_whole_files_are_restored(name, files):
    assert faults(name, files[name]) == []


def test_damaged_files_are_refused_or_lose_nothing(tmp_path):
    """In a process of their own: no crash, no hang, no other error, no contact that is missed."""
    wrong, refused = campaign(300, 11, tmp_path)
    assert wrong == []
    assert 150 < refused < 290


def changed(path: Path, target: Path, **changes) -> Path:
    """Write a state file with some arrays changed: by functions of what they were."""
    with np.load(path) as file:
        arrays = dict(file)
    for name, change in changes.items():
        arrays[name] = change(arrays[name].copy())
    np.savez(target, **arrays)
    return target


def put(value, *place):
    """A change that puts a value at a place of an array."""

    def change(array):
        array[place] = value
        return array

    return change


CRAFTED = {
    "a row beyond the table": ("elastic", {"rows": put(10**6, 0)}, "the set of rows"),
    "a row before the table": ("elastic", {"rows": put(-1, 0)}, "the set of rows"),
    "two members in one row": (
        "elastic",
        {"rows": lambda rows: rows[[0, 0, *range(2, len(rows))]]},
        "the set of rows",
    ),
    "a free row that is taken": ("elastic", {"free": lambda free: free[[0] * len(free)]}, "the set of rows"),
    "ids that fall": ("elastic", {"ids": lambda ids: ids[::-1]}, "the order of ids"),
    "an id that is to come": ("elastic", {"numbers": put(3, 0)}, "an id"),
    "a pair with itself": ("random", {"pairs": lambda pairs: pairs[:, [0, 0, 2]]}, "a member of a pair"),
    "a pair twice": (
        "random",
        {"pairs": lambda pairs: np.concatenate([pairs, pairs[:, [1, 0, 2]]])},
        "there twice",
    ),
    "a pair of a stranger": ("random", {"pairs": put(999, 0, 0)}, "a member of a pair"),
    "a pair that waits": ("random", {"pairs": put(0, 0, 2)}, "the state of a pair"),
    "forces beyond the limit": ("random", {"members": put(99.0, 0, 17)}, "the acceleration of an anchor"),
    "forces that never change": ("random", {"members": put(1e11, 0, 16)}, "the interval of an anchor"),
    "intervals without number": ("random", {"data": put(1e-29, 0)}, "the interval of forces"),
    "an uncertainty that shrinks": (
        "observed",
        {"members": put(-5.0, 0, 9)},
        "what is not known of a member",
    ),
    "no growth of what is unknown": (
        "observed",
        {"members": put(0.0, 3, 10)},
        "what is not known of a member",
    ),
    "a member without limits": (
        "observed",
        {"members": put(np.inf, slice(None), slice(12, 14))},
        "without limits",
    ),
    "news of the future": ("observed", {"members": put(1e6, 0, 7)}, "the time of a probe"),
    "a sample of the future": ("tracks", {"marks": put(11, 0, 2)}, "a sample of a track"),
    "a track too few": ("tracks", {"positions": lambda x: x[:, :-1]}, "the number of tracks"),
    "a negative counter": ("elastic", {"counters": put(-1, 0)}, "a counter"),
    "an event of nobody": ("elastic", {"events": lambda _: np.full((1, 8), 1e6)}, "the time of an event"),
    "an unknown kind of motion": ("elastic", {"settings": put(9.0, 17)}, "the kind of motion"),
    "no time": ("elastic", {"settings": put(np.nan, 0)}, "the time"),
    "a past that runs back": ("elastic", {"log": lambda log: log[::-1]}, "the order of the history"),
}


@pytest.mark.parametrize("how", CRAFTED)
def test_crafted_files_are_refused(how, files, tmp_path):
    name, changes, words = CRAFTED[how]
    path = changed(files[name], tmp_path / "crafted.npz", **changes)
    with pytest.raises(kc.CrowdError, match=f"holds no saved crowd, or a damaged one: .*{words}"):
        kc.Crowd.restore(path)


@pytest.mark.parametrize("name", CROWDS)
def test_overlaps_that_are_over_end_at_once(name, files, tmp_path):
    """All pairs are said to overlap: refused where none can, else those that do not end now, and nothing is missed."""
    with np.load(files[name]) as file:
        ids = file["ids"]
    pairs = np.array([(a, b, 1) for a, b in itertools.combinations(ids.tolist(), 2)])
    path = changed(files[name], tmp_path / "crafted.npz", pairs=lambda _: pairs)
    assert not faults(name, path)


@pytest.mark.parametrize("walled", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_crowd_is_restored_after_observations_that_part_members(seed, walled, tmp_path):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 20))
    kind = {"motion": kc.Ballistic(), "bounds": ([0, 0], [6, 6])} if walled else {"max_accelerations": 1.0}
    if not walled:
        kind["max_speeds"] = 2.5
    crowd = kc.Crowd(
        rng.uniform(1, 5, (n, 2)), rng.uniform(-1.5, 1.5, (n, 2)), radii=0.3, response="report", **kind
    )
    crowd.advance(2.5)
    crowd.observe(
        range(n // 2 + 1), 2.5, rng.uniform(1, 5, (n // 2 + 1, 2)), rng.uniform(-1, 1, (n // 2 + 1, 2))
    )
    crowd.save(tmp_path / "crowd.npz")
    again = kc.Crowd.restore(tmp_path / "crowd.npz")
    expected = [repr(event) for event in crowd.advance(5.0)]
    assert [repr(event) for event in again.advance(5.0)] == expected


def test_files_that_declare_too_much_are_refused(tmp_path):
    """Millions of zeros pack into some kilobytes."""
    path = tmp_path / "large.npz"
    np.savez_compressed(path, format=np.array([2]), members=np.zeros((1 << 20, 23)))
    with pytest.raises(kc.CrowdError, match=r"would unpack from .* bytes, and at most"):
        kc.Crowd.restore(path)
