"""Check meshes in the background: submit, continue, read pairs while they are found, cancel, await."""

import asyncio
from concurrent.futures import as_completed

import numpy as np

import keepclear as kc


def ring(n: int, m: int, radius: float = 0.3, tube: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices and the 2 n m triangles of a ring around z [m]."""
    i, j = np.divmod(np.arange(n * m), m)
    u, v = 2 * np.pi * i / n, 2 * np.pi * j / m
    r = radius + tube * np.cos(v)
    vertices = np.stack([r * np.cos(u), r * np.sin(u), tube * np.sin(v)], axis=1)
    right, up = (i + 1) % n * m, (j + 1) % m
    a, b, c, d = i * m + j, right + j, right + up, i * m + up
    return vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def turned(angle: float, x: float) -> np.ndarray:
    """Return the pose of a frame turned about x, and moved along it."""
    X = np.eye(4)
    X[1:3, 1:3] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    X[0, 3] = x
    return X


vertices, faces = ring(120, 40)
with kc.World(threads=2) as world:
    # Adding builds the trees, and blocks until everything is ready. Arrays, shapes and finished trees are accepted.
    world.add("ring", (vertices, faces))
    world.add("link", kc.build_obb_tree(kc.Mesh(*ring(60, 20))))
    with world.begin("streamed") as streamed:  # ... and so are vertices and faces in chunks
        for portion in np.array_split(vertices, 10):
            streamed.vertices(portion)
        for portion in np.array_split(faces, 10):
            streamed.faces(portion)
    print(world)

    # Submitting returns at once. Checks end in any order; long checks do not block others.
    offsets = np.linspace(0.0, 1.0, 101)
    checks = {world.submit("ring", "link", turned(np.pi / 2, x)): x for x in offsets}
    hits = sorted(checks[check] for check in as_completed(checks) if check.result().colliding)
    print(f"{len(hits)} of {len(checks)} offsets collide: up to {max(hits):.2f} m, but for", end=" ")
    clear = [x for x in offsets if x < max(hits) and x not in hits]
    print(f"{clear[0]:.2f} to {clear[-1]:.2f} m, where the rings are linked and do not touch")
    assert not set(hits) & set(clear)

    # Pairs of faces can be read while the search runs; they are the pairs of the result.
    check = world.submit("ring", "streamed", turned(0.0, 0.01), find="all")
    first = next(iter(check))
    print("first pair:", first)
    found = sorted(check)  # ends when the search ends
    assert first in found
    assert found == [tuple(pair) for pair in check.result().pairs.tolist()]
    print(check)

    # An object may be removed while checks need it. They finish with the object; new ones are refused.
    check = world.submit("ring", "streamed", np.eye(4))
    world.remove("streamed")
    assert check.result().colliding
    try:
        world.submit("ring", "streamed", np.eye(4))
    except kc.UnknownNameError as error:
        print("UnknownNameError:", error)

    # Checks that are no longer needed are cancelled, waiting or running.
    check = world.submit("ring", "ring", np.eye(4), find="all")
    print("cancelled:", check.cancel() or "too late, it had ended")

    # The same in asyncio.
    async def main() -> int:
        answers = await asyncio.gather(*(world.submit("ring", "link", turned(a, 0.3)) for a in offsets))
        return sum(answer.colliding for answer in answers)

    print(f"{asyncio.run(main())} of {len(offsets)} angles collide")
