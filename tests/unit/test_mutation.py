"""Tests of the tool that changes sources to test the tests."""

from __future__ import annotations

import ast
from pathlib import Path

from tools.mutation.mutants import mutants_of
from tools.mutation.promise import harmless_reason, promise_mutants

TEXT = '''
def f(a, b):
    """1 < 2 + 3"""
    if a < b and not a == 2.5:
        return min(a, b) + 1.0  # é
    return a * b
'''

BOUNDS = """
ROUND_UP = 1.0 + 2.0**-48
UNIT = 2.0**-53

def f(gap, size, slack, W):
    lower = gap - 4.0 * UNIT * size  # é
    lower -= slack + W[MISSED]  # harmless (slack): it is part of size
    if lower > 0.0:
        return math.nextafter(lower, 0.0) * ROUND_UP
    # harmless: both are 0
    return max(lower, 0.0)

def g(pairs):
    return [reach for reach, _ in pairs]
"""


def test_every_mutant_is_one_change_that_still_parses():
    found = mutants_of(Path("f.py"), TEXT)
    changes = {(mutant.line, mutant.before.strip(), mutant.after.strip()) for mutant in found}
    assert changes == {
        (4, "<", "<="),
        (4, "and", "or"),
        (4, "not", ""),
        (4, "==", "!="),
        (4, "2.5", "(2.5 * 0.5)"),
        (5, "min", "max"),
        (5, "+", "-"),
        (6, "*", "/"),
    }
    for mutant in found:
        changed = mutant.apply(TEXT)
        ast.parse(changed)
        assert changed != TEXT
        assert '"""1 < 2 + 3"""' in changed


def test_each_part_of_a_bound_is_weakened_once():
    found = promise_mutants(Path("f.py"), BOUNDS)
    assert [(mutant.line, mutant.before, mutant.after) for mutant in found] == [
        (6, "4.0 * UNIT * size", "0.0"),
        (7, "slack", "0.0"),
        (7, "W[MISSED]", "0.0"),
        (8, ">", "<="),
        (9, "math.nextafter(lower, 0.0)", "lower"),
        (9, "ROUND_UP", "1.0"),
        (11, "max", "min"),
        (14, "reach", "0.0"),
    ]
    for mutant in found:
        ast.parse(mutant.apply(BOUNDS))
    reasons = [harmless_reason(mutant, BOUNDS) for mutant in found]
    assert reasons == [None, "it is part of size", None, None, None, None, "both are 0", None]
