"""The progress of a command, in one line on stderr that is redrawn, on terminals; elsewhere in some lines, if asked."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import click

from keepclear.cli.terminal import columns_of, cut, padded, plain_line

__all__ = ["Progress", "progress_bar"]

Progress = Callable[[int, int, str], None]

LONGEST_BAR = 40  # columns
SHORT_BAR = 15  # to which it shrinks before the text is cut
SHORTEST_BAR = 5  # below which there is none
LEAST_TEXT = 12  # columns that a text keeps where there are so many
PERIOD = 0.1  # between two drawings [s]
LINE_PERIOD = 2.0  # between two lines where there is no terminal [s]
TICK = 0.5  # between two drawings while nothing is reported, for the clock [s]


@contextmanager
def progress_bar(
    quiet: bool = False, first: str = "reading the cell", *, stays: bool = False, lines: bool = False
) -> Iterator[Progress | None]:
    """Give a function that shows progress on a terminal, None without a terminal and lines.

    Args:
        quiet: Show nothing, whatever stderr is.
        first: The text before anything is reported.
        stays: Whether the last line stays where it is when all is done.
        lines: Whether lines are written to a pipe or file, one in LINE_PERIOD at most.
    """
    if lines and not quiet and not sys.stderr.isatty():
        yield _lines(sys.stderr)
        return
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
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


def _lines(stream: TextIO) -> Progress:
    """Return a function that writes what is being done as a line, unless one was written just now."""
    started = time.monotonic()
    last = -LINE_PERIOD

    def show(done: int, total: int, text: str) -> None:
        nonlocal last
        now = time.monotonic() - started
        if now - last >= LINE_PERIOD:
            last = now
            count = f" {done}/{total}" if total > 0 else ""
            with suppress(OSError, ValueError):  # the reader went away: the result does not depend on it
                click.echo(f"{plain_line(text)}{count} ({now:.0f} s)", file=stream)

    return show


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
        seconds = int(time.monotonic() - self._started)
        clock = f" {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
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
