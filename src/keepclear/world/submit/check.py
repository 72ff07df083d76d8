"""A check that runs in chunks in the background, and yields its findings as they arise."""

from __future__ import annotations

import threading
import traceback
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from keepclear.errors import CopyError
from keepclear.results import Collision

if TYPE_CHECKING:
    import asyncio  # imported at run time only by callers that use it: the import takes 30 ms

__all__ = ["Check"]

Pairs = npt.NDArray[np.int64]

FIRST_BUDGET = 256  # steps of a search before its first pause; later budgets depend on the time of the first
LARGEST_BUDGET = 1 << 40
SHORTEST_PIECE, LONGEST_PIECE = 0.002, 0.006  # [s] between two pauses, at which a cancelled check stops
TURN = 0.05  # [s] after which a check yields to waiting checks


class Batch(NamedTuple):
    """The findings of a search between two pauses.

    Attributes:
        pairs: Faces of A and B, (k, 2).
        segments: Their intersections in the frame of A, (k, 2, 3) [m].
        is_new: (k,) whether a pair of faces was not found before; polygons can intersect in several segments.
    """

    pairs: Pairs
    segments: npt.NDArray[np.float64]
    is_new: npt.NDArray[np.bool_]


class Search(Protocol):
    """A search that can pause."""

    def run(self, budget: int, /) -> bool:
        """Search for about the given number of steps, and return whether the search has ended."""
        ...

    def take(self) -> Batch:
        """Return the findings since the last call."""
        ...

    def result(self) -> Collision:
        """Return the answer of a search that has ended."""
        ...


class Check(Future[Collision]):
    """A check of two objects that runs in the background; `kc.World.submit` returns it.

    It is a `concurrent.futures.Future` whose result is a `Collision`, so that `result()`, `wait`, `as_completed` and
    `add_done_callback` work as usual. In addition:

    - `for i, j in check` gives the pairs of faces as they are found. The loop ends when the search ends, and raises
      like `result()` if the check failed or was cancelled. Each loop begins with the first pair.
    - `for pairs, segments in check.batches()` gives the same in arrays, with the segments in which the faces intersect.
    - `await check` and `async for i, j in check` do the same in `asyncio`.
    - `cancel()` also ends a check that is running.

    Attributes:
        a: Name of the first object.
        b: Name of the second object.
        find: "any" or "all".
    """

    def __init__(self, a: str, b: str, find: str, start: Callable[[], Search]) -> None:
        super().__init__()
        self.a, self.b, self.find = a, b, find
        self._start: Callable[[], Search] | None = start  # holds the data of the search
        self._search: Search | None = None
        self._leave: Callable[[Check], None] | None = None  # removes the check from its queue
        self._started = False
        self._budget = FIRST_BUDGET
        self._found: list[Batch] = []
        self._changed = threading.Condition()
        self._listeners: set[Callable[[], None]] = set()
        self._cancellation_reported = False
        self.add_done_callback(_tell_the_end)  # no bound method, which would create a reference cycle

    def __reduce__(self) -> NoReturn:
        raise CopyError(
            "a Check cannot be copied or pickled: it is one search of this process; use its result()."
        )

    # The state of the future stays "pending" until the end, which lets `Future.cancel` work at any time.

    def running(self) -> bool:
        """Return whether the search is running; it can still be cancelled."""
        return self._started and not self.done()

    def cancel(self) -> bool:
        """Cancel the check, even while it runs, and return whether it is cancelled: False if it ended before.

        The check counts as cancelled at once; a running search stops at its next pause, a few milliseconds later.
        """
        if not super().cancel():
            return False
        with self._changed:
            reported, self._cancellation_reported = self._cancellation_reported, True
        if not reported:
            self.set_running_or_notify_cancel()  # notifies callers of `wait` and `as_completed`
        return True

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for batch in self._batches():
            yield from _tuples(batch)

    def batches(self) -> Iterator[tuple[Pairs, npt.NDArray[np.float64]]]:
        """Yield what the search finds, in arrays, from the first pair on; it ends and raises as a loop does.

        Each item is (pairs, segments): faces (k, 2), and for each the segment in which they intersect, (k, 2, 3) in the
        frame of A [m]; for coplanar faces a longest segment of their intersection. Two polygons are listed once for
        each pair of their triangles that intersect.

        Examples:
            >>> import keepclear as kc
            >>> vertices, faces = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]
            >>> X_AB = np.eye(4)
            >>> X_AB[:3, 3] = 0.25, 0.25, -0.25
            >>> with kc.World("box_tree") as world:
            ...     world.add("left", (vertices, faces))
            ...     check = world.submit("left", "left", X_AB, find="all")
            ...     [(pairs.tolist(), segments.shape) for pairs, segments in check.batches()]
            [([[0, 1]], (1, 2, 3))]
        """
        for batch in self._batches():
            yield batch.pairs, batch.segments

    def _batches(self) -> Iterator[Batch]:
        k = 0
        while True:
            with self._changed:
                while len(self._found) == k and not self.done():
                    self._changed.wait()
                batches = self._found[k:]
            if not batches:
                break
            k += len(batches)
            yield from batches
        self.result()  # raises if the check failed or was cancelled

    async def __aiter__(self) -> AsyncIterator[tuple[int, int]]:
        import asyncio

        k = 0
        while await self._more_than(k):
            batches = self._found[k:]
            k += len(batches)
            for batch in batches:
                for pair in _tuples(batch):
                    yield pair
                await asyncio.sleep(0)  # other tasks run between two pairs
        if self.cancelled():
            raise asyncio.CancelledError  # as `await` does; that of `concurrent.futures` is another class
        self.result()

    async def _more_than(self, k: int) -> bool:
        """Return whether there are more than k batches of pairs; waits for them, or for the end of the search."""
        import asyncio

        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()

        def tell() -> None:
            with suppress(RuntimeError):  # the loop was closed, and no task waits any more
                loop.call_soon_threadsafe(_finish, ended)

        with self._changed:
            if len(self._found) > k or self.done():
                return len(self._found) > k
            self._listeners.add(tell)
        try:
            await ended
        finally:
            with self._changed:
                self._listeners.discard(tell)
        return len(self._found) > k

    def __await__(self) -> Generator[Any, None, Collision]:
        """Wait in asyncio; cancelling the task that waits cancels the check (`asyncio.shield` keeps it going)."""
        import asyncio

        return asyncio.wrap_future(self).__await__()

    def __repr__(self) -> str:
        n = sum(int(batch.is_new.sum()) for batch in self._found)
        found = f"{n} pair{'' if n == 1 else 's'} found"
        return f"Check({self.a!r}, {self.b!r}, find={self.find!r}, {self._state_word()}, {found})"

    def _state_word(self) -> str:
        if not self.done():
            return "running" if self._started else "waiting"
        if self.cancelled():
            return "cancelled"
        return "failed" if self.exception() is not None else "done"

    # The following methods are called by the worker threads.

    def _go_on(self, others_wait: Callable[[], bool]) -> bool:
        """Search chunk by chunk; return True at the end of the search, False when other checks wait."""
        search = self._begun() if self._search is None else self._search
        turn_ends = perf_counter() + TURN
        while search is not None and not self.done():
            began = perf_counter()
            finished = search.run(self._budget)
            now = perf_counter()
            self._publish(search.take())
            if finished:
                self._answer(search.result())
            elif now > turn_ends and others_wait():
                return False
            elif now - began < SHORTEST_PIECE:
                self._budget = min(2 * self._budget, LARGEST_BUDGET)
            elif now - began > LONGEST_PIECE:
                self._budget = max(self._budget // 2, 1)
        return True

    def _begun(self) -> Search | None:
        """Begin the search, and return it; None if the check was cancelled meanwhile."""
        start = self._start
        if start is None:
            return None
        self._started = True
        self._search = start()
        return self._search

    def _publish(self, batch: Batch) -> None:
        if len(batch.pairs):
            with self._changed:
                self._found.append(batch)
            self._tell()

    def _tell(self) -> None:
        """Wake all threads that iterate."""
        with self._changed:
            self._changed.notify_all()
            listeners = list(self._listeners)
        for tell in listeners:
            tell()

    def _answer(self, result: Collision) -> None:
        with suppress(InvalidStateError):  # it was cancelled at the last moment
            self.set_result(result)

    def _let_go(self) -> None:
        """Release the data of the search; the pairs are kept."""
        self._start = self._search = self._leave = None

    def _fail(self, error: BaseException) -> None:
        """End with an error, which keeps its traceback; the variables in it, such as trees, are released."""
        # harmless (error): an exception, no bound
        link: BaseException | None = error
        while link is not None:
            traceback.clear_frames(link.__traceback__)
            link = link.__cause__ or link.__context__
        # harmless (error): an exception, no bound
        self.set_exception(error)


def _tell_the_end(check: Future[Collision]) -> None:
    assert isinstance(check, Check)
    leave = check._leave
    if leave is not None:
        leave(check)
    check._let_go()
    check._tell()


def _finish(ended: asyncio.Future[None]) -> None:
    if not ended.done():
        ended.set_result(None)


def _tuples(batch: Batch) -> Iterator[tuple[int, int]]:
    return ((i, j) for i, j in batch.pairs[batch.is_new].tolist())
