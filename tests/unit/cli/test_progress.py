"""The line of progress: as wide as a terminal and gone when the work is done; plain lines in a pipe."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import time

import pytest

from keepclear.cli import progress
from keepclear.cli.progress import Above, Bar, columns_of, progress_bar


class Terminal(io.StringIO):
    """A stream that is a terminal, and what stands on its last line."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        """The lines as they are seen: after a carriage return the next characters replace the first."""
        seen = []
        for line in self.getvalue().split("\n"):
            shown = ""
            for part in line.split("\r"):
                shown = part + shown[len(part) :]
            seen.append(shown.rstrip())
        return seen


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 80 columns."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return Terminal()


def test_progress_is_drawn_and_erased(terminal: Terminal) -> None:
    with contextlib.redirect_stderr(terminal):
        with progress_bar() as show:
            assert show is not None
            assert terminal.lines == ["reading the cell 0:00:00"]
            time.sleep(progress.PERIOD)
            show(21, 84, "pick: hulls")
            assert terminal.lines == [f"pick: hulls {10 * '━'}{30 * '─'} 21/84 0:00:00"]
        assert terminal.lines == [""]
        assert sys.stderr is terminal


def test_the_last_line_can_stay(terminal: Terminal) -> None:
    with contextlib.redirect_stderr(terminal):
        with progress_bar(first="compiling kernels", stays=True) as show:
            assert show is not None
            show(58, 58, "compiling kernels")  # drawn at the end, whenever the last one was
        assert terminal.lines == [f"compiling kernels {40 * '━'} 58/58 0:00:00", ""]


def test_errors_leave_an_empty_line(terminal: Terminal) -> None:
    with contextlib.redirect_stderr(terminal):
        with pytest.raises(KeyboardInterrupt), progress_bar(stays=True):
            raise KeyboardInterrupt
        assert terminal.lines == [""]
        assert sys.stderr is terminal


@pytest.mark.parametrize("columns", [200, 80, 60, 40, 25, 14, 8, 3, 1])
@pytest.mark.parametrize("text", ["pick", "机器人-corrected: exact shapes of all that comes near", ""])
def test_no_line_is_wider_than_the_terminal(columns: int, text: str) -> None:
    bar = Bar(Terminal(), text)
    assert columns_of(bar.line(columns)) <= columns
    for done, total in ((0, 7), (7, 7), (9, 7), (123456, 999999)):
        bar.show(done, total, text)
        assert columns_of(bar.line(columns)) <= columns
    if columns >= 40:
        assert "123456/999999" in bar.line(columns)


def test_narrow_terminals_shorten_the_bar_and_then_the_text() -> None:
    bar = Bar(Terminal(), "")
    bar.show(1, 2, "pick-corrected: hulls")
    assert bar.line(80) == f"pick-corrected: hulls {20 * '━'}{20 * '─'} 1/2 0:00:00"
    assert bar.line(50) == f"pick-corrected: hulls {8 * '━'}{8 * '─'} 1/2 0:00:00"
    assert bar.line(40) == f"pick-correc… {7 * '━'}{8 * '─'} 1/2 0:00:00"
    assert bar.line(26) == "pick-correc… 1/2 0:00:00"


def test_terminals_that_know_letters_only() -> None:
    stream = Terminal()
    stream.encoding = "ascii"
    bar = Bar(stream, "")
    bar.show(1, 4, "pick")
    assert bar.line(80) == f"pick {10 * '#'}{30 * '-'} 1/4 0:00:00"


def test_what_is_reported_fast_is_not_drawn_each_time(terminal: Terminal) -> None:
    with contextlib.redirect_stderr(terminal):
        with progress_bar() as show:
            assert show is not None
            for k in range(10_000):
                show(k, 10_000, "pick")
        assert terminal.getvalue().count("\r") < 100


def test_the_clock_goes_on(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.redirect_stderr(terminal):
        monkeypatch.setattr(progress, "TICK", 0.01)
        with progress_bar():
            while terminal.getvalue().count("\r") <= 3:
                time.sleep(0.01)


def test_lines_of_others_appear_above(terminal: Terminal) -> None:
    with contextlib.redirect_stderr(terminal):
        with progress_bar() as show:
            assert show is not None
            assert isinstance(sys.stderr, Above)
            print("keepclear: compiling gjk kernel", file=sys.stderr)  # noqa: T201
            assert terminal.lines == ["keepclear: compiling gjk kernel", "reading the cell 0:00:00"]
            assert sys.stderr.isatty()
        assert terminal.lines == ["keepclear: compiling gjk kernel", ""]


def test_a_pipe_gets_plain_lines_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, pipe = [100.0], io.StringIO()
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(progress, "TICK", 1e9)
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    with contextlib.redirect_stderr(pipe), progress_bar() as show:
        assert show is not None
        for second in range(1, 1001):
            clock[0] = 100.0 + second
            show(second, 1000, "pick:\x1b[2K hulls")
    lines = pipe.getvalue().splitlines()
    assert lines[:3] == [
        "keepclear: pick:?[2K hulls 5/1000 0:00:05",
        "keepclear: pick:?[2K hulls 10/1000 0:00:10",
        "keepclear: pick:?[2K hulls 15/1000 0:00:15",
    ]
    assert 15 < len(lines) < 35
    assert "\r" not in pipe.getvalue()


def test_a_pipe_gets_lines_while_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    for name in ("TICK", "LINE_PERIOD"):
        monkeypatch.setattr(progress, name, 0.01)
    with contextlib.redirect_stderr(pipe), progress_bar(first="reading the robot"):
        while not pipe.getvalue():
            time.sleep(0.01)
    assert pipe.getvalue().startswith("keepclear: reading the robot 0:00:0")


def test_a_pipe_whose_reader_went_away_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    monkeypatch.setattr(progress, "LINE_PERIOD", 0.0)
    with contextlib.redirect_stderr(Closed()), progress_bar() as show:
        assert show is not None
        show(1, 2, "pick")


def test_short_commands_write_nothing_to_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    with contextlib.redirect_stderr(pipe), progress_bar(stays=True) as show:
        assert show is not None
        show(1, 1, "pick")
    assert pipe.getvalue() == ""


def test_quiet_commands_show_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.redirect_stderr(terminal), progress_bar(quiet=True) as show:
        assert show is None
    monkeypatch.setenv("KEEPCLEAR_QUIET", "1")
    monkeypatch.setenv("TERM", "dumb")
    with contextlib.redirect_stderr(terminal), progress_bar() as show:
        assert show is None
    with contextlib.redirect_stderr(io.StringIO()), progress_bar() as show:
        assert show is None
    assert terminal.getvalue() == ""


@pytest.mark.skipif(os.name != "posix", reason="pseudo terminals are of POSIX systems")
def test_a_real_terminal_of_another_width() -> None:
    import fcntl
    import pty
    import struct
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 30, 0, 0))
    code = """
import time
from keepclear.cli.progress import progress_bar
with progress_bar() as show:
    time.sleep(0.2)
    show(1, 2, "pick-corrected: hulls")
print("the result")
"""
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-c", code], stderr=follower, stdout=subprocess.PIPE, env=environment
    )
    os.close(follower)
    said = os.read(leader, 100_000).decode()
    os.close(leader)
    assert done.stdout == b"the result\n"
    assert "pick-correc… ━━───" not in said
    assert "pick-correc… 1/2 0:00:00" in said
    assert max(columns_of(part) for part in said.split("\r")) <= 29
