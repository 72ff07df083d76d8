"""A crowd whose members are added, removed, resized, pushed and measured, for the library and for the oracle."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from tests.oracles.crowd_families import Scene
from tests.oracles.crowd_library import Event, library_crowd, plain
from tests.oracles.crowd_paths import Paths, borders, exact_array, forced

import keepclear as kc

Array = np.ndarray
MOST_NEW = 12
STOPS = 6


class Story:
    """A scene and what happens at some times; the oracle knows all members from the start, absent until they come."""

    def __init__(self, scene: Scene, rng: np.random.Generator) -> None:
        self.scene, self.rng = scene, rng
        self.n = len(scene.radii)
        self.size = float(np.ptp(scene.x) + np.mean(scene.radii))
        more = MOST_NEW
        self.x = exact_array(np.concatenate([scene.x, np.zeros((more, scene.dimension))]))
        self.v = exact_array(np.concatenate([scene.v, np.zeros((more, scene.dimension))]))
        self.r = np.concatenate([scene.radii, np.zeros(more)])
        self.a = np.concatenate([scene.bounds, np.zeros(more)])
        self.present = np.arange(self.n + more) < self.n
        self.parts: list[tuple[Paths, Array, Array]] = []

    def run(self, path: Path) -> tuple[list[Event], Any, list[str]]:
        """Let it happen; events, the crowd at the end, and what is wrong with ids and positions."""
        scene = self.scene
        crowd = library_crowd(scene, "report", bounds=None)
        stops = np.sort(self.rng.uniform(0.0, scene.t_end, STOPS)).tolist()
        events, wrong, now = [], [], 0.0
        for t in (*stops, scene.t_end):
            events += plain(crowd.advance(t))
            self.go(now, t)
            wrong += self.state_faults(crowd, t)
            now = t
            if t < scene.t_end:
                crowd = self.happen(crowd, t, path)
        return events, crowd, wrong

    def go(self, t0: float, t1: float) -> None:
        forces = replace(self.scene, bounds=self.a).forces()
        paths = forced(self.x, self.v, forces, borders(self.scene.interval, t0, t1))
        self.parts.append((paths, self.present.copy(), self.r.copy()))
        self.x, self.v = paths.state(paths.grid[-1])

    def happen(self, crowd: Any, t: float, path: Path) -> Any:
        """One thing or two happen now."""
        for what in self.rng.permutation(["add", "remove", "resize", "push", "observe", "jump", "save"])[:2]:
            crowd = getattr(self, what)(crowd, t, path)
        return crowd

    def add(self, crowd: Any, _t: float, _path: Path) -> Any:
        k = int(self.rng.integers(1, 4))
        rows = np.arange(self.n, self.n + k)
        if rows[-1] >= len(self.r):
            return crowd
        d = self.scene.dimension
        like = self.rng.integers(0, len(self.scene.radii), k)
        x = self.scene.x[like] + self.rng.normal(size=(k, d)) * 0.1 * self.size
        v, r, a = self.scene.v[like], self.scene.radii[like], self.scene.bounds[like]
        ids = crowd.add(x, v, r, a)
        assert ids.tolist() == rows.tolist()
        self.x[rows], self.v[rows], self.r[rows], self.a[rows] = exact_array(x), exact_array(v), r, a
        self.present[rows] = True
        self.n += k
        return crowd

    def some(self) -> Array:
        there = np.nonzero(self.present)[0]
        return np.sort(self.rng.permutation(there)[: int(self.rng.integers(1, 4))])

    def remove(self, crowd: Any, _t: float, _path: Path) -> Any:
        ids = self.some()
        if np.count_nonzero(self.present) > len(ids) + 2:
            crowd.remove(ids)
            self.present[ids] = False
        return crowd

    def resize(self, crowd: Any, _t: float, _path: Path) -> Any:
        ids = self.some()
        self.r[ids] = self.r[ids] * self.rng.choice([0.0, 0.01, 0.5, 2.0, 30.0], len(ids))
        crowd.change(ids, radii=self.r[ids])
        return crowd

    def push(self, crowd: Any, _t: float, _path: Path) -> Any:
        """Other maximum accelerations, and so other forces."""
        if self.scene.is_random:
            ids = self.some()
            self.a[ids] = self.a[ids] * self.rng.choice([0.1, 3.0, 10.0], len(ids))
            crowd.change(ids, max_accelerations=self.a[ids])
        return crowd

    def observe(self, crowd: Any, t: float, _path: Path) -> Any:
        """Velocities jump."""
        ids = self.some()
        x, v = crowd.positions(t)[np.searchsorted(crowd.ids, ids)], -1.5 * crowd.velocities(t)[: len(ids)]
        crowd.observe(ids, t, x, v)
        self.x[ids], self.v[ids] = exact_array(x), exact_array(v)
        return crowd

    def jump(self, crowd: Any, t: float, _path: Path) -> Any:
        """Positions jump, too."""
        ids = self.some()
        x = self.scene.x[self.rng.integers(0, len(self.scene.x), len(ids))]
        v = self.scene.v[self.rng.integers(0, len(self.scene.x), len(ids))]
        crowd.observe(ids, t, x, v)
        self.x[ids], self.v[ids] = exact_array(x), exact_array(v)
        return crowd

    def save(self, crowd: Any, _t: float, path: Path) -> Any:
        crowd.save(path)
        return kc.Crowd.restore(path)

    def state_faults(self, crowd: Any, t: float) -> list[str]:
        there = np.nonzero(self.present)[0]
        if crowd.ids.tolist() != there.tolist():
            return [f"ids at {t!r} are {crowd.ids.tolist()}, not {there.tolist()}"]
        paths = self.parts[-1][0]
        x = paths.positions(t)[there]
        off = float(np.abs(crowd.positions(t) - x).max())
        wrong = (
            []
            if off <= 1e-12 * (np.abs(x).max() + self.size) * 10
            else [f"positions at {t!r} are off by {off:.3g}"]
        )
        if crowd.radii.tolist() != self.r[there].tolist():
            wrong.append(f"radii at {t!r} are {crowd.radii.tolist()}")
        return wrong

    def paths(self) -> Paths:
        """All parts one after the other."""
        parts = [p for p, _, _ in self.parts]
        grid = [*(t for p in parts for t in p.grid[:-1]), parts[-1].grid[-1]]
        x, v, a = (np.concatenate([getattr(p, name) for p in parts]) for name in "xva")
        there = np.concatenate([np.tile(present, (len(p.grid) - 1, 1)) for p, present, _ in self.parts])
        return Paths(grid, x, v, a, there)

    def radii(self) -> Array:
        """Radii (intervals, n)."""
        return np.concatenate([np.tile(r, (len(p.grid) - 1, 1)) for p, _, r in self.parts])
