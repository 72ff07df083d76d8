"""Compiles all kernels while a wheel is built: whoever installs it never waits for the compiler."""

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
COPY = """
import sys
from pathlib import Path
from keepclear.kernels import _cache_folders, _compile
generation = _compile._generation()
if sys.argv[1]:
    _cache_folders.copy_code(Path(sys.argv[1]), generation)
print(generation)
"""


class NotCompiled(Exception):  # noqa: N818
    """The kernels did not compile; the message says why in a few words, the details are what the compiler said."""

    def __init__(self, why: str, details: str = "") -> None:
        super().__init__(why)
        self.details = details


class CompileKernels(BuildHookInterface[Any]):
    """Puts the machine code of every kernel into the wheel, which then is for one platform and one Python.

    Where the kernels do not compile, or not within `KEEPCLEAR_BUILD_SECONDS`, the wheel is pure: it is for all
    platforms, its kernels compile on first use, and `keepclear cache` says why. `KEEPCLEAR_PURE_WHEEL=1` builds a
    pure wheel at once, `KEEPCLEAR_PURE_WHEEL=0` never: the build then fails. An editable install carries no machine
    code: its sources change. `KEEPCLEAR_BUILD_CACHE=folder` takes what is compiled already from a cache folder of the
    same sources, if nobody else can write to it; only the rest is compiled.
    """

    PLUGIN_NAME = "custom"
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        wish = os.environ.get("KEEPCLEAR_PURE_WHEEL", "")
        if version == "editable" or wish not in ("", "0"):
            return
        seconds = _seconds()
        self._folder = tempfile.TemporaryDirectory(prefix="keepclear-build-")
        folder = Path(self._folder.name)
        try:
            files = self._compile(folder, seconds)
        except NotCompiled as error:
            if wish == "0":
                raise RuntimeError(f"{error} (KEEPCLEAR_PURE_WHEEL=0)\n{error.details}") from error
            self._explain(error, folder, build_data)
            return
        self.app.display_info(f"compiled {len(files)} kernels")
        for file in files:
            build_data["force_include"][str(file)] = f"{TARGET}/{file.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if self._folder is not None:
            self._folder.cleanup()

    def _explain(self, error: NotCompiled, folder: Path, build_data: dict[str, Any]) -> None:
        """Say that the wheel is pure: now, which pip shows with -v only, and in the wheel itself."""
        reason = f"this wheel carries no machine code, because {error}: kernels compile on first use"
        self.app.display_warning(f"{reason}\n{error.details}")
        (folder / "none.txt").write_text(f"{reason}\n", "utf-8")
        build_data["force_include"][str(folder / "none.txt")] = f"{TARGET}/none.txt"

    def _compile(self, folder: Path, seconds: float) -> list[Path]:
        """Compile every kernel into the folder, by the sources of this tree and without the user's settings."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment |= {
            "PYTHONPATH": os.pathsep.join([str(Path(self.root, "src")), *_search_path()]),
            "KEEPCLEAR_CACHE_DIR": str(folder),
            "KEEPCLEAR_QUIET": "",
        }
        copied, complaint = _run(
            ["-c", COPY, os.environ.get("KEEPCLEAR_BUILD_CACHE", "")], environment, 120.0
        )
        generation = copied.strip()
        if complaint:
            self.app.display_warning(complaint.strip())
        compiled, _ = _run(["-m", "keepclear.kernels._warmup"], environment, seconds)
        names = {json.loads(line)["kernel"] for line in compiled.splitlines()}
        files = folder.glob(f"kernels/{generation}/*.kcode")
        files = sorted(file for file in files if file.name.partition("-")[0] in names)
        missing = names - {file.name.partition("-")[0] for file in files}
        if missing:
            raise NotCompiled(f"{len(missing)} kernels could not be stored", ", ".join(sorted(missing)))
        return files


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
