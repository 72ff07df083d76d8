"""Covers in the cache, and the digests under which they are found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.geometry.spheres import cover_files
from keepclear.geometry.spheres.cover_build import build_covers

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")

BODIES = [
    [(kc.Box([0.4, 0.1, 0.1]), np.eye(4))],
    [(kc.Cylinder(0.05, 0.3), np.eye(4)), (kc.Sphere(0.1), np.eye(4))],
]
WISH = (0.05, None, False)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o700)


def test_covers_come_back() -> None:
    digest = cover_files.covers_digest(BODIES, WISH)
    assert cover_files.stored_covers(digest) is None
    built = build_covers(BODIES, *WISH)
    cover_files.keep_covers(digest, built)
    found = cover_files.stored_covers(digest)
    assert found is not None
    for one, other in zip(built, found, strict=True):
        assert (one.centers == other.centers).all()
        assert (one.radii == other.radii).all()
        for name in ("cover", "excess", "solid", "openings"):
            assert getattr(one, name) == getattr(other, name)


def test_other_shapes_and_wishes_have_other_digests() -> None:
    digests = {
        cover_files.covers_digest(BODIES, WISH),
        cover_files.covers_digest(BODIES[::-1], WISH),
        cover_files.covers_digest(BODIES, (0.05, None, True)),
        cover_files.covers_digest(BODIES, (0.051, None, False)),
        cover_files.covers_digest([[(kc.Box([0.4, 0.1, 0.11]), np.eye(4))], BODIES[1]], WISH),
        cover_files.covers_digest([[(kc.Box([0.4, 0.1, 0.1]), np.diag([-1.0, -1, 1, 1]))], BODIES[1]], WISH),
    }
    assert len(digests) == 6
