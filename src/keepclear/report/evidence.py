"""What a report was made of, by what and when, so that another person can make it again and compare."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Evidence", "InputFile", "path_from"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """A file that a report depends on.

    Attributes:
        path: The file, relative to the folder of the cell.
        sha256: SHA-256 of its bytes in hexadecimal digits.
        size: Its size [bytes].
    """

    path: str
    sha256: str
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The origin of a report: version, date, platform, input files with their digests, and settings.

    Attributes:
        version: The version of keepclear.
        sources: A digest of the sources that decide verdicts.
        date: When the check ended, in UTC, as in ISO 8601.
        command: A command that makes the report; for people, never run.
        platform: System, processor, and versions of Python and of libraries.
        cell: The cell file, relative to the folder of the report.
        inputs: The cell and all files that it names, sorted by path.
        settings: The options of `kc.verify`; None: as the cell says.
    """

    version: str
    sources: str = ""
    date: str
    command: str = ""
    platform: str = ""
    cell: str
    inputs: tuple[InputFile, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def path_from(folder: str | os.PathLike[str], path: str | os.PathLike[str]) -> str:
    """Return a path relative to a folder, with slashes; only its name if they have no folder in common but the root.

    So the folders of a machine are not told in files that are handed over.
    """
    start, end = Path(os.path.abspath(folder)), Path(os.path.abspath(path))  # noqa: PTH100 - links stay as they are
    shared = 0
    while shared < min(len(start.parts), len(end.parts)) and start.parts[shared] == end.parts[shared]:
        shared += 1
    if shared <= 1 and len(start.parts) > 1:
        return end.name
    return "/".join([".."] * (len(start.parts) - shared) + list(end.parts[shared:]))
