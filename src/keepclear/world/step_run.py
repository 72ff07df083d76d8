"""One simulation: steps are checked one after the other, until the last one or the one that stops it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from keepclear.world.step_report import Facts, step_report
from keepclear.world.step_results import (
    CONTACT,
    FREE,
    MAY_TOUCH,
    STEPS,
    SimulatedStep,
    Simulation,
    StepPair,
)
from keepclear.world.stepping import Found, Stepping


class Run:
    """One simulation: the steps that are known so far."""

    def __init__(
        self,
        work: Stepping,
        on_step: Callable[[SimulatedStep], object] | None,
        progress: Callable[[int, int, str], object] | None,
    ) -> None:
        self._work, self._on_step, self._progress = work, on_step, progress
        self._codes: list[int] = []
        self._gaps: list[float] = []
        self._found: dict[int, dict[int, Found]] = {}
        self._stopped = self._interrupted = False

    def run(self) -> None:
        """Check steps until the last one, or one that stops the simulation; after Ctrl-C the steps so far are kept."""
        try:
            for block in self._work.blocks(single=self._on_step is not None):
                for found in block:
                    if self._add(found):
                        return
                if self._progress is not None:
                    self._progress(len(self._codes), len(self._work.times), "simulating steps")
        except KeyboardInterrupt:
            self._interrupted = True

    def _add(self, found: dict[int, Found]) -> bool:
        """Add the next step; return whether it is the last one."""
        k, work = len(self._codes), self._work
        code = max((one.code for one in found.values()), default=FREE)
        if found:
            self._found[k] = found
        self._gaps.append(min(one.gap for one in found.values()) if code == MAY_TOUCH else math.nan)
        self._codes.append(code)
        says_stop = False
        if self._on_step is not None:
            step = SimulatedStep(k, float(work.times[k]), STEPS[code], self._gaps[k], self.pairs(k))
            says_stop = self._on_step(step) is True
        self._stopped = says_stop or (
            work.stop and (code == CONTACT or (code == MAY_TOUCH and not work.exact))
        )
        return self._stopped

    def pairs(self, k: int) -> tuple[StepPair, ...]:
        """Return the pairs that touch or may touch at a step: contacts first, then by gap, then by name."""
        work, table = self._work, self._work.plan.table
        names, t = work.scene.names, float(work.times[k])
        made = [
            StepPair(
                names[int(table.i[row])], names[int(table.j[row])], STEPS[one.code], one.gap, one.margin,
                work.point(one, t),
            )
            for row, one in self._found.get(k, {}).items()
        ]  # fmt: skip
        return tuple(
            sorted(made, key=lambda pair: (-STEPS.index(pair.step), np.nan_to_num(pair.gap), pair[:2]))
        )

    def result(self, models: str, facts: Facts) -> Simulation:
        """Return the results so far."""
        times, n = self._work.times, len(self._codes)
        gaps, codes = np.array(self._gaps), np.array(self._codes, dtype=np.int8)
        known = times[:n].copy()
        for array in (gaps, codes, known):
            array.flags.writeable = False
        return Simulation(
            times=known,
            gap=gaps,
            stopped_at=float(times[n - 1]) if self._stopped else None,
            t0=float(times[0]),
            t1=float(times[-1]),
            n_asked=len(times),
            models=models,
            interrupted=self._interrupted,
            statistics=dict(self._work.statistics),
            _codes=codes,
            _pairs=self.pairs,
            _report=partial(step_report, facts, self._found),
        )
