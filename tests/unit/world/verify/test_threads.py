"""Tasks of a stage on one thread or several: all are done, errors and interruptions end them."""

from __future__ import annotations

import threading

import pytest

from keepclear.query.moving import moving_pair
from keepclear.world.verify.threads import Pool, Progress


@pytest.mark.parametrize("threads", [1, 3])
def test_all_tasks_are_done_and_told(threads: int) -> None:
    done: dict[int, str] = {}
    told: list[tuple[int, int, str]] = []
    with Pool(threads, Progress(lambda *what: told.append(what))) as pool:
        pool.each("letters", dict(enumerate("abcdefgh")), done.__setitem__)
        pool.each("none", {}, done.__setitem__)
    assert done == dict(enumerate("abcdefgh"))
    letters = [what for what in told if what[2] == "letters"]
    assert letters[0] == (0, 8, "letters")
    assert letters[-1] == (8, 8, "letters")
    assert [n for n, _, _ in letters] == sorted(n for n, _, _ in letters)
    assert (0, 0, "none") in told


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_of_tasks_are_raised(threads: int) -> None:
    def work(key: int, _: int) -> None:
        if key == 1:
            raise ValueError("task 1")

    with pytest.raises(ValueError, match="task 1"), Pool(threads, Progress(None)) as pool:
        pool.each("work", {k: k for k in range(4)}, work)


def test_an_interruption_stops_searches_of_other_threads() -> None:
    """While one task is searching, the progress function raises; the search sees that and ends."""
    begun, ended = threading.Event(), threading.Event()

    def search(key: int, _: int) -> None:
        if key == 0:
            return
        begun.set()
        try:
            for _ in range(2000):
                moving_pair.check_for_stop()
                threading.Event().wait(0.01)
        except KeyboardInterrupt:
            ended.set()
            raise

    def tell(done: int, _: int, __: str) -> None:
        if done == 1:
            begun.wait(10.0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Pool(2, Progress(tell)) as pool:
        pool.each("work", {0: 0, 1: 1}, search)
    assert ended.is_set()
    moving_pair.check_for_stop()  # the thread that waited is not stopped itself


def test_tasks_run_on_other_threads_only_where_there_are_several() -> None:
    seen: set[int] = set()

    def note(_: int, __: int) -> None:
        seen.add(threading.get_ident())

    with Pool(1, Progress(None)) as pool:
        pool.each("work", {0: 0, 1: 1}, note)
    with Pool(4, Progress(None)) as pool:
        pool.each("work", {0: 0}, note)
    assert seen == {threading.get_ident()}
    with Pool(2, Progress(None)) as pool:
        pool.each("work", {0: 0, 1: 1}, note)
    assert len(seen) > 1
