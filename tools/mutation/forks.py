"""Runs tests against mutants in copies of one process, so that a mutant costs only the tests that call it.

One pytest session collects the tests once, with kernels as plain Python. A first copy of the process (a fork) runs
them all, and reports for each how long it takes and which functions it calls. Then each mutant gets a copy in which
the code of one function is replaced; it runs the tests that call this function, the fastest first, until one fails.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import importlib
import inspect
import json
import os
import resource
import select
import signal
import sys
import threading
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol
from tools.mutation.mutants import Mutant

ROOT = Path(__file__).parents[2]
SOURCES = str(ROOT / "src" / "keepclear")
Function = tuple[str, str]  # the file, and the name with that of its class
SHARP = "test_promise"  # files of tests that are made to kill mutants: they run first


class Outcome(NamedTuple):
    """How a mutant ended: `killed` by a test, `alive` after `tests` of them, or `untested`."""

    mutant: Mutant
    result: str
    test: str = ""
    tests: int = 0


class Known(NamedTuple):
    """What is known of a test that passes: its CPU time [s] and the functions it calls."""

    seconds: float
    functions: frozenset[Function]


class Forks:
    """A pytest plugin that runs mutants instead of the collected tests.

    Args:
        mutants: The mutants.
        jobs: How many copies run at a time.
        seconds: Tests that take longer are left out [s of CPU time].
        effort: A mutant is alive when tests of this duration passed [s of CPU time].
        measured: A file that keeps what is known of tests for the next run, None for none.
        killers: Tests that killed mutants before: they are tried first.
    """

    def __init__(
        self,
        mutants: list[Mutant],
        jobs: int,
        seconds: float,
        effort: float,
        measured: Path | None,
        killers: dict[Mutant, str],
        report: Callable[[Outcome], None],
    ) -> None:
        self._mutants, self._jobs, self._seconds, self._effort = mutants, jobs, seconds, effort
        self._measured, self._killers, self._report = measured, killers, report
        self.outcomes: list[Outcome] = []
        self._kills: Counter[tuple[Function, str]] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the mutants."""
        import hypothesis  # after pytest has seen its plugin

        hypothesis.settings.register_profile("mutation", derandomize=True, database=None, deadline=None)
        hypothesis.settings.load_profile("mutation")
        _import_all()
        items = {item.nodeid: item for item in session.items}
        known = _measure(list(items.values()), self._seconds, self._jobs, self._measured)
        print(f"{len(known)} of {len(items)} tests pass within {self._seconds:g} s each", flush=True)
        functions = _functions()
        gc.freeze()  # copies share what they do not change
        waiting: list[Mutant] = list(reversed(self._mutants))
        running: dict[int, tuple[Mutant, _Child]] = {}
        while waiting or running:
            while waiting and len(running) < self._jobs:
                mutant = waiting.pop()
                tests = self._tests(mutant, items, known)
                if tests:
                    child = _fork(functools.partial(_try, mutant, functions, tests, known))
                    running[child.stream] = mutant, child
                else:
                    self._end(Outcome(mutant, "untested"))
            for stream in select.select(list(running), [], [], 1.0)[0] if running else ():
                mutant, child = running[stream]
                if not child.read():
                    del running[stream]
                    self._end(_outcome(mutant, child.lines))
        return True

    def _tests(
        self, mutant: Mutant, items: dict[str, pytest.Item], known: dict[str, Known]
    ) -> list[pytest.Item]:
        """Return the tests that call the changed function, in the order in which they run."""
        function = _name_of(mutant)
        earlier = self._killers.get(mutant)
        names = [name for name in items if name in known and function in known[name].functions]
        kills = self._kills  # tests that killed mutants of the same function are tried early
        own = f"test_{Path(function[0]).stem}.py"
        near = {name for name in names if SHARP in name or f"/{own}::" in name}
        by_time = sorted(names, key=lambda name: known[name].seconds)
        rank = {name: k for part in (True, False) for k, name in enumerate(_those(by_time, near, part))}
        names.sort(key=lambda name: (name != earlier, -kills[function, name], rank[name], name not in near))
        tests, spent = [], 0.0
        for name in names:
            spent += known[name].seconds
            if spent > self._effort and tests:
                break
            tests.append(items[name])
        return tests

    def _end(self, outcome: Outcome) -> None:
        if outcome.result == "killed":
            self._kills[_name_of(outcome.mutant), outcome.test] += 1
        self.outcomes.append(outcome)
        self._report(outcome)


def _those(names: list[str], some: set[str], inside: bool) -> list[str]:
    """Return the names that are in a set, or those that are not."""
    return [name for name in names if (name in some) == inside]


class _Child:
    """A copy of this process that writes lines."""

    def __init__(self, pid: int, stream: int) -> None:
        self.pid, self.stream, self._text = pid, stream, b""

    def read(self) -> bool:
        """Read what is there; return whether the copy goes on."""
        chunk = os.read(self.stream, 1 << 20)
        self._text += chunk
        if chunk:
            return True
        os.close(self.stream)
        os.waitpid(self.pid, 0)
        return False

    @property
    def lines(self) -> list[Any]:
        """What the copy wrote, line by line."""
        return [json.loads(line) for line in self._text.decode().splitlines()]


def _fork(work: Callable[[Callable[..., None]], None]) -> _Child:
    """Run a function in a copy of this process; it gets a function that writes a line for this one."""
    stream, out = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid > 0:
        os.close(out)
        return _Child(pid, stream)
    try:
        os.close(stream)
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        work(lambda *line: os.write(out, json.dumps(line).encode() + b"\n"))
    finally:
        os._exit(0)


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run a test; return whether it did not fail (a skipped one passes)."""
    return all(not report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def _limit(seconds: float) -> None:
    """End this process when it has used this much more CPU time."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, resource.RLIM_INFINITY))


def _measure(items: list[pytest.Item], seconds: float, jobs: int, file: Path | None) -> dict[str, Known]:
    """Return what is known of the tests that pass, from a file or from running them."""
    digests = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in {item.path for item in items}}
    kept = json.loads(file.read_text()) if file is not None and file.exists() else {}
    groups: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if kept.get(item.nodeid, [None])[0] != digests[item.path]:
            groups.setdefault(item.path, []).append(item)
    waiting, running = list(groups.values()), {}
    while waiting or running:
        while waiting and len(running) < jobs:
            group = waiting.pop()
            child = _fork(functools.partial(_profile, group, seconds))
            running[child.stream] = group, child
        for stream in select.select(list(running), [], [], 1.0)[0]:
            group, child = running[stream]
            if child.read():
                continue
            del running[stream]
            for name, spent, functions in child.lines:
                kept[name] = digests[group[0].path], spent, functions
            done = len(child.lines)
            if done < len(group):  # this test took too long, or ended the process
                kept[group[done].nodeid] = digests[group[0].path], -1.0, []
                waiting += [group[done + 1 :]] if done + 1 < len(group) else []
            if file is not None:
                file.write_text(json.dumps(kept))
    present = {item.nodeid for item in items}
    return {
        name: Known(spent, frozenset((where, called) for where, called in functions))
        for name, (_, spent, functions) in kept.items()
        if name in present and spent >= 0.0
    }


def _profile(items: list[pytest.Item], seconds: float, out: Callable[..., None]) -> None:
    """Report CPU time and called functions of tests, -1 s for one that fails."""
    seen: set[types.CodeType] = set()

    def called(frame: types.FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    for item, following in zip(items, [*items[1:], None], strict=True):
        seen.clear()
        _limit(2.0 * seconds)  # profiling takes time too
        begin = time.process_time()
        threading.setprofile(called)
        sys.setprofile(called)
        good = _passes(item, following)
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        own = [code for code in list(seen) if code.co_filename.startswith(SOURCES)]
        functions = sorted({(_relative(code.co_filename), code.co_qualname) for code in own})
        out(item.nodeid, time.process_time() - begin if good else -1.0, functions)


def _try(
    mutant: Mutant,
    functions: dict[tuple[str, int], list[types.FunctionType]],
    tests: list[pytest.Item],
    known: dict[str, Known],
    out: Callable[..., None],
) -> None:
    """Replace the code of the mutant's function; run tests until one fails."""
    file, old = _function_of(mutant)
    module = compile(mutant.apply(mutant.file.read_text()), file, "exec")
    code = next(code for code in _outer_codes(module) if code.co_firstlineno == old.co_firstlineno)
    for function in functions[file, old.co_firstlineno]:
        function.__code__ = code
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    for test, following in zip(tests, [*tests[1:], None], strict=True):
        out("begin", test.nodeid)
        _limit(2.0 + 10.0 * known[test.nodeid].seconds)
        if not _passes(test, following):
            out("failed", test.nodeid)
            return
        out("passed", test.nodeid)
    out("alive", "")


def _outcome(mutant: Mutant, lines: list[tuple[str, str]]) -> Outcome:
    """Return the outcome that the lines of a mutant's process say."""
    n_tests = sum(word == "passed" for word, _ in lines)
    if not lines:
        return Outcome(mutant, "broken")
    word, test = lines[-1]
    if word == "alive":
        return Outcome(mutant, "alive", "", n_tests)
    return Outcome(mutant, "killed", test if word == "failed" else f"{test} (did not end)", n_tests)


def _import_all() -> None:
    """Import the library, so that every function exists before the first copy is made."""
    for file in sorted(Path(SOURCES).rglob("*.py")):
        parts = file.relative_to(ROOT / "src").with_suffix("").parts
        with contextlib.suppress(ImportError):  # an optional package
            importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def _functions() -> dict[tuple[str, int], list[types.FunctionType]]:
    """Return every function of the library, by file and first line."""
    found: dict[tuple[str, int], list[types.FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__code__.co_filename.startswith(SOURCES):
            found.setdefault((thing.__code__.co_filename, thing.__code__.co_firstlineno), []).append(thing)
    return found


def _relative(file: str) -> str:
    return file.removeprefix(SOURCES + "/")


def _function_of(mutant: Mutant) -> tuple[str, types.CodeType]:
    """Return the file of a mutant and the outermost function around it."""
    file = str(mutant.file.resolve())
    codes = _outer_codes(compile(mutant.file.read_text(), file, "exec"))
    return file, max(
        (code for code in codes if code.co_firstlineno <= mutant.line), key=lambda code: code.co_firstlineno
    )


def _name_of(mutant: Mutant) -> Function:
    """Return the file and the name of the function that a mutant changes."""
    file, code = _function_of(mutant)
    return _relative(file), code.co_qualname


def _outer_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Give the codes of functions and methods of a module."""
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            if part.co_flags & inspect.CO_NEWLOCALS:  # a function, else the body of a class
                yield part
            else:
                yield from _outer_codes(part)
