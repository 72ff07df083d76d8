"""Counts what a question walks through: functions of the package, kernel calls from Python, files.

    python -m tools.walks               all questions, first and again
    python -m tools.walks verify page   some of them
    python -m tools.walks verify --names   the functions, in the order of their first call

A question is asked twice in one process; kernels are compiled before. Functions are distinct ones below src/keepclear,
kernels and bodies of modules and classes not counted; a kernel call is a call of an entry point from Python.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

import keepclear as kc
from keepclear.compiler.kernel import EntryPoint

ROOT = Path(__file__).parents[1]
PACKAGE = str(Path(kc.__file__).parent)
KERNELS = str(Path(PACKAGE, "kernels")), str(Path(PACKAGE, "compiler"))


@dataclass
class Walk:
    """What one call walked through."""

    functions: dict[CodeType, None] = field(default_factory=dict)
    kernel_calls: int = 0

    @property
    def names(self) -> list[str]:
        """`file:function`, in the order of their first call."""
        return [f"{code.co_filename[len(PACKAGE) + 1 :]}:{code.co_qualname}" for code in self.functions]

    @property
    def n_files(self) -> int:
        """Number of files that these functions are in."""
        return len({code.co_filename for code in self.functions})


@contextlib.contextmanager
def walk() -> Iterator[Walk]:
    """Record what is called in the main thread."""
    found = Walk()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        path = code.co_filename
        if (
            event == "call"
            and path.startswith(PACKAGE)
            and not path.startswith(KERNELS)
            and code.co_name[0] != "<"
        ):
            found.functions[code] = None

    def call(entry: EntryPoint, *arguments: Any) -> Any:
        found.kernel_calls += 1
        return plain(entry, *arguments)

    plain = EntryPoint.__call__
    EntryPoint.__call__ = call
    sys.setprofile(profile)
    try:
        yield found
    finally:
        sys.setprofile(None)
        EntryPoint.__call__ = plain


def box_and_ball() -> Callable[[], object]:
    """`World.verify` of a box at rest and a ball that moves."""
    world = kc.World()
    world.add("box", kc.Box([1, 1, 1]), _at(0, 0, 0))
    world.add("ball", kc.Sphere(0.2), kc.PoseTrajectory([0, 1], [_at(3, 0, 0), _at(2, 0, 0)], "screw"))
    return world.verify


def first_contact() -> Callable[[], object]:
    """`kc.first_contact` of the same."""
    motion = kc.PoseTrajectory([0, 1], [_at(3, 0, 0), _at(2, 0, 0)], "screw")
    box, ball, rest = kc.Box([1, 1, 1]), kc.Sphere(0.2), kc.Fixed(_at(0, 0, 0))
    return lambda: kc.first_contact(box, rest, ball, motion)


def distance() -> Callable[[], object]:
    """`kc.distance` of two boxes."""
    box, X_WA, X_WB = kc.Box([1, 1, 1]), _at(0, 0, 0), _at(3, 0, 0)
    return lambda: kc.distance(box, X_WA, box, X_WB)


def demo() -> Callable[[], object]:
    """`World.verify` of a program of the demo cell."""
    cell = kc.read_cell(ROOT / "src" / "keepclear" / "jobs" / "cell" / "demo" / "cell.yaml")
    world = cell.world(next(iter(cell.programs), None))
    return world.verify


def page() -> Callable[[], object]:
    """`keepclear verify demo/cell.yaml --html` as a command."""
    from keepclear.cli.main import main

    cell = ROOT / "src" / "keepclear" / "jobs" / "cell" / "demo" / "cell.yaml"
    folder = tempfile.mkdtemp(prefix="walks-")

    def run() -> None:
        silent = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
        with silent[0], silent[1], contextlib.suppress(SystemExit):
            main(["verify", str(cell), "--html", str(Path(folder, "page.html"))], standalone_mode=False)

    return run


QUESTIONS = {
    "distance": distance, "first_contact": first_contact, "verify": box_and_ball, "demo": demo, "page": page,
}  # fmt: skip


def _at(x: float, y: float, z: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.walks", description=__doc__)
    parser.add_argument("questions", nargs="*", help=f"of {', '.join(QUESTIONS)}")
    parser.add_argument("--names", action="store_true", help="print the functions of the first call")
    options = parser.parse_args()
    print(f"{'question':15}{'functions':>10}{'again':>7}{'files':>7}{'kernel calls':>14}{'again':>7}")
    for name in options.questions or QUESTIONS:
        QUESTIONS[name]()()  # compiles kernels
        question = QUESTIONS[name]()
        walks = []
        for _ in range(2):
            with walk() as found:
                question()
            walks.append(found)
        first, again = walks
        print(
            f"{name:15}{len(first.functions):10}{len(again.functions):7}{first.n_files:7}"
            f"{first.kernel_calls:14}{again.kernel_calls:7}"
        )
        if options.names:
            print("\n".join(f"  {line}" for line in first.names))


if __name__ == "__main__":
    main()
