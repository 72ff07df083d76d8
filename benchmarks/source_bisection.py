"""The bisection of Shimada, Okano and Kawabe as in their paper, for comparisons and counts.

STATUS and COLLISION are those of sections 4.1 and 4.2: condition P or Q at one end alone, path lengths in the world
added up, contact within `d_col`, and a contact at the end of an interval ends the search, which is why a motion that
also touched before is answered by the wrong contact (docs/theory/time-of-contact).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import keepclear as kc


@dataclass
class SourceSearch:
    """One search; distances at instants that are known already are not computed again.

    Attributes:
        distance: The distance at an instant [m]; negative where the bodies overlap, minus infinity without a depth.
        path_length: Bound of the path lengths of both bodies between two instants, added up [m].
        d_col: What counts as contact [m].
        trace: Each interval that was asked about, with its status.
    """

    distance: Callable[[float], float]
    path_length: Callable[[float, float], float]
    d_col: float
    trace: list[tuple[float, float, str]] = field(default_factory=list)
    _known: dict[float, float] = field(default_factory=dict)

    @property
    def evaluations(self) -> int:
        """How many distances were computed."""
        return len(self._known)

    def evaluations_of(self, t_s: float, t_e: float) -> tuple[int, bool]:
        """Search, and return how many distances that took and whether a collision was found."""
        time = self.collision(t_s, t_e)
        return self.evaluations, time is not None

    def status(self, t_s: float, t_e: float) -> str:
        """Return A (contact at t_e), B (clear), C (contact possible) or D (contact for certain)."""
        length = self.path_length(t_s, t_e)
        if self._at(t_s) > length:
            return "B"
        d = self._at(t_e)
        if abs(d) <= self.d_col:
            return "A"
        if d > length:
            return "B"
        return "D" if d < 0.0 else "C"

    def collision(self, t_s: float, t_e: float) -> float | None:
        """Return when a collision is found, None for never."""
        found = self.status(t_s, t_e)
        self.trace.append((t_s, t_e, found))
        if found == "A":
            return t_e
        if found == "B":
            return None
        middle = 0.5 * (t_s + t_e)
        first = self.collision(t_s, middle)
        return self.collision(middle, t_e) if first is None else first

    def _at(self, t: float) -> float:
        if t not in self._known:
            self._known[t] = self.distance(t)
        return self._known[t]


def figure_6() -> SourceSearch:
    """Return the search of the paper's Fig. 6: a ball flies through another one from 3/8 to 7/8 of the interval."""
    ball = kc.Sphere(0.125)

    def distance(t: float) -> float:
        X = np.eye(4)
        X[0, 3] = t - 0.625
        return float(kc.distance(ball, np.eye(4), ball, X).distance)

    return SourceSearch(distance, lambda t_s, t_e: t_e - t_s, 1e-9)


def main() -> None:
    """Print the trace of the paper's Fig. 6."""
    search = figure_6()
    time = search.collision(0.0, 1.0)
    print("\nThe example of the source's Fig. 6")
    for t_s, t_e, status in search.trace:
        print(f"{t_s:6.3f} to {t_e:5.3f}  {status}")
    print(f"contact at {time}, {search.evaluations} distances")


if __name__ == "__main__":
    main()
