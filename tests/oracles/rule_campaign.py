"""Thousands of seeded worlds of rules against the promises: `python -m tests.oracles.rule_campaign --worlds 2000`."""

import multiprocessing
import tempfile
import time
import traceback
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path as File

import click
from tests.oracles.rule_check import CONTACTS, Fault, Tally, check_spec
from tests.oracles.rule_commands import check_command
from tests.oracles.rule_worlds import random_spec

PATIENCE = 120.0  # for one world with all that is asked about it, the compilation of kernels included [s]
ROWS = ("worlds", "commands", "pairs", "contacts", "misses", "false alarms", "undecided", "times", "clearances",
        "listings", "warnings", "errors", "hangs")  # fmt: skip
ROW_OF = {"miss": "misses", "false alarm": "false alarms", "undecided": "undecided", "time": "times",
          "clearance": "clearances", "listing": "listings", "warning": "warnings", "error": "errors"}  # fmt: skip


def check_seed(seed: int, command: bool) -> Tally:
    """Everything about the world of a seed; each asks `verify` for contacts in another way."""
    spec = random_spec(seed)
    with tempfile.TemporaryDirectory() as folder:
        tally = check_spec(spec, File(folder), CONTACTS[seed % len(CONTACTS)])
        if command and spec.interval[0] < spec.interval[1]:  # cell files take no single instants
            tally.faults += check_command(spec, File(folder))
    return tally


def work(pipe: Connection) -> None:
    """Check seeds as they come."""
    while True:
        seed, command = pipe.recv()
        try:
            pipe.send(check_seed(seed, command))
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            words = f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"
            pipe.send(Tally([Fault("error", "world", "", words)]))


class Worker:
    """A process that checks worlds, started again where it hangs."""

    def __init__(self) -> None:
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("spawn").Process(target=work, args=(other,), daemon=True)
        self.process.start()

    def run(self, seed: int, command: bool) -> Tally | None:
        """What was found, or None if it hangs."""
        self.pipe.send((seed, command))
        return self.pipe.recv() if self.pipe.poll(PATIENCE) else None


@click.command()
@click.option("--worlds", default=2000, help="How many worlds.")
@click.option("--seed", default=100_000, help="The first seed; each world has the next one.")
@click.option("--commands", default=50, help="Every so many worlds also as a cell file, by command; 0: none.")
@click.option("--seconds", default=1e9, help="Stop after so long.")
def main(worlds: int, seed: int, commands: int, seconds: float) -> None:
    """Check worlds, print every fault, and count."""
    start, counts, worker = time.monotonic(), Counter[str](), Worker()
    for one in range(seed, seed + worlds):
        if time.monotonic() - start > seconds:
            break
        command = bool(commands) and one % commands == 0
        tally = worker.run(one, command)
        counts.update({"worlds": 1, "commands": int(command)})
        if tally is None:
            worker.process.kill()
            worker = Worker()
            counts["hangs"] += 1
            click.echo(f"seed {one}: HANG")
            continue
        counts.update({"pairs": tally.pairs, "contacts": tally.contacts})
        for fault in tally.faults:
            counts[ROW_OF[fault.kind]] += 1
            click.echo(f"seed {one}: {fault}")
        if counts["worlds"] % 200 == 0:
            click.echo(f"{counts['worlds']} worlds in {time.monotonic() - start:.0f} s", err=True)
    worker.process.kill()
    for row in ROWS:
        click.echo(f"{row:<14}{counts[row]:>8}")
    raise SystemExit(any(counts[row] for row in ROWS[4:]))


if __name__ == "__main__":
    main()
