"""The readers under test: which files they take, how they are called, and what a valid answer is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tests.fuzz import commands

import keepclear as kc
from keepclear.crowd.files.track_file import read_tracks
from keepclear.geometry.hulls.build import hull_of
from keepclear.jobs.cell.template import write_template
from keepclear.robot.readers.urdf import read_urdf
from keepclear.robot.spheres.files import parse_model_file

CORPUS = Path(__file__).parent / "corpus"
BESIDE = CORPUS / "beside"
"""Files that others refer to; they lie beside each file under test, and are never changed."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of files.

    Attributes:
        name: Of the reader, and of the folder of its corpus unless `corpus` says another one.
        ending: Of its files, with the dot.
        read: Reads a file `input<ending>` in the folder of the worker and checks the answer; an `AssertionError` is an
            answer that is not valid, a `KeepclearError` is a file that was refused.
        forms: The structures that mutations may keep whole: "csv", "json", "yaml", "xml", "npz", "zip", "glb", "code".
        corpus: The folder of its valid files.
        share: How many files it gets, relative to others; slow readers get fewer.
    """

    name: str
    ending: str
    read: Callable[[Path], object]
    forms: tuple[str, ...] = ()
    corpus: str = ""
    share: float = 1.0

    @property
    def is_command(self) -> bool:
        """Whether it is a command, which answers Ctrl-C with what it knows."""
        return self.name.startswith("command_")


def _mesh(path: Path) -> None:
    mesh = kc.read_mesh(path)
    n = len(mesh.vertices)
    assert n > 0, "a mesh without vertices"
    assert np.isfinite(mesh.vertices).all(), "vertices are not finite"
    assert len(mesh.triangles) > 0, "a mesh without triangles"
    assert 0 <= mesh.triangles.min() <= mesh.triangles.max() < n, "triangles lack vertices"


def _robot(path: Path) -> None:
    _check_robot(kc.read_robot(path))


def _srdf(path: Path) -> None:
    robot = kc.read_robot(path.parent / "arm.urdf", srdf=path)
    _check_robot(robot)
    assert all(joint in robot.joint_names for joints in robot.groups.values() for joint in joints)
    assert all(np.isfinite(state).all() for state in robot.states.values()), "a state is not finite"


def _check_robot(robot: kc.Robot) -> None:
    n = len(robot.joint_names)
    assert len(set(robot.link_names)) == len(robot.link_names) > 0, "links do not have names of their own"
    try:
        X = robot.link_poses(np.clip(np.zeros((1, n)), robot.lower, robot.upper))
    except kc.KeepclearError:
        return  # limits that leave no finite configuration, such as lower = inf
    assert X.shape == (1, len(robot.link_names), 4, 4)
    assert np.isfinite(X).all(), "poses of links are not finite"


def _cell(path: Path) -> None:
    cell = kc.read_cell(path)
    assert not cell.mistakes
    assert cell.objects
    for program in cell.programs or (None,):
        world = cell.world(program)
        t0, t1 = world.span
        assert np.isfinite([t0, t1]).all(), "the span of motions is not finite"
        assert t0 <= t1
        world.close()


def _scene(path: Path) -> None:
    """Make a cell of a planning scene and the arm, which must be one that can be read."""
    target = path.with_name("scene_cell.yaml")
    write_template(path.parent / "arm.urdf", None, target, scene=path, overwrite=True)
    try:
        kc.read_cell(target).world().close()
    except kc.KeepclearError as error:
        raise AssertionError(f"the cell of a scene has an error: {error}") from error


def _motion(host: str) -> Callable[[Path], None]:
    """Return a function that reads the cell whose motion is the file under test."""
    return lambda path: _cell(path.parent / f"{host}.yaml")


def _report(path: Path) -> None:
    report = kc.read_report(path)
    text = report.to_json()
    again = path.with_name("again.json")
    again.write_text(text, encoding="utf-8")
    assert kc.read_report(again).to_json() == text, "a report changes when it is written and read"
    report.to_junit()


def _spheres(path: Path) -> None:
    """Read a sphere model of the arm; written again, each sphere contains what it was."""
    robot = read_urdf(path.parent / "arm.urdf")
    model = parse_model_file(path, robot, None).model()
    assert model.covers, "a model without spheres"
    again = path.with_name("again.xrdf")
    kc.write_sphere_model(model, again)
    read = kc.read_sphere_model(again)
    for link, cover in model.covers.items():
        assert link in robot.link_names
        assert cover.cover == cover.excess == np.inf, "a file claims a proof"
        assert np.isfinite(cover.centers).all()
        assert ((cover.radii > 0.0) & np.isfinite(cover.radii)).all()
        moved = np.linalg.norm(read[link].centers - cover.centers, axis=1)
        assert (read[link].radii >= (cover.radii + moved) * (1.0 - 1e-12)).all(), (
            "a written sphere is too small"
        )


def _tracks(path: Path) -> None:
    _check_tracks(*read_tracks(path))


def _frames(path: Path) -> None:
    _check_tracks(*read_tracks(path, frame_rate=25.0))


def _check_tracks(tracks: kc.RecordedTracks, ids: np.ndarray) -> None:
    assert tracks.positions.shape[:2] == (len(tracks.times), len(ids))
    assert np.isfinite(tracks.times).all()
    assert (np.diff(tracks.times) > 0.0).all()
    assert (np.diff(ids) > 0).all(), "ids are not those of the file"


def _crowd_state(path: Path) -> None:
    """Restore a crowd and let it move a little: kernels trust its tables."""
    crowd = kc.Crowd.restore(path)
    crowd.advance(crowd.time + 0.01)
    crowd.save(path.with_name("again.npz"))


def _prepared(path: Path) -> None:
    """Read a model, and compare its answers with those of its shape: kernels trust its trees and its hull."""
    shape = kc.read_prepared(path).shape
    if not isinstance(shape, kc.Mesh):
        return
    fresh = kc.Mesh(shape.vertices, shape.triangles, solid=None if shape.is_solid else False)
    lower, upper = shape.bounds
    size = float((upper - lower).max())
    X = np.tile(np.eye(4), (3, 1, 1))
    X[:, :3, 3] = [0.5 * (lower + upper), upper, upper + size * np.array([0.3, 0.0, 0.1])]
    for probe in (kc.Sphere(0.05 * size), kc.Box([0.2 * size, 0.1 * size, 0.1 * size])):
        found, truth = (kc.distance(one, np.eye(4), probe, X) for one in (shape, fresh))
        assert (found.lower <= truth.upper).all(), "too great a lower bound"
        assert (truth.lower <= found.upper).all(), "too small an upper bound"
    for using in ("obb_tree", "box_tree"):
        found, truth = (kc.collide(one, np.eye(4), one, X[1:], using=using) for one in (shape, fresh))
        assert (found.colliding == truth.colliding).all(), f"another contact by the {using}"
    hull = hull_of(shape)
    if hull is not None:
        found, truth = (kc.distance(one, np.eye(4), probe, X) for one in (hull, kc.Convex(shape.vertices)))
        assert (found.lower <= truth.upper).all(), "too great a lower bound by the hull"


def _code(path: Path) -> None:
    """Read a file of machine code, which is None where it is not one, and never an exception."""
    from keepclear.compiler import code_files

    found = code_files.read_cached(path.parent, path.name, {})
    assert found is None or (
        isinstance(found.about, dict) and all(type(chunk) is bytes for chunk in found.chunks)
    )
    about = code_files.read_about(path)
    assert about is None or isinstance(about, dict)


def _mesh_reader(kind: str, *forms: str, share: float = 1.0) -> Reader:
    return Reader(f"mesh_{kind}", f".{kind}", _mesh, forms, share=share)


def _motion_reader(name: str, ending: str, *forms: str) -> Reader:
    return Reader(name, ending, _motion(name), forms)


_ALL = [
    Reader("cell", ".yaml", _cell, ("yaml",)),
    Reader("scene_json", ".json", _scene, ("json",)),
    Reader("scene_yaml", ".yaml", _scene, ("yaml",)),
    Reader("scene_text", ".scene", _scene, ("csv",)),
    _motion_reader("joints_csv", ".csv", "csv"),
    _motion_reader("joints_list", ".txt", "csv"),
    _motion_reader("joints_npz", ".npz", "npz"),
    _motion_reader("joints_json", ".json", "json"),
    _motion_reader("joints_yaml", ".yml", "yaml"),
    _motion_reader("poses_csv", ".csv", "csv"),
    _motion_reader("poses_npz", ".npz", "npz"),
    _motion_reader("poses_json", ".json", "json"),
    _motion_reader("poses_yaml", ".yml", "yaml"),
    Reader("urdf", ".urdf", _robot, ("xml",)),
    Reader("srdf", ".srdf", _srdf, ("xml",)),
    _mesh_reader("stl", "csv"),
    _mesh_reader("obj", "csv"),
    _mesh_reader("off", "csv"),
    _mesh_reader("ply", "csv"),
    _mesh_reader("glb", "glb"),
    _mesh_reader("gltf", "json"),
    _mesh_reader("dae", "xml"),
    _mesh_reader("3mf", "zip"),
    _mesh_reader("step", share=0.3),
    Reader("spheres_curobo", ".yml", _spheres, ("yaml",)),
    Reader("spheres_xrdf", ".xrdf", _spheres, ("yaml",)),
    Reader("spheres_urdf", ".urdf", _spheres, ("xml",)),
    Reader("spheres_srdf", ".srdf", _spheres, ("xml",)),
    Reader("spheres_json", ".json", _spheres, ("json",)),
    Reader("report", ".json", _report, ("json",)),
    Reader("crowd_state", ".npz", _crowd_state, ("npz",)),
    Reader("prepared", ".kcm", _prepared, ("npz",)),
    Reader("tracks", ".csv", _tracks, ("csv",)),
    Reader("tracks_frames", ".csv", _frames, ("csv",)),
    Reader("code_cache", ".kcode", _code, ("code",)),
    Reader("command_verify", ".yaml", commands.verify_cell, ("yaml",), corpus="cell", share=0.3),
    Reader("command_verify_motion", ".csv", commands.verify_host("joints_csv"), ("csv",), corpus="joints_csv", share=0.3),
    Reader("command_verify_mesh", ".stl", commands.verify_host("mesh_stl"), corpus="mesh_stl", share=0.3),
    Reader("command_verify_urdf", ".urdf", commands.verify_host("urdf"), ("xml",), corpus="urdf", share=0.3),
    Reader("command_init", ".urdf", commands.init, ("xml",), corpus="urdf", share=0.3),
    Reader("command_init_motion", ".csv", commands.init_motion, ("csv",), corpus="joints_csv", share=0.3),
    Reader("command_view", ".json", commands.view, ("json",), corpus="report", share=0.3),
    Reader("command_reproduce", ".json", commands.reproduce, ("json",), share=0.3),
    Reader("command_crowd", ".csv", commands.crowd, ("csv",), corpus="tracks", share=0.1),
]  # fmt: skip
READERS = {
    reader.name: reader if reader.corpus else Reader(
        reader.name, reader.ending, reader.read, reader.forms, reader.name, reader.share
    )
    for reader in _ALL
}  # fmt: skip


def corpus_files(reader: Reader) -> list[Path]:
    """Return the valid files of a reader."""
    return sorted((CORPUS / reader.corpus).iterdir())
