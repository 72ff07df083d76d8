"""Every example runs by itself, checks its own answers and prints what its page shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
EXAMPLES = sorted((PROJECT / "examples").glob("*.py"))
SOURCES = sorted((PROJECT / "examples" / "sources").glob("*.py"))
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


@pytest.mark.parametrize("path", [*EXAMPLES, *SOURCES], ids=lambda path: path.stem)
def test_the_example_runs(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert set(shown_lines(path.name)) <= set(done.stdout.splitlines())
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind


def test_each_source_has_its_script_and_its_page(tmp_path: Path) -> None:
    assert [path.stem for path in SOURCES] == [
        "box_tree",
        "closest_points",
        "contact_time",
        "crowd",
        "spheres",
    ]
    text = (PROJECT / "docs" / "theory" / "sources.md").read_text()
    for path in SOURCES:
        assert f"python examples/sources/{path.name}" in text
    page = tmp_path / "page.html"
    subprocess.run([sys.executable, str(SOURCES[2]), str(page)], check=True, capture_output=True)
    assert page.stat().st_size > 100_000
