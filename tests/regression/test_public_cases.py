"""Convex pairs that broke other libraries: public reports, each with its right answer."""

import json
from pathlib import Path

import numpy as np
import pytest

import keepclear as kc

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "regressions" / "cases.json"
CONVEX_QUERIES = ("distance", "signed_distance")


def convex_cases():
    if not DATA.exists():
        return []
    cases = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
    return [case for case in cases if case["query"] in CONVEX_QUERIES]


def make_shape(told):
    kind = told["shape"]
    if kind == "points":
        return kc.Convex(told["points"])
    if kind == "box":
        return kc.Box(told["size"])
    if kind == "sphere":
        return kc.Sphere(told["radius"])
    return {"capsule": kc.Capsule, "cylinder": kc.Cylinder}[kind](told["radius"], told["length"])


def make_pose(told):
    return np.array(told.get("pose", np.eye(4)), dtype=np.float64)


@pytest.mark.skipif(not DATA.exists(), reason="the folder shared/data beside the project is absent")
def test_all_convex_cases_are_there():
    assert len(convex_cases()) == 11


@pytest.mark.parametrize("swapped", [False, True], ids=["as_given", "swapped"])
@pytest.mark.parametrize("case", convex_cases(), ids=lambda case: case["name"])
def test_public_case(case, swapped):
    first, second = case["objects"][::-1] if swapped else case["objects"]
    result = kc.distance(make_shape(first), make_pose(first), make_shape(second), make_pose(second))
    assert abs(result.distance - case["expected"]) <= case["tol"]
    assert result.lower <= case["expected"] + case["tol"]
    assert result.upper >= case["expected"] - case["tol"]
    assert result.colliding == (case["expected"] <= 0.0)
    if "collides" in case:
        assert result.colliding == case["collides"]
    if case.get("touching"):
        assert result.state == kc.State.TOUCHING
    if "nearest" in case:
        nearest = [result.p_WB, result.p_WA] if swapped else [result.p_WA, result.p_WB]
        assert np.max(np.abs(np.array(nearest) - np.array(case["nearest"]))) <= case["tol"]
