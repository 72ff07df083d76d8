"""Adapters for planning libraries: `kc.plan`, for OMPL with the extra "plan"."""

from __future__ import annotations

from keepclear.plan.ompl_adapter import joint_space, motion_validator, validity_checker

__all__ = ["joint_space", "motion_validator", "validity_checker"]
