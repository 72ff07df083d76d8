"""Sphere models: a cover for each link by its name."""

from __future__ import annotations

import math
import pickle

import pytest

import keepclear as kc


def test_a_model_is_as_good_as_its_worst_link() -> None:
    good = kc.SphereCover([[0, 0, 0]], [1.0], 0.0, 0.01)
    model = kc.SphereModel("arm", {"upper": good, "hand": kc.SphereCover([[0, 0, 0], [1, 0, 0]], [1.0, 1.0])})
    assert (model.n_spheres, model.cover, model.excess) == (3, math.inf, math.inf)
    assert model["upper"] is good
    assert pickle.loads(pickle.dumps(model)).n_spheres == 3


def test_a_model_names_what_is_wrong() -> None:
    with pytest.raises(kc.ArgumentError, match=r"'hand' must have a kc\.SphereCover"):
        kc.SphereModel("arm", {"hand": 3})  # type: ignore[dict-item]
    with pytest.raises(kc.UnknownNameError, match="no link 'foot'"):
        kc.SphereModel("arm", {})["foot"]
