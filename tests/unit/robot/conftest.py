"""Robots of a few lines, written to files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write lines between <robot> and </robot> to a file, and return its path."""

    def written(body: str, name: str = "robot.urdf", robot: str = "bot") -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'<?xml version="1.0"?>\n<robot name="{robot}">\n{body}\n</robot>\n')
        return file

    return written
