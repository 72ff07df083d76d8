"""When do spheres touch whose ways nobody knows? A crowd in a box, and walkers who are only measured now and then."""

import numpy as np

import keepclear as kc

# A hundred spheres, pushed about by forces that nobody tells the crowd: it knows only how strong they can be.
rng = np.random.default_rng(0)
grid = np.stack(np.meshgrid(*[np.arange(5) * 20.0 + 10.0] * 3), axis=-1).reshape(-1, 3)[:100]
crowd = kc.Crowd(
    positions=grid,
    velocities=rng.normal(size=(100, 3)) * 15.0,
    radii=rng.uniform(0.1, 6.0, 100),
    max_accelerations=rng.uniform(10.0, 20.0, 100),
    bounds=([0, 0, 0], [100, 100, 100]),
    motion=kc.RandomForces(seed=1),
    response="elastic",
)
events = crowd.advance(2.0)
for event in events[:3]:
    print(f"{event.time:.6f} s: {event.kind} of {event.i} and {event.j} at {event.position.round(2)}")
print(len(events), "events;", crowd.statistics)
assert crowd.statistics["contacts"] == (events.kind == "contact").sum()

# Two walkers, measured at irregular times. Each can change its velocity by at most 1 m/s in a second.
people = kc.Crowd([[0.0, 0.0], [9.0, 0.2]], [[1.2, 0.0], [-1.0, 0.0]], radii=0.4, max_accelerations=1.0)
print(f"no contact before {people.clear_until(0, 1):.3f} s")
people.advance(1.5)
people.observe([0], 1.5, [[1.9, 0.0]], [[1.4, 0.1]])
(alarm,) = people.advance(3.0)
print(f"{alarm.time:.3f} s: contact of {alarm.i} and {alarm.j} is {alarm.kind} from now on")
assert alarm.kind == "possible"
