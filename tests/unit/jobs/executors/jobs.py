"""What workers do in tests of executors: functions of a module, so that other processes find them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

SHORT: list[Any] = []
"""Something where memory stays short after a job."""


def add(shared: int, arguments: tuple[str, Any]) -> Any:
    """Add a number to what is shared, or do something wrong."""
    kind, value = arguments
    if kind == "short":
        SHORT.append(value)
    if SHORT:
        raise MemoryError
    if kind == "raise":
        raise ValueError(f"bad {value}")
    if kind == "memory":
        raise MemoryError
    if kind == "hang":
        time.sleep(3600.0)
    if kind == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "die once" and not Path(value).exists():
        Path(value).write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "slow":
        time.sleep(value)
    return shared, value
