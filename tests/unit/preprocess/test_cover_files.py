"""Covers on disk: proved again when they are read, and refused where they do not cover."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.preprocess import cover_files, model_cache
from keepclear.preprocess.cover_build import build_covers

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")

BODIES = [
    [(kc.Box([0.4, 0.1, 0.1]), np.eye(4))],
    [(kc.Cylinder(0.05, 0.3), np.eye(4)), (kc.Sphere(0.1), np.eye(4))],
]
WISH = (0.05, None, False)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_cache, "_places", lambda: [tmp_path / "models"])
    tmp_path.chmod(0o700)


def test_covers_come_back_proved() -> None:
    digest = cover_files.covers_digest(BODIES, WISH)
    assert cover_files.stored_covers(digest, BODIES, False) is None
    built = build_covers(BODIES, *WISH)
    cover_files.keep_covers(digest, built)
    found = cover_files.stored_covers(digest, BODIES, False)
    assert found is not None
    for one, other in zip(built, found, strict=True):
        assert (one.centers == other.centers).all()
        assert (one.radii == other.radii).all()
        assert other.cover == 0.0
        assert other.excess <= 1.01 * WISH[0]


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


@pytest.mark.parametrize(
    "damage", ["smaller", "moved", "fewer", "nan", "negative", "counts", "shape", "type"]
)
def test_what_does_not_cover_is_refused(damage: str) -> None:
    built = build_covers(BODIES, *WISH)
    spheres = np.concatenate([np.c_[cover.centers, cover.radii] for cover in built])
    counts = np.array([len(cover) for cover in built], np.int64)
    if damage == "smaller":
        spheres[:, 3] *= 0.9
    elif damage == "moved":
        spheres[0, 0] += 0.2
    elif damage == "fewer":
        spheres, counts = spheres[1:], counts - [1, 0]
    elif damage == "nan":
        spheres[0, 1] = np.nan
    elif damage == "negative":
        spheres[0, 3] *= -1.0
    elif damage == "counts":
        counts[0] += 1
    elif damage == "shape":
        spheres = spheres[:, :3].copy()
    else:
        counts = counts.astype(np.int32)
    digest = cover_files.covers_digest(BODIES, WISH)
    model_cache.write_entry(
        cover_files.BUILDER, cover_files.VERSION, digest, {"spheres": spheres, "counts": counts}
    )
    assert cover_files.stored_covers(digest, BODIES, False) is None
