"""Places in a source file that can be changed into something plausible and wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="),
}  # fmt: skip
OPERATIONS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
CALLS = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """One change: the file, where in its text, and what stands there before and after."""

    file: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before.strip()} -> {self.after.strip()}"

    def apply(self, text: str) -> str:
        """Return the text with the change."""
        return text[: self.start] + self.after + text[self.end :]


def mutants_of(file: Path, text: str) -> list[Mutant]:
    """Return every change of a file that the tables above know, in order."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def at(line: int, column: int) -> int:
        return starts[line - 1] + len(text[starts[line - 1] :].encode()[:column].decode())

    found = []
    for node in ast.walk(ast.parse(text)):
        for first, last, before, after in _changes(node):
            begin, end = at(*first), at(*last)
            place = text.find(before, begin, end)
            if place >= 0:
                found.append(Mutant(file, first[0], place, place + len(before), before, after))
    return sorted(set(found), key=lambda mutant: (mutant.start, mutant.after))


Position = tuple[int, int]


def _changes(node: ast.AST) -> Iterator[tuple[Position, Position, str, str]]:
    """Give where a node may be changed (between two positions), and the text before and after."""
    if isinstance(node, ast.Compare):
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if type(operator) in COMPARISONS:
                yield _end(left), _start(right), *COMPARISONS[type(operator)]
            left = right
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        yield _end(node.left), _start(node.right), *OPERATIONS[type(node.op)]
    elif isinstance(node, ast.BoolOp):
        pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield _end(left), _start(right), *pair
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _start(node), _start(node.operand), "not ", ""
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
        yield _start(node.func), _end(node.func), node.func.id, CALLS[node.func.id]
    elif isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in (0.0, 1.0):
        text = ast.unparse(node)
        yield _start(node), _end(node), text, f"({text} * 0.5)"


def _start(node: ast.expr) -> Position:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> Position:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset
