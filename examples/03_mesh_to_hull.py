"""Read a mesh, list its defects, and query the mesh itself or its convex hull."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import keepclear as kc

# An angle bracket in millimetres: an L, 40 mm high.
outline = [(0, 0), (60, 0), (60, 8), (8, 8), (8, 60), (0, 60)]
n = len(outline)
lines = [f"v {x} {y} {z}" for z in (0, 40) for x, y in outline]
sides = [f"f {k + 1} {(k + 1) % n + 1} {(k + 1) % n + 1 + n} {k + 1 + n}" for k in range(n)]
bottom = ["f 4 3 2 1", "f 6 5 4 1"]
top = ["f 7 8 9 10", "f 7 10 11 12"]

with TemporaryDirectory() as folder:
    file = Path(folder) / "bracket.obj"
    file.write_text("\n".join([*lines, *sides, *bottom, top[0]]))  # one face of the top is missing
    broken = kc.read_mesh(file, unit="mm")
    print(broken.check)
    try:
        kc.read_mesh(file, unit="mm", solid=True)
    except kc.MeshError as error:
        print("MeshError:", error)

    file.write_text("\n".join([*lines, *sides, *bottom, *top]))
    bracket = kc.read_mesh(file, unit="mm", solid=True)
print(bracket)
print(bracket.check)
assert not broken.is_solid
assert bracket.is_solid

# A mesh is never silently made convex: a pin in the corner of the L is clear.
X_WB, X_WP = np.eye(4), np.eye(4)
X_WP[:3, 3] = 0.02, 0.02, 0.02
pin = kc.Sphere(0.004)
exact = kc.distance(bracket, X_WB, pin, X_WP)
print(exact)
assert exact.lower > 0.0

# The hull fills the corner. Queries of it are cheaper, and it is never farther away than the bracket: if the hull is
# clear, so is the bracket; if it is not, nothing is known.
hull = kc.Convex(bracket.vertices)
print(hull)
inside = kc.distance(hull, X_WB, pin, X_WP)
print("in the corner of the L, 8 mm from the bracket, the hull says", inside.state.name)
assert inside.state is kc.State.INTERFERING
X_WP[:3, 3] = 0.05, 0.05, 0.02
far = kc.distance(hull, X_WB, pin, X_WP)
print(far)
assert far.lower > 0.0
assert kc.distance(bracket, X_WB, pin, X_WP).distance >= far.lower
