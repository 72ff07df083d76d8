"""Changes that could turn a contact into a false CLEAR: each removes or weakens one part of one bound.

A *term* is a product with a name of `TERMS` or a tiny constant in it (a rounding allowance, a slack, a margin, a bound
on a path): it becomes 0. A *factor* that is nearly 1 rounds a result outwards: it becomes 1. A step to the next float
is left out. An inequality about a bound is reversed, and the larger of two bounds becomes the smaller.

A comment `# harmless: reason` at the end of a line, or among the comments directly above it, says why no change of that
line can make an answer wrong; such mutants are not run, but counted and listed with the reason. `# harmless (slack):
reason` is about those mutants of the line that change this text.
"""

from __future__ import annotations

import ast
import functools
import operator
import re
from collections.abc import Iterator
from pathlib import Path

from tools.mutation.mutants import Mutant, Position, Positions, end_of, outer_functions, start_of

SOURCES = Path(__file__).parents[2] / "src" / "keepclear"
TERMS = re.compile(
    r"slip|slack|round(ed|ing)|allowance|defect|excess|missed|remainder|thick|path_tolerance|margin(?!s)|moved|"
    r"(^|_)eps|(^|_)pad|wide|inflat|underflow|spacing|^wrong|path_bound|path_length|travel|odometer|accelerat|"
    r"speed_change|jerk|drift|stretch|seam|(^|_)error$|^_?lags?$|quartic|quadratic|^dip$|reach$|deviat",
    re.IGNORECASE,
)
BOUNDS = re.compile(r"lower|upper|least|gap|apart|limit|known|certain|nearest|floor|bound", re.IGNORECASE)
REVERSED = {ast.Lt: ("<", ">="), ast.LtE: ("<=", ">"), ast.Gt: (">", "<="), ast.GtE: (">=", "<")}
SWAPPED = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}
ARITHMETIC = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}  # fmt: skip
# Constants between are allowances, and factors as near to 1 round outwards; smaller ones prevent divisions by 0.
TINY, NOTHING = 1e-5, 1e-60
HARMLESS = re.compile(r"#.*?\bharmless(?: \((?P<part>.+?)\))?: (?P<reason>.+)")


def promise_mutants(file: Path, text: str) -> list[Mutant]:
    """Return the changes of a file's functions that could make a bound wrong, in order."""
    positions, found = Positions(text), set()
    tree = ast.parse(text)
    constants = _imported_constants(tree) | _constants(tree)
    for function in outer_functions(tree):
        for first, last, before, after in _Weakened(function, constants).changes():
            start, end = positions.offset(first), positions.offset(last)
            if before:
                start = text.index(before, start, end)
                end = start + len(before)
            line = text.count("\n", 0, start) + 1
            found.add(Mutant(file, line, start, end, text[start:end], after))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.after))


def harmless_reason(mutant: Mutant, text: str) -> str | None:
    """Return why a mutant cannot make an answer wrong, if a comment beside it says so."""
    lines = text.splitlines()
    near = lines[mutant.line - 1 : mutant.line + mutant.before.count("\n")]
    above = mutant.line - 2
    while above >= 0 and lines[above].lstrip().startswith("#"):
        near.append(lines[above])
        above -= 1
    for line in near:
        found = HARMLESS.search(line)
        if found and found["part"] in (None, " ".join(mutant.before.split())):
            return found["reason"]
    return None


class _Weakened:
    """The changes of one function."""

    def __init__(self, function: ast.FunctionDef, constants: dict[str, float]) -> None:
        self._constants = constants
        self._parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        self._nodes = [node for part in function.body for node in ast.walk(part)]

    def changes(self) -> Iterator[tuple[Position, Position, str, str]]:
        """Give where a node is changed (between two positions), what is replaced there (or all), and by what."""
        for node in self._nodes:
            if not isinstance(node, ast.expr) or self._is_index(node) or _is_assigned(node):
                continue
            if isinstance(node, ast.Compare):
                yield from self._reversed(node)
            elif isinstance(node, ast.Call) and _name(node.func) in SWAPPED and len(node.args) > 1:
                if any(self._is_bound(argument) for argument in node.args):
                    name = _name(node.func)
                    yield start_of(node.func), end_of(node.func), name, SWAPPED[name]
            elif isinstance(node, ast.Call) and _name(node.func) == "nextafter":
                yield start_of(node), end_of(node), "", ast.unparse(node.args[0])
            if self._is_factor(node):
                yield start_of(node), end_of(node), "", "1.0"
            elif self._is_term(node):
                product = self._product(node)
                if self._is_removable(product):
                    yield start_of(product), end_of(product), "", "0.0"

    def _reversed(self, node: ast.Compare) -> Iterator[tuple[Position, Position, str, str]]:
        left = node.left
        for comparison, right in zip(node.ops, node.comparators, strict=True):
            if type(comparison) in REVERSED and (self._is_bound(left) or self._is_bound(right)):
                yield end_of(left), start_of(right), *REVERSED[type(comparison)]
            left = right

    def _is_index(self, node: ast.expr) -> bool:
        """Whether a node is part of an index, or is assigned to or called."""
        while isinstance(node, ast.expr):
            parent = self._parents.get(node)
            if isinstance(parent, ast.Subscript) and parent.slice is node:
                return True
            if isinstance(parent, ast.Call) and parent.func is node:
                return True
            if isinstance(parent, ast.Attribute | ast.JoinedStr | ast.FormattedValue | ast.Raise):
                return True
            if isinstance(parent, ast.Assign) and node in parent.targets:
                return True
            if isinstance(parent, ast.AugAssign | ast.AnnAssign | ast.For) and parent.target is node:
                return True
            if parent is None:
                return False
            node = parent  # type: ignore[assignment]
        return False

    def _is_bound(self, node: ast.expr) -> bool:
        """Whether an expression mentions a bound or a term."""
        return any(
            self._is_term(part) or (_own_name(part) is not None and BOUNDS.search(str(_own_name(part))))
            for part in ast.walk(node)
            if isinstance(part, ast.expr)
        )

    def _is_term(self, node: ast.expr) -> bool:
        name = _own_name(node)
        if name is not None:
            value = self._constants.get(name)
            return bool(TERMS.search(name)) or (value is not None and NOTHING < abs(value) < TINY)
        return _is_tiny(node)

    def _is_factor(self, node: ast.expr) -> bool:
        name = _own_name(node)
        value = self._constants.get(name or "")
        return value is not None and 0.0 < abs(value - 1.0) < TINY

    def _product(self, node: ast.expr) -> ast.expr:
        """Return the largest product that vanishes with a node."""
        while True:
            parent = self._parents.get(node)
            is_factor = isinstance(parent, ast.BinOp) and (
                isinstance(parent.op, ast.Mult) or (isinstance(parent.op, ast.Div) and parent.left is node)
            )
            if not is_factor and not isinstance(parent, ast.UnaryOp):
                return node
            assert isinstance(parent, ast.expr)
            node = parent

    def _is_removable(self, node: ast.expr) -> bool:
        """Whether an expression is added, compared, assigned, returned or passed on as a number."""
        parent = self._parents.get(node)
        if isinstance(parent, ast.BinOp):
            return not isinstance(parent.op, ast.Div | ast.FloorDiv | ast.Mod)
        if isinstance(parent, ast.Compare):
            others = [other for other in (parent.left, *parent.comparators) if other is not node]
            ordered = all(type(comparison) in REVERSED for comparison in parent.ops)
            return ordered and not any(isinstance(other, ast.Constant) for other in others)
        if isinstance(parent, ast.Call):
            return node in parent.args and _name(parent.func) not in ("len", "int", "isinstance", "float")
        if isinstance(
            parent, ast.keyword | ast.BoolOp | ast.Subscript | ast.comprehension | ast.If | ast.While
        ):
            return isinstance(parent, ast.keyword)
        if isinstance(parent, ast.IfExp):
            return parent.test is not node
        return True


def _is_assigned(node: ast.expr) -> bool:
    """Whether an expression is given a value, as the names of a comprehension are."""
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _own_name(node: ast.AST) -> str | None:
    """Return the name of a value: of a variable, a field, a function that is called, or a column of a table."""
    if isinstance(node, ast.Name | ast.Attribute):
        return _name(node)
    if isinstance(node, ast.Call):
        return (
            _name(node.func) if not isinstance(node.func, ast.Name) or node.func.id not in SWAPPED else None
        )
    if isinstance(node, ast.Subscript):
        names = [_name(part) for part in ast.walk(node.slice) if isinstance(part, ast.Name | ast.Attribute)]
        columns = [name for name in names if name.isupper() and TERMS.search(name)]
        return columns[0] if columns else _own_name(node.value)
    return None


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_tiny(node: ast.expr) -> bool:
    """Whether a literal, or a power of two that is written as one, is a small part of 1."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float) and NOTHING < node.value < TINY
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        value = _value(node, {})
        return value is not None and NOTHING < value < TINY
    return False


def _imported_constants(tree: ast.Module) -> dict[str, float]:
    """Return the constants that a module imports by name from others."""
    found: dict[str, float] = {}
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("keepclear."):
            continue
        known = _constants_of(str(node.module))
        found |= {name.asname or name.name: known[name.name] for name in node.names if name.name in known}
        for name in node.names:  # a module, whose constants are attributes
            found |= _constants_of(f"{node.module}.{name.name}")
    return found


@functools.cache
def _constants_of(module: str) -> dict[str, float]:
    """Return the constants of a module of the library, none if there is no such module."""
    file = SOURCES.parent.joinpath(*module.split(".")).with_suffix(".py")
    return _constants(ast.parse(file.read_text())) if file.exists() else {}


def _constants(tree: ast.Module) -> dict[str, float]:
    """Return the numbers that a module calls by name in capitals."""
    found: dict[str, float] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        targets, values = [node.targets[0]], [node.value]
        if isinstance(targets[0], ast.Tuple) and isinstance(values[0], ast.Tuple):
            targets, values = targets[0].elts, values[0].elts
        for target, value in zip(targets, values, strict=False):
            number = _value(value, found)
            if isinstance(target, ast.Name) and number is not None:
                found[target.id] = number
    return found


def _value(node: ast.expr, known: dict[str, float]) -> float | None:
    """Return the value of a constant expression, None if it is not one."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int | float) else None
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, known)
        return None if value is None else -value
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        left, right = _value(node.left, known), _value(node.right, known)
        return None if left is None or right is None else ARITHMETIC[type(node.op)](left, right)
    return None
