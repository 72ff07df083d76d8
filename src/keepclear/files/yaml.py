"""YAML files as plain values that know in which line and column they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keepclear.errors import FileMissingError
from keepclear.files.access import MAX_DIGITS, MAX_TEXT_SIZE, read_named_file

if TYPE_CHECKING:
    import yaml

MAX_REPEATED = 100_000
"""Most values that aliases may add to a file: each level of ten aliases multiplies what is below it by ten."""

Place = tuple[str | int, ...]
"""Where a value is in a file: the keys and the numbers in lists that lead to it."""

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL = {
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys([".inf", ".Inf", ".INF", "+.inf"], float("inf")),
    **dict.fromkeys(["-.inf", "-.Inf", "-.INF"], float("-inf")),
    **dict.fromkeys([".nan", ".NaN", ".NAN"], float("nan")),
}


class Document:
    """A YAML file: its values, where each of them stands, and the errors in it, in the order of the file.

    Scalars are those of YAML 1.2, in which `1e-3` is a number and `on` is a text; keys are texts.

    Args:
        file: Name of the file in error messages.
        root: The top node, None if the file is empty or broken.
    """

    def __init__(self, file: str, root: yaml.Node | None = None) -> None:
        self.file = file
        self._root = root
        self._mistakes: dict[str, tuple[int, int, int]] = {}
        self._values: dict[int, Any] = {}
        self.is_broken = False
        self.value: Any = None if root is None else self._value(root, (), ())

    def position(self, place: Place, *, key: bool = False) -> tuple[int, int]:
        """Return line and column, from 1 on, of a value, or of the key before it.

        Where nothing is at the place, it is the position of what would contain it.
        """
        node, mark = self._root, None if self._root is None else self._root.start_mark
        for k, step in enumerate(place):
            entry = _entry(node, step)
            if entry is None:
                break
            label, node = entry
            mark = label.start_mark if key and k == len(place) - 1 else node.start_mark
            if node.start_mark.index == node.end_mark.index:  # an empty value stands nowhere
                mark = label.start_mark
        return (1, 1) if mark is None else (mark.line + 1, mark.column + 1)

    def add(self, place: Place, text: str, *, key: bool = False) -> None:
        """Note an error: what is wrong at a position, and what to do about it."""
        self.add_at(*self.position(place, key=key), _spelled(place), text)

    def add_at(self, line: int, column: int, where: str, text: str) -> None:
        """Note an error in a line and column."""
        message = f"{where}: {text}" if where else text
        line_of_text = f"{self.file}:{line}:{column}: {' '.join(message.split())}"
        self._mistakes.setdefault(line_of_text, (line, column, len(self._mistakes)))

    @property
    def mistakes(self) -> tuple[str, ...]:
        """One line for each error, as `file:line:column: where: what`, by position."""
        return tuple(sorted(self._mistakes, key=self._mistakes.__getitem__))

    def _value(self, node: yaml.Node, place: Place, above: tuple[int, ...]) -> Any:
        """Return the plain value of a node, and note what is wrong with it."""
        import yaml

        if id(node) in above:
            self.add(place, "this contains itself; write it out instead of naming it with '*'")
            return None
        if not node.tag.startswith("tag:yaml.org,2002:"):
            self.add(place, f"tags such as {node.tag!r} mean nothing here; remove it")
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.style else _scalar(node.value)
        if id(node) not in self._values:  # named nodes are read once
            above = (*above, id(node))
            if isinstance(node, yaml.SequenceNode):
                self._values[id(node)] = [
                    self._value(item, (*place, k), above) for k, item in enumerate(node.value)
                ]
            else:
                self._values[id(node)] = self._mapping(node, place, above)
        return self._values[id(node)]

    def _mapping(self, node: yaml.Node, place: Place, above: tuple[int, ...]) -> dict[str, Any]:
        import yaml

        result: dict[str, Any] = {}
        lines: dict[str, int] = {}
        merged: dict[str, Any] = {}
        for label, item in node.value:
            line, column = label.start_mark.line + 1, label.start_mark.column + 1
            if not isinstance(label, yaml.ScalarNode):
                self.add_at(
                    line, column, _spelled(place), "a key must be a string; put a name before the ':'"
                )
            elif label.value == "<<" and not label.style:
                for one in item.value if isinstance(item, yaml.SequenceNode) else [item]:
                    value = self._value(one, place, above)
                    if not isinstance(value, dict):
                        self.add_at(
                            line, column, _spelled(place), "'<<' takes keys and values, such as '<<: *name'"
                        )
                    merged |= (
                        {k: v for k, v in value.items() if k not in merged} if isinstance(value, dict) else {}
                    )
            elif label.value in lines:
                text = f"it occurs twice, in line {lines[label.value]} and here; keep one of them"
                self.add_at(line, column, _spelled((*place, label.value)), text)
            else:
                lines[label.value] = line
                result[label.value] = self._value(item, (*place, label.value), above)
        return merged | result


def read_document(path: Path, shown: str) -> Document:
    """Return a cell file with positions; what is broken in it is among its errors.

    Args:
        path: The file.
        shown: Its name in error messages.

    Raises:
        FileMissingError: There is no such file.
    """
    return parse_document(read_named_file(path, "cell file", FileMissingError, MAX_TEXT_SIZE, shown), shown)


def parse_document(data: bytes, shown: str) -> Document:
    """Return YAML with positions; what is broken in it is among its errors, which call it `shown`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        line = data.count(b"\n", 0, cause.start) + 1
        return _broken(shown, line, 1, "this line is not UTF-8 text; save the file as UTF-8")
    return _parsed(text, shown)


def _parsed(text: str, shown: str) -> Document:
    import yaml

    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if (repeated := repeated_values(root)) > MAX_REPEATED:
            return _broken(shown, 1, 1, too_many(repeated))
        return Document(shown, root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
        return _broken(shown, line, column, _problem(error, text, line, column))
    except yaml.YAMLError as error:  # a character that no YAML file may have
        at = getattr(error, "position", 0)
        line = text.count("\n", 0, at) + 1
        column = at - text.rfind("\n", 0, at)
        return _broken(shown, line, column, f"the character {text[at : at + 1]!r} cannot be here; remove it")
    except RecursionError:
        return _broken(shown, 1, 1, "its values are nested too deeply; a few levels are enough")


def repeated_values(root: yaml.Node | None) -> int:
    """Return how many values the aliases below a node add: each '*name' stands for everything below '&name'."""
    import yaml

    sizes: dict[int, int] = {}

    def size(node: yaml.Node) -> int:
        if id(node) not in sizes:
            sizes[id(node)] = 0  # of a node that contains itself
            inside = node.value if isinstance(node, yaml.CollectionNode) else []
            nodes = [one for item in inside for one in (item if isinstance(item, tuple) else (item,))]
            sizes[id(node)] = 1 + sum(map(size, nodes))
        return sizes[id(node)]

    return 0 if root is None else size(root) - len(sizes)


def too_many(repeated: int) -> str:
    """Return what is wrong with a file of too many aliases."""
    count = str(repeated) if repeated < 10**9 else "more than 1000000000"
    return f"its aliases ('*name') repeat {count} values, and at most {MAX_REPEATED} are read; use fewer"


def _broken(shown: str, line: int, column: int, text: str) -> Document:
    document = Document(shown)
    document.is_broken = True
    document.add_at(line, column, "YAML", text)
    return document


def _problem(error: yaml.MarkedYAMLError, text: str, line: int, column: int) -> str:
    """Return what is wrong with a text that is not YAML, and what to do."""
    rows = text.split("\n")
    row = rows[line - 1] if line <= len(rows) else ""
    if "\t" in row[: column + 1] and not row[: column - 1].strip():
        return "this line is indented with a tab; indent with spaces"
    problem = (error.problem or "it cannot be read").replace("but got ", "but found ")
    if "mapping values are not allowed" in problem:
        return "a second ':' in one line; put the value in quotes, or begin a new line"
    if "single document" in (error.context or ""):
        return "a second document begins here; keep one in a file"
    if "undefined alias" in problem:
        return f"{problem}; name it with '&' before it is used, or put the text in quotes"
    if error.context and error.context_mark and error.context_mark.line + 1 != line:
        problem += f" {error.context} that begins in line {error.context_mark.line + 1}"
    return f"{problem}; look for a missing ':', ',', bracket or quote here or just above"


def _entry(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """Return the node of a key and that of its value, or twice that of an item; None if it is not there."""
    import yaml

    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    if not isinstance(node, yaml.MappingNode):
        return None
    for label, item in node.value:
        if isinstance(label, yaml.ScalarNode) and label.value == step:
            return label, item
    for label, item in node.value:
        if isinstance(label, yaml.ScalarNode) and label.value == "<<":
            for one in item.value if isinstance(item, yaml.SequenceNode) else [item]:
                if (found := _entry(one, step)) is not None:
                    return found
    return None


def _scalar(text: str) -> Any:
    """Return the value of a text without quotes."""
    if text in _SPECIAL:
        return _SPECIAL[text]
    if _INTEGER.fullmatch(text) and len(text) <= MAX_DIGITS:
        return int(text)
    return (
        float(text) if _FLOAT.fullmatch(text) else text
    )  # many digits are an infinite number, which is refused


def _spelled(place: Sequence[str | int]) -> str:
    """Return a place as text, such as objects.arm.motion or allowed[0]."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
