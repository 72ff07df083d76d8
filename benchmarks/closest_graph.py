"""The source's directed graph beside our walk over neighbours: answers, work EF (equation 13, figure 74), and times."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.convex_distance import ball_points
from benchmarks.harness import best_times, duration
from benchmarks.operations import Case, count_in, counted, counting, counts
from benchmarks.references.graph import DISTANCE, INNER_PRODUCTS, INSIDE, ITERATIONS, Search
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk, simplex, support

Key = tuple[Any, ...]
SIZES, LARGE = (8, 32, 128, 512, 2048), (16_384, 100_000)
MOST_SCANNED = 2048  # vertices: beyond, a scan costs in proportion
WAYS = {
    "scan": {"scans": True},
    "directed graph": {},
    "triangulated graph": {"triangulated": True},
}
TIMES = {"multiply": 3.8, "add": 2.1, "divide": 6.7, "compare": 1.7}
"""Times of operations on the source's computer, a Harris 800 [us]."""
STATES = {"free": 3.0, "in contact": 2.0, "interfering": 1.0}  # distance of the centres of balls of radius 1


def ball(n: int, seed: int) -> np.ndarray:
    """Return n random points on the unit sphere: all faces are triangles."""
    return ball_points(n, seed)


def drum(n: int, _: int) -> np.ndarray:
    """Return a prism between two regular polygons of n / 2 corners."""
    t = np.linspace(0.0, 2.0 * np.pi, n // 2, endpoint=False)
    return np.concatenate([np.stack([np.cos(t), np.sin(t), np.full_like(t, z)], axis=1) for z in (-0.5, 0.5)])


def cone(n: int, _: int) -> np.ndarray:
    """Return a pyramid over a regular polygon of n - 1 corners: one vertex has all others as neighbours."""
    t = np.linspace(0.0, 2.0 * np.pi, n - 1, endpoint=False)
    return np.concatenate([np.stack([np.cos(t), np.sin(t), 0 * t - 0.5], axis=1), [[0.0, 0.0, 1.0]]])


FAMILIES = {"ball": ball, "drum": drum, "cone": cone}


def hulls(family: str, n: int) -> tuple[kc.Convex, kc.Convex]:
    """Return two hulls of a family."""
    make = FAMILIES[family]
    return kc.Convex(make(n, 1)), kc.Convex(make(n, 2))


def jumps(count: int, far: float, seed: int = 0) -> np.ndarray:
    """Return poses in all directions at a distance, with any rotation."""
    X = np.tile(np.eye(4), (count, 1, 1))
    X[:, :3, :3] = Rotation.random(count, random_state=seed).as_matrix()
    X[:, :3, 3] = far * ball_points(count, seed + 1)
    return X


def steps(count: int, n: int, far: float = 2.5) -> np.ndarray:
    """Return a smooth motion whose steps are a tenth of the spacing of n vertices."""
    t = np.arange(count) * 0.1 / np.sqrt(n)
    X = np.tile(np.eye(4), (count, 1, 1))
    X[:, :3, :3] = Rotation.from_rotvec(np.stack([0 * t, 0.3 * t, t], axis=1)).as_matrix()
    X[:, :3, 3] = np.stack([far * np.cos(t), far * np.sin(t), 0 * t + 0.1], axis=1)
    return X


def agreement(count: int = 250, sizes: tuple[int, ...] = SIZES[:4]) -> str:
    """Compare all answers with those of `kc.distance`; return how many, and the greatest difference."""
    asked, unfinished, worst = 0, 0, 0.0
    for family in FAMILIES:
        for n in sizes:
            a, b = hulls(family, n)
            for X in (*(jumps(count, far, n) for far in STATES.values()), steps(count, n)):
                truth = kc.distance(a, np.eye(4), b, X).distance
                for options in WAYS.values():
                    for tracked in (False, True):
                        found = Search(a, b, **options).distances(X, tracked=tracked)
                        ended = found[:, ITERATIONS] < gjk.BUDGET
                        # A contact to rounding may be called either way.
                        wrong = (found[:, INSIDE] > 0.0) & (truth > 1e-9)
                        error = np.abs(found[:, DISTANCE] - np.maximum(truth, 0.0))[ended]
                        if wrong[ended].any() or error.max(initial=0.0) > 1e-9:
                            raise AssertionError(
                                f"{family} of {n}, {options}, tracked={tracked}: {error.max()}"
                            )
                        asked, unfinished = asked + len(X), unfinished + int((~ended).sum())
                        worst = max(worst, float(error.max(initial=0.0)))
    return (
        f"{asked} answers equal to kc.distance, {worst:.1g} m apart at most; {unfinished} more ended without one after "
        f"{gjk.BUDGET} iterations (large moves from the last closest point, around an apex or a large polygon)"
    )


def work_of(case: Case) -> float:
    """Return the mean work EF of a query, equation (13), where kernels are plain Python.

    Operations of poses are not counted, since the source gives its vertices in one frame.
    """
    from benchmarks.references import graph

    count_in(gjk, simplex, graph, support)
    X, tracked, memory = case["X"], bool(case["tracked"]), counting(np.zeros(gjk.MEMORY))
    memory[:4] = counting(np.array([0.0, -1.0, -1.0, 0.0]))
    counts.update(dict.fromkeys(counts, 0))
    if "a2" in case:
        state = np.zeros(graph.STATE, np.int64)
        state[graph.ALWAYS_SCANS] = case["scans"]
        a, b = ((counting(case[f"{x}0"]), case[f"{x}1"], case[f"{x}2"]) for x in "ab")
        graph.distance_on_graphs(*a, *b, X, np.zeros((len(X), graph.ROW)), state, memory, tracked)
    else:
        a, b = ((counting(case[f"{x}0"]), case[f"{x}1"]) for x in "ab")
        gjk.distance_many(*a, *b, np.eye(4)[None], X, np.zeros(len(X) * gjk.ROW), memory, tracked)
    spent = sum(TIMES[kind] * n for kind, n in counts.items())
    return spent / (TIMES["multiply"] + TIMES["add"]) / len(X)


def _works(cases: dict[Key, Case]) -> dict[Key, float]:
    return dict(zip(cases, counted("benchmarks.closest_graph:work_of", list(cases.values())), strict=True))


def _case(a: kc.Convex, b: kc.Convex, way: str, X: np.ndarray, tracked: bool) -> Case:
    if way == "our walk":
        arrays = {
            f"{name}{k}": part for name, hull in (("a", a), ("b", b)) for k, part in enumerate(packed(hull))
        }
    else:
        search = Search(a, b, **WAYS[way])
        arrays = {
            f"{name}{k}": part
            for name, graph in zip("ab", search.graphs, strict=True)
            for k, part in enumerate(graph)
        }
    flags = {"tracked": np.array(tracked), "scans": np.array(way == "scan")}
    return {**arrays, **flags, "X": X}


def work(sizes: tuple[int, ...]) -> None:
    """Print EF for all ways, cold and tracked, and EF / M where vertices are scanned."""
    cases: dict[Key, Case] = {}
    for family in FAMILIES:
        for n in sizes if family == "ball" else [n for n in sizes if n <= MOST_SCANNED]:
            a, b = hulls(family, n)
            few = max(2, min(20, 20_000 // n))
            for way in (*WAYS, "our walk"):
                if way != "scan" or n <= MOST_SCANNED:
                    cases[family, n, way, "cold"] = _case(a, b, way, jumps(few, 3.0), False)
                    cases[family, n, way, "tracked"] = _case(a, b, way, steps(few + 1, n), True)
    found = _works(cases)
    ways = (*WAYS, "our walk")
    print(
        "\nEF of a query (equation 13), cold: from nothing; tracked: the mean of a motion, its first query included"
    )
    print(f"{'':<14}" + "".join(f"{way:>28}" for way in ways))
    for family, n in dict.fromkeys(key[:2] for key in found):
        texts = []
        for way in ways:
            values = [found.get((family, n, way, mode)) for mode in ("cold", "tracked")]
            texts.append("-" if values[0] is None else " / ".join(f"{value:,.0f}" for value in values))
        print(f"{family:<5}{n:>8} " + "".join(f"{text:>28}" for text in texts))


def figure_74() -> None:
    """Print EF / M of the source's own search, for its three states; the source found 14 to 19."""
    cases: dict[Key, Case] = {}
    for name, far in STATES.items():
        for n in SIZES[:4]:
            a, b = hulls("ball", n)
            cases[name, n] = _case(a, b, "scan", jumps(20, far, 7), False)
    found = _works(cases)
    print("\nEF / M of Gilbert's search with scans (figure 74; M: vertices of both; the source: 14 to 19)")
    print(f"{'':<14}" + "".join(f"{f'M = {2 * n}':>12}" for n in SIZES[:4]))
    for name in STATES:
        print(f"{name:<14}" + "".join(f"{found[name, n] / (2 * n):>12.1f}" for n in SIZES[:4]))


def times(sizes: tuple[int, ...]) -> None:
    """Print the time of a query, and inner products, cold and tracked."""
    print("\ntime of a query and inner products in it, cold / tracked (balls)")
    for n in sizes:
        a, b = hulls("ball", n)
        eye, count = np.eye(4), 50 if n > MOST_SCANNED else 500
        cold, tracked = jumps(count, 3.0), steps(count, n)
        tracker = kc.Tracker(a, b)
        jobs = [lambda: kc.distance(a, eye, b, cold), lambda: tracker.distance(eye, tracked)]
        searches = [
            Search(a, b, **options) for way, options in WAYS.items() if way != "scan" or n <= MOST_SCANNED
        ]
        names = [way for way in WAYS if way != "scan" or n <= MOST_SCANNED]
        products = []
        for search in searches:
            one = []
            for X, mode in ((cold, False), (tracked, True)):
                search.state[INNER_PRODUCTS] = 0
                search.distances(X, tracked=mode)
                one.append(search.state[INNER_PRODUCTS] / len(X))
            products.append(one)
            jobs += [
                lambda s=search: s.distances(cold, tracked=False),
                lambda s=search: s.distances(tracked, tracked=True),
            ]
        spent = best_times(jobs, count)
        text = f"our walk {duration(spent[0])} / {duration(spent[1])}"
        for k, name in enumerate(names):
            cost = f"{duration(spent[2 * k + 2])} / {duration(spent[2 * k + 3])}"
            text += f", {name} {cost} ({products[k][0]:.0f} / {products[k][1]:.0f})"
        print(f"{n:>8} vertices: {text}")


def main(arguments: list[str] | None = None) -> None:
    """Print agreement, EF and times; with --small, for few vertices."""
    small = "--small" in (sys.argv[1:] if arguments is None else arguments)
    print(agreement(20 if small else 250))
    figure_74()
    sizes = SIZES[:2] if small else (*SIZES, *LARGE)
    work(sizes)
    times(sizes)


if __name__ == "__main__":
    main()
