"""A file that keeps the outcome of each mutant, so that a run can go on where it was interrupted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tools.mutation.forks import ROOT, Outcome
from tools.mutation.mutants import Mutant


class Record:
    """Outcomes by mutant, one line of JSON each; of several about one mutant, the last counts.

    A mutant is named by the text of its line, which stays the same when lines are added above it.

    Args:
        file: Where outcomes are kept, None for nowhere.
        mutants: The mutants of this run.
    """

    def __init__(self, file: Path | None, mutants: list[Mutant]) -> None:
        self._file = file
        self._names = _names(mutants)
        lines = file.read_text().splitlines() if file is not None and file.exists() else []
        last = {row["mutant"]: row for row in map(json.loads, lines)}
        rows = {mutant: last[name] for mutant, name in self._names.items() if name in last}
        self.killers: dict[Mutant, str] = {
            mutant: row["test"] for mutant, row in rows.items() if row["result"] == "killed"
        }

    def add(self, outcome: Outcome) -> None:
        """Append an outcome."""
        if self._file is None:
            return
        row = {"mutant": self._names[outcome.mutant], "result": outcome.result, "test": outcome.test}
        with self._file.open("a") as file:
            file.write(json.dumps(row) + "\n")


def _names(mutants: list[Mutant]) -> dict[Mutant, str]:
    """Return a name for each mutant that does not depend on the lines above it."""
    texts = {file: file.read_text().splitlines() for file in {mutant.file for mutant in mutants}}
    seen: Counter[str] = Counter()
    found = {}
    for mutant in mutants:
        line = texts[mutant.file][mutant.line - 1].partition("  #")[0].strip()
        change = " ".join(f"{mutant.before} -> {mutant.after}".split())
        name = f"{mutant.file.resolve().relative_to(ROOT)}: {line}: {change}"
        seen[name] += 1
        found[mutant] = f"{name} ({seen[name]})"
    return found
