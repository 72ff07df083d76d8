"""A world as flat tables of bodies, motions and rules for kernels, built once for many queries."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.kernels.tables.motion import SPAN
from keepclear.motion.motion import Motion
from keepclear.scene.frames import Frames
from keepclear.scene.hulls import HullTable
from keepclear.scene.items import Item
from keepclear.scene.lag import PathErrors
from keepclear.scene.pair_rules import PairRules
from keepclear.scene.rules import Rules
from keepclear.scene.steps import Steps
from keepclear.scene.timeline import Timeline

T = TypeVar("T")
_NOTHING = np.empty(0)
MOST_KEPT = 8  # cached for the next query: time steps and plans of intervals


class Scene:
    """The tables of a world. A change of the world creates another scene; bodies and motions are shared.

    Args:
        timeline: All items, and their parent frames over time.
        rules: The rules of the world; they are not copied, so a change needs another scene.

    Attributes:
        timeline: See above.
        rules: See above.
        items: All items, by name.
        geoms: The bodies of all items, (item, part) each.
        item: (geoms,) the number of each body's item.
        first: (items,) the number of each item's first body.
        around: (geoms, 7) a ball and a box around each body, in its frame [m].
        pair_rules: The rules by pair.
        errors: The path errors of items.
    """

    def __init__(self, timeline: Timeline, rules: Rules) -> None:
        self.timeline, self.rules = timeline, rules
        self.items: Sequence[Item] = timeline.items
        counts = np.array([len(item.parts) for item in timeline.items], np.int64)
        self.geoms = timeline.geoms
        self.item = np.repeat(np.arange(len(counts)), counts)
        self.first = np.cumsum(counts) - counts
        bodies = [part.body for item in timeline.items for part in item.parts]
        self.around = np.array([bounding_volumes_of(body).around for body in bodies]).reshape(-1, 7)
        self.pair_rules = PairRules(list(timeline.items), rules)
        self.errors = PathErrors(timeline, rules)
        self._lock = threading.RLock()
        self._frames: Frames | None = None
        self._motions: MotionTable | None = None
        self._hulls: HullTable | None = None
        self._kept: dict[tuple[Hashable, ...], Any] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all items."""
        return tuple(item.name for item in self.items)

    @property
    def frames(self) -> Frames:
        """When items first move relative to each other."""
        with self._lock:
            if self._frames is None:
                self._frames = Frames(self.timeline, self.rules)
            return self._frames

    @cached_property
    def at_rest(self) -> tuple[tuple[str, ...], ...]:
        """The names of items that never move relative to each other, by group."""
        classes = self.frames.classes
        order = np.argsort(classes, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(classes[order])) + 1)
        return tuple(tuple(self.names[k] for k in group.tolist()) for group in groups if len(group) > 1)

    @cached_property
    def is_exact(self) -> npt.NDArray[np.bool_]:
        """Which items have no path error by the rules, (items,)."""
        if not self.rules.tolerances:
            return np.ones(len(self.items), dtype=bool)
        return np.array([self.errors.is_exact(i) for i in range(len(self.items))])

    @cached_property
    def is_plain(self) -> npt.NDArray[np.bool_]:
        """Which items have exact shapes, no rules and a single parent frame, (items,)."""
        one = np.array([len(parents) == 1 for parents in self.timeline.parent_frames], dtype=bool)
        rules = self.pair_rules
        return np.asarray(one & self.is_exact & ~rules.is_mentioned & (rules.errors == 0.0))

    @property
    def motions(self) -> MotionTable:
        """The motions of all bodies."""
        with self._lock:
            if self._motions is None:
                self._motions = MotionTable(self)
            return self._motions

    @property
    def hulls(self) -> HullTable:
        """The hulls of all bodies."""
        with self._lock:
            if self._hulls is None:
                self._hulls = HullTable(self)
            return self._hulls

    def bodies_of(self, i: int) -> range:
        """Return the numbers of an item's bodies."""
        first = int(self.first[i])
        return range(first, first + len(self.items[i].parts))

    def steps(self, t0: float, t1: float) -> Steps:
        """Return the time steps of an interval."""
        return self.kept(("steps", t0, t1), lambda: Steps(self.motions, t0, t1))

    def kept(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return a value that depends only on this scene; it is computed on first use, and the last few are cached."""
        with self._lock:
            found: T
            if key in self._kept:
                found = self._kept[key]
                return found
            found = self._kept[key] = make()
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            return found


class MotionTable:
    """Every motion of a scene once, concatenated, and the motions of each body with their start times.

    Attributes:
        Q: All motions in the form of kernels.
        rows: (n,) rows of SPAN for each body and each of its parent frames; time steps are filled in by `Steps`.
        around: (n, 7) as `Scene.around`, by row.
        starts: (n,) the start of the body's motion [s].
        ends: (n,) its end [s].
        motions: Their objects.
        number: (n,) the number of the motion of each row.
        first_row: (geoms,) the first row of each body.
        is_packed: (n,) whether kernels can read the motion.
    """

    def __init__(self, scene: Scene) -> None:
        timeline = scene.timeline
        numbers: dict[int, int] = {}
        self.motions: list[Motion] = []
        owners: list[int] = []
        bodies: list[int] = []
        starts: list[float] = []
        ends: list[float] = []
        for g, (i, p) in enumerate(scene.geoms):
            parents = timeline.parent_frames[i]
            for k, parent in enumerate(parents):
                motion = timeline.motion(i, p, k)
                number = numbers.setdefault(id(motion), len(numbers))
                if number == len(self.motions):
                    self.motions.append(motion)
                owners.append(number)
                bodies.append(g)
                starts.append(parent.window[0])
                ends.append(parents[k + 1].window[0] if k + 1 < len(parents) else np.inf)
        packs = [m._packed if m._is_packed else _NOTHING for m in self.motions]
        sizes = np.array([len(pack) for pack in packs], np.int64)
        self.Q: FloatArray = np.concatenate(packs) if packs else np.empty(0)
        number_of = np.array(owners, np.int64)
        self.rows = np.zeros(len(owners), SPAN)
        self.rows["first"], self.rows["body"] = (np.cumsum(sizes) - sizes)[number_of], bodies
        self.around = scene.around[bodies]
        self.starts, self.ends = np.array(starts), np.array(ends)
        self.number, self.first_row = number_of, np.unique(bodies, return_index=True)[1]
        self.is_packed = (sizes > 0)[number_of]
        self.n_geoms = len(scene.geoms)
