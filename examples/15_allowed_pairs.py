"""Which links of a robot can touch each other at all: proved for each pair, compared with its SRDF file."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import keepclear as kc

# The arm of the cell that ships with keepclear, and an SRDF file that was made from random poses.
demo = Path(kc.__file__).parent / "jobs" / "cell" / "demo"
wrong = '<disable_collisions link1="upper_arm" link2="wrist" reason="Never"/></robot>'

with TemporaryDirectory() as folder:
    srdf, written = Path(folder) / "arm.srdf", Path(folder) / "proved.srdf"
    srdf.write_text((demo / "arm.srdf").read_text().replace("</robot>", wrong))
    robot = kc.read_robot(demo / "arm.urdf", srdf=srdf)

    proved = robot.prove_pairs()
    print(proved)
    assert not proved.of_kind(kc.Reach.UNDECIDED)

    # Pairs that the file allows although they can collide, with a configuration that proves it.
    for allowed, pair in proved.wrongly_allowed():
        print(f"\nallowed as {allowed.detail!r}: {pair}")
        q = dict(zip(robot.joint_names, pair.q_touching.round(3).tolist(), strict=True))
        print(f"they touch at {q}")
    assert {(pair.a, pair.b) for _, pair in proved.wrongly_allowed()} == {("upper_arm", "wrist")}

    # The report of a verification warns about it, too.
    world = kc.World()
    world.add_robot("arm", robot)
    world.add("table", kc.Box([1.0, 1.0, 0.02]), kc.Fixed(np.eye(4)))
    assert any("upper_arm - wrist" in text for text in world.verify(0.0, 1.0).warnings)

    # A file with exactly the proved pairs: groups and states are kept, the wrong pair is checked again.
    proved.write_srdf(written, keep=srdf)
    better = kc.read_robot(demo / "arm.urdf", srdf=written)
    print(f"\n{len(robot.allowed_pairs)} pairs were allowed, {len(better.allowed_pairs)} are proved")
    assert {"upper_arm", "wrist"} not in [{pair.a, pair.b} for pair in better.allowed_pairs]
    assert better.groups == robot.groups
