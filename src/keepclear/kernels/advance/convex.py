"""First contact of two moving convex bodies by conservative advancement: every step is proved.

At an instant the closest points give a direction n that separates the bodies. In A's frame the points of B move, and
until one of them can have crossed the gap along n, the bodies are proved clear. Along n the minimum over points that
move straight is a concave function of time. Its value at any time is one support point in a tilted direction; K t^2 / 2
bounds the deviation of the paths from straight lines. So the end of the step is found with a few support points,
without another search, and near a contact the remaining gap is squared from step to step. A direction that still
separates is kept from one segment of the motions to the next.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.triangles import MORE_STEPS, TIME_UNIT, VAGUE, time_until
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import CENTER, DEFECT, RADIUS, certain_support, support, walk_slack
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import (
    ACCELERATION_BOUND,
    POSE_ROUNDING,
    SPAN,
    STATE,
    fill_span,
    invert,
    is_affine,
    next_knot,
    piece_at,
    relative_at,
    scene_size,
)
from keepclear.kernels.tables.body import links_at, reals_at

# Rounding error of a gap, as a fraction of the size of the scene: of the search, of the poses, and of the tilted
# support points.
ROUNDING = 2.0 * (gjk.ROUNDING + POSE_ROUNDING)
RELATIVE = 64  # index of the relative motion in the scratch
SPAN_AT = RELATIVE + 24
HINTS = SPAN_AT + SPAN
WORK = HINTS + 8
INSIDE = 4  # index in a ball: the radius of a ball inside B around the same centre


@kernel(boundscheck=False)
def least_along(F, L, x, y, z, hint, scale):
    """Return a lower bound on the minimum of x . p over the core, and the vertex to start from next time."""
    px, py, pz, k, _ = support(F, L, -x, -y, -z, hint, False)
    slack = walk_slack(F, L, -x, -y, -z, k)
    # harmless (slack): then it is subtracted below, which is a lower bound as well
    if slack > gjk.WALK_SLACK * scale:
        px, py, pz, k, _ = certain_support(F, L, -x, -y, -z, px, py, pz, k)
        slack = 0.0
    return x * px + y * py + z * pz - slack * math.sqrt(x * x + y * y + z * z), px, py, pz, k


@kernel(inline=True, boundscheck=False)
def _tilted(R, nx, ny, nz, h):
    """Return the direction in B's frame whose support point is first along n after h, and the part due to the frame."""
    d = RELATIVE + 12
    a, b, c = R[RELATIVE] + h * R[d], R[RELATIVE + 1] + h * R[d + 1], R[RELATIVE + 2] + h * R[d + 2]
    e, f, g = R[RELATIVE + 4] + h * R[d + 4], R[RELATIVE + 5] + h * R[d + 5], R[RELATIVE + 6] + h * R[d + 6]
    i, j, k = R[RELATIVE + 8] + h * R[d + 8], R[RELATIVE + 9] + h * R[d + 9], R[RELATIVE + 10] + h * R[d + 10]
    return (
        nx * a + ny * e + nz * i,
        nx * b + ny * f + nz * j,
        nx * c + ny * g + nz * k,
        nx * (R[RELATIVE + 3] + h * R[d + 3])
        + ny * (R[RELATIVE + 7] + h * R[d + 7])
        + nz * (R[RELATIVE + 11] + h * R[d + 11]),
    )


@kernel(inline=True, boundscheck=False)
def _norm(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@kernel(boundscheck=False)
def inner_reach(W, z, R, nx, ny, nz):
    """Return how far the unit ball, stretched by the relative map at W[z:], reaches on the line along n."""
    J = R[2 * STATE :]
    invert(W, z, J)
    x, y, z = (
        J[0] * nx + J[1] * ny + J[2] * nz,
        J[3] * nx + J[4] * ny + J[5] * nz,
        J[6] * nx + J[7] * ny + J[8] * nz,
    )
    # harmless (ROUNDING): of 256 u of radius and scene, which callers allow, half is left for the few u of this
    return (1.0 - ROUNDING) / _norm(x, y, z)


@kernel(boundscheck=False)
def _lasts(FB, IB, R, nx, ny, nz, gap, first, stretchy, acceleration, longest, scale, hints):
    """Return for how long the gap along n lasts at least, at most `longest`.

    Args:
        gap: What may be used up: the gap at the start less what must remain.
        first: The minimum of n . p at the start.
        stretchy: Radius of B if its ball is stretched with it, else 0. The ball then reaches this times the length of
            the tilted direction, which is convex, so that the remaining gap stays concave.
    """
    high, value = longest, 0.0
    for _ in range(5):
        x, y, z, shift = _tilted(R, nx, ny, nz, high)
        least, px, py, pz, k = least_along(FB, IB, x, y, z, int(hints[1]), scale)
        hints[1] = k
        value = gap + (least + shift - stretchy * _norm(x, y, z) - first) - 0.5 * acceleration * high * high
        if value >= 0.0:
            return high
        # The gap of the point found closes no earlier than that of the first one: search there again.
        x, y, z, shift = _tilted(R, nx, ny, nz, 0.0)
        # harmless (stretchy * _norm(x, y, z)): it selects the time that is tried next; the value there decides
        start = gap + (x * px + y * py + z * pz + shift - stretchy * _norm(x, y, z) - first)
        u, v, w, moved = _tilted(R, nx, ny, nz, 1.0)
        rate = (u - x) * px + (v - y) * py + (w - z) * pz + (moved - shift)
        # harmless (acceleration): it selects the time that is tried next; the value there decides
        sooner = time_until(start, rate, acceleration) if start > 0.0 else 0.0
        if not sooner < high:
            break
        high = sooner
    # A concave function is above its chord.
    return high * gap / (gap - value) if value < 0.0 and gap > 0.0 else 0.0


@kernel(
    "Tuple((boolean, float64, float64, UniTuple(float64, 3), UniTuple(float64, 3), UniTuple(float64, 3)))(float64[::1],"
    " int32[::1], float64[::1], int32[::1], float64[::1], int64, float64[::1], float64)",
    boundscheck=False,
)
def closest_points(FA, IA, FB, IB, R, z, M, shrink):
    """Search the closest points of the cores at the pose at R[z:], with B shrunk about its centre by a fraction.

    Returns:
        (whether they intersect, upper and lower bound, unit vector from A to B, A's point and B's, each in its own
        frame).
    """
    k = 1.0 - shrink
    cx, cy, cz = shrink * FB[CENTER], shrink * FB[CENTER + 1], shrink * FB[CENTER + 2]
    pose = (
        k * R[z], k * R[z + 1], k * R[z + 2], k * R[z + 4], k * R[z + 5], k * R[z + 6],
        k * R[z + 8], k * R[z + 9], k * R[z + 10],
        R[z + 3] + R[z] * cx + R[z + 1] * cy + R[z + 2] * cz,
        R[z + 7] + R[z + 4] * cx + R[z + 5] * cy + R[z + 6] * cz,
        R[z + 11] + R[z + 8] * cx + R[z + 9] * cy + R[z + 10] * cz,
    )  # fmt: skip
    inside, upper, lower, vx, vy, vz, l1, l2, l3, _, _, _ = gjk.search(FA, IA, FB, IB, pose, M, 0)
    length = math.sqrt(vx * vx + vy * vy + vz * vz)
    f = -1.0 / length if length > 0.0 else 0.0
    ax, ay, az, bx, by, bz = gjk.witness_points(M, 0, l1, l2, l3)
    ex, ey, ez = gjk.difference(pose, ax, ay, az, bx, by, bz)
    ex, ey, ez = ex - vx, ey - vy, ez - vz
    upper += math.sqrt(ex * ex + ey * ey + ez * ez)
    normal = f * vx, f * vy, f * vz
    return inside or length == 0.0, upper, min(lower, upper), normal, (ax, ay, az), (bx, by, bz)


@kernel(inline=True, boundscheck=False)
def measure(FA, IA, FB, IB, R, z, M, shrink):
    """Return whether the cores intersect, both bounds, and the unit vector from A to B; see `closest_points`."""
    inside, upper, lower, normal, _, _ = closest_points(FA, IA, FB, IB, R, z, M, shrink)
    return inside, upper, lower, normal[0], normal[1], normal[2]


@kernel(boundscheck=False)
def forget(M):
    """Clear the memory, so that the next search begins without a start simplex."""
    M[0], M[1], M[2] = 0.0, -1.0, -1.0
    M[3] = 0.0


@kernel(boundscheck=False)
def _find_certain(FA, IA, FB, IB, QA, ka, QB, kb, t, until, lower, gap, nx, ny, nz, pair, R, M):
    """Search for an instant at or soon after t at which contact is certain; store it.

    R holds the relative motion at t, and `lower` is a lower bound of the distance of the cores then.
    """
    size = pair.scale
    x, y, z, shift = _tilted(R, nx, ny, nz, 0.0)
    _, px, py, pz, _ = least_along(FB, IB, x, y, z, -1, size)
    u, v, w, moved = _tilted(R, nx, ny, nz, 1.0)
    # harmless (moved): it selects the instants that are tried; each is tested
    closing = (u - x) * px + (v - y) * py + (w - z) * pz + (moved - shift)
    later = gap / -closing if closing < 0.0 else 0.0
    # harmless (4.0 * TIME_UNIT * abs(t)): it selects the instants that are tried; each is tested
    later = max(later, 4.0 * TIME_UNIT * abs(t))
    radii = FA[RADIUS] + FB[RADIUS]
    rounding = ROUNDING * (size + radii)
    limit = pair.margin + radii - (FA[RADIUS] * motion_of(QA).stretch + FB[RADIUS] * motion_of(QB).stretch)
    shrink = 0.0
    if radii + pair.margin == 0.0:
        shrink = 2.0 * rounding / pair.ball[INSIDE] if pair.ball[INSIDE] > 0.0 else 1.0
    # harmless (>): it selects the instants that are tried; where cores are that far apart, contact is not certain
    apart = lower > rounding and motion_of(QA).largest * lower > limit
    for i in range(1 if apart else 0, 9):
        u = t if i == 0 else min(t + later, until)
        relative_at(QA, ka, QB, kb, u, R, R, RELATIVE)
        if shrink < 0.5:
            inside, upper, _, _, _, _ = measure(FA, IA, FB, IB, R, RELATIVE, M, shrink)
            # The shrunk body is so deep inside B that a distance below rounding is contact too.
            certain = upper + rounding <= shrink * pair.ball[INSIDE]
            certain = certain or (inside and (shrink > 0.0 or limit > 2.0 * rounding))
            if certain or motion_of(QA).largest * (upper + rounding) <= limit:
                pair.certain = u
                return
        if u == until:
            return
        if i > 0:
            later *= 4.0  # of several support points along n, this one may not approach


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], int64, float64[::1], int64, float64,"
    " PAIR, float64[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def advance_segment(FA, IA, FB, IB, QA, ka, QB, kb, until, pair, hints, R, M):
    """Advance two bodies from `pair.now` to the segment's end; return whether contact or the limit was reached."""
    size, margin = pair.scale, pair.margin
    t, steps = pair.now, int(hints[5])
    # In the frame of A the ball of A is a ball. That of B is one too if both motions are rigid. Otherwise it is
    # stretched with B, and reaches the radius times the length of the tilted direction.
    affine = is_affine(QA) or is_affine(QB)
    radii, stretchy = FA[RADIUS] + FB[RADIUS], FB[RADIUS] if affine else 0.0
    firm = radii - stretchy
    ball = pair.ball
    reach = ball[3] + stretchy
    defects = FA[DEFECT] + FB[DEFECT]
    end, acceleration, span = until, math.inf, 0.0
    fresh, retried = True, False
    while t < until:
        if pair.evaluations >= pair.limit:
            pair.now = t
            hints[5] = steps
            return True
        if end - t < 0.5 * span or span == 0.0:  # bounds of a longer span hold as well, but are looser
            fill_span(QA, ka, QB, kb, t, end, ball[0], ball[1], ball[2], reach, pair.scale, R, R, SPAN_AT)
            acceleration, span = R[SPAN_AT + ACCELERATION_BOUND], end - t
            if acceleration == math.inf:
                middle = 0.5 * (t + end)
                if not (t < middle and middle < end):
                    pair.now, pair.unproved = t, 1
                    return True
                end, span = middle, 0.0
                continue
        relative_at(QA, ka, QB, kb, t, R, R, RELATIVE)
        rounding = ROUNDING * (size + radii)
        need = margin / motion_of(QA).smallest + firm + rounding + defects
        nx, ny, nz = hints[2], hints[3], hints[4]
        if fresh and nx * nx + ny * ny + nz * nz > 0.0:
            # The last direction may separate the bodies for the whole segment.
            far, _, _, _, k = least_along(FA, IA, -nx, -ny, -nz, int(hints[0]), size)
            hints[0] = k
            x, y, z, shift = _tilted(R, nx, ny, nz, 0.0)
            near, _, _, _, k = least_along(FB, IB, x, y, z, int(hints[1]), size)
            hints[1] = k
            first = near + shift - stretchy * _norm(x, y, z)
            gap = first + far - need
            if gap > 0.0 and (
                _lasts(FB, IB, R, nx, ny, nz, gap, first, stretchy, acceleration, end - t, size, hints)
                >= end - t
            ):
                t, end, span = end, until, 0.0
                continue
        fresh = False
        inside, upper, lower, nx, ny, nz = measure(FA, IA, FB, IB, R, RELATIVE, M, 0.0)
        pair.evaluations += 1
        hints[2], hints[3], hints[4] = nx, ny, nz
        unknown = pair.normal[0] == 0.0 and pair.normal[1] == 0.0 and pair.normal[2] == 0.0
        # harmless: the normal is part of the answer, no bound depends on it
        if not inside and (upper - radii > VAGUE * size or unknown):
            pair.normal[0], pair.normal[1], pair.normal[2] = nx, ny, nz
        inner, outer = firm, firm
        if affine:
            x, y, z, _ = _tilted(R, nx, ny, nz, 0.0)
            inner, outer = (
                firm + stretchy * inner_reach(R, RELATIVE, R, nx, ny, nz),
                firm + stretchy * _norm(x, y, z),
            )
        reached = motion_of(QA).largest * max((0.0 if inside else upper) + rounding - inner, 0.0)
        gap, step = lower - need - (outer - firm), 0.0
        if not inside and gap > 0.0:
            x, y, z, shift = _tilted(R, nx, ny, nz, 0.0)
            near, _, _, _, k = least_along(FB, IB, x, y, z, int(hints[1]), size)
            hints[1] = k
            first = near + shift - (outer - firm)
            step = _lasts(FB, IB, R, nx, ny, nz, gap, first, stretchy, acceleration, end - t, size, hints)
        later = end
        if step < end - t:
            later = (t + step) - TIME_UNIT * abs(t + step)
        within = reached <= margin + pair.tolerance
        steps = steps + 1 if within else 0
        if not later > t and not within and not retried:
            retried = True  # a search that ended early from a bad start: repeat it once, from none
            forget(M)
            continue
        if not later > t or steps > MORE_STEPS:
            pair.now, pair.time, pair.distance = t, t, reached
            if not within:
                pair.unproved = 1
            # harmless (4.0 * rounding): likewise
            # harmless (max): it selects the instants that `_find_certain` tries; each is tested
            gap = max(upper - radii - margin, 0.0) + 4.0 * rounding
            _find_certain(FA, IA, FB, IB, QA, ka, QB, kb, t, until, lower, gap, nx, ny, nz, pair, R, M)
            return True
        retried = False
        t = later
        if t >= end:
            t, end, span = end, until, 0.0
    pair.now = until
    hints[5] = steps
    return False


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], float64[::1], PAIR, float64[::1],"
    " float64[::1])",
    boundscheck=False,
)
def advance_row(FA, IA, FB, IB, QA, QB, pair, R, M):
    """Advance two bodies until the end, a contact, or the limit of evaluations; return whether paused.

    Args:
        FA, IA, FB, IB: The bodies, as in `support`.
        QA, QB: Their motions, as in `motion.state`.
        pair: The row; see `tables.pair`.
        R: Scratch of WORK numbers.
        M: Memory of the distance search, of `gjk.MEMORY` numbers.
    """
    forget(M)
    hints = R[HINTS : HINTS + 8]
    for i in range(8):
        hints[i] = 0.0
    hints[0], hints[1] = -1.0, -1.0
    while pair.now < pair.end and pair.time > pair.now and not pair.unproved:
        now = pair.now
        until = next_knot(QB, now, next_knot(QA, now, pair.end))
        ka, kb = piece_at(QA, now), piece_at(QB, now)
        if advance_segment(FA, IA, FB, IB, QA, ka, QB, kb, until, pair, hints, R, M):
            break
    return pair.evaluations >= pair.limit and pair.time > pair.now and pair.now < pair.end


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], float64[::1], PAIR[::1], float64[::1],"
    " float64[::1])",
    boundscheck=False,
)
def advance_pair(FA, IA, FB, IB, QA, QB, pairs, R, M):
    """Advance the only row of a table; see `advance_row`."""
    return advance_row(FA, IA, FB, IB, QA, QB, pairs[0], R, M)


@kernel("void(BODY[::1], float64[::1], int64[::1], PAIR[::1])")
def fill_pairs(bodies, Q, motions, pairs):
    """Complete rows with shapes, motions, interval, margin and tolerance: choose A, set `ball`, `scale` and `end`.

    Args:
        bodies, Q, motions: As in `advance_pairs`.
        pairs: The rows. The first body of the question is A before, and `swapped` says whether it is B after. Those
            without shapes (-1) become `unproved`.
    """
    for k in range(len(pairs)):
        pair = pairs[k]
        # One instant: the shortest span that contains it.
        pair.end = np.nextafter(pair.t1, math.inf) if pair.t0 == pair.t1 else pair.t1
        if pair.shape_a < 0:
            pair.unproved = 1
            continue
        a, b, ma, mb = pair.shape_a, pair.shape_b, pair.motion_a, pair.motion_b
        extents = bodies[a].extent + bodies[b].extent
        rank_a, rank_b = motion_of(Q[motions[ma] :]).rank, motion_of(Q[motions[mb] :]).rank
        mesh_a, mesh_b = bodies[a].n_nodes > 0, bodies[b].n_nodes > 0
        if mesh_a != mesh_b:
            second = mesh_b
        elif rank_a != rank_b:
            second = rank_a > rank_b
        else:
            second = bodies[a].ball[3] < bodies[b].ball[3]
        if second:
            a, ma, b, mb = b, mb, a, ma
            pair.swapped = 1
        pair.shape_a, pair.shape_b, pair.motion_a, pair.motion_b = a, b, ma, mb
        for i in range(5):
            pair.ball[i] = bodies[b].ball[i]
        QA, QB = Q[motions[ma] :], Q[motions[mb] :]
        pair.scale = scene_size(QA, QB, extents)


@kernel(boundscheck=False)
def has_stopped(pair):
    """Return whether a pair is not advanced to its end: it is near, unproved, or at its limit."""
    return pair.now < pair.end and (
        # harmless (>=): it limits how far other pairs are advanced; `now` of each tells how far it is proved
        pair.time < math.inf or pair.unproved != 0 or pair.evaluations >= pair.limit
    )


@kernel(
    "int64(BODY[::1], float64[::1], int64[::1], PAIR[::1], int64, int64, float64[::1])",
    allocates=True,
)
def advance_pairs(bodies, Q, motions, pairs, begin, end, horizon):
    """Advance pairs of convex bodies, each until its end, a contact, its limit, or the horizon.

    Args:
        bodies: The shapes.
        Q, motions: All motions, concatenated, and where each begins.
        pairs: The rows; see `tables.pair`.
        begin, end: Range of pairs to advance.
        horizon: Two numbers [s]: the time until which pairs are advanced, and how long after the first one that stops
            the others still are; the first is updated. Pairs should be sorted by time, earlier ones first.

    Returns:
        How many of them have not finished because of their limits.
    """
    R, M = np.empty(WORK), np.zeros(gjk.MEMORY)
    paused = 0
    for k in range(begin, end):
        pair = pairs[k]
        ends = pair.end
        if pair.now < horizon[0] and not pair.unproved:
            a, b = bodies[pair.shape_a], bodies[pair.shape_b]
            FA, IA = reals_at(a.reals, a.n_reals), links_at(a.links, a.n_links)
            FB, IB = reals_at(b.reals, b.n_reals), links_at(b.links, b.n_links)
            QA, QB = Q[motions[pair.motion_a] :], Q[motions[pair.motion_b] :]
            pair.end = min(ends, horizon[0])
            if advance_row(FA, IA, FB, IB, QA, QB, pair, R, M):
                paused += 1
            pair.end = ends
        if has_stopped(pair):
            horizon[0] = min(horizon[0], pair.now + horizon[1])
    return paused
