"""Objects that serve one thread at a time: a guard that never waits."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import enumerate as threads
from threading import get_ident
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from keepclear.errors import BusyError

P = ParamSpec("P")
R = TypeVar("R")


class Exclusive(Protocol):
    """An object with the guard of `one_call` and `one_thread`: the thread that uses it now, 0 for none.

    Reading `_user` and then writing it is one step: CPython switches threads, runs signal handlers and raises
    KeyboardInterrupt only after calls and backward jumps, and there is none in between. So no interrupt can leave an
    object guarded, which it can with a lock (between `acquire` and `try`), and the guard costs a tenth of one.
    """

    _user: int


S = TypeVar("S", bound=Exclusive)


def one_call(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Return a method that raises a `BusyError` while another call of such a method of the object runs."""
    return _guarded(method, nests=False)


def one_thread(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Return a method that raises a `BusyError` while another thread is in such a method of the object.

    The same thread may call: functions of the caller, such as the probe of a crowd, run in the middle of a call.
    """
    return _guarded(method, nests=True)


def _guarded(method: Callable[Concatenate[S, P], R], nests: bool) -> Callable[Concatenate[S, P], R]:
    @wraps(method)
    def guarded(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        me = get_ident()
        user = self._user
        if user and not (nests and user == me):
            raise in_use(self)
        self._user = me
        try:
            return method(self, *args, **kwargs)
        finally:
            self._user = user

    return guarded


def in_use(thing: Any) -> BusyError:
    """Return the error for a call of an object that is in use."""
    public = next(kind.__name__ for kind in type(thing).__mro__ if "_user" in vars(kind))
    user = thing._user
    who = next((f"thread {thread.name!r}" for thread in threads() if thread.ident == user), "another call")
    if user == get_ident():
        who = "a call of this thread that has not ended"
    return BusyError(
        f"this {public} is in use by {who}; it keeps data from call to call, so only one thread may use it at a time: "
        "give each thread its own, or take a lock around the calls."
    )
