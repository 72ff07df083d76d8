"""Many cells and programs, `kc.fleet`: results, reports and comparisons with earlier runs."""

from __future__ import annotations

from keepclear.jobs.fleet.baseline import read_baseline
from keepclear.jobs.fleet.fleet_report import FleetReport
from keepclear.jobs.fleet.results import ProgramResult
from keepclear.jobs.fleet.run import verify_many, verify_programs

__all__ = ["FleetReport", "ProgramResult", "read_baseline", "verify_many", "verify_programs"]
