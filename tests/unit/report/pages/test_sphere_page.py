"""Pages of spheres: what they hold, and words for bounds that never claim more."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.report.pages import sphere_page
from keepclear.report.pages.sphere_page import page_of_spheres
from keepclear.report.pages.sphere_words import audit_sentence, lower_length, share_text, upper_length

ARM = """<robot name="arm"><link name="base">
<collision><geometry><box size="0.4 0.2 0.2"/></geometry></collision></link>
<link name="hand"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<joint name="j" type="fixed"><parent link="base"/><child link="hand"/><origin xyz="0 0 0.3"/></joint></robot>"""


compiled = pytest.mark.skipif(
    bool(config.DISABLE_JIT), reason="shares of uncovered surfaces take minutes in Python"
)


def payload_of(text: str) -> dict[str, Any]:
    found = re.search(r'id="keepclear-report">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    content: dict[str, Any] = json.loads(found[1])
    return content


@pytest.fixture
def robot(tmp_path: Path) -> kc.Robot:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    return kc.read_robot(file)


def model_of(**radii: float) -> kc.SphereModel:
    return kc.SphereModel("arm", {name: kc.SphereCover([[0, 0, 0]], [r]) for name, r in radii.items()})


def test_a_tree_has_its_ranks() -> None:
    tree = kc.build_sphere_tree(kc.Box([0.4, 0.2, 0.2]), 0.05)
    payload = payload_of(page_of_spheres(tree))
    assert [rank["n"] for rank in payload["ranks"]] == [len(rank) for rank in tree.ranks]
    assert payload["first_rank"] == len(tree.ranks) - 1
    assert all(
        rank["top"] <= 2.0 * of.radius + 1e-6 for rank, of in zip(payload["ranks"], tree.ranks, strict=True)
    )
    assert payload["bodies"][0]["outside"] is None
    assert payload["verdict"] == ""


def test_ranks_of_too_many_spheres_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sphere_page, "MOST_SPHERES", 20)
    payload = payload_of(page_of_spheres(kc.build_sphere_tree(kc.Box([0.4, 0.2, 0.2]), 0.05)))
    assert [rank["centers"] is None for rank in payload["ranks"]] == [False, False, True]
    assert payload["first_rank"] == 1
    assert any("listed and not drawn" in note for note in payload["notes"])


@compiled
def test_an_audit_has_what_is_outside(robot: kc.Robot) -> None:
    audit = kc.audit_sphere_model(model_of(base=0.2, hand=0.2), robot)
    payload = payload_of(page_of_spheres(audit))
    assert payload["verdict"] == "COLLIDING"
    assert [row["state"] for row in payload["rows"]] == ["uncovered", "covered"]
    assert payload["rows"][1]["point"] is None
    assert np.allclose(np.abs(payload["rows"][0]["point"]), [0.2, 0.1, 0.1], atol=1e-3)
    assert audit.inflation < payload["inflation"] < audit.inflation + 1e-5
    assert all(body["outside"] is not None for body in payload["bodies"])


@compiled
def test_a_link_without_spheres_has_a_row(robot: kc.Robot) -> None:
    audit = kc.audit_sphere_model(model_of(base=0.3), robot)
    payload = payload_of(page_of_spheres(audit))
    assert payload["rows"][1]["cells"] == ["hand", "0", "no spheres", "100 %", ""]
    assert ["grow radii by", "without limit"] in payload["facts"]
    assert audit_sentence(audit) == "1 of 2 links sticks out of its spheres; 'hand' has no spheres."


@compiled
def test_a_covered_audit_has_no_column_of_what_is_uncovered(robot: kc.Robot) -> None:
    payload = payload_of(page_of_spheres(kc.audit_sphere_model(model_of(base=0.5, hand=0.5), robot)))
    assert payload["columns"] == ["Link", "Spheres", "Coverage", "Excess"]
    assert [len(row["cells"]) for row in payload["rows"]] == [4, 4]
    assert not any("slider" in note or "sticks out" in note for note in payload["notes"])


def test_openings_that_count_as_closed_are_said() -> None:
    cover = kc.SphereCover(np.zeros((1, 3)), np.ones(1), 0.0, 0.5, False, 3)
    notes = payload_of(page_of_spheres((kc.Box([1, 1, 1]), cover)))["notes"]
    assert notes[-1] == "Excess is measured with small openings of open meshes closed: body (3)."


def test_a_model_is_shown_on_its_robot(robot: kc.Robot, tmp_path: Path) -> None:
    model_of(base=0.3, hand=0.3).to_html(robot, tmp_path / "a.html", title="<b>")
    text = (tmp_path / "a.html").read_text()
    assert payload_of(text)["sentence"] == "It is not known what these spheres cover; an audit measures it."
    assert "<title>&lt;b&gt;</title>" in text
    assert "<b>" not in text.split("<script>")[0]
    with pytest.raises(kc.ArgumentError, match="a model is shown on its robot"):
        model_of(base=0.3).to_html(tmp_path / "b.html")  # type: ignore[arg-type]


def test_a_cover_of_one_shape_is_shown() -> None:
    cover = kc.SphereCover([[0, 0, 0]], [2.0], cover=0.0, excess=1.1)
    payload = payload_of(page_of_spheres((kc.Box([2, 2, 2]), cover)))
    assert payload["rows"][0]["cells"] == ["body", "1", "covered", "1.100 m"]
    assert payload["sentence"].startswith("Proved: the spheres cover the whole surface.")


def test_a_surface_is_divided_and_stays_where_it_is() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    found, triangles = sphere_page._divided(points, np.array([[0, 1, 2]]))
    corners = found[triangles]
    areas = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    assert len(triangles) > 1000
    assert areas.sum() == pytest.approx(0.5)
    assert (found.min(), found.max()) == (0.0, 1.0)


@pytest.mark.parametrize("metres", [1e-9, 1e-5, 0.0123456, 0.05, 0.0999999, 0.1, 0.7071067, 12.3456789])
def test_lengths_never_claim_more(metres: float) -> None:
    def read(text: str) -> float:
        value, unit = text.split()
        return float(value) * (1e-3 if unit == "mm" else 1.0)

    assert (
        read(lower_length(metres)) <= metres * (1 + 1e-12) <= read(upper_length(metres)) * (1 + 2e-12) + 1e-13
    )
    assert read(upper_length(metres)) - read(lower_length(metres)) <= 1.1e-3


def test_shares() -> None:
    assert share_text(0.9999, 1.0) == "99 %"
    assert share_text(0.0015, 0.0023) == "0.2 %"
