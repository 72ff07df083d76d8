"""A wheel carries the machine code of all kernels: who installs it never compiles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from keepclear.kernels._cache_folders import user_folder

FIRST_DISTANCES = """
import json
import numpy as np
import keepclear as kc
from keepclear.kernels import _compile

X_WA, X_WB = np.eye(4), np.eye(4)
X_WB[0, 3] = 3.0
box = kc.Box([1.0, 1.0, 1.0])
hull = kc.Convex(np.random.default_rng(1).normal(size=(40, 3)) * 0.2)
distances = [kc.distance(box, X_WA, box, X_WB).distance, kc.distance(hull, X_WA, box, X_WB).distance]
kc.Tracker(hull, box).distance(X_WA, X_WB)
kc.distance(hull, X_WA, box, X_WA)
kc.distance(hull, np.stack([X_WA, X_WB]), box, X_WA)
origins = {name: entry.origin for name, entry in _compile.entry_points.items() if entry.origin}
print(json.dumps([kc.__file__, distances, _compile.compiled, origins]))
"""


def build(project: Path, folder: Path, **environment: str) -> Path:
    """Build a wheel from the checkout with the tools at hand, and return it."""
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(project),
    ]
    subprocess.run(command, env=os.environ | environment, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def machine_code(wheel: Path) -> set[str]:
    """Return the names of the kernels whose machine code is in the wheel."""
    names = (Path(name) for name in zipfile.ZipFile(wheel).namelist())
    return {path.name.partition("-")[0] for path in names if path.parent.name == "_machine_code"}


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel into a new environment that borrows our dependencies; return its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--no-deps",
        "--quiet",
        str(wheel),
    ]
    subprocess.run(install, check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


@pytest.mark.skipif(sys.platform == "win32", reason="the environment is laid out as on POSIX systems")
def test_an_installed_wheel_never_compiles(project: Path, tmp_path: Path) -> None:
    # The test command has compiled all kernels; what it has not is compiled by the build.
    wheel = build(project, tmp_path / "dist", KEEPCLEAR_BUILD_CACHE=str(user_folder()))
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{tag}-{tag}-" in wheel.name
    shipped = machine_code(wheel)
    assert not any(str(tmp_path) in name or "test" in name for name in zipfile.ZipFile(wheel).namelist())

    python = install(wheel, tmp_path / "new")
    cache = tmp_path / "cache"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-c", FIRST_DISTANCES],
        env=environment | {"KEEPCLEAR_CACHE_DIR": str(cache), "TMPDIR": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    location, distances, compiled, origins = json.loads(done.stdout)
    assert Path(location).is_relative_to(tmp_path / "new")
    assert distances[0] == pytest.approx(2.0, abs=1e-12)
    assert done.stderr == ""
    assert compiled == []
    assert set(origins.values()) == {"shipped"}
    assert set(origins) <= shipped
    assert list(cache.rglob("*.kcode")) == []


def test_a_pure_wheel_carries_none(project: Path, tmp_path: Path) -> None:
    wheel = build(project, tmp_path, KEEPCLEAR_PURE_WHEEL="1")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert machine_code(wheel) == set()
    assert "keepclear/py.typed" in zipfile.ZipFile(wheel).namelist()
