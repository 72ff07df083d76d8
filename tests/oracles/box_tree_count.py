"""The search of two box trees on numbers that count operations: slow, and written from the description.

Nodes are read from their 12 bytes. Differences count as additions, divisions as multiplications; absolute values and
changes of sign cost nothing. Gaps at the roots are exact here, so boxes that touch may be decided differently by the
kernels, which allow for rounding: use bodies in general position.
"""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

SPLIT, TRIM, LEAF, SLAB = range(4)


class Number:
    """A number that counts its operations."""

    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self, value: Any) -> None:
        self.value = float(value)

    def __add__(self, other: Number) -> Number:
        Number.counts["additions"] += 1
        return Number(self.value + other.value)

    def __sub__(self, other: Number) -> Number:
        Number.counts["additions"] += 1
        return Number(self.value - other.value)

    def __mul__(self, other: Number) -> Number:
        Number.counts["multiplications"] += 1
        return Number(self.value * other.value)

    def __truediv__(self, other: Number) -> Number:
        Number.counts["multiplications"] += 1
        return Number(self.value / other.value)

    def __neg__(self) -> Number:
        return Number(-self.value)

    def __abs__(self) -> Number:
        return Number(abs(self.value))

    def __lt__(self, other: Number) -> bool:
        Number.counts["comparisons"] += 1
        return self.value < other.value

    def __gt__(self, other: Number) -> bool:
        Number.counts["comparisons"] += 1
        return self.value > other.value

    def __ge__(self, other: Number) -> bool:
        Number.counts["comparisons"] += 1
        return self.value >= other.value

    def is_zero(self) -> bool:
        Number.counts["comparisons"] += 1
        return self.value == 0.0


ZERO = Number(0.0)
Vector = list[Number]
Changes = list[tuple[int, int, Number]]  # frame, which gap, and by how much it shrinks


def dot(a: Vector, b: Vector) -> Number:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def vector(values: Any) -> Vector:
    return [Number(value) for value in values]


@dataclass
class Node:
    """A node as its three words say it."""

    kind: int
    axis: int
    link: int
    words: tuple[bytes, bytes]

    @property
    def cuts(self) -> tuple[Number, Number]:
        return Number(struct.unpack("<f", self.words[0])[0]), Number(struct.unpack("<f", self.words[1])[0])

    @property
    def integers(self) -> tuple[int, int]:
        return struct.unpack("<i", self.words[0])[0] + 2**31, struct.unpack("<i", self.words[1])[0] + 2**31


class Body:
    """A mesh with its tree, relative to the middle of the box around it."""

    def __init__(self, tree: Any) -> None:
        data = tree._nodes.tobytes()
        self.nodes = []
        for at in range(0, len(data) - 12, 12):
            word = struct.unpack("<i", data[at : at + 4])[0] + 2**31
            code = word >> 28
            words = data[at + 4 : at + 8], data[at + 8 : at + 12]
            self.nodes.append(Node(code >> 2, code & 3, word & (2**28 - 1), words))
        lower, upper = tree.mesh.vertices.min(axis=0), tree.mesh.vertices.max(axis=0)
        self.origin, self.half = 0.5 * (lower + upper), 0.5 * (upper - lower)
        self.triangles = tree.mesh.vertices[tree.mesh.triangles]


@dataclass
class Pair:
    """Two parts: nodes, gaps in the frame of A and of B, lower and negated upper corners, edges added up, planes."""

    nodes: list[int]
    gaps: list[list[Number]]
    boxes: list[list[Number]]
    sizes: list[Number]
    planes: list[tuple[str, int] | None]

    def copy(self) -> Pair:
        return replace(self, nodes=[*self.nodes], gaps=[[*g] for g in self.gaps], boxes=[[*b] for b in self.boxes],
                       sizes=[*self.sizes], planes=[*self.planes])  # fmt: skip


class CountedSearch:
    """All pairs of leaves of two trees whose boxes are not found apart, B at X in the frame of A."""

    def __init__(self, a: Any, b: Any, X: np.ndarray, *, both: bool = True, extras: bool = True) -> None:
        self.bodies, self.both, self.extras = (Body(a), Body(b)), both, extras
        self.scale = float(np.cbrt(np.linalg.det(X[:3, :3])))
        self.r = X[:3, :3]
        self.t = X[:3, :3] @ self.bodies[1].origin + X[:3, 3] - self.bodies[0].origin
        self.steps = self.pairs = self.leaves = self.planes = 0
        self.counts: Counter[str] = Counter()

    def run(self) -> CountedSearch:
        Number.counts = Counter()
        pair = self._roots()
        Number.counts = Counter()  # what a pose costs before its first step does not count
        overlap = all(gap.value >= 0.0 for gaps in self._frames(pair) for gap in gaps)
        waiting = [pair] if overlap and all(self._enter(pair, side, 0) for side in (0, 1)) else []
        while waiting:
            waiting += self._step(waiting.pop())
        self.counts = Number.counts
        return self

    def _frames(self, pair: Pair) -> list[list[Number]]:
        return pair.gaps if self.both else pair.gaps[:1]

    def _roots(self) -> Pair:
        half_a, half_b = (body.half for body in self.bodies)
        reach, inverse = half_a + np.abs(self.r) @ half_b, self.r.T / self.scale**2
        back, middle = half_b + np.abs(inverse) @ half_a, -inverse @ self.t
        gaps = [vector([*(reach - self.t), *(reach + self.t)]), vector([*(back - middle), *(back + middle)])]
        boxes = [vector([*-half, *-half]) for half in (half_a, half_b)]
        return Pair([0, 0], gaps, boxes, vector([2.0 * half_a.sum(), 2.0 * half_b.sum()]), [None, None])

    def _try(self, pair: Pair, side: int, axis: int, upper: bool, cut: Number) -> Changes | None:
        """Return by how much gaps shrink when a face of one box is cut, or None if the boxes are then apart."""
        r = self.r[:, axis] if side else self.r[axis] / self.scale**2
        changes: Changes = []
        if self.both or side == 0:
            changes.append((side, axis if upper else 3 + axis, cut))
        if self.both or side == 1:
            for k in range(3):
                changes.append((1 - side, 3 + k if (r[k] > 0.0) == upper else k, Number(abs(r[k])) * cut))
        apart = [pair.gaps[frame][k] < less for frame, k, less in changes]
        return None if any(apart) else changes

    def _cut(self, pair: Pair, side: int, axis: int, upper: bool, cut: Number, changes: Changes) -> None:
        for frame, k, less in changes:
            pair.gaps[frame][k] = pair.gaps[frame][k] - less
        pair.sizes[side] = pair.sizes[side] - cut
        if self.extras:
            face = axis + (3 if upper else 0)
            pair.boxes[side][face] = pair.boxes[side][face] + cut

    def _enter(self, pair: Pair, side: int, node: int) -> bool:
        """Follow nodes with one child; return whether the pair is not apart."""
        nodes = self.bodies[side].nodes
        while nodes[node].kind != SPLIT and (self.extras or nodes[node].kind != LEAF):
            found = nodes[node]
            self.steps += 1
            if found.kind != SLAB:
                self.pairs += 1
                changes = [self._try(pair, side, found.axis, k == 1, found.cuts[k]) for k in (0, 1)]
                if changes[0] is None or changes[1] is None:
                    return False
                for k in (0, 1):
                    self._cut(pair, side, found.axis, k == 1, found.cuts[k], changes[k] or [])
            other = self.bodies[1 - side].nodes[pair.nodes[1 - side]]
            if found.kind == LEAF and other.kind != SPLIT:
                break
            if found.kind != TRIM:
                pair.planes[side] = ("slab", node) if found.kind == SLAB else ("triangle", found.link)
                if self._planes_apart(pair):
                    return False
            if found.kind == LEAF:
                break
            node = found.link
        pair.nodes[side] = node
        return True

    def _step(self, pair: Pair) -> list[Pair]:
        nodes = [self.bodies[side].nodes[pair.nodes[side]] for side in (0, 1)]
        is_open = [node.kind == SPLIT for node in nodes]
        if not any(is_open):
            self.leaves += 1
            return []
        self.steps += 1
        self.pairs += 2
        side = 0 if is_open[0] else 1
        if all(is_open):
            side = 0 if pair.sizes[0] >= Number(self.scale) * pair.sizes[1] else 1
        node = nodes[side]
        tries = [self._try(pair, side, node.axis, k == 0, node.cuts[k]) for k in (0, 1)]
        found = []
        for k in (0, 1):
            changes = tries[k]
            if changes is not None:
                new = pair.copy()
                self._cut(new, side, node.axis, k == 0, node.cuts[k], changes)
                if self._enter(new, side, node.link + k):
                    found.append(new)
        return found

    def _planes_of(self, pair: Pair, side: int) -> tuple[Vector, Number, Number]:
        body, planes = self.bodies[side], pair.planes[side]
        if planes is None:
            return [ZERO] * 3, ZERO, ZERO
        if planes[0] == "slab":
            node = body.nodes[planes[1]]
            first, second = node.integers
            half = vector(body.half)
            unit = (half[0] + half[1] + half[2]) * Number(1.0 + 2.0**-20) / Number(2**21)
            u, v = (Number(1.0 / 511) * Number((word & 1023) - 512) for word in (first, second))
            lower, upper = (Number((word >> 10) - 2**21) * unit for word in (first, second))
            one = Number(1.0)
            return ([one, u, v], [v, one, u], [u, v, one])[node.axis], lower, upper
        origin = vector(body.origin)
        a, b, c = ([x - o for x, o in zip(vector(p), origin, strict=True)] for p in body.triangles[planes[1]])
        u_, v_ = [q - p for p, q in zip(a, b, strict=True)], [q - p for p, q in zip(a, c, strict=True)]
        n = [u_[i] * v_[j] - u_[j] * v_[i] for i, j in ((1, 2), (2, 0), (0, 1))]
        longest = abs(n[0])
        for x in n[1:]:
            longest = abs(x) if abs(x) > longest else longest
        if not longest > ZERO:
            return [ZERO] * 3, ZERO, ZERO
        n = [x / longest for x in n]
        products = [dot(n, p) for p in (a, b, c)]
        least = most = products[0]
        for x in products[1:]:
            least = x if x < least else least
            most = x if x > most else most
        return n, least, most

    def _planes_apart(self, pair: Pair) -> bool:
        self.planes += 1
        (n_a, *range_a), (n_b, *range_b) = (self._planes_of(pair, side) for side in (0, 1))
        slack = Number(4.0) * ZERO
        r, t = [vector(row) for row in self.r], vector(self.t)
        columns = [[r[i][k] for i in range(3)] for k in range(3)]
        if sum(not x.is_zero() for x in n_a):
            w = [dot(column, n_a) for column in columns]
            if self._misses(w, dot(n_a, t), range_a, pair.boxes[1], n_b, range_b, slack):
                return True
        if sum(not x.is_zero() for x in n_b):
            inverse = Number(1.0 / self.scale**2)
            w = [inverse * dot(row, n_b) for row in r]
            slack = slack * inverse
            return self._misses(w, -dot(w, t), range_b, pair.boxes[0], n_a, range_a, slack)
        return False

    def _misses(
        self, m: Vector, shift: Number, target: Vector, box: Vector, n: Vector, within: Vector, slack: Number
    ) -> bool:
        k = dot(m, n)
        if not k.is_zero():
            k = k / dot(n, n)
            m = [x - k * y for x, y in zip(m, n, strict=True)]
        low = shift + k * within[0 if k >= ZERO else 1]
        high = shift + k * within[1 if k >= ZERO else 0]
        for i in range(3):
            low = low + abs(m[i]) * box[i if m[i] >= ZERO else 3 + i]
            high = high - abs(m[i]) * box[3 + i if m[i] >= ZERO else i]
        return low > target[1] + slack or high < target[0] - slack
