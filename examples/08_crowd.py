"""Contacts of spheres with unknown trajectories: balls in a box, and members that your own code moves."""

import numpy as np

import keepclear as kc

# A hundred balls in a box, pushed by forces that the crowd does not know: it only knows their maximum.
rng = np.random.default_rng(0)
places = np.stack(np.meshgrid(*[np.arange(5) * 20.0 + 10.0] * 3), axis=-1).reshape(-1, 3)[:100]
radii = rng.uniform(0.1, 6.0, 100)
speeds = rng.normal(size=(100, 3)) * 15.0
box = ([0, 0, 0], [100, 100, 100])

crowd = kc.Crowd(places, speeds, radii, max_accelerations=20.0, bounds=box, motion=kc.RandomForces(seed=1))
events = crowd.advance(5.0)  # elastic: they bounce off each other, and off the walls
contacts = events[events.kind == "contact"]
for event in contacts[:3]:
    print(f"{event.time:.6f} s: balls {event.i} and {event.j} touch at {event.position.round(2)}")
print(f"{len(contacts)} contacts and {len(events) - len(contacts)} bounces off walls in {crowd.time:g} s")
x = crowd.positions()
gaps = np.linalg.norm(x[:, None] - x[None], axis=2) - radii[:, None] - radii[None]
assert gaps[np.triu_indices(100, 1)].min() >= -crowd.tolerance  # no ball ever overlaps another

# Members that your own code moves, here in a plane: it is called only when members may touch.
lamps = rng.uniform(0.0, 12.0, (100, 2))
reach, beat, phase = rng.uniform([[0.5, 1.0, 0.0]], [[2.0, 4.0, 6.0]], (100, 3)).T[..., None]


def moths(ids, t):
    """Return where the moths with these ids are, and how they fly: in circles around lamps."""
    angle = beat[ids] * t + phase[ids]
    x = lamps[ids] + reach[ids] * np.hstack([np.cos(angle), np.sin(angle)])
    return x, reach[ids] * beat[ids] * np.hstack([-np.sin(angle), np.cos(angle)])


start, flight = moths(np.arange(100), 0.0)
swarm = kc.Crowd(start, flight, radii=0.02, max_accelerations=(reach * beat**2).ravel(), motion=moths)
events = swarm.advance(2.0)  # they pass through each other; events report when overlaps begin and end
begins = events[events.kind == "begin"]
print(f"{len(begins)} times moths touch, first {begins[0].i} and {begins[0].j} at {begins[0].time:.6f} s")
a, b = moths(np.array([begins[0].i, begins[0].j]), begins[0].time)[0]
assert abs(np.linalg.norm(b - a) - 0.04) <= 1e-9

# Sampling frames, the usual method without events, misses some of them.
unseen = 0
for end in events[events.kind == "end"]:
    begin = begins[(begins.i == end.i) & (begins.j == end.j) & (begins.time <= end.time)][-1]
    unseen += np.ceil(begin.time * 60) > np.floor(end.time * 60)
print(f"{unseen} of them lie between two frames of a film with 60 a second")
assert unseen > 0
