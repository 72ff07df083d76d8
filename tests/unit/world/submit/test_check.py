"""Checks as futures, iterators and awaitables, with searches that are slow, endless or fail on command."""

from __future__ import annotations

import asyncio
import concurrent.futures as cf
import gc
import os
import random
import threading
import traceback
import weakref
from collections.abc import Iterator
from typing import NoReturn

import numpy as np
import pytest
from tests.unit.world.doubles import (
    PATIENCE,
    Body,
    EndlessSearch,
    HeldSearch,
    Search,
    checked_request,
    new_search,
    prepared,
)

from keepclear.scene import items as items_module
from keepclear.world import world as world_module
from keepclear.world.submit import check as device_module
from keepclear.world.submit.check import Check
from keepclear.world.world import World

X = np.eye(4)
ONE, TWO, THREE = (1, 5), (2, 6), (3, 7)


@pytest.fixture(autouse=True)
def _doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    for double in (prepared, checked_request, new_search):
        home = items_module if double.__name__ == "prepared" else world_module
        monkeypatch.setattr(home, double.__name__, double)


@pytest.fixture
def world() -> Iterator[World]:
    with World(threads=2) as world:
        world.add("b", Body())
        yield world
        world.close(cancel=True)


def submit(world: World, *searches: Search) -> list[Check]:
    """Submit a check for each search."""
    checks = []
    for k, search in enumerate(searches):
        name = f"a{k}"
        world.add(name, Body([search].pop))
        checks.append(world.submit(name, "b", X, find="all"))
        world.remove(name)
    return checks


def n_threads() -> int:
    return sum(thread.name == "keepclear-check" for thread in threading.enumerate())


def is_gone(reference: weakref.ref[object]) -> bool:
    if reference() is not None:
        gc.collect()
    return reference() is None


# As a future


def test_a_check_is_a_future(world: World) -> None:
    (check,) = submit(world, Search([TWO, ONE], [], [THREE]))
    assert isinstance(check, cf.Future)
    assert check.result(timeout=PATIENCE).pairs == [ONE, TWO, THREE]
    assert (check.done(), check.running(), check.cancelled()) == (True, False, False)
    assert check.exception() is None
    assert not check.cancel()
    assert list(check) == list(check) == [TWO, ONE, THREE]


def test_wait_and_as_completed_and_callbacks(world: World) -> None:
    held = HeldSearch([ONE])
    checks = submit(world, held, Search([TWO]), Search([THREE]))
    called: list[Check] = []
    for check in checks:
        check.add_done_callback(called.append)
    first = cf.wait(checks[1:], timeout=PATIENCE)
    assert first.done == set(checks[1:])
    order = cf.as_completed(checks, timeout=PATIENCE)
    assert {next(order), next(order)} == set(checks[1:])
    assert checks[0].running()
    held.allow()
    assert next(order) is checks[0]
    assert len(called) == 3


def test_a_timeout_is_no_end(world: World) -> None:
    held = HeldSearch([ONE])
    (check,) = submit(world, held)
    with pytest.raises(cf.TimeoutError):
        check.result(timeout=0)
    held.allow()
    assert check.result(timeout=PATIENCE).pairs == [ONE]


def test_a_check_says_what_it_is_doing() -> None:
    with World(threads=1) as world:
        world.add("b", Body())
        held, later, failing = HeldSearch([ONE], [TWO]), Search([ONE]), Search([ONE], fails=1)
        world.add("a", Body(lambda: held))
        check = world.submit("a", "b", X)
        held.wait()
        other, bad = submit(world, later, failing)
        assert repr(check) == "Check('a', 'b', find='any', running, 0 pairs found)"
        assert (check.a, check.b, check.find) == ("a", "b", "any")
        assert ", waiting, " in repr(other)
        assert not other.running()
        other.cancel()
        assert ", cancelled, " in repr(other)
        held.allow(2)
        assert isinstance(bad.exception(timeout=PATIENCE), ArithmeticError)
        assert repr(check) == "Check('a', 'b', find='any', done, 2 pairs found)"
        assert repr(bad).endswith("find='all', failed, 1 pair found)")


# Iterating while the search goes on


def test_pairs_come_while_the_search_goes_on(world: World) -> None:
    held = HeldSearch([ONE, TWO], [], [THREE])
    (check,) = submit(world, held)
    pairs = iter(check)
    held.wait()
    held.allow()
    assert (next(pairs), next(pairs)) == (ONE, TWO)
    assert check.running()
    assert all(type(i) is int for i in next(iter(check)))
    late = iter(check)
    held.allow(2)
    assert list(pairs) == [THREE]
    assert list(late) == list(check) == [ONE, TWO, THREE]
    assert check.done()


def test_iterating_a_failed_check_gives_what_was_found_and_then_the_error(world: World) -> None:
    (check,) = submit(world, Search([ONE], [TWO], fails=2))
    pairs = iter(check)
    assert (next(pairs), next(pairs)) == (ONE, TWO)
    with pytest.raises(ArithmeticError, match="piece 3 cannot be done"):
        next(pairs)


def test_cancelling_wakes_those_who_iterate(world: World) -> None:
    held = HeldSearch([ONE], [TWO])
    (check,) = submit(world, held)
    seen: list[object] = []

    def read() -> None:
        try:
            seen.extend(check)
        except cf.CancelledError as error:
            seen.append(type(error))

    held.allow()
    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    held.wait()
    held.wait()  # the second piece has begun, so the first pair is published
    assert check.cancel()
    for reader in readers:
        reader.join(PATIENCE)
    held.allow()
    assert sorted(map(str, seen)) == sorted(map(str, [ONE, cf.CancelledError] * 3))


# Cancelling


def test_a_check_that_waits_is_cancelled_and_never_begins() -> None:
    with World(threads=1) as world:
        world.add("b", Body())
        held, never = HeldSearch([ONE]), Search([TWO])
        first, second = submit(world, held, never)
        held.wait()
        assert second.cancel()
        assert second.cancel()  # and again
        assert cf.wait([second], timeout=PATIENCE).done == {second}  # although the only thread is busy
        with pytest.raises(cf.CancelledError):
            second.result(timeout=PATIENCE)
        held.allow()
        assert first.result(timeout=PATIENCE).pairs == [ONE]
    assert never.budgets == []


def test_a_running_check_stops_at_its_next_pause(world: World) -> None:
    held = HeldSearch([ONE], [TWO], [THREE])
    (check,) = submit(world, held)
    held.wait()
    called: list[Check] = []
    check.add_done_callback(called.append)
    assert check.cancel()
    assert check.cancelled()
    assert not check.running()
    assert called == [check]
    assert cf.wait([check], timeout=PATIENCE).done == {check}
    held.allow(3)
    world.close()
    assert len(held.budgets) == 1
    with pytest.raises(cf.CancelledError):
        list(check)


def test_an_endless_check_can_be_cancelled_by_many_at_once(world: World) -> None:
    (check,) = submit(world, EndlessSearch())
    with cf.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda _: check.cancel(), range(64)))
    assert cf.wait([check], timeout=PATIENCE).done == {check}


def test_a_check_cancelled_in_its_last_piece_stays_cancelled(world: World) -> None:
    held = HeldSearch([ONE])
    (check,) = submit(world, held)
    held.wait()
    check.cancel()
    held.allow()
    world.close()
    assert check.cancelled()


# Errors


def test_an_exception_reaches_only_its_check(world: World) -> None:
    def refuse() -> Search:
        raise MemoryError("no room")

    world.add("bad", Body(refuse))
    checks = submit(world, Search([ONE]), Search([TWO], fails=1), Search([THREE]))
    unbuilt = world.submit("bad", "b", X)
    assert isinstance(unbuilt.exception(timeout=PATIENCE), MemoryError)
    error = checks[1].exception(timeout=PATIENCE)
    assert isinstance(error, ArithmeticError)
    assert "in run\n" in "".join(traceback.format_exception(error))  # the place is told
    assert checks[0].result(timeout=PATIENCE).pairs == [ONE]
    assert checks[2].result(timeout=PATIENCE).pairs == [THREE]


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_no_exception_ends_a_thread(error: type[BaseException]) -> None:
    class Rude(Search):
        def take(self) -> NoReturn:
            raise error

    def rude(_: Check) -> NoReturn:
        raise error

    with World(threads=1) as world:
        world.add("b", Body())
        held = HeldSearch([ONE])
        checks = submit(world, held, Rude(), Rude(), Search([TWO]))
        for check in checks[:2]:
            check.add_done_callback(rude)
        held.allow()
        assert checks[3].result(timeout=PATIENCE).pairs == [TWO]
        assert isinstance(checks[1].exception(), error)
        assert isinstance(checks[2].exception(), error)
        assert n_threads() == 1


# Turns


def test_a_long_check_lets_others_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_module, "TURN", 0.0)
    with World(threads=1) as world:
        world.add("b", Body())
        endless = [EndlessSearch() for _ in range(3)]
        long_ones = submit(world, *endless)
        (short,) = submit(world, Search([ONE], [TWO], [THREE]))
        assert short.result(timeout=PATIENCE).pairs == [ONE, TWO, THREE]
        assert all(check.running() for check in long_ones)
        world.close(cancel=True)
    assert all(check.cancelled() for check in long_ones)


def test_the_budget_follows_the_time_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    class Timed(Search):
        def run(self, budget: int) -> bool:
            clock[0] += 1e-6 * budget  # a microsecond for each step
            return super().run(budget)

    monkeypatch.setattr(device_module, "perf_counter", lambda: clock[0])
    search = Timed(*[[]] * 40)
    check = Check("a", "b", "all", lambda: search)
    assert check._go_on(lambda: False)
    assert search.budgets[:4] == [256, 512, 1024, 2048]
    assert set(search.budgets[4:]) == {2048}  # 2 ms, between the shortest and the longest piece
    clock[0], slow = 0.0, Timed(*[[]] * 40)
    check = Check("a", "b", "all", lambda: slow)
    check._budget = 1 << 20
    assert check._go_on(lambda: False)
    assert slow.budgets[-1] == 4096


# asyncio


def test_await_and_gather(world: World) -> None:
    async def main() -> None:
        checks = submit(world, *[Search([(k, k)]) for k in range(200)])
        answers = await asyncio.gather(*checks)
        assert [answer.pairs for answer in answers] == [[(k, k)] for k in range(200)]
        (bad,) = submit(world, Search([ONE], fails=1))
        with pytest.raises(ArithmeticError):
            await bad

    asyncio.run(main())


def test_async_for_gives_pairs_while_the_search_goes_on(world: World) -> None:
    async def main() -> None:
        held = HeldSearch([ONE, TWO], [], [THREE])
        (check,) = submit(world, held)
        n_seen = 0

        async def read() -> list[tuple[int, int]]:
            nonlocal n_seen
            pairs = []
            async for pair in check:
                pairs.append(pair)
                n_seen += 1
                if n_seen == 4:  # both have read two pairs, and the search has more to do
                    assert check.running()
                    held.allow(2)
            return pairs

        held.allow()
        answers = await asyncio.wait_for(asyncio.gather(read(), read()), PATIENCE)
        assert answers == [[ONE, TWO, THREE]] * 2
        assert [pair async for pair in check] == [ONE, TWO, THREE]
        assert not check._listeners

    asyncio.run(main())


def test_async_for_ends_with_the_error_of_the_check(world: World) -> None:
    async def main() -> None:
        held = HeldSearch([ONE])
        failing, cancelled = submit(world, Search([ONE], fails=1), held)
        with pytest.raises(ArithmeticError):
            _ = [pair async for pair in failing]
        reader = asyncio.ensure_future(anext(aiter(cancelled)))
        await asyncio.sleep(0)
        assert len(cancelled._listeners) == 1
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(reader, PATIENCE)
        held.allow()

    asyncio.run(main())


def test_cancelling_the_task_that_awaits_cancels_the_check(world: World) -> None:
    async def main() -> None:
        (check, shielded) = submit(world, EndlessSearch(), EndlessSearch())
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(check, 1e-3)
        assert check.cancelled()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(shielded), 1e-3)
        assert shielded.running()
        reader = asyncio.ensure_future(anext(aiter(shielded)))
        await asyncio.sleep(0)
        reader.cancel()
        await asyncio.wait([reader])
        assert shielded.running()  # who only reads pairs ends nothing
        assert not shielded._listeners
        shielded.cancel()

    asyncio.run(main())


def test_a_loop_that_was_closed_disturbs_nobody(world: World) -> None:
    held = HeldSearch([ONE], [TWO])
    (check,) = submit(world, held)
    loop = asyncio.new_event_loop()
    waiting = loop.create_task(anext(aiter(check)))
    loop.run_until_complete(asyncio.sleep(0))
    assert len(check._listeners) == 1
    listener = next(iter(check._listeners))
    waiting.cancel()
    loop.run_until_complete(asyncio.wait([waiting]))
    loop.close()
    check._listeners.add(listener)  # as if the loop had been closed without cancelling its tasks
    held.allow(2)
    assert check.result(timeout=PATIENCE).pairs == [ONE, TWO]


def test_two_loops_may_wait_for_one_check(world: World) -> None:
    held = HeldSearch([ONE])
    (check,) = submit(world, held)

    async def read() -> list[tuple[int, int]]:
        pairs = [pair async for pair in check]
        assert (await check).pairs == pairs
        return pairs

    with cf.ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(asyncio.run, read()) for _ in range(2)]
        held.allow()
        assert [answer.result(timeout=PATIENCE) for answer in answers] == [[ONE], [ONE]]


def test_a_loop_has_its_turn_between_pairs_that_are_there(world: World) -> None:
    async def main() -> None:
        (check,) = submit(world, Search([ONE], [TWO], [THREE]))
        await check
        order: list[object] = []

        async def tick() -> None:
            for k in range(2):
                order.append(k)
                await asyncio.sleep(0)

        ticking = asyncio.ensure_future(tick())
        async for pair in check:
            order.append(pair)
        await ticking
        assert order == [ONE, 0, TWO, 1, THREE]

    asyncio.run(main())


# Threads and memory


def test_after_a_fork_a_world_has_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with World(threads=1) as world:
        world.add("b", Body())
        world.submit("b", "b", X).result(timeout=PATIENCE)
        parents = world._workers
        with monkeypatch.context() as child:
            child.setattr(os, "getpid", lambda: -1)
            world.submit("b", "b", X).result(timeout=PATIENCE)
            assert world._workers is not parents
            world.close()
        assert n_threads() == 1
        assert parents is not None
        parents.end()
        parents.join(PATIENCE)
        assert n_threads() == 0


def test_threads_start_when_needed_and_end_with_the_world() -> None:
    world = World(threads=3)
    world.add("b", Body())
    assert n_threads() == 0
    (check,) = submit(world, Search([ONE]))
    check.result(timeout=PATIENCE)
    assert n_threads() == 1
    held = [HeldSearch([ONE]) for _ in range(5)]
    checks = submit(world, *held)
    for one in held[:3]:
        one.wait()
    assert n_threads() == 3
    for one in held:
        one.allow()
    world.close()
    assert n_threads() == 0
    assert all(check.done() for check in checks)


def test_a_forgotten_world_ends_its_checks_and_then_its_threads() -> None:
    world = World(threads=2)
    world.add("b", Body())
    held = [HeldSearch([ONE]) for _ in range(6)]
    checks = submit(world, *held)
    reference = weakref.ref(world)
    del world
    assert is_gone(reference)
    for one in held:
        one.allow()
    assert [check.result(timeout=PATIENCE).pairs for check in checks] == [[ONE]] * 6
    for thread in threading.enumerate():
        if thread.name == "keepclear-check":
            thread.join(PATIENCE)
    assert n_threads() == 0


def test_a_world_may_be_closed_by_a_callback(world: World) -> None:
    held = HeldSearch([ONE])
    checks = submit(world, held, Search([TWO]))
    closed = threading.Event()
    checks[0].add_done_callback(lambda _: (world.close(), closed.set()))
    held.allow()
    assert closed.wait(PATIENCE)
    assert checks[1].done()


@pytest.mark.parametrize("ending", ["done", "failed", "cancelled"])
def test_a_removed_object_is_freed_when_no_check_needs_it(world: World, ending: str) -> None:
    fails = 1 if ending == "failed" else None
    held = HeldSearch([ONE], [TWO], fails=fails)
    body = Body([held].pop)  # the check alone holds the search
    world.add("a", body)
    needed, searched = weakref.ref(body), weakref.ref(held)
    check = world.submit("a", "b", X)
    del body
    world.remove("a")
    held.wait()
    assert not is_gone(needed)  # the check in flight keeps it
    if ending == "cancelled":
        check.cancel()
    held.allow(2)
    cf.wait([check], timeout=PATIENCE)
    del held
    world.close()  # the thread has left the search
    assert is_gone(needed)
    assert is_gone(searched)
    assert ending in repr(check)  # although the check is kept


def test_a_search_that_cannot_begin_frees_its_objects(world: World) -> None:
    def refuse() -> Search:
        raise MemoryError("no room")

    body = Body(refuse)
    reference = weakref.ref(body)
    world.add("a", body)
    check = world.submit("a", "b", X)
    world.remove("a")
    del body
    assert isinstance(check.exception(timeout=PATIENCE), MemoryError)
    world.close()
    assert is_gone(reference)  # although the error is kept, and its traceback with it


def test_a_check_that_is_cancelled_while_its_search_begins_frees_it(world: World) -> None:
    begun, go_on = threading.Event(), threading.Event()
    search = Search([ONE])
    reference = weakref.ref(search)
    box = [search]

    def begin() -> Search:
        begun.set()
        assert go_on.wait(PATIENCE)
        return box.pop()

    world.add("a", Body(begin))
    check = world.submit("a", "b", X)
    assert begun.wait(PATIENCE)
    assert check.cancel()
    go_on.set()
    world.close()
    assert search.budgets == []
    del search
    assert is_gone(reference)
    assert check.cancelled()


def test_a_check_that_is_cancelled_while_it_waits_frees_at_once(world: World) -> None:
    blockers = [HeldSearch([ONE]), HeldSearch([ONE])]
    submit(world, *blockers)
    for blocker in blockers:
        blocker.wait()
    body = Body()
    reference = weakref.ref(body)
    world.add("a", body)
    check = world.submit("a", "b", X)
    world.remove("a")
    del body
    assert not is_gone(reference)
    check.cancel()
    assert is_gone(reference)
    assert world._workers is not None
    assert check not in world._workers._waiting
    for blocker in blockers:
        blocker.allow()


@pytest.mark.parametrize("fails", [None, 1])
def test_a_finished_check_dies_without_the_garbage_collector(fails: int | None) -> None:
    with World(threads=1) as world:
        world.add("b", Body())
        gc.disable()
        try:
            (check,) = submit(world, Search([ONE], fails=fails))
            assert (check.exception(timeout=PATIENCE) is None) == (fails is None)
            reference = weakref.ref(check)
            (other,) = submit(world, Search([TWO]))
            other.result(timeout=PATIENCE)  # so the only thread has left the first check
            del check
            assert reference() is None
        finally:
            gc.enable()


def test_a_thousand_checks_in_flight_over_two_threads() -> None:
    rng = random.Random(5)
    world = World(threads=2)
    world.add("b", Body())
    gate = HeldSearch([ONE]), HeldSearch([ONE])
    gates = submit(world, *gate)
    for one in gate:
        one.wait()  # both threads are busy, so everything below is in flight at once
    kinds = {
        "done": lambda: Search([ONE], [], [TWO, THREE]),
        "failed": lambda: Search([ONE], fails=1),
        "endless": EndlessSearch,
        "cancelled": lambda: Search([ONE]),
    }
    checks: dict[Check, str] = {}
    references = []
    while len(checks) < 1000:
        name, kind = f"object {len(checks)}", rng.choice(list(kinds))
        body = Body(kinds[kind])
        references.append(weakref.ref(body))
        world.add(name, body)
        del body
        for _ in range(rng.randint(1, 3)):
            checks[world.submit(name, "b", X, find="all")] = kind
        world.remove(name)
    assert n_threads() == 2
    for check, kind in checks.items():
        if kind == "cancelled":
            assert check.cancel()
    for one in gate:
        one.allow()
    endless = {check for check, kind in checks.items() if kind == "endless"}
    others = set(checks) - endless
    for check in rng.sample(sorted(endless, key=id), len(endless)):
        assert check.cancel()
    assert cf.wait(others, timeout=PATIENCE).not_done == set()
    assert cf.wait(checks, timeout=PATIENCE).not_done == set()
    for check, kind in checks.items():
        if kind == "done":
            assert list(check) == check.result().pairs == [ONE, TWO, THREE]
        elif kind == "failed":
            assert isinstance(check.exception(), ArithmeticError)
        else:
            assert check.cancelled()
    assert all(check.result(timeout=PATIENCE).pairs == [ONE] for check in gates)
    world.close()
    assert n_threads() == 0
    gc.collect()
    assert all(reference() is None for reference in references)
