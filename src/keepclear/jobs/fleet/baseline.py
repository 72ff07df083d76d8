"""Changes since an earlier run: verdicts, clearances that fell, pairs and programs that are new or gone."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from keepclear.errors import FileMissingError, ReportError
from keepclear.jobs.fleet.changes import Cause, Change, causes_of, changes_of, checked_pairs, counted_once
from keepclear.jobs.fleet.findings import not_run_text
from keepclear.jobs.fleet.results import ProgramResult, read_json_results
from keepclear.jobs.store.database import HEADER, PROGRAM, ProgramRow, ResultStore
from keepclear.jobs.store.reports import decode_report, encode_report
from keepclear.names import listed
from keepclear.report.report import Report
from keepclear.report.words import counted

__all__ = ["DEFAULT_LIMIT", "Baseline", "Comparison", "keep_last", "read_baseline"]

DEFAULT_LIMIT = 1e-3
"""How far a clearance may fall by default [m]."""
_SHOWN = 3
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed since an earlier run.

    Attributes:
        baseline: The earlier run, such as a path to its store or JSON file.
        limit: Clearances that fell by more than this are listed [m].
        changes: The changes, in the order of the programs.
        n_compared: How many programs were compared.
        n_unknown: How many pairs had a known clearance before and have only a bound now.
        checked: How many pairs of each object this run lists, by which changes are grouped.
    """

    baseline: str
    limit: float
    changes: tuple[Change, ...] = ()
    n_compared: int = 0
    n_unknown: int = 0
    checked: Mapping[str, int] = field(default_factory=dict, repr=False)

    @property
    def causes(self) -> list[Cause]:
        """The changes grouped by the object or the cell that they have in common, the most urgent first."""
        return causes_of(self.changes, self.checked)

    @property
    def fallen(self) -> tuple[Change, ...]:
        """The clearances that fell by more than the limit."""
        return tuple(change for change in self.changes if change.kind == "clearance")

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as a dictionary for JSON."""
        return {
            "baseline": self.baseline, "limit": self.limit, "compared": self.n_compared,
            "clearances_not_compared": self.n_unknown, "changes": [change.to_dict() for change in self.changes],
        }  # fmt: skip

    def lines(self) -> Iterator[str]:
        """Yield the lines of the summary for a terminal: one for each group of changes."""
        counts: dict[str, int] = {}
        for change in counted_once(self.changes):
            counts[change.title] = counts.get(change.title, 0) + 1
        found = ", ".join(counted(n, title) for title, n in sorted(counts.items())) or "nothing changed"
        yield f"since {self.baseline}: {counted(self.n_compared, 'program')} compared: {found}"
        yield from (f"  {cause.text}" for cause in self.causes)
        if self.n_unknown:
            yield f"  {counted(self.n_unknown, 'clearance')} not compared: only bounds are known now"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The results of an earlier run.

    Attributes:
        name: Its path as given by the user.
        kind: "store", "fleet" (the JSON of many programs) or "report" (the JSON of one cell).
        found: Reports by cell, program and variant, decoded or as bytes of a store; None for a program without one.
        stopped: How many of its programs were not run; "" if all were. A stopped run is no baseline.
    """

    name: str
    kind: str
    found: dict[Key, Report | bytes | None] = field(repr=False)
    stopped: str = ""

    def compare(
        self, results: Sequence[ProgramResult], limit: float = DEFAULT_LIMIT, *, partly: bool = False
    ) -> Comparison:
        """Return the comparison of this run with the baseline.

        Args:
            results: The results of this run.
            limit: How far clearances may fall [m].
            partly: Whether this run was stopped early; programs without a result then do not count as gone.

        Raises:
            ReportError: The two cannot be compared: other cells, other tolerances, steps of a simulation, a baseline
                whose run was stopped.
            StoreError: The store is damaged.
        """
        if self.stopped:
            raise ReportError(f"baseline {self.name!r}: {self.stopped}; give the JSON of a whole run.")
        before = self._named(results)
        changes: list[Change] = []
        n_compared = n_unknown = 0
        for result in sorted(results, key=lambda one: one.name):
            key = _key(*result.key)
            if result.not_run:
                before.pop(key, None)
                continue
            if key not in before:
                changes.append(Change("new program", *result.key, after=result.verdict.value))
                continue
            old = before.pop(key)
            old = decode_report(old) if isinstance(old, bytes) else old
            n_compared += 1
            found, unknown = changes_of(result, old, limit, self.name)
            changes += found
            n_unknown += unknown
        if not n_compared:
            raise self._other_cells(results)
        for (cell, program, variant), _ in sorted(before.items()) if not partly else ():
            changes.append(Change("gone program", cell, program, variant))
        checked = checked_pairs(one.report for one in results if one.report is not None) if changes else {}
        return Comparison(self.name, limit, tuple(changes), n_compared, n_unknown, checked)

    def _named(self, results: Sequence[ProgramResult]) -> dict[Key, Report | bytes | None]:
        """Return the earlier reports to compare with; of a store, only those of the cells of this run."""
        cells = {_path(one.cell) for one in results}
        if self.kind == "report":
            self._check_single(results)
            (cell, variant), *_ = {(one.cell, one.variant) for one in results}
            return {_key(cell, program, variant): report for (_, program, _), report in self.found.items()}
        return {key: old for key, old in self.found.items() if self.kind != "store" or key[0] in cells}

    def _check_single(self, results: Sequence[ProgramResult]) -> None:
        if len({(one.cell, one.variant) for one in results}) != 1:
            raise ReportError(
                f"baseline {self.name!r} is the report of one cell, but this run has several; give the JSON of a run "
                "over many cells, or a store."
            )
        old = {report.title for report in self.found.values() if isinstance(report, Report)}
        new = {one.report.title for one in results if one.report is not None}
        if new and old != new:
            raise ReportError(
                f"baseline {self.name!r} is about {listed(map(repr, sorted(old)))}, and this run about "
                f"{listed(map(repr, sorted(new)))}; give a report of the same cell."
            )

    def _other_cells(self, results: Iterable[ProgramResult]) -> ReportError:
        old = sorted({key[0] or key[1] for key in self.found})
        new = sorted({one.cell for one in results})
        texts = [
            listed(map(repr, names[:_SHOWN]))
            + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
            for names in (old, new)
        ]
        return ReportError(
            f"baseline {self.name!r} has no program of this run: it is about {texts[0] or 'nothing'}, and this run "
            f"about {texts[1] or 'nothing'}; name the cells by the same paths."
        )


def read_baseline(path: str | os.PathLike[str]) -> Baseline:
    """Return the results of an earlier run from a store, the JSON of a fleet, or the JSON of one report.

    Raises:
        FileMissingError: There is no such file.
        ReportError: The file is none of these, is damaged, or has another version.
        StoreError: The store cannot be used.
    """
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            is_store = Path(path).is_file() and file.read(len(HEADER)) == HEADER
    except FileNotFoundError as cause:
        raise FileMissingError(f"there is no baseline {name!r}; check the path.") from cause
    except OSError as cause:
        raise ReportError(f"baseline {name!r} cannot be read: {cause.strerror or cause}.") from cause
    if is_store:
        with ResultStore(path, write=False) as store:
            found: dict[Key, Report | bytes | None] = {}
            for row in store.programs():
                content = store.report_content(row)
                if content is None:
                    raise ReportError(
                        f"baseline {name!r} has lost the report of {row.cell!r} {row.program!r}; verify it again."
                    )
                found[_key(*row[:3])] = content
        return Baseline(name, "store", found)
    _, results, is_single = read_json_results(path)
    reports = {_key(*one.key): one.report for one in results}
    return Baseline(name, "report" if is_single else "fleet", dict(reports), not_run_text(results))


def keep_last(store: ResultStore, results: Iterable[ProgramResult]) -> None:
    """Keep reports in a store as the last results of their programs, for comparisons only.

    Reports of steps, and of checks that were stopped, are not kept.
    """
    rows, contents = [], {}
    for one in results:
        if one.report is None or one.report.interrupted or one.report.sampling is not None:
            continue
        plain = replace(
            one.report, pairs=replace(one.report.records, curves={}), scene=None, cross_check=None
        )  # fmt: skip
        content = encode_report(plain)
        key = hashlib.sha256(b"last report" + content).digest()  # a key that no run looks up
        contents[key] = content
        rows.append(ProgramRow(*one.key, key, plain.verdict.value, time.time()))
    store.keep_all([(PROGRAM, contents)], rows)


def _path(cell: str) -> str:
    return os.path.normpath(cell) if cell else ""


def _key(cell: str, program: str, variant: str) -> Key:
    return _path(cell), program, variant
