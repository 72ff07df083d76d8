"""Covers by the smallest spheres of sphere trees: many, of one radius, around the surface only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import keepclear as kc


def tree_cover(parts: Iterable[tuple[Any, np.ndarray]], accuracy: float) -> kc.SphereCover:
    """Return spheres around all parts, which are given with their poses."""
    trees = [(kc.build_sphere_tree(shape, accuracy, cells="even"), X) for shape, X in parts]
    centers = [tree.ranks[-1].centers @ X[:3, :3].T + X[:3, 3] for tree, X in trees]
    radii = [np.full(len(tree.ranks[-1]), tree.ranks[-1].radius * (1 + 1e-12)) for tree, _ in trees]
    return kc.SphereCover(
        np.concatenate(centers), np.concatenate(radii), 0.0, max(t.excess for t, _ in trees)
    )


def tree_model(robot: kc.Robot, accuracy: float) -> kc.SphereModel:
    """Return spheres around all links of a robot that have shapes."""
    return kc.SphereModel(robot.name, {
        link.name: tree_cover([(e.shape, e.X_LG) for e in link.elements], accuracy)
        for link in robot.links if link.elements
    })  # fmt: skip
