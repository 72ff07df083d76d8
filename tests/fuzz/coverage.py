"""Which lines of readers a file reaches for the first time: what guides the choice of files to change further."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

Line = tuple[str, int]

_WATCHED = ("/keepclear/", "/trimesh/exchange/", "/collada/", "/yourdfpy/", "/numpy/lib/_format")
_NOT_WATCHED = ("/keepclear/kernels/crowd", "/keepclear/query/")


class Coverage:
    """Lines that were reached; a function whose lines all were is no longer watched, so that tracing gets cheap.

    Args:
        seen: Lines that were reached before.
    """

    def __init__(self, seen: set[Line]) -> None:
        self.seen = seen
        self.new: list[Line] = []
        self._open: dict[CodeType, set[int]] = {}

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note the lines that are reached for the first time in `new`."""
        self.new.clear()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(None)

    def note(self, line: Line) -> None:
        """Note something else that is new, such as where a file was refused."""
        if line not in self.seen:
            self.seen.add(line)
            self.new.append(line)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG002
        code = frame.f_code
        lines = self._open.get(code)
        if lines is None:
            lines = self._open[code] = self._lines(code)
        return self._line if lines else None

    def _lines(self, code: CodeType) -> set[int]:
        """Return the lines of a function that were not reached yet; none if it is not watched."""
        name = code.co_filename.replace("\\", "/")
        if not any(part in name for part in _WATCHED) or any(part in name for part in _NOT_WATCHED):
            return set()
        lines = {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}
        return {line for line in lines if (short(name), line) not in self.seen}

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG002
        if event == "line":
            lines = self._open[frame.f_code]
            if frame.f_lineno in lines:
                lines.discard(frame.f_lineno)
                self.note((short(frame.f_code.co_filename), frame.f_lineno))
        return self._line


def short(path: str) -> str:
    """Return the end of a path, from the name of the package on."""
    path = path.replace("\\", "/")
    for package in ("keepclear", "trimesh", "collada", "yourdfpy", "numpy"):
        if f"/{package}/" in path:
            return f"{package}/{path.rpartition(f'/{package}/')[2]}"
    return path.rpartition("/")[2]
