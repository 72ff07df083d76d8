"""Covers of bodies kept in the cache, since finding the spheres of an arm takes seconds to a minute; the proof that
given spheres cover a body takes less than a second."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.geometry.spheres.cover_body import build_cover_body
from keepclear.geometry.spheres.cover_measure import inside_gaps, outside_of_single, surface_row
from keepclear.geometry.storage.cache import digest_of, read_entry, write_entry
from keepclear.kernels.spheres import cover_gaps

Elements = Sequence[tuple[Shape, FloatArray]]

BUILDER = "covers"
VERSION = 4
"""Version of the content of files of covers, and of the search for them."""

PRECISION = 1e-3
"""Largest difference of the bounds of an excess that is measured again, as a part of the radii [1]."""
DEVIATION = 1e-4
"""Largest distance of triangles inside of a curved surface, as a part of the radii [1]."""


def covers_digest(bodies: Sequence[Elements], wish: tuple[float | None, int | None, bool]) -> bytes:
    """Return the digest of shapes, poses and the options of their covers."""
    parts = [(type(shape).__name__, shape._content()) for elements in bodies for shape, _ in elements]
    poses = [X for elements in bodies for _, X in elements]
    counts = np.array([len(elements) for elements in bodies], np.int64)
    return digest_of("covers", counts, np.array(poses).reshape(-1, 4, 4), more=repr((wish, parts)).encode())


def is_covered(elements: Elements, cover: SphereCover) -> bool:
    """Return whether spheres are proved to cover the surface of a body, or its solid for a solid cover."""
    spheres = np.column_stack([cover.centers, cover.radii])
    least = float(cover.radii.min())
    body = outside_of_single(build_cover_body(elements, DEVIATION * least), spheres)
    upper = float(surface_row(body, spheres, PRECISION * least, 0.0, math.inf)[cover_gaps.UPPER])
    if upper <= 0.0 and cover.solid:
        _, upper = inside_gaps(body, spheres, PRECISION * least, upper)
    return upper <= 0.0


def stored_covers(digest: bytes) -> list[SphereCover] | None:
    """Return the covers that are stored under a digest; None if there are none."""
    found = read_entry(BUILDER, VERSION, digest)
    if found is None:
        return None
    parts = np.split(found["spheres"], np.cumsum(found["counts"])[:-1])
    return [
        SphereCover(part[:, :3], part[:, 3], cover, excess, bool(solid), int(openings))
        for part, (cover, excess, solid, openings) in zip(parts, found["bounds"].tolist(), strict=True)
    ]


def keep_covers(digest: bytes, covers: Sequence[SphereCover]) -> None:
    """Store covers for the next process."""
    spheres = np.concatenate([np.c_[cover.centers, cover.radii] for cover in covers])
    counts = np.array([len(cover) for cover in covers], np.int64)
    bounds = np.array([[one.cover, one.excess, one.solid, one.openings] for one in covers], np.float64)
    write_entry(BUILDER, VERSION, digest, {"spheres": spheres, "counts": counts, "bounds": bounds})
