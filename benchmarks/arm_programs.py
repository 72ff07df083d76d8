"""Three programs of the demo arm among its obstacles: distances per pair of link and obstacle, as the source counts.

The source (Shimada, Okano and Kawabe, Figs. 8 and 9) has three trajectories of an arm with a low, middle and high risk
of collision, and compares bisection with sampling at 128 instants, for precise shapes and for sets of spheres. Here
each of the 27 pairs is decided by the source's own condition (`source_bisection`), by `method="bisection"`, and by
sampling until the first contact. What counts as contact is the length of the link's path divided by 128, for all three.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.source_bisection import SourceSearch
from benchmarks.sphere_bodies import Spheres, SpheresEvaluator
from keepclear.geometry.bodies.bounds import ball_and_box
from keepclear.motion.path_length import packed_travel
from keepclear.query.interval.bisection import bisection_first_contact
from keepclear.query.moving.evaluation import Evaluation, Evaluator
from keepclear.query.moving.question import Query, checked_query

N = 128
DEMO = Path(kc.__file__).parent / "jobs" / "cell" / "demo" / "cell.yaml"
OBSTACLES = ("table", "stand", "arch")
ACCURACY = 0.01  # radius of the spheres [m]
FIGURE = Path(__file__).parents[1] / "docs" / "theory" / "arm-programs.svg"
# Joint values at the start and at the end: six angles [rad] and how far the gripper is open [m].
PROGRAMS = {
    "low": ((1.2, -0.6, 0.7, 0.0, 0.75, 0.0, 0.022), (2.4, -0.6, 0.7, 0.0, 0.75, 0.0, 0.022)),  # turns away
    "middle": ((0.9, -0.3, 0.3, 0.0, 0.751, 0.0, 0.022), (-0.9, -0.3, 0.3, 0.0, 0.751, 0.0, 0.022)),  # past the arch
    "high": ((0.9, 0.5, 0.3, 0.0, 0.751, 0.0, 0.022), (-0.9, 0.5, 0.3, 0.0, 0.751, 0.0, 0.022)),  # into the arch
}  # fmt: skip
METHODS = ("source", "bisection", "sampling")
SHAPES = ("precise", "spheres")


@dataclass(frozen=True)
class Pair:
    """A link and an obstacle during a program: the question about precise shapes, and the one about spheres."""

    link: str
    obstacle: str
    precise: Query
    rough: Query
    spheres: tuple[Spheres, Spheres]

    def evaluator(self, shapes: str) -> Evaluator:
        """Return what computes distances of precise shapes, or of spheres."""
        return Evaluator(self.precise) if shapes == "precise" else SpheresEvaluator(self.rough, *self.spheres)

    def query(self, shapes: str) -> Query:
        """Return the question about precise shapes, or about spheres."""
        return self.precise if shapes == "precise" else self.rough


@dataclass(frozen=True)
class Count:
    """How many distances one pair took, and whether a contact was found, by method and shapes."""

    link: str
    obstacle: str
    distances: dict[tuple[str, str], int]
    is_hit: dict[tuple[str, str], bool]


def pairs_of(risk: str) -> Iterator[Pair]:
    """Yield all pairs of a link that moves and an obstacle during a program."""
    cell = kc.read_cell(DEMO)
    robot = cell.objects["arm"].robot
    assert robot is not None
    program = kc.JointTrajectory(robot, [0.0, 1.0], np.array(PROGRAMS[risk]))
    moving = {
        link.name: Spheres.of(link.elements[0].shape, ACCURACY) for link in robot.links if link.elements
    }
    for obstacle in OBSTACLES:
        ((shape, X_OS),) = cell.objects[obstacle].shapes
        X_W = cell.objects[obstacle].X_W @ X_OS
        fixed = Spheres.of(shape, ACCURACY)
        for link in robot.links:
            if not link.elements or link.name == "base":
                continue
            (element,) = link.elements
            assert np.array_equal(element.X_LG, np.eye(4))
            motion = program.link(link.name)
            d_col = packed_travel(motion, ball_and_box(element.shape), 0.0, 1.0) / N
            precise = checked_query(element.shape, motion, shape, X_W, tolerance=d_col)
            balls = moving[link.name]
            rough = checked_query(balls.around, motion, fixed.around, X_W, tolerance=d_col)
            yield Pair(link.name, obstacle, precise, rough, (balls, fixed))


def count(pair: Pair) -> Count:
    """Count the distances of all methods for one pair."""
    found = {}
    for shapes in SHAPES:
        found["source", shapes] = by_source(pair, shapes)
        found["bisection", shapes] = by_bisection(pair, shapes)
        is_hit = found["bisection", shapes][1]  # where it is proved clear no sample shows a contact
        found["sampling", shapes] = by_sampling(pair, shapes) if is_hit else (N, False)
    return Count(
        pair.link,
        pair.obstacle,
        {key: n for key, (n, _) in found.items()},
        {key: is_hit for key, (_, is_hit) in found.items()},
    )


def by_source(pair: Pair, shapes: str) -> tuple[int, bool]:
    """Count with the source's condition alone; the obstacle rests, so path lengths are those of the link."""
    query, evaluator = pair.query(shapes), pair.evaluator(shapes)
    around = ball_and_box(query.body_a)
    search = SourceSearch(
        lambda t: signed(evaluator.at(t)),
        lambda t_s, t_e: packed_travel(query.motion_a, around, t_s, t_e),
        query.tolerance,
    )
    return search.evaluations_of(0.0, 1.0)


def by_bisection(pair: Pair, shapes: str) -> tuple[int, bool]:
    """Count with our bisection."""
    found = bisection_first_contact(pair.query(shapes), pair.evaluator(shapes))
    assert found is not None
    return found.evaluations, found.verdict is kc.Verdict.COLLIDING


def by_sampling(pair: Pair, shapes: str) -> tuple[int, bool]:
    """Count the samples until the first contact."""
    evaluator = pair.evaluator(shapes)
    for t in np.linspace(0.0, 1.0, N).tolist():
        if signed(evaluator.at(t)) <= 0.0:
            return evaluator.count, True
    return evaluator.count, False


def signed(sample: Evaluation) -> float:
    """Return the distance at an instant, minus the depth where bodies overlap; meshes have no depth."""
    if sample.answer._is_of_surfaces and sample.answer.colliding:
        return -np.inf
    return sample.upper if sample.upper < 0.0 else sample.lower


def bars(means: dict[str, dict[tuple[str, str], float]]) -> str:
    """Return the mean number of distances per pair as bars, a group for each program; sampling is beyond the plot."""
    style = 'font-family="sans-serif" font-size="12" fill="#777"'
    colours = {"source": ("#888", "#bbb"), "bisection": ("#2a6", "#8cb")}
    most = max(value for group in means.values() for (m, _), value in group.items() if m != "sampling")
    scale, parts = 200.0 / most, ['<path d="M50 20V240H620" fill="none" stroke="#777"/>']
    parts.append('<text x="60" y="24" font-weight="bold">distances per pair (mean of 27 pairs)</text>')
    for g, (risk, group) in enumerate(means.items()):
        x = 80.0 + 185.0 * g
        for k, (method, shapes) in enumerate((m, s) for m in METHODS[:2] for s in SHAPES):
            value, at = group[method, shapes], x + 36.0 * k
            height = scale * value
            colour = colours[method][SHAPES.index(shapes)]
            parts.append(
                f'<rect x="{at:.0f}" y="{240 - height:.1f}" width="30" height="{height:.1f}" fill="{colour}"/>'
            )
            parts.append(
                f'<text x="{at + 15:.0f}" y="{235 - height:.1f}" text-anchor="middle">{value:.1f}</text>'
            )
        samples = ", ".join(f"{group['sampling', shapes]:.0f}" for shapes in SHAPES)
        parts.append(f'<text x="{x + 69:.0f}" y="258" text-anchor="middle">{risk} risk</text>')
        parts.append(f'<text x="{x + 69:.0f}" y="274" text-anchor="middle">sampling: {samples}</text>')
    for k, (method, shapes) in enumerate((m, s) for m in METHODS[:2] for s in SHAPES):
        name = f"{'source' if method == 'source' else 'keepclear'}, {shapes}"
        colour = colours[method][SHAPES.index(shapes)]
        parts.append(f'<rect x="{60 + 140 * k}" y="292" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{77 + 140 * k}" y="302">{name}</text>')
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 315" {style}>\n{body}\n</svg>\n'


def main(options: Sequence[str] = ()) -> None:
    """Print the table of all programs and the pairs that took most; `--figure` replaces the documentation's figure."""
    heads = "".join(f"{f'{method}, {shapes}':>20}" for method in METHODS for shapes in SHAPES)
    print(f"\nDistances per pair of link and obstacle: mean (most); contact within path length / {N}")
    print(f"{'risk':<10}{heads}   pairs in contact, precise and spheres")
    means, most = {}, []
    for risk in PROGRAMS:
        counts = [count(pair) for pair in pairs_of(risk)]
        keys = [(method, shapes) for method in METHODS for shapes in SHAPES]
        means[risk] = {key: float(np.mean([c.distances[key] for c in counts])) for key in keys}
        greatest = {key: max(c.distances[key] for c in counts) for key in keys}
        cells = "".join(f"{f'{means[risk][key]:.1f} ({greatest[key]})':>20}" for key in keys)
        hits = ", ".join(str(sum(c.is_hit["bisection", shapes] for c in counts)) for shapes in SHAPES)
        print(f"{risk:<10}{cells}   {hits} of {len(counts)}", flush=True)
        most.append((risk, max(counts, key=lambda c: c.distances["source", "precise"])))
    print("\nThe pair with the most distances by the source's condition")
    for risk, one in most:
        cells = "".join(f"{one.distances[method, shapes]:>20}" for method in METHODS for shapes in SHAPES)
        print(f"{risk:<10}{cells}   {one.link} - {one.obstacle}")
    if "--figure" in options:
        FIGURE.write_text(bars(means))
        print(f"figure: {FIGURE.relative_to(FIGURE.parents[2])}")


if __name__ == "__main__":
    main(sys.argv[1:])
