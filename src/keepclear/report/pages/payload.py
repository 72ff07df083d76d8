"""The data of a page: the report as JSON, and shapes, poses and curves as packed arrays."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.curved import AROUND
from keepclear.geometry.shapes.shape import Shape
from keepclear.report.groups import GROUPS, groups_of
from keepclear.report.json_file import plain, report_dict
from keepclear.report.pages.display import (
    MOST_TRIANGLES,
    MOST_VISUAL_TRIANGLES,
    DisplayMesh,
    build_display_mesh,
)
from keepclear.report.parts import ContactHistory, Curve, PairReport
from keepclear.report.records import histories_within
from keepclear.report.report import Report
from keepclear.report.scene import Scene, SceneBody, SceneRobot
from keepclear.report.words import (
    REASONS,
    clearance,
    contact_event,
    counted,
    event_of,
    far_text,
    is_open,
    pair_sentence,
    reached,
    shown_verdict,
    verdict_text,
)
from keepclear.results import Verdict

_WORTH_PACKING = 4096  # bytes: below, the browser's time to unpack matters more than the size
_MOST_IN_ALL = 400_000  # greatest number of triangles of all shapes of a page
_COARSE = ((1000, 12), (300, 20))  # above a number of bodies, circles have this many corners


class Packer:
    """A block of bytes that collects arrays, and the offset of each."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, array: npt.NDArray[Any], kind: str) -> dict[str, Any]:
        """Append an array as little-endian numbers, and return its position."""
        content = np.ascontiguousarray(array, dtype=np.dtype(kind).newbyteorder("<")).tobytes()
        place = {"at": self._length, "n": int(np.size(array)), "kind": kind}
        padding = -len(content) % 4
        self._parts.append(content + bytes(padding))
        self._length += len(content) + padding
        return place

    def text(self) -> tuple[str, str]:
        """Return the compression of the bytes ("deflate-raw" or "none"), and the bytes in base 64."""
        content = b"".join(self._parts)
        if len(content) >= _WORTH_PACKING:
            packer = zlib.compressobj(level=9, wbits=-15)
            return "deflate-raw", base64.b64encode(packer.compress(content) + packer.flush()).decode("ascii")
        return "none", base64.b64encode(content).decode("ascii")


def build_payload(report: Report) -> tuple[dict[str, Any], str]:
    """Return the JSON of the page, and the arrays that it refers to, encoded in base 64."""
    packer = Packer()
    reports = report.programs or (report,)
    shapes = _Shapes(entry.scene for entry in reports)
    programs = [_program(entry, packer, shapes) for entry in reports]
    payload: dict[str, Any] = {
        "overall": {"verdict": report.verdict.value, "text": verdict_text(report), "title": report.title},
        "reasons": REASONS,
        "evidence": None if report.evidence is None else plain(report.evidence),
        "programs": programs,
        "shapes": shapes.packed(packer),
    }
    payload["packing"], data = packer.text()
    return payload, data


def _program(report: Report, packer: Packer, shapes: _Shapes) -> dict[str, Any]:
    content = report_dict(replace(report, pairs=replace(report.records, curves={}), programs=()))
    effort = content.pop("effort")
    content.pop("evidence", None)
    content["statistics"], content["shown"] = effort["statistics"], shown_verdict(report)
    if report.far is not None and report.far.count:
        content["statistics"]["far pairs"] = f"{counted(report.far.count, 'pair')}: {far_text(report.far)}"
    efforts = zip(effort["proofs"], effort["evaluations"], strict=True)
    hit = [row for row, pair in enumerate(content["pairs"]) if pair["verdict"] == Verdict.COLLIDING.value]
    histories = histories_within(report.records.histories, hit)
    groups = groups_of(report.records, report.pins).tolist()
    rows = zip(report.pairs, content["pairs"], efforts, strict=True)
    for row, (pair, one, (proof, evaluations)) in enumerate(rows):
        one["curve"] = None if pair.curve is None else _curve(pair.curve, packer)
        one["sentence"], one["least"] = pair_sentence(pair), clearance(pair)
        one["event"], one["group"] = event_of(pair, report.tolerance), GROUPS[groups[row]]
        if pair.verdict is Verdict.COLLIDING:
            one |= contact_content(pair, histories.get(row), report)
        one["proof"], one["evaluations"] = proof, evaluations
    scene = None if report.scene is None else _scene(report.scene, packer, shapes)
    return {"report": content, "text": verdict_text(report, briefly=True), "scene": scene}


def contact_content(pair: PairReport, history: ContactHistory | None, report: Report) -> dict[str, Any]:
    """Return the values that a page shows for a colliding pair instead of those of its report.

    Args:
        pair: The pair.
        history: Its contacts with their durations; None if they were not searched, as in a report from JSON.
        report: The report of the pair.

    Returns:
        "contacts": each with its "event", and "least", how close the pair comes during it; "left": the time from which
        contacts were not searched; "event", "least" and "sentence" of the pair; "reach": its sort key [m]; "is_open":
        whether a pair that is too close may be in contact as well.
    """
    known = history if history is not None else _known(pair, report.tolerance)
    margin, tolerance = pair.margin, report.tolerance
    contacts = []
    for contact, reach in zip(known.contacts, known.least, strict=True):
        event = "contact" if reach is None else contact_event(margin, reach[1], tolerance)
        text = "" if reach is None or event == "contact" else _least_text(*reach, margin)
        contacts.append(plain(contact) | {"event": event, "least": text})
    reaches = [reach for reach in (*known.least, known.rest) if reach is not None]
    depths = [c.distance_upper for c in known.contacts if c.distance_upper is not None]
    upper = min([*depths, *(high for _, high in reaches)], default=0.0)
    if history is None or known.left is not None:
        upper = min(upper, _least_of_curve(pair, report))
    is_contact = any(contact["event"] == "contact" for contact in contacts) or upper <= tolerance
    found: dict[str, Any] = {"contacts": contacts, "left": known.left, "reach": upper}
    if margin <= 0.0:
        return found | {"event": "contact"}
    words = pair_sentence(pair, briefly=True)
    if is_contact or event_of(pair, tolerance) == "contact":
        return found | {"event": "contact", "least": "", "sentence": f"{words} and touches it"}
    lower = min((low for low, _ in reaches), default=0.0)
    least = _least_text(lower if known.left is None or known.rest is not None else 0.0, upper, margin)
    sentence = f"{words}, {least} at the closest" if least else words
    may_touch = history is None and is_open(pair)
    return found | {"event": "too close", "least": least, "sentence": sentence, "is_open": may_touch}


def _known(pair: PairReport, tolerance: float) -> ContactHistory:
    """Return the contacts of a pair that its report contains."""
    first = pair.margin + tolerance if pair.clearance_upper is None else pair.clearance_upper
    uppers = [first if c.distance_upper is None else c.distance_upper for c in pair.contacts]
    least = tuple((0.0, upper) if pair.margin > 0.0 else None for upper in uppers)
    return ContactHistory(contacts=pair.contacts, least=least)


def _least_text(lower: float, upper: float, margin: float) -> str:
    """Return how close a pair comes; "" if it is only known to be within its margin."""
    return "" if lower <= 0.0 and upper >= margin else reached(lower, upper)


def _least_of_curve(pair: PairReport, report: Report) -> float:
    """Return the smallest upper bound of a curve over the checked times, infinite without a curve [m]."""
    if pair.curve is None:
        return math.inf
    names = {pair.a, pair.b}
    skipped = [
        (report.t0 if one.t_from is None else one.t_from, report.t1 if one.t_to is None else one.t_to)
        for one in report.unchecked
        if {one.a, one.b} == names and one.reason != "undecided"
    ]
    instants = zip(pair.curve.times, pair.curve.upper, strict=True)
    return min((x for t, x in instants if not any(a <= t <= b for a, b in skipped)), default=math.inf)


def _curve(curve: Curve, packer: Packer) -> dict[str, Any]:
    return {
        "times": packer.add(np.array(curve.times), "f8"),
        "lower": packer.add(_single(curve.lower, -np.inf), "f4"),
        "upper": packer.add(_single(curve.upper, np.inf), "f4"),
        "lower_between": packer.add(_single(curve.lower_between, -np.inf), "f4"),
    }


def _single(values: Sequence[float], side: float) -> npt.NDArray[np.float32]:
    """Return numbers in single precision, rounded up or down as given, so that they remain bounds."""
    exact = np.array(values, dtype=np.float64)
    rounded = exact.astype(np.float32)
    wrong = rounded.astype(np.float64) > exact if side < 0 else rounded.astype(np.float64) < exact
    return np.where(wrong, np.nextafter(rounded, np.float32(side)), rounded)


class _Shapes:
    """The distinct shapes of all scenes, each tessellated once."""

    def __init__(self, scenes: Iterable[Scene | None]) -> None:
        self._number: dict[Shape, int] = {}
        self._most: list[int] = []
        self._around = AROUND
        for scene in scenes:
            n = 0 if scene is None else len(scene.bodies)
            self._around = min(self._around, next((k for most, k in _COARSE if n > most), AROUND))
            for body in scene.bodies if scene is not None else ():
                if body.shape not in self._number:
                    self._number[body.shape] = len(self._number)
                    self._most.append(MOST_VISUAL_TRIANGLES if body.is_visual else MOST_TRIANGLES)

    def number(self, shape: Shape) -> int:
        return self._number[shape]

    def packed(self, packer: Packer) -> list[dict[str, Any]]:
        limits = list(zip(self._number, self._most, strict=True))
        meshes = [build_display_mesh(shape, most, self._around) for shape, most in limits]
        total = sum(len(mesh.triangles) for mesh in meshes)
        if total > _MOST_IN_ALL:
            share = _MOST_IN_ALL / total
            meshes = [
                build_display_mesh(shape, max(int(most * share), 100), self._around) for shape, most in limits
            ]
        return [_shape(mesh, packer) for mesh in meshes]


def _shape(mesh: DisplayMesh, packer: Packer) -> dict[str, Any]:
    index_kind = "u2" if len(mesh.positions) <= 0xFFFF else "u4"
    return {
        "positions": packer.add(mesh.positions, "f4"),
        "triangles": packer.add(mesh.triangles, index_kind),
        "whole": mesh.n_triangles,
    }


def _scene(scene: Scene, packer: Packer, shapes: _Shapes) -> dict[str, Any]:
    return {
        "times": packer.add(np.asarray(scene.times), "f8"),
        "bodies": [_body(body, packer, shapes) for body in scene.bodies],
        "robots": [_robot(robot, packer) for robot in scene.robots],
        "notes": list(scene.notes),
    }


def _robot(robot: SceneRobot, packer: Packer) -> dict[str, Any]:
    limits = zip(robot.lower, robot.upper, strict=True)
    return {
        "name": robot.name,
        "joints": list(robot.joints),
        "revolute": list(robot.is_revolute),
        "limits": [[x if math.isfinite(x) else None for x in both] for both in limits],
        "q": packer.add(robot.q.T, "f4"),
        "links": list(robot.links),
        "origins": packer.add(robot.origins.transpose(1, 0, 2), "f4"),
    }


def _body(body: SceneBody, packer: Packer, shapes: _Shapes) -> dict[str, Any]:
    X_W = np.asarray(body.X_W, dtype=np.float64).reshape(-1, 4, 4)
    if (X_W[:1] == X_W).all():
        X_W = X_W[:1]
    poses = np.concatenate([X_W[:, :3, 3], _quaternions(X_W[:, :3, :3])], axis=1)
    content = {
        "name": body.name,
        "shape": shapes.number(body.shape),
        "n": len(poses),
        "poses": packer.add(poses.T, "f4"),
    }
    if body.colour is not None:
        content["colour"] = list(body.colour)
    return content | {"visual": True} if body.is_visual else content


def _quaternions(R: FloatArray) -> FloatArray:
    """Return rotations (n, 3, 3) as quaternions (n, 4), x y z w, each with the sign that is closer to the one before.

    The four rows of a symmetric matrix are each a multiple of the quaternion; the longest row is the most accurate.
    """
    m = np.empty((len(R), 4, 4))
    x, y, z = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    for i, (a, b) in enumerate(((1, 2), (2, 0), (0, 1))):
        m[:, i, 3] = m[:, 3, i] = R[:, b, a] - R[:, a, b]
        m[:, a, b] = m[:, b, a] = R[:, a, b] + R[:, b, a]
    m[:, 0, 0], m[:, 1, 1], m[:, 2, 2] = 1 + x - y - z, 1 - x + y - z, 1 - x - y + z
    m[:, 3, 3] = 1 + x + y + z
    longest = np.argmax(np.einsum("nij,nij->ni", m, m), axis=1)
    q: FloatArray = m[np.arange(len(R)), longest]
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    flips = np.sign(np.einsum("ni,ni->n", q[1:], q[:-1]))
    q[1:] *= np.cumprod(np.where(flips < 0, -1.0, 1.0))[:, None]
    return q
