"""The paths of the meshes of a robot: package://, model://, file:// and relative paths."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from keepclear.checks import shown
from keepclear.errors import ArgumentError, FileMissingError
from keepclear.names import listed

__all__ = ["PackageDirs", "checked_package_dirs", "find_mesh"]

PackageDirs = Sequence[str | os.PathLike[str]] | Mapping[str, str | os.PathLike[str]]


def checked_package_dirs(value: object) -> tuple[tuple[str | None, Path], ...]:
    """Return folders as (name of the package or None, folder): a list of folders, or folders by package."""
    if isinstance(value, str | os.PathLike):
        value = (value,)
    if isinstance(value, Mapping):
        pairs = list(value.items())
    elif isinstance(value, Sequence):
        pairs = [(None, folder) for folder in value]
    else:
        raise ArgumentError(f"package_dirs must be a list of folders, but it is {shown(value)}.")
    for name, folder in pairs:
        if not isinstance(folder, str | os.PathLike) or not isinstance(name, str | None):
            raise ArgumentError(f"package_dirs must hold paths of folders, but it has {shown(folder)}.")
        if not Path(folder).is_dir():
            raise FileMissingError(f"package_dirs: there is no folder '{os.fspath(folder)}'; check the path.")
    return tuple((name, Path(folder)) for name, folder in pairs)


def find_mesh(uri: str, folder: Path, package_dirs: Sequence[tuple[str | None, Path]], label: str) -> Path:
    """Return the file that a mesh's name in a URDF file refers to.

    Args:
        uri: The name as written: package://name/rest, file://path, or a path.
        folder: Where the URDF file is.
        package_dirs: As `checked_package_dirs` returns them.
        label: The user of the mesh, for messages.

    Raises:
        FileMissingError: It is in none of the folders; the message lists them.
    """
    places = list(dict.fromkeys(_places(uri, folder, package_dirs)))
    for place in places:
        try:
            if place.exists() and not place.is_dir():  # the reader reports a path that is not a regular file
                return place
        except OSError:  # a name that the system refuses
            continue
    tried = listed((f"'{place}'" for place in places), None)
    advice = "pass package_dirs=[folder that holds the package]" if "://" in uri else "check the path"
    raise FileMissingError(f"{label}: mesh '{uri}' is not there; tried {tried}; {advice}.")


def _places(uri: str, folder: Path, package_dirs: Sequence[tuple[str | None, Path]]) -> Iterator[Path]:
    """Yield the possible paths of a mesh, the most likely first."""
    scheme, separator, rest = uri.strip().partition("://")
    if not separator:
        relative = Path(uri.strip().replace("\\", "/"))
        yield folder / relative
        if not relative.is_absolute():
            yield from (place / relative for _, place in package_dirs)
    elif scheme == "file":
        path = unquote(rest)
        yield Path(path) if path.startswith("/") else folder / path
    else:
        yield from _package_places(*rest.partition("/")[::2], folder, package_dirs)


def _package_places(
    name: str, rest: str, folder: Path, package_dirs: Sequence[tuple[str | None, Path]]
) -> Iterator[Path]:
    for package, place in package_dirs:
        if package in (None, name):
            if package is None:
                yield place / name / rest
            yield place / rest
    above = folder.resolve()
    for place in (above, *above.parents):
        yield place / name / rest
        if place.name == name:
            yield place / rest
    for place in (above, *above.parents[:2]):
        yield place / rest
