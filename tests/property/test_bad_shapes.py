"""Thousands of seeded bad inputs for shapes and mesh files: an error of ours, or the right content."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from keepclear.errors import KeepclearError, MeshError, MeshFileError, ShapeError
from keepclear.geometry.mesh_files.reading import read_mesh
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.geometry.shapes.shape import Shape

NO_NUMBERS: list[Any] = [
    *(None, True, False, "0.5", b"1", "", 1j, Decimal("NaN"), [], [1.0], (1.0,), {1.0}, {"radius": 1.0}),
    *(
        object(),
        float,
        print,
        np.bool_(True),
        np.array([1.0]),
        np.array([[1.0]]),
        np.array("1"),
        np.array(None),
    ),
    *(np.datetime64("2020-01-01"), slice(3), ...),
]
NO_FACTORS: list[Any] = [
    *NO_NUMBERS,
    *(
        0,
        0.0,
        -0.0,
        -1,
        -1e-3,
        math.nan,
        math.inf,
        -math.inf,
        10**400,
        -(10**400),
        Fraction(-1, 3),
        Fraction(0),
    ),
    *(np.float32(-1), np.float64("inf"), np.int64(0), np.array(-1.0)),
]
NO_SIZES: list[Any] = [*NO_FACTORS, 1e-300, 1e300, 5e-10, 2e9, Fraction(1, 10**12)]


def test_no_bad_size_makes_a_primitive() -> None:
    chance = random.Random(1)
    makers: list[tuple[type[Shape], int]] = [(Sphere, 1), (Capsule, 2), (Cylinder, 2)]
    for _ in range(3000):
        kind, n = chance.choice(makers)
        arguments: list[Any] = [chance.uniform(0.01, 10.0) for _ in range(n)]
        arguments[chance.randrange(n)] = chance.choice(NO_SIZES)
        with pytest.raises(ShapeError, match=f"^{kind.__name__}: (radius|length) .*; "):
            kind(*arguments)


def test_no_bad_size_makes_a_box() -> None:
    chance = random.Random(2)
    for _ in range(2000):
        size: list[Any] = [chance.uniform(0.01, 10.0) for _ in range(3)]
        size[chance.randrange(3)] = chance.choice(NO_SIZES)
        with pytest.raises(ShapeError, match=r"^Box: size\[\d\] .*; "):
            Box(tuple(size) if chance.random() < 0.5 else size)
    wrong_shapes = [[1, 2], [1, 2, 3, 4], np.ones(4), np.ones((3, 1)), np.ones((1, 3)), "123", {1, 2, 3}]
    for whole in [*NO_NUMBERS, *wrong_shapes]:
        with pytest.raises(ShapeError, match=r"^Box: size"):
            Box(whole)


def test_no_bad_factor_scales_a_shape() -> None:
    for factor in NO_FACTORS:
        for shape in (Sphere(1.0), Box([1, 2, 3]), Capsule(1, 2), Cylinder(1, 2), Mesh(*_tetrahedron())):
            with pytest.raises(ShapeError, match="scaled by one finite number > 0"):
                shape.scaled(factor)


def _tetrahedron() -> tuple[np.ndarray, np.ndarray]:
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    return vertices, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def _corruptions(chance: random.Random) -> list[Callable[[np.ndarray, np.ndarray], tuple[Any, Any]]]:
    """Return ways to make a mesh impossible."""
    i, k = chance.randrange(4), chance.randrange(3)

    def entry(array: np.ndarray, value: Any) -> np.ndarray:
        array = array.astype(object) if isinstance(value, str | complex | None) else array.copy()
        array[i, k] = value
        return array

    return [
        lambda v, f: (entry(v, chance.choice([math.nan, math.inf, -math.inf, 1e300, -2e9])), f),
        lambda v, f: (entry(v, chance.choice(["x", None, 1j])), f),
        lambda v, f: (v[:, : chance.randrange(3)], f),
        lambda v, f: (np.hstack([v, v]), f),
        lambda v, f: (v[: chance.randrange(4)], f),
        lambda v, f: (v.astype(complex), f),
        lambda v, f: (v.astype(str), f),
        lambda v, f: (v > 0, f),
        lambda _, f: (chance.choice([None, 3, "mesh", {}, object(), [[0, 0], [1, 2, 3]]]), f),
        lambda v, f: (v, entry(f, chance.choice([-1, 4, 2**40, -(2**60)]))),
        lambda v, f: (v, entry(f, chance.choice(["1", None, 1j]))),
        lambda v, f: (v, entry(f, int(f[i, (k + 1) % 3]))),
        lambda v, f: (v, f.astype(float)),
        lambda v, f: (v, f > 0),
        lambda v, f: (v, f[:, : chance.randrange(3)]),
        lambda v, f: (v, f.ravel()),
        lambda v, f: (v, f[None]),
        lambda v, f: (v, f[:0]),
        lambda v, f: (v, [*f.tolist(), chance.choice([[], [0], [0, 1], 7, None, "012", [0, 1, 9]])]),
        lambda v, _: (v, chance.choice([None, 3, "faces", {}, {1, 2}, object(), [], 1.5])),
        lambda v, _: (v, [[0, 1, 2, 3]]),
    ]  # fmt: skip


def test_no_corrupt_arrays_make_a_mesh() -> None:
    chance = random.Random(3)
    for _ in range(3000):
        vertices, faces = _tetrahedron()
        with pytest.raises(MeshError, match=r"^Mesh"):
            Mesh(*chance.choice(_corruptions(chance))(vertices, faces))


def _files() -> dict[str, tuple[str, bytes]]:
    """Return the same closed mesh as the bytes of a file of each format, with its ending."""
    ball = trimesh.creation.icosphere(subdivisions=1, radius=0.25)
    obj = ball.export(file_type="obj", include_normals=False)
    stl_text = ball.export(file_type="stl_ascii")
    return {
        "stl": (".stl", ball.export(file_type="stl")),
        "text stl": (".stl", stl_text.encode()),
        "obj": (".obj", obj.encode() + b"\n"),
        "obj without end": (".obj", obj.encode()),
        "ply": (".ply", ball.export(file_type="ply")),
        "text ply": (".ply", ball.export(file_type="ply", encoding="ascii")),
        "off": (".off", ball.export(file_type="off").encode()),
        "glb": (".glb", ball.export(file_type="glb")),
        "3mf": (".3mf", ball.scene().export(file_type="3mf")),
        "dae": (".dae", ball.export(file_type="dae")),
    }


FORMATS = list(_files())


def _outcome(file: Path, unit: str | None = None) -> Mesh | KeepclearError:
    """Return what comes of reading a file; exceptions of others pass, and fail the test."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a flipped exponent makes a mesh of a suspicious size
            return read_mesh(file, unit)
    except KeepclearError as error:
        return error


def _surface(mesh: Mesh) -> np.ndarray:
    return mesh.vertices[mesh.triangles].reshape(-1, 9)


@pytest.mark.parametrize("name", FORMATS)
def test_cut_file_is_never_read_with_fewer_faces(name: str, tmp_path: Path) -> None:
    ending, data = _files()[name]
    file = tmp_path / f"ball{ending}"
    file.write_bytes(data)
    whole = _surface(read_mesh(file, unit="m"))
    assert len(whole) == 80
    chance = random.Random(name)
    for size in [*range(20), *range(len(data) - 30, len(data)), *chance.sample(range(len(data)), 80)]:
        file.write_bytes(data[:size])
        outcome = _outcome(file, unit="m")
        if not isinstance(outcome, Mesh):
            assert isinstance(outcome, MeshFileError)
            assert "ball" in str(outcome)  # the message names the file
            continue
        found = _surface(outcome)
        if np.array_equal(found, whole):
            continue  # only white space or the name after 'endsolid' is missing
        # An OBJ file has no end mark and no counts: cut between two lines it is a whole, smaller file.
        assert ending == ".obj", f"cut at {size} of {len(data)}"
        assert b"\n" in data[size - 1 : size + 1]
        assert np.array_equal(found, whole[: len(found)])


@pytest.mark.parametrize("name", FORMATS)
def test_flipped_bytes_give_a_mesh_or_a_clear_error(name: str, tmp_path: Path) -> None:
    ending, data = _files()[name]
    chance = random.Random(name)
    file = tmp_path / f"ball{ending}"
    n_read = 0
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(chance.choice([1, 1, 1, 2, 8])):
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        mesh = _outcome(file)
        if not isinstance(mesh, Mesh):
            assert "ball" in str(mesh)
            continue
        n_read += 1
        assert np.isfinite(mesh.vertices).all()
        assert 0 <= mesh.triangles.min() <= mesh.triangles.max() < len(mesh.vertices)
        assert mesh.area >= 0.0
        assert str(mesh.check)
    if name == "stl":
        assert n_read > 50  # most flips change a coordinate and nothing else


def test_random_bytes_are_no_mesh_of_any_format(tmp_path: Path) -> None:
    chance = random.Random(4)
    for ending in [
        ".stl",
        ".obj",
        ".ply",
        ".off",
        ".glb",
        ".gltf",
        ".dae",
        ".3mf",
        ".STL",
        ".xyz",
        "",
        ".mesh",
    ]:
        for size in [0, 1, 5, 84, 500]:
            file = tmp_path / f"noise{ending}"
            file.write_bytes(chance.randbytes(size))
            with pytest.raises(MeshFileError, match="noise"):
                read_mesh(file)
