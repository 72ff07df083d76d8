"""How much a process grows by a mesh and its trees: nothing that they hold is there twice."""

from __future__ import annotations

import os

import pytest
from benchmarks.mesh_memory import STATM, in_new_process

N = 200_000

pytestmark = [
    pytest.mark.skipif(not STATM.exists(), reason="only Linux reports the memory of a process in /proc"),
    pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="plain Python takes minutes"),
]


@pytest.mark.parametrize(("name", "most"), [("Mesh", 29), ("BoxTree", 32), ("OBBTree and BoxTree", 128 + 32)])
def test_a_process_grows_by_each_array_once(name: str, most: float) -> None:
    found = in_new_process(name, N)
    assert found["reported"] is not None
    assert found["searched"] is not None
    assert found["reported"] <= most * N
    assert found["searched"] <= most * N
