"""Faults of mesh queries that were found before a release, each with its story."""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc

HERE = np.eye(4)


@pytest.mark.parametrize("using", ["obb_tree", "box_tree"])
def test_boxes_that_share_a_corner_are_not_apart(using: str) -> None:
    # Two boxes with nearly parallel axes: their product in single precision is next to nothing, and its rounding
    # decided that two triangles with a common corner (1, 1, 2) were apart. One of two contacts was missed.
    a = kc.Mesh([[1, 1, 2], [0, 0, 0], [2, 1, 1]], [[0, 1, 2]])
    b = kc.Mesh([[1, 1, 2], [1, 1, 1], [2, 2, 1], [0, 0, 1], [0, 0, 0], [0, 1, 0]], [[0, 1, 2], [3, 4, 5]])
    found = kc.collide(a, HERE, b, HERE, "all", using=using)  # type: ignore[arg-type]
    assert found.pairs.tolist() == [[0, 0], [0, 1]]


@pytest.mark.parametrize("using", ["obb_tree", "box_tree"])
def test_faces_that_are_points_do_not_keep_a_search_for_ever(using: str) -> None:
    # All boxes have size 0, and "open the larger one" opened none.
    points = kc.Mesh(np.zeros((6, 3)), np.arange(6).reshape(2, 3))
    assert len(kc.collide(points, HERE, points, HERE, "all", using=using).pairs) == 4  # type: ignore[arg-type]
    assert kc.distance(points, HERE, points, HERE).state is kc.State.INTERFERING


def test_parallel_edges_are_measured_between_their_points() -> None:
    # Two edges are parallel up to rounding: the direction of their cross product was noise, the distance along it 1.0,
    # and `upper` below the truth, the square root of 3.
    a = kc.Mesh([[0, 0, 3], [0, 3, 0], [-3, 0, 0]], [[0, 1, 2]])
    b = kc.Mesh([[-5, -2, -1], [-5, -1, 0], [-4, -1, -1]], [[0, 1, 2]])
    X = np.array(
        [
            [0.48897104465389796, 0.2994070570063689, -0.8193062502537501, -0.014371253610413096],
            [0.31680427870898337, 0.8141601178744314, 0.48659875817183584, 0.018662871647225576],
            [0.8127375754090348, -0.49749242876397315, 0.30324728661731926, -0.06265260818960507],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
    answer = kc.distance(a, X, b, X)
    assert answer.distance == pytest.approx(np.sqrt(3.0), abs=1e-14)
    assert answer.lower <= np.sqrt(3.0) <= answer.upper


def test_a_wall_through_the_middle_of_a_box_is_no_touch() -> None:
    # The search ended with a distance of 9e-17 beside lower = 0 and called a box cut in halves touching.
    wall = kc.Mesh([[-3, -3, 0], [3, -3, 0], [0, 3, 0]], [[0, 1, 2]])
    box = kc.Box([1, 1, 1])
    assert kc.distance(wall, HERE, box, HERE).state is kc.State.INTERFERING
    lifted = np.eye(4)
    lifted[2, 3] = 0.5
    touch = kc.distance(wall, HERE, box, lifted)
    assert touch.state is kc.State.TOUCHING
    assert touch.distance == 0.0
