"""A wheel carries the machine code of all kernels: who installs it never compiles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from keepclear.kernels._cache_folders import user_folder
from keepclear.kernels._warmup import count_entry_points, group_names

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


@pytest.mark.skipif(sys.platform == "win32", reason="the environment is laid out as on POSIX systems")
def test_an_isolated_build_carries_machine_code_too(project: Path, tmp_path: Path) -> None:
    # An isolated build finds Numba by PYTHONPATH, which the hook replaced: `pip install .` failed everywhere.
    # `make install-matrix` tries more installers; here the versions are those that the kernels are compiled for.
    versions = tmp_path / "versions.txt"
    versions.write_text("".join(f"{name}=={version(name)}\n" for name in ("numba", "llvmlite", "numpy")))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {
        "PIP_CONSTRAINT": str(versions),
        "PIP_BUILD_CONSTRAINT": str(versions),
        "KEEPCLEAR_BUILD_CACHE": str(user_folder()),
        "KEEPCLEAR_PURE_WHEEL": "0",
    }
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", "dist", str(project)]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{tag}-{tag}-" in wheel.name
    assert len(machine_code(wheel)) == count_entry_points(group_names())


def test_a_pure_wheel_carries_none(project: Path, tmp_path: Path) -> None:
    wheel = build(project, tmp_path, KEEPCLEAR_PURE_WHEEL="1")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert machine_code(wheel) == set()
    assert "keepclear/py.typed" in zipfile.ZipFile(wheel).namelist()


@pytest.fixture
def without_compiler(tmp_path: Path) -> dict[str, str]:
    """Settings in which Numba cannot be imported."""
    (tmp_path / "broken" / "llvmlite").mkdir(parents=True)
    (tmp_path / "broken" / "llvmlite" / "__init__.py").write_text("raise ImportError('no compiler here')")
    return {"PYTHONPATH": str(tmp_path / "broken")}


def test_a_wheel_is_pure_where_the_kernels_do_not_compile_and_says_so(
    project: Path, tmp_path: Path, without_compiler: dict[str, str]
) -> None:
    wheel = build(project, tmp_path / "dist", **without_compiler)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert why_none(wheel) == (
        "this wheel carries no machine code, because the kernels did not compile: kernels compile on first use\n"
    )
    with pytest.raises(subprocess.CalledProcessError) as caught:
        build(project, tmp_path / "other", KEEPCLEAR_PURE_WHEEL="0", **without_compiler)
    assert (
        b"the kernels did not compile (KEEPCLEAR_PURE_WHEEL=0)" in caught.value.stderr + caught.value.output
    )
    assert b"no compiler here" in caught.value.stderr + caught.value.output


def test_a_wheel_is_pure_where_compiling_takes_too_long_and_says_so(project: Path, tmp_path: Path) -> None:
    wheel = build(project, tmp_path, KEEPCLEAR_BUILD_SECONDS="0.5")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert "because compiling took longer than 0.5 s: " in why_none(wheel)
    assert machine_code(wheel) == {"none.txt"}


@pytest.mark.parametrize("seconds", ["soon", "0", "-1", "nan"])
def test_a_limit_of_time_is_a_number(project: Path, tmp_path: Path, seconds: str) -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        build(project, tmp_path, KEEPCLEAR_BUILD_SECONDS=seconds)
    message = f"KEEPCLEAR_BUILD_SECONDS is '{seconds}'; expected a number above 0"
    assert message.encode() in caught.value.stderr + caught.value.output


def why_none(wheel: Path) -> str:
    """Return what a wheel without machine code says about it."""
    return zipfile.ZipFile(wheel).read("keepclear/kernels/_machine_code/none.txt").decode()
