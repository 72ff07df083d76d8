"""The code that README and the documentation's first page show runs as it is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_code_runs(project: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (project / page).read_text(), flags=re.DOTALL)
    assert len(blocks) == 1
    exec(compile(blocks[0], page, "exec"), {})
    assert capsys.readouterr().out.startswith("0.33")
