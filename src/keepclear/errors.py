"""What goes wrong, by name: every exception and warning of the library.

All exceptions descend from `KeepclearError`, and each one also from the builtin a caller would try
(`ValueError`, `LookupError`, `ImportError`, `FileNotFoundError`). A message says which thing, what was seen,
what was expected, and what to do next.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "ArgumentError",
    "BusyError",
    "CellError",
    "CopyError",
    "CrowdError",
    "FileMissingError",
    "FleetError",
    "KeepclearError",
    "MeshError",
    "MeshFileError",
    "MissingPackageError",
    "PoseError",
    "PreparedFileError",
    "ReportError",
    "RobotError",
    "ShapeError",
    "StoreError",
    "TrajectoryError",
    "UnitWarning",
    "UnknownNameError",
]


class KeepclearError(Exception):
    """The parent of every exception that the library raises on purpose."""


class ArgumentError(KeepclearError, ValueError):
    """An invalid argument that is not a shape, pose or file: a wrong type, option or combination."""


class ShapeError(KeepclearError, ValueError):
    """A shape that cannot exist: a size that is not a positive number, points that are not finite."""


class MeshError(ShapeError):
    """Arrays that are not a valid mesh, or a mesh that is not the solid it was declared to be."""


class MeshFileError(KeepclearError, ValueError):
    """A mesh file that cannot be read completely: unknown format, empty, damaged, truncated or without faces."""


class PreparedFileError(KeepclearError, ValueError):
    """A file of a prepared model, or of elements, that cannot be read completely, or whose content is false."""


class PoseError(KeepclearError, ValueError):
    """A pose that is not a rigid transformation."""


class TrajectoryError(KeepclearError, ValueError):
    """An invalid motion: times that do not increase, or poses that do not match them."""


class RobotError(KeepclearError, ValueError):
    """An invalid robot: a URDF or SRDF file that cannot be read completely, or joints that do not form a tree."""


class CellError(KeepclearError, ValueError):
    """A cell file or a fleet file with errors.

    Attributes:
        mistakes: One line for each, as `file:line:column: where: what, and what to do`.
    """

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)

    def __reduce__(self) -> tuple[type[CellError], tuple[tuple[str, ...]]]:
        return CellError, (self.mistakes,)


class BusyError(KeepclearError, RuntimeError):
    """An object with state that a second thread has called while it works; the call has changed nothing."""


class CopyError(KeepclearError, TypeError):
    """An object that cannot be copied or pickled; the message names what to do instead."""


class CrowdError(KeepclearError, ValueError):
    """A crowd that cannot continue: a probe that fails, or that exceeds its maximum acceleration."""


class ReportError(KeepclearError, ValueError):
    """A stored report that cannot be read, or that lacks the requested data."""


class StoreError(KeepclearError, ValueError):
    """A store of results that cannot be used: damaged, foreign, or writable by other users."""


class FleetError(KeepclearError, ValueError):
    """A fleet that cannot be verified as asked: a folder without cells, workers of another version, no scheduler."""


class UnknownNameError(KeepclearError, LookupError):
    """An unknown name."""


class MissingPackageError(KeepclearError, ImportError):
    """An optional package that is not installed; the message names the extra to install."""


class FileMissingError(KeepclearError, FileNotFoundError):
    """A file that does not exist."""


class UnitMistake(str):
    """The text of a warning that a number is probably wrong, usually its unit; reports print these first."""

    __slots__ = ()


class UnitWarning(UserWarning):
    """A mesh whose size suggests that its numbers are not metres."""
