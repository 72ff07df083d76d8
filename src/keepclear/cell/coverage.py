"""The check whether motions without rest at their ends cover the checked interval."""

from __future__ import annotations

from collections.abc import Mapping

from keepclear.cell.motions import CellMotion
from keepclear.cell.validation import Specs
from keepclear.yaml_files import Document, Place

__all__ = ["check_covered"]


def check_covered(
    document: Document,
    specs: Specs,
    interval: tuple[float, float] | None,
    own: Mapping[str, CellMotion],
    programs: Mapping[str, Mapping[str, CellMotion]],
) -> None:
    """Record an error for each motion that is undefined in a part of the interval in which it is needed.

    Args:
        document: The cell file.
        specs: Its content.
        interval: The checked interval [s]; None: the span of all motions.
        own: Motions of objects.
        programs: Motions by program and object.
    """
    carried = {entry.object for _, entry in specs.attached}  # the world knows the times of their motions
    places: dict[str, Place] = {name: ("objects", name, "motion") for name in own}
    for program, motions in programs.items() or [("", {})]:
        at = places | {name: ("programs", program, name) for name in motions}
        moving = {name: one for name, one in (dict(own) | dict(motions)).items() if name not in carried}
        span = interval or (
            min((one.motion.t_start for one in moving.values()), default=0.0),
            max((one.motion.t_end for one in moving.values()), default=0.0),
        )
        for name, one in moving.items():
            _check(document, at[name], one, span)


def _check(document: Document, place: Place, one: CellMotion, span: tuple[float, float]) -> None:
    motion = one.motion
    for needed, is_short, side, end in (
        (span[0], span[0] < motion.t_start, "before", motion.t_start),
        (span[1], span[1] > motion.t_end, "after", motion.t_end),
    ):
        if is_short and motion.hold not in ("both", side):
            text = f"it is not defined {side} {end:g} s, but {needed:g} s is needed"
            advice = f"let it rest there with hold: {side} or both, or give an interval within its times"
            document.add(place, f"{text}; {advice}")
