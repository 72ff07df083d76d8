"""Durations, depths and least distances of contacts for a page: answers known by hand, and a bounded cost."""

from __future__ import annotations

import pickle
from typing import Any, Literal

import numpy as np
import pytest

import keepclear as kc
from keepclear.report.pages.payload import build_payload
from keepclear.report.parts import Contact, ContactHistory
from keepclear.report.records import histories_within
from keepclear.report.report import Report
from keepclear.world.verify import contacts as found_contacts


def at(x: float = 0.0, z: float = 0.0) -> np.ndarray[Any, Any]:
    X_W = np.eye(4)
    X_W[[0, 2], 3] = x, z
    return X_W


def stroke(heights: dict[float, float], margin: float = 0.0) -> kc.World:
    """Return a ball of 50 mm above a plate whose surface is at 0; heights are gaps by time [m], linear between."""
    world = kc.World()
    world.add("plate", kc.Box([1.0, 1.0, 0.1]), at(z=-0.05))
    poses = [at(z=0.05 + gap) for gap in heights.values()]
    world.add("ball", kc.Sphere(0.05), kc.PoseTrajectory(list(heights), poses, "linear"))
    if margin > 0.0:
        world.set_margin("ball", "plate", margin)
    return world


def shown_pair(report: Report) -> dict[str, Any]:
    """Return what the page says about the first pair."""
    pair: dict[str, Any] = build_payload(report)[0]["programs"][0]["report"]["pairs"][0]
    return pair


PRESS = {0.0: 0.1, 2.0: -0.1, 4.0: 0.1}  # touches from 1 to 3 s


@pytest.mark.parametrize("scene", [False, True])
def test_a_page_has_durations_and_the_json_has_not(scene: bool) -> None:
    report = stroke(PRESS).verify(tolerance=1e-5, scene=scene)
    before = report.to_json()
    (contact,) = shown_pair(report)["contacts"]
    assert (contact["event"], contact["time"]) == ("contact", pytest.approx(1.0, abs=1e-3))
    assert contact["t_end"] == pytest.approx(3.0, abs=1e-3)
    assert -0.1 - 1e-5 <= contact["distance_upper"] <= -0.09
    assert report.to_json() == before == stroke(PRESS).verify(tolerance=1e-5).to_json()
    assert report.pairs[0].contacts[0].t_end is None


def test_later_contacts_are_instants_of_the_scene() -> None:
    report = stroke({0.0: 0.1, 1.0: -0.05, 2.0: 0.1, 3.0: -0.05, 4.0: 0.1}).verify(tolerance=1e-5, scene=True)
    first, second = shown_pair(report)["contacts"]
    assert report.scene is not None
    assert {first["time"], second["time"]} <= set(report.scene.times.tolist())
    assert second["time"] == pytest.approx(2.6667, abs=1e-3)


def test_a_pair_with_a_margin_that_touches_is_in_contact() -> None:
    report = stroke(PRESS, margin=0.02).verify(tolerance=1e-5)
    assert report.pairs[0].clearance_upper == pytest.approx(
        0.02, abs=1e-4
    )  # at the first instant within the margin
    pair = shown_pair(report)
    assert (pair["event"], pair["contacts"][0]["event"]) == ("contact", "contact")
    assert pair["sentence"].endswith("and touches it")


def test_a_pair_that_only_violates_its_margin_is_too_close() -> None:
    pair = shown_pair(stroke({0.0: 0.1, 2.0: 0.0123, 4.0: 0.1}, margin=0.02).verify(tolerance=1e-3))
    assert (pair["event"], pair["least"]) == ("too close", "12.3 mm")
    assert pair["contacts"][0]["least"] == "12.3 mm"
    assert pair["sentence"].endswith(", 12.3 mm at the closest")


def test_a_touch_between_all_samples_is_found() -> None:
    """A pair stays 5 mm apart for 9 s, within its margin, and touches during less than a millisecond."""
    heights = {
        0.0: 0.1,
        0.5: 0.005,
        6.0: 0.03,
        6.1003: 0.03,
        6.101: -0.0001,
        6.1017: 0.03,
        9.0: 0.03,
        10.0: 0.1,
    }
    pair = shown_pair(stroke(heights, margin=0.05).verify(tolerance=1e-5))
    assert pair["contacts"][0]["distance_upper"] > 1e-3  # of samples
    assert pair["event"] == "contact"


def test_contacts_may_differ_in_their_events() -> None:
    heights = {0.0: 0.1, 1.0: 0.01, 2.0: 0.1, 3.0: -0.01, 4.0: 0.1}
    pair = shown_pair(stroke(heights, margin=0.02).verify(tolerance=1e-5))
    assert [contact["event"] for contact in pair["contacts"]] == ["too close", "contact"]
    assert pair["event"] == "contact"


def test_an_instant_has_depth_and_no_duration() -> None:
    world = kc.World()
    world.add("plate", kc.Box([1.0, 1.0, 0.1]), at(z=-0.05))
    world.add("ball", kc.Sphere(0.05), at(z=0.04))
    (contact,) = shown_pair(world.verify(tolerance=1e-5, scene=True))["contacts"]
    assert contact["t_end"] is None
    assert contact["distance_upper"] == pytest.approx(-0.01, abs=1e-6)


def test_the_cost_of_a_pair_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    heights = {0.5 * k: 0.01 if k % 2 == 0 else -0.01 for k in range(101)}
    report = stroke(heights).verify(tolerance=1e-5)
    pair = shown_pair(report)
    assert len(pair["contacts"]) == found_contacts.MOST_CONTACTS
    assert pair["contacts"][-1]["t_end"] <= pair["left"] < 50.0
    monkeypatch.setattr(found_contacts, "MOST_QUERIES", 200)
    assert len(shown_pair(stroke(heights).verify(tolerance=1e-5))["contacts"]) < 5
    monkeypatch.setattr(found_contacts, "MOST_PART_PAIRS", 0)
    (contact,) = shown_pair(stroke(heights).verify(tolerance=1e-5))["contacts"]
    assert (contact["t_last"], contact["t_end"]) == (None, None)


LATE = {
    0.5 * k: 0.1 if k % 2 == 0 else (0.01 if k != 95 else -0.01) for k in range(101)
}  # the 48th of 50 touches


@pytest.mark.parametrize("contacts", ["first", "all", "earliest"])
@pytest.mark.parametrize("curves", [0, 20])
def test_a_pair_that_touches_after_the_contacts_shown_is_a_contact(
    contacts: Literal["first", "all", "earliest"], curves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = stroke(LATE, margin=0.02).verify(tolerance=1e-5, contacts=contacts, curves=curves)
    pair = shown_pair(report)
    assert (pair["event"], pair["least"]) == ("contact", "")
    if contacts != "all":
        assert {contact["event"] for contact in pair["contacts"]} == {"too close"}
        assert pair["left"] is not None
    needle = dict(
        sorted({**LATE, 47.499: 0.01, 47.501: 0.01}.items())
    )  # too short for samples of its contact
    monkeypatch.setattr(found_contacts, "MOST_CONTACTS", 3)
    pair = shown_pair(stroke(needle, margin=0.02).verify(tolerance=1e-5, contacts=contacts, curves=curves))
    assert pair["event"] == "contact"


def test_a_pair_that_comes_closer_after_the_contacts_shown_has_that_least_distance() -> None:
    heights = LATE | {47.5: 0.004}
    pair = shown_pair(stroke(heights, margin=0.02).verify(tolerance=1e-5))
    assert (pair["event"], pair["least"]) == ("too close", "4 mm")
    assert pair["left"] is not None
    assert {contact["least"] for contact in pair["contacts"]} == {"10 mm"}


def test_contact_while_a_pair_may_touch_does_not_count_after_the_contacts_shown() -> None:
    world = stroke(LATE, margin=0.02)
    world.allow("ball", "plate", t_from=47.2, t_to=47.8)
    pair = shown_pair(world.verify(tolerance=1e-5, curves=20))
    assert (pair["event"], pair["least"]) == ("too close", "10 mm")


def test_all_contacts_that_a_budget_ends_are_not_all() -> None:
    world = kc.World()
    vertices = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (0.2, 0.4)])
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    fork = np.concatenate([vertices, vertices - [0.0, 0.0, 0.6]])
    two = kc.Mesh(fork, [*faces, *([k + 8 for k in face] for face in faces)])
    rng = np.random.default_rng(1)
    poses = [at(rng.uniform(-0.02, 0.02) if k % 2 else 1.0) for k in range(21)]
    world.add("fork", two, kc.PoseTrajectory(range(21), poses, "linear"))
    world.add("ball", kc.Sphere(0.1), at(z=0.15))
    ended = []
    for budget in range(8, 20):
        report = world.verify(tolerance=1e-6, contacts="all", budget=budget)
        left = [one.t_from for one in report.unchecked if one.reason == "undecided"]
        if left:
            ended.append(budget)
            assert shown_pair(report)["left"] == left[0]
    assert ended
    assert shown_pair(world.verify(tolerance=1e-6, contacts="all"))["left"] is None


def test_the_earliest_contact_alone_is_searched() -> None:
    heights = {0.0: 0.1, 1.0: -0.05, 2.0: 0.1, 3.0: -0.05, 4.0: 0.1}
    pair = shown_pair(stroke(heights).verify(tolerance=1e-5, contacts="earliest", clearances=False))
    assert len(pair["contacts"]) == 1
    assert pair["left"] is not None


def test_all_contacts_that_were_asked_for_are_those_of_the_page() -> None:
    report = stroke(PRESS).verify(tolerance=1e-5, contacts="all")
    assert [contact["t_end"] for contact in shown_pair(report)["contacts"]] == [
        report.pairs[0].contacts[0].t_end
    ]


def test_pages_stop_after_a_number_of_queries() -> None:
    contact = Contact(time=0.0, t_lo=0.0, t_hi=0.0)
    made = {k: ContactHistory(contacts=(contact,), least=(None,), queries=40) for k in range(5)}
    assert list(histories_within(made, [3, 7, 1, 0], most_queries=80)) == [3, 1]


def test_a_pickled_report_keeps_what_was_made() -> None:
    """Of a report with a scene the page stays the same; another one is not searched in order to be pickled."""
    report = stroke(PRESS).verify(tolerance=1e-5, scene=True)
    again = pickle.loads(pickle.dumps(report))
    assert shown_pair(again)["contacts"] == shown_pair(report)["contacts"]
    plain = pickle.loads(pickle.dumps(stroke(PRESS).verify(tolerance=1e-5)))
    assert dict(plain.records.histories) == {}
    assert shown_pair(plain)["contacts"][0]["t_end"] is None
    assert plain == stroke(PRESS).verify(tolerance=1e-5) == report


def test_a_report_from_json_shows_what_its_file_knows() -> None:
    """Without histories the curve says whether a pair with a margin touches, and nothing is claimed without one."""

    def stored(curves: int, gap: float, **allowed: float) -> dict[str, Any]:
        world = stroke({0.0: 0.1, 2.0: gap, 4.0: 0.1}, margin=0.02)
        if allowed:
            world.allow("ball", "plate", **allowed)
        return shown_pair(Report.from_json(world.verify(tolerance=1e-4, curves=curves).to_json()))

    assert (stored(100, -0.01)["event"], stored(0, -0.01)["event"]) == ("contact", "too close")
    assert stored(0, -0.01)["least"] == ""  # within the margin is all that is known
    assert stored(100, 0.01)["event"] == "too close"
    assert (
        stored(100, -0.01, t_from=1.75, t_to=2.25)["event"] == "too close"
    )  # it touches while that is allowed
