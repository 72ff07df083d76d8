"""Source P, closest points: from a mesh file to elements, to the source's L and HL files, to tracking.

    python examples/sources/closest_points.py [page.html]

JP 3316092 B2: Gilbert's iteration takes three or four steps, tracked steps cost the same whatever the polyhedron, and
non-convex objects are sets of convex elements with one hull, which stands for them until it is hit.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import keepclear as kc

rng = np.random.default_rng(0)
print(
    f"{'vertices':>9}{'iterations':>12}{'tracked':>9}{'cold':>10}{'tracked':>10}   (source: 3 to 4, constant)"
)
for n in (10, 100, 1000, 10_000, 100_000):
    points = rng.normal(size=(2, n, 3))
    points /= np.linalg.norm(points, axis=2)[:, :, None]
    a, b = kc.Convex(points[0]), kc.Convex(points[1])
    frames = np.tile(np.eye(4), (300, 1, 1))
    t = np.arange(300) * 0.1 / np.sqrt(n)  # moves of a tenth of the spacing of vertices
    frames[:, :3, 3] = 2.5 * np.stack([np.cos(t), np.sin(t), 0.1 + 0.0 * t], axis=1)
    tracker = kc.Tracker(a, b)
    tracker.distance(np.eye(4), frames[:2])
    cold, start = kc.distance(a, np.eye(4), b, frames), time.process_time()
    kc.distance(a, np.eye(4), b, frames)
    middle = time.process_time()
    found = tracker.distance(np.eye(4), frames)
    spent = np.diff([start, middle, time.process_time()]) / len(frames) * 1e6
    assert np.allclose(found.distance, cold.distance, atol=1e-12)
    print(
        f"{n:>9}{cold.iterations.mean():>12.1f}{found.iterations.mean():>9.1f}{spent[0]:>7.2f} us{spent[1]:>7.2f} us"
    )

# A U-shaped bracket, as a file; its elements and its hull, in the source's text files, and read again.
outline = np.array([[0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]]) * 0.1
corners = np.concatenate([np.c_[outline, np.zeros(8)], np.c_[outline, np.full(8, 0.1)]])
sides = [[k, (k + 1) % 8, (k + 1) % 8 + 8, k + 8] for k in range(8)]
caps = [[0, 1, 4, 5], [1, 2, 3, 4], [0, 5, 6, 7]]
polygons = [*(cap[::-1] for cap in caps), *([k + 8 for k in cap] for cap in caps), *sides]
with tempfile.TemporaryDirectory() as folder:
    mesh_file, elements_file, hull_file = (
        Path(folder, name) for name in ("bracket.obj", "bracket.L", "bracket.HL")
    )
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += ["f " + " ".join(str(k + 1) for k in polygon) for polygon in polygons]
    mesh_file.write_text("\n".join(lines))
    bracket = kc.read_mesh(mesh_file)
    parts = kc.decompose(bracket, negative=False)
    parts.write_elements(elements_file)
    parts.write_hull(hull_file)
    elements, hull = parts.read_elements(elements_file), parts.read_hull(hull_file)
counts = (
    f"{len(parts.elements)} elements, {len(elements)} in its L file, {len(hull.faces)} faces in its HL file"
)
print(f"\nbracket: {counts}")
assert len(elements) == len(parts.elements)

# A peg passes over the bracket, then into its mouth: the hull is released where a virtual face is hit.
peg = kc.Box([0.05, 0.2, 0.05])
tracker = kc.Tracker(bracket, peg)
X = np.eye(4)
for height in np.linspace(0.8, 0.22, 30):
    X[:3, 3] = 0.15, height, 0.05
    answer = tracker.distance(np.eye(4), X)
# The shapes of the files are accepted wherever a shape is. Hulls of elements may contain free space, as the one around
# the walls of the mouth does: such a distance is a lower bound.
of_hull = kc.distance(hull.hull, np.eye(4), peg, X).distance
of_elements = kc.distance([(one.hull, np.eye(4)) for one in elements], np.eye(4), peg, X).distance
print(f"peg in the mouth: {answer.distance:.4f} m from the bracket; shapes of the files, lower bounds:")
print(f"{of_elements:.4f} m from the hulls of its elements, {of_hull:.4f} m from its hull")
assert of_hull <= of_elements + 1e-12
assert of_elements <= answer.distance + 1e-12
assert answer.distance > 0.0

if len(sys.argv) > 1:
    parts.to_html(sys.argv[1])
    print("page", sys.argv[1])
