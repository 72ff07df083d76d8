"""Meshes in motion whose poses, boxes and paths are wrong by as much as is allowed for; see `test_promise_convex`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.unit.kernels.advance.hull_searches import reached
from tests.unit.kernels.advance.swept_runs import Run, sheet, shift, triangle, turn, way
from tests.unit.kernels.advance.test_promise_convex import Swelling

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.advance import (
    boxes,
    convex,
    distance_polynomials,
    mesh_convex,
    minimum,
    surface_bounds,
    triangles,
)
from keepclear.kernels.convex.support import DEFECT
from keepclear.kernels.motion import state as layout
from keepclear.kernels.tables.motion import motion_row
from keepclear.kernels.tables.pair import new_pairs
from keepclear.kernels.trees import obb_tree
from keepclear.motion.packing import pack_cubic
from keepclear.query.moving.moving_pair import BodyTable

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
ALLOWED, PART = 1e-3, 0.999
SHEET = sheet(2, 4.0)
BALL = kc.Sphere(0.25)
BODIES: dict[str, tuple[Any, float]] = {  # and how far they reach down
    "ball": (BALL, 0.25),
    "box": (kc.Box([0.5, 0.5, 0.5]), 0.25),
    "mesh": (sheet(1, 0.5), 0.0),
}


class Faults:
    """Moves B in A's frame, wherever it is computed, along z by this much: `up`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.up = 0.0
        for module in (convex, mesh_convex):
            patch.setattr(module, "ROUNDING", ALLOWED)
        patch.setattr(minimum, "ALLOWANCE", ALLOWED)
        patch.setattr(surface_bounds, "ALLOWANCE", ALLOWED)
        for name in ("ROUNDING_MESH", "POSE_ROUNDING"):
            patch.setattr(triangles, name, 0.25 * ALLOWED)  # twice their sum is allowed
        wrong = self._wrong(layout.relative_at)
        modules = (
            convex,
            minimum,
            layout,
            triangles,
            boxes,
            mesh_convex,
            surface_bounds,
        )
        for module in modules:
            patch.setattr(module, "relative_at", wrong)

    def _wrong(self, right: Callable[..., None]) -> Callable[..., None]:
        def relative_at(QA: Any, ka: int, QB: Any, kb: int, t: float, work: Any, W: Any, at: int) -> None:
            right(QA, ka, QB, kb, t, work, W, at)
            W[at + 11] += self.up

        return relative_at


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    return Faults(monkeypatch)


def allowance(run: Run) -> float:
    return ALLOWED * float(run.rows["scale"][0])


def claim(run: Run) -> float:
    """What is known of the least distance of meshes, 0 without a proof."""
    return (
        run.distance - float(run.rows["tolerance"][0])
        if run.proved and run.now >= run.rows["end"][0]
        else 0.0
    )


def falling(reach: float, high: float, low: float) -> Any:
    return way(*(shift(0.3, 0.2, reach + z) for z in (high, high, low)))


@pytest.mark.parametrize("wider", [0.0, 1.0])
@pytest.mark.parametrize("margin", [0.0, 0.125])
@pytest.mark.parametrize("body", list(BODIES))
def test_no_contact_comes_before_the_first(faults: Faults, body: str, margin: float, wider: float) -> None:
    b, reach = BODIES[body]
    for low in (-0.5, -0.1, -0.03):
        run = Run(SHEET, np.eye(4), b, falling(reach, 0.5, low), end=2.0, margin=margin, wider=wider)
        faults.up = PART * allowance(run)
        run.finish()
        assert run.now <= 1.0 + (0.5 - margin) / (0.5 - low)
        assert run.certain >= run.time


@pytest.mark.parametrize("wider", [0.0, 1.0])
@pytest.mark.parametrize("body", list(BODIES))
def test_no_graze_is_missed(faults: Faults, body: str, wider: float) -> None:
    b, reach = BODIES[body]
    for gap in (0.124999, 0.1):
        path = way(*(shift(x, 0.2, reach + gap) for x in (-1.0, 0.0, 1.0)))
        run = Run(SHEET, np.eye(4), b, path, end=2.0, margin=0.125, wider=wider)
        faults.up = PART * allowance(run)
        assert run.finish().now < 2.0


@pytest.mark.parametrize("wider", [0.0, 1.0])
@pytest.mark.parametrize("body", list(BODIES))
def test_least_distances_are_not_too_large(faults: Faults, body: str, wider: float) -> None:
    b, reach = BODIES[body]
    for low in (0.3, 0.1):
        for part in (math.inf, 0.5):
            run = Run(SHEET, np.eye(4), b, falling(reach, 0.5, low), end=2.0, least=True, wider=wider)
            faults.up = PART * allowance(run)
            run.rows["distance"] = low + part * allowance(run)
            run.finish()
            assert claim(run) <= low


@pytest.mark.parametrize("margin", [0.0, 0.125])
@pytest.mark.parametrize("body", list(BODIES))
def test_distances_are_not_too_small(faults: Faults, body: str, margin: float) -> None:
    b, reach = BODIES[body]
    for low in (-0.5, 0.11, 0.02):
        path = falling(reach, 0.5, low)
        for least in (False, True):
            run = Run(SHEET, np.eye(4), b, path, end=2.0, margin=margin, tolerance=0.02, least=least)
            faults.up = -PART * allowance(run)
            run.finish()
            if run.time < math.inf:
                assert run.distance >= max(0.0, 0.5 - max(0.0, run.time - 1.0) * (0.5 - low))
            if run.certain < math.inf:
                assert 0.5 - max(0.0, run.certain - 1.0) * (0.5 - low) <= margin


def test_crossing_triangles_are_not_certain_within_rounding(faults: Faults) -> None:
    # The computed ones cross, the true ones are half of the allowance apart.
    a = triangle([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0])
    b = triangle([0.0, 0.0, 0.0], [0.0, 0.1, 1.0], [0.1, 0.0, 1.0])
    for up in (0.5, 0.9):
        run = Run(a, np.eye(4), b, np.eye(4))
        unit = allowance(run)
        path = way(shift(0.0, 0.0, up * unit), shift(0.0, 0.0, 1.0))
        run = Run(a, np.eye(4), b, path, tolerance=1e-6)
        faults.up = -PART * unit
        assert run.finish().certain == math.inf


@pytest.mark.parametrize(("margin", "apart"), [(0.0, 0.5), (0.5, 0.9), (100.0, 100.5)])
def test_no_contact_is_certain_where_there_is_none(faults: Faults, margin: float, apart: float) -> None:
    a = triangle([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0])
    b = triangle([0.0, 0.0, 0.0], [0.0, 0.1, 1.0], [0.1, 0.0, 1.0])
    unit = allowance(Run(a, np.eye(4), b, np.eye(4)))
    motion = kc.Fixed(shift(0.0, 0.0, apart * unit))
    pair = Run(a, np.eye(4), b, motion, margin=margin * unit).rows[0]
    faults.up = -PART * unit
    corners = map(tuple, a.vertices.tolist())
    surface = kc.build_obb_tree(b).arrays
    packs = kc.Fixed(np.eye(4))._packed, 0, motion._packed, 0
    triangles._find_certain(
        *corners, surface[0], surface[1], 0, *packs, 0.0, 0.0, unit, 0.0, pair,
        np.zeros(100), np.zeros(20), np.zeros(18),
    )  # fmt: skip
    assert pair.certain == math.inf


def longer_axes(run: Run, factor: float) -> None:
    """Make the axes of all boxes longer; what they contain stays inside."""
    for array in run._arguments:
        if isinstance(array, np.ndarray) and array.dtype == np.float32:
            nodes = array.reshape(-1, obb_tree.NODE)
            nodes[:, 3:12] *= np.float32(factor)
            nodes[:, obb_tree.HALF : obb_tree.HALF + 3] *= np.float32(factor)


@pytest.mark.parametrize("body", ["ball", "mesh"])
def test_axes_of_boxes_may_be_longer_than_one(body: str) -> None:
    b, reach = BODIES[body]
    for gap, expected in ((1000.0 - 1e-4, True), (1000.0 - 3e-4, True), (1001.0, False)):
        path = way(*(shift(x, 0.2, reach + gap) for x in (-1.0, 0.0, 1.0)))
        run = Run(SHEET, np.eye(4), b, path, end=2.0, margin=1000.0, tolerance=1e-6)
        longer_axes(run, 1.0 + 8e-7)
        assert (run.finish().now < 2.0) == expected


class Arc:
    """A body on the rim of a wheel above the sheet, nearest to it in the middle of its way.

    Args:
        spins: Whether the sheet turns about the vertical axis, so that no fourth derivative is known.
    """

    def __init__(self, body: str, angles: tuple[float, float], spins: float, low: float = 0.3) -> None:
        self.body, reach = BODIES[body]
        axis = shift(0.1, 0.2, 1.0 + reach + low)
        X = [axis @ turn(1, angle) @ shift(0.0, 0.0, -1.0) @ turn(1, 0.0) for angle in angles]
        self.path = way(*X, kind="screw")
        self.sheet: Any = way(*(turn(2, spins * k) for k in range(2)), kind="screw") if spins else np.eye(4)

    def gap(self, t: float) -> float:
        """The least height of its points, less its radius."""
        points = self.body.vertices if isinstance(self.body, kc.Mesh | kc.Box) else np.zeros((1, 3))
        if isinstance(self.body, kc.Box):
            points = np.indices((2, 2, 2)).reshape(3, 8).T * 0.5 - 0.25
        X = self.path.pose(t)
        return float((points @ X[2, :3]).min() + X[2, 3]) - (0.25 if self.body is BALL else 0.0)

    def true(self) -> float:
        return min(self.gap(t) for t in np.linspace(0.0, 1.0, 1001))


@pytest.mark.parametrize("spins", [0.0, 0.5, 2.5])
@pytest.mark.parametrize("body", ["ball", "mesh"])
def test_least_distances_along_an_arc(body: str, spins: float) -> None:
    for angles in ((-1.2, 1.3), (-1.4, 0.7), (-0.5, 1.2), (0.0, 1.2), (-1.2, 0.0)):
        arc = Arc(body, angles, spins)
        true = arc.true()
        for limit in (math.inf, 1e-3, 0.01, 0.03, 0.1):
            run = Run(SHEET, arc.sheet, arc.body, arc.path, least=True)
            run.rows["distance"] = true + limit
            run.finish()
            assert claim(run) <= true
            assert run.distance >= true - 1e-5


def test_least_distances_inside_of_a_mesh() -> None:
    # The ball begins, ends or turns near the lower of two sheets, boxes of which are below the origin of the tree.
    corners = np.concatenate([SHEET.vertices + np.array([0, 0, z]) for z in (-3.0, 3.0)])
    mesh = kc.Mesh(corners, np.concatenate([SHEET.triangles, SHEET.triangles + len(SHEET.vertices)]))
    ways = {
        "begins": way(shift(0.3, 0.2, -2.5), shift(0.3, 0.2, 0.0)),
        "ends": way(shift(0.3, 0.2, 0.0), shift(0.3, 0.2, -2.5)),
        "early": way(
            *(shift(0.1, 0.2, -1.5) @ turn(1, a) @ shift(0, 0, -1.0) for a in (-0.5, 2.0)), kind="screw"
        ),
        "late": way(
            *(shift(0.1, 0.2, -1.5) @ turn(1, a) @ shift(0, 0, -1.0) for a in (-2.0, 0.5)), kind="screw"
        ),
    }
    for path in ways.values():
        for limit in (math.inf, 0.01, 0.1):
            run = Run(mesh, np.eye(4), BALL, path, least=True)
            run.rows["distance"] = 0.25 + limit
            run.finish()
            assert claim(run) <= 0.25


@pytest.mark.parametrize("margin", [0.0, 0.125])
def test_a_ball_that_swells_above_a_mesh(margin: float) -> None:
    for first, second in ((0.5, 0.0), (0.1, 0.2)):
        for least in (False, True):
            case = Swelling(first, second, 0.0)
            case = Swelling(first, second, 0.5 * case.factor(2.0) + margin - 0.01 + (0.3 if least else 0.0))
            X = kc.Fixed(np.eye(4))
            run = Run(SHEET, X, case.ball, X, end=2.0, margin=0.0 if least else margin, least=least)
            arguments = list(run._arguments)
            (at,) = [k for k, x in enumerate(arguments) if x is X._packed][1:]
            arguments[at], run.rows["scale"] = case.Q, 16.0
            run._arguments = tuple(arguments)
            at_end = 0.5 + case.gap(2.0)  # that case is above a floor half a metre higher
            if least:
                run.rows["distance"] = at_end + 0.05
                assert claim(run.finish()) <= at_end
            else:
                true = [t for t in np.linspace(0.0, 2.0, 2001) if 0.5 + case.gap(t) <= margin]
                assert run.finish().now <= true[0] if true else 2.0


def dipping(spin: float, low: float = 0.5) -> Run:
    """A ball on a parabola, nearest in the middle, above a sheet that may turn; only distances below a limit matter."""
    X = [shift(0.1, 0.2, 0.25 + low + 4.0 * (s - 0.45) ** 2) for s in (0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0)]
    Q = pack_cubic(np.arange(4) / 3.0, np.array(X))
    motion_row(Q)["smallest"] = motion_row(Q)["largest"] = 1.0
    still: Any = way(np.eye(4), turn(2, spin), kind="screw") if spin else kc.Fixed(np.eye(4))
    other = kc.Fixed(X[0])
    run = Run(SHEET, still, BALL, other, least=True)
    run._arguments = tuple(Q if x is other._packed else x for x in run._arguments)
    run.rows["scale"] = 8.0
    return run


@pytest.mark.parametrize("spin", [0.0, 0.05])
def test_least_distances_along_a_parabola(spin: float) -> None:
    for limit in (math.inf, 1e-3, 0.01, 0.1, 0.3, 0.6):
        run = dipping(spin)
        run.rows["distance"] = 0.5 + limit
        assert claim(run.finish()) <= 0.5


def test_least_distances_with_wrong_velocities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distance_polynomials, "POSE_ROUNDING", 1e-3)

    def relative_at(QA: Any, ka: int, QB: Any, kb: int, t: float, work: Any, W: Any, at: int) -> None:
        layout.relative_at(QA, ka, QB, kb, t, work, W, at)
        W[at + 12 : at + 24] *= 1.0 - 0.999e-3

    for module in (boxes, minimum):
        monkeypatch.setattr(module, "relative_at", relative_at)
    for limit in (math.inf, 1e-5, 1e-4, 3e-4, 6e-4):
        run = dipping(0.0)
        run.rows["distance"], run.rows["tolerance"] = 0.5 + limit, 1e-6
        assert claim(run.finish()) <= 0.5


@pytest.mark.parametrize("part", ["defect", "stretch", "rounding"])
def test_nothing_keeps_out_what_may_reach_in(part: str, faults: Faults) -> None:
    # The box around the mesh, then the body just above it.
    mesh = kc.Mesh(*box_mesh())
    motion = kc.Fixed(shift(0.0, 0.0, 0.5 + 0.25 + 0.05))
    run = Run(mesh, np.eye(4), BALL, motion)
    Q, (F, L) = motion._packed.copy(), packed(BALL)
    F = F.copy()
    if part == "defect":
        F[DEFECT] = 0.06
    elif part == "stretch":
        motion_row(Q)["stretch"] = 0.25
    else:
        faults.up = PART * allowance(run)
        Q = kc.Fixed(shift(0.0, 0.0, 0.5 + 0.25 + 1e-6))._packed
    tree, work = kc.build_obb_tree(mesh).arrays, np.zeros(boxes.WINDOW + 100)
    still, size = kc.Fixed(np.eye(4))._packed, float(run.rows["scale"][0])
    assert not mesh_convex.keeps_out(tree[0], tree[2], F, L, still, Q, size, 0.0, work)


def box_mesh() -> tuple[np.ndarray, np.ndarray]:
    """The vertices and triangles of a box of one metre."""
    hull = kc.Convex(np.indices((2, 2, 2)).reshape(3, 8).T - 0.5)
    return np.asarray(hull.vertices), np.array(
        [[f[0], f[i], f[i + 1]] for f in hull.faces for i in range(1, len(f) - 1)]
    )


def test_upper_bounds_of_surfaces(faults: Faults) -> None:
    mesh = kc.Mesh(*box_mesh())
    for low in (0.3, 0.02):
        path = falling(0.25, 0.5, low)
        store = BodyTable([kc.Convex(mesh.vertices), BALL, mesh], [kc.Fixed(shift(0.0, 0.0, -0.5)), path])
        rows = new_pairs(1)
        rows["shape_a"], rows["shape_b"], rows["motion_a"], rows["motion_b"] = 0, 1, 0, 1
        rows["t1"], rows["tolerance"], rows["time"] = 2.0, 1e-4, 1.5
        store.prepare(rows)
        faults.up = -PART * ALLOWED * (float(rows["scale"][0]) + 0.25)
        upper, time = reached(store, rows, [2, 1], 1.5, 0.0, 1e-4)
        assert upper >= 0.5 - max(0.0, time - 1.0) * (0.5 - low)
