"""What stands around the arm of the demo cell: an arch, a stand under the table, a cart and the part it brings."""

from __future__ import annotations

from pathlib import Path

import shapely
import trimesh
from tools.demo_cell.arm import rounded
from tools.demo_cell.solids import (
    block,
    cut,
    joined,
    milled,
    moved,
    turned,
    write_ply,
    write_stl_in_millimetres,
)

ARCH_X = 0.52  # where the middle of the arch is [m]
FIN_TIP = 0.0651  # how far from the middle of the arch its fin ends [m]
GRASP = (0.88, 0.0, 0.22)  # where the fingers close [m]
PART_RADIUS, PART_HEIGHT = 0.015, 0.12  # of the part that stands on the cart [m]
TRAY = GRASP[2] - 0.5 * PART_HEIGHT - 0.02  # the floor of the tray [m]


def arch() -> trimesh.Trimesh:
    """Return the arch: its opening is 220 mm wide, and a fin of sheet metal, 1 mm thin, reaches into it."""
    outside = rounded((-0.19, -0.05), (0.19, 0.66), 0.03)
    opening = shapely.union_all(
        [shapely.box(-0.11, -1.0, 0.11, 0.47), shapely.Point(0.0, 0.47).buffer(0.11, quad_segs=6)]
    )
    frame = outside.difference(opening).intersection(shapely.box(-1.0, 0.0, 1.0, 1.0))
    feet = [block((-0.07, side * 0.15 - 0.06, 0.0), (0.07, side * 0.15 + 0.06, 0.018)) for side in (-1, 1)]
    lamp = turned([(0.03, 0.655), (0.03, 0.7), (0.024, 0.712), (0.012, 0.716)], "z", 16)
    fin = shapely.Polygon([(FIN_TIP, 0.205), (FIN_TIP, 0.235), (0.115, 0.255), (0.115, 0.185)])
    feet = [cut(foot, block((-1.0, -0.11, -1.0), (1.0, 0.11, 1.0))) for foot in feet]
    return joined(milled(frame, 0.09, "x", 0.004), *feet, lamp, milled(fin, 0.001, "x"))


def stand() -> trimesh.Trimesh:
    """Return the stand that carries the table: two portals and two rails; its top is at z = 0."""
    outline = rounded((-0.42, -0.60), (0.42, 0.05), 0.02).difference(shapely.box(-0.34, -1.0, 0.34, -0.06))
    portal = milled(outline.intersection(shapely.box(-1, -0.51, 1, 0)), 0.07, "x", 0.005)
    rail = block((-0.45, -0.03, -0.2), (0.45, 0.03, -0.14))
    rails = [moved(rail, 0.0, side * 0.38, 0.0) for side in (-1, 1)]
    return joined(moved(portal, -0.42, 0.0, 0.0), moved(portal, 0.42, 0.0, 0.0), *rails)


def cart() -> trimesh.Trimesh:
    """Return the cart: the floor of its tray is at z = 0, and its wheels reach down to -0.69 m."""
    top = moved(milled(rounded((-0.19, -0.26), (0.19, 0.26), 0.04), 0.075, "z", 0.008), 0.0, 0.0, -0.0125)
    tray = moved(milled(rounded((-0.172, -0.242), (0.172, 0.242), 0.03), 0.1, "z"), 0.0, 0.0, 0.05)
    holder = turned([(0.05, -0.005), (0.05, 0.008), (0.034, 0.018), (0.0305, 0.02)], "z", 24)
    column = turned([(0.11, -0.5), (0.07, -0.44), (0.06, -0.1), (0.1, -0.045)], "z", 24)
    platform = moved(milled(rounded((-0.22, -0.34), (0.22, 0.34), 0.06), 0.14, "z", 0.015), 0.0, 0.0, -0.55)
    wheel = turned([(0.065, -0.02), (0.075, -0.014), (0.075, 0.014), (0.065, 0.02)], "x", 24)
    wheels = [moved(wheel, x * 0.19, y * 0.22, -0.615) for x in (-1, 1) for y in (-1, 1)]
    return joined(cut(top, tray), holder, column, platform, *wheels)


def part() -> trimesh.Trimesh:
    """Return the part: a turned pin with a foot; z = 0 is its underside."""
    profile = [
        (0.024, 0.0),
        (0.026, 0.004),
        (0.024, 0.012),
        (PART_RADIUS, 0.018),
        (PART_RADIUS, 0.11),
        (0.011, 0.12),
    ]
    return turned(profile, "z", 32)


def write(folder: Path) -> None:
    """Write the meshes; the arch and the cart come from elsewhere, in millimetres, as such files do."""
    (folder / "meshes").mkdir(parents=True, exist_ok=True)
    write_stl_in_millimetres(arch(), folder / "meshes" / "arch.stl")
    write_stl_in_millimetres(cart(), folder / "meshes" / "cart.stl")
    write_ply(stand(), folder / "meshes" / "stand.ply")
    write_ply(part(), folder / "meshes" / "part.ply")
