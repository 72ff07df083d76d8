"""How many distances bisection computes: three trajectories of rising risk, and hundreds of random ones.

The table is that of the method's source (Shimada, Okano and Kawabe): sampling uses 128 instants, and the tolerance
of the bisection is the length of the trajectory divided by 128, so that both have the same accuracy. An arm
carries its forearm past a column; precise shapes are boxes, rough ones rows of balls that cover them. The plot shows
distances over risk for random motions of the same arm, and their mean for rising n beside log2(n).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.sphere_bodies import Spheres, SpheresEvaluator
from keepclear.query.interval.bisection import bisection_first_contact
from keepclear.query.moving.evaluation import Evaluator
from keepclear.query.moving.question import checked_query

N = 128
UPPER_ARM, FOREARM, SHOULDER = 0.5, np.array([0.6, 0.12, 0.12]), 0.6  # lengths and height [m]
COLUMN, PLACE = np.array([0.3, 0.3, 1.2]), np.array([0.75, 0.0, 0.6])
RANDOM, SIZES = 200, (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
SEGMENTS = 8  # of four samples each, as cubics take them
FIGURE = Path(__file__).parents[1] / "docs" / "theory" / "evaluations.svg"

# Joint angles (base, shoulder, elbow) at the start and at the end [degrees].
TRAJECTORIES = {
    "low": ((100.0, 40.0, -50.0), (150.0, 20.0, -60.0)),  # swings on the far side
    "middle": ((40.0, 80.0, -40.0), (-50.0, 85.0, -55.0)),  # lifts the forearm over the column
    "high": ((70.0, 30.0, -50.0), (-50.0, 30.0, -40.0)),  # sweeps into it
}


def turned(axis: int, angle: float) -> np.ndarray:
    """Return the pose of a frame turned about an axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    X = np.eye(4)
    X[i, i] = X[j, j] = math.cos(angle)
    X[j, i], X[i, j] = math.sin(angle), -math.sin(angle)
    return X


def moved(x: float, y: float, z: float) -> np.ndarray:
    """Return the pose of a frame that is moved."""
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def forearm_pose(joints: np.ndarray) -> np.ndarray:
    """Return the pose of the middle of the forearm for three joint angles [degrees]."""
    base, shoulder, elbow = np.radians(joints)
    upper = moved(0.0, 0.0, SHOULDER) @ turned(2, base) @ turned(1, -shoulder) @ moved(UPPER_ARM, 0.0, 0.0)
    return upper @ turned(1, -elbow) @ moved(0.5 * FOREARM[0], 0.0, 0.0)


def arm_motion(start: object, end: object) -> kc.PoseTrajectory:
    """Return the motion of the forearm while the joints turn evenly for one second."""
    s = np.linspace(0.0, 1.0, 3 * SEGMENTS + 1)
    joints = np.outer(1.0 - s, start) + np.outer(s, end)
    return kc.PoseTrajectory(s, [forearm_pose(q) for q in joints])


def length_of(motion: kc.PoseTrajectory) -> float:
    """Return the length of the trajectory: the longest way of a point of the forearm [m]."""
    return motion.path_length(kc.Box(FOREARM), 0.0, 1.0)


@dataclass(frozen=True)
class Counts:
    """Distances computed for one trajectory, by bisection and by sampling, with precise and rough shapes."""

    risk: str
    bisection: tuple[int, int]
    sampling: tuple[int, int]
    verdicts: tuple[str, str]


def count(risk: str, start: object, end: object, n: int = N) -> Counts:
    """Count the distances for one trajectory."""
    motion = arm_motion(start, end)
    tolerance = length_of(motion) / n
    precise = checked_query(kc.Box(FOREARM), motion, kc.Box(COLUMN), moved(*PLACE), tolerance=tolerance)
    arm, column = Spheres.over(FOREARM), Spheres.over(COLUMN)
    rough = checked_query(arm.around, motion, column.around, moved(*PLACE), tolerance=tolerance)
    found = [
        bisection_first_contact(precise),
        bisection_first_contact(rough, SpheresEvaluator(rough, arm, column)),
    ]
    sampled = [
        samples_until_contact(Evaluator(precise), n),
        samples_until_contact(SpheresEvaluator(rough, arm, column), n),
    ]
    return Counts(
        risk,
        (found[0].evaluations, found[1].evaluations),
        (sampled[0], sampled[1]),
        (found[0].verdict.name, found[1].verdict.name),
    )


def samples_until_contact(evaluator: Evaluator, n: int) -> int:
    """Return at how many of n evenly spaced instants sampling looks until it sees a contact."""
    for t in np.linspace(0.0, 1.0, n).tolist():
        if evaluator.at(t).upper <= 0.0:
            break
    return evaluator.count


def random_motions(n: int, seed: int = 1) -> list[kc.PoseTrajectory]:
    """Return motions of the arm between random joint angles that are clear at the start."""
    rng = np.random.default_rng(seed)
    low, high = np.array([-150.0, -10.0, -110.0]), np.array([150.0, 90.0, 10.0])
    motions: list[kc.PoseTrajectory] = []
    while len(motions) < n:
        motion = arm_motion(*rng.uniform(low, high, (2, 3)))
        if kc.distance(kc.Box(FOREARM), motion.pose(0.0), kc.Box(COLUMN), moved(*PLACE)).lower > 0.0:
            motions.append(motion)
    return motions


def risk_and_count(motion: kc.PoseTrajectory, n: int = N) -> tuple[float, int]:
    """Return the risk of a motion and the distances that bisection computes for it.

    The risk is l / (l + 2 d), with l the length of the trajectory and d its minimum distance: 1 for a contact, near 0
    for a short way far from everything.
    """
    length = length_of(motion)
    tolerance = length / n
    k = kc.first_contact(
        kc.Box(FOREARM), motion, kc.Box(COLUMN), moved(*PLACE), tolerance, method="bisection"
    )
    least = kc.clearance(kc.Box(FOREARM), motion, kc.Box(COLUMN), moved(*PLACE), tolerance=1e-3)
    return length / (length + 2.0 * max(least.upper, 0.0)), k.evaluations


def mean_count(motions: list[kc.PoseTrajectory], n: int) -> float:
    """Return the mean number of distances for a tolerance of length / n."""
    box, column, X_WC = kc.Box(FOREARM), kc.Box(COLUMN), moved(*PLACE)
    counts = [
        kc.first_contact(box, motion, column, X_WC, length_of(motion) / n, method="bisection").evaluations
        for motion in motions
    ]
    return float(np.mean(counts))


def figure(dots: list[tuple[float, int]], means: dict[int, float]) -> str:
    """Return both plots as SVG: distances over risk, and their mean over n beside log2(n)."""
    left = Panel(60.0, (0.2, 1.0), f"risk (n = {N})", [(x, f"{x:.1f}") for x in (0.2, 0.4, 0.6, 0.8, 1.0)])
    logs = {math.log2(n): mean for n, mean in means.items()}
    right = Panel(420.0, (3.0, 13.0), "n", [(math.log2(n), str(n)) for n in means])
    parts = [left.frame("distances computed"), right.frame("mean, and log2(n) dashed")]
    parts += [
        f'<circle cx="{left.x(r):.1f}" cy="{left.y(c):.1f}" r="2.5" fill="#2a6" fill-opacity="0.4"/>'
        for r, c in dots
    ]
    parts += [
        right.line([(x, x) for x in logs], 'stroke="#888" stroke-dasharray="5 4"'),
        right.line(list(logs.items()), 'stroke="#2a6" stroke-width="2"'),
    ]
    parts += [
        f'<circle cx="{right.x(x):.1f}" cy="{right.y(y):.1f}" r="3.5" fill="#2a6"/>' for x, y in logs.items()
    ]
    body = "\n".join(parts)
    style = 'font-family="sans-serif" font-size="12" fill="#777"'
    head = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 330" {style}'
    return f"<svg {head}>\n{body}\n</svg>\n"


@dataclass(frozen=True)
class Panel:
    """A plot of 280 by 240 units, y from 0 to 20."""

    at: float
    span: tuple[float, float]
    label: str
    ticks: list[tuple[float, str]]

    def x(self, value: float) -> float:
        """Return where a value is across."""
        return self.at + 280.0 * (value - self.span[0]) / (self.span[1] - self.span[0])

    def y(self, value: float) -> float:
        """Return where a value is from above."""
        return 280.0 - 12.0 * value

    def line(self, points: list[tuple[float, float]], style: str) -> str:
        """Return a line through points."""
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        return f'<polyline points="{path}" fill="none" {style}/>'

    def frame(self, title: str) -> str:
        """Return axes, ticks and labels."""
        parts = [
            f'<text x="{self.at:.0f}" y="24" font-weight="bold">{title}</text>',
            f'<path d="M{self.at:.0f} 40V280H{self.at + 290:.0f}" fill="none" stroke="#777"/>',
            f'<text x="{self.at + 140:.0f}" y="318" text-anchor="middle">{self.label}</text>',
        ]
        parts += [
            f'<text x="{self.x(x):.1f}" y="297" text-anchor="middle">{text}</text>' for x, text in self.ticks
        ]
        for y in (0, 5, 10, 15, 20):
            parts.append(f'<text x="{self.at - 8:.0f}" y="{self.y(y) + 4:.0f}" text-anchor="end">{y}</text>')
        return "\n".join(parts)


def main(options: Sequence[str] = ()) -> None:
    """Print the source's table and the means; `--figure` replaces the figure of the documentation."""
    print(f"\nDistances computed, sampling at n = {N}, tolerance = length / {N}; precise shapes / balls")
    print(f"{'risk':<10}{'bisection':>14}{'sampling':>14}   verdicts")
    for risk, (start, end) in TRAJECTORIES.items():
        c = count(risk, start, end)
        pairs = (f"{a} / {b}" for a, b in (c.bisection, c.sampling))
        print(f"{risk:<10}" + "".join(f"{pair:>14}" for pair in pairs) + f"   {' / '.join(c.verdicts)}")
    motions = random_motions(RANDOM)
    means = {n: mean_count(motions, n) for n in SIZES}
    print(f"\nMean over {RANDOM} random motions of the arm\n{'n':>8}{'log2(n)':>10}{'bisection':>12}")
    for n, mean in means.items():
        print(f"{n:>8}{math.log2(n):>10.0f}{mean:>12.2f}")
    if "--figure" in options:
        FIGURE.write_text(figure([risk_and_count(motion) for motion in motions], means))
        print(f"figure: {FIGURE.relative_to(FIGURE.parents[2])}")


if __name__ == "__main__":
    main(sys.argv[1:])
