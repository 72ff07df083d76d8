"""Searches that a test holds in its hands, in the place of real ones: slow, endless and failing ones."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.world.submit.check import Batch

PATIENCE = 30.0  # [s]: nothing takes as long, so a test that waits in vain fails instead of hanging


class Answer:
    """What a double answers, in the place of a `Collision`."""

    def __init__(self, pairs: list[tuple[int, int]]) -> None:
        self.pairs = sorted(pairs)


class Search:
    """Finds the given portions of pairs, one in each piece, then answers; `fails` says after how many it raises."""

    def __init__(self, *portions: list[tuple[int, int]], fails: int | None = None) -> None:
        self._portions, self._fails = list(portions), fails
        self._found: list[tuple[int, int]] = []
        self._all: list[tuple[int, int]] = []
        self.budgets: list[int] = []
        self.threads: set[int] = set()

    def run(self, budget: int) -> bool:
        self.threads.add(threading.get_ident())
        self.budgets.append(budget)
        if self._fails is not None and len(self.budgets) > self._fails:
            raise ArithmeticError(f"piece {len(self.budgets)} cannot be done")
        if self._portions:
            self._found += self._portions.pop(0)
        return not self._portions and self._fails is None

    def take(self) -> Batch:
        found, self._found = self._found, []
        self._all += found
        n = len(found)
        return Batch(np.array(found, dtype=np.int64).reshape(-1, 2), np.zeros((n, 2, 3)), np.ones(n, bool))

    def result(self) -> Any:
        assert not self._portions
        return Answer(self._all)


class HeldSearch(Search):
    """Begins a piece and waits until the test allows it: `entered.wait()`, then `allow()`, and so on."""

    def __init__(self, *portions: list[tuple[int, int]], fails: int | None = None) -> None:
        super().__init__(*portions, fails=fails)
        self._entered, self._allowed = threading.Semaphore(0), threading.Semaphore(0)

    def run(self, budget: int) -> bool:
        self._entered.release()
        assert self._allowed.acquire(timeout=PATIENCE)
        return super().run(budget)

    def wait(self) -> None:
        """Return when the search is in a piece."""
        assert self._entered.acquire(timeout=PATIENCE)

    def allow(self, n_pieces: int = 1) -> None:
        self._allowed.release(n_pieces)


class EndlessSearch(Search):
    """Never ends, and leaves the interpreter to others while it works, as kernels do."""

    def run(self, budget: int) -> bool:
        super().run(budget)
        time.sleep(1e-4)
        return False


class Body:
    """An object for a world without geometry: it makes the search for each check in which it comes first."""

    def __init__(self, make: Callable[[], Search] = Search) -> None:
        self.make = make


def prepared(body: Body, *, searched: bool, using: str | None) -> Body:
    assert searched  # these objects have no motion
    assert using is None
    return body


def checked_request(a: Body, b: Body, X_AB: Any, find: str, using: str | None) -> npt.NDArray[np.float64]:
    assert isinstance(a, Body)
    assert isinstance(b, Body)
    assert find in ("any", "all")
    assert using is None
    return np.array(X_AB)


def new_search(a: Body, b: Body, X_AB: npt.NDArray[np.float64], find: str, using: str | None) -> Search:
    assert isinstance(b, Body)
    assert X_AB.shape == (4, 4)
    assert find in ("any", "all")
    assert using in (None, "obb_tree", "box_tree")
    return a.make()
