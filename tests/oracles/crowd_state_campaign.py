"""Many damaged state files of crowds: `python -m tests.oracles.crowd_state_campaign --runs 20000`.

Files are restored and run in separate processes, so that a crash ends one of them, a hang is noticed, and memory is
measured. Failing files are kept in the folder that is named at the end.
"""

import argparse
import queue
import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tests.oracles.crowd_state_files import CROWDS, damaged, faults, write_valid

LONGEST = 5.0  # for one file [s]
START = 120.0  # for the first, until kernels are loaded or compiled [s]
END = "the process has ended"
MOST_MEMORY = 1 << 30  # of a process, beyond what it has after loading kernels [bytes]


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(" ".join(text.split("\n")) + "\n")
    sys.stdout.flush()


def work(files: Path, first: int, last: int, seed: int) -> None:
    """Damage, restore and run files in this process; a line for each is written, `number fault`."""
    valid = [files / f"{name}.npz" for name in CROWDS]
    for path in valid:
        found = faults(path.stem, path)
        assert found == [], found
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    say("ready")
    for number in range(first, last):
        rng = np.random.default_rng([seed, number])
        source = valid[number % len(valid)]
        target = files / f"damaged-{number}.npz"
        say(f"try {number} {source.stem}: {damaged(source, target, rng)}")
        try:
            found = faults(source.stem, target)
            wrong = found or []
        except Exception as error:  # whatever it is, it is no KeepclearError
            found = wrong = [f"{type(error).__name__}: {error}"]
        if (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base) * 1024 > MOST_MEMORY:
            wrong.append("too much memory")
        if not wrong:
            target.unlink()
        say(f"done {number} {'refused' if found is None else 'run'} {' | '.join(wrong)[:300]}")


def lines_of(process: subprocess.Popen[str]) -> Iterator[str | None]:
    """Give the lines of a process as they come; None where none comes in time."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line.rstrip("\n"))
        lines.put(END)

    threading.Thread(target=read, daemon=True).start()
    limit = START
    while True:
        try:
            line = lines.get(timeout=limit)
        except queue.Empty:
            yield None
            return
        if line == END:
            return
        limit = LONGEST
        yield line


def campaign(runs: int, seed: int, files: Path) -> tuple[list[str], int]:
    """Return what went wrong with so many files, and how many were refused."""
    write_valid(files)
    wrong, number, refused = [], 0, 0
    while number < runs:
        command = [sys.executable, "-m", __spec__.name if __spec__ else "tests.oracles.crowd_state_campaign"]
        command += ["--work", str(files), "--first", str(number), "--runs", str(runs), "--seed", str(seed)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
            last, started = "nothing", False
            for line in lines_of(process):
                if line is None:
                    wrong.append(f"hangs: {last}")
                    break
                started = started or line == "ready"
                if line.startswith("done"):
                    number = int(line.split()[1]) + 1
                    refused += line.split()[2] == "refused"
                    if line.split(" ", 3)[3]:
                        wrong.append(f"{last}: {line}")
                last = line if line.startswith("try") else last
            process.kill()
        if not started:
            raise SystemExit(f"the process for damaged files did not start ({process.returncode}): {wrong}")
        if number < runs and (not wrong or not wrong[-1].startswith("hangs")):
            wrong.append(f"crashes with {process.returncode}: {last}")
        if number < runs:
            number = max(number, int(last.split()[1]) if last.startswith("try") else number) + 1
    return wrong, refused


def main() -> None:
    """Run the campaign and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--work", type=Path)
    given = parser.parse_args()
    if given.work:
        work(given.work, given.first, given.runs, given.seed)
        return
    folder = Path(tempfile.mkdtemp(prefix="crowd-states-"))
    wrong, refused = campaign(given.runs, given.seed, folder)
    for text in wrong:
        say(text)
    say(f"{given.runs} damaged files, {refused} refused, {len(wrong)} faults; kept in {folder}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
