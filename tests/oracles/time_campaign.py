"""Thousands of planted contacts on wild grids of time: `python -m tests.oracles.time_campaign --cases 20000`."""

from __future__ import annotations

import multiprocessing
import time
import traceback
from collections import Counter
from multiprocessing.connection import Connection

import click
from tests.oracles.time_chaos import make_case
from tests.oracles.time_world_checks import FUNCTIONS

Fault = tuple[str, str]
PATIENCE, WALL = 5.0, 6.0  # processor time for one function and one case [s], and how often that on the wall
MISSES = ("miss", "early", "lower", "upper", "bounds", "witness", "bracket", "pose", "loose")
COLUMNS = (*MISSES, "alarm", "undecided", "error", "hang")


def answer(seed: int, name: str) -> list[Fault]:
    """The faults of one function about one case."""
    try:
        return list(FUNCTIONS[name](make_case(seed)))
    except Exception as error:
        if "finer than double precision can decide" in str(error):
            return []  # a cubic far out is made of larger terms than the generator thinks: no promise is broken
        where = traceback.extract_tb(error.__traceback__)[-1]
        return [("error", f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})")]


def work(pipe: Connection) -> None:
    """Answer questions as they come, with faults and the seconds that they took."""
    while True:
        seed, name = pipe.recv()
        make_case(seed)
        start = time.process_time()
        faults = answer(seed, name)
        pipe.send((faults, time.process_time() - start))


class Worker:
    """A process that answers, started again where it hangs or dies."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=work, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def ask(self, seed: int, name: str) -> list[Fault]:
        self.pipe.send((seed, name))
        try:
            if self.pipe.poll(WALL * PATIENCE):
                faults, seconds = self.pipe.recv()
                return faults + ([("hang", f"took {seconds:.1f} s")] if seconds > PATIENCE else [])
            faults = [("hang", f"no answer after {WALL * PATIENCE:.0f} s")]
        except EOFError:
            faults = [("error", "the process died")]
        self.process.kill()
        self.start()
        return faults


def planted(seed: int) -> str:
    """What is true about a case."""
    case = make_case(seed)
    t0, t1 = case.interval
    if case.truth.touches(t0, t1, case.margin):
        return "contact"
    return "clear" if case.truth.least(t0, t1)[0] > case.margin + case.tolerance else "either"


def table(rows: Counter[tuple[str, str]], names: list[str], title: str) -> str:
    """Counts of faults by kind; one row for each name."""
    shown = [c for c in COLUMNS if any(rows[name, c] for name in names)]
    lines = [f"{title:<26}{'asked':>8}{'faulty':>8}" + "".join(f"{c:>11}" for c in shown)]
    for name in names:
        counts = "".join(f"{rows[name, c]:>11}" for c in shown)
        lines.append(f"{name:<26}{rows[name, 'asked']:>8}{rows[name, 'faulty']:>8}{counts}")
    return "\n".join(lines)


@click.command()
@click.option("--cases", default=20000, help="How many cases.")
@click.option("--seed", default=100000, help="The first seed.")
@click.option("--seconds", default=1e9, help="Stop after so long.")
@click.option("--function", "only", multiple=True, type=click.Choice(list(FUNCTIONS)), help="Only these.")
@click.option("--show", default=40, help="How many faults to print in full.")
def main(cases: int, seed: int, seconds: float, only: tuple[str, ...], show: int) -> None:
    """Ask all functions about seeded cases, print faults, and close with a table."""
    for k in range(20):  # compiles, or loads what was compiled
        for name in FUNCTIONS:
            answer(k, name)
    start, worker, shown = time.monotonic(), Worker(), 0
    rows, truths = Counter[tuple[str, str]](), Counter[str]()
    for k in range(seed, seed + cases):
        if time.monotonic() - start > seconds:
            break
        case = make_case(k)
        truths[planted(k)] += 1
        for name in only or FUNCTIONS:
            faults = worker.ask(k, name)
            kinds = {kind for kind, _ in faults}
            for key in (name, f"{case.family} on {case.grid}"):
                rows.update(
                    {(key, "asked"): 1, (key, "faulty"): int(bool(faults)), **{(key, c): 1 for c in kinds}}
                )
            if faults and shown < show:
                shown += 1
                click.echo(f"{case}\n    {name}: {'; '.join(f'{kind}: {text}' for kind, text in faults[:3])}")
        if (k - seed + 1) % 500 == 0:
            click.echo(f"{k - seed + 1} cases, {time.monotonic() - start:.0f} s", err=True)
    worker.process.kill()
    click.echo(", ".join(f"{count} {name}" for name, count in sorted(truths.items())))
    click.echo(table(rows, list(only or FUNCTIONS), "function"))
    click.echo(table(rows, sorted({key for key, _ in rows} - set(FUNCTIONS)), "family"))
    raise SystemExit(any(rows[name, "faulty"] for name in FUNCTIONS))


if __name__ == "__main__":
    main()
