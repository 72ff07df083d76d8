"""A needle of a mesh, 1e-12 of its length high: the axes of its box were less orthogonal than bounds allow for.

The needle here is nearer to a small ball than a second triangle, by 1e-5 m of 50 m. Its box seemed to be farther away,
so that the lower bound of the distance was that of the second triangle. Trees with such boxes were also refused when
they were read from prepared files.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import keepclear as kc
from keepclear.geometry.models.sections import proved_tree

NEEDLE = [
    [-0.029421922615303468, 0.41262735520499433, -0.29228291261987144],
    [-0.6349973825890232, -0.09067313510678131, -0.004996130276595701],
    [-0.4808440178419669, 0.0374454383654501, -0.07812694067565747],
]
OTHER = [
    [38.486991572015526, -8.723582022006553, 58.03030379345955],
    [38.48699157181643, -8.72358202123453, 58.03030379397425],
    [38.48699157246806, -8.723582021669511, 58.03030379417892],
]
BALL, RADIUS = [38.48699157250904, 23.923573005322528, 20.54939547132968], 2.0**-10


def test_the_lower_bound_includes_a_needle() -> None:
    mesh = kc.Mesh(np.array([*NEEDLE, *OTHER]), [[0, 1, 2], [3, 4, 5]], solid=False)
    X = np.eye(4)
    X[:3, 3] = BALL
    found = kc.distance(mesh, np.eye(4), kc.Sphere(RADIUS), X)
    corner = sum((Fraction(p) - Fraction(q)) ** 2 for p, q in zip(NEEDLE[0], BALL, strict=True))
    assert (Fraction(found.lower) + Fraction(RADIUS)) ** 2 <= corner
    assert (Fraction(found.upper) + Fraction(RADIUS)) ** 2 >= corner


def test_the_tree_of_a_needle_is_accepted_from_a_file() -> None:
    mesh = kc.Mesh(np.array(NEEDLE), [[0, 1, 2]], solid=False)
    tree = kc.build_obb_tree(mesh)
    assert proved_tree(mesh, "obb_tree", {"nodes": tree._nodes}).mesh is mesh
