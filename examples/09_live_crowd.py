"""Alarms before a contact is possible, from a stream of live positions that are noisy, late and out of order."""

from itertools import combinations

import numpy as np

import keepclear as kc

# In a warehouse, tags send positions and velocities of people and vehicles, with these errors [m, m/s].
ERRORS = {"position_errors": 0.1, "velocity_errors": 0.2}
# Radius [m], maximum acceleration [m/s^2] and maximum speed [m/s] of each kind.
PERSON, VEHICLE = (0.3, 3.0, 2.5), (1.2, 2.0, 4.0)
AHEAD = 1.0  # reaction time of drivers [s]

# The true motions, known only to the tags (and to the checks below): x + v t, and some weaving.
truth = {  # name: kind, when its tag begins and ends to send, x, v
    "truck": (VEHICLE, 0.0, 20.0, [-20.0, 0.0], [2.5, 0.0]),
    "cart": (VEHICLE, 0.0, 20.0, [40.0, 0.5], [-0.5, 0.0]),
    "Anna": (PERSON, 0.0, 20.0, [0.0, -13.0], [0.0, 1.3]),  # lets the truck pass
    "Ben": (PERSON, 0.0, 20.0, [-5.0, 20.0], [1.2, 0.0]),  # walks beside Dora, who is not compared with him
    "Carl": (PERSON, 0.0, 6.0, [12.0, -6.0], [0.0, 0.0]),  # stands still, but his tag falls silent
    "Dora": (PERSON, 9.0, 14.0, [-5.0, 19.0], [1.2, 0.0]),  # comes through a door, and goes
}


def state(name, t):
    """Return where somebody really is at a time, and the velocity."""
    x, v, weave = np.array([*truth[name][3:], [0.0, 0.3]])
    return x + v * t + weave * np.sin(t), v + weave * np.cos(t)


# The packets: measured at irregular times; some arrive later than others that were sent after them.
rng = np.random.default_rng(3)
packets = []
for name, (_, begin, end, _, _) in truth.items():
    for t in np.cumsum(rng.uniform(0.1, 0.5, 200)) + begin:
        way = rng.normal(size=(2, 2))
        off = way / np.linalg.norm(way, axis=1)[:, None] * rng.uniform(0.0, 1.0, (2, 1)) * [[0.1], [0.2]]
        if t < end:
            packets.append((t + rng.uniform(0.02, 0.6), t, name, state(name, t) + off))
packets.sort(key=lambda packet: packet[0])

# The monitor. The crowd is empty at first.
crowd = kc.Crowd(np.zeros((0, 2)), np.zeros((0, 2)), radii=[], max_accelerations=[], max_speeds=[])
ids, names, warned, events, outdated, silent = {}, {}, {}, [], 0, set()
for now, t, name, (x, v) in packets:
    events += list(crowd.advance(now))
    if name not in ids:
        radius, acceleration, speed = truth[name][0]
        group = 0 if truth[name][0] is PERSON else -1  # people are not compared with people
        (i,) = crowd.add([x], [v], radius, acceleration, max_speeds=speed, groups=group, time=t, **ERRORS)
        ids[name], names[i] = i, name
    elif not crowd.observe([ids[name]], t, [x], [v], **ERRORS).all():
        outdated += 1  # a newer measurement is known
    if now > 14.5 and "Dora" in names.values():
        crowd.remove([ids["Dora"]])  # reported by the door
        del names[ids["Dora"]]
    for event in crowd.forecast(now + AHEAD):
        pair = tuple(sorted((names[event.i], names[event.j])))
        if event.kind == "possible" and pair not in warned:
            warned[pair] = now
            print(f"{now:6.3f} s: {' and '.join(pair)} may touch at {event.time:.3f} s")
    centres, reach = crowd.bounds_at(now)
    for i, centre, radius, last in zip(crowd.ids, centres, reach, crowd.observed, strict=True):
        if now - last > 3.0 and i not in silent:
            silent.add(i)
            print(f"{now:6.3f} s: {names[i]} was last seen at {last:.3f} s, and is within {radius:.1f} m")
        # The true position of every member is inside its bound.
        assert np.linalg.norm(state(names[i], now)[0] - centre) + truth[names[i]][0][0] <= radius + 1e-9
print(f"{len(packets)} packets, {outdated} of them outdated, {crowd.statistics['jumps']} against the limits")
assert outdated > 0
assert crowd.statistics["jumps"] == 0

# For every real contact, the possibility was reported before, and a warning came in time.
for a, b in combinations(sorted(truth), 2):
    near = truth[a][0][0] + truth[b][0][0]
    for t in np.arange(0.0, 20.0, 0.01):
        if np.linalg.norm(state(a, t)[0] - state(b, t)[0]) <= near:
            print(f"{t:6.3f} s: {a} and {b} really touch, {t - warned[a, b]:.2f} s after the warning")
            assert t - warned[a, b] > 0.9 * AHEAD
            assert any({e.i, e.j} == {ids[a], ids[b]} and e.time < t for e in events)
            break
assert set(warned) == {("Anna", "truck"), ("Carl", "truck"), ("Carl", "cart"), ("cart", "truck")}
