"""Writes the valid files that fuzzing begins with: `python -m tests.fuzz.make_corpus`."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
from tests.fuzz import corpus_meshes, corpus_texts
from tests.fuzz.readers import BESIDE, CORPUS, READERS

import keepclear as kc
from keepclear.report.coverage import count_far
from keepclear.report.parts import FarPairs


def main() -> None:
    """Write all files anew; the folder of a reader is emptied first."""
    BESIDE.mkdir(parents=True, exist_ok=True)
    for name, text in corpus_texts.BESIDE.items():
        (BESIDE / name).write_text(text)
    (BESIDE / "part.stl").write_bytes(corpus_meshes.binary_stl())
    for reader in READERS.values():
        if reader.corpus == reader.name:
            folder = CORPUS / reader.name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
    for place, text in corpus_texts.FILES.items():
        (CORPUS / place).write_text(text)
    for place, content in corpus_meshes.files().items():
        (CORPUS / place).write_bytes(content)
    _write_archives()
    _write_crowds()
    _write_models()
    _write_reports()
    _write_evidence()
    _write_code()


def _write_archives() -> None:
    times, q = np.array([0.0, 0.5, 1.0]), np.array([[0.0, 0.0], [0.3, 0.1], [0.6, 0.2]])
    joints, poses = CORPUS / "joints_npz", CORPUS / "poses_npz"
    np.savez(joints / "plain.npz", times=times, q=q)
    np.savez_compressed(joints / "speeds.npz", times=times, q=q, qd=q, joint_names=["shoulder", "reach"])
    np.savez(joints / "columns.npz", t=times.astype(np.float32), shoulder=q[:, 0], reach=q[:, 1])
    X = np.tile(np.eye(4), (3, 1, 1))
    X[:, 0, 3] = times
    np.savez(poses / "matrices.npz", times=times, X_W=X)
    quaternions = np.tile([0.0, 0.0, 0.0, 1.0], (3, 1))
    np.savez_compressed(poses / "quaternions.npz", times=times, positions=X[:, :3, 3], quat_xyzw=quaternions)


def _write_crowds() -> None:
    """Small crowds of each kind of motion, in the middle of their way."""
    random = np.random.default_rng(1)
    x, v = random.uniform(2.0, 8.0, (4, 3)), random.uniform(-1.0, 1.0, (4, 3))
    box = (np.zeros(3), np.full(3, 10.0))
    motions = {"forces": kc.RandomForces(seed=1), "ballistic": kc.Ballistic()}
    for name, motion in motions.items():
        crowd = kc.Crowd(x, v, 0.4, 1.0, bounds=box, motion=motion)
        crowd.advance(0.5)
        crowd.save(CORPUS / "crowd_state" / f"{name}.npz")
    times = np.array([0.0, 1.0, 2.0])
    tracks = kc.RecordedTracks(times, x[None] + times[:, None, None] * v[None])
    crowd = kc.Crowd(None, None, 0.4, 5.0, motion=tracks, response="report")
    crowd.advance(0.5)
    crowd.save(CORPUS / "crowd_state" / "tracks.npz")


def _write_models() -> None:
    """Prepared models with all their sections, of a solid, of a surface, and of a hull without a mesh."""
    folder, both = CORPUS / "prepared", ["obb_tree", "box_tree"]
    u, v = (w.ravel() for w in np.meshgrid(*2 * [np.arange(6) * np.pi / 3], indexing="ij"))
    r = 1.0 + 0.3 * np.cos(v)
    points = np.stack([r * np.cos(u), r * np.sin(u), 0.3 * np.sin(v) + 0.02 * np.sin(3 * u)], axis=1)
    i, j = (w.ravel() for w in np.meshgrid(np.arange(6), np.arange(6), indexing="ij"))
    quads = np.stack(
        [6 * i + j, (i + 1) % 6 * 6 + j, (i + 1) % 6 * 6 + (j + 1) % 6, 6 * i + (j + 1) % 6], axis=1
    )
    bumpy = kc.Mesh(points, quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3))
    for name, mesh in (("torus", bumpy), ("open", kc.Mesh(bumpy.vertices, bumpy.triangles[:-3]))):
        model = kc.prepare(mesh, trees=both, elements=kc.decompose(mesh, 0.05), sphere_tree=0.4)
        kc.write_prepared(model, folder / f"{name}.kcm")
    cloud = kc.Convex(np.random.default_rng(2).normal(size=(60, 3)))
    kc.write_prepared(kc.prepare(cloud, sphere_tree=1.0), folder / "hull.kcm")


def _write_reports() -> None:
    folder = CORPUS / "report"
    for name in ("plain.yaml", "programs.yaml"):
        shutil.copy(CORPUS / "cell" / name, BESIDE / name)
        report = kc.verify(BESIDE / name, curves=2)
        (BESIDE / name).unlink()
        _write_report(folder / name.replace(".yaml", ".json"), report)
        if not report.programs:
            few = replace(report, pairs=report.pairs[:3])
            far = FarPairs(count=count_far(few), bound=0.1)
            _write_report(folder / "far.json", replace(few, far=far, at_rest=(report.objects[:1],)))
    empty = kc.Report(verdict=kc.Verdict.CLEAR, t0=0.0, t1=8.0, tolerance=1e-3)
    _write_report(folder / "empty.json", empty)
    shutil.copy(Path(__file__).parents[1] / "data" / "reports" / "format-1.json", folder)


def _write_evidence() -> None:
    """A report that can be made again from a cell beside it."""
    folder = CORPUS / "command_reproduce"
    cell = BESIDE / "evidence.yaml"
    shutil.copy(CORPUS / "cell" / "small.yaml", cell)
    report = kc.verify(cell, evidence=True, hints=True, contacts="all")
    content = json.loads(report.to_json(BESIDE / "evidence.json"))
    (BESIDE / "evidence.json").unlink()
    (folder / "small.json").write_text(json.dumps(content))


def _write_report(path: Path, report: kc.Report) -> None:
    path.write_text(json.dumps(json.loads(report.to_json())))


def _write_code() -> None:
    from keepclear.compiler import code_files

    about = {"kernel": "gjk.distance", "signature": "(float64,)", "seconds": 1.25}
    code_files.write_code(
        Path(CORPUS / "code_cache" / "plain.kcode"), about, [b"not machine code " * 8, b"bitcode"]
    )


if __name__ == "__main__":
    main()
