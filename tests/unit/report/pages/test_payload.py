"""What a page holds: arrays that can be found again, each shape once, poses as quaternions."""

from __future__ import annotations

import base64
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.unit.report.example_reports import CONTACT, far_report, full_report, programs_report, small_scene

import keepclear as kc
from keepclear.report.pages.payload import _quaternions, build_payload
from keepclear.report.report import Report
from keepclear.report.scene import Scene, SceneBody


class Arrays:
    """Finds arrays again in what a page holds."""

    def __init__(self, report: Report) -> None:
        self.payload, data = build_payload(report)
        content = base64.b64decode(data)
        packed = self.payload["packing"] == "deflate-raw"
        self.content = zlib.decompress(content, wbits=-15) if packed else content

    def __getitem__(self, place: dict[str, Any]) -> npt.NDArray[Any]:
        return np.frombuffer(self.content, "<" + place["kind"], place["n"], place["at"])


def test_arrays_come_back() -> None:
    scene = small_scene()
    arrays = Arrays(full_report(scene=scene))
    assert arrays.payload["packing"] == "deflate-raw"
    (program,) = arrays.payload["programs"]
    assert arrays[program["scene"]["times"]].tolist() == scene.times.tolist()
    for body, shown in zip(scene.bodies, program["scene"]["bodies"], strict=True):
        poses = arrays[shown["poses"]].reshape(7, -1).T
        assert len(poses) == shown["n"] == len(body.X_W)
        assert np.allclose(poses[:, :3], body.X_W[:, :3, 3], atol=1e-6)
        shape = arrays.payload["shapes"][shown["shape"]]
        assert arrays[shape["triangles"]].max() == len(arrays[shape["positions"]]) // 3 - 1
    curve = program["report"]["pairs"][0]["curve"]
    assert CONTACT.curve is not None
    assert arrays[curve["times"]].tolist() == list(CONTACT.curve.times)
    for name, sign in (("lower", -1), ("upper", 1), ("lower_between", -1)):
        shown, exact = arrays[curve[name]].astype(np.float64), np.array(getattr(CONTACT.curve, name))
        assert np.allclose(shown, exact, rtol=2e-7, atol=0.0)
        assert (sign * (shown - exact) >= 0.0).all(), "a bound claims no more than it did"


def test_each_shape_is_held_once_for_all_programs() -> None:
    scene = small_scene()
    again = Scene(scene.times, (*scene.bodies, SceneBody("copy", kc.Sphere(0.06), np.eye(4)[None])))
    good, bad = programs_report().programs
    report = replace(programs_report(), programs=(replace(good, scene=scene), replace(bad, scene=again)))
    payload, _ = build_payload(report)
    assert len(payload["shapes"]) == 6
    assert [len(entry["scene"]["bodies"]) for entry in payload["programs"]] == [6, 7]


def test_a_body_that_never_moves_has_one_pose() -> None:
    still = Scene(np.arange(5.0), (SceneBody("box", kc.Box([1, 1, 1]), np.tile(np.eye(4), (5, 1, 1))),))
    arrays = Arrays(full_report(scene=still))
    (body,) = arrays.payload["programs"][0]["scene"]["bodies"]
    assert arrays[body["poses"]].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert arrays.payload["packing"] == "none"


def test_a_report_without_a_scene_has_none() -> None:
    payload, _ = build_payload(full_report())
    assert payload["programs"][0]["scene"] is None
    assert payload["shapes"] == []


@pytest.mark.parametrize("seed", range(3))
def test_quaternions_turn_as_the_matrices_do(seed: int) -> None:
    q = np.random.default_rng(seed).normal(size=(50, 4))
    q[:4] = np.eye(4)  # half turns about the axes, and none
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    x, y, z, w = q.T
    R = np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], axis=1),
            np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], axis=1),
            np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], axis=1),
        ],
        axis=1,
    )
    found = _quaternions(R)
    assert np.allclose(np.abs(np.einsum("ij,ij->i", found, q)), 1.0, atol=1e-12)
    assert (np.einsum("ij,ij->i", found[1:], found[:-1]) >= -1e-12).all()


def test_the_page_gets_what_it_took_with_each_pair_and_the_far_pairs() -> None:
    payload, _ = build_payload(far_report(statistics={"pairs": 2}))
    shown = payload["programs"][0]["report"]
    assert [(pair["proof"], pair["evaluations"]) for pair in shown["pairs"]] == [
        ("exact shapes", 77),
        ("swept balls", 1),
    ]
    assert shown["statistics"] == {
        "pairs": 2,
        "far pairs": "12 pairs: swept boxes prove that each stays more than 0.1 m apart",
    }
    assert payload["overall"]["text"].startswith("14 pairs proved clear from 0 to 8 s, 2 come near")
    read_by_the_page = {
        "warnings",
        "assumptions",
        "unchecked",
        "statistics",
        "format",
        "t0",
        "t1",
        "tolerance",
    }
    assert read_by_the_page | {"title", "program", "verdict", "interrupted"} <= set(shown)
