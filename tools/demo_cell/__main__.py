"""`python -m tools.demo_cell` writes the meshes, the robot and the programs of the demo cell anew.

It needs shapely, mapbox-earcut and manifold3d beside trimesh: `pip install "trimesh[easy]"`.
"""

from __future__ import annotations

from pathlib import Path

from tools.demo_cell import arm, programs, surroundings

FOLDER = Path(__file__).parents[2] / "src" / "keepclear" / "jobs" / "cell" / "demo"

if __name__ == "__main__":
    arm.write(FOLDER)
    surroundings.write(FOLDER)
    programs.write(FOLDER)
