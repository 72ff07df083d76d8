"""Findings of earlier campaigns, read again: each file's name begins with that of its reader."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.fuzz.campaign import warm_up
from tests.fuzz.readers import READERS
from tests.fuzz.worker import content_place, run_alone


def replay(files: Sequence[Path]) -> int:
    """Print a line of JSON for each file; return 1 if one of them is a finding again."""
    readers = {path: READERS[path.name.partition("--")[0]] for path in files}
    warm_up(list(dict.fromkeys(readers.values())))
    found = 0
    for path, reader in readers.items():
        outcome = run_alone(reader, content_place(path.read_bytes()))
        print(json.dumps({"file": path.name, "is_finding": outcome.is_finding} | asdict(outcome)), flush=True)
        found += outcome.is_finding
    return 1 if found else 0
