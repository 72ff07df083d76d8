"""Names in messages about cells; see `keepclear.names`."""

from __future__ import annotations

from keepclear.names import did_you_mean, listed, nearest

__all__ = ["did_you_mean", "listed", "nearest"]
