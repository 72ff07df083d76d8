"""Vertices at one position are found by one sort of their bits, also where two positions mix to one number."""

from __future__ import annotations

import numpy as np
import pytest

from keepclear.geometry.shapes import mesh_check
from keepclear.geometry.shapes.mesh_check import first_at_position


@pytest.mark.parametrize("collide", [False, True])
def test_the_first_vertex_at_each_position_is_found(collide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if collide:  # all positions get the number 0
        monkeypatch.setattr(mesh_check, "_MIX", np.zeros(3, np.uint64))
    rng = np.random.default_rng(7)
    for n in (0, 1, 2, 40, 200):
        for scale in (1.0, -0.0, 1e-300, 0.1):
            V = rng.integers(-2, 3, (n, 3)) * scale
            rows = [tuple(row) for row in V.tolist()]  # -0.0 == 0.0
            assert first_at_position(V).tolist() == [rows.index(row) for row in rows]


def test_positions_of_a_grid_have_different_numbers() -> None:
    """Coordinates in single precision have 29 zero bits each, which alone would leave few numbers."""
    ticks = np.arange(30, dtype=np.float32) * np.float32(0.1)
    V = np.stack(np.meshgrid(ticks, ticks, ticks), axis=-1).reshape(-1, 3).astype(np.float64)
    bits = V.view(np.uint64)
    key = ((bits ^ (bits >> np.uint64(32))) * mesh_check._MIX).sum(axis=1)
    assert len(np.unique(key)) == len(V)
