"""The Python code on every page of the documentation runs, and prints what the page says it prints.

The blocks of one page share their names, from top to bottom. A `text` block right after a `python` block is
what that block prints.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md") if "```python" in path.read_text())
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n^```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


def test_pages_were_found() -> None:
    assert "tutorial.md" in PAGES


@pytest.mark.parametrize("page", PAGES)
def test_the_code_runs_and_prints_what_is_shown(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text()
    if "from ompl import" in text:
        pytest.importorskip("ompl", reason="ompl is not installed (extra plan)")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("```python")
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + block[1], page, "exec"), names)
        printed = capsys.readouterr().out
        if block[2] is not None:
            assert printed == block[2], f"{page}:{line}"
