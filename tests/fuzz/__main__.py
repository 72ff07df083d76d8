"""The command: `python -m tests.fuzz --files 200000 --seed 1`; again with the same --state it goes on."""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[_name] = "1"  # processes are forked: no threads before that
os.environ["KEEPCLEAR_QUIET"] = "1"

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

from tests.fuzz.campaign import Campaign, Plan, warm_up  # noqa: E402
from tests.fuzz.readers import READERS  # noqa: E402
from tests.fuzz.replay import replay  # noqa: E402
from tests.fuzz.state import State  # noqa: E402

FOUND = Path(__file__).parent / "found"


def main() -> int:
    """Run a campaign, or replay files; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument(
        "--files", type=int, default=20_000, help="files of all readers, those of earlier runs included"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--reader", action="append", choices=sorted(READERS), help="only this one; may be repeated"
    )
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after so many minutes")
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    parser.add_argument("--state", type=Path, default=Path("build/fuzz"), help="the folder of the campaign")
    parser.add_argument("--found", type=Path, default=FOUND, help="where findings are saved")
    parser.add_argument(
        "--replay", type=Path, nargs="+", metavar="FILE", help="read these findings again, and nothing else"
    )
    parser.add_argument(
        "--no-bombs", action="store_true", help="leave out the crafted files, which take about a minute"
    )
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay)
    names = options.reader or list(READERS)
    begin = time.monotonic()
    warm_up([READERS[name] for name in names])
    state = State(options.state / str(options.seed), names)
    before = sum(one.tally.files for one in state.readers.values())
    deadline = begin + 60.0 * options.minutes
    plan = Plan(options.files, options.seed, deadline, options.workers, options.found, not options.no_bombs)
    Campaign(state, plan).run()
    seconds = time.monotonic() - begin
    done = sum(one.tally.files for one in state.readers.values()) - before
    print(state.summary())
    print(f"{done} files in {seconds:.0f} s, {60.0 * done / seconds:.0f} files a minute, seed {options.seed}")
    return 1 if state.findings else 0


if __name__ == "__main__":
    sys.exit(main())
