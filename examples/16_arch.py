"""A gripper reaches through an arch and takes a part: the tracker merges, releases and recovers hulls on the way."""

from collections.abc import Iterator

import numpy as np

import keepclear as kc

DT = 1.0 / 64.0
START, GRASP, DOWN, AWAY = -1.6, 0.4, -0.9, -1.9  # positions of the palm along y [m]
OPEN, CLOSED = 0.14, 0.0998  # distance between the fingers [m]; the part is 0.1 m wide


def at(x: float, y: float, z: float) -> np.ndarray:
    """Return a pose without rotation."""
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def block(x: float, y: float, z: float) -> kc.Mesh:
    """Return a box as a mesh with its origin at the centre."""
    corners = 0.5 * np.array([[i, j, k] for i in (-x, x) for j in (-y, y) for k in (-z, z)])
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return kc.Mesh(corners, sides)


POST, LINTEL, PART = block(0.1, 0.1, 1.0), block(1.1, 0.1, 0.1), block(0.1, 0.1, 0.1)
BEHIND, IN_FRONT = at(0.0, 0.6, 0.05), at(0.0, DOWN + 0.2, 0.05)


class Story:
    """Two groups and their tracker: the arch with the part, and the arm."""

    def __init__(self) -> None:
        fixed = {
            "left": (POST, at(-0.5, 0, 0.5)),
            "right": (POST, at(0.5, 0, 0.5)),
            "lintel": (LINTEL, at(0, 0, 1.05)),
        }
        self.scene = kc.Group({"arch": kc.Group(fixed), "part": (PART, BEHIND)})
        fingers = {"finger 1": block(0.02, 0.2, 0.04), "finger 2": block(0.02, 0.2, 0.04)}
        self.hand = kc.Group({"palm": block(0.2, 0.06, 0.06), **fingers})
        self.arm = kc.Group(
            {"upper": block(0.12, 0.5, 0.12), "fore": block(0.08, 0.6, 0.08), "hand": self.hand}
        )
        self.tracker = kc.Tracker(self.scene, self.arm, eps_hull=0.05, recovery=0.25, rest=0.25)

    def poses(self, y: float, opening: float) -> dict[str, np.ndarray]:
        """Return the poses of the arm: palm at y, fingers open by `opening`, the upper arm at half the speed."""
        X = {
            "upper": at(0, 0.5 * (y + START) - 0.9, 0.3),
            "fore": at(0, y - 0.33, 0.1),
            "palm": at(0, y, 0.1),
        }
        X["finger 1"], X["finger 2"] = (
            at(-0.5 * opening - 0.01, y + 0.13, 0.05),
            at(0.5 * opening + 0.01, y + 0.13, 0.05),
        )
        if "part" in self.hand:
            X["part"] = at(0.0, y + 0.2, 0.05)
        return X

    def frames(self) -> Iterator[tuple[float, dict[str, np.ndarray]]]:
        """Yield the time and the poses of the arm for each frame; between two frames the part changes its group."""
        reach = [
            (START, START, OPEN, OPEN, 40),
            (START, GRASP, OPEN, OPEN, 96),
            (GRASP, GRASP, OPEN, CLOSED, 16),
        ]
        carry = [(GRASP, DOWN, CLOSED, CLOSED, 96), (DOWN, DOWN, CLOSED, OPEN, 16)]
        leave = [(DOWN, AWAY, OPEN, OPEN, 64), (AWAY, AWAY, OPEN, OPEN, 40)]
        k = 0
        for phase in (reach, carry, leave):
            if phase is carry:  # now the fingers hold the part
                self.scene.detach("part")
                self.hand.attach("part", PART)
            elif phase is leave:
                self.hand.detach("part")
                self.scene.attach("part", (PART, IN_FRONT))
            for y0, y1, opening0, opening1, n in phase:
                for s in np.linspace(0.0, 1.0, n):
                    k += 1
                    yield k * DT, self.poses(y0 + s * (y1 - y0), opening0 + s * (opening1 - opening0))


if __name__ == "__main__":
    story = Story()
    tracker = story.tracker
    for t, X in story.frames():
        r = tracker.distance(None, X, t)
        if tracker.events and tracker.events[-1].t == t:
            new = [f"{event.node} {event.kind}" for event in tracker.events if event.t == t]
            print(f"{t:6.3f} s  {r.distance:7.4f} m  {', '.join(new)}")
    n = tracker.statistics
    print(f"{n.frames} frames, {n.pairs / n.frames:.1f} pairs computed per frame of {4 * 5} combinations")
