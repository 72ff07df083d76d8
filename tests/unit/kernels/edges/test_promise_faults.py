"""Robots whose computed poses and hulls are wrong by as much as is allowed for: no answer becomes wrong.

Rounding is far smaller than its allowance in nearly all cases, so no case can show that an allowance is needed. Here
the allowance is a thousandth of a size, and what it allows for is put in, in the worst direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles import far_points as exact
from tests.oracles.far_robots import floats
from tests.property.test_promise_edges import PLACES, TIPS, Case

from keepclear.kernels.edges import check

pytestmark = [
    pytest.mark.skipif(
        not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
    ),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
ALLOWED = 1e-3  # part of a size that rounding may amount to
PART = 0.999  # of it that is put in
FLOOR = 2.0  # the balls around floors are larger, those around tips smaller [m]


class Faults:
    """Moves tips of robots along a direction, as far as rounding may, and floors the other way.

    Args:
        up: Unit vector from the floor to the tip.
        away: 1 for away from the floor, -1 for towards it.
    """

    def __init__(self, patch: pytest.MonkeyPatch, up: np.ndarray, away: float) -> None:
        self.up = away * PART * ALLOWED * up
        rounding, place, patched = check._rounding, check.place_body, patch.setattr
        patched(check, "_rounding", lambda *a: (ALLOWED, *rounding(*a)[1:]))

        def place_body(
            joints: Any, nodes: Any, body: Any, h: float, stamp: int, slip: float, out: Any
        ) -> None:
            if out.stamp != stamp:
                place(joints, nodes, body, h, stamp, slip, out)
                self.move(out, (1.0 if body.radius < FLOOR else -1.0) * body.extent)

        patched(check, "place_body", place_body)
        near_box, bound_gap, check_pair = check.near_box, check.bound_gap, check.check_pair
        patched(
            check,
            "near_box",
            lambda other, out, *rest: self.moved(out, other.extent, lambda: near_box(other, out, *rest)),
        )
        patched(
            check,
            "bound_gap",
            lambda bodies, placed, a, b, is_own: self.moved(
                placed[b],
                0.0 if is_own else bodies[a].extent,
                lambda: bound_gap(bodies, placed, a, b, is_own),
            ),
        )

        def checked(tables: Any, arrays: Any, nodes: Any, placed: Any, pair: Any, *rest: Any) -> Any:
            size = 0.0 if pair.own >= 0 else tables[1][pair.a].extent
            return self.moved(
                placed[pair.b], size, lambda: check_pair(tables, arrays, nodes, placed, pair, *rest)
            )

        patched(check, "check_pair", checked)

    def move(self, out: Any, size: float) -> None:
        out.p += size * self.up
        out.center += size * self.up

    def moved(self, out: Any, size: float, work: Callable[[], Any]) -> Any:
        """Return what a function returns while a body is moved farther, for the rounding of a floor at rest."""
        before = out.p.copy(), out.center.copy()
        self.move(out, size)
        found = work()
        out.p, out.center = before
        return found


def cases(folder: Path, tip: str, floor: str, place: str) -> Iterator[Case]:
    for seed in range(3):
        yield Case(seed, folder, tip, floor, place, far=False)


def up_of(case: Case) -> np.ndarray:
    """The normal of the floor in the world where the tip grazes it."""
    own = (
        exact.exact_map(case.floor) if case.place == "world" else exact.origin(case.floor[:3, 3], case.rpy())
    )
    return floats(exact.product(case.crane.other(case.q(case.s), case.place), own))[:3, 2]


def set_margin(case: Case, margin: float) -> None:
    name = {"world": "floor", "base": "arm/base", "branch": "arm/floor"}[case.place]
    case.world.set_margin("arm/tip", name, margin)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("floor", ["box", "mesh"])
@pytest.mark.parametrize("tip", list(TIPS))
def test_no_graze_is_missed_with_wrong_poses(
    tip: str, floor: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for case in cases(tmp_path, tip, floor, place):
        with monkeypatch.context() as patch:
            Faults(patch, up_of(case), 1.0)
            edge = case.world.check_edges("arm", case.q0[None], case.q1[None], tolerance=1e-3)
            assert not edge.clear[0]
            assert edge.t_lo[0] <= case.s
            q = case.q(case.s)[None]
            assert not case.world.check_configurations("arm", q).free[0]
            covers = case.world.check_configurations("arm", q, settle=False)
            assert not covers.free[0]
            set_margin(case, 0.0)
            covers = case.world.check_configurations("arm", q, settle=False)
            assert Fraction(float(covers.gap[0])) <= max(case.height, 0)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("floor", ["box", "mesh"])
@pytest.mark.parametrize("tip", list(TIPS))
def test_no_contact_is_made_up_with_wrong_poses(
    tip: str, floor: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for case in cases(tmp_path, tip, floor, place):
        q = case.q(case.s)[None]
        tolerance = 1e-6
        if case.height < 0.02:  # computed poses must not overlap, which counts as contact
            continue
        set_margin(case, float(case.height) - 1.5 * tolerance)
        with monkeypatch.context() as patch:
            Faults(patch, up_of(case), -1.0)
            edge = case.world.check_edges("arm", q, q + 1e-12, tolerance=tolerance)
            assert not edge.colliding[0]
