"""Many cells and programs, `kc.fleet`: results, reports and comparisons with earlier runs."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keepclear.fleet.baseline import read_baseline
    from keepclear.fleet.fleet_report import FleetReport
    from keepclear.fleet.results import ProgramResult
    from keepclear.fleet.run import verify_many, verify_programs

__all__ = ["FleetReport", "ProgramResult", "read_baseline", "verify_many", "verify_programs"]

_MODULE_OF = {
    "FleetReport": "fleet_report",
    "ProgramResult": "results",
    "read_baseline": "baseline",
    "verify_many": "run",
    "verify_programs": "run",
}


def __getattr__(name: str) -> object:
    """Import a name on its first use: the modules of this folder import each other."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'keepclear.fleet' has no attribute '{name}'")
    value: object = getattr(importlib.import_module(f"keepclear.fleet.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value
