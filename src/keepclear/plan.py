"""Planning libraries on top of a world, `kc.plan`: for OMPL with the extra "plan"."""

from __future__ import annotations

from keepclear.adapters.planning import joint_space, motion_validator, validity_checker

__all__ = ["joint_space", "motion_validator", "validity_checker"]
