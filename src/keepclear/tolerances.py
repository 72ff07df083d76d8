"""The numbers that decide what is accepted and what counts as equal, each with its unit and its reason.

Kernels take tolerances as arguments; a number that is used in more than one place lives here.
"""

from __future__ import annotations

SMALLEST_SIZE = 1e-9
"""Smallest size of a primitive [m].

An atom is a tenth of this, so nothing that is built is smaller. Kernels form products of many lengths;
with sizes above 1e-9 these stay far above the smallest double. Much smaller sizes would let such products
underflow to zero, and a body would lose its volume and its normals.
"""

SMALLEST_HULL = 1e-30
"""Smallest extent of the points of a hull, unless they are one and the same point [m].

Kernels form products of four lengths and their squares: below 1e-38 these leave the range of double. Nothing that is
built is smaller than an atom, so such points are an error in units; points closer than this are one point.
"""

SMALLEST_MESH = 1e-20
"""Smallest extent of a mesh that is searched, unless it is a single point [m].

Trees hold boxes in single precision, relative to the mesh, and enlarge them by 1e-15 of it for rounding: below 1e-23
that allowance would leave the range of single precision, and boxes would no longer hold their triangles. An atom is ten
orders of magnitude larger, so such a mesh is an error in units.
"""

LARGEST_SIZE = 1e9
"""Largest size of a primitive, and largest coordinate of a point of a shape [m].

Three times the distance to the moon. A coordinate of 1e9 m is rounded to 1.2e-7 m, so larger shapes could not
be answered to a useful accuracy anyway; products of six such lengths stay near 1e54, far from overflow.
Raising it costs accuracy without a warning; lowering it refuses shapes that work.
"""

LARGEST_LENGTH = 1e13
"""Largest margin, tolerance, range or other length of a question [m].

Positions are accepted up to 1e12 m, so no two bodies are farther apart. Sums of such lengths, and their squares, stay
far from overflow, in single precision too. Where all distances are meant, an argument takes infinity.
"""

LATEST_TIME = 1e20
"""Largest time, and the inverse of the shortest step of a trajectory [s].

Two hundred times the age of the universe. Squares of velocities and products with times stay far from overflow; a
difference of larger times may be no number.
"""

CUSTOM_POSE_ROUNDING = 1e-13
"""How far a pose of a user's own motion may be off [part of the coordinates of the body's points].

A pose from a few dozen operations in double precision is right to 1e-14. Bounds of the distance at an instant are
widened by it. Much larger values come near the finest tolerance, 1e-12 of the size of the scene; with smaller ones the
rounding of a long computation would not be covered.
"""

POLYGON_FLATNESS = 1e-6
"""How far the corners of a polygon of a mesh may leave its plane or its convex outline [part of its extent].

A polygon is held as a fan of triangles, and those triangles are the surface that is checked: with a bent or
dented polygon the fan depends on the corner it starts from. 1e-6 admits coordinates printed with 7 digits.
Larger values let the surface differ visibly from what was drawn; smaller ones refuse rounded files.
"""

POLYGON_ROUNDING = 1e-7
"""How far the same corners may be off because of rounded coordinates [part of the largest coordinate].

Single precision rounds a coordinate by 6e-8 of itself, which for a small polygon far from the origin is more
than `POLYGON_FLATNESS` allows. Smaller values refuse meshes that were stored in single precision.
"""

DEGENERATE_HEIGHT = 1e-9
"""A triangle whose height is below this part of its longest edge is reported as degenerate [1].

It is reported, not removed: the value changes what `Mesh.check` says and no answer. Double precision rounds
coordinates to 1e-16 of themselves, so that a height of 1e-9 is noise for a triangle of a millimetre that is a
few kilometres from the origin, and a real sliver closer by.
"""

SEAM_GAP = 1e-7
"""How far apart ends of open edges may be to count as one, in the search for an inside [part of coordinates].

Programs compute the two sides of a seam separately and store them in single precision, which rounds to 6e-8.
The triangles are not moved, so distances stay exact; only whether the mesh is a solid depends on this. Larger
values call meshes with real slits solid; smaller ones deny the inside to machined parts from common programs.
"""

IMPLAUSIBLY_LARGE = 50.0
"""A mesh from a file without a unit that is larger than this is suspected to be in millimetres [m].

A part of 50 mm read as metres is 50 m long. Robots and their cells stay below. Only a warning depends on it.
"""

IMPLAUSIBLY_SMALL = 1e-3
"""A mesh from a file without a unit that is smaller than this is suspected to be in another unit [m].

Parts below a millimetre exist, but rarely as a separate mesh in metres. Only a warning depends on it.
"""
