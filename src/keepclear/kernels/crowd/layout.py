"""Columns of the tables that the kernels of a crowd share.

`F` and `N` have a row of floats and a row of integers per sphere, `Q` a row per queued pair, `K` and `H` are the queue,
`G` and `B` the cells of the grids, `C` counters, `S` settings, `D` the motion's data, `E` events, and `L` the log of
anchors that began with impacts, if it is kept.
"""

from __future__ import annotations

# F, floats of a sphere. Its box contains its bound until the horizon. Anchor: true motion as a parabola, for probes.
LO, HI, HORIZON, RADIUS = 0, 3, 6, 7
X, V, PROBED, ACCELERATION = 8, 11, 14, 15
ANCHOR_X, ANCHOR_V, ANCHOR_T, ANCHOR_END = 16, 19, 22, 23
ANCHOR_A, MASS, WALL_TIME, BURST = 24, 27, 28, 29
F_COLUMNS = 32
# Observed members have no anchor. Instead they have their uncertainty: error bounds of position and velocity, the time
# from the last measurement until the speed limit is reached, and the limits of acceleration and speed.
ERROR_X, ERROR_V, TAU, LIMIT_A, LIMIT_V = 16, 17, 18, 19, 20

# N, integers of a sphere. RANGE: first and last cell along x, y, z on its own level. ID: the caller's number of the
# sphere. SHAPED: it contains a shape. JUMPED: its velocity or size changed since its last box. GROUP: members are not
# compared with each other.
LEVEL, RANGE, REGISTERED, ACTIVE, FIRST_PAIR, MARK, OUTSIDE, CONTACTS = 0, 1, 7, 8, 9, 10, 11, 12
KNOT, LAST_KNOT, ID, SHAPED, JUMPED, GROUP = 13, 14, 15, 16, 17, 18
N_COLUMNS = 20

# Q, integers of a pair, which is in the lists of both its spheres, as half-edges 2 p and 2 p + 1.
FIRST, SECOND, NEXT, PREVIOUS, STATE = 0, 1, 2, 4, 6
Q_COLUMNS = 8
# NEAR: the spheres overlap, and the shapes in them do not.
APART, OVERLAPPING, NEAR = 0, 1, 2

# H: item at a position of the heap, position of an item; items are spheres, then pairs. G: key and lists of a cell.
ITEM, PLACE = 0, 1
KEY, NATIVES, VISITORS = 0, 1, 2
# B: up to SLOTS ids of one list of a cell, and the next block of that list.
COUNT, FOLLOWING, IDS, SLOTS = 0, 1, 2, 6

# C, counters: sizes first, then how often things happened.
HEAP_SIZE, FREE_PAIR, FREE_BLOCK, N_CELLS, TOP_LEVEL, STAMP, N_EVENTS, N_PAIRS = 0, 1, 2, 3, 4, 5, 6, 7
ASKED_A, ASKED_B, TOPMOST, N_BLOCKS = 8, 9, 10, 11
N_LOGGED, PROBE_ADDRESS, ASKED_PAIR = 12, 13, 14
ENTERING, LEAVING, RESETTING, COLLIDING, WALLS = 16, 17, 18, 19, 20
CONTACT_COUNT, WALL_COUNT, RESTING, TESTS, ROOTS, PROBES, STEPS, JUMPS = 21, 22, 23, 24, 25, 26, 27, 28
C_SIZE = 32

# S, settings.
TIME, TOLERANCE, SLACK, EXTENT, GROWTH, EDGE = 0, 1, 2, 3, 4, 5
GRAVITY, LOWER, UPPER, WALLED, MOTION, RESPONSE, DIMENSIONS, OWN_TOLERANCE = 7, 10, 13, 16, 17, 18, 19, 20
HISTORY = 21
S_SIZE = 24

# Motions, responses, and statuses of the event loop.
OBSERVED, BALLISTIC, RANDOM, FIELD, TRACKS, EXTERNAL, COMPILED = 0, 1, 2, 3, 4, 5, 6
ELASTIC, REPORT, ASK = 0, 1, 2
DONE, NEEDS_PROBE, EVENTS_FULL, GROW_PAIRS, GROW_GRID, NEEDS_RESPONSE, OUT_OF_STEPS, NEEDS_SHAPES = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
)

# E, one row per event, and the kinds of events.
E_TIME, E_I, E_J, E_KIND, E_POSITION = 0, 1, 2, 3, 4
E_COLUMNS = 8
CONTACT, BEGIN, END, WALL, POSSIBLE = 0, 1, 2, 3, 4

# L, one row per anchor: id of the sphere, start time, parabola, end time and greatest acceleration.
L_TIME, L_ID, L_X, L_V, L_A, L_END, L_ACCELERATION = 0, 1, 2, 5, 8, 11, 12
L_COLUMNS = 13
