"""`keepclear pairs`: which links of a robot can touch each other at all, and what its SRDF file allows wrongly."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from keepclear.cli.exits import CONTACT, Finished
from keepclear.cli.options import number
from keepclear.cli.outputs import check_writable, checked_outputs, publish
from keepclear.cli.progress import progress_bar, quiet_kernels
from keepclear.errors import ArgumentError

if TYPE_CHECKING:
    from keepclear.robot.pairs.reach import PairReach, ProvedPairs

UNDECIDED = 3


@click.command()
@click.argument("urdf", type=click.Path())
@click.option(
    "--srdf", metavar="FILE", help="SRDF file whose allowed pairs are compared with what is proved."
)
@click.option("--package-dir", "package_dirs", multiple=True, metavar="FOLDER",
              help="Folder with the packages of package:// paths; may be given several times.")  # fmt: skip
@click.option("--limit", "limits", multiple=True, metavar="JOINT=LOWER:UPPER",
              help="Limits of a joint instead of those in the URDF file; may be given several times.")  # fmt: skip
@click.option("--tolerance", default="0.0001", metavar="METRES", callback=number(0.0, above=True),
              help="A pair whose minimum distance is below this may get either result; by default 0.0001.")  # fmt: skip
@click.option("--budget", metavar="N", callback=number(1, whole=True),
              help="Maximum number of boxes of joint values for each pair of shapes; by default 2 000 "
                   "000.")  # fmt: skip
@click.option("--write", metavar="FILE", help="Write an SRDF file that disables exactly what is proved.")
@click.option("--json", metavar="FILE", help="Write everything as JSON; - is the standard output.")
@click.option("--quiet", "-q", is_flag=True, help="Print errors only; see the exit code and the files.")
def pairs(
    urdf: str,
    srdf: str | None,
    package_dirs: tuple[str, ...],
    limits: tuple[str, ...],
    tolerance: float,
    budget: int | None,
    write: str | None,
    json: str | None,
    quiet: bool,
) -> None:
    """Prove which links of a robot can touch each other (self-collision).

    URDF is the file of the robot. Each pair of links with shapes is NEVER in contact, ALWAYS, or SOMETIMES, over all
    values of the joints within their limits. With --srdf, pairs that the file disables although they can collide are
    listed with a configuration; neighbours are not. --write keeps the groups and states of that file.

    Exit codes: 0 done, 1 the SRDF file disables a pair that can collide, 2 bad input, 3 a pair is undecided.
    """
    import keepclear as kc
    from keepclear.robot.pairs.prove import prove_pairs
    from keepclear.robot.pairs.reach import Reach

    read = [path for path in (urdf, srdf) if path is not None]
    outputs = checked_outputs({"json": json}, not_over=read)
    if write is not None:
        check_writable("--write", Path(write), [*read, *([json] if json is not None else [])])
    with progress_bar(quiet, "reading the robot") as bar, quiet_kernels(quiet):
        robot = kc.read_robot(urdf, srdf=srdf, package_dirs=package_dirs)

        def show(done: int, total: int, pair: PairReach) -> None:
            if bar is not None:
                bar(done, total, f"{pair.a} - {pair.b}")

        proved = prove_pairs(robot, dict(map(_limit, limits)), tolerance, budget, show)

    def allowed_pairs() -> list[str]:
        if write is None:
            return []
        proved.write_srdf(write, keep=srdf)
        return [write]

    publish(PairsResult(proved), outputs, _lines(proved, srdf), quiet=quiet, more=allowed_pairs)
    if srdf is not None and any(pair.gap == 0.0 for _, pair in proved.wrongly_allowed()):
        raise Finished(CONTACT)
    raise Finished(UNDECIDED if proved.of_kind(Reach.UNDECIDED) else 0)


class PairsResult:
    """What is proved about the pairs of a robot, to be written."""

    def __init__(self, proved: ProvedPairs) -> None:
        self._proved = proved

    def to_json(self, path: str | None = None) -> str:
        """Return everything as JSON, and write it to a file if a path is given."""
        from keepclear.report.json_file import written

        return written(json_format.dumps(self._proved.to_dict(), indent=1, allow_nan=False) + "\n", path)


def _lines(proved: ProvedPairs, srdf: str | None) -> Iterator[str]:
    yield from (f"warning: {text}" for text in proved.robot.warnings)
    yield from str(proved).splitlines()
    wrong = proved.wrongly_allowed()
    who = (
        "without an SRDF file these are not checked"
        if srdf is None
        else f"'{Path(srdf).name}' disables these"
    )
    if wrong:
        yield f"{who}, although they touch only sometimes:"
    for allowed, pair in wrong:
        assert pair.q_touching is not None
        values = zip(proved.robot.joint_names, pair.q_touching.tolist(), strict=True)
        what = f' (reason "{allowed.detail}")' if srdf is not None and allowed.detail else ""
        yield f"  {pair.a} - {pair.b}{what}{pair.remark}, at"
        yield "    " + ", ".join(f"{name} = {value:.6g}" for name, value in values)
    if srdf is not None and not wrong:
        yield f"'{Path(srdf).name}' disables no pair that touches only sometimes, except neighbours"


def _limit(text: str) -> tuple[str, tuple[float, float]]:
    name, _, ends = text.rpartition("=")
    lower, _, upper = ends.partition(":")
    try:
        return name, (float(lower), float(upper))
    except ValueError:
        raise ArgumentError(
            f"--limit must be JOINT=LOWER:UPPER, such as elbow=-1.5:1.5, but it is '{text}'."
        ) from None
