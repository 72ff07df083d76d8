"""Verification of a robot cell: from a cell file to a verdict for every instant."""

from pathlib import Path

import numpy as np

import keepclear as kc

# The cell that ships with keepclear: a cart brings a part, an arm reaches through an arch to take it.
path = Path(kc.__file__).parent / "jobs" / "cell" / "demo" / "cell.yaml"
cell = kc.read_cell(path)
print(f"programs: {cell.programs}, objects: {tuple(cell.objects)}")

# The first program collides: the gripper grazes a fin of the arch.
report = kc.verify(cell, program="pick")
print(report)
first = report.first
assert report.verdict is kc.Verdict.COLLIDING
assert {first.a, first.b} == {"arm/gripper", "arch"}
assert first.t_lo <= first.time <= first.t_hi

# Sampling a hundred poses finds no contact, except of objects that stand on the table and never move.
world = cell.world("pick")
seen = [t for t in np.linspace(report.t0, report.t1, 100) if world.collisions(t, at_rest=False)]
print(f"sampled at 100 poses: {len(seen)} with contact")
assert not seen

# The corrected program is proved clear, and the report says by how much.
corrected = kc.verify(cell, program="pick-corrected")
closest = min(corrected.pairs, key=lambda pair: pair.clearance_lower)
print(
    f"{corrected.verdict.name}: '{closest.a}' keeps {1e3 * closest.clearance_lower:.2f} mm from '{closest.b}'"
)
assert corrected.verdict is kc.Verdict.CLEAR
assert closest.clearance_lower >= 0.004

# The report lists what the verdict depends on: unchecked pairs with their reasons, and assumptions.
for pair in corrected.unchecked:
    if pair.reason not in ("srdf", "neighbours"):
        print(f"not judged: '{pair.a}' and '{pair.b}', {pair.reason} {pair.detail}")

# The same in Python: a world, with a tray at the position of the cart's tray.
tray = np.eye(4)
tray[:3, 3] = 0.88, 0.0, 0.13
own = kc.World()
own.add_robot("arm", cell.objects["arm"].robot, cell.program_motions["pick-corrected"]["arm"].motion)
own.add("tray", kc.Box([0.3, 0.4, 0.02]), tray)
own.set_margin("arm", "tray", 0.01)
print(own.verify(tolerance=1e-4))
assert own.verify(tolerance=1e-4).exit_code == 0

# Reports are stored, compared and read back.
assert kc.Report.from_json(corrected.to_json()) == corrected
