"""Tables of a robot among bodies at rest: columns that the kernels for edges and configurations read.

Nodes are the moving joints of the robot (see `kernels.motion.joints`), parents first; node 0 is the robot's base.
Bodies that a node carries come first, then bodies at rest.
"""

from __future__ import annotations

# A body: a ball and the half sizes of a box around its centre, in its own frame; its pose in the frame of its node (in
# the world if it rests); the greatest shortfall of its hull's support point; greatest distance of its points from the
# origin, for rounding; all [m].
CENTER, RADIUS, HALF, POSE, SLACK, SIZE, BODY = 0, 3, 4, 7, 19, 20, 21
# Integers of a body: its node; ranges of its hull in the joined arrays; whether it is a mesh, and the ranges of its
# surface and tree; whether it has a hull; the range of balls inside of it (centre and radius each).
OF_NODE, REALS, LINKS, IS_MESH, SURFACE, TRIANGLES, BOXES, HAS_HULL = 0, 1, 3, 5, 6, 8, 10, 12
INNER, BODY_LINKS = 13, 15

# A pair of bodies that the robot carries: numbers of both, their common ancestor node, and their margin [m].
FIRST, SECOND, COMMON, MARGIN, OWN_PAIR = 0, 1, 2, 3, 4
# A group of bodies at rest: the box around it in the world, and the range of its bodies.
LOW, HIGH, GROUP_FIRST, GROUP_LAST, GROUP = 0, 3, 6, 7, 8

# The query: the tolerance, 0 for configurations [m]; half the length to which the earliest contact is narrowed down, 0
# if any contact is sufficient; whether covers alone may decide; whether the least gap is needed; and the largest
# numbers of distance queries for an edge and for a call.
TOLERANCE, EARLIEST, COVERS_ONLY, GAPS, BUDGET, CALL_BUDGET, ASKED = 0, 1, 2, 3, 4, 5, 6

# An answer: its status, until where the edge is proved clear, where a contact is, the bodies in contact, distance
# queries, and the least gap of covers.
STATUS, CLEAR_UNTIL, TIME, BODY_A, BODY_B, QUERIES, LEAST_GAP, ANSWER = 0, 1, 2, 3, 4, 5, 6, 7
CLEAR, COLLIDING, OVER_BUDGET, OPEN = 0, 1, 2, 3
"""OPEN: halving does not decide, because the tolerance is below the rounding error."""

# Scratch. A node: R and p (as in `joints`), angular velocity, velocity of its origin, absolute speed of its joint, and
# the sum of the speeds of revolute joints up to it.
SPIN, VELOCITY, SPEED, SUM, NODE_STATE = 12, 15, 18, 19, 20
# A body: R and p, the centre of its ball and its velocity, acceleration bound of its points, radius of the ball widened
# for rotation, the same widened for all its motion, and the number of the evaluation that these belong to.
BALL, BALL_VELOCITY, ACCELERATION, WIDE, REACH, STAMP, BODY_STATE = 12, 15, 18, 19, 20, 21, 22
# An undecided pair: A, B, row among the own pairs or -1, margin, direction from A to B, vertices of both, and, if gaps
# are needed, a lower bound on its gap.
DIRECTION, HINTS, BOUND, OPEN_PAIR = 4, 7, 9, 10

MOST_DEPTH = 44  # halvings of an edge
