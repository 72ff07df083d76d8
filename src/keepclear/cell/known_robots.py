"""Robots that a run has read: cells that name the same files share one robot, with its hulls and trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from keepclear.robot.model import Robot
from keepclear.robot.urdf import read_robot

__all__ = ["KnownRobots"]


class KnownRobots:
    """Robots by their files; each is read once, as it is when it is first needed."""

    def __init__(self) -> None:
        self._robots: dict[tuple[Path | None, ...], Robot] = {}

    def read(self, path: Path, srdf: Path | None, package_dirs: Sequence[Path]) -> Robot:
        """Return the robot of a URDF file, as `kc.read_robot` does.

        Cells spell one path in several ways, relative to their own folders. The folder is resolved and the name of the
        file is not, because meshes are searched beside a link and not beside its target. `Robot.source` is the path as
        the first of these cells spells it.
        """
        files = [None if file is None else file.parent.resolve() / file.name for file in (path, srdf)]
        key = (*files, *(folder.resolve() for folder in package_dirs))
        if key not in self._robots:
            self._robots[key] = read_robot(path, srdf, package_dirs)
        return self._robots[key]
