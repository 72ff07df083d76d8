"""Moving vertices, faces and edges beside Tight-Inclusion (ipctk): the public queries, and random points.

ipctk answers one query per call from Python, which costs it about a microsecond each.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.harness import Row, best_times, table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "ccd-queries"
KINDS = {"vertex-face": kc.vertex_face_contact, "edge-edge": kc.edge_edge_contact}
TOLERANCE = 1e-6
# The peer takes half a minute for the hard queries, so times are those of a part of them.
EVERY, ROUNDS = 8, 3


def public_queries(kind: str) -> tuple[np.ndarray, np.ndarray] | None:
    """Return points (n, 8, 3) and truths (n,) of all scenes, or None where the folder is absent."""
    files = sorted(DATA.glob(f"*/{kind}/*.csv"))
    rows = [list(map(int, line.split(","))) for file in files for line in file.read_text().split()]
    if not rows:
        return None
    points = [[float(Fraction(*row[2 * k : 2 * k + 2])) for k in range(3)] for row in rows]
    return np.array(points).reshape(-1, 8, 3), np.array([row[6] == 1 for row in rows[::8]])


def random_queries(n: int = 2000) -> np.ndarray:
    """Return points (n, 8, 3): a unit cube of points, each going about as far as the cube is wide."""
    rng = np.random.default_rng(8)
    start = rng.uniform(-1.0, 1.0, (n, 4, 3))
    return np.concatenate([start, start + rng.normal(size=(n, 4, 3))], axis=1)


def peer_job(kind: str, points: np.ndarray) -> Callable[[], list[bool]]:
    """Return a job that asks ipctk one query after the other, with the rows cut out ahead."""
    import ipctk

    ccd = ipctk.TightInclusionCCD(tolerance=TOLERANCE)
    ask = ccd.point_triangle_ccd if kind == "vertex-face" else ccd.edge_edge_ccd
    rows = [[np.ascontiguousarray(p) for p in query] for query in points]
    return lambda: [ask(*row)[0] for row in rows]


def main() -> None:
    """Print how often each is wrong, and what a query costs."""
    rows = []
    for kind, contact in KINDS.items():
        found = public_queries(kind)
        sets = (
            {"at random": random_queries()}
            if found is None
            else {"public": found[0], "at random": random_queries()}
        )
        for name, points in sets.items():
            truth = (
                contact(points[:, :4], points[:, 4:]).colliding
                if found is None or name != "public"
                else found[1]
            )
            theirs = np.array(peer_job(kind, points)())
            some = points[::EVERY]
            x0, x1 = some[:, :4], some[:, 4:]
            jobs = [lambda exact=exact: contact(x0, x1, exact=exact) for exact in (True, False)]
            *mine, peer = best_times([*jobs, peer_job(kind, some)], len(some), ROUNDS)
            for exact, time in zip((True, False), mine, strict=True):
                ours = contact(points[:, :4], points[:, 4:], exact=exact).colliding
                missed = [int((truth & ~answer).sum()) for answer in (ours, theirs)]
                false = [int((answer & ~truth).sum()) for answer in (ours, theirs)]
                label = f"{kind}, {name}{'' if exact else ', exact=False'}"
                print(
                    f"{label}: missed {missed[0]} (ipctk {missed[1]}), false alarms {false[0]} (ipctk {false[1]})"
                )
                rows.append(Row(label, time, peer))
    table("Moving points, per query", "ipctk", rows)


if __name__ == "__main__":
    main()
