"""A few seeds of the campaign: crowds of all kinds, run in ways that nothing else tests, against the oracle."""

import pytest
from tests.oracles.crowd_campaign import make_scene
from tests.oracles.crowd_ways import WAYS


@pytest.mark.parametrize("kind", ["sizes 2D", "lattice", "nested"])
@pytest.mark.parametrize("way", ["pieces", "walls", "tracks", "changes", "field"])
def test_ways(way, kind):
    wrong, _ = WAYS[way](make_scene(kind, 1), 1)
    assert wrong == []


@pytest.mark.parametrize(
    "kind", ["tiny", "huge", "away", "packed", "still", "uneven", "tangent", "bullets", "giants"]
)
def test_extremes(kind):
    wrong, _ = WAYS["own"](make_scene(kind, 2), 2)
    assert wrong == []


@pytest.mark.parametrize("kind", ["tiny", "huge", "bullets"])
def test_impacts_of_extremes(kind):
    wrong, _ = WAYS["elastic"](make_scene(kind, 2), 2)
    assert wrong == []


def test_shapes():
    wrong, contacts = WAYS["shapes"](make_scene("plain", 0), 0)
    assert wrong == []
    assert contacts > 0
