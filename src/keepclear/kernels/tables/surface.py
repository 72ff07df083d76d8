"""Layout of a surface: the two arrays that hold the vertices and triangles of a mesh for kernels.

`reals` has a header and then the vertices, x, y, z each; `links` has three corners per triangle and then the seeds, one
vertex for each component of the surface. Components share no vertex position.
"""

from __future__ import annotations

# Header of `reals`: greatest distance of a used vertex from the origin of the frame [m], radius (0), numbers of
# triangles and of seeds, whether there is an inside, and the widest gap that was closed to determine that [m].
EXTENT, RADIUS, N_TRIANGLES, N_SEEDS, SOLID, SEAM = 0, 1, 2, 3, 4, 5
ORIGIN, ROOT_HALF = 6, 9  # centre and half sizes of the box around the used vertices, three numbers each [m]
SURFACE_HEADER = 16
