"""The rules of a world as sorted keys of pairs of items: excluded, selected, allowed for a while, with margins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.report.parts import Unchecked
from keepclear.scene.items import Item, WorldRobot
from keepclear.scene.rules import ALWAYS, Allowed, Rules, allowed_links, left_over

Keys = npt.NDArray[np.int64]
MOST_LISTED = 100_000
"""Greatest number of pairs that were not selected and are listed one by one."""


class PairRules:
    """The rules for pairs of items. The key of items i < j is i n + j, with n items.

    Args:
        items: All items.
        rules: The rules of the world.

    Attributes:
        excluded: Sorted keys of pairs that are never checked.
        selected: Sorted keys of the selected pairs; None: all pairs are checked.
        unchecked: The entries of reports for excluded pairs, and for pairs that are allowed to touch for a while.
        not_listed: How many pairs were not selected, if they are too many to be listed.
        is_mentioned: (n,) whether a margin or a path tolerance was set for an item itself.
        margins: (n,) the margin set for an item itself [m].
        pair_margins: (n,) the largest margin set for pairs of an item [m].
        errors: (n,) how far the true surface of an item may be from its shapes [m]; margins of its pairs grow by it.
    """

    def __init__(self, items: list[Item], rules: Rules) -> None:
        self._items, self._rules, self._n = items, rules, len(items)
        own: dict[str, list[int]] = {}
        for k, item in enumerate(items):
            own.setdefault(item.name, []).append(k)
            if isinstance(item.owner, WorldRobot):
                own.setdefault(item.owner.name, []).append(k)
        with_tools = {name: list(numbers) for name, numbers in own.items()}
        for tool, robot in rules.tools.items():
            with_tools.setdefault(robot, []).extend(own.get(tool, ()))
        self._covered = with_tools  # in selections and margins; permissions do not include tools
        self.unchecked: list[Unchecked] = []
        self.not_listed = 0
        self.selected = self._selected_keys()
        self._covered = own
        excluded = self._excluded_links() | self._allowed_always()
        self.excluded = np.array(sorted(excluded), np.int64)
        for key, (reason, detail) in excluded.items():
            if self._is_selected(key):
                a, b = self._names(key)
                self.unchecked.append(Unchecked(a=a, b=b, reason=reason, detail=detail))
        self._list_not_selected()
        self._windows = self._allowed_windows(excluded)
        self._covered = with_tools
        self._special = set(self._windows) | {
            key for a, b, _ in rules.pair_margins for key in self._keys_of(a, b)
        }
        self.special = np.array(sorted(self._special), np.int64)
        self.is_mentioned = np.zeros(self._n, dtype=bool)
        self.margins, self.pair_margins = np.zeros(self._n), np.zeros(self._n)
        self.errors = np.array([item.error for item in items], dtype=np.float64)
        for name in (*rules.margins, *rules.tolerances):
            self.is_mentioned[self._covered.get(name, [])] = True
        for k in np.flatnonzero(self.is_mentioned).tolist():
            self.margins[k] = rules.margin(items[k].name, "")
        for a, b, margin in rules.pair_margins:
            for k in (*self._covered.get(a, ()), *self._covered.get(b, ())):
                self.pair_margins[k] = max(self.pair_margins[k], margin)

    def windows(self, i: int, j: int) -> list[Allowed]:
        """Return when and why two items may touch for a while."""
        return self._windows.get(i * self._n + j, [])

    def never_left(self, t0: float, t1: float) -> set[int]:
        """Return the keys of pairs that are always allowed to touch from t0 to t1, by one window or several."""
        return {
            key
            for key, allowed in self._windows.items()
            if not left_over((t0, t1), [rule.window for rule in allowed])
        }

    def margin(self, i: int, j: int) -> float:
        """Return the margin of two items and the errors of their shapes, without their path tolerances [m]."""
        return self.set_margin(i, j) + self.errors.item(i) + self.errors.item(j)

    def set_margin(self, i: int, j: int) -> float:
        """Return the margin of two items that was set [m]."""
        return self._rules.margin(self._items[i].name, self._items[j].name)

    def is_checked(self, keys: Keys) -> npt.NDArray[np.bool_]:
        """Return which pairs are neither excluded nor missing in a selection, (k,)."""
        checked = ~_is_in(keys, self.excluded)
        return checked if self.selected is None else checked & _is_in(keys, self.selected)

    def n_excluded(self, classes: npt.NDArray[np.int64]) -> tuple[int, int]:
        """Return how many pairs of different classes, and of one class, are not checked."""
        n, selected = self._n, self.selected
        keys = self.excluded if selected is None else selected[~_is_in(selected, self.excluded)]
        same = int(np.count_nonzero(classes[keys // n] == classes[keys % n])) if n else 0
        different = len(keys) - same
        if self.selected is None:
            return different, same
        counts = np.bincount(classes, minlength=1)
        all_same = int((counts * (counts - 1) // 2).sum())
        return n * (n - 1) // 2 - all_same - different, all_same - same

    def _names(self, key: int) -> tuple[str, str]:
        i, j = divmod(key, self._n)
        return self._items[i].name, self._items[j].name

    def _keys_of(self, a: str, b: str) -> Iterator[int]:
        """Yield the keys of all pairs of items that two names cover."""
        for i, j in itertools.product(self._covered.get(a, ()), self._covered.get(b, ())):
            if i != j:
                yield min(i, j) * self._n + max(i, j)

    def _selected_keys(self) -> Keys | None:
        if self._rules.only is None:
            return None
        n, found = self._n, [np.empty(0, np.int64)]
        everything = np.arange(n)
        for a, b in self._rules.only:
            if b is not None:
                found.append(np.fromiter(self._keys_of(a, b), np.int64))
                continue
            for k in self._covered.get(a, ()):
                others = everything[everything != k]
                found.append(np.minimum(others, k) * n + np.maximum(others, k))
        return np.unique(np.concatenate(found))

    def _is_selected(self, key: int) -> bool:
        return self.selected is None or bool(_is_in(np.array([key]), self.selected)[0])

    def _excluded_links(self) -> dict[int, tuple[str, str]]:
        found = {}
        robots = {id(item.owner): item.owner for item in self._items if isinstance(item.owner, WorldRobot)}
        for robot in robots.values():
            for names, why in allowed_links(robot).items():
                a, b = (f"{robot.name}/{name}" for name in (*names, *names)[:2])
                found.update(dict.fromkeys(self._keys_of(a, b), why))
        return found

    def _allowed_always(self) -> dict[int, tuple[str, str]]:
        found: dict[int, tuple[str, str]] = {}
        links = self._excluded_links()
        for rule in self._rules.allowed:
            if rule.window == ALWAYS:
                for key in self._keys_of(rule.a, rule.b):
                    if key not in links:
                        found.setdefault(key, ("allowed", rule.reason))
        return found

    def _allowed_windows(self, excluded: Iterable[int]) -> dict[int, list[Allowed]]:
        """Return rules for windows of time by key, and list them."""
        found: dict[int, list[Allowed]] = {}
        without = set(excluded)
        for rule in self._rules.allowed:
            if rule.window == ALWAYS:
                continue
            for key in dict.fromkeys(self._keys_of(rule.a, rule.b)):
                if key not in without and self._is_selected(key):
                    found.setdefault(key, []).append(rule)
        for key, allowed in found.items():
            a, b = self._names(key)
            self.unchecked += [_window_of(a, b, rule) for rule in allowed]
        return found

    def _list_not_selected(self) -> None:
        if self.selected is None:
            return
        n = self._n
        count = n * (n - 1) // 2 - len(self.selected)
        if count > MOST_LISTED:
            self.not_listed = count
            return
        i, j = np.triu_indices(n, 1)
        keys = i * n + j
        detail = "other pairs were selected"
        for key in keys[~_is_in(keys, self.selected)].tolist():
            a, b = self._names(key)
            self.unchecked.append(Unchecked(a=a, b=b, reason="not designated", detail=detail))


def _window_of(a: str, b: str, rule: Allowed) -> Unchecked:
    start = None if rule.window[0] == -math.inf else rule.window[0]
    end = None if rule.window[1] == math.inf else rule.window[1]
    return Unchecked(a=a, b=b, reason="allowed", detail=rule.reason, t_from=start, t_to=end)


def _is_in(keys: Keys, table: Keys) -> npt.NDArray[np.bool_]:
    """Return which keys are in a sorted table."""
    if not len(table):
        return np.zeros(len(keys), dtype=bool)
    at = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    found: npt.NDArray[np.bool_] = table[at] == keys
    return found


def reach_of(rules: PairRules) -> FloatArray:
    """Return the largest margin that each item may have, (n,) [m]; see `Steps.candidates`.

    The margin of two items is at most the larger of their margins, or the smaller of those set for pairs of them, plus
    the errors of both.
    """
    return np.maximum(rules.margins, rules.pair_margins) + rules.errors
