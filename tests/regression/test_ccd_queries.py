"""All 1429 public queries of vertices, faces and edges that move: none missed, and no false alarm either.

Tight-Inclusion at its defaults misses none too, and calls 114 of 597 free edge-edge and 96 of 662 free vertex-face
queries colliding.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import keepclear as kc

SCENES = (
    "unit-tests",
    "erleben-cube-cliff-edges",
    "erleben-cube-internal-edges",
    "erleben-spikes",
    "erleben-sliding-spike",
    "erleben-spike-wedge",
)
KINDS = {"vertex-face": (kc.vertex_face_contact, 750, 88), "edge-edge": (kc.edge_edge_contact, 679, 82)}


def read_queries(folder: Path, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 8, 3) and truths (n,)."""
    points, truths = [], []
    for scene in SCENES:
        lines = (folder / scene / kind / "data_0_0.csv").read_text(encoding="utf-8").split()
        numbers = [list(map(int, line.split(","))) for line in lines]
        points += [[float(Fraction(*row[2 * k : 2 * k + 2])) for k in range(3)] for row in numbers]
        truths += [row[6] == 1 for row in numbers[::8]]
    return np.array(points).reshape(-1, 8, 3), np.array(truths)


@pytest.mark.parametrize("kind", KINDS)
def test_public_queries_are_answered_truly(shared_data: Path, kind: str) -> None:
    contact, n, colliding = KINDS[kind]
    points, truths = read_queries(shared_data / "ccd-queries", kind)
    assert (len(truths), int(truths.sum())) == (n, colliding)
    answer = contact(points[:, :4], points[:, 4:])
    assert np.array_equal(answer.colliding, truths)
    assert not answer.undecided.any()
    assert (answer.t_lo <= answer.t_hi).all()
    assert (answer.t_hi - answer.t_lo <= 1e-3)[truths].all()


@pytest.mark.parametrize("kind", KINDS)
def test_without_exact_arithmetic_there_are_few_false_alarms(shared_data: Path, kind: str) -> None:
    contact, n, _ = KINDS[kind]
    points, truths = read_queries(shared_data / "ccd-queries", kind)
    answer = contact(points[:, :4], points[:, 4:], exact=False)
    assert not (truths & ~answer.colliding).any()
    assert int((answer.colliding & ~truths).sum()) <= {"vertex-face": 67, "edge-edge": 62}[kind]
    assert contact(points[:, :4], points[:, 4:], margin=1e-9).colliding[truths].all()
    assert n == len(answer)
