"""Probes compiled by their caller: the same contacts as in Python, and the same refusals."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.crowd.parts.motions import compile_probe, is_compiled


@numba.njit
def swing(ids, t):
    x, v = np.zeros((len(ids), 2)), np.zeros((len(ids), 2))
    for k in range(len(ids)):
        if ids[k] == 1:
            x[k, 0] = 3.0 + 2.0 * math.cos(t)
            v[k, 0] = -2.0 * math.sin(t)
    return x, v


def crowd_of(probe, bound: float = 2.0) -> kc.Crowd:
    return kc.Crowd([[0, 0], [5, 0]], [[0, 0], [0, 0]], 1.0, [0.0, bound], motion=probe)


def test_contacts_of_a_compiled_probe() -> None:
    crowd = crowd_of(swing)
    events = crowd.advance(5.0)
    assert events.kind.tolist() == ["begin", "end"]
    np.testing.assert_allclose(events.time, [2.0 * math.pi / 3.0, 4.0 * math.pi / 3.0], atol=1e-11)
    np.testing.assert_allclose(crowd.positions()[1], [3.0 + 2.0 * math.cos(5.0), 0.0])
    assert crowd.motion is swing


def test_a_compiled_probe_that_breaks_its_promise() -> None:
    crowd = crowd_of(swing, bound=1.0)
    with pytest.raises(kc.CrowdError, match=r"sphere 1 is .* maximum acceleration of 1 m/s\^2 allows"):
        crowd.advance(5.0)


def test_a_compiled_probe_that_fails_can_be_repaired_by_restoring(tmp_path) -> None:
    @numba.njit
    def bad(ids, t):
        if t > 1.0:
            raise ValueError("lost")
        return swing(ids, t)

    crowd = crowd_of(bad)
    crowd.save(tmp_path / "crowd")
    with pytest.raises(kc.CrowdError, match="raised ValueError: lost"):
        crowd.advance(5.0)
    again = kc.Crowd.restore(tmp_path / "crowd", motion=swing)
    assert again.advance(5.0).kind.tolist() == ["begin", "end"]
    plain = kc.Crowd.restore(tmp_path / "crowd", motion=getattr(swing, "py_func", swing))
    assert plain.advance(5.0).kind.tolist() == ["begin", "end"]


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_what_is_compiled() -> None:
    assert is_compiled(swing)
    assert not is_compiled(swing.py_func)

    @numba.njit
    def wrong(ids):
        return ids

    with pytest.raises(kc.CrowdError, match="the compiled probe must take"):
        compile_probe(wrong, 2)
    with pytest.raises(kc.CrowdError, match="the compiled probe must take"):
        crowd_of(wrong)


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_a_compiled_probe_of_the_wrong_shape() -> None:
    @numba.njit
    def flat(ids, t):
        return np.zeros((len(ids), 3)), np.zeros((len(ids), 3)) * t

    with pytest.raises(kc.CrowdError, match=r"positions of shape \(\d, 3\); expected \(\d, 2\)"):
        crowd_of(flat).advance(5.0)
