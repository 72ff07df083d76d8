"""Thousands of seeded crowds against the oracle: `python -m tests.oracles.crowd_campaign --runs 1000`."""

import multiprocessing
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection

import click
from tests.oracles.crowd_families import KINDS, Scene, random_scene
from tests.oracles.crowd_nasty import NASTY, nasty_scene
from tests.oracles.crowd_ways import WAYS

Job = tuple[str, str, int]  # kind, way, seed
PATIENCE = 60.0  # for one run [s]


def make_scene(kind: str, seed: int) -> Scene:
    return random_scene(kind, seed) if kind in KINDS else nasty_scene(kind, seed)


def work(pipe: Connection) -> None:
    """Do jobs as they come, and answer with faults and counts."""
    while True:
        kind, way, seed = pipe.recv()
        try:
            pipe.send(WAYS[way](make_scene(kind, seed), seed))
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            pipe.send(([f"RAISED {type(error).__name__}: {error} ({where.filename}:{where.lineno})"], 0))


class Worker:
    """A process that does jobs, started again where it hangs."""

    def __init__(self) -> None:
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=work, args=(other,), daemon=True)
        self.process.start()

    def run(self, job: Job) -> tuple[list[str], int] | None:
        """Faults and the number of contacts compared, or None if it hangs."""
        self.pipe.send(job)
        return self.pipe.recv() if self.pipe.poll(PATIENCE) else None


def jobs(first: int, runs: int, kinds: tuple[str, ...], ways: tuple[str, ...]) -> Iterator[Job]:
    for seed in range(first, first + runs):
        for kind in kinds or (*KINDS, *NASTY):
            if kind == "many" and seed % 5:
                continue
            for way in ways or WAYS:
                if way != "shapes" or kind == "plain":
                    yield kind, way, seed


@click.command()
@click.option("--runs", default=1000, help="Seeds of each kind.")
@click.option("--first", default=1000, help="The first seed.")
@click.option("--seconds", default=1e9, help="Stop after so long.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice([*KINDS, *NASTY]), help="Only these kinds.")
@click.option("--way", "ways", multiple=True, type=click.Choice(list(WAYS)), help="Only these ways.")
def main(runs: int, first: int, seconds: float, kinds: tuple[str, ...], ways: tuple[str, ...]) -> None:
    """Run crowds of all kinds in all ways, print every fault, and count."""
    start, counts, worker = time.monotonic(), Counter[str](), Worker()
    for job in jobs(first, runs, kinds, ways):
        if time.monotonic() - start > seconds:
            break
        found = worker.run(job)
        if found is None:
            worker.process.kill()
            worker = Worker()
        wrong, compared = found or (["HANG"], 0)
        way = job[1]
        counts.update({f"{way} runs": 1, f"{way} contacts": compared, f"{way} faults": len(wrong)})
        for text in wrong:
            click.echo(f"{job}: {text}")
        if sum(counts[f"{w} runs"] for w in WAYS) % 500 == 0:
            click.echo(f"seed {job[2]}: {dict(counts)}", err=True)
    worker.process.kill()
    for name, count in sorted(counts.items()):
        click.echo(f"{name:<20}{count}")
    raise SystemExit(any(count for name, count in counts.items() if name.endswith("faults")))


if __name__ == "__main__":
    main()
