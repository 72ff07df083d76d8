"""What must hold for any meshes: swapping, moving together, batches, threads, trees, tracking."""

import pickle

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles import mesh_families, mesh_scale_families
from tests.oracles.mesh_cases import mesh_cases_of, near
from tests.oracles.mesh_comparison import library_mesh
from tests.oracles.mesh_scene import mesh_body, mesh_scene_size
from tests.oracles.poses import pose, random_pose, random_rotation, small_rotation

import keepclear as kc

STRUCTURES = ("obb_tree", "box_tree")
ANSWERS = ("distance", "lower", "upper", "p_WA", "p_WB", "normal_W", "state", "colliding", "faces")
SAMPLE = (
    mesh_families.solid_pairs,
    mesh_families.touching_under_one_pose,
    mesh_families.slivers_on_a_line,
    mesh_scale_families.scaled_poses,
    mesh_families.in_and_around,
)


def sample(step=4):
    """Every fourth case of a few families, as library meshes with their poses."""
    for family in SAMPLE:
        for case in mesh_cases_of(family)[::step]:
            yield library_mesh(case.a), library_mesh(case.b), case


def same(p, q):
    """Equal bit for bit, nan included."""
    return np.array_equal(np.asarray(p), np.asarray(q), equal_nan=np.asarray(p).dtype.kind == "f")


def assert_same_collision(p, q):
    assert p.colliding == q.colliding
    assert p.state == q.state
    assert same(p.pairs, q.pairs)
    assert same(p.segments_W, q.segments_W)
    assert same(p.coplanar, q.coplanar)


def test_swapping_turns_the_pairs_around():
    for a, b, case in sample():
        for using in STRUCTURES:
            there = kc.collide(a, case.X_WA, b, case.X_WB, find="all", using=using)
            back = kc.collide(b, case.X_WB, a, case.X_WA, find="all", using=using)
            assert same(there.colliding, back.colliding)
            assert same(there.state, back.state)
            for p, q in zip(there.pairs, back.pairs, strict=True):
                assert sorted(map(tuple, p.tolist())) == sorted((i, j) for j, i in q.tolist())


def test_swapping_keeps_the_distance():
    for a, b, case in sample():
        there = kc.distance(a, case.X_WA, b, case.X_WB)
        back = kc.distance(b, case.X_WB, a, case.X_WA)
        assert same(there.state, back.state)
        for i in range(len(case)):
            size = mesh_scene_size(case.a, case.X_WA[i], case.b, case.X_WB[i])
            assert abs(there.distance[i] - back.distance[i]) <= 1e-12 * size
            assert there.lower[i] <= back.upper[i]
            assert back.lower[i] <= there.upper[i]


def test_moving_both_changes_nothing_but_rounding():
    rng = np.random.default_rng(1)
    for case in mesh_cases_of(mesh_families.solid_pairs)[::3]:
        a, b = library_mesh(case.a), library_mesh(case.b)
        X_MW = random_pose(rng, 3.0)
        here = kc.distance(a, case.X_WA, b, case.X_WB)
        there = kc.distance(a, kc.nearest_rigid(X_MW @ case.X_WA), b, kc.nearest_rigid(X_MW @ case.X_WB))
        for i in range(len(case)):
            size = mesh_scene_size(case.a, case.X_WA[i], case.b, case.X_WB[i]) + 10.0
            assert abs(here.distance[i] - there.distance[i]) <= 1e-12 * size
            if here.distance[i] > 1e-9 or here.distance[i] == 0.0 == there.distance[i]:
                assert here.state[i] == there.state[i]


def test_scaling_both_scales_the_distance():
    """Powers of two, in the poses and in the vertices, are exact: the same bits, times the factor."""
    for case in mesh_cases_of(mesh_families.solid_pairs)[::5]:
        a, b = library_mesh(case.a), library_mesh(case.b)
        X_WA, X_WB = case.X_WA.copy(), case.X_WB.copy()
        X_WA[:, :3] *= 4.0
        X_WB[:, :3] *= 4.0
        once, scaled = kc.distance(a, case.X_WA, b, case.X_WB), kc.distance(a, X_WA, b, X_WB)
        assert same(once.state, scaled.state)
        size = 4.0 * (case.a.extent + case.b.extent + 10.0)
        assert np.max(np.abs(4.0 * once.distance - scaled.distance)) <= 1e-12 * size


@pytest.mark.parametrize("using", STRUCTURES)
@pytest.mark.parametrize("find", ["any", "all"])
def test_a_batch_of_collisions_is_its_elements(using, find):
    for a, b, case in sample(8):
        batch = kc.collide(a, case.X_WA, b, case.X_WB, find=find, using=using)
        assert len(batch.pairs) == len(batch.segments_W) == len(case)
        for i in range(len(case)):
            one = kc.collide(a, case.X_WA[i], b, case.X_WB[i], find=find, using=using)
            assert_same_collision(batch[i], one)
            assert same(batch.pairs[i], one.pairs)
            assert same(batch.segments_W[i], one.segments_W)


def test_a_batch_of_distances_is_its_elements():
    for a, b, case in sample(8):
        batch = kc.distance(a, case.X_WA, b, case.X_WB)
        for i in range(len(case)):
            one = kc.distance(a, case.X_WA[i], b, case.X_WB[i])
            for name in ANSWERS:
                assert same(getattr(batch, name)[i], getattr(one, name)), name
                assert same(getattr(batch[i], name), getattr(one, name)), name


def test_one_pose_beside_many_is_repeated():
    rng = np.random.default_rng(2)
    a, b = library_mesh(make.star(1.0)), library_mesh(make.torus(6, 5, 1.0, 0.4))
    X_WA, X_WB = random_pose(rng, 0.1), np.array([random_pose(rng, 0.8) for _ in range(12)])
    full = np.tile(X_WA, (12, 1, 1))
    for name in ANSWERS:
        assert same(
            getattr(kc.distance(a, X_WA, b, X_WB), name), getattr(kc.distance(a, full, b, X_WB), name)
        )
    few, many = kc.collide(a, X_WA, b, X_WB, find="all"), kc.collide(a, full, b, X_WB, find="all")
    for i in range(12):
        assert_same_collision(few[i], many[i])


def test_threads_change_no_bit():
    rng = np.random.default_rng(3)
    a, b = library_mesh(make.torus(8, 6, 1.0, 0.4)), library_mesh(make.star(1.2))
    X_WA, X_WB = (np.array(X) for X in zip(*near(rng, 97, 1.0), strict=True))
    for using in STRUCTURES:
        for find in ("any", "all"):
            answers = [kc.collide(a, X_WA, b, X_WB, find=find, using=using, threads=n) for n in (1, 2, 5)]
            for other in answers[1:]:
                for i in range(97):
                    assert_same_collision(answers[0][i], other[i])
    one, two = kc.distance(a, X_WA, b, X_WB), kc.distance(a, X_WA, b, X_WB, threads=2)
    assert 10 < np.sum(one.colliding) < 90
    for name in ANSWERS:
        assert same(getattr(one, name), getattr(two, name)), name


def test_asking_again_changes_no_bit():
    rng = np.random.default_rng(4)
    a, b = library_mesh(make.star(1.2)), library_mesh(make.torus(6, 5, 1.0, 0.4))
    X_WA, X_WB = (np.array(X) for X in zip(*near(rng, 20, 0.6), strict=True))
    first, again = kc.distance(a, X_WA, b, X_WB), kc.distance(a, X_WA, b, X_WB)
    for name in ANSWERS:
        assert same(getattr(first, name), getattr(again, name)), name


@pytest.mark.parametrize("using", STRUCTURES)
def test_trees_answer_for_their_meshes(using):
    rng = np.random.default_rng(5)
    a, b = library_mesh(make.star(1.2)), library_mesh(make.torus(6, 5, 1.0, 0.4))
    X_WA, X_WB = (np.array(X) for X in zip(*near(rng, 20, 0.6), strict=True))
    build = getattr(kc, f"build_{using}")
    tree_a, tree_b = build(a), pickle.loads(pickle.dumps(build(b)))
    assert tree_a.mesh is a
    assert tree_b.mesh == b
    assert 0 < tree_a.nbytes < 200 * 24
    meshes = kc.collide(a, X_WA, b, X_WB, find="all", using=using)
    assert meshes.using == using
    for p, q in ((tree_a, tree_b), (tree_a, b), (a, tree_b)):
        trees = kc.collide(p, X_WA, q, X_WB, find="all", using=using)
        for i in range(20):
            assert_same_collision(meshes[i], trees[i])
    assert kc.collide(tree_a, X_WA, tree_b, X_WB).using == using


@pytest.mark.parametrize("using", STRUCTURES)
def test_refitted_trees_answer_for_the_moved_vertices(using):
    """Vertices moved a little, and vertices moved at random: slower perhaps, but never wrong."""
    rng = np.random.default_rng(6)
    star, ring = make.star(1.2), make.torus(6, 5, 1.0, 0.4)
    tree = getattr(kc, f"build_{using}")(library_mesh(star))
    X_WA, X_WB = (np.array(X) for X in zip(*near(rng, 12, 0.6), strict=True))
    for amount in (1e-3, 0.3, 5.0):
        moved = mesh_body(star.vertices + amount * rng.normal(size=star.vertices.shape), star.faces)
        followed = kc.collide(tree.refit(moved.vertices), X_WA, library_mesh(ring), X_WB, find="all")
        anew = kc.collide(library_mesh(moved), X_WA, library_mesh(ring), X_WB, find="all")
        for i in range(12):
            assert same(followed[i].pairs, anew[i].pairs)
            assert followed[i].state == anew[i].state


def test_tracked_answers_are_cold_answers():
    """Along smooth motions and jumps, through contact, containment and out again."""
    rng = np.random.default_rng(7)
    pairs = (
        (make.star(1.2), make.torus(8, 6, 1.5, 0.4)),
        (make.shell(make.box_mesh((4, 4, 4)), make.box_mesh((3, 3, 3))), make.octahedron()),
        (make.soup(rng, 12, 0.3), make.solids(rng)),
    )
    for a, b in pairs:
        frames = motion(rng, 60)
        p, q = library_mesh(a), library_mesh(b)
        cold = kc.distance(p, np.eye(4), q, frames)
        tracker = kc.Tracker(p, q)
        single = [tracker.distance(np.eye(4), X_WB) for X_WB in frames]
        batch = kc.Tracker(p, q).distance(np.eye(4), frames)
        for i in range(len(frames)):
            size = mesh_scene_size(a, np.eye(4), b, frames[i])
            for tracked in (single[i], batch[i]):
                assert tracked.state == cold.state[i]
                assert tracked.colliding == cold.colliding[i]
                assert abs(tracked.distance - cold.distance[i]) <= 1e-12 * size
                assert tracked.lower <= cold.upper[i]
                assert cold.lower[i] <= tracked.upper


def motion(rng, n):
    """A path that passes the origin, turning a little from frame to frame, with two jumps."""
    R, places = random_rotation(rng), np.linspace([-4.0, 0.3, 0.2], [4.0, -0.2, 0.1], n)
    frames = []
    for k, place in enumerate(places):
        R = kc.nearest_rigid(pose(small_rotation(rng, 0.1) @ R, (0, 0, 0)))[:3, :3]
        frames.append(pose(R, place + (rng.normal(size=3) if k in (n // 3, n // 2) else 0.0)))
    return np.array(frames)


def test_results_are_frozen_and_comparable():
    a, b = library_mesh(make.star(1.0)), library_mesh(make.octahedron())
    found = kc.collide(a, np.eye(4), b, pose(np.eye(3), (1.2, 0, 0)), find="all")
    assert found.colliding
    with pytest.raises(ValueError, match="read-only"):
        found.pairs[0, 0] = 5
    with pytest.raises(ValueError, match="read-only"):
        found.segments_W[0, 0, 0] = 5.0
    with pytest.raises(AttributeError):
        found.colliding = False
    copied = pickle.loads(pickle.dumps(found))
    assert_same_collision(copied, found)
    assert "INTERFERING" in repr(found)
    with pytest.raises(TypeError):
        bool(found)
