"""Yes or no, and all pairs of faces that meet, exactly as brute force in integers finds them, family by family."""

from collections import Counter

import pytest
from tests.oracles import mesh_families, mesh_scale_families
from tests.oracles.mesh_cases import mesh_cases_of
from tests.oracles.mesh_comparison import collide_faults_of
from tests.oracles.mesh_inside import truth_of
from tests.oracles.mesh_scene import scale_defect, scene

FAMILIES = (*mesh_families.FAMILIES, *mesh_scale_families.FAMILIES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_family(family):
    cases = mesh_cases_of(family)
    found = [fault for case in cases for fault in collide_faults_of(case, ("obb_tree", "box_tree"))]
    asked = 4 * sum(len(case) for case in cases)
    assert not found, f"{len(found)} of {asked} answers are wrong; the shortest:\n{min(found, key=len)}"


def test_families_are_large_and_their_poses_are_taken_as_given():
    cases = [case for family in FAMILIES for case in mesh_cases_of(family)]
    assert sum(len(case) for case in cases) > 4000
    assert max(len(body.triangles) for case in cases for body in (case.a, case.b)) <= 200
    assert all(scale_defect(X) <= 1e-15 for case in cases for X in (*case.X_WA, *case.X_WB))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("near_misses_of_hulls", {"apart": 100, "meeting": 100}),
        ("near_misses_of_soups", {"apart": 50, "meeting": 100}),
        ("in_and_around", {"apart": 100, "meeting": 100, "contained": 50}),
        ("touching_under_one_pose", {"apart": 80, "meeting": 80}),  # rounding of the processor decides
    ],
)
def test_families_have_answers_of_all_kinds(name, least):
    family = next(f for f in FAMILIES if f.__name__ == name)
    found = Counter(
        truth_of(scene(case.a, X_WA, case.b, X_WB)).relation
        for case in mesh_cases_of(family)
        for X_WA, X_WB in zip(case.X_WA, case.X_WB, strict=True)
    )
    assert all(found[relation] >= count for relation, count in least.items()), found
