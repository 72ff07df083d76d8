"""Thousands of seeded crowds against the oracle: `python -m tests.oracles.crowd_campaign --runs 1000`."""

import time
from collections import Counter

import click
import numpy as np
from tests.oracles.crowd_comparison import overlap_faults
from tests.oracles.crowd_families import KINDS, Scene, apart, random_scene
from tests.oracles.crowd_library import library_crowd, plain, probe_of
from tests.oracles.crowd_restart import restart_faults
from tests.oracles.crowd_truth import overlaps

import keepclear as kc

TOLERANCE = 1e-12  # [m]


def report_faults(scene: Scene, way: str) -> tuple[list[str], int]:
    """What is wrong with overlaps, and how many there are: in the library's own motion, a probe's, or in pieces."""
    paths = scene.paths()
    truth = overlaps(paths, scene.radii)
    if way == "probe":
        x, v, r, a = scene.x, scene.v, scene.radii, scene.bounds
        crowd = kc.Crowd(
            x, v, r, a, gravity=scene.gravity, motion=probe_of(scene), response="report", tolerance=TOLERANCE
        )
    else:
        crowd = library_crowd(scene, "report", bounds=None, tolerance=TOLERANCE)
    stops = np.linspace(0.0, scene.t_end, 8)[1:] if way == "pieces" else [scene.t_end]
    events = [event for t in stops for event in plain(crowd.advance(t))]
    rounding = 1e-14 * float(np.abs(paths.floats[0]).max())
    wrong = overlap_faults(events, truth, paths, scene.radii, TOLERANCE + rounding)
    return [f"{scene.name}, {way}: {text}" for text in wrong], len(truth)


def elastic_faults(scene: Scene, seed: int) -> tuple[list[str], int]:
    """What is wrong with impacts, and how many were compared."""
    boxed = apart(scene, np.random.default_rng(seed))
    crowd = library_crowd(boxed, "elastic", tolerance=TOLERANCE)
    return restart_faults(boxed, crowd, TOLERANCE, most=30)


@click.command()
@click.option("--runs", default=1000, help="Seeds of each kind.")
@click.option("--first", default=1000, help="The first seed.")
@click.option("--seconds", default=1e9, help="Stop after so long.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only these kinds.")
def main(runs: int, first: int, seconds: float, kinds: tuple[str, ...]) -> None:
    """Run crowds of all kinds in all ways, print every fault, and count."""
    start, counts = time.monotonic(), Counter[str]()
    for seed in range(first, first + runs):
        for kind in kinds or KINDS:
            if time.monotonic() - start > seconds:
                break
            scene = random_scene(kind, seed)
            jobs = {way: lambda way=way, s=scene: report_faults(s, way) for way in ("own", "pieces", "probe")}
            jobs["elastic"] = lambda s=scene, k=seed: elastic_faults(s, k)
            for name, job in jobs.items():
                wrong, compared = job()
                counts.update({f"{name} runs": 1, f"{name} contacts": compared, f"{name} faults": len(wrong)})
                for text in wrong:
                    click.echo(text)
    for name, count in counts.items():
        click.echo(f"{name:<20}{count}")
    raise SystemExit(any(count for name, count in counts.items() if name.endswith("faults")))


if __name__ == "__main__":
    main()
