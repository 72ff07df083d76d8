"""Source E, the event-driven crowd: 1000 spheres with unknown trajectories, as in the source's first table.

    python examples/sources/crowd.py [page.html]

Kim, Guibas and Shin: radii 0.1 to 10, speeds 2.5 to 25 times the root of 3, accelerations 10 to 20, a cube of 200.
One simulated second took 1.372 s on a processor of 195 MHz; with 1000 particles that circulate it took 2.846 s.
"""

import sys
import time

import numpy as np

import keepclear as kc

N, EDGE, SECONDS = 1000, 200.0, 1.0
box = (np.zeros(3), np.full(3, EDGE))


def seconds_per_second(crowd: kc.Crowd) -> float:
    """Return the processor time of a simulated second, without building the crowd."""
    crowd.advance(0.0)
    start = time.process_time()
    crowd.advance(SECONDS)
    return (time.process_time() - start) / SECONDS


rng = np.random.default_rng(0)
radii = rng.uniform(0.1, 10.0, N)
x = kc.place_spheres(radii, box, seed=0)
v = rng.normal(size=(N, 3))
v *= (rng.uniform(2.5, 25.0, N) * np.sqrt(3.0) / np.linalg.norm(v, axis=1))[:, None]
crowd = kc.Crowd(x, v, radii, rng.uniform(10.0, 20.0, N), bounds=box, motion=kc.RandomForces(seed=1))
random = seconds_per_second(crowd)

particles = rng.uniform(1.0, 10.0, N)
places = kc.place_spheres(particles, box, seed=1)
field = kc.Crowd(places, np.zeros((N, 3)), particles, 30.0, bounds=box, motion=kc.VelocityField())
circulating = seconds_per_second(field)

print(f"{'experiment':<28}{'source (195 MHz)':>18}{'here':>10}{'contacts':>10}{'events':>10}")
for name, source, here, one in (
    ("random forces", 1.372, random, crowd),
    ("circulating particles", 2.846, circulating, field),
):
    counts = one.statistics
    print(f"{name:<28}{source:>16.3f} s{here:>8.3f} s{counts['contacts']:>10}{sum(counts.values()):>10}")
    assert here < source

# No two spheres overlap, and nothing was missed: the crowd says until when any two cannot touch.
positions = crowd.positions()
gaps = np.linalg.norm(positions[:, None] - positions[None], axis=2) - radii[:, None] - radii[None]
assert gaps[np.triu_indices(N, 1)].min() > -1e-6
i, j = (int(k) for k in np.unravel_index(gaps.argmax(), gaps.shape))
print(
    f"\nspheres {i} and {j} cannot touch before t = {crowd.clear_until(i, j):.2f} s: they are {gaps[i, j]:.1f} m apart"
)

if len(sys.argv) > 1:
    few = kc.Crowd(x[:200], v[:200], radii[:200], 20.0, bounds=box, motion=kc.RandomForces(seed=1))
    kc.CrowdAnimation(few, until=3.0).to_html(sys.argv[1])
    print("page", sys.argv[1])
