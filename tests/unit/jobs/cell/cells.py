"""A small arm, and cells around it, for tests of cell files."""

from __future__ import annotations

from pathlib import Path

from keepclear.jobs.motion_files.samples import Failed, Joints, Options, Source

ARM = """<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="forearm">
    <collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.05 0.05"/></geometry></collision>
  </link>
  <link name="hand">
    <collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.04 0.04"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="forearm"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="2" effort="1"/>
  </joint>
  <joint name="reach" type="prismatic">
    <parent link="forearm"/><child link="hand"/><origin xyz="0.5 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.3" velocity="1" effort="1"/>
  </joint>
</robot>
"""
SRDF = """<robot name="arm">
  <group name="all"><joint name="shoulder"/><joint name="reach"/></group>
  <group_state name="out" group="all">
    <joint name="shoulder" value="0.5"/><joint name="reach" value="0.2"/>
  </group_state>
  <disable_collisions link1="base" link2="forearm" reason="Adjacent"/>
  <disable_collisions link1="forearm" link2="hand" reason="Adjacent"/>
</robot>
"""
PICK = "time,shoulder,reach\n0,0,0\n1,0.5,0.1\n2,1.0,0.2\n"
FLAP = "v 0 0 0\nv 80 0 0\nv 0 50 0\nf 1 2 3\n"
JOINTS = Joints(("shoulder", "reach"), (True, False))


def write(folder: Path, **files: str) -> Path:
    """Write files beside each other, `pick_csv` as pick.csv, and return the cell file."""
    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8")
    return folder / "cell.yaml"


def problems(run: object, options: Options | None = None, label: str = "a.csv") -> list[str]:
    """Return what a reader finds wrong."""
    source = Source(label, options or Options())
    try:
        run(source)  # type: ignore[operator]
    except Failed:
        return source.problems
    raise AssertionError("nothing was found to be wrong")
