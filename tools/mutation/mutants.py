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
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{self.file}:{self.line}: {before} -> {after}"

    def apply(self, text: str) -> str:
        """Return the text with the change."""
        return text[: self.start] + self.after + text[self.end :]


Position = tuple[int, int]


class Positions:
    """Offsets in a text of the lines and columns that `ast` gives, which count bytes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def offset(self, position: Position) -> int:
        """Return where in the text a line and column are."""
        start = self._starts[position[0] - 1]
        line = self._text[start : self._starts[position[0]]]
        return start + len(line.encode()[: position[1]].decode())


def mutants_of(file: Path, text: str) -> list[Mutant]:
    """Return every change of a file's functions that the tables above know, in order."""
    positions, found = Positions(text), []
    functions = outer_functions(ast.parse(text))
    for node in (node for function in functions for part in function.body for node in ast.walk(part)):
        for first, last, before, after in _changes(node):
            place = text.find(before, positions.offset(first), positions.offset(last))
            if place >= 0:
                found.append(Mutant(file, first[0], place, place + len(before), before, after))
    return sorted(set(found), key=lambda mutant: (mutant.start, mutant.after))


def _changes(node: ast.AST) -> Iterator[tuple[Position, Position, str, str]]:
    """Give where a node may be changed (between two positions), and the text before and after."""
    if isinstance(node, ast.Compare):
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if type(operator) in COMPARISONS:
                yield end_of(left), start_of(right), *COMPARISONS[type(operator)]
            left = right
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        yield end_of(node.left), start_of(node.right), *OPERATIONS[type(node.op)]
    elif isinstance(node, ast.BoolOp):
        pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield end_of(left), start_of(right), *pair
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield start_of(node), start_of(node.operand), "not ", ""
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
        yield start_of(node.func), end_of(node.func), node.func.id, CALLS[node.func.id]
    elif isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in (0.0, 1.0):
        text = ast.unparse(node)
        yield start_of(node), end_of(node), text, f"({text} * 0.5)"


def outer_functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Give the functions and methods of a module, without those inside of others."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from outer_functions(node)


def start_of(node: ast.expr) -> Position:
    """Return the line and column at which an expression begins."""
    return node.lineno, node.col_offset


def end_of(node: ast.expr) -> Position:
    """Return the line and column at which an expression ends."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset
