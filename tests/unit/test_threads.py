"""Objects that serve one thread at a time, and eight threads that hammer everything with state for a few seconds."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.oracles.thread_campaign import CASES
from tests.unit.geometry.element_meshes import l_block, u_block
from tests.unit.world.worlds import at

import keepclear as kc
from keepclear.exclusive import one_call, one_thread

E = np.eye(4)


def in_thread(call: Callable[[], object]) -> BaseException | None:
    """Return what a call raises in another thread."""
    raised: list[BaseException | None] = []

    def work() -> None:
        try:
            call()
            raised.append(None)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    return raised[0]


class Counter:
    _user = 0

    def __init__(self) -> None:
        self.inner: Callable[[], object] = lambda: None

    @one_call
    def once(self) -> str:
        self.inner()
        return "done"

    @one_thread
    def nested(self) -> str:
        self.inner()
        return "done"


@pytest.mark.parametrize("method", ["once", "nested"])
def test_a_second_thread_is_refused_while_the_first_works_and_then_served(method: str) -> None:
    thing = Counter()
    seen: list[BaseException | None] = []
    call = getattr(thing, method)
    thing.inner = lambda: seen.append(in_thread(call))
    assert call() == "done"
    assert isinstance(seen[0], kc.BusyError)
    assert "this Counter is in use by thread 'MainThread'" in str(seen[0])
    thing.inner = lambda: None
    assert in_thread(call) is None


def test_only_a_guard_of_threads_lets_the_same_thread_in() -> None:
    thing = Counter()
    inner = iter([lambda: thing.nested(), lambda: None])
    thing.inner = lambda: next(inner)()
    assert thing.nested() == "done"
    thing.inner = lambda: thing.once()
    with pytest.raises(kc.BusyError, match="a call of this thread that has not ended"):
        thing.once()


@pytest.mark.parametrize("method", ["once", "nested"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_errors_and_interrupts_release_the_guard(method: str, error: type[BaseException]) -> None:
    thing = Counter()

    def fail() -> None:
        raise error

    thing.inner = fail
    with pytest.raises(error):
        getattr(thing, method)()
    thing.inner = lambda: None
    assert in_thread(getattr(thing, method)) is None


TRACKERS: dict[str, Callable[[], Any]] = {
    "meshes": lambda: kc.Tracker(u_block(), l_block()),
    "boxes": lambda: kc.Tracker(kc.build_box_tree(u_block()), kc.build_box_tree(l_block())),
    "compounds": lambda: kc.Tracker([(u_block(), E)], [(l_block(), E)]),
    "groups": lambda: kc.Tracker(kc.Group({"u": (u_block(), E)}), l_block()),
}


@pytest.mark.parametrize("kind", TRACKERS)
def test_a_tracker_in_use_refuses_and_answers_after_an_error(kind: str) -> None:
    tracker = TRACKERS[kind]()
    X_WA: Any = {} if kind == "groups" else E
    truth = tracker.distance(X_WA, at(4, 0)).distance
    tracker._user = threading.get_ident()  # as in the middle of a call
    for call in (lambda: tracker.distance(X_WA, at(4, 0)), tracker.reset):
        assert isinstance(in_thread(call), kc.BusyError)
    tracker._user = 0
    with pytest.raises(kc.KeepclearError):
        tracker.distance(X_WA, np.zeros((4, 4)))
    assert tracker.distance(X_WA, at(4, 0)).distance == truth


def crowd(**options: Any) -> kc.Crowd:
    given: dict[str, Any] = {"motion": kc.Ballistic(), "response": "elastic"} | options
    return kc.Crowd([[0, 0, 0], [10, 0, 0]], [[1, 0, 0], [-1, 0, 0]], 1.0, 0.0, **given)


def test_a_crowd_in_use_refuses_other_threads_and_serves_its_own_response() -> None:
    refused: list[BaseException | None] = []
    read: list[Any] = []

    def response(event: Any, velocities: np.ndarray) -> np.ndarray:
        calls = (
            lambda: it.advance(9.0),
            it.positions,
            lambda: it.add([[5, 5, 5]], None, 1.0),
            lambda: it.radii,
        )
        refused.extend(in_thread(call) for call in calls)
        read.append((it.time, it.positions().shape, it.ids.tolist(), event.i))
        return velocities[::-1]

    it = crowd(response=response)
    assert len(it.advance(5.0)) == 1
    assert [type(error) for error in refused] == [kc.BusyError] * 4
    assert read == [(pytest.approx(4.0), (2, 3), [0, 1], 0)]
    assert in_thread(lambda: it.advance(6.0)) is None


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda it: it.copy()])
def test_a_copy_of_a_crowd_goes_on_alone_with_the_same_bits(make: Callable[[kc.Crowd], kc.Crowd]) -> None:
    first, twin = crowd(history=True), crowd(history=True)
    first.advance(3.0)
    twin.advance(3.0)
    again = make(first)
    again.add([[0, 9, 0]], [[0, 0, 0]], 1.0, 0.0)
    again.change([0], radii=2.0)
    again.advance(9.0)
    assert (len(first), len(again), first.time) == (2, 3, 3.0)
    assert first.radii.tolist() == [1.0, 1.0]
    assert first.advance(9.0).tobytes() == twin.advance(9.0).tobytes()
    assert np.array_equal(first.positions(), twin.positions())
    later = make(first)
    first.advance(11.0)
    twin.advance(11.0)
    assert later.time == 9.0
    assert len(later.advance(11.0)) == 0
    assert np.array_equal(later.positions(), twin.positions())


def test_crowds_that_cannot_be_copied_say_so() -> None:
    class Restarted:
        def __call__(self, ids: np.ndarray, _: float) -> tuple[np.ndarray, np.ndarray]:
            return np.zeros((len(ids), 3)), np.zeros((len(ids), 3))

        def restart(self, *_: object) -> None:
            pass

    with pytest.raises(kc.CopyError, match="restart"):
        copy.copy(crowd(motion=Restarted()))
    with pytest.raises(kc.CopyError, match=r"crowd\.save"):
        pickle.dumps(crowd())


def test_a_copy_of_a_group_changes_alone() -> None:
    group = kc.Group({"post": (kc.Sphere(0.1), at(1, 0)), "inner": kc.Group({"a": kc.Sphere(0.2)})})
    for again in (copy.copy(group), pickle.loads(pickle.dumps(group))):
        again.attach("b", kc.Sphere(0.3))
        again.detach("post")
        assert sorted(group) == ["inner", "post"]
        assert sorted(again) == ["b", "inner"]


def test_eight_threads_get_right_answers_or_the_error() -> None:
    command = [sys.executable, "-m", "tests.oracles.thread_campaign", "--seconds", "0.3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(": right, ") == len(CASES)
