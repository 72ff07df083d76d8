"""Compiles all kernels while a wheel is built: whoever installs it never waits for the compiler."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileKernels(BuildHookInterface[Any]):
    """Puts the machine code of every kernel into the wheel, which then is for one platform and one Python.

    `KEEPCLEAR_PURE_WHEEL=1` builds a wheel for all platforms instead; its kernels compile on first use. An
    editable install carries no machine code either: its sources change. `KEEPCLEAR_BUILD_CACHE=folder` takes what is
    compiled already from a cache folder of the same sources; only the rest is compiled.
    """

    PLUGIN_NAME = "custom"
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or os.environ.get("KEEPCLEAR_PURE_WHEEL", "") not in ("", "0"):
            return
        self._folder = tempfile.TemporaryDirectory(prefix="keepclear-build-")
        files = self._compile(Path(self._folder.name))
        self.app.display_info(f"compiled {len(files)} kernels")
        for file in files:
            build_data["force_include"][str(file)] = f"keepclear/kernels/_machine_code/{file.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if self._folder is not None:
            self._folder.cleanup()

    def _compile(self, folder: Path) -> list[Path]:
        """Compile every kernel into the folder, by the sources of this tree and nobody's settings."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment |= {"PYTHONPATH": str(Path(self.root, "src")), "KEEPCLEAR_CACHE_DIR": str(folder)}
        generation = self._generation(environment)
        if compiled := os.environ.get("KEEPCLEAR_BUILD_CACHE"):
            (folder / "kernels" / generation).mkdir(parents=True)
            for file in Path(compiled, "kernels", generation).glob("*.kcode"):
                shutil.copy2(file, folder / "kernels" / generation)
        command = [sys.executable, "-m", "keepclear.kernels._warmup"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            advice = "KEEPCLEAR_PURE_WHEEL=1 builds a wheel without machine code"
            raise RuntimeError(f"the kernels do not compile; {advice}\n{done.stderr}")
        names = {json.loads(line)["kernel"] for line in done.stdout.splitlines()}
        files = folder.glob(f"kernels/{generation}/*.kcode")
        return sorted(file for file in files if file.name.partition("-")[0] in names)

    def _generation(self, environment: dict[str, str]) -> str:
        """Return the name of the folder for the machine code of these sources."""
        code = "from keepclear.kernels import _compile; print(_compile._generation())"
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()
