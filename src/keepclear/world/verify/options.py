"""The options of a check of a world over an interval of time, validated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from keepclear.checks import (
    checked_budget,
    checked_choice,
    checked_flag,
    checked_length,
    checked_positive,
    shown,
)
from keepclear.errors import ArgumentError

MOST_INSTANTS = 100_000
Proof = Literal["hybrid", "bisection", "exact", "bisect_exact"]
"""The methods of `kc.first_contact` that prove their verdicts."""


@dataclass(frozen=True, slots=True)
class Task:
    """The options of a check of a world, validated.

    Attributes:
        t0: Start of the interval [s].
        t1: Its end [s].
        tolerance: Largest error of a decision [m].
        contacts: "earliest", "first" or "all".
        clearances: Whether the minimum distance of each pair is computed.
        far: Larger distances are not distinguished [m].
        curves: The number of instants of distances over time; 0: no curves.
        budget: Maximum number of distances for each pair and window, or None.
        threads: How many threads work.
        scene: Whether the report has a scene for a page.
        method: The method for pairs that boxes and hulls leave open.
        cross_check: Whether findings are repeated by an independent method.
        hints: Whether colliding pairs get hints.
    """

    t0: float
    t1: float
    tolerance: float
    contacts: str
    clearances: bool
    far: float
    curves: int
    budget: int | None
    threads: int
    scene: bool
    method: str = "hybrid"
    cross_check: bool = False
    hints: bool = False


def checked_proof(who: str, method: object) -> str:
    """Return the name of a method that proves; sampling proves nothing, so worlds do not accept it."""
    if method == "sampling":
        raise ArgumentError(
            f"{who}: method='sampling' proves nothing; use World.simulate, or verify a cell with stepwise."
        )
    return checked_choice(who, "method", method, get_args(Proof))


def checked_task(t0: float, t1: float, **given: Any) -> Task:
    """Return the validated options."""
    tolerance = checked_positive("tolerance", given["tolerance"], "metres")
    contacts = checked_choice("verify", "contacts", given["contacts"], ("earliest", "first", "all"))
    curves = given["curves"]
    if (
        isinstance(curves, bool)
        or not isinstance(curves, int | np.integer)
        or not 0 <= curves <= MOST_INSTANTS
    ):
        raise ArgumentError(
            f"curves must be a number of instants from 0 to {MOST_INSTANTS}, but it is {shown(curves)}."
        )
    return Task(
        t0=t0, t1=t1, tolerance=tolerance, contacts=contacts,
        clearances=checked_flag("clearances", given["clearances"]),
        far=checked_length("far", given["far"]), curves=int(curves), budget=checked_budget(given["budget"]),
        threads=given["threads"], scene=checked_flag("scene", given["scene"]),
        method=checked_proof("verify", given.get("method", "hybrid")),
        cross_check=checked_flag("cross_check", given.get("cross_check", False)),
        hints=checked_flag("hints", given.get("hints", False)),
    )  # fmt: skip
