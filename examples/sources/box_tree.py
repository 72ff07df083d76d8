"""Source B, the BoxTree: the source's device with its memory and its results, and the size of its nodes.

    python examples/sources/box_tree.py [page.html]

US 6 862 026: a context is created, objects are sent in pieces, pairs are checked with a matrix without waiting, results
are collected while the search goes on, objects are deleted. A node is an axis, two cuts and a link: at most 16 bytes.
"""

import sys

import numpy as np

import keepclear as kc


def knot(n: int, m: int, twists: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices and the 2 n m triangles of a closed knotted tube [m]."""
    i, j = np.divmod(np.arange(n * m), m)
    t, v = 2 * np.pi * i / n, 2 * np.pi * j / m
    line = np.stack(
        [
            (2 + np.cos(twists * t)) * np.cos(2 * t),
            (2 + np.cos(twists * t)) * np.sin(2 * t),
            np.sin(twists * t),
        ],
        1,
    )
    along = np.roll(line, -m, axis=0) - line
    along /= np.linalg.norm(along, axis=1)[:, None]
    side = np.cross(along, [0.3, 0.2, 1.0])
    side /= np.linalg.norm(side, axis=1)[:, None]
    points = 0.1 * (line + 0.4 * (np.cos(v)[:, None] * side + np.sin(v)[:, None] * np.cross(along, side)))
    right, up = (i + 1) % n * m, (j + 1) % m
    a, b, c, d = i * m + j, right + j, right + up, i * m + up
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


vertices, faces = knot(250, 20)
X_AB = np.eye(4)
X_AB[:3, 3] = 0.12, 0.05, 0.03
with kc.World(threads=2, using="box_tree") as device:  # colInit
    for name in ("left", "right"):
        with device.begin(name) as stream:  # colNewObject ... colEndObject: the tree is built here
            for portion in np.array_split(vertices, 8):
                stream.vertices(portion)
            for portion in np.array_split(faces, 8):
                stream.faces(portion)
    tree = kc.build_box_tree(kc.Mesh(vertices, faces))
    oriented = kc.build_obb_tree(kc.Mesh(vertices, faces))
    n = len(faces)
    print(f"{'':<16}{'bytes per triangle':>20}{'nodes per triangle':>20}{'bytes per node':>16}")
    print(f"{'source':<16}{'at most 32':>20}{'2':>20}{'at most 16':>16}")
    print(
        f"{'BoxTree':<16}{tree.nbytes / n:>20.1f}{tree.n_nodes / n:>20.2f}{tree.nbytes / tree.n_nodes:>16.1f}"
    )
    print(f"{'oriented boxes':<16}{oriented.nbytes / n:>20.1f}{'':>20}{'':>16}")
    assert tree.nbytes / n <= 32.0
    print(f"memory of the device: {device.nbytes / n / 2:.0f} bytes per triangle, the mesh included\n")

    check = device.submit("left", "right", X_AB, find="all")  # colCheck: returns at once
    batches, pairs = 0, 0
    for (
        found,
        segments,
    ) in check.batches():  # the output FIFO: pairs and where they intersect, while the search goes on
        batches, pairs = batches + 1, pairs + len(found)
        assert len(found) == len(segments)
    print(f"{pairs} pairs of polygons intersect; {batches} batches were read while the search went on")
    result = check.result()
    assert len(result.pairs) == pairs
    for name in ("left", "right"):
        device.remove(name)  # delete the object
    print(f"after deletion: {device.nbytes} bytes")

print("operations of a step of the traversal, counted: python -m benchmarks box_tree")
if len(sys.argv) > 1:
    world = kc.World()
    world.add("left", kc.Mesh(vertices, faces), np.eye(4))
    path = kc.PoseTrajectory.from_positions([0.0, 1.0], [[0.12, 0.05, 0.8], X_AB[:3, 3]])
    world.add("right", kc.Mesh(vertices, faces), path)
    world.verify(scene=True).to_html(sys.argv[1])
    print("page", sys.argv[1])
