"""XML of robot files: read without entities or network, and checked with line numbers."""

from __future__ import annotations

import math
import os
from pathlib import Path

from keepclear.checks import checked_path
from keepclear.errors import ArgumentError, FileMissingError, RobotError
from keepclear.files.access import MAX_TEXT_SIZE, parse_number, read_named_file
from keepclear.files.xml import Element, XmlDamage, parse_xml


class RobotFile:
    """An XML file about a robot, with errors that name its elements.

    Attributes:
        path: Its path.
        kind: "URDF" or "SRDF", for messages.
        root: Its <robot> element, with comments and namespaces removed.
    """

    def __init__(self, path: Path, kind: str, root: Element) -> None:
        self.path, self.kind, self.root = path, kind, root

    def error(self, message: str, element: Element | None = None) -> RobotError:
        """Return the error for an element of this file."""
        line = f", line {element.sourceline}" if element is not None and element.sourceline else ""
        return RobotError(f"{self.kind} file '{self.path}'{line}: {message}")

    def text(self, element: Element, attribute: str, label: str) -> str:
        """Return a required attribute."""
        value: str | None = element.get(attribute)
        if value is None or not value.strip():
            raise self.error(f'{label} has no {attribute}="..."; give it one.', element)
        return value

    def number(self, element: Element | None, attribute: str, label: str) -> float | None:
        """Return an attribute as a number that is not nan; None if it is absent."""
        value = None if element is None else element.get(attribute)
        if value is None:
            return None
        try:
            number = parse_number(value)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            raise self.error(f'{label} has {attribute}="{value}", which is not a number.', element)
        return number

    def numbers(
        self, element: Element | None, attribute: str, counts: tuple[int, ...], label: str
    ) -> tuple[float, ...] | None:
        """Return an attribute as that many finite numbers; None if it is absent."""
        value = None if element is None else element.get(attribute)
        if element is None or value is None:
            return None
        try:
            numbers = tuple(parse_number(part) for part in value.replace(",", " ").split())
        except ValueError:
            numbers = ()
        if len(numbers) not in counts or not all(map(math.isfinite, numbers)):
            expected = " or ".join(map(str, counts)) + f" finite number{'s' * (counts[-1] != 1)}"
            raise self.error(f'{label} has {attribute}="{value}"; expected {expected}.', element)
        return numbers


def read_xml(path: str | os.PathLike[str], kind: str) -> RobotFile:
    """Return the <robot> element of a URDF or SRDF file.

    Raises:
        FileMissingError: There is no such file.
        RobotError: It cannot be opened, is not well-formed, or is not a robot.
    """
    file = _checked_path(path, kind)
    return parse_robot_xml(read_named_file(file, f"{kind} file", RobotError, MAX_TEXT_SIZE), file, kind)


def parse_robot_xml(data: bytes, file: Path, kind: str) -> RobotFile:
    """Return the <robot> element in the bytes of a URDF or SRDF file; `file` is for messages.

    Raises:
        RobotError: It is not well-formed, or is not a robot.
    """
    if not data.strip():
        raise RobotError(f"{kind} file '{file}' is empty; export it again.")
    try:
        root = parse_xml(data)
    except XmlDamage as cause:
        line = "" if cause.line is None else f", line {cause.line}"
        raise RobotError(f"{kind} file '{file}'{line}: {cause}.") from cause
    found = RobotFile(file, kind, root)
    _drop_namespaces(found)
    if root.tag != "robot":
        raise found.error(f"it holds <{root.tag}>, not <robot>, so it is no {kind}.", root)
    return found


def _checked_path(path: object, kind: str) -> Path:
    file = checked_path("read_robot", path, f"a {kind} file")
    if str(file).lstrip().startswith("<"):
        raise ArgumentError(
            f"read_robot takes the path of a {kind} file, but it was given XML; write it to a file."
        )
    if file.is_dir():
        raise RobotError(f"'{file}' is a folder; give the path of one {kind} file in it.")
    if not file.exists():
        raise FileMissingError(f"there is no {kind} file '{file}'; check the path.")
    return file


def _drop_namespaces(file: RobotFile) -> None:
    """Remove the namespace from the names of the file's elements; refuse xacro that was not expanded."""
    root = file.root
    own = root.tag.rpartition("}")[0]
    for element in root.iter():
        space, _, name = element.tag.rpartition("}")
        if "xacro" in space and name not in ("arg",):
            raise file.error(
                f"<xacro:{name}> is not expanded; expand the file first: xacro {file.path.name} > robot.urdf",
                element,
            )
        if space and space == own:
            element.tag = name
