"""`python -m keepclear` is the command `keepclear`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from pathlib import Path

INTERNAL_ERROR = 4  # as in `keepclear.cli.exits`, which cannot be imported where something is missing


def run() -> None:
    """Run the command; also an installation that cannot be imported ends with 4, since 1 means a contact."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed: a verdict does not depend on who reads it
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    atexit.register(gc.freeze)  # else the interpreter looks for garbage among all objects before it ends
    try:
        from keepclear.cli.main import main
    except Exception:
        import traceback

        traceback.print_exc()
        sys.stderr.write("keepclear: it cannot be imported; install it again\n")
        sys.exit(INTERNAL_ERROR)
    main()


if __name__ == "__main__":
    run()
