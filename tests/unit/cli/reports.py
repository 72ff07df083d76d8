"""Small reports for the tests of commands, made by hand."""

from __future__ import annotations

from dataclasses import replace

import keepclear as kc
from keepclear.report.parts import (
    Answer,
    Assumption,
    Contact,
    CrossCheck,
    Disagreement,
    PairReport,
    Unchecked,
)
from keepclear.report.report import Report

CLEAR, COLLIDING, UNDECIDED = kc.Verdict.CLEAR, kc.Verdict.COLLIDING, kc.Verdict.UNDECIDED


def pair(a: str, b: str, least: float) -> PairReport:
    """Return a pair that stays apart."""
    return PairReport(a=a, b=b, verdict=CLEAR, time=None, t_lo=8.0, t_hi=8.0, clearance_lower=least,
                      clearance_upper=least + 1e-4, clearance_time=3.0)  # fmt: skip


CONTACT = PairReport(a="arm/hand", b="arch", verdict=COLLIDING, time=2.0625, t_lo=2.0624, t_hi=2.0625,
                     contacts=(Contact(time=2.0625, t_lo=2.0624, t_hi=2.0625, t_end=2.0687),))  # fmt: skip
OPEN = PairReport(a="arm/hand", b="cart", verdict=UNDECIDED, time=None, t_lo=1.5, t_hi=8.0)
FAR = PairReport(a="arm/base", b="cart", verdict=CLEAR, time=None, t_lo=8.0, t_hi=8.0, clearance_lower=0.1)
RESTING = Unchecked(a="arm/base", b="table", reason="at rest", touching=True)

clear = Report(
    verdict=CLEAR,
    t0=0.0,
    t1=8.0,
    tolerance=1e-4,
    pairs=(pair("arm/hand", "arch", 0.00402), pair("arm/wrist", "arch", 0.025), FAR),
    unchecked=(RESTING, Unchecked(a="arm/base", b="arm/turret", reason="srdf")),
    assumptions=(Assumption(kind="interpolation", subject="arm", text="straight lines between the rows"),),
    warnings=("'pick.csv' leaves the limits of joint_2",),
    title="cell.yaml",
)
colliding = replace(clear, verdict=COLLIDING, pairs=(CONTACT, pair("arm/wrist", "arch", 0.025), FAR))
undecided = replace(clear, verdict=UNDECIDED, pairs=(OPEN, *clear.pairs), interrupted=True)
_SURE = Answer(method="hulls", verdict=CLEAR, time=None, t_lo=8.0, t_hi=8.0)
_HIT = Answer(method="bisection", verdict=COLLIDING, time=2.0, t_lo=1.9, t_hi=2.0)
disputed = replace(
    undecided,
    interrupted=False,
    cross_check=CrossCheck(
        n_confirmed=2,
        disagreements=(
            Disagreement(a=OPEN.a, b=OPEN.b, reason="at 2 s they are in contact", first=_SURE, second=_HIT),
        ),
    ),
)
both = Report(
    verdict=COLLIDING,
    t0=0.0,
    t1=8.0,
    tolerance=1e-4,
    pairs=(*colliding.pairs, *clear.pairs),
    title="cell.yaml",
    programs=(replace(colliding, program="pick"), replace(clear, program="pick-corrected")),
)
