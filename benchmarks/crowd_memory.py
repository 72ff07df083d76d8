"""Memory of crowds: a large one in a separate process, and whether the memory grows in a long run."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.crowd_cases import INTERVAL, circulating, crowd_of, place, same_density

LARGE = 100_000
STATUS = Path("/proc/self/status")


def peak() -> float:
    """The greatest resident size of this process until now [bytes]; where there is no /proc, its parent's may count."""
    import resource

    if STATUS.exists():
        (line,) = (line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def measure(path: str, seconds: float) -> dict[str, float]:
    """Run a crowd whose members are in a file; peaks before and after, and the size of its tables."""
    with np.load(path) as file:
        x, v, radii, accelerations, edge = (
            file[name] for name in ("x", "v", "radii", "accelerations", "edge")
        )
    motion = kc.RandomForces(seed=1, interval=INTERVAL)
    small = kc.Crowd(x[:10], v[:10], radii[:10], accelerations[:10], motion=motion)
    small.advance(0.1)
    before = peak()
    box = np.zeros(3), np.full(3, float(edge))
    crowd = kc.Crowd(x, v, radii, accelerations, bounds=box, motion=motion)
    n_events = len(crowd.advance(seconds))
    return {"before": before, "after": peak(), "tables": crowd.nbytes, "events": n_events}


def print_memory(quick: bool) -> None:
    """Bytes of a large crowd, of a long run, and of members that come and go."""
    n, seconds = (10_000 if quick else LARGE), 0.5
    setting = place(n, same_density(n))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "members.npz")
        np.savez(
            path, x=setting.x, v=setting.v, radii=setting.radii,
            accelerations=setting.accelerations, edge=setting.edge,
        )  # fmt: skip
        command = [sys.executable, "-m", "benchmarks.crowd_memory", str(path), str(seconds)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    print(
        f"\nMemory of {n} spheres over {seconds:g} s, in a new process: tables {found['tables'] / n:.0f} bytes per "
        f"sphere, peak {found['after'] / 2**30:.2f} GB, of which {found['before'] / 2**30:.2f} GB before the crowd"
    )
    print_long_run(20.0 if quick else 600.0)
    print_churn(50 if quick else 1000)


def print_long_run(seconds: float) -> None:
    """The tables of 1000 circulating spheres while time goes on; random forces would make them ever faster."""
    crowd, sizes, n_events = crowd_of(circulating(), motion=kc.VelocityField()), [], 0
    for k in range(round(seconds)):
        n_events += len(crowd.advance(k + 1.0))
        if (k + 1) % round(seconds / 5.0) == 0:
            sizes.append(f"{crowd.nbytes / 2**20:.2f} MB at {crowd.time:g} s")
    print(f"A long run of 1000 circulating spheres, {n_events} events: {', '.join(sizes)}")


def print_churn(rounds: int) -> None:
    """The tables of 1000 spheres, twenty of which are replaced by others ten times a second."""
    setting, rng = place(1000), np.random.default_rng(4)
    crowd, sizes = crowd_of(setting, "report"), []
    for k in range(rounds):
        crowd.advance(0.1 * (k + 1))
        crowd.remove(rng.choice(crowd.ids, 20, replace=False))
        radii = rng.uniform(0.1, 10.0, 20)
        x = rng.uniform(radii[:, None], setting.edge - radii[:, None], (20, 3))
        crowd.add(x, rng.normal(size=(20, 3)) * 20.0, radii, 15.0)
        if (k + 1) % (rounds // 5) == 0:
            sizes.append(f"{crowd.nbytes / 2**20:.2f} MB after {20 * (k + 1)}")
    print(f"Members that come and go, {len(crowd)} at a time: {', '.join(sizes)} replaced")


def main() -> None:
    """Print the size of a crowd's tables per sphere, or measure one whose file is named on the command line."""
    if __name__ == "__main__" and len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], float(sys.argv[2]))))
        return
    crowd = crowd_of(place(1000))
    crowd.advance(1.0)
    print(f"\nTables of 1000 spheres after 1 s: {crowd.nbytes / 1000:.0f} bytes per sphere")


if __name__ == "__main__":
    main()
