"""The library's crowds of the oracle's scenes, and their events in plain words."""

from collections.abc import Callable
from typing import Any

import numpy as np
from tests.oracles.crowd_families import Scene
from tests.oracles.crowd_truth import Box

import keepclear as kc

Array = np.ndarray
Event = tuple[float, int, int, str]


def library_crowd(scene: Scene, response: str, **options: Any) -> Any:
    """A crowd of the library; keywords go on to it, so `bounds=None` takes the walls away."""
    motion = kc.RandomForces(seed=scene.seed, interval=scene.interval) if scene.is_random else kc.Ballistic()
    known: dict[str, Any] = {
        "bounds": scene.box,
        "motion": motion,
        "response": response,
        "gravity": scene.gravity,
    }
    return kc.Crowd(scene.x, scene.v, scene.radii, scene.bounds, **(known | options))


def plain(events: Any) -> list[Event]:
    """Events as (time, i, j, kind)."""
    return [(float(e["time"]), int(e["i"]), int(e["j"]), str(e["kind"])) for e in events]


def faced(events: Any, box: Box, inside: set[tuple[int, int]]) -> list[Event]:
    """Events as (time, i, j, kind), where j of a wall is -1 less the number of the face it was touched on.

    In a corner a place is on several faces: a contact begins on one that is not touched yet, which `inside` remembers.
    """
    found = []
    for event, place in zip(plain(events), events["position"], strict=True):
        time, i, j, kind = event
        if j < 0:
            off = np.abs(np.stack(box, axis=-1) - place[:, None]).reshape(-1)
            near = np.nonzero(off <= off.min() + 1e-12 * np.abs(np.stack(box)).max())[0]
            several = [-1 - int(face) for face in near]
            j = next((f for f in several if ((i, f) in inside) == (kind == "end")), several[0])
            (inside.add if kind == "begin" else inside.discard)((i, j))
        found.append((time, i, j, kind))
    return found


def probe_of(scene: Scene) -> Callable[[Array, float], tuple[Array, Array]]:
    """A caller's probe that moves members as the oracle says."""
    paths = scene.paths()

    def probe(ids: Array, t: float) -> tuple[Array, Array]:
        return paths.positions(t)[ids], paths.velocities(t)[ids]

    return probe
