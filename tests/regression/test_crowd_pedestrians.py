"""Thirty recorded walkers as discs of three sizes: counts at the frames, and the times between them."""

import numpy as np
import pytest
from tests.oracles.crowd_comparison import overlap_faults, told_stretches
from tests.oracles.crowd_library import plain
from tests.oracles.crowd_paths import recorded
from tests.oracles.crowd_truth import overlaps

import keepclear as kc

TOLERANCE = 1e-12  # [m]
RATE = 25.0  # frames per second
# Of the folder's description: radius, overlapping (frame, pair)s and pairs; the last, overlaps, is the oracle's.
COUNTS = [(0.32, 17, 15, 15), (0.35, 50, 24, 24), (0.40, 242, 35, 38)]


@pytest.fixture
def walkers(shared_data) -> tuple[np.ndarray, np.ndarray]:
    """Times (m,) and positions (m, 30, 2), nan where a walker is not there."""
    rows = np.loadtxt(shared_data / "crowd" / "jupedsim_30_agents.csv", delimiter=",", skiprows=1)
    frames, ids = rows[:, 0].astype(int), rows[:, 1].astype(int) - 1
    positions = np.full((frames.max() + 1, ids.max() + 1, 2), np.nan)
    positions[frames, ids] = rows[:, 2:]
    return np.arange(len(positions)) / RATE, positions


@pytest.mark.parametrize(("radius", "n_frames", "n_pairs", "n_overlaps"), COUNTS)
def test_walkers_as_discs(walkers, radius, n_frames, n_pairs, n_overlaps):
    times, positions = walkers
    radii = np.full(positions.shape[1], radius)
    crowd = kc.Crowd(
        None,
        None,
        radii,
        motion=kc.RecordedTracks(times, positions),
        response="report",
        tolerance=TOLERANCE,
    )
    events = plain(crowd.advance(times[-1]))
    paths = recorded(times, positions)
    truth = overlaps(paths, radii)
    assert overlap_faults(events, truth, paths, radii, TOLERANCE) == []
    stretches, _ = told_stretches(events)
    seen = [
        (frame, pair)
        for pair, several in stretches.items()
        for one in several
        for frame in np.nonzero((times >= one.begin) & (times <= one.end))[0]
    ]
    assert (len(seen), len({pair for _, pair in seen})) == (n_frames, n_pairs)
    assert sum(map(len, stretches.values())) == len(truth) == n_overlaps


@pytest.mark.parametrize("radius", [0.32, 0.40])
def test_counts_while_walking(walkers, radius):
    """The pairs that are in contact after each frame are those that are near enough in it."""
    times, positions = walkers
    crowd = kc.Crowd(
        None,
        None,
        np.full(positions.shape[1], radius),
        motion=kc.RecordedTracks(times, positions),
        response="report",
        tolerance=TOLERANCE,
    )
    inside: set[tuple[int, int]] = set()
    for k, x in enumerate(positions[:-1]):
        for _, i, j, kind in plain(crowd.advance(times[k])):
            (inside.add if kind == "begin" else inside.remove)((i, j))
        d = np.linalg.norm(x[:, None] - x, axis=2)
        d[:, np.isnan(positions[k + 1, :, 0])] = np.inf  # overlaps end with the last sample of a walker
        near = np.maximum(d, d.T) <= 2.0 * radius
        assert inside == {(i, j) for i, j in zip(*np.nonzero(near), strict=True) if i < j}
