"""Contacts of `kc.Crowd` against compiled references of other algorithms, on seeded crowds.

`python -m tests.oracles.crowd_references_campaign --runs 5000` prints what differs.
"""

import click
import numpy as np
from benchmarks.crowd_references.four_events import FourEvents
from benchmarks.crowd_references.space_time import SpaceTime

import keepclear as kc

Array = np.ndarray
WITHIN = 1e-8  # [s]
# Impacts multiply differences in the last digits about tenfold. Of an elastic crowd those contacts are compared that
# two runs of `kc.Crowd` itself, with other boxes and so other digits, have in common to this time [s].
STEADY = 1e-11


def seeded(seed: int, response: str, growth: float | None = None) -> kc.Crowd:
    """Return a crowd of 2 to 30 members that differ in number, sizes, speeds, limits, motion and dimensions."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 31)), 2 if seed % 4 == 3 else 3
    smallest = 10.0 ** rng.uniform(-2.0, 0.0)
    radii = rng.uniform(smallest, 1.0, n)
    edge = float((rng.uniform(4.0, 40.0) * np.sum((2.0 * radii) ** d)) ** (1.0 / d)) + 2.0
    x = kc.place_spheres(radii, (np.zeros(d), np.full(d, edge)), seed=seed)
    v = rng.normal(size=(n, d)) * rng.uniform(0.0, 10.0)
    limits = rng.uniform(0.0, 8.0, n) * (rng.random() < 0.8)
    if response == "report":
        x, v = x - 0.3 * (x - 0.5 * edge), v - 0.3 * (x - 0.5 * edge)  # some overlap already, and they gather
    motion: kc.RandomForces | kc.VelocityField = kc.RandomForces(seed=seed, interval=0.25)
    if seed % 5 == 0 and response == "elastic":
        motion, limits = kc.VelocityField(), np.full(n, 8.0)
    bounds = (np.zeros(d), np.full(d, edge)) if response == "elastic" else None
    return kc.Crowd(x, v, radii, limits, bounds=bounds, motion=motion, response=response, growth=growth)


def in_order(events: Array) -> Array:
    """Return events by time, those of one instant by their members."""
    return events[np.lexsort((events["kind"], events["j"], events["i"], events["time"].round(9)))]


def common(a: Array, b: Array, within: float) -> int:
    """Return how many events from the first on are the same, in pair, kind and time."""
    m = min(len(a), len(b))
    same = np.abs(a["time"][:m] - b["time"][:m]) <= within
    for name in ("i", "j", "kind"):
        same &= a[name][:m] == b[name][:m]
    return m if same.all() else int(np.argmin(same))


def differences(seed: int, until: float = 2.0, *, space_time: bool = True) -> tuple[list[str], int]:
    """Return a line for each reference that does not find the contacts of `kc.Crowd`, and how many were compared."""
    wrong, compared = [], 0
    edge = 10.0 ** np.random.default_rng(seed).uniform(-1.0, 1.0)
    for response in ("elastic", "report"):
        crowd = seeded(seed, response)
        ours = in_order(crowd.advance(until))
        references: dict[str, FourEvents | SpaceTime] = {
            "four events": FourEvents(seeded(seed, response), edge)
        }
        steady = len(ours)
        if response == "elastic" and space_time:
            references["space-time"] = SpaceTime(seeded(seed, response))
        if response == "elastic":
            steady = common(ours, in_order(seeded(seed, response, 0.7 * crowd.growth).advance(until)), STEADY)
        for name, reference in references.items():
            others = in_order(reference.advance(until))
            found = common(ours[:steady], others, WITHIN)
            compared += found
            if found < steady or (response == "report" and len(others) != len(ours)):
                wrong.append(
                    f"seed {seed}, {response}, {name}: {found} of {steady} events, {len(others)} in all"
                )
    return wrong, compared


@click.command()
@click.option("--runs", default=1000, help="How many seeds.")
@click.option("--first", default=0, help="The first seed.")
def main(runs: int, first: int) -> None:
    """Compare contacts on many seeded crowds; exit with 1 if any differ."""
    found = [differences(seed) for seed in range(first, first + runs)]
    wrong = [line for lines, _ in found for line in lines]
    compared = sum(count for _, count in found)
    click.echo("\n".join([f"{runs} seeds, {compared} events compared, {len(wrong)} runs differ", *wrong]))
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
