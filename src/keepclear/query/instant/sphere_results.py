"""Results of two sphere trees: proved free, or possible contact with a bound of the gap; bounds of the distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from keepclear.checks import IntArray
from keepclear.errors import ArgumentError

__all__ = ["SphereCollision", "SphereDistance"]


TRACE = np.dtype(
    [
        ("pose", np.int64),
        ("group", np.int64),
        ("rank_a", np.int64),
        ("a", np.int64),
        ("rank_b", np.int64),
        ("b", np.int64),
        ("met", np.bool_),
    ]
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SphereCollision:
    """Possible contact of two bodies by their sphere trees, at one pair of poses or at n (then fields have n first).

    Attributes:
        may_touch: False: the bodies are proved to be apart by more than the margin. True: smallest spheres are within
            the margin of each other, or one body is inside the other.
        gap: Where `may_touch`, the surfaces are at most this far apart [m], if they do not touch; NaN elsewhere.
        pairs: The smallest spheres of A and B that are within the margin, (k, 2), indices into `ranks[-1]`; a batch
            gives a tuple of arrays. With find="any" at most one.
        positions_W: The points midway between the centres of each pair, (k, 3) in the world [m].
        contained: Whether the covers are apart, but a body, or a component of its surface, is inside the other, which
            is a solid.
        tests: How many pairs of spheres were compared, (ranks of A, ranks of B), all poses together.
        trace: The tests in their order, a record array, or None without `trace`. Its fields: pose; group, which counts
            the lists of tests as they are opened, from 1; rank_a, a, rank_b, b: the spheres, by rank and index in it;
            met.
        margin: The requested margin [m].
        find: "any" or "all".
        solid: For each body, whether it is a solid; of an open mesh only the surface counts.
    """

    may_touch: Any
    gap: Any
    pairs: Any
    positions_W: Any
    contained: Any
    tests: IntArray
    trace: Any
    margin: float
    find: str
    solid: tuple[bool, bool]

    @property
    def colliding(self) -> NoReturn:
        """Whether the bodies touch, which covers cannot decide: reading it raises an `ArgumentError`."""
        raise ArgumentError(
            "sphere trees cannot decide whether their bodies touch; read `may_touch` (False is a proof) and "
            "`gap`, or call kc.collide with the shapes themselves."
        )

    @property
    def n_tests(self) -> int:
        """How many pairs of spheres were compared."""
        return int(self.tests.sum())

    def __bool__(self) -> bool:
        raise TypeError("a SphereCollision has no truth value; read .may_touch.")

    def __len__(self) -> int:
        if np.ndim(self.may_touch) == 0:
            raise TypeError(
                "this SphereCollision answers one pair of poses, so it has no length; a batch has."
            )
        return len(self.may_touch)

    def __repr__(self) -> str:
        tests = f"{self.n_tests} test{'s' * (self.n_tests != 1)} of spheres"
        open_ = [name for name, solid in zip("AB", self.solid, strict=True) if not solid]
        surface = f", {' and '.join(open_)} surface only" if open_ else ""
        if np.ndim(self.may_touch):
            n, k = len(self), int(np.sum(self.may_touch))
            return (
                f"SphereCollision({n} pairs of poses, {k} may touch, {n - k} proved free, {tests}{surface})"
            )
        if self.contained:
            return f"SphereCollision(one body is inside the other, {tests}{surface})"
        if not self.may_touch:
            margin = f" by more than {self.margin:g} m" if self.margin else ""
            return f"SphereCollision(proved free{margin}, {tests}{surface})"
        k = len(self.pairs)
        pairs = f"{k} pair{'s' * (k != 1)} of smallest spheres"
        return f"SphereCollision(may touch, gap at most {self.gap:.4g} m, {pairs}, {tests}{surface})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SphereDistance:
    """Bounds of the distance of two bodies from their sphere trees, at one pair of poses or at n.

    Attributes:
        lower: The degree of approach: the bodies are at least this far apart [m]; 0 where covers overlap or one body is
            inside the other. Certified, rounding included.
        upper: Their surfaces are at most this far apart [m]; 0 where one body is inside the other.
        pair: The two closest of the smallest spheres, (2,) or (n, 2), indices into `ranks[-1]`. Where `lower` is 0,
            two that overlap, if there are such.
        contained: Whether the covers are apart, but a body, or a component of its surface, is inside the other, which
            is a solid.
        compared: How many pairs of spheres were compared, all poses together.
        solid: For each body, whether it is a solid; of an open mesh only the surface counts.
    """

    lower: Any
    upper: Any
    pair: IntArray
    contained: Any
    compared: int
    solid: tuple[bool, bool]

    @property
    def colliding(self) -> NoReturn:
        """Whether the bodies touch, which covers cannot decide: reading it raises an `ArgumentError`."""
        raise ArgumentError(
            "sphere trees cannot decide whether their bodies touch; `lower` > 0 proves that they do not. Call "
            "kc.distance with the shapes themselves."
        )

    @property
    def distance(self) -> NoReturn:
        """The distance, of which covers give bounds only: reading it raises an `ArgumentError`."""
        raise ArgumentError(
            "sphere trees give only bounds of the distance; read `lower` and `upper`, or call kc.distance with "
            "the shapes themselves."
        )

    def __bool__(self) -> bool:
        raise TypeError("a SphereDistance has no truth value; compare .lower with a margin.")

    def __len__(self) -> int:
        if np.ndim(self.lower) == 0:
            raise TypeError(
                "this SphereDistance answers one pair of poses, so it has no length; a batch has."
            )
        return len(self.lower)

    def __repr__(self) -> str:
        if np.ndim(self.lower):
            least = f", least lower bound {self.lower.min():.6g} m" if len(self) else ""
            return f"SphereDistance({len(self)} pairs of poses{least}, {self.compared} pairs of spheres)"
        inside = ", one body is inside the other" if self.contained else ""
        return f"SphereDistance({self.lower:.6g} m to {self.upper:.6g} m{inside}, {self.compared} pairs of spheres)"
