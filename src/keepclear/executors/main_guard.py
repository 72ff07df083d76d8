"""The error about scripts without a main guard: they would start workers again in every worker that imports them."""

from __future__ import annotations

import multiprocessing

from keepclear.errors import FleetError

__all__ = ["UNGUARDED", "WORKER_NAME", "check_guarded", "guard_error"]

UNGUARDED = 87  # exit code of a worker that tried to start workers while importing the script
WORKER_NAME = "keepclear-job"


def guard_error(text: str = "") -> FleetError:
    """Return the error about a missing guard; the text about the symptom comes first."""
    return FleetError(
        f"{text}every worker imports the script, which starts workers as it is imported; put the calls that start "
        'them below a line: if __name__ == "__main__":'
    )


def check_guarded(*worker_names: str) -> None:
    """Raise if this process is a new worker that is importing the script of the process that started it.

    Workers with these names end quietly with the code `UNGUARDED`, because the process that started them raises.
    """
    process = multiprocessing.current_process()
    if not getattr(process, "_inheriting", False):
        return
    if process.name.startswith(worker_names):
        raise SystemExit(UNGUARDED)
    raise guard_error()
