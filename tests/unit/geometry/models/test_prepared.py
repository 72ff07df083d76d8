"""Prepared models: the same answers as their shapes, in memory and from files, and no file that is not true."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.geometry.storage.test_cache import bumpy

import keepclear as kc
from keepclear.files.archives import npz_arrays
from keepclear.geometry.hulls import build, faces
from keepclear.geometry.models.prepared import _decoded, _encoded
from keepclear.geometry.models.sections import SECTIONS
from keepclear.geometry.storage import section_file
from keepclear.geometry.storage.section_file import FileDamage
from keepclear.geometry.trees import trees
from keepclear.kernels.decomposition import merging

HERE = np.eye(4)
CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
SHAPES = {
    "sphere": lambda: kc.Sphere(0.5),
    "box": lambda: kc.Box([1, 2, 3]),
    "capsule": lambda: kc.Capsule(0.2, 1.0),
    "cylinder": lambda: kc.Cylinder(0.2, 1.0),
    "ellipsoid": lambda: kc.Ellipsoid([0.1, 0.2, 0.3]),
    "convex": lambda: kc.Convex(np.random.default_rng(1).normal(size=(200, 3))),
    "faces": lambda: kc.Convex(CORNERS, QUADS),
    "quads": lambda: kc.Mesh(CORNERS, QUADS, name="quads"),
    "mesh": bumpy,
    "open": lambda: kc.Mesh(bumpy().vertices, bumpy().triangles[:-3], solid=False, tessellation_error=1e-4),
    "flat": lambda: kc.Mesh(CORNERS[:4], [[0, 1, 2], [1, 3, 2]]),
}


def at(*offset: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = offset
    return X


def is_mesh(shape: kc.Shape) -> bool:
    return isinstance(shape, kc.Mesh)


def answers(shape: Any) -> list[Any]:
    """What a few questions say about a shape."""
    X = np.stack([at(0.2, 0.1, 0.05), at(3.0, 0.4, 0.2), at(0.0, 0.0, 2.0)])
    found = [kc.distance(shape, HERE, kc.Sphere(0.1), X)]
    found += [
        kc.distance(shape, HERE, shape, X[1]),
        kc.distance([(shape, X[0])], HERE, kc.Box([1, 1, 1]), X[1]),
    ]
    rows = [array for one in found for array in (one.distance, one.lower, one.upper)]
    return [np.asarray(row).tolist() for row in rows] + [kc.collide(shape, HERE, shape, X).colliding.tolist()]


@pytest.mark.parametrize("name", SHAPES)
def test_a_prepared_shape_answers_as_the_shape_does_in_memory_and_from_a_file(
    name: str, tmp_path: Path
) -> None:
    shape = SHAPES[name]()
    kept = kc.prepare(
        SHAPES[name](), trees=["obb_tree", "box_tree"], sphere_tree=0.25, elements=is_mesh(shape)
    )
    kc.write_prepared(kept, tmp_path / "model.kcm")
    read = kc.read_prepared(tmp_path / "model.kcm")
    assert kept.shape == read.shape == shape
    assert read.sections == kept.sections
    assert (repr(read), hash(read.shape)) == (f"Prepared({shape!r})", hash(shape))
    assert answers(kept) == answers(read) == answers(shape)
    again = pickle.loads(pickle.dumps(read))
    assert again.sections == read.sections
    for array in ("_spheres", "_first", "_parent", "_cells"):
        mine, theirs = getattr(read.sphere_tree, array), getattr(kept.sphere_tree, array)
        assert mine.tobytes() == theirs.tobytes()
    assert (read.sphere_tree.excess, read.sphere_tree.ratio) == (
        kept.sphere_tree.excess,
        kept.sphere_tree.ratio,
    )
    if is_mesh(shape):
        assert read.elements.element_of.tolist() == kept.elements.element_of.tolist()
        assert read.elements.signs.tolist() == kept.elements.signs.tolist()
        assert (read.elements.n_borders, read.elements.eps) == (kept.elements.n_borders, kept.elements.eps)
        assert np.allclose(read.elements.defects, kept.elements.defects, rtol=0.0, atol=1e-15)
    assert copy.copy(read) is copy.deepcopy(read) is read


def test_nothing_is_built_again_for_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = kc.prepare(bumpy(), trees=["obb_tree", "box_tree"], elements=True)
    kc.write_prepared(kept, tmp_path / "model.kcm")

    def refuse(*_: object) -> None:
        raise AssertionError("it was built again")

    for module, name in (
        (trees, "build_obb_tree"), (trees, "build_box_tree"), (build, "build_hull_graph"),
        (faces, "find_witnesses"), (merging, "merge"), (merging, "grow"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, refuse)
    read = kc.read_prepared(tmp_path / "model.kcm")
    assert kc.distance(read, HERE, read, at(3.0, 0.0, 0.0)).distance > 0.0
    assert kc.collide(read, HERE, read, at(0.3, 0.0, 0.0), using="box_tree").colliding
    world = kc.World()
    world.add("a", read, HERE)
    world.add("b", read, kc.PoseTrajectory([0.0, 1.0], np.stack([at(3.0, 0, 0), at(4.0, 0, 0)]), "linear"))
    assert world.verify().verdict is kc.Verdict.CLEAR


def test_every_door_takes_a_prepared_model() -> None:
    mesh = bumpy()
    model = kc.prepare(mesh)
    motion = kc.PoseTrajectory([0.0, 1.0], np.stack([at(4.0, 0, 0), at(0.0, 0, 0)]), "linear")
    for ask in (
        lambda s: kc.first_contact(s, kc.Fixed(HERE), s, motion).time,
        lambda s: kc.clearance(s, kc.Fixed(HERE), kc.Sphere(0.1), kc.Fixed(at(3, 0, 0))).lower,
        lambda s: kc.first_contact_batch([(s, kc.Fixed(HERE), kc.Sphere(0.1), motion)])[0].time,
        lambda s: kc.Tracker(s, kc.Box([1, 1, 1])).distance(HERE, at(3, 0, 0)).distance,
        lambda s: kc.build_sphere_tree(s, 0.2).n_spheres,
        lambda s: kc.build_obb_tree(s).n_nodes,
        lambda s: kc.collide([(s, HERE)], HERE, [(s, HERE)], at(3, 0, 0)).colliding,
        lambda s: motion.path_length(s, 0.0, 1.0),
    ):
        assert ask(model) == ask(mesh)
    world = kc.World()
    world.add("a", [(model, HERE), (kc.Sphere(0.1), at(0, 0, 1))], HERE)
    world.add("b", model, at(3, 0, 0))
    assert world.distances(0.0)[0].distance > 0.0


def test_what_prepare_refuses() -> None:
    class Other(kc.Prepared):
        __slots__ = ()

    with pytest.raises(kc.ArgumentError, match="expected a shape"):
        kc.prepare(3)  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="trees must be a list of 'obb_tree' and 'box_tree'"):
        kc.prepare(bumpy(), trees=["sphere"])  # type: ignore[list-item]
    with pytest.raises(kc.ArgumentError, match="write_prepared takes what kc"):
        kc.write_prepared(bumpy(), "x.kcm")  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="expected a shape"):
        kc.distance(object.__new__(Other), HERE, kc.Sphere(1.0), HERE)
    with pytest.raises(TypeError, match=r"kc.prepare\(shape\)"):
        kc.Prepared()
    model = kc.prepare(kc.Sphere(1.0))
    with pytest.raises(AttributeError, match="never changes"):
        model.shape = kc.Sphere(2.0)  # type: ignore[misc]
    with pytest.raises(AttributeError, match="never changes"):
        del model.shape


def test_which_trees_are_built() -> None:
    assert {"obb_tree", "box_tree"} & set(kc.prepare(bumpy()).sections) == {"obb_tree"}
    assert {"obb_tree", "box_tree"} <= set(kc.prepare(kc.Mesh(CORNERS, QUADS)).sections)
    bare = kc.prepare(bumpy(), trees=[], hull=False).sections
    assert set(bare) == {"shape"}
    assert kc.prepare(bumpy()).elements is None
    assert kc.prepare(bumpy()).sphere_tree is None


def test_elements_and_spheres_with_other_settings() -> None:
    elements, spheres = kc.decompose(bumpy(), 0.01), kc.build_sphere_tree(bumpy(), 0.3, cells="even")
    model = kc.prepare(bumpy(), elements=elements, sphere_tree=spheres)
    read = _decoded(_encoded(model))
    assert (read.elements.eps, read.sphere_tree.cells) == (0.01, "even")
    other = kc.Mesh(CORNERS, QUADS)
    with pytest.raises(kc.ArgumentError, match=r"elements must be True, False or what kc.decompose"):
        kc.prepare(other, elements=elements)
    with pytest.raises(kc.ArgumentError, match="sphere_tree covers another shape"):
        kc.prepare(other, sphere_tree=spheres)
    with pytest.raises(kc.ArgumentError, match="accuracy must be"):
        kc.prepare(other, sphere_tree=-1.0)
    with pytest.raises(kc.ArgumentError, match="Sphere is convex already"):
        kc.prepare(kc.Sphere(1.0), elements=True)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("cells", ["source", "even"])
def test_a_sphere_tree_from_a_file_is_the_one_that_was_built(name: str, cells: Any) -> None:
    """For all kinds of surface, and for one rank and many."""
    shape = SHAPES[name]()
    for accuracy in (5.0, 0.4, 0.11):
        tree = kc.build_sphere_tree(shape, accuracy, cells=cells)
        again = _decoded(_encoded(kc.prepare(shape, trees=[], hull=False, sphere_tree=tree))).sphere_tree
        assert again._spheres.tobytes() == tree._spheres.tobytes()
        assert (again._radii, again.accuracy, again.excess) == (tree._radii, tree.accuracy, tree.excess)


def test_files_that_are_not_there_or_no_models(tmp_path: Path) -> None:
    with pytest.raises(kc.FileMissingError, match="there is no prepared model"):
        kc.read_prepared(tmp_path / "none.kcm")
    with pytest.raises(kc.PreparedFileError, match="cannot be opened: it is a folder"):
        kc.read_prepared(tmp_path)
    with pytest.raises(kc.PreparedFileError, match="cannot be written"):
        kc.write_prepared(kc.prepare(kc.Sphere(1.0)), tmp_path / "none" / "model.kcm")
    for wrong in (3, "", "a\0b"):
        with pytest.raises(kc.ArgumentError, match="takes the path of a file"):
            kc.read_prepared(wrong)  # type: ignore[arg-type]
    (tmp_path / "foreign.kcm").write_bytes(b"solid part\n" * 20)
    with pytest.raises(kc.PreparedFileError, match=r"foreign.kcm' is not a prepared model"):
        kc.read_prepared(tmp_path / "foreign.kcm")


def test_a_file_that_cannot_be_finished_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.kcm"
    kc.write_prepared(kc.prepare(kc.Sphere(1.0)), path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(kc.PreparedFileError, match="No space left on device"):
        kc.write_prepared(kc.prepare(kc.Sphere(2.0)), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# Files as somebody would write them on purpose: all checksums right, and something in them not true.


def edited(data: bytes, edit: Callable[[dict[str, Any], dict[str, np.ndarray]], None]) -> bytes:
    """Return a file with its values and arrays changed, and all checksums made right again."""
    about, arrays = section_file.decode(data)
    arrays = {name: array.copy() for name, array in arrays.items()}
    edit(about, arrays)
    return section_file.encode(about, arrays)


BOTH: Any = ["obb_tree", "box_tree"]
MODEL = _encoded(kc.prepare(bumpy(), trees=BOTH, elements=kc.decompose(bumpy(), 0.02), sphere_tree=0.25))


def test_the_model_of_these_tests_is_good() -> None:
    assert edited(MODEL, lambda *_: None) == MODEL
    assert set(_decoded(MODEL).sections) == {"shape", *SECTIONS}


def as_bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), np.uint8)


def packed(change: Callable[[dict[str, Any], dict[str, np.ndarray]], None]) -> bytes:
    """Return a file whose values and arrays are changed before they are packed, as a foreign program may write them."""
    arrays = npz_arrays(MODEL)
    about = json.loads(arrays.pop("about").tobytes())
    change(about, arrays)
    about = {**about, "arrays": list(arrays)} if "about" not in arrays else about
    content = io.BytesIO()
    np.savez(content, **({"about": as_bytes(json.dumps(about))} | arrays))  # type: ignore[arg-type]
    return content.getvalue()


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda _, a: a.update(about=as_bytes("{]")), "values that are not JSON"),
        (lambda _, a: a.update(about=as_bytes("3")), "has format None"),
        (lambda _, a: a.update(about=as_bytes('{"format": 2, "format": 2}')), "values that are not JSON"),
        (lambda h, _: h.update(format=1), "has format 1, and format 2 is read here; prepare it again"),
        (lambda h, _: h.update(format="3"), "has format 3, and format 2 is read here; prepare"),
        (lambda h, _: h.update(format=3), "has format 3, and format 2 is read here; a newer version of keepclear"),
        (lambda _, a: a.update({"hull/facet": np.array(["a"])}), "'hull/facet' of the type <U1"),
        (lambda _, a: a.update({"hull/facet": np.zeros(4, np.float16)}), "'hull/facet' of the type float16"),
        (lambda _, a: a.update({"hull/facet": np.zeros((1, 1, 1, 1))}), "'hull/facet' of the type float64"),
        (lambda _, a: a.update({"hull/facet": np.zeros(())}), "'hull/facet' of the type float64"),
        (lambda _, a: a.update({"hull/facet": np.array([None])}), "has objects"),
        (lambda _, a: a.update({"shape/other": a.pop("shape/vertices")}), "mesh without vertices"),
        (lambda _, a: a.update({"hull/other": a.pop("hull/facet")}), "has a hull with other arrays than"),
        (lambda _, a: a.update(about=as_bytes('{"format": 2, "arrays": []}')), "other arrays than it lists"),
        (lambda _, a: a.update(about=as_bytes('{"format": 2}')), "other arrays than it lists"),
        (lambda h, _: h.pop("builders"), "other sections than its header lists"),
        (lambda h, _: h["builders"].pop("hull"), "other sections than its header lists"),
        (lambda h, _: h["builders"].update(hull=2), "section 'hull' of version 2, and version 1 is read here"),
        (lambda h, _: h["builders"].update(hull="1"), "of version '1'"),
        (lambda h, a: (h["builders"].update(later=1), a.update({"later/a": np.zeros(1)})), "'later' that is not known"),
        (lambda h, _: h.update(aligned=1.5), "not from 0 to 1"),
        (lambda h, _: h.update(aligned=float("nan")), "not from 0 to 1"),
        (lambda h, _: h.update(aligned="0.5"), "not from 0 to 1"),
        (lambda h, _: h.pop("shape"), "of an unknown kind"),
        (lambda h, _: h["shape"].update(kind="Cone"), "of an unknown kind"),
        (lambda h, _: h["shape"].update(kind="Sphere"), "other values than its kind has"),
        (lambda h, _: h["shape"].update(solid=2), "values that no mesh has"),
        (lambda h, _: h["shape"].update(tessellation_error=-1), "values that no mesh has"),
        (lambda h, _: h["shape"].update(name=3), "values that no mesh has"),
    ],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused(edit: Callable[..., Any], why: str) -> None:
    with pytest.raises(FileDamage, match=why):
        _decoded(packed(edit))


def test_structures_of_meshes_in_a_file_of_a_box_are_refused() -> None:
    """Also sections that no box has, with arrays that would be right for a mesh."""
    box = _encoded(kc.prepare(kc.Box([1.0, 1.0, 1.0])))
    for name in set(SECTIONS) - {"sphere_tree"}:
        _, arrays = section_file.decode(MODEL)
        mine = {key: array for key, array in arrays.items() if key.startswith(f"{name}/")}
        about, own = section_file.decode(box)
        about["builders"][name] = SECTIONS[name].version
        with pytest.raises(FileDamage, match=r"belongs to a mesh, for a Box|has a hull for a Box"):
            _decoded(section_file.encode(about, own | mine))


def test_files_of_an_older_version_are_refused(tmp_path: Path) -> None:
    (tmp_path / "old.kcm").write_bytes(b"keepclear model\n" + bytes(200))
    with pytest.raises(
        kc.PreparedFileError, match=r"old.kcm' has format 1, and format 2 is read here; prepare it again"
    ):
        kc.read_prepared(tmp_path / "old.kcm")


def set_value(name: str, index: Any, value: Any) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    def edit(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        arrays[name].view(np.int32 if isinstance(value, int) else arrays[name].dtype)[index] = value

    return edit


def shrink(name: str) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    def edit(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        arrays[name] = arrays[name][:-1]

    return edit


def scale_half_sizes(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    arrays["obb_tree/nodes"].reshape(-1, 16)[0, 12:15] *= 0.999


def swap_leaves(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    links = arrays["obb_tree/nodes"].view(np.int32).reshape(-1, 16)[:, 15]
    leaves = np.flatnonzero(links < 0)
    links[leaves[[0, -1]]] = links[leaves[[-1, 0]]]


def make_tiny(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Make the mesh too small for boxes in single precision."""
    arrays["shape/vertices"] *= 1e-25


def move_vertex(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Move a vertex out of all that was built around it."""
    arrays["shape/vertices"][5] += 0.5


def cut_counts(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Ask for many spheres in a file that is too small for them."""
    arrays["sphere_tree/counts"] = arrays["sphere_tree/counts"][:2]


def merge_elements(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Say that the first two elements are one."""
    owner = arrays["elements/element_of_face"]
    owner[owner > 0] -= 1
    arrays["elements/signs"] = arrays["elements/signs"][1:]


def call_flat(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Say that the whole surface is one flat face."""
    arrays["elements/face_of"][:] = 0
    arrays["elements/element_of_face"], arrays["elements/signs"] = np.zeros(1, np.int32), np.ones(1, np.int32)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (set_value("shape/vertices", (0, 0), np.nan), "not finite"),
        (set_value("shape/triangles", (0, 0), 10**6), "vertex that is not there"),
        (set_value("shape/triangles", (0, 0), -1), "vertex that is not there"),
        (set_value("shape/triangles", 0, 7), "fewer than 3 different corners"),
        (shrink("shape/triangles"), "make no tree"),
        (move_vertex, "does not hold its triangles"),
        (make_tiny, "nothing can be built: Mesh extends"),
        (scale_half_sizes, "does not hold its triangles"),
        (swap_leaves, "does not hold its triangles"),
        (set_value("obb_tree/nodes", 15, 0), "make no tree"),  # the root is its own child
        (set_value("obb_tree/nodes", 15, 10**8), "make no tree"),
        (set_value("obb_tree/nodes", 15, -1), "make no tree"),
        (set_value("obb_tree/nodes", 15, -(10**8)), "make no tree"),
        (set_value("obb_tree/nodes", 0, np.float32(np.nan)), "make no tree"),
        (set_value("obb_tree/nodes", 12, np.float32(np.inf)), "make no tree"),
        (set_value("obb_tree/nodes", 12, np.float32(-1.0)), "make no tree"),
        (set_value("obb_tree/nodes", 3, np.float32(2.0)), "make no tree"),
        (shrink("obb_tree/nodes"), "make no tree"),
        (set_value("box_tree/nodes", 0, 0), "make no tree|does not hold"),
        (set_value("box_tree/nodes", 1, np.float32(-1.0)), "make no tree|does not hold"),
        (set_value("box_tree/nodes", 1, np.float32(np.nan)), "make no tree|does not hold"),
        (set_value("box_tree/nodes", 1, np.float32(2.6)), "make no tree|does not hold"),
        (set_value("box_tree/nodes", -3, 1), "make no tree"),  # the depth, for which searches take scratch
        (set_value("box_tree/nodes", -3, 10**9), "make no tree"),
        (shrink("box_tree/nodes"), "make no tree"),
        (set_value("hull/point_index", 0, -1), "not that of its points"),
        (set_value("hull/triangles", (0, 0), 10**6), "not that of its points"),
        (set_value("hull/witness", 0, 10**6), "not that of its points"),
        (set_value("hull/order", 0, 10**6), "not that of its points"),
        (shrink("hull/table"), "not that of its points"),
        (merge_elements, "not convex within its tolerance"),
        (call_flat, "not convex within its tolerance"),
        (set_value("elements/face_of", 0, -1), "do not have each triangle once"),
        (set_value("elements/face_of", 0, 10**6), "do not have each triangle once"),
        (set_value("elements/element_of_face", 0, 10**6), "do not have each triangle once"),
        (set_value("elements/signs", 0, 0), "do not have each triangle once"),
        (shrink("elements/face_of"), "do not have each triangle once"),
        (set_value("elements/eps", 0, np.nan), "a tolerance that none has"),
        (set_value("elements/eps", 0, np.inf), "a tolerance that none has"),
        (set_value("elements/eps", 0, 1e-9), "not convex within its tolerance"),
        (shrink("elements/eps"), "a tolerance that none has"),
        (set_value("hull_faces/face", 0, -2), "other triangles than its mesh has"),
        (set_value("hull_faces/face", 0, 10**6), "other triangles than its mesh has"),
        (shrink("hull_faces/face"), "other triangles than its mesh has"),
        (set_value("sphere_tree/settings", 0, np.nan), "cannot be built: accuracy must be"),
        (set_value("sphere_tree/settings", 0, -1.0), "cannot be built: accuracy must be"),
        (set_value("sphere_tree/settings", 0, 1e-300), "cannot be built: accuracy = 1e-300 m is too fine"),
        (set_value("sphere_tree/settings", 0, 1e-4), "cannot be built: a rank would have"),
        (set_value("sphere_tree/settings", 1, 2.5), "settings that none has"),
        (set_value("sphere_tree/settings", 1, 1e9), "settings that none has"),
        (set_value("sphere_tree/settings", 2, np.nan), "settings that none has"),
        (shrink("sphere_tree/settings"), "settings that none has"),
        (cut_counts, "cannot be built: a rank would have"),
    ],
)  # fmt: skip
def test_whatever_is_not_true_of_the_shape_is_refused(edit: Callable[..., None], why: str) -> None:
    with pytest.raises(FileDamage, match=why):
        _decoded(edited(MODEL, edit))


def test_an_open_mesh_that_is_said_to_be_solid_is_refused() -> None:
    """What winding numbers say about an open mesh means nothing."""
    data = _encoded(kc.prepare(kc.Mesh(bumpy().vertices, bumpy().triangles[:-3])))
    with pytest.raises(FileDamage, match="claims that its mesh is solid, but it is open"):
        _decoded(edited(data, lambda about, _: about["shape"].update(solid=True)))


def test_faces_of_a_hull_that_are_said_to_be_real_are_compared() -> None:
    """Triangles that are given to a face in whose plane they do not lie make no virtual face real."""
    truth = _decoded(MODEL).shape._packed.hull_faces

    def claim(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        arrays["hull_faces/face"][:] = np.flatnonzero(truth.virtuality == faces.VIRTUAL)[0]

    def forget(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        arrays["hull_faces/face"][:] = -1

    for edit in (claim, forget):
        found = _decoded(edited(MODEL, edit)).shape._packed.hull_faces
        assert (found.virtuality == faces.VIRTUAL).all()
    assert (truth.virtuality == faces.REAL).any()


@pytest.mark.parametrize("seed", range(10))
def test_damaged_files_are_refused(seed: int) -> None:
    """Bits that flip, ends that are truncated, parts that change places: a hundred each time."""
    rng = np.random.default_rng(seed)
    for _ in range(100):
        data = bytearray(MODEL)
        kind = rng.integers(4)
        if kind == 0:
            data[rng.integers(len(data))] ^= 1 << rng.integers(8)
        elif kind == 1:
            del data[rng.integers(len(data)) :]
        elif kind == 2:
            length, (i, j) = rng.integers(1, 4096), np.sort(rng.integers(0, len(data) - 8192, 2))
            j += length
            data[i : i + length], data[j : j + length] = data[j : j + length], data[i : i + length]
            if data == MODEL:
                continue
        else:
            data += bytes(rng.integers(1, 200))
        try:
            found = _decoded(bytes(data))
        except FileDamage:
            continue
        # Bytes of the archive that mean nothing, such as the date of an array or what is behind its end.
        assert _encoded(found) == MODEL


def check_sphere_tree(tree: kc.SphereTree) -> None:
    """Compare a sphere tree with the surface: points of it are in each rank, and no sphere reaches too far from it."""
    mesh: Any = tree.shape
    weights = np.random.default_rng(0).dirichlet(np.ones(3), size=(len(mesh.triangles), 4))
    points = np.einsum("tki,tij->tkj", weights, mesh.vertices[mesh.triangles]).reshape(-1, 3)
    for rank in tree.ranks:
        apart = np.linalg.norm(points[:, None] - rank.centers[None], axis=2)
        assert (apart.min(axis=1) <= rank.radius).all()
    X = np.tile(np.eye(4), (len(rank), 1, 1))
    X[:, :3, 3] = rank.centers
    dust = kc.Sphere(1e-9)
    surface = kc.Mesh(mesh.vertices, mesh.triangles, solid=False)
    assert (kc.distance(surface, HERE, dust, X).distance + rank.radius <= tree.excess + 2e-9).all()


def check_elements(elements: Any) -> None:
    """Compare elements with their definition."""
    V, T = elements.mesh.vertices, elements.mesh.triangles
    assert sorted(np.concatenate([element.faces for element in elements])) == list(range(len(T)))
    for element in elements:
        a, b, c = (V[T[element.faces, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        points = V[np.unique(T[element.faces])]
        heights = element.sign * (normals @ points.T - np.einsum("ij,ij->i", normals, a)[:, None])
        assert heights.max() <= element.defect + 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_arrays_changed_on_purpose_are_refused_or_answer_the_same(seed: int) -> None:
    """Any number of any section but the shape's own may be changed, with all checksums right."""
    rng = np.random.default_rng(100 + seed)
    truth, refused = answers(bumpy()), 0
    names = [name for name in section_file.decode(MODEL).sections if not name.startswith("shape/")]

    def edit(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        array = arrays[names[rng.integers(len(names))]]
        bits = array.reshape(-1).view(np.uint8)
        if len(bits):
            bits[rng.integers(len(bits))] ^= 1 << rng.integers(8)

    for _ in range(30):
        try:
            model = _decoded(edited(MODEL, edit))
        except FileDamage:
            refused += 1
            continue
        check_sphere_tree(model.sphere_tree)
        check_elements(model.elements)
        found = answers(model)
        for mine, other in zip(found, truth, strict=True):
            assert np.allclose(mine, other, rtol=0.0, atol=1e-12)
    assert refused > 0
