"""Reports made by hand: a contact, an open pair, clear ones, several programs, and names that try to break out."""

from __future__ import annotations

import itertools
import math

import numpy as np

import keepclear as kc
from keepclear.report.parts import (
    Assumption,
    Contact,
    Curve,
    Evidence,
    FarPairs,
    InputFile,
    PairReport,
    Unchecked,
)
from keepclear.report.report import Report
from keepclear.report.scene import Scene, SceneBody

NASTY = "</script><img src=x onerror=alert(1)>&\"'\u2028<!--"


def straight_curve(t0: float, t1: float, start: float, end: float, n: int = 9) -> Curve:
    """Return a curve along a straight line, 1 mm wide."""
    times = [t0 + (t1 - t0) * i / (n - 1) for i in range(n)]
    middle = [start + (end - start) * i / (n - 1) for i in range(n)]
    lower = tuple(x - 0.0005 for x in middle)
    between = tuple(min(a, b) - 0.004 for a, b in itertools.pairwise(lower))
    return Curve(
        times=tuple(times), lower=lower, upper=tuple(x + 0.0005 for x in middle), lower_between=between
    )


CONTACT = PairReport(
    a="arm/forearm",
    b="table",
    verdict=kc.Verdict.COLLIDING,
    time=1.284,
    t_lo=1.2838,
    t_hi=1.2841,
    clearance_lower=0.0,
    clearance_upper=0.0,
    clearance_time=1.284,
    contacts=(
        Contact(
            time=1.284,
            t_lo=1.2838,
            t_hi=1.2841,
            t_end=2.5,
            p_W=(0.31, 0.02, 0.05),
            normal_W=(0.0, 0.0, -1.0),
        ),
        Contact(time=3.0, t_lo=2.999, t_hi=3.001, p_W=(0.3, 0.0, 0.05)),
    ),
    curve=straight_curve(0.0, 8.0, 0.04, 0.3),
    proof="exact shapes",
    evaluations=41,
)
CLOSE = PairReport(
    a="arm/hand",
    b="part",
    verdict=kc.Verdict.CLEAR,
    time=None,
    t_lo=8.0,
    t_hi=8.0,
    margin=0.002,
    clearance_lower=0.0041234,
    clearance_upper=0.0042,
    clearance_time=3.2,
    p_WA=(0.1, 0.2, 0.3),
    p_WB=(0.1, 0.2, 0.3042),
    curve=straight_curve(0.0, 8.0, 0.2, 0.0046),
    proof="exact shapes",
    evaluations=77,
)
FAR = PairReport(
    a="arm/base",
    b="part",
    verdict=kc.Verdict.CLEAR,
    time=None,
    t_lo=8.0,
    t_hi=8.0,
    clearance_lower=0.1,
    proof="swept balls",
    evaluations=1,
)
OPEN = PairReport(
    a="arm/hand",
    b="table",
    verdict=kc.Verdict.UNDECIDED,
    time=None,
    t_lo=2.0,
    t_hi=2.25,
    clearance_lower=0.0,
    clearance_upper=0.0003,
    clearance_time=2.125,
    evaluations=100,
)
UNCHECKED = (
    Unchecked(a="arm/base", b="table", reason="at rest", touching=True),
    Unchecked(a="arm/base", b="arm/forearm", reason="neighbours"),
    Unchecked(a="arm/base", b="arm/hand", reason="srdf", detail="Never"),
    Unchecked(a="arm/hand", b="part", reason="allowed", t_from=3.25),
)
ASSUMPTIONS = (
    Assumption(kind="hold", subject="part", text="stays where it is before 1 s and after 7 s"),
    Assumption(kind="unit", subject="part.stl", text="taken as millimetres"),
)


EVIDENCE = Evidence(
    version="0.1.0", sources="0123", date="2026-01-02T03:04:05Z", command="keepclear verify cell.yaml",
    platform="Linux", cell="../cell.yaml", inputs=(InputFile(path="cell.yaml", sha256="ab" * 32, size=12),),
    settings={"contacts": "first", "tolerance": None},
)  # fmt: skip


def clear_report(**changes: object) -> Report:
    """Return a report of two clear pairs from 0 to 8 s."""
    values: dict[str, object] = {
        "verdict": kc.Verdict.CLEAR,
        "t0": 0.0,
        "t1": 8.0,
        "tolerance": 1e-3,
        "pairs": (CLOSE, FAR),
    }
    return Report(**(values | changes))  # type: ignore[arg-type]


def full_report(**changes: object) -> Report:
    """Return a report that has something in every field but the programs."""
    values: dict[str, object] = {
        "verdict": kc.Verdict.COLLIDING,
        "pairs": (CONTACT, OPEN, CLOSE, FAR),
        "unchecked": UNCHECKED,
        "assumptions": ASSUMPTIONS,
        "warnings": ("joint 'elbow' is 0.2 rad beyond its limit at 3 s",),
        "title": "cell.yaml",
        "statistics": {"pairs": 4, "by_proof": {"swept balls": 1, "exact shapes": 3}},
    }
    return clear_report(**(values | changes))


def far_report(**changes: object) -> Report:
    """Return a report of two near pairs and 12 far ones, with four objects at rest and a pair that is not checked."""
    values: dict[str, object] = {
        "objects": ("arm/base", "arm/forearm", "arm/hand", "part", "post", "table", "wall"),
        "at_rest": (("arm/base", "post", "table", "wall"),),
        "far": FarPairs(count=12, bound=0.1),
        "unchecked": (Unchecked(a="arm/base", b="arm/forearm", reason="neighbours"), UNCHECKED[3]),
        "pairs": (CLOSE, FAR),
    }
    return clear_report(**(values | changes))


def programs_report() -> Report:
    """Return a report of two programs, one of which collides."""
    good, bad = clear_report(program="good"), full_report(program="bad", title="")
    return full_report(pairs=(*good.pairs, *bad.pairs), programs=(good, bad))


def small_scene(n: int = 33) -> Scene:
    """Return a table, a tetrahedron that comes down onto it, and an arm of two parts, over 8 seconds."""
    times = np.linspace(0.0, 8.0, n)
    table = np.eye(4)
    table[2, 3] = -0.05
    moving = np.tile(np.eye(4), (n, 1, 1))
    moving[:, 0, 3] = 0.31
    moving[:, 2, 3] = 0.02 + 0.3 * np.abs(np.cos(times * math.pi / 4))
    turning = moving.copy()
    turning[:, :3, 3] += [0.0, 0.25, 0.1]
    cos, sin = np.cos(times), np.sin(times)
    turning[:, 0, 0], turning[:, 0, 1], turning[:, 1, 0], turning[:, 1, 1] = cos, -sin, sin, cos
    tetrahedron = kc.Mesh(
        [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    )
    post = table.copy()
    post[:3, 3] = [-0.3, 0.0, 0.2]
    return Scene(
        times,
        (
            SceneBody("table", kc.Box([1.2, 0.8, 0.05]), table[None]),
            SceneBody("arm/base", kc.Cylinder(0.08, 0.4), post[None]),
            SceneBody("arm/forearm", tetrahedron, moving),
            SceneBody("arm/hand", kc.Capsule(0.04, 0.2), turning),
            SceneBody("arm/hand", kc.Sphere(0.06), turning),
            SceneBody("part", kc.Convex([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]), post[None]),
        ),
    )
