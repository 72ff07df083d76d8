"""Elastic crowds of the library beside the oracle, which starts again from the library's state after each impact."""

from copy import copy
from typing import Any

import numpy as np
from tests.oracles.crowd_elastic import Elastic, Impact
from tests.oracles.crowd_families import Scene
from tests.oracles.crowd_library import plain
from tests.oracles.crowd_paths import as_float

SAME_TIME = 1e-9  # [s]
SAME_SPEED = 1.0  # [m/s]
APART = 1e-7  # between impacts that are told apart by their order [s]
SIMULTANEOUS = 12  # at most so many impacts within that time


def restart_faults(scene: Scene, crowd: Any, tolerance: float, most: int = 40) -> tuple[list[str], int]:
    """What is wrong with the impacts of a crowd up to the scene's end (or so many), and how many were compared."""
    oracle, compared = scene.elastic(), 0
    while as_float(oracle.time) < scene.t_end and compared < most:
        hits, stop = next_impacts(oracle, scene.t_end)
        events = plain(crowd.advance(stop))
        wrong = impact_faults(events, hits, tolerance, scene)
        oracle.run(stop)
        wrong += state_faults(crowd, oracle, stop, hits, tolerance)
        if wrong:
            return [f"{scene.name}, after {compared} impacts: {text}" for text in wrong], compared
        compared += len(hits)
        oracle = Elastic.start(
            crowd.positions(stop),
            crowd.velocities(stop),
            scene.radii,
            scene.forces(),
            interval=scene.interval,
            box=scene.box,
            time=stop,
        )
    return [], compared


def next_impacts(oracle: Elastic, t_end: float) -> tuple[list[Impact], float]:
    """The next impact, with those that are as good as simultaneous, and a time before the one after."""
    ahead = copy(oracle)
    hits: list[Impact] = []
    while len(hits) < SIMULTANEOUS:
        more = ahead.run(t_end, most=1)
        if not more:
            return hits, t_end
        if hits and more[0].time > hits[-1].time + APART:
            return hits, 0.5 * (hits[-1].time + more[0].time)
        hits += more
    return hits, as_float(ahead.time)


def impact_faults(
    events: list[tuple[float, int, int, str]], hits: list[Impact], tolerance: float, scene: Scene
) -> list[str]:
    """Compare impacts, those that are as good as simultaneous in any order."""
    told = [e for e in events if e[3] in ("contact", "wall")]
    if sorted(e[1:3] for e in told) != sorted((h.i, h.j) for h in hits):
        return [f"told {events}, but the truth is {[h[:5] for h in hits]}"]
    rounding = 1e-14 * float(np.abs(scene.x).max() + 1.0)
    wrong = []
    for event, hit in zip(
        sorted(told, key=lambda e: e[1:3]), sorted(hits, key=lambda h: (h.i, h.j)), strict=True
    ):
        allowed = max(SAME_TIME, 2.0 * (tolerance + rounding) / hit.rate)
        if abs(event[0] - hit.time) > allowed:
            wrong.append(f"told {event}, but the truth is {hit[:5]}")
    return wrong


def state_faults(crowd: Any, oracle: Elastic, t: float, hits: list[Impact], tolerance: float) -> list[str]:
    """Compare positions and velocities after impacts; errors of a time grow with the speed and the curvature."""
    x, v = oracle.doubles()
    r = min((float(oracle.radii[h.i] + (oracle.radii[h.j] if h.j >= 0 else 0.0)) for h in hits), default=1.0)
    speed = float(np.abs(v).max())
    late = max([SAME_TIME, *(4.0 * tolerance / h.rate for h in hits if h.rate > 0.0)])
    allowed = late * (SAME_SPEED + speed) * max(1.0, speed / r) + 1e-14 * float(np.abs(x).max())
    off = max(float(np.abs(crowd.positions(t) - x).max()), float(np.abs(crowd.velocities(t) - v).max()))
    return [] if off <= allowed else [f"state at {t!r} is off by {off:.3g}, more than {allowed:.3g}"]
