"""The evidence of a report about a cell: digests of its files, settings, versions and date."""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import os
import platform
import shlex
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from keepclear import __version__
from keepclear.cell.cell import Cell
from keepclear.files import read_regular_buffer
from keepclear.report.evidence import Evidence, InputFile, path_from
from keepclear.report.json_file import plain
from keepclear.store.version import method_digest

__all__ = ["SETTINGS", "changed_since", "evidence_of", "inputs_of"]

SETTINGS = {
    "program": None, "t0": None, "t1": None, "tolerance": None, "contacts": "first", "clearances": True, "budget": None,
    "stepwise": None, "models": None, "method": None, "cross_check": False, "hints": False,
}  # fmt: skip
"""The options of `kc.verify` that decide findings, with their defaults."""

_FLAGS = {"clearances": "--no-clearances", "cross_check": "--cross-check"}
_ONLY_IN_PYTHON = {"t0", "t1", "budget"}


def evidence_of(cell: Cell, settings: Mapping[str, Any], pins: Sequence[str] = ()) -> Evidence:
    """Return the evidence of a report about a cell that was made just now.

    Args:
        cell: The cell.
        settings: The values of `SETTINGS`.
        pins: What comes first in the report; part of the command only.
    """
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    date = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    libraries = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "numba"))
    return Evidence(
        version=__version__,
        sources=method_digest().hex()[:16],
        date=date.strftime("%Y-%m-%dT%H:%M:%SZ"),
        command=_command(cell, settings, pins),
        platform=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {libraries}",
        cell=cell.path.name,
        inputs=inputs_of(cell),
        settings={name: settings.get(name, default) for name, default in SETTINGS.items()},
    )


def inputs_of(cell: Cell) -> tuple[InputFile, ...]:
    """Return the cell and the files that it names, with their digests, sorted by path."""
    folder = cell.path.parent
    found = set()
    for file in (cell.path, *cell.files):
        try:
            content = read_regular_buffer(file)
        except OSError:  # a file that it may name, and that does not exist
            continue
        digest = hashlib.sha256(content).hexdigest()
        found.add((path_from(folder, file), digest, len(content)))
    return tuple(InputFile(path=path, sha256=digest, size=size) for path, digest, size in sorted(found))


def changed_since(cell: Cell, seconds: float) -> list[str]:
    """Return the files of a cell that were written after an instant [s since 1970]."""
    changed = []
    for file in (cell.path, *cell.files):
        try:
            written = Path(file).stat().st_mtime
        except OSError:
            continue
        if written > seconds:
            changed.append(path_from(cell.path.parent, file))
    return sorted(changed)


def _command(cell: Cell, settings: Mapping[str, Any], pins: Sequence[str]) -> str:
    """Return the command for the same settings; a call in Python where the command line does not have one of them."""
    given = {name: value for name, value in settings.items() if name in SETTINGS and value != SETTINGS[name]}
    if not _ONLY_IN_PYTHON.isdisjoint(given):
        given |= {"pins": list(pins)} if pins else {}
        options = "".join(f", {name}={plain(value)!r}" for name, value in given.items())
        return f"kc.verify({cell.path.name!r}{options})"
    words = ["keepclear", "verify", cell.path.name]
    if settings.get("stepwise") is None:  # the command has another default than the function
        given["contacts"] = settings.get("contacts", SETTINGS["contacts"])
    for name, value in given.items():
        if name != "hints":  # the command adds them
            words += [_FLAGS[name]] if name in _FLAGS else [f"--{name}", str(value)]
    words += [word for pin in pins for word in ("--pin", pin)]
    return shlex.join(words)
