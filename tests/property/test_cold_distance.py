"""Distances without memory over all gaps, by single calls and in batches, against exact arithmetic."""

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles.mesh_comparison import library_mesh
from tests.oracles.mesh_distance import surface_distance
from tests.oracles.mesh_scene import scene
from tests.oracles.poses import pose, random_rotation

import keepclear as kc

GAPS = (0.002, 0.01, 0.05, 0.2, 1.0)
ROUNDING = 4.0 * 256.0 * 2.0**-53  # of the scene: how far `upper` and `lower` may be apart


def grid(n, bump=0.0):
    """A square of 1 m in n x n cells, flat or as a dish: triangles in one plane, and ties between all of them."""
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, n + 1), np.linspace(-0.5, 0.5, n + 1), indexing="ij")
    points = np.stack([x, y, bump * (x * x + y * y)], axis=-1).reshape(-1, 3)
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1)
    a, b, c, d = corner, corner + n + 1, corner + n + 2, corner + 1
    return make.mesh_body(points, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).tolist())


def bodies(rng):
    """Pairs of bodies by name: solids, soups, flat ones without a hull, one triangle, with ties."""
    triangle = make.mesh_body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    return {
        "solids": (make.solids(rng), make.solids(rng)),
        "soups": (make.soup(rng, 12, 0.4), make.soup(rng, 12, 0.4)),
        "one triangle": (triangle, triangle),
        "flat and flat": (grid(3), grid(3)),
        "flat and triangle": (grid(3), triangle),
        "dishes": (grid(3, 0.6), grid(3, -0.6)),
        "octahedra": (make.octahedron(), make.octahedron()),
    }


NAMES = tuple(bodies(np.random.default_rng(0)))


def placed_at(a, b, X_WA, R, direction, gap):
    """Move B from outside along a direction until the exact distance is about the gap."""
    along = 4.0 * (a.extent + b.extent) + gap
    for _ in range(8):
        X_WB = pose(R, X_WA[:3, 3] + along * direction)
        beyond = float(surface_distance(scene(a, X_WA, b, X_WB)).lower) - gap
        along -= beyond
        if beyond <= 0.1 * gap:
            break
    return X_WB


def faults(answer, truth, size):
    """What is wrong with an answer."""
    if answer.colliding or not 0.0 < answer.lower <= float(truth.upper) * (1.0 + 1e-15):
        yield f"lower {answer.lower}, exactly {float(truth.lower)}"
    if answer.upper < float(truth.lower) * (1.0 - 1e-15) or answer.upper - answer.lower > ROUNDING * size:
        yield f"[{answer.lower}, {answer.upper}], exactly {float(truth.lower)}"


@pytest.mark.parametrize(("origin", "scale"), [(0.0, 1.0), (1e6, 1.0), (0.0, 1e-6), (0.0, 1e6)])
@pytest.mark.parametrize("name", NAMES)
def test_all_gaps(name, origin, scale):
    rng = np.random.default_rng([NAMES.index(name), int(origin > 0), int(abs(np.log10(scale)))])
    a, b = (make.moved(body, (0, 0, 0), scale=scale) for body in bodies(rng)[name])
    given = library_mesh(a), library_mesh(b)
    X_WA, X_WB, found = [], [], []
    for k, gap in enumerate(GAPS):
        turned = k % 2 == 0  # else faces are parallel, and all their triangles as close
        R = (random_rotation(rng), random_rotation(rng)) if turned else (np.eye(3), np.eye(3))
        direction = rng.normal(size=3) if turned else np.array([0.0, 0.0, 1.0])
        X_WA.append(pose(R[0], np.full(3, origin)))
        X_WB.append(placed_at(a, b, X_WA[-1], R[1], direction / np.linalg.norm(direction), gap * a.extent))
    batch = kc.distance(given[0], np.array(X_WA), given[1], np.array(X_WB))
    for k in range(len(GAPS)):
        truth = surface_distance(scene(a, X_WA[k], b, X_WB[k]))
        size = a.extent + b.extent + float(np.linalg.norm(X_WB[k][:3, 3])) + origin * np.sqrt(3.0)
        single = kc.distance(given[0], X_WA[k], given[1], X_WB[k])
        swapped = kc.distance(given[1], X_WB[k], given[0], X_WA[k])
        for answer in (single, swapped, batch[k]):
            found += [f"gap {GAPS[k]}: {fault}" for fault in faults(answer, truth, size)]
        assert single.distance == batch.distance[k]
        assert (single.faces == batch[k].faces).all()
    assert not found, found[0]


def test_one_call_refuses_bad_poses_and_takes_scaled_ones():
    mesh = library_mesh(make.octahedron())
    far, scaled = np.eye(4), np.eye(4)
    far[0, 3], scaled[:3, :3] = 8.0, 2.0 * np.eye(3)
    expected = kc.distance(mesh, np.array([scaled]), mesh, far).distance[0]
    assert kc.distance(mesh, scaled, mesh, far).distance == expected
    bent = far.copy()
    bent[0, 0] = 0.5
    with pytest.raises(kc.KeepclearError, match="X_WB"):
        kc.distance(mesh, np.eye(4), mesh, bent)
    with pytest.raises(kc.KeepclearError, match="X_WA"):
        kc.distance(mesh, np.eye(3), mesh, far)
    assert kc.distance(mesh, np.eye(4).tolist(), mesh, far[:, ::-1][:, ::-1]).distance > 0.0
