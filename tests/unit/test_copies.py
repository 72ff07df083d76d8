"""What `copy`, `pickle` and `==` do with each public class: an independent copy or a `CopyError`; an answer, always."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.public_arguments import (
    BALL,
    BOX,
    CELL,
    FACES,
    MOVED,
    PLACES,
    POINTS,
    Q,
    Resting,
    crowd,
    mesh,
    spheres,
    tracks,
    trajectory,
    world,
)
from tests.unit.world.worlds import at, drive, slider

import keepclear as kc
from keepclear.geometry.spheres.tree import SphereRank
from keepclear.query.moving.results import Feature
from keepclear.query.track.transitions import TrackerEvent

E = np.eye(4)


def cell_of(folder: str) -> kc.Cell:
    file = Path(folder) / "cell.yaml"
    file.write_text(CELL.format(radius=0.1, place=0, more=""))
    return kc.read_cell(file)


def cell() -> kc.Cell:
    with tempfile.TemporaryDirectory() as folder:
        return cell_of(folder)


def fleet() -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        return list(kc.fleet.verify_programs([cell_of(folder)]))


def store() -> kc.ResultStore:
    folder = tempfile.mkdtemp()
    return kc.ResultStore(Path(folder) / "results.db")


def check() -> Any:
    made = kc.World()
    made.add("a", mesh(), E)
    made.add("b", mesh(), E)
    return made.submit("a", "b", at(9, 0))


@cache
def audit() -> kc.SphereAudit:
    large = kc.SphereCover([[0, 0, 0]], [0.5])
    return kc.audit_sphere_model(kc.SphereModel("slider", {"head": large}), slider(), tolerance=0.1)


def group_distance() -> Any:
    return kc.Tracker(kc.Group({"a": BALL}), kc.Group({"b": BALL})).distance({"a": E}, {"b": at(3, 0)})


def contact() -> Any:
    return kc.first_contact(BALL, E, BOX, trajectory())


def decomposed() -> Any:
    return kc.decompose(mesh())


def cover() -> kc.SphereTree:
    return kc.build_sphere_tree(BOX, 0.3)


def page(write: Callable[..., object], read: Callable[..., Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "part.txt"
        write(file)
        return read(file)


def hull() -> Any:
    return page(lambda f: decomposed().write_hull(f), kc.Decomposition.read_hull)


def elements() -> Any:
    return page(lambda f: decomposed().write_elements(f), kc.Decomposition.read_elements)


MAKE: dict[str, Callable[[], Any]] = {
    "Attachment": lambda: kc.Attachment(BALL),
    "Ballistic": kc.Ballistic,
    "Box": lambda: BOX,
    "BoxTree": lambda: kc.build_box_tree(mesh()),
    "Capsule": lambda: kc.Capsule(1, 1),
    "Cell": cell,
    "Check": check,
    "CheckedConfigurations": lambda: world().check_configurations("arm", Q),
    "CheckedEdges": lambda: world().check_edges("arm", Q, Q + 0.1),
    "Clearance": lambda: kc.clearance(BALL, E, BOX, trajectory()),
    "Collision": lambda: kc.collide(BALL, E, BOX, E),
    "Convex": lambda: kc.Convex(POINTS),
    "ConvexParts": lambda: kc.decompose(mesh(), solid=True),
    "Crowd": crowd,
    "CrowdAnimation": lambda: kc.CrowdAnimation(crowd(), 1.0, rate=5),
    "CubicApproximation": lambda: trajectory().cubic(0.0, 1.0, BALL),
    "CustomMotion": lambda: Resting(0.0, 1.0),
    "Cylinder": lambda: kc.Cylinder(1, 1),
    "Decomposition": decomposed,
    "Distance": lambda: kc.distance(BALL, E, BOX, at(3, 0)),
    "Element": lambda: decomposed().elements[0],
    "ElementRecord": lambda: elements()[0],
    "Ellipsoid": lambda: kc.Ellipsoid([1, 2, 3]),
    "Feature": lambda: Feature("face", 1),
    "FirstContact": contact,
    "FirstContacts": lambda: kc.first_contact_batch([(BALL, E, BOX, trajectory())]),
    "Fixed": lambda: kc.Fixed(E),
    "fleet.FleetReport": lambda: kc.fleet.FleetReport(fleet()),
    "FrameContacts": lambda: world().contacts(9.0),
    "Group": lambda: kc.Group({"a": BALL}),
    "HullFace": lambda: hull().faces[0],
    "HullRecord": hull,
    "JointTrajectory": lambda: drive([0, 1], [0, 1]),
    "LinkAudit": lambda: audit().links[0],
    "Mesh": lambda: kc.Mesh(POINTS, FACES),
    "Motion": trajectory,
    "OBBTree": lambda: kc.build_obb_tree(mesh()),
    "PairReach": lambda: slider().prove_pairs(budget=100).pairs[0],
    "PairReport": lambda: world().verify().pairs[0],
    "PointContact": lambda: kc.vertex_face_contact(MOVED, MOVED),
    "PoseTrajectory": trajectory,
    "Prepared": lambda: kc.prepare(mesh()),
    "Profile": lambda: kc.clearance(BALL, E, BOX, trajectory()).profile([0.0, 1.0]),
    "fleet.ProgramResult": lambda: fleet()[0],
    "ProvedPairs": lambda: slider().prove_pairs(budget=100),
    "RandomForces": kc.RandomForces,
    "Reach": lambda: kc.Reach.NEVER,
    "RecordedTracks": tracks,
    "Report": lambda: world().verify(),
    "ResultStore": store,
    "Robot": slider,
    "Simulation": lambda: world().simulate(dt=0.5),
    "Sphere": lambda: BALL,
    "SphereAudit": audit,
    "SphereCollision": lambda: kc.collide(cover(), E, cover(), at(3, 0)),
    "SphereCover": lambda: kc.SphereCover(PLACES, np.ones(2)),
    "SphereDistance": lambda: kc.distance(cover(), E, cover(), at(3, 0)),
    "SphereModel": spheres,
    "SphereRank": lambda: cover().ranks[0],
    "SphereTree": cover,
    "State": lambda: kc.State.SEPARATE,
    "Step": lambda: kc.Step.FREE,
    "Tracker": lambda: kc.Tracker(mesh(), mesh()),
    "TrackerEvent": lambda: TrackerEvent(0.0, "a", "released"),
    "TrackerState": lambda: kc.Tracker(mesh(), mesh()).state,
    "VelocityField": kc.VelocityField,
    "Verdict": lambda: kc.Verdict.CLEAR,
    "VerifyOptions": lambda: kc.VerifyOptions(contacts="all"),
    "World": world,
    "executors.Dask": kc.executors.Dask,
    "executors.InProcess": kc.executors.InProcess,
    "executors.Processes": lambda: kc.executors.Processes(1),
}

REFUSED = {"Check": "result()", "CrowdAnimation": "crowd.copy()", "ResultStore": "kc.ResultStore(store.path)"}
"""Classes that neither copy nor pickle takes, and what the error says to do instead."""

NOT_PICKLED = {"Crowd": "crowd.save(path)", "Simulation": "report()", "World": "build it in each process"}
"""Classes that are copied but not pickled, and what the error says to do instead."""

CHANGES: dict[str, tuple[Callable[[Any], object], Callable[[Any], object]]] = {
    "Crowd": (lambda c: (c.time, c.positions().tolist()), lambda c: (c.remove([0]), c.advance(1.0))),
    "Group": (lambda g: sorted(g), lambda g: g.attach("new", BALL)),
    "Tracker": (lambda t: t.statistics.frames, lambda t: t.distance(E, at(9, 0))),
    "World": (lambda w: (w.names, w.span), lambda w: w.remove("ball")),
}
"""Classes that change: what is visible of their state, and a change."""

BY_CONTENT = {
    *(
        "Ballistic",
        "Box",
        "Capsule",
        "Clearance",
        "Collision",
        "Convex",
    ),
    *("ConvexParts", "Cylinder", "Distance", "ElementRecord", "Ellipsoid", "Feature", "FirstContact"),
    *("FirstContacts", "HullFace", "HullRecord", "Mesh", "PairReport"),
    *("PointContact", "Profile", "fleet.ProgramResult", "RandomForces", "Report", "Sphere", "SphereRank"),
    *("TrackerEvent", "VelocityField", "VerifyOptions", "executors.InProcess"),
}
"""Classes that compare by content; objects of any other class are equal only to themselves."""

REACHED = set(MAKE) & set(kc._MOVED)
"""Classes without a public name: users get them from other results."""

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}


def public_classes() -> set[str]:
    found = set()
    for name in kc.__all__:
        value = getattr(kc, name)
        inner = (
            {f"{name}.{k}": getattr(value, k) for k in value.__all__}
            if inspect.ismodule(value)
            else {name: value}
        )
        found |= {k for k, v in inner.items() if inspect.isclass(v) and not issubclass(v, Exception)}
    return found


def test_the_table_has_every_public_class() -> None:
    """A new class needs a row: how it is made, and whether it is copied."""
    assert set(MAKE) - REACHED == public_classes()


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", MAKE)
def test_copies(name: str, way: str) -> None:
    thing = MAKE[name]()
    kind: Any = type(thing) if name in REACHED else kc
    for part in () if name in REACHED else name.split("."):
        kind = getattr(kind, part)
    assert isinstance(thing, kind)
    assert kind.__name__ == name.rpartition(".")[2]
    advice = REFUSED.get(name) or (NOT_PICKLED.get(name) if way == "pickle" else None)
    if advice is not None:
        with pytest.raises(kc.CopyError, match=re.escape(advice)):
            COPIES[way](thing)
        return
    again = COPIES[way](thing)
    assert isinstance(again, kind)
    assert _seen(again) == _seen(thing)
    if name in CHANGES:
        assert again is not thing
        state, change = CHANGES[name]
        before = state(thing)
        assert state(again) == before
        change(again)
        assert state(again) != before
        assert state(thing) == before


OF_OTHER_BODIES: dict[str, Callable[[], Any]] = {
    "meshes": lambda: kc.distance(mesh(), E, mesh(), at(9, 0)),
    "parts": lambda: kc.distance([(BALL, E), (BALL, at(1, 0))], E, BOX, at(3, 0)),
    "groups": group_distance,
    "contacts of parts": lambda: kc.collide(
        [(mesh(), E), (mesh(), at(0.1, 0))], E, mesh(), at(0.5, 0.1), "all"
    ),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", OF_OTHER_BODIES)
def test_copies_of_answers_about_other_bodies(name: str, way: str) -> None:
    thing = OF_OTHER_BODIES[name]()
    again = COPIES[way](thing)
    assert again == thing
    assert _seen(again) == _seen(thing)
    assert again.solid == thing.solid
    if name == "groups":
        assert again.members == thing.members != ("A", "B")
    if "parts" in name:
        assert np.array_equal(again.parts, thing.parts)
        assert thing.parts.max() >= 0


def _seen(thing: Any) -> object:
    """What a user reads of an object: its text, and the values of its public properties that are numbers or arrays."""
    text = repr(thing)
    seen: dict[str, object] = {} if " object at 0x" in text else {"repr": text}
    for name in dir(type(thing)):
        if name.startswith("_") or name == "cpu_seconds":
            continue
        try:
            value = getattr(thing, name)
        except (
            kc.KeepclearError,
            AttributeError,
        ):  # a property that does not apply, such as `gap` of settled ones
            continue
        if isinstance(value, str | int | float | np.ndarray) and not callable(value):
            seen[name] = np.array_repr(value) if isinstance(value, np.ndarray) else repr(value)
    return seen


def test_pairs_of_pickled_planner_answers_keep_their_names() -> None:
    made = world()
    edges = made.check_edges("arm", [[0.0, 0.0]], [[3.0, 0.0]])
    again = pickle.loads(pickle.dumps(edges))
    assert again.pair(0) == edges.pair(0) == ("arm/head", "post")
    assert len(pickle.dumps(edges)) < 2000  # without the scene
    covers = pickle.loads(pickle.dumps(made.check_configurations("arm", Q, settle=False)))
    with pytest.raises(kc.ArgumentError, match="covers prove"):
        _ = covers.colliding


@pytest.mark.parametrize("name", MAKE)
def test_equality_answers(name: str) -> None:
    """The comparison of tuples and of data classes that hold arrays raised: arrays have no truth value."""
    thing = MAKE[name]()
    assert (thing == thing) is True
    assert (thing == object()) is False
    assert (thing != object()) is True
    if name in REFUSED:
        return
    again = copy.deepcopy(thing)
    is_equal = name in BY_CONTENT or again is thing
    assert (thing == again) is is_equal
    assert (thing != again) is not is_equal


@pytest.mark.parametrize("changed", [0, 1])
def test_records_of_other_arrays_differ(changed: int) -> None:
    rank = cover().ranks[-1]
    assert (rank == SphereRank(rank.centers + changed, *list(rank)[1:])) is (changed == 0)
    [near, *_] = world().distances()
    assert (near == near._replace(p_WA=near.p_WA + changed)) is (changed == 0)
    fields = [kc.VelocityField(bounds=(np.zeros(3), np.full(3, 1.0 + k))) for k in (0, changed)]
    assert (fields[0] == fields[1]) is (changed == 0)


def test_the_curve_of_a_copied_clearance_is_that_of_the_original() -> None:
    made = kc.clearance(BALL, E, BOX, trajectory())
    for take in COPIES.values():
        assert take(made).profile([0.0, 1.0]) == made.profile([0.0, 1.0])
