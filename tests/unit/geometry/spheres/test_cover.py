"""Covers by spheres: what they hold, and what they refuse."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import keepclear as kc


def test_a_cover_of_which_nothing_is_known_claims_nothing() -> None:
    cover = kc.SphereCover([[0, 0, 0]], [1.0])
    assert (cover.cover, cover.excess, cover.solid, len(cover)) == (math.inf, math.inf, False, 1)


def test_a_cover_keeps_its_own_arrays() -> None:
    centers, radii = np.zeros((2, 3)), np.ones(2)
    cover = kc.SphereCover(centers, radii, 0.0, 0.01, True)
    centers[0, 0] = radii[0] = 7.0
    assert cover.centers[0, 0] == 0.0
    assert cover.radii[0] == 1.0
    assert not cover.centers.flags.writeable
    assert not cover.radii.flags.writeable
    again = pickle.loads(pickle.dumps(cover))
    assert (again.cover, again.excess, again.solid) == (0.0, 0.01, True)
    assert repr(again) == "SphereCover(2 spheres, solid covered, excess 0.01 m)"


@pytest.mark.parametrize(
    ("centers", "radii", "more", "part"),
    [
        ([], [], {}, "centers"),
        ([[0, 0]], [1.0], {}, "centers"),
        ([[0, 0, math.nan]], [1.0], {}, "centers"),
        ([[0, 0, 0]], [0.0], {}, "radii"),
        ([[0, 0, 0]], [math.inf], {}, "radii"),
        ([[0, 0, 0]], [1.0, 2.0], {}, "radii"),
        ([[0, 0, 0]], "no", {}, "radii"),
        ([[0, 0, 0]], [1.0], {"cover": -1.0}, "cover"),
        ([[0, 0, 0]], [1.0], {"excess": math.nan}, "excess"),
        ([[0, 0, 0]], [1.0], {"solid": "yes"}, "solid"),
    ],
)
def test_bad_covers_are_refused(centers: object, radii: object, more: dict[str, object], part: str) -> None:
    with pytest.raises(kc.KeepclearError, match=part):
        kc.SphereCover(centers, radii, **more)  # type: ignore[arg-type]
