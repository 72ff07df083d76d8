"""Compiles all kernels while a wheel is built, so that users of the wheel never wait for the compiler."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SECONDS = 900.0
"""How long compiling may take by default; all kernels take one or two minutes on two cores."""
TARGET = "keepclear/kernels/_machine_code"
PURE = "built without machine code, as asked by KEEPCLEAR_PURE_WHEEL=1: kernels compile on first use"
REMEDY = (
    "Set KEEPCLEAR_PURE_WHEEL=1 to build a wheel without machine code, whose kernels compile on first use."
)
COPY = """
import sys
from pathlib import Path
from keepclear.compiler import cache_folders
cache_folders.copy_code(Path(sys.argv[1]))
"""


class NotCompiled(Exception):  # noqa: N818
    """The kernels did not compile; the message gives the reason, the details are the output of the compiler."""

    def __init__(self, why: str, details: str = "") -> None:
        super().__init__(why)
        self.details = details


class CompileKernels(BuildHookInterface[Any]):
    """Puts the machine code of every kernel into the wheel, which then is for one platform and one Python.

    If kernels do not compile, not within `KEEPCLEAR_BUILD_SECONDS`, or cannot be stored, the build fails.
    `KEEPCLEAR_PURE_WHEEL=1` builds a pure wheel instead: it is for all platforms, its kernels compile on first use, and
    `keepclear cache` gives the reason. An editable install contains no machine code, because its sources change.
    `KEEPCLEAR_BUILD_CACHE=folder` uses kernels that are compiled already from a cache folder of the same sources, if
    no other user can write to it; only the rest is compiled.
    """

    PLUGIN_NAME = "custom"
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        seconds = _seconds()
        self._folder = tempfile.TemporaryDirectory(prefix="keepclear-build-")
        folder = Path(self._folder.name)
        if os.environ.get("KEEPCLEAR_PURE_WHEEL", "") not in ("", "0"):
            reason = folder / "none.txt"
            reason.write_text(f"{PURE}\n", "utf-8")
            build_data["force_include"][str(reason)] = f"{TARGET}/none.txt"
            return
        try:
            files = self._compile(folder, seconds)
        except NotCompiled as error:
            self._folder.cleanup()
            sys.exit(f"keepclear: {error}. {REMEDY}\n{error.details}")
        self.app.display_info(f"compiled {len(files)} kernels")
        for file in files:
            name = f"{file.stem.rpartition('-')[0]}{file.suffix}"  # without the exact compiler
            build_data["force_include"][str(file)] = f"{TARGET}/{name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if self._folder is not None:
            self._folder.cleanup()

    def _compile(self, folder: Path, seconds: float) -> list[Path]:
        """Compile every kernel into the folder, by the sources of this tree and without the user's settings.

        Temporary files go there too: the user's temporary folder may hold kernels of an earlier process.
        """
        scratch = folder / "temporary"
        scratch.mkdir(mode=0o700)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
        environment |= {
            "PYTHONPATH": os.pathsep.join([str(Path(self.root, "src")), *_search_path()]),
            "KEEPCLEAR_CACHE_DIR": str(folder),
            "KEEPCLEAR_QUIET": "",
        }
        if compiled_before := os.environ.get("KEEPCLEAR_BUILD_CACHE"):
            _, complaint = _run(["-c", COPY, compiled_before], environment, 120.0)
            if complaint:
                self.app.display_warning(complaint.strip())
        compiled, _ = _run(["-m", "keepclear.compiler.warmup"], environment, seconds)
        ready = sorted(
            (json.loads(line) for line in compiled.splitlines()), key=lambda entry: entry["kernel"]
        )
        files = {entry["kernel"]: Path(entry["file"]) for entry in ready}
        missing = [entry for entry in ready if files[entry["kernel"]].parent != folder / "kernels"]
        if missing or not ready:
            why = f"{len(missing)} of {len(ready)} compiled kernels were not stored for the wheel"
            raise NotCompiled(why, "\n".join(map(_origin, missing)))
        return list(files.values())


def _origin(entry: dict[str, Any]) -> str:
    """Return where the code of a kernel is that should be in the wheel."""
    where = entry["file"] or f"not stored: {entry['problem'] or 'no reason is known'}"
    return f"  {entry['kernel']} ({entry['origin']}): {where}"


def _search_path() -> list[str]:
    """Return where this Python finds modules.

    An isolated build finds Numba in folders that pip's `sitecustomize` adds. It would also drop our sources where they
    are installed editable, so that its own folder is left out: what it adds is here already.
    """
    return [path for path in sys.path if path and not Path(path, "sitecustomize.py").exists()]


def _seconds() -> float:
    """Return how long compiling may take."""
    given = os.environ.get("KEEPCLEAR_BUILD_SECONDS", "") or SECONDS
    try:
        seconds = float(given)
    except ValueError:
        seconds = math.nan
    if not seconds > 0.0:
        raise ValueError(f"KEEPCLEAR_BUILD_SECONDS is {given!r}; expected a number above 0")
    return seconds


def _run(arguments: list[str], environment: dict[str, str], seconds: float) -> tuple[str, str]:
    """Run this Python in the environment, with all processes that it starts; return what it printed, and on stderr."""
    command = [sys.executable, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            output, complaint = process.communicate(timeout=None if math.isinf(seconds) else seconds)
        except subprocess.TimeoutExpired:
            raise NotCompiled(f"compiling took longer than {seconds:g} s") from None
        finally:
            if process.returncode is None:
                _end(process)
    if process.returncode != 0:
        raise NotCompiled("the kernels did not compile", complaint)
    return output, complaint


def _end(process: subprocess.Popen[str]) -> None:
    """End the process and those it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
