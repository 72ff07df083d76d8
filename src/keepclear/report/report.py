"""The result of checking a world over an interval of time, and the assumptions that it depends on."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from keepclear.report.parts import (
    Assumption,
    CrossCheck,
    Evidence,
    FarPairs,
    PairReport,
    Sampling,
    Unchecked,
    path_from,
)
from keepclear.report.records import PairRecords
from keepclear.report.scene import Scene
from keepclear.results import Verdict

__all__ = ["Report"]

FORMAT = "keepclear-report/2"
"""The version of the JSON; a reader of version 2 understands later minor versions, which only add fields."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report:
    """The verdict over a world and an interval of time, with everything that it depends on.

    Attributes:
        verdict: COLLIDING if any pair collides, else UNDECIDED if any is, else CLEAR.
        t0: The start of the interval [s].
        t1: Its end [s].
        tolerance: A pair whose minimum distance exceeds its margin by at most this may get either verdict [m].
        pairs: The pairs that were checked: pinned ones, then contacts by time, then undecided ones, then clear ones by
            their minimum distance minus their margin. Far pairs may be left out. The sequence stores columns and makes
            a `PairReport` when it is read.
        far: The pairs that were checked and are not in `pairs`; None: there are none.
        objects: The names of all objects and links with a shape; empty in reports of format 1.
        at_rest: Groups of objects that do not move relative to each other at any time. Pairs within a group are not
            checked; those within their margin are in `unchecked`.
        unchecked: The pairs that were not checked, and why.
        assumptions: The assumptions of the verdict.
        warnings: Warnings for the user, such as a trajectory outside of joint limits.
        title: Title, such as the name of the cell file.
        program: The name of the program, "" where there is only one.
        programs: One report for each program where there are several; then `pairs` has those of all, `far` counts
            those of all, and only the programs have groups `at_rest`.
        interrupted: Whether the user stopped the check before its end.
        sampling: The steps of a simulation, None for a check of the whole interval. A report with steps is never CLEAR,
            and no pair in it is.
        cross_check: The results of repeating the checks by an independent method, None without `cross_check`. A pair
            about which methods contradict each other is never CLEAR.
        evidence: The origin of the report, with digests of its input files; None unless asked for. It is compared by
            `keepclear reproduce`, not by ==.
        pins: The objects and pairs that `pinned` put first, as given; their pairs are the first in `pairs`.
        statistics: Counts by name: pairs by proof, evaluations. They measure effort, like `proof` and `evaluations` of
            pairs.
        scene: The scene for a page; not stored in the JSON.
        cell_path: The cell file, for `to_json`, which writes its path relative to the report; not stored.
        format: The version of the JSON that `to_json` writes.
    """

    verdict: Verdict
    t0: float
    t1: float
    tolerance: float
    pairs: Sequence[PairReport] = ()
    far: FarPairs | None = None
    objects: tuple[str, ...] = ()
    at_rest: tuple[tuple[str, ...], ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    warnings: tuple[str, ...] = ()
    title: str = ""
    program: str = ""
    programs: tuple[Report, ...] = ()
    interrupted: bool = False
    sampling: Sampling | None = None
    cross_check: CrossCheck | None = None
    pins: tuple[str, ...] = ()
    evidence: Evidence | None = field(default=None, compare=False)
    statistics: Mapping[str, Any] = field(default_factory=dict)
    scene: Scene | None = field(default=None, compare=False, repr=False)
    cell_path: Path | None = field(default=None, compare=False, repr=False)
    format: str = FORMAT
    _n_unlisted: int | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pairs", PairRecords.of(self.pairs))

    @property
    def records(self) -> PairRecords:
        """The columns of `pairs`, for code that reads many pairs at once."""
        return cast(PairRecords, self.pairs)

    @property
    def n_checked(self) -> int:
        """How many pairs were checked: those in `pairs`, and the far ones."""
        return len(self.pairs) + (self.far.count if self.far is not None else 0)

    @property
    def first(self) -> PairReport | None:
        """The pair with the first contact, in the first program that collides; None without a contact."""
        for program in self.programs:
            if (pair := program.first) is not None:
                return pair
        return self.records.first_contact()

    def pair(self, a: str, b: str) -> PairReport:
        """Return the result for two objects, in either order; of several programs, the worst.

        A far pair, which is not listed, is CLEAR with the bound of `far` as its clearance; its own margin is not known.

        Raises:
            UnknownNameError: There is no object of this name.
            ReportError: The pair was not checked; the message says why.

        Examples:
            >>> pairs = [PairReport(a="arm", b="table", verdict=Verdict.CLEAR, time=None, t_lo=8.0, t_hi=8.0)]
            >>> report = Report(
            ...     verdict=Verdict.CLEAR, t0=0.0, t1=8.0, tolerance=1e-3, pairs=pairs,
            ...     far=FarPairs(count=1, bound=0.1), objects=("arm", "table", "wall"), at_rest=(("table", "wall"),),
            ... )
            >>> report.pair("table", "arm") is report.pairs[0], report.pair("wall", "arm").clearance_lower
            (True, 0.1)
        """
        from keepclear.report.coverage import find_pair

        return find_pair(self, a, b)

    def pinned(self, *names: str) -> Report:
        """Return the same report with chosen pairs first, in `pairs`, in the JSON, in the summary and on the page.

        Args:
            names: An object, a link or a robot, for all pairs of it, or a pair such as "arm/hand - table". They replace
                earlier ones.

        Raises:
            UnknownNameError: There is no such object; the message has the nearest names.

        Examples:
            >>> found = {"verdict": Verdict.CLEAR, "time": None, "t_lo": 8.0, "t_hi": 8.0}
            >>> pairs = [PairReport(a="arm", b=name, **found) for name in ("table", "wall")]
            >>> report = Report(verdict=Verdict.CLEAR, t0=0.0, t1=8.0, tolerance=1e-3, pairs=pairs)
            >>> [pair.b for pair in report.pinned("wall - arm").pairs]
            ['wall', 'table']
        """
        from keepclear.report.coverage import object_names
        from keepclear.report.groups import pinned_report

        return pinned_report(self, names, object_names(self))

    @property
    def exit_code(self) -> int:
        """The exit code for a command: 0 clear, 1 collision, 3 undecided, 4 if methods contradict each other."""
        if self.cross_check is not None and self.cross_check.disagreements:
            return 4
        return {Verdict.CLEAR: 0, Verdict.COLLIDING: 1, Verdict.UNDECIDED: 3}[self.verdict]

    def __str__(self) -> str:
        from keepclear.report.words import describe

        return describe(self)

    def __repr__(self) -> str:
        programs = f", {len(self.programs)} programs" if self.programs else ""
        return f"Report({self.verdict.value}, {self.n_checked} pairs, {self.t0:g} .. {self.t1:g} s{programs})"

    def __bool__(self) -> bool:
        raise TypeError("a Report is neither true nor false; compare .verdict with kc.Verdict.CLEAR.")

    def to_json(self, path: str | os.PathLike[str] | None = None, *, effort: bool = True) -> str:
        """Return this report as JSON, without the scene, and write it to a file if a path is given.

        The fields have the names of the attributes; `report.schema.json` beside this module describes them. Numbers
        that are not finite become null. `kc.read_report` reads it back.

        Args:
            path: Where to write it.
            effort: Whether to write the effort: `statistics`, and `proof` and `evaluations` of each pair; and the
                evidence, which has a date. Without them, two runs with the same results give the same bytes, however
                much work each of them did.
        """
        from keepclear.report.json_file import json_text, report_dict, written

        content = report_dict(self, effort=effort)
        if effort and self.evidence is not None and self.cell_path is not None:
            folder = Path.cwd() if path is None else Path(path).parent
            content["evidence"]["cell"] = path_from(folder, self.cell_path)
        return written(json_text(content) + "\n", path)

    @classmethod
    def from_json(cls, source: str | os.PathLike[str]) -> Report:
        """Return the report in a JSON text, or in a file of this path; its scene is None.

        Raises:
            FileMissingError: There is no such file.
            ReportError: The file is not a report, is damaged, or was written by a newer version than this one can read.
        """
        from keepclear.report.json_file import parse_report, read_report

        if isinstance(source, str) and source.lstrip()[:1] in ("{", "[", ""):
            return parse_report(source)
        return read_report(source)

    def to_junit(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return this report as JUnit XML, and write it to a file if a path is given.

        A program is a suite, a pair a test case: COLLIDING a failure, UNDECIDED an error, not checked skipped. One
        test case stands for all far pairs.
        """
        from keepclear.report.json_file import written
        from keepclear.report.junit import junit_text

        return written(junit_text(self), path)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return this report as one self-contained web page, and write it to a file if a path is given.

        It opens in a browser without a network. With a scene (`verify(..., scene=True)`) it shows the cell in motion,
        and with curves the clearances over time. The durations of contacts are searched where that was not done
        before, within a fixed number of distance queries.
        """
        from keepclear.report.json_file import written
        from keepclear.report.pages.page import page_text

        return written(page_text(self), path)

    def to_pdf(self, path: str | os.PathLike[str]) -> None:
        """Write this report as PDF: its page, with all programs, and with evidence a page for signatures.

        An installed Chromium, Chrome or Edge prints it; the variable `KEEPCLEAR_CHROMIUM` of the environment may name
        one. The 3D view and the curve are those of the program with the worst verdict.

        Raises:
            MissingPackageError: There is no Chromium.
            ReportError: It ends without a PDF.
        """
        from keepclear.report.pages.pdf import write_pdf

        write_pdf(self, path)
