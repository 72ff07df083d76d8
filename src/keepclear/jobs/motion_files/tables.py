"""Tables in text files: a header, rows of numbers, and the line of each row."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keepclear.checks import FloatArray
from keepclear.files.access import parse_number
from keepclear.jobs.motion_files.samples import Source, split_unit
from keepclear.names import counted


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what its head has in brackets (None: nothing), and its values (n,)."""

    name: str
    unit: str | None
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of numbers.

    Attributes:
        columns: The columns with their names; empty without names.
        values: (n, columns).
        lines: The line of each row in the file.
        header: The line of the header, None where there is none.
    """

    columns: tuple[Column, ...]
    values: FloatArray
    lines: tuple[int, ...]
    header: int | None = None


def read_table(source: Source, data: bytes) -> Table:
    """Return the table in a text file, with commas, semicolons, tabs or spaces between numbers.

    Lines that begin with '#' are comments; one right above the first row that has as many words as the row is its
    header. Columns that the cell ignores are left out.

    Invalid rows are among the problems of the source, and have zeros here, so that other errors are reported, too.

    Raises:
        Failed: It is not a table.
    """
    rows, comments = _rows(source, data)
    source.stop_if_wrong()
    header, at, rows = _header(source, rows, comments)
    values, lines = _numbers(source, header, rows)
    names = [split_unit(name) for name in header]
    columns = tuple(
        Column(name, unit, values[:, k])
        for k, (name, unit) in enumerate(names)
        if name not in source.options.ignore
    )
    _check_names(source, [name for name, _ in names])
    return Table(columns, values, lines, at)


Row = tuple[int, list[str]]


def _rows(source: Source, data: bytes) -> tuple[list[Row], list[Row]]:
    """Return line number and words of each row, and those of the comments above the first."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        line = data.count(b"\n", 0, cause.start) + 1
        source.problem("it is not UTF-8 text; save it as CSV in UTF-8", line)
        return [], []
    lines = [(k, line.strip()) for k, line in enumerate(text.splitlines(), start=1) if line.strip()]
    plain = [(k, line) for k, line in lines if not line.startswith("#")]
    if not plain:
        source.problem("it has no rows; export it again")
        return [], []
    delimiter = _delimiter([line for _, line in plain[:2]])
    comments = [
        (k, line.lstrip("#").strip()) for k, line in lines if line.startswith("#") and k < plain[0][0]
    ]
    return [(k, _words(line, delimiter)) for k, line in plain], [
        (k, _words(line, delimiter)) for k, line in comments
    ]


def _delimiter(lines: Sequence[str]) -> str:
    for delimiter in (";", "\t", ","):
        if all(delimiter in line for line in lines):
            return delimiter
    return "," if "," in lines[0] else " "


def _words(line: str, delimiter: str) -> list[str]:
    if delimiter == " ":
        return line.split()
    if '"' in line:
        try:
            line_words = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
        except csv.Error:
            line_words = line.split(delimiter)
    else:
        line_words = line.split(delimiter)
    words = [word.strip() for word in line_words]
    if delimiter != ",":  # a comma between digits is a decimal point
        words = [word.replace(",", ".") if _number(word) is None else word for word in words]
    return words[:-1] if len(words) > 1 and not words[-1] else words


def _number(word: str) -> float | None:
    try:
        return parse_number(word)
    except ValueError:
        return None


def _header(source: Source, rows: list[Row], comments: list[Row]) -> tuple[list[str], int | None, list[Row]]:
    """Return the names of columns, empty for none, their line, and the rows below."""
    _, first = rows[0]
    columns = source.options.columns
    is_header = any(_number(word) is None for word in first)
    if columns is not None:
        is_header = all(_number(word) is None for word in first)  # else a damaged first row would be lost
        if len(columns) != len(first):
            text = f"it has {counted(len(first), 'column')}, but 'columns' in the cell names {len(columns)}"
            source.fail(text, rows[0][0])
        if not is_header:
            return list(columns), None, rows
        units = [
            split_unit(word)[1] for word in first
        ]  # names in the cell replace those of the file, not units
        names = [
            f"{n} [{u}]" if u and split_unit(n)[1] is None else n for n, u in zip(columns, units, strict=True)
        ]
        return names, rows[0][0], rows[1:]
    if is_header:
        return first, rows[0][0], rows[1:]
    above = comments[-1][1] if comments else []
    if len(above) == len(first) and all(_number(word) is None for word in above):
        return above, comments[-1][0], rows
    return [], None, rows


def _numbers(source: Source, header: list[str], rows: list[Row]) -> tuple[FloatArray, tuple[int, ...]]:
    """Return the rows as numbers, and their lines."""
    if not rows:
        source.fail("it has a header and no rows; export it again")
    n = len(header) or len(rows[0][1])
    than = "its header names" if header else "the first row has"
    uneven = [(line, words) for line, words in rows if len(words) != n]
    source.problems_of_rows(
        [(line, f"the row has {counted(len(words), 'value')}, but {than} {n}") for line, words in uneven]
    )
    bad: list[tuple[int, str]] = []
    values = np.zeros((len(rows), n))
    for i, (line, words) in enumerate(rows):
        for j, word in enumerate(words[:n]):
            number = _number(word)
            if number is None or not math.isfinite(number):
                name = split_unit(header[j])[0] if header else str(j + 1)
                if name not in source.options.ignore:
                    bad.append(
                        (line, f"column '{name}' has {word!r}, which is not a finite number; repair the row")
                    )
            else:
                values[i, j] = number
    source.problems_of_rows(bad)
    return values, tuple(line for line, _ in rows)


def _check_names(source: Source, names: list[str]) -> None:
    for k, name in enumerate(names):
        if name in names[:k] and name not in source.options.ignore:
            source.problem(
                f"two columns are called '{name}'; rename one, or name it under 'ignore' in the cell"
            )
    for name in source.options.ignore:
        if name not in names:
            source.problem(f"the cell ignores a column '{name}' that is not there; remove it from 'ignore'")
