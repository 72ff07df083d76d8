"""The command `keepclear verify` on small worlds of rules, written as cell files, and the expected exit codes."""

import subprocess
import sys
from pathlib import Path as File

from tests.oracles.rule_check import Fault
from tests.oracles.rule_library import cell_file
from tests.oracles.rule_spec import Spec
from tests.oracles.rule_truth import all_pairs, expectation

LIMIT = 60.0  # for one command, the start of Python and of the kernels included [s]


def exit_codes(spec: Spec) -> set[int]:
    """0 where nothing must be reported, 1 where something may be."""
    expected = [expectation(pair) for pair in all_pairs(spec)]
    clear, colliding = not any(one.must for one in expected), any(one.may for one in expected)
    return {code for code, fits in ((0, clear), (1, colliding)) if fits}


def check_command(spec: Spec, folder: File) -> list[Fault]:
    """Faults of one run in a process of its own."""
    command = [sys.executable, "-m", "keepclear", "verify", str(cell_file(spec, folder)), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    codes = exit_codes(spec)
    if done.returncode in codes:
        return []
    kind = {0: "miss", 1: "false alarm", 3: "undecided"}.get(done.returncode, "error")
    words = (
        f"exit code {done.returncode} instead of {sorted(codes)}: {(done.stderr.splitlines() or [''])[-1]}"
    )
    return [Fault(kind, "command", "all pairs", words)]
