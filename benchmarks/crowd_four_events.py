"""The source's crowd by its own four events, and by Hubbard's space-time bounds, beside `kc.Crowd`.

`python -m benchmarks crowd_four_events --part events` prints one part; `--quick` makes all of them small; `--figure`
writes the figure of events over n into the documentation.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.crowd_cases import INTERVAL, Setting, circulating, cpu, crowd_of, place
from benchmarks.crowd_peers import pushes
from benchmarks.crowd_references.four_events import FourEvents
from benchmarks.crowd_references.space_time import SpaceTime
from benchmarks.harness import duration

SECONDS, ROUNDS = 5.0, 2  # the source simulates 15 s
EDGES = 5.0 * 2.0 ** np.arange(4.0)  # of the finest cells that are tried [m]
TABLE_1 = {30: 163.3056, 100: 481.2860, 300: 948.5537, 1000: 2017.3687}  # the source's ratios
OURS = ("cells entered", "cells left", "bounds updated", "bounds touched", "walls touched")
THEIRS = ("entering", "leaving", "resetting", "colliding", "wall")
FIGURE = Path(__file__).parents[1] / "docs" / "theory" / "crowd-events.svg"
Build = Callable[[], Any]


def agreed(ours: Any, others: Any, within: float = 1e-6) -> int:
    """How many events from the first on are the same: pair, kind, and time within some seconds."""
    m = min(len(ours), len(others))
    a, b = ours[:m], others[:m]
    same = (a["i"] == b["i"]) & (a["j"] == b["j"]) & (a["kind"] == b["kind"])
    same &= np.abs(a["time"] - b["time"]) <= within
    return m if same.all() else int(np.argmin(same))


def timed(build: Build, seconds: float, rounds: int = ROUNDS) -> tuple[float, Any, Any]:
    """The least CPU time per simulated second without building [s], a crowd that has run, and its events."""
    best, crowd, events = np.inf, None, None
    for _ in range(rounds):
        crowd = build()
        first = crowd.advance(0.0)
        if isinstance(crowd, FourEvents):
            crowd.counted[:] = 0
        spent: list[Any] = []
        best = min(best, cpu(lambda: spent.append(crowd.advance(seconds))))
        events = np.concatenate([first, spent[0]])
    return float(best) / seconds, crowd, events


def best_edge(build: Build, seconds: float) -> float:
    """The edge of the finest cells with which the four events are handled fastest [m]."""
    return float(min(EDGES, key=lambda edge: timed(lambda: FourEvents(build(), edge), seconds, 2)[0]))


def measured(build: Build, seconds: float) -> dict[str, Any]:
    """Time, counts and agreement of the crowd and of the four events on the same setting."""
    edge = best_edge(build, min(seconds, 0.3))
    ours, crowd, events = timed(build, seconds)
    four, other, others = timed(lambda: FourEvents(build(), edge), seconds)
    return {
        "ours": ours,
        "four": four,
        "edge": edge,
        "counts": crowd.statistics,
        "four counts": other.statistics,
        "agreed": agreed(events, others),
        "contacts": (len(events), len(others)),
    }


def print_counts(title: str, found: dict[str, Any], seconds: float) -> None:
    """Two lines, ours and the four events: time and counts per simulated second."""
    rows = (
        ("kc.Crowd", found["ours"], [found["counts"][kind] for kind in OURS], found["counts"]),
        ("four events", found["four"], [found["four counts"][kind] for kind in THEIRS], found["four counts"]),
    )
    for name, spent, counts, all_counts in rows:
        listed = "".join(f"{count / seconds:>10.0f}" for count in counts)
        more = "".join(f"{all_counts[kind] / seconds:>11.0f}" for kind in ("probes", "roots"))
        print(f"{title:<14}{name:<13}{duration(spent):>10}{listed}{more}")
        title = ""
    print(
        f"{'':<14}cells of {found['edge']:g} m; the first {found['agreed']} of "
        f"{' and '.join(map(str, found['contacts']))} contacts are the same; {found['four'] / found['ours']:.2f}x"
    )


HEAD = (
    f"{'':<27}{'per second':>10}{'entering':>10}{'leaving':>10}{'resetting':>10}{'colliding':>10}{'wall':>10}"
)


def print_events(quick: bool, figure: bool = False) -> None:
    """The source's experiment (its Figures 5 and 6): time and events by kind, per simulated second."""
    sizes, seconds = ((500, 1000), 1.0) if quick else (range(500, 3501, 500), SECONDS)
    print(f"\nThe source's experiment, {seconds:g} s; of kc.Crowd: {', '.join(OURS)}")
    print(HEAD + f"{'probes':>11}{'roots':>11}")
    rows = []
    for n in sizes:
        found = measured(partial(crowd_of, place(n)), seconds)
        print_counts(f"n = {n}", found, seconds)
        rows.append((n, found))
    counts = [found["four counts"] for _, found in rows]
    holds = all(max(c["entering"], c["leaving"], c["resetting"]) <= c["colliding"] for c in counts)
    total = all(c["entering"] + c["leaving"] + c["resetting"] <= c["colliding"] + c["wall"] for c in counts)
    print(
        f"Entering, leaving and resetting are each rarer than colliding: {'yes' if holds else 'no'}; ", end=""
    )
    print(f"all three together rarer than colliding, walls included: {'yes' if total else 'no'}")
    if figure:
        write_figure(rows, seconds)


def write_figure(rows: Sequence[tuple[int, dict[str, Any]]], seconds: float) -> None:
    """Draw events over n, those of the four events and what `kc.Crowd` counts."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from keepclear.report.pages.crowd_figures import COLOURS, MARKERS, STYLE

    n = [size for size, _ in rows]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.6, 4.0), layout="constrained")
        axes = figure.subplots(1, 2)
        for plot, names, key, title in (
            (axes[0], THEIRS, "four counts", "the source's four events"),
            (axes[1], OURS, "counts", "kc.Crowd"),
        ):
            for name, like in zip(names, OURS, strict=True):
                rates = [found[key][name] / seconds for _, found in rows]
                plot.plot(n, rates, marker=MARKERS[like], color=COLOURS[like], label=name, linewidth=1.6)
            plot.set(title=title, xlabel="number of spheres", ylabel="per simulated second", xlim=0, ylim=0)
            plot.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
            plot.legend(frameon=False)
        figure.savefig(FIGURE, metadata={"Date": None})
    print(f"written: {FIGURE.relative_to(FIGURE.parents[2])}")


def print_edges(quick: bool) -> None:
    """Time and events of the source's method with cells of other sizes, which decide how many faces are crossed."""
    n, seconds = (300, 0.5) if quick else (1000, 5.0)
    print(f"\nThe four events with other cells, n = {n}, {seconds:g} s")
    print(f"{'finest':<10}{'per second':>12}" + "".join(f"{kind:>11}" for kind in (*THEIRS, "roots")))
    for edge in EDGES[0] * 2.0 ** np.arange(-3.0, len(EDGES) + 1):
        spent, crowd, _ = timed(partial(by_four_events, partial(crowd_of, place(n)), edge), seconds)
        counts = "".join(f"{crowd.statistics[kind] / seconds:>11.0f}" for kind in (*THEIRS, "roots"))
        print(f"{f'{edge:g} m':<10}{duration(spent):>12}{counts}")


def print_circulation(quick: bool) -> None:
    """The source's circulating particles (its Figures 7 and 8)."""
    seconds = 1.0 if quick else 7.0
    print(f"\n1000 circulating particles, {seconds:g} s\n{HEAD}{'probes':>11}{'roots':>11}")
    build = partial(crowd_of, circulating(), motion=kc.VelocityField())
    print_counts("n = 1000", measured(build, seconds), seconds)


def known_paths(setting: Setting, seconds: float) -> Any:
    """The paths of spheres that random forces push and that pass, as a probe compiled with Numba."""
    from numba import njit

    count = int(seconds / INTERVAL) + 2
    x, v = np.empty((count, setting.n, 3)), np.empty((count, setting.n, 3))
    a = np.array([pushes(setting, k) for k in range(count)])
    x[0], v[0] = setting.x, setting.v
    for k in range(count - 1):
        x[k + 1] = x[k] + (v[k] + 0.5 * INTERVAL * a[k]) * INTERVAL
        v[k + 1] = v[k] + a[k] * INTERVAL

    @njit
    def probe(ids, t):  # type: ignore[no-untyped-def]
        k = int(t / INTERVAL)
        s = t - k * INTERVAL
        xs, vs = np.empty((len(ids), 3)), np.empty((len(ids), 3))
        for m in range(len(ids)):
            for c in range(3):
                acceleration = a[k, ids[m], c]
                xs[m, c] = x[k, ids[m], c] + (v[k, ids[m], c] + 0.5 * acceleration * s) * s
                vs[m, c] = v[k, ids[m], c] + acceleration * s
        return xs, vs

    return probe


def print_probes(quick: bool) -> None:
    """The same paths asked of a built-in motion and of a compiled probe; only the first is asked of neighbours too."""
    seconds = 0.5 if quick else 3.0
    print(f"\nSpheres that pass, no walls, {seconds:g} s: built-in motion and the caller's compiled probe")
    print(f"{'':<12}{'':<13}{'motion':<11}{'per second':>12}{'probes':>11}{'roots':>11}{'same contacts':>18}")
    for n in (500,) if quick else (1000,):
        setting = place(n)
        told: dict[str, Any] = {
            "built-in": kc.RandomForces(seed=setting.seed, interval=INTERVAL),
            "compiled": known_paths(setting, seconds),
        }
        reference, title = None, f"n = {n}"
        for name, motion in told.items():
            build = partial(passing, setting, motion)
            edge = best_edge(build, min(seconds, 0.3))
            for kind, made in (("kc.Crowd", build), ("four events", partial(by_four_events, build, edge))):
                spent, crowd, events = timed(made, seconds)
                reference = events if reference is None else reference
                counts = crowd.statistics
                work = "".join(f"{counts[key] / seconds:>11.0f}" for key in ("probes", "roots"))
                same = f"{agreed(reference, events)} of {len(events)}"
                print(f"{title:<12}{kind:<13}{name:<11}{duration(spent):>12}{work}{same:>18}")
                title = ""


def passing(setting: Setting, motion: Any) -> Any:
    """A crowd without walls whose spheres pass through each other."""
    arrays = setting.x, setting.v, setting.radii, setting.accelerations
    return kc.Crowd(*arrays, motion=motion, response="report")


def by_four_events(build: Build, edge: float) -> FourEvents:
    """A crowd, run by the four events."""
    return FourEvents(build(), edge)


def print_space_time(quick: bool, runs: int = 50) -> None:
    """The source's Table 1: the mean time of a simulated second by its algorithm and by Hubbard's broad phase."""
    runs, longest = (2, 0.2) if quick else (runs, 1.0)
    print(f"\nThe source's Table 1, means over {runs} crowds: CPU time of a simulated second")
    print(
        f"{'':<10}{'kc.Crowd':>11}{'four events':>13}{'space-time':>12}{'listed anew':>13}{'ratio':>9}{'anew':>9}"
        f"{'to kc.Crowd':>13}{'built':>9}{'source':>12}  agree"
    )
    for n, source in list(TABLE_1.items())[: 2 if quick else None]:
        seconds = min(longest, 300.0 / n)
        edge = best_edge(partial(crowd_of, place(n)), seconds)
        spent, built, agree = np.zeros(4), 0, 0
        for seed in range(1, runs + 1):
            build = partial(crowd_of, place(n, seed=seed))
            contestants: tuple[Build, ...] = (
                build,
                partial(by_four_events, build, edge),
                lambda build=build: SpaceTime(build()),
                lambda build=build: SpaceTime(build(), is_anew=True),
            )
            results = [timed(made, seconds, 1) for made in contestants]
            spent += [result[0] for result in results]
            built += results[2][1].statistics["built"]
            agree += all(
                len(result[2]) == len(results[0][2]) == agreed(results[0][2], result[2]) for result in results
            )
        spent /= runs
        times = "".join(
            f"{duration(value):>{width}}" for value, width in zip(spent, (11, 13, 12, 13), strict=True)
        )
        ratios = "".join(
            f"{f'1:{spent[k] / spent[m]:.1f}':>{width}}" for k, m, width in ((2, 1, 9), (3, 1, 9), (2, 0, 13))
        )
        print(
            f"n = {n:<6}{times}{ratios}{built / runs / seconds:>9.0f}{f'1:{source:.0f}':>12}  {agree} of {runs}"
        )


def print_agreement(quick: bool) -> None:
    """Contacts of the references and of `kc.Crowd` on many small crowds."""
    from tests.oracles.crowd_references_campaign import differences

    runs = 50 if quick else 1000
    found = [differences(seed) for seed in range(runs)]
    wrong, compared = [line for lines, _ in found for line in lines], sum(count for _, count in found)
    print(
        f"\n{runs} seeds, elastic and passing, both references: {compared} events compared, {len(wrong)} runs differ"
    )
    print("\n".join(wrong[:10]))


PARTS: dict[str, Callable[[bool], None]] = {
    "events": print_events,
    "edges": print_edges,
    "circulation": print_circulation,
    "probes": print_probes,
    "space-time": print_space_time,
    "agreement": print_agreement,
}


def main(options: Sequence[str] = ()) -> None:
    """Print all tables, or those of the parts that are named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks crowd_four_events")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be repeated")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    parser.add_argument("--runs", type=int, default=50, help="crowds that the part space-time averages over")
    parser.add_argument("--figure", action="store_true", help="write the figure of the part events")
    given = parser.parse_args(options)
    for made in (lambda crowd: crowd, lambda crowd: FourEvents(crowd, 20.0), SpaceTime):
        made(crowd_of(place(30))).advance(0.1)  # compiled before anything is timed
    for name in given.part or PARTS:
        if name == "events":
            print_events(given.quick, given.figure)
        elif name == "space-time":
            print_space_time(given.quick, given.runs)
        else:
            PARTS[name](given.quick)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
