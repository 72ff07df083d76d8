"""Wrong questions about meshes are refused by one clear error; odd meshes are answered and described."""

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles.mesh_cases import MeshCase, near
from tests.oracles.mesh_comparison import collide_faults_of, distance_faults_of, library_mesh
from tests.oracles.mesh_scene import mesh_body
from tests.oracles.poses import pose, random_pose

import keepclear as kc

HERE = np.eye(4)
CUBE = library_mesh(make.box_mesh((1, 1, 1)))
STAR = library_mesh(make.star(1.0))
QUERIES = {
    "collide any": lambda a, X, b, Y: kc.collide(a, X, b, Y),
    "collide all, boxes": lambda a, X, b, Y: kc.collide(a, X, b, Y, find="all", using="box_tree"),
    "distance": lambda a, X, b, Y: kc.distance(a, X, b, Y),
    "tracker": lambda a, X, b, Y: kc.Tracker(a, b).distance(X, Y),
}
NOT_POSES = (
    "pose",
    b"pose",
    None,
    object(),
    {},
    1j,
    [],
    (),
    [[]],
    "1.0",
    [[1, 2], [3]],
    np.eye(3),
    np.eye(4)[None, None],
)


def spoiled(kind, X):
    """A pose that is wrong in one way."""
    X = X.copy()
    if kind == "nan":
        X[1, 3] = np.nan
    elif kind == "infinite":
        X[0, 0] = np.inf
    elif kind == "mirrored":
        X[:3, 0] *= -1.0
    elif kind == "all mirrored":
        X[:3, :3] *= -1.0
    elif kind == "stretched":
        X[:3, 1] *= 1.5
    elif kind == "slightly stretched":
        X[:3, 1] *= 1.0 + 1e-4
    elif kind == "sheared":
        X[:3, 0] += 0.25 * X[:3, 1]
    elif kind == "zero scale":
        X[:3, :3] = 0.0
    elif kind == "flat":
        X[:3, 2] = 0.0
    elif kind == "last row":
        X[3, 3] = 2.0
    elif kind == "too far":
        X[:3, 3] = 1e200
    return X


SPOILED = (
    "nan",
    "infinite",
    "mirrored",
    "all mirrored",
    "stretched",
    "slightly stretched",
    "sheared",
    "zero scale",
    "flat",
    "last row",
    "too far",
)


def assert_refused(call, *names):
    """One KeepclearError, of one line, that names the thing to blame."""
    with pytest.raises(kc.KeepclearError) as caught:
        call()
    text = str(caught.value)
    assert any(name in text for name in names), f"{text!r} names none of {names}"
    assert "\n" not in text.strip()


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("kind", SPOILED)
def test_bad_poses_are_refused(kind, query):
    rng = np.random.default_rng(len(kind))
    ask = QUERIES[query]
    for _ in range(5):
        good, bad = random_pose(rng, 2.0), spoiled(kind, random_pose(rng, 2.0))
        assert_refused(lambda X=good, Y=bad: ask(CUBE, X, STAR, Y), "X_WB")
        assert_refused(lambda X=bad, Y=good: ask(CUBE, X, STAR, Y), "X_WA")
        batch = np.array([good, good, bad, good])
        assert_refused(lambda X=batch, Y=good: ask(CUBE, X, STAR, Y), "X_WA[2]")
        assert_refused(lambda X=good, Y=batch: ask(CUBE, X, STAR, Y), "X_WB[2]")


@pytest.mark.parametrize("query", QUERIES)
def test_things_that_are_no_poses_are_refused(query):
    ask = QUERIES[query]
    for wrong in NOT_POSES:
        assert_refused(lambda X=wrong: ask(CUBE, X, STAR, HERE), "X_WA")
        assert_refused(lambda X=wrong: ask(CUBE, HERE, STAR, X), "X_WB")


@pytest.mark.parametrize("query", QUERIES)
def test_batches_of_different_length_are_refused(query):
    for n, m in ((2, 3), (3, 2), (0, 2), (5, 0)):
        X, Y = np.tile(HERE, (n, 1, 1)), np.tile(HERE, (m, 1, 1))
        assert_refused(lambda X=X, Y=Y: QUERIES[query](CUBE, X, STAR, Y), "X_WA", "X_WB")


@pytest.mark.parametrize("query", QUERIES)
def test_empty_batches_have_empty_answers(query):
    none = np.zeros((0, 4, 4))
    for X, Y in ((none, none), (HERE, none), (none, HERE)):
        found = QUERIES[query](CUBE, X, STAR, Y)
        assert len(found) == 0
        assert found.colliding.shape == found.state.shape == (0,)


@pytest.mark.parametrize("query", QUERIES)
def test_things_that_are_no_shapes_are_refused(query):
    for wrong in ("cube", None, 1.0, np.eye(3), kc.Mesh, object(), [CUBE]):
        for a, b in ((wrong, STAR), (CUBE, wrong)):
            with pytest.raises(kc.KeepclearError):
                QUERIES[query](a, HERE, b, HERE)


@pytest.mark.parametrize("wrong", ["some", "", "ALL", None, 1, True, b"any", ["any"], object()])
def test_wrong_find_is_refused(wrong):
    assert_refused(lambda: kc.collide(CUBE, HERE, STAR, HERE, find=wrong), "find")


@pytest.mark.parametrize("wrong", ["octree", "", "OBB_TREE", 1, True, b"obb_tree", ["obb_tree"], object()])
def test_wrong_using_is_refused(wrong):
    assert_refused(lambda: kc.collide(CUBE, HERE, STAR, HERE, using=wrong), "using")


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "2", None, np.nan, True, [1]])
def test_wrong_numbers_of_threads_are_refused(wrong):
    assert_refused(lambda: kc.collide(CUBE, HERE, STAR, HERE, threads=wrong), "threads")
    assert_refused(lambda: kc.distance(CUBE, HERE, STAR, HERE, threads=wrong), "threads")


@pytest.mark.parametrize("wrong", ["mesh", None, 1.0, kc.Sphere(1.0), kc.Box([1, 1, 1]), np.eye(3), object()])
def test_trees_of_things_that_are_no_meshes_are_refused(wrong):
    for build in (kc.build_obb_tree, kc.build_box_tree):
        with pytest.raises(kc.KeepclearError):
            build(wrong)


@pytest.mark.parametrize("build", ["build_obb_tree", "build_box_tree"])
def test_refit_refuses_vertices_that_do_not_fit(build):
    tree = getattr(kc, build)(CUBE)
    for wrong in (
        np.zeros((7, 3)),
        np.zeros((8, 2)),
        np.full((8, 3), np.nan),
        "vertices",
        None,
        np.zeros((0, 3)),
    ):
        assert_refused(lambda V=wrong: tree.refit(V), "vertices")


def test_meshes_beyond_single_precision_are_refused():
    """Boxes of trees are stored in single precision, so a mesh of 1e-25 m is refused instead of missed."""
    small = library_mesh(make.moved(make.star(1.0), (0, 0, 0), scale=1e-25))
    for query in QUERIES.values():
        assert_refused(lambda ask=query: ask(small, HERE, CUBE, HERE), "Mesh")
        assert_refused(lambda ask=query: ask(CUBE, HERE, small, HERE), "Mesh")


ODD = {
    "self-intersecting": make.joined(make.box_mesh((2, 2, 2)), make.moved(make.star(1.0), (0.5, 0.2, 0.1))),
    "non-manifold edge": make.joined(
        mesh_body(
            [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0.5], [0.2, 0.1, -1]], [[0, 1, 2], [1, 0, 3], [0, 1, 4]]
        )
    ),
    "two boxes with a common edge": make.joined(
        make.box_mesh((2, 2, 2)), make.moved(make.box_mesh((2, 2, 2)), (2, 2, 0))
    ),
    "two boxes with a common face": make.joined(
        make.box_mesh((2, 2, 2)), make.moved(make.box_mesh((2, 2, 2)), (2, 0, 0))
    ),
    "the same box twice": make.joined(make.box_mesh((2, 2, 2)), make.box_mesh((2, 2, 2))),
    "a box and its inside-out twin": make.joined(
        make.box_mesh((2, 2, 2)), make.flipped(make.box_mesh((2, 2, 2)))
    ),
    "one triangle twice": mesh_body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 2]]),
    "one triangle, both sides": mesh_body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [2, 1, 0]]),
    "a segment": mesh_body([[0, 0, 0], [1, 0.5, 0], [2, 1, 0]], [[0, 1, 2]]),
    "a point": mesh_body([[0.5, 0.25, 0.125]] * 3, [[0, 1, 2]]),
    "a Klein-like twist": mesh_body(
        make.torus(5, 4, 1.0, 0.4).vertices,
        [f if k < 20 else f[::-1] for k, f in enumerate(make.torus(5, 4, 1.0, 0.4).faces)],
    ),
    "unused vertices": mesh_body(
        np.concatenate([make.octahedron().vertices, [[50.0, 0, 0], [0, -70.0, 0]]]), make.octahedron().faces
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_meshes_are_answered_exactly(name):
    """Self-intersecting, non-manifold, turned and flat meshes: pairs, states and distances as for any other."""
    rng = np.random.default_rng(len(name))
    for other in (make.star(0.8), make.soup(rng, 5, 0.4), ODD[name]):
        poses = [*near(rng, 4, 1.0), (HERE, HERE), (HERE, pose(np.eye(3), (1, 1, 0))), *near(rng, 1, 4.0)]
        X_WA, X_WB = (np.array(X) for X in zip(*poses, strict=True))
        case = MeshCase(ODD[name], other, X_WA, X_WB)
        found = [*collide_faults_of(case, ("obb_tree", "box_tree")), *distance_faults_of(case)]
        assert not found, min(found, key=len)


def test_odd_meshes_are_described():
    """What is odd is said by `Mesh.check`, and every answer says what it took as solid."""
    described = {name: library_mesh(body).check for name, body in ODD.items()}
    assert described["non-manifold edge"].n_nonmanifold_edges == 1
    assert described["two boxes with a common edge"].n_nonmanifold_edges == 1
    assert described["one triangle twice"].n_duplicate_faces == 1
    assert described["a Klein-like twist"].n_inconsistent_edges > 0
    assert described["a segment"].n_degenerate_faces == described["a point"].n_degenerate_faces == 1
    for name, body in ODD.items():
        answer = kc.collide(library_mesh(body), HERE, CUBE, HERE)
        assert tuple(answer.solid) == (body.is_closed, True), name
