"""The version of the method that results depend on: a digest of sources and kernels."""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

import numpy as np

import keepclear.kernels
from keepclear.compiler import code_files, target

METHOD = 2
"""Incremented when results change their meaning but the sources that decide them do not change."""
# Folders whose sources decide verdicts, bounds and the content of reports, beside the modules of the package itself.
FOLDERS = (
    "files", "geometry", "motion", "query", "robot", "report", "scene", "world", "jobs/cell", "jobs/motion_files",
)  # fmt: skip


@functools.cache
def method_digest() -> bytes:
    """Return the digest of everything that decides verdicts: sources, kernels, and the version of NumPy."""
    package = Path(keepclear.kernels.__file__).parent.parent
    found = hashlib.sha256(f"{METHOD} {code_files.source_digest()} {np.__version__}".encode())
    inside = (path for folder in FOLDERS for path in (package / folder).rglob("*.py"))
    for path in sorted((*package.glob("*.py"), *inside)):
        content = path.read_bytes()
        found.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode() + content)
    return found.digest()


def versions() -> dict[str, str]:
    """Return the versions that workers must share with this process."""
    return {
        "sources": method_digest().hex()[:16],
        "kernels": code_files.source_digest()[:16],
        "processor": target.target_level(),
        "numpy": np.__version__,
        "compiled": "no" if os.environ.get("NUMBA_DISABLE_JIT") == "1" else "yes",
    }
