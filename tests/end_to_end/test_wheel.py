"""A wheel contains the machine code of all kernels: an installed one never compiles."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from keepclear.compiler.cache_folders import user_folder
from keepclear.compiler.warmup import count_entry_points, group_names

FIRST_DISTANCES = """
import json
import numpy as np
import keepclear as kc
from keepclear.compiler import kernel

X_WA, X_WB = np.eye(4), np.eye(4)
X_WB[0, 3] = 3.0
box = kc.Box([1.0, 1.0, 1.0])
hull = kc.Convex(np.random.default_rng(1).normal(size=(40, 3)) * 0.2)
distances = [kc.distance(box, X_WA, box, X_WB).distance, kc.distance(hull, X_WA, box, X_WB).distance]
kc.Tracker(hull, box).distance(X_WA, X_WB)
kc.distance(hull, X_WA, box, X_WA)
kc.distance(hull, np.stack([X_WA, X_WB]), box, X_WA)
origins = {name: entry.origin for name, entry in kernel.entry_points.items() if entry.origin}
print(json.dumps([kc.__file__, distances, kernel.compiled, origins]))
"""


STRAY = "convex.pose"
"""A module whose kernels compile in a second."""
STRAY_KERNELS = (
    f"from keepclear.compiler import warmup; print(*warmup.compile_group('keepclear.kernels.{STRAY}'))"
)


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
    # The test command has compiled all kernels; what it has not is compiled by the build. The user's temporary folder
    # has kernels of a process that could not write to its cache folder: wheels lacked these, and became pure.
    user = {"HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "tmp"), "XDG_CACHE_HOME": ""}
    (tmp_path / "home").mkdir()
    (tmp_path / "tmp").mkdir()
    (tmp_path / "file").touch()
    stray = user | {"KEEPCLEAR_CACHE_DIR": str(tmp_path / "file" / "cache")}
    subprocess.run([sys.executable, "-c", STRAY_KERNELS], env=os.environ | stray, check=True)
    strays = {path.name for path in (tmp_path / "tmp").glob(f"keepclear-*/kernels/{STRAY}.*.kcode")}
    assert strays
    shutil.copytree(user_folder() / "kernels", tmp_path / "others" / "kernels", ignore=lambda *_: strays)
    (tmp_path / "others").chmod(0o700)
    wheel = build(
        project,
        tmp_path / "dist",
        KEEPCLEAR_BUILD_CACHE=str(tmp_path / "others"),
        KEEPCLEAR_CACHE_DIR="",
        **user,
    )
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

    shown = subprocess.run(
        [python.with_name("keepclear"), "cache"],
        env=environment | user | {"KEEPCLEAR_CACHE_DIR": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert shown[0] == f"folder   {tmp_path / 'home' / '.cache' / 'keepclear' / 'kernels'}"
    assert shown[1] == "cached   0 kernels, 0.0 MB"
    assert shown[2].startswith(f"unused   {len(strays)} kernels, ")
    assert shown[3].startswith(f"shipped  {count_entry_points(group_names())} kernels, ")


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
    assert machine_code(wheel) == {"none.txt"}
    reason = zipfile.ZipFile(wheel).read("keepclear/kernels/_machine_code/none.txt").decode()
    assert (
        reason
        == "built without machine code, as asked by KEEPCLEAR_PURE_WHEEL=1: kernels compile on first use\n"
    )
    assert "keepclear/py.typed" in zipfile.ZipFile(wheel).namelist()


@pytest.fixture
def without_compiler(tmp_path: Path) -> dict[str, str]:
    """Settings in which Numba cannot be imported."""
    (tmp_path / "broken" / "llvmlite").mkdir(parents=True)
    (tmp_path / "broken" / "llvmlite" / "__init__.py").write_text("raise ImportError('no compiler here')")
    return {"PYTHONPATH": str(tmp_path / "broken")}


def test_a_build_fails_if_the_kernels_do_not_compile(
    project: Path, tmp_path: Path, without_compiler: dict[str, str]
) -> None:
    output = failed_build(project, tmp_path / "dist", **without_compiler)
    assert (
        "keepclear: the kernels did not compile. Set KEEPCLEAR_PURE_WHEEL=1 to build a wheel without"
        in output
    )
    assert "no compiler here" in output


def test_a_build_fails_if_compiling_takes_too_long(project: Path, tmp_path: Path) -> None:
    output = failed_build(project, tmp_path / "dist", KEEPCLEAR_BUILD_SECONDS="0.5")
    assert "keepclear: compiling took longer than 0.5 s. Set KEEPCLEAR_PURE_WHEEL=1" in output


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no modes")
def test_a_build_fails_if_kernels_cannot_be_stored_and_names_them(project: Path, tmp_path: Path) -> None:
    # A few kernels in a copy of the sources, built in a temporary folder that every user may write to.
    copy = tmp_path / "project"
    sources = shutil.ignore_patterns(".*", "_machine_code", "static", "tests", "docs", "web", "build", "dist")
    shutil.copytree(project, copy, ignore=sources)
    for folder in (copy / "src/keepclear/kernels").glob("[!_]*"):
        if folder.is_dir() and folder.name not in ("convex", "tables"):
            shutil.rmtree(folder)
    for module in (copy / "src/keepclear/kernels/convex").glob("[!_]*.py"):
        if module.stem != "pose":
            module.unlink()
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    output = failed_build(copy, tmp_path / "dist", TMPDIR=str(tmp_path / "open"))
    assert (
        "keepclear: 2 of 2 compiled kernels were not stored for the wheel. Set KEEPCLEAR_PURE_WHEEL=1"
        in output
    )
    assert "convex.pose.project_poses (compiled): not stored: compiled kernels are not used: " in output
    assert f"{tmp_path / 'open'} can be written by other users (mode 0777)" in output


def failed_build(project: Path, folder: Path, **environment: str) -> str:
    """Return the output of a build that must fail, and leave no wheel."""
    with pytest.raises(subprocess.CalledProcessError) as caught:
        build(project, folder, **environment)
    assert not list(folder.glob("*.whl"))
    return (caught.value.output + caught.value.stderr).decode()


@pytest.mark.parametrize("seconds", ["soon", "0", "-1", "nan"])
def test_a_limit_of_time_is_a_number(project: Path, tmp_path: Path, seconds: str) -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        build(project, tmp_path, KEEPCLEAR_BUILD_SECONDS=seconds)
    message = f"KEEPCLEAR_BUILD_SECONDS is '{seconds}'; expected a number above 0"
    assert message.encode() in caught.value.stderr + caught.value.output
