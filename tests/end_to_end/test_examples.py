"""Every example runs by itself, checks its own answers and prints what its page shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
EXAMPLES = sorted((PROJECT / "examples").glob("*.py"))
PAGES = [page.read_text() for page in sorted((PROJECT / "docs/how-to/applications").glob("*.md"))]


def shown_lines(example: str) -> list[str]:
    """Return the lines that the page of an example says it prints; none if it has no page."""
    shown = [text for text in PAGES if f'"{example}"' in text]
    return [line for text in shown for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL)
            for line in block.splitlines()]  # fmt: skip


def test_pages_show_lines_of_examples() -> None:
    assert len([path for path in EXAMPLES if shown_lines(path.name)]) == len(PAGES) > 0


def test_there_are_examples() -> None:
    numbers = [int(path.name[:2]) for path in EXAMPLES]
    assert numbers == sorted(set(numbers))
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert set(shown_lines(path.name)) <= set(done.stdout.splitlines())
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind
