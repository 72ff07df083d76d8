"""Tests of the tool that changes sources to test the tests."""

from __future__ import annotations

import ast
from pathlib import Path

from tools.mutation.mutants import mutants_of

TEXT = '''
def f(a, b):
    """1 < 2 + 3"""
    if a < b and not a == 2.5:
        return min(a, b) + 1.0  # é
    return a * b
'''


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
