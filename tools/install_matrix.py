"""`python -m tools.install_matrix` installs this checkout in new environments, each way an installer can.

Each row is an installer (pip 23.0, 23.2, the newest pip, uv), each column a way (`install .`, `wheel .`,
`install git+file`), always with an isolated build. A case passes if the wheel carries the machine code of every kernel
and the installed package computes a distance without compiling. What is compiled already is taken from the user's
cache folder; only what is committed counts for git+file. Packages come from where pip is told to find them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from keepclear.compiler.cache_folders import user_folder
from keepclear.compiler.warmup import count_entry_points, group_names

PROJECT = Path(__file__).parents[1]
INSTALLERS = ("pip==23.0", "pip==23.2", "pip", "uv")
CHECK = """
import sys
import numpy as np
import keepclear as kc
from keepclear.compiler import code_files, kernel

X = np.eye(4)
X[0, 3] = 3.0
assert abs(kc.distance(kc.Box([1, 1, 1]), np.eye(4), kc.Box([1, 1, 1]), X).distance - 2.0) < 1e-12
shipped = {path.name.partition("-")[0] for path in code_files.SHIPPED_FOLDER.glob("*.kcode")}
assert len(shipped) == int(sys.argv[1]), (len(shipped), code_files.why_none_are_shipped())
assert kernel.compiled == [], kernel.compiled
assert kc.__file__.startswith(sys.prefix), kc.__file__
"""


@dataclass(frozen=True)
class Case:
    """A new environment with one installer in it, and a folder for what it builds."""

    installer: str
    folder: Path
    environment: dict[str, str]

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")

    def run(self, *command: str) -> None:
        """Run a command in the environment; raises CalledProcessError with what it printed."""
        subprocess.run(
            command, cwd=self.folder, env=self.environment, check=True, capture_output=True, text=True
        )

    def install(self, *what: str) -> None:
        if self.installer == "uv":
            self.run(self.python, "-m", "uv", "pip", "install", "--python", self.python, "--no-cache", *what)
        else:
            self.run(self.python, "-m", "pip", "install", "--no-compile", *what)

    def build(self) -> Path:
        """Build a wheel from the checkout and return it; uv has no `pip wheel`, but builds."""
        if self.installer == "uv":
            self.run(
                self.python, "-m", "uv", "build", "--wheel", "--no-cache", "--out-dir", "dist", str(PROJECT)
            )
        else:
            self.run(self.python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", "dist", str(PROJECT))
        (wheel,) = (self.folder / "dist").glob("keepclear-*.whl")
        return wheel


WAYS: dict[str, Callable[[Case], None]] = {
    "install .": lambda case: case.install(str(PROJECT)),
    "wheel .": lambda case: case.install(str(case.build())),
    "install git+file": lambda case: case.install(f"git+{PROJECT.as_uri()}"),
}


def settings(folder: Path) -> dict[str, str]:
    """Return the environment of a case: what is compiled already for these versions of Numba, no other settings."""
    own = ("PYTHONPATH", "VIRTUAL_ENV", "KEEPCLEAR_QUIET")
    kept = {
        name: value for name, value in os.environ.items() if name not in own and not name.startswith("NUMBA_")
    }
    same = folder / "same_versions.txt"
    same.write_text("".join(f"{name}=={version(name)}\n" for name in ("numba", "llvmlite", "numpy")))
    constraints = ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT", "UV_CONSTRAINT", "UV_BUILD_CONSTRAINT")
    return kept | {
        "KEEPCLEAR_BUILD_CACHE": str(user_folder().absolute()),
        "KEEPCLEAR_CACHE_DIR": str(folder / "cache"),
        "TMPDIR": str(folder),
        **dict.fromkeys(constraints, str(same)),
    }


def try_case(installer: str, way: str, n_kernels: int) -> str:
    """Install the checkout in a new environment and use it; return what went wrong, or nothing."""
    with tempfile.TemporaryDirectory(prefix="keepclear-install-") as name:
        folder = Path(name).resolve()
        case = Case(installer, folder, settings(folder))
        try:
            case.run(sys.executable, "-m", "venv", str(folder))
            case.run(case.python, "-m", "pip", "install", "--upgrade", installer)
            WAYS[way](case)
            case.run(case.python, "-c", CHECK, str(n_kernels))
        except subprocess.CalledProcessError as error:
            return f"{' '.join(error.cmd[:6])} ...\n{error.stdout[-2000:]}{error.stderr[-4000:]}"
    return ""


def main() -> int:
    """Run the cases that are asked for, by default all; return how many failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--installer", action="append", choices=INSTALLERS, help="one row; may be repeated")
    parser.add_argument("--way", action="append", choices=list(WAYS), help="one column; may be repeated")
    asked = parser.parse_args()
    n_kernels = count_entry_points(group_names())
    failed = 0
    for installer in asked.installer or INSTALLERS:
        for way in asked.way or WAYS:
            start = time.perf_counter()
            complaint = try_case(installer, way, n_kernels)
            failed += bool(complaint)
            words = "FAILED" if complaint else "passed"
            print(f"{installer:<10} {way:<18} {words} {time.perf_counter() - start:6.1f} s", flush=True)
            if complaint:
                print(complaint, flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
