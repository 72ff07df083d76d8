"""Source S, the sphere hierarchy: an arm beside a conveyor, with the source's claims in numbers and a page of a model.

    python examples/sources/spheres.py [page.html]

The source covers only the surfaces of members by ranks of spheres, each inside the spheres of the rank above, and
compares two members from the largest pair down. It claims that a surface needs fewer spheres than a filled body, that
more ranks cost less time at the same accuracy, and that accuracy and speed are chosen independently.
"""

import sys
import time

import numpy as np

import keepclear as kc


def wedge(n: int = 40) -> kc.Mesh:
    """Return a curved link: a tube that bends by a right angle."""
    u, v = np.meshgrid(
        np.linspace(0.0, np.pi / 2, n), np.linspace(0.0, 2.0 * np.pi, n, endpoint=False), indexing="ij"
    )
    r = 0.4 + 0.08 * np.cos(v)
    points = np.stack([r * np.cos(u), r * np.sin(u), 0.08 * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(n - 1), np.arange(n), indexing="ij")
    a, b, c, d = (
        x.ravel() for x in (i * n + j, (i + 1) * n + j, (i + 1) * n + (j + 1) % n, i * n + (j + 1) % n)
    )
    fan = np.array([[0, k + 1, k] for k in range(1, n - 1)])  # both ends are closed
    ends = np.concatenate([fan, fan[:, ::-1] + n * (n - 1)])
    return kc.Mesh(points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1), ends]))


def near(X: np.ndarray, gap: float) -> np.ndarray:
    """Return a pose that is moved along y."""
    X = X.copy()
    X[1, 3] += gap
    return X


link, box = wedge(), kc.Box([0.3, 0.3, 0.3])
poses = np.tile(np.eye(4), (200, 1, 1))
poses[:, :3, 3] = np.random.default_rng(0).normal((0.28, 0.72, 0.0), 0.03, size=(200, 3))
heads = ("ranks", "spheres", "lowest", "filling", "tests", "of all")
print(
    f"{'accuracy':<10}" + "".join(f"{head:>9}" for head in heads) + f"{'time':>11}   (the link against a box)"
)
for accuracy in (0.04, 0.02, 0.01):
    tests, answers = {}, {}
    for ranks in (2, 3, 4, 5):
        tree, other = (kc.build_sphere_tree(shape, accuracy, ranks=ranks) for shape in (link, box))
        kc.collide(tree, np.eye(4), other, poses)
        start = time.process_time()
        found = kc.collide(tree, np.eye(4), other, poses)
        spent = (time.process_time() - start) / len(poses)
        lowest, of_box = len(tree.ranks[-1]), len(other.ranks[-1])
        # As many cubes of the same size fill the box: the source covers its surface only.
        filling = int(np.ceil(0.3 / (2.0 * accuracy / np.sqrt(3.0)))) ** 3
        tests[ranks], answers[ranks] = found.n_tests / len(poses), found.may_touch
        counts = f"{ranks:>9}{tree.n_spheres:>9}{lowest:>9}{of_box:>5}/{filling:<6}{tests[ranks]:>6.0f}"
        share = tests[ranks] / (lowest * of_box)
        print(f"{accuracy * 1000:.0f} mm{'':<5}{counts}{share:>9.2%}{spent * 1e6:>8.1f} us")
        assert accuracy > 0.03 or of_box < filling
    assert tests[5] < tests[2], "more ranks take fewer tests at the same accuracy"

# An arm of three members beside a conveyor, both on sphere models, step by step as the source does; then the proof.
world = kc.World()
world.add("conveyor", kc.Box([2.0, 0.4, 0.3]), near(np.eye(4), 0.702))
turn = np.linspace(0.0, 1.0, 5)
poses = np.tile(np.eye(4), (5, 1, 1))
poses[:, 0, 0] = poses[:, 1, 1] = np.cos(turn)
poses[:, 1, 0], poses[:, 0, 1] = np.sin(turn), -np.sin(turn)
arm = [(kc.Capsule(0.06, 0.4), np.eye(4)), (link, np.eye(4))]
world.add("arm", arm, kc.PoseTrajectory(turn * 2.0, poses, "screw"))
for accuracy in (0.02, 0.004):
    steps = world.simulate(dt=0.05, accuracy=accuracy)
    print(f"\nspheres of {accuracy * 1000:.0f} mm: {steps}")
report = world.verify()
print(f"\nproof: {report.verdict.name}, at least {report.pairs[0].clearance_lower:.4f} m apart")

if len(sys.argv) > 1:
    kc.build_sphere_tree(link, 0.02).to_html(sys.argv[1])
    print("page", sys.argv[1])
