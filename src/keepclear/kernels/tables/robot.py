"""JOINT, LINK: joints of robots. What edges and configurations are checked with: bodies, pairs, and answers.

Nodes are the moving joints of a robot, parents first; node 0 is the robot's base. Bodies that a node carries come
first, then bodies at rest, which are on node 0.
"""

from __future__ import annotations

import numpy as np

from keepclear.kernels.tables.record import record

f8, i8, f4 = np.float64, np.int64, np.float32

JOINT = record(
    ("map", f8, (3, 4)),  # pose of its frame in that of its parent; it moves about, or along, the z axis
    ("multiplier", f8),  # its value is multiplier q + offset [rad or m]
    ("offset", f8),
    ("parent", i8),
    ("column", i8),  # of q
    ("revolute", i8),  # 1, or 0 for a prismatic joint
)

LINK = record(
    ("map", f8, (3, 4)),  # pose of its joint in the frame of its parent
    ("axis", f8, (3,)),  # of its joint
    ("multiplier", f8),  # the value of its joint is multiplier q + offset [rad or m]
    ("offset", f8),
    ("sine", f8),  # of the rotation of its map, if that is about x, y or z
    ("cosine", f8),
    ("parent", i8),
    ("column", i8),  # of q
    ("motion", i8),  # how its joint moves (kernels/motion/forward.py)
    ("origin", i8),  # how its map is rotated
)

NODE = record(
    ("pose", f8, (12, 1)),  # in the world, R by rows and p, as `place_nodes` writes it
    ("spin", f8, (3,)),  # angular velocity
    ("velocity", f8, (3,)),  # of its origin
    ("speed", f8),  # absolute speed of its joint
    ("turns", f8),  # sum of the speeds of revolute joints up to it
)

NODE_BODY = record(
    ("pose", f8, (3, 4)),  # in the frame of its node; in the world if it rests
    ("center", f8, (3,)),  # of a ball and a box around it, in its own frame [m]
    ("radius", f8),  # of the ball [m]
    ("half", f8, (3,)),  # sizes of the box [m]
    ("slack", f8),  # greatest shortfall of support points of its hull [m]
    ("extent", f8),  # greatest distance of its points from the origin, for rounding [m]
    ("node", i8),
    ("hull", i8),  # whether it has one
    ("mesh", i8),  # whether it is one
    ("reals", i8, (2,)),  # range of its hull in F: first and end
    ("links", i8, (2,)),  # in G
    ("surface", i8, (2,)),  # range of its surface in S, if it is a mesh
    ("triangles", i8, (2,)),  # in T
    ("boxes", i8, (2,)),  # of its tree in N and L
    ("inner", i8, (2,)),  # of the balls inside of it
)

MOVED_BODY = record(
    ("R", f8, (3, 3)),  # pose in the world
    ("p", f8, (3,)),
    ("center", f8, (3,)),  # of its ball [m]
    ("velocity", f8, (3,)),  # of the centre
    ("acceleration", f8),  # bound of that of its points
    ("wide", f8),  # radius of its ball, widened for rotation [m]
    ("reach", f8),  # the same, widened for all its motion [m]
    ("stamp", i8),  # number of the evaluation that these belong to
)

OWN_PAIR = record(
    ("margin", f8),  # of two bodies that the robot carries [m]
    ("a", i8),
    ("b", i8),
    ("common", i8),  # their last common ancestor node
)

BODY_GROUP = record(
    ("low", f8, (3,)),  # box around bodies at rest, in the world [m]
    ("high", f8, (3,)),
    ("first", i8),  # range of the bodies
    ("end", i8),
)

PLANE = record(
    ("direction", f8, (3,)),  # from A to B, in A's frame; zeros: none
    ("vertex_a", i8),  # support points along it, -1: none
    ("vertex_b", i8),
)

OPEN_PAIR = record(
    ("plane", PLANE),  # the last that was found
    ("margin", f8),  # of an undecided pair [m]
    ("bound", f8),  # if gaps are needed: a lower bound on its gap [m]
    ("a", i8),
    ("b", i8),
    ("own", i8),  # row among the own pairs, or -1
)

INTERVAL = record(
    ("middle", f8),  # of a remaining interval of an edge
    ("half", f8),  # its half length
    ("first", i8),  # range of its undecided pairs
    ("end", i8),
)

EDGE_ASKED = record(
    ("tolerance", f8),  # 0 for configurations [m]
    (
        "earliest",
        f8,
    ),  # half the length to which the earliest contact is narrowed down; 0: any contact suffices
    ("covers_only", i8),  # whether covers alone may decide
    ("gaps", i8),  # whether the least gap is needed
    ("budget", i8),  # most distance queries for an edge
    ("call_budget", i8),  # and for a call
)

EDGE_ANSWER = record(
    ("clear_until", f8),  # the edge is proved clear until here
    ("time", f8),  # of a contact, nan for none
    ("least_gap", f8),  # of covers [m]
    ("queries", i8),  # distances and poses that were computed
    ("a", i8),  # bodies in contact, -1 for none
    ("b", i8),
    ("status", i8),  # kernels/edges/check.py
)

SPHERE_BODY = record(
    ("center", f8, (3,)),  # of a ball around a body with spheres, in the frame of its node [m]
    ("radius", f8),
    (
        "low",
        f8,
        (3,),
    ),  # corner of the grid of cells that may contain interior points outside of its spheres [m]
    ("per_metre", f8, (3,)),  # cells
    ("node", i8),
    ("spheres", i8, (2,)),  # their range: first and end
    ("parts", i8, (2,)),  # range of exact parts with an interior that the spheres do not fill
    ("seeds", i8, (2,)),  # range of points, one of each component of its surface
    ("cells", i8),  # where they begin
)

OBSTACLE = record(
    ("kind", i8),  # kernels/spheres/configurations.py
    ("part", i8),  # its exact shape
    ("seeds", i8, (2,)),
)

BOX = record(
    ("low", f4, (3,)),  # corners [m]
    ("high", f4, (3,)),
)

SPHERE_PAIR = record(
    ("a", i8),
    ("b", i8),
    ("a_inside", i8),  # whether A may be inside of B
    ("b_inside", i8),
    ("far", f4),  # limit of the squared distance of the balls' centres
    ("added", f4),  # to radii of spheres [m]
)
