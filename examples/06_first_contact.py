"""The first contact of a moving and rotating part: proved, and never missed between samples."""

import numpy as np

import keepclear as kc


def placed(x: float, y: float, z: float, angle: float) -> np.ndarray:
    """Return the pose of a frame turned about y, and moved."""
    X = np.eye(4)
    X[0, 0] = X[2, 2] = np.cos(angle)
    X[0, 2], X[2, 0] = np.sin(angle), -np.sin(angle)
    X[:3, 3] = x, y, z
    return X


# A box of 5 cm tumbles down through a sheet of 1 mm.
box, sheet = kc.Box([0.05, 0.05, 0.05]), kc.Box([1.0, 1.0, 0.001])
times = np.linspace(0.0, 0.2, 9)
fall = kc.PoseTrajectory(times, [placed(0.5 * t, 0.0, 0.5 - 5.0 * t, 60.0 * t) for t in times], "screw")

k = kc.first_contact(box, fall, sheet, np.eye(4))
print(k)
print(f"  at {k.p_W.round(4)}, {k.features[0]} of the box meets {k.features[1]} of the sheet")
assert k.verdict is kc.Verdict.COLLIDING
assert k.t_lo <= k.time <= k.t_hi

# Sampling ten instants misses the contact, and the result says that it proves nothing.
print(kc.first_contact(box, fall, sheet, np.eye(4), method="sampling", samples=10))

# 20 cm to the side of the sheet's edge it is clear: proved for the whole motion, not for some instants of it.
aside = kc.first_contact(box, fall, sheet, placed(-0.75, 0.0, 0.0, 0.0), margin=0.1)
print(aside)
assert aside.verdict is kc.Verdict.CLEAR

# How close does it get, and when? Both numbers are certified.
least = kc.clearance(box, fall, sheet, placed(-0.75, 0.0, 0.0, 0.0))
print(least)
assert least.upper - least.lower <= 1e-4

# Two independent methods agree; they differ in the number of distances that they compute.
for method in ("hybrid", "bisection"):
    found = kc.first_contact(box, fall, sheet, np.eye(4), tolerance=1e-6, method=method)
    print(f"{method}: {found.time:.6f} s after {found.evaluations} distances")
    assert abs(found.time - k.time) < 1e-4

# Where along a conveyor may the sheet lie? One call for all positions.
cases = [(box, fall, sheet, placed(x, 0.0, 0.0, 0.0)) for x in np.linspace(-1.0, 1.0, 41)]
clear = [result.verdict is kc.Verdict.CLEAR for result in kc.first_contact_batch(cases, threads=2)]
print(f"clear at {sum(clear)} of {len(cases)} places")
assert 0 < sum(clear) < len(cases)

# Dropped from one pose to many others: casts, with arrays of poses instead of motions.
X_end = np.array([placed(x, 0.0, -0.5, 1.0) for x in np.linspace(0.0, 2.0, 21)])
casts = kc.first_contact(box, (placed(0.0, 0.0, 0.5, 0.0), X_end), sheet, np.eye(4))
print(casts, casts.time.round(3))
assert (np.isnan(casts.time) == (casts.verdict == kc.Verdict.CLEAR)).all()
