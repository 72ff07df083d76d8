"""The progress of a command on stderr: one line that is redrawn on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, TextIO

import click

Progress = Callable[[int, int, str], None]

LONGEST_BAR = 40  # columns
SHORT_BAR = 15  # to which it shrinks before the text is cut
SHORTEST_BAR = 5  # below which there is none
LEAST_TEXT = 12  # columns that a text keeps where there are so many
PERIOD = 0.1  # between two drawings [s]
TICK = 0.5  # between two drawings while nothing is reported, for the clock [s]
LINE_PERIOD = 5.0  # least time before the first line in a file or pipe, and between two [s]
LINE_GROWTH = 1.2  # ratio of the times of two lines: a run of a day has about 60


@contextmanager
def progress_bar(
    quiet: bool = False, first: str = "reading the cell", *, stays: bool = False
) -> Iterator[Progress | None]:
    """Give a function that shows progress, None if nothing is to be shown.

    A file or pipe gets plain lines, the first after some seconds, unless the variable KEEPCLEAR_QUIET is set.

    Args:
        quiet: Show nothing, whatever stderr is.
        first: The text before anything is reported.
        stays: Whether the last line stays on a terminal when all is done.
    """
    is_terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if quiet or (not is_terminal and os.environ.get("KEEPCLEAR_QUIET", "") not in ("", "0")):
        yield None
        return
    if not is_terminal:
        lines = Lines(sys.stderr, first)
        with lines.ticking():
            yield lines.show
        return
    bar = Bar(sys.stderr, first)
    streams = {name: getattr(sys, name) for name in ("stdout", "stderr")}
    for name, stream in streams.items():
        if stream is not None and stream.isatty():
            setattr(sys, name, Above(stream, bar))
    try:
        with bar.ticking():
            yield bar.show
        bar.finish(stays)
    except BaseException:
        bar.finish(stays=False)
        raise
    finally:
        for name, stream in streams.items():
            setattr(sys, name, stream)


class Bar:
    """A line with a text, a bar, a count and a clock."""

    def __init__(self, stream: TextIO, first: str) -> None:
        self._stream = stream
        self._text, self._done, self._total = plain_line(first), 0, 0
        self._started = time.monotonic()
        self._drawn_at, self._drawn = -1.0, 0  # when, and how many columns are on the terminal now
        self.lock = threading.RLock()

    def show(self, done: int, total: int, text: str) -> None:
        """Note what is done, and draw it unless something was drawn just now."""
        with self.lock:
            self._text, self._done, self._total = plain_line(text), done, total
            if time.monotonic() - self._drawn_at >= PERIOD:
                self.draw()

    def draw(self) -> None:
        """Draw the line over the one before."""
        with self.lock:
            line = self.line(self._columns() - 1)  # a full line would scroll
            self._write("\r" + padded(line, self._drawn))
            self._drawn_at, self._drawn = time.monotonic(), columns_of(line)

    def erase(self) -> None:
        """Leave an empty line, with the cursor at its beginning."""
        with self.lock:
            if self._drawn:
                self._write("\r" + " " * self._drawn + "\r")
            self._drawn = 0

    def finish(self, stays: bool) -> None:
        """End the line with what was reported last, or leave nothing of it."""
        with self.lock:
            if stays:
                self.draw()
                self._write("\n")
                self._drawn = 0
            else:
                self.erase()

    def line(self, columns: int) -> str:
        """Return the line for a terminal of so many columns: the bar and then the text give way where there are few."""
        clock = self.clock()
        if self._total <= 0:
            return cut(self._text, columns - len(clock)) + clock if columns > len(clock) else ""
        count = f" {self._done}/{self._total}{clock}"
        left = columns - len(count)
        text = cut(self._text, max(left - SHORT_BAR - 1, min(LEAST_TEXT, left)))
        length = min(LONGEST_BAR, left - columns_of(text) - 1)
        if length >= SHORTEST_BAR:
            share = min(max(self._done / self._total, 0.0), 1.0)
            full, empty = self._signs()
            text += " " + padded(full * int(share * length), length).replace(" ", empty)
        return text + count if left > 0 else cut(count[1:], columns)

    def clock(self) -> str:
        """Return the time since the start."""
        seconds = int(time.monotonic() - self._started)
        return f" {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"

    def _columns(self) -> int:
        """Return how many columns the terminal has now, as the user or the terminal says; 80 where neither does."""
        try:
            return int(os.environ["COLUMNS"])
        except (KeyError, ValueError):
            pass
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    def _signs(self) -> tuple[str, str]:
        """Return what a full and an empty column of the bar look like."""
        try:
            "━─".encode(self._stream.encoding or "ascii")
        except (LookupError, UnicodeEncodeError):
            return "#", "-"
        return "━", "─"

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the terminal went away: the verdict does not depend on it
            click.echo(text, file=self._stream, nl=False)

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Keep the clock running while nothing is reported."""
        stop = threading.Event()

        def tick() -> None:
            while not stop.wait(TICK):
                self.draw()

        thread = threading.Thread(target=tick, name="progress", daemon=True)
        self.draw()
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


class Lines(Bar):
    """Progress in a file or a pipe: a line is written when it is due, and nothing is ever redrawn."""

    def draw(self) -> None:
        """Write a line if enough time has passed since the last one."""
        with self.lock:
            elapsed = time.monotonic() - self._started
            if elapsed < max(self._drawn_at + LINE_PERIOD, self._drawn_at * LINE_GROWTH, LINE_PERIOD):
                return
            count = f" {self._done}/{self._total}" if self._total > 0 else ""
            self._write(f"keepclear: {self._text}{count}{self.clock()}\n")
            self._drawn_at = elapsed

    def show(self, done: int, total: int, text: str) -> None:
        """Note what is done, and write it if a line is due."""
        with self.lock:
            self._text, self._done, self._total = plain_line(text), done, total
            self.draw()


class Above:
    """A stream of the terminal whose lines appear above the bar."""

    def __init__(self, stream: TextIO, bar: Bar) -> None:
        self._stream, self._bar = stream, bar

    def write(self, text: str) -> int:
        """Write to the stream after the bar was taken away; it is drawn again after the end of a line."""
        if not text:
            return self._stream.write(text)
        with self._bar.lock:
            self._bar.erase()
            written = self._stream.write(text)
            self._stream.flush()
            if text.endswith("\n"):
                self._bar.draw()
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


ELLIPSIS = "…"


def columns_of(text: str) -> int:
    """Return how many columns a text takes: two for wide characters, none for marks that join the one before."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def padded(text: str, columns: int) -> str:
    """Return the text with spaces behind it up to a number of columns; a longer text stays as it is."""
    return text + " " * (columns - columns_of(text))


def cut(text: str, columns: int) -> str:
    """Return the text, its end left out if it takes more columns than these."""
    if columns_of(text) <= columns:
        return text
    kept, used = [], columns_of(ELLIPSIS)
    for character in text:
        used += _columns(character)
        if used > columns:
            break
        kept.append(character)
    return "".join(kept) + ELLIPSIS if columns > 0 else ""


def plain_line(text: str) -> str:
    """Return the text on one line, without characters that would move the cursor or change the terminal."""
    return "".join(character if character.isprintable() else "?" for character in " ".join(text.split()))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


@contextmanager
def stoppable() -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM raise KeyboardInterrupt here, and the second one end the process at once."""

    def stop() -> None:
        raise KeyboardInterrupt

    with _on_stop(stop):
        yield


@contextmanager
def stop_flag() -> Iterator[Callable[[], bool]]:
    """Give a function that returns whether Ctrl-C or SIGTERM came; the second one ends the process at once."""
    stopped = threading.Event()
    with _on_stop(stopped.set):
        yield stopped.is_set


@contextmanager
def _on_stop(act: Callable[[], None]) -> Iterator[None]:
    """Call a function at the first Ctrl-C or SIGTERM."""
    names = [name for name in (signal.SIGINT, getattr(signal, "SIGTERM", None)) if name is not None]
    before = {}

    def stop(_number: int, _frame: FrameType | None) -> None:
        for name in names:
            signal.signal(name, signal.SIG_DFL)
        act()

    try:
        for name in names:
            before[name] = signal.signal(name, stop)
    except ValueError:  # not in the main thread: whoever runs this has handlers of their own
        pass
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


@contextmanager
def quiet_kernels(quiet: bool = False) -> Iterator[None]:
    """Keep kernels from announcing that they compile, unless stderr is a terminal."""
    if not quiet and sys.stderr.isatty():
        yield
        return
    before = os.environ.get("KEEPCLEAR_QUIET")
    os.environ["KEEPCLEAR_QUIET"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["KEEPCLEAR_QUIET"]
        else:
            os.environ["KEEPCLEAR_QUIET"] = before
