"""What a campaign knows: counts, files that reached something new, and findings; kept on disk to go on later."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.fuzz.coverage import Line
from tests.fuzz.limits import Outcome
from tests.fuzz.readers import READERS, Reader, corpus_files


@dataclass(slots=True)
class Tally:
    """What one reader has read."""

    files: int = 0
    valid: int = 0
    refused: int = 0
    stopped: int = 0
    findings: int = 0
    slowest: float = 0.0
    memory: int = 0

    def add(self, outcome: Outcome) -> None:
        """Count a file."""
        self.files += 1
        if outcome.is_finding:
            self.findings += 1
        else:
            setattr(self, outcome.kind, getattr(self, outcome.kind) + 1)
        self.slowest = max(self.slowest, outcome.seconds)
        self.memory = max(self.memory, outcome.memory)


@dataclass(slots=True)
class Finding:
    """Something that must not happen: which reader, what, the name of its file, and how often it was seen."""

    reader: str
    signature: str
    text: str
    file: str
    times: int = 1


@dataclass(slots=True)
class ReaderState:
    """What is known about one reader: counts, files to change further, lines reached."""

    reader: Reader
    tally: Tally = field(default_factory=Tally)
    valid: list[bytes] = field(default_factory=list)
    reaching: list[bytes] = field(default_factory=list)
    seen: set[Line] = field(default_factory=set)
    is_begun: bool = False


class State:
    """A campaign on disk.

    Args:
        folder: Where it is kept; what is there is gone on with.
        names: The readers.
    """

    def __init__(self, folder: Path, names: list[str]) -> None:
        self.folder = folder
        self.readers = {name: ReaderState(READERS[name]) for name in names}
        self.findings: dict[str, Finding] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._read()

    def _read(self) -> None:
        file = self.folder / "campaign.json"
        content = json.loads(file.read_text()) if file.is_file() else {"readers": {}, "findings": []}
        for name, one in self.readers.items():
            one.tally = Tally(**content["readers"].get(name, {}))
            one.valid = [path.read_bytes() for path in corpus_files(one.reader)]
            folder = self.folder / "reaching" / name
            one.reaching = [path.read_bytes() for path in sorted(folder.iterdir())] if folder.is_dir() else []
        self.findings = {
            entry["reader"] + entry["signature"]: Finding(**entry) for entry in content["findings"]
        }
        self._others = {name: tally for name, tally in content["readers"].items() if name not in self.readers}

    def write(self) -> None:
        """Write counts and findings; files that reach something new were written when they did."""
        readers = self._others | {name: asdict(one.tally) for name, one in self.readers.items()}
        content = {"readers": readers, "findings": [asdict(finding) for finding in self.findings.values()]}
        part = self.folder / "campaign.json.part"
        part.write_text(json.dumps(content, indent=1))
        part.replace(self.folder / "campaign.json")

    def keep(self, one: ReaderState, data: bytes) -> None:
        """Keep a file that reached something new."""
        folder = self.folder / "reaching" / one.reader.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{len(one.reaching):05d}").write_bytes(data)
        one.reaching.append(data)

    def summary(self) -> str:
        """Return the table of all readers, and the findings."""
        heads = (
            "reader",
            "files",
            "valid",
            "refused",
            "stopped",
            "findings",
            "slowest [s]",
            "memory [MB]",
            "lines",
        )
        rows = [heads]
        for name, one in self.readers.items():
            t = one.tally
            numbers = (
                t.files,
                t.valid,
                t.refused,
                t.stopped,
                t.findings,
                f"{t.slowest:.2f}",
                f"{t.memory / 1e6:.0f}",
            )
            rows.append((name, *map(str, numbers), str(sum(line > 0 for _, line in one.seen))))
        tallies = [one.tally for one in self.readers.values()]
        sums = [
            str(sum(getattr(t, key) for t in tallies))
            for key in ("files", "valid", "refused", "stopped", "findings")
        ]
        slowest, memory = max(t.slowest for t in tallies), max(t.memory for t in tallies)
        rows.append(("all", *sums, f"{slowest:.2f}", f"{memory / 1e6:.0f}", ""))
        widths = [max(len(row[k]) for row in rows) for k in range(len(heads))]
        lines = [
            "  ".join(
                cell.ljust(w) if k == 0 else cell.rjust(w)
                for k, (cell, w) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        found = [
            f"FINDING {f.reader}: {f.signature} ({f.times} times): {f.text} -> {f.file}"
            for f in self.findings.values()
        ]
        return "\n".join([*lines, "", *(found or ["no findings"])])


def slug(text: str) -> str:
    """Return a text as part of a file's name."""
    text = text.replace("keepclear/", "").replace(".py", "")
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:70]
