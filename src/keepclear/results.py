"""What the library answers: verdicts, states, and results that are frozen, printable and comparable."""

from __future__ import annotations

import enum
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray

__all__ = [
    "Collision",
    "Distance",
    "State",
    "Verdict",
]

About = tuple[tuple[bool, bool] | None, IntArray | None, tuple[str, str] | None]


def has_same_content(a: Any, b: Any) -> bool:
    """Return whether two values are equal: arrays and tuples entry by entry, NaN equal to NaN."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return type(a) is type(b) and np.array_equal(a, b, equal_nan=True)
    if isinstance(a, tuple) and isinstance(b, tuple):
        mine, theirs = list(a), list(b)  # a rank of spheres has another len() than its fields
        return len(mine) == len(theirs) and all(map(has_same_content, mine, theirs))
    return bool(a == b) or (isinstance(a, float) and isinstance(b, float) and a != a and b != b)


Array = TypeVar("Array", FloatArray, IntArray)
Record = TypeVar("Record", bound=type)


def compared_by_content(record: Record) -> Record:
    """Return a class of tuples that hold arrays, compared by content: tuples would raise, for arrays have no truth."""

    def is_equal(self: Any, other: object) -> bool:
        return has_same_content(self, other) if isinstance(other, tuple) else NotImplemented

    record.__eq__, record.__ne__ = is_equal, object.__ne__  # type: ignore[assignment]
    return record


class Verdict(enum.Enum):
    """The verdict on a pair over a time interval; UNDECIDED is never rounded to CLEAR."""

    CLEAR = "CLEAR"
    COLLIDING = "COLLIDING"
    UNDECIDED = "UNDECIDED"


class State(enum.IntEnum):
    """The state of two bodies at one instant; touching is contact."""

    SEPARATE = 0
    TOUCHING = 1
    INTERFERING = 2
    CONTAINED = 3


class Distance:
    """The closest points of two bodies at one instant, or at n instants (then every field has n first).

    With a mesh, bodies that intersect, or of which one is inside the other, have distance 0 and no depth; `state`
    distinguishes the two. The closest points are then one common point, and `normal_W` is NaN.

    Bodies of several parts and groups have the result of their two closest parts or members. Where these overlap,
    `distance` is minus the depth of the two that overlap deepest: the depth of the whole bodies is not known. Poses of
    parts are products, so `lower` and `upper` allow a little more for rounding than those of a single shape, and
    `state` may be TOUCHING for a mesh too.
    """

    # Attributes are computed from one row of numbers when they are read, because a query takes less time than building
    # an object of twelve fields would. `_about` is not even set for two convex shapes.
    __slots__ = ("_about", "_rows")

    _rows: FloatArray
    _about: About

    def __init__(
        self,
        rows: FloatArray,
        solid: tuple[bool, bool] | None = None,
        parts: IntArray | None = None,
        members: tuple[str, str] | None = None,
    ) -> None:
        self._rows = rows
        self._about = solid, parts, members

    def _given(self) -> About:
        """Return what is known beyond the rows: `solid`, None for two convex shapes; `parts` and `members` or None."""
        try:
            return self._about
        except AttributeError:
            return None, None, None

    @property
    def _is_of_surfaces(self) -> bool:
        """Whether a body is a mesh, so that there is no depth."""
        return self._given()[0] is not None

    @property
    def solid(self) -> tuple[bool, bool]:
        """For each body, whether it is a solid; of an open mesh only the surface counts."""
        return self._given()[0] or (True, True)

    @property
    def faces(self) -> IntArray:
        """The closest faces of A and B, (2,), as indices into `Mesh.faces`; -1 for bodies without faces."""
        if self._is_of_surfaces:
            return self._rows[..., 14:16].astype(np.int64)
        return np.full((*self._rows.shape[:-1], 2), -1)

    @property
    def parts(self) -> IntArray:
        """The numbers of the closest parts of A and B, (2,); -1 for a body that is not a list of parts."""
        parts = self._given()[1]
        return np.full((*self._rows.shape[:-1], 2), -1) if parts is None else _read_only(parts[...])

    @property
    def members(self) -> tuple[str, str]:
        """The names of the closest members of A and B; "A" or "B" for a body that is not a group."""
        return self._given()[2] or ("A", "B")

    def _column(self, k: int) -> Any:
        return self._rows[k].item() if self._rows.ndim == 1 else _read_only(self._rows[:, k])

    @property
    def distance(self) -> Any:
        """Signed distance [m]: positive apart, 0 touching, minus the penetration depth when they overlap."""
        return self._column(0)

    @property
    def lower(self) -> Any:
        """Certified lower bound of the signed distance [m]: never above the truth, rounding included."""
        return self._column(1)

    @property
    def upper(self) -> Any:
        """Certified upper bound of the signed distance [m]: never below the truth, rounding included."""
        return self._column(2)

    @property
    def p_WA(self) -> FloatArray:
        """The closest point of A, (3,), in the world [m]; the deepest one when the bodies overlap."""
        return _read_only(self._rows[..., 3:6])

    @property
    def p_WB(self) -> FloatArray:
        """The closest point of B, (3,), in the world [m]: p_WA + distance * normal_W."""
        return _read_only(self._rows[..., 6:9])

    @property
    def normal_W(self) -> FloatArray:
        """Unit vector, (3,), from A to B; moving B along it separates them fastest."""
        return _read_only(self._rows[..., 9:12])

    @property
    def state(self) -> Any:
        """`State`: separate (proved), touching (zero to rounding) or interfering; a batch gives integers."""
        column = self._column(13)
        return State(int(column)) if self._rows.ndim == 1 else column.astype(np.int8)

    @property
    def colliding(self) -> Any:
        """Whether the bodies touch or overlap; False is proved."""
        apart = self._column(1) > 0.0
        return not apart if self._rows.ndim == 1 else ~apart

    @property
    def iterations(self) -> Any:
        """How many iterations the search took."""
        column = self._column(12)
        return int(column) if self._rows.ndim == 1 else column.astype(np.int64)

    def __len__(self) -> int:
        if self._rows.ndim == 1:
            raise TypeError("this Distance answers one pair of poses, so it has no length; a batch has.")
        return len(self._rows)

    def __bool__(self) -> bool:
        raise TypeError("a Distance has no truth value; read .colliding, or compare .lower with a margin.")

    def __getitem__(self, index: Any) -> Distance:
        if self._rows.ndim == 1:
            raise TypeError("this Distance answers one pair of poses, so it has no items; a batch has.")
        solid, parts, members = self._given()
        return Distance(self._rows[index], solid, None if parts is None else parts[index], members)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distance):
            return NotImplemented
        given = zip(self._given()[1:], other._given()[1:], strict=True)
        if any(a is not None and b is not None and not np.array_equal(a, b) for a, b in given):
            return False
        return np.array_equal(self._rows[..., :14], other._rows[..., :14], equal_nan=True)

    def __hash__(self) -> int:
        return hash((self._rows[..., :14] + 0.0).tobytes())  # -0.0 equals 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return Distance, (self._rows[..., :16].copy(), *self._given())

    def __repr__(self) -> str:
        if self._rows.ndim == 2:
            n = len(self._rows)
            if n == 0:
                return "Distance(0 pairs of poses)"
            return (
                f"Distance({n} pairs of poses, smallest distance {self.distance.min():.6g} m, "
                f"{int(np.sum(self.colliding))} colliding)"
            )
        a, b = ("({:.6g}, {:.6g}, {:.6g})".format(*p) for p in (self.p_WA, self.p_WB))
        return (
            f"Distance({self.state.name}, {self.distance + 0.0:.9g} m, lower {self.lower:.9g} m, "
            f"upper {self.upper:.9g} m, p_WA = {a}, p_WB = {b})"
        )


class Contacts(NamedTuple):
    """Where faces intersect: segments (k, 2, 3) in the world, which pairs overlap in one plane, and their polygons."""

    segments_W: FloatArray
    coplanar: npt.NDArray[np.bool_]
    polygons_W: dict[int, FloatArray]


class Collision:
    """Whether two bodies intersect at one instant, or at n instants (then fields have n first), and which faces do.

    The intersections of faces are computed when they are first read. For bodies of several parts `state` is TOUCHING,
    which is contact, where rounding in the poses of the parts hides whether their surfaces intersect.
    """

    __slots__ = (
        "_contacts",
        "_find_contacts",
        "_pairs",
        "_parts",
        "_single",
        "_start",
        "_state",
        "find",
        "solid",
        "using",
    )

    def __init__(
        self,
        state: npt.NDArray[np.int8],
        start: IntArray,
        pairs: IntArray | Callable[[], IntArray],
        contacts: Contacts | Callable[[], Contacts],
        *,
        single: bool,
        find: str,
        using: str,
        solid: tuple[bool, bool],
        parts: IntArray | None = None,
    ) -> None:
        self._state, self._start, self._pairs, self._single = state, start, pairs, single
        self._parts = parts
        self._contacts = contacts if isinstance(contacts, Contacts) else None
        self._find_contacts = None if isinstance(contacts, Contacts) else contacts
        self.find = find
        """"any": one pair of faces is enough; "all": every pair."""
        self.using = using
        """What searched: "obb_tree", "box_tree", or "distance" for bodies without faces."""
        self.solid = solid
        """For each body, whether it is a solid; of an open mesh only the surface counts."""

    @property
    def colliding(self) -> Any:
        """Whether the bodies touch, cross, or one is inside the other; exact for meshes."""
        return bool(self._state[0]) if self._single else self._state > 0

    @property
    def state(self) -> Any:
        """`State`: separate, interfering (surfaces intersect) or contained; a batch gives integers."""
        return State(int(self._state[0])) if self._single else self._state.copy()

    @property
    def pairs(self) -> Any:
        """Faces of A and B that intersect, (k, 2), indices into `Mesh.faces`, sorted; a batch gives a tuple."""
        return self._split(self._faces())

    def _faces(self) -> IntArray:
        if not isinstance(self._pairs, np.ndarray):
            self._pairs = self._pairs()
        return self._pairs

    @property
    def parts(self) -> Any:
        """The parts of A and B that each row of `pairs` is about, (k, 2); -1 for a body that is not a list of parts."""
        return self._split(np.full_like(self._faces(), -1) if self._parts is None else self._parts)

    @property
    def segments_W(self) -> Any:
        """The segment in which each pair intersects, (k, 2, 3) in the world [m]; its ends are equal for a single point.

        For a coplanar pair, which overlaps in a polygon (`coplanar`, `polygon_W`), it is the longest diagonal.
        """
        return self._split(self._where().segments_W)

    @property
    def coplanar(self) -> Any:
        """Which pairs overlap in one plane, (k,)."""
        return self._split(self._where().coplanar)

    def polygon_W(self, k: int) -> FloatArray:
        """Return the corners, (m, 3) in the world [m], of the intersection of pair k: polygon, segment or point."""
        if not self._single:
            raise TypeError("a batch has pairs for each pose; ask one of them: collision[i].polygon_W(k).")
        segment: FloatArray = self._where().segments_W[k]
        k = range(len(self._faces()))[k]
        polygon = self._where().polygons_W.get(k)
        if polygon is not None:
            return polygon
        return segment[:1] if (segment[0] == segment[1]).all() else segment

    def _where(self) -> Contacts:
        if self._contacts is None:
            assert self._find_contacts is not None
            self._contacts = self._find_contacts()
            self._find_contacts = None  # and with it the poses and the meshes
        return self._contacts

    def _split(self, rows: Any) -> Any:
        rows = _read_only(rows.view())
        if self._single:
            return rows
        start = self._start.tolist()
        return tuple([rows[i:j] for i, j in pairwise(start)])

    def __len__(self) -> int:
        if self._single:
            raise TypeError("this Collision answers one pair of poses, so it has no length; a batch has.")
        return len(self._state)

    def __bool__(self) -> bool:
        raise TypeError("a Collision has no truth value; read .colliding.")

    def __getitem__(self, index: int) -> Collision:
        if self._single:
            raise TypeError("this Collision answers one pair of poses, so it has no items; a batch has.")
        i = range(len(self._state))[index]
        first, last = int(self._start[i]), int(self._start[i + 1])

        def contacts() -> Contacts:
            segments, coplanar, polygons = self._where()
            here = {k - first: polygons[k] for k in range(first, last) if k in polygons}
            return Contacts(segments[first:last], coplanar[first:last], here)

        return Collision(
            self._state[i : i + 1],
            np.array([0, last - first]),
            self._faces()[first:last],
            contacts,
            single=True,
            find=self.find,
            using=self.using,
            solid=self.solid,
            parts=None if self._parts is None else self._parts[first:last],
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Collision):
            return NotImplemented
        return (
            self._single == other._single
            and np.array_equal(self._state, other._state)
            and np.array_equal(self._start, other._start)
            and np.array_equal(self._faces(), other._faces())
            and (self._parts is None or other._parts is None or np.array_equal(self._parts, other._parts))
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in ("find", "using", "solid")}
        fields |= {"single": self._single, "parts": self._parts}
        return _collision, (self._state, self._start, self._faces(), self._where(), fields)

    def __repr__(self) -> str:
        k = len(self._faces())
        pairs = ("1 pair" if k == 1 else f"{k} pairs") + " of faces"
        open_ = [name for name, solid in zip("AB", self.solid, strict=True) if not solid]
        surface = f", {' and '.join(open_)} surface only" if open_ else ""
        if self._single:
            return f"Collision({self.state.name}, {pairs}, {self.using}{surface})"
        counts = f"{len(self._state)} pairs of poses, {int((self._state > 0).sum())} colliding"
        return f"Collision({counts}, {pairs}, {self.using}{surface})"


def _collision(state: Any, start: Any, pairs: Any, contacts: Contacts, fields: dict[str, Any]) -> Collision:
    return Collision(state, start, pairs, contacts, **fields)


def _read_only(view: Array) -> Array:
    view.flags.writeable = False
    return view
