"""First contacts planted at known times, near misses and grazes, for every pair of shapes, every motion and method."""

import numpy as np
import pytest
from tests.oracles.contact_time import Encounter, Truth, first_contact_truth
from tests.oracles.contact_time_check import asked, contact_faults, told
from tests.oracles.motion_families import SHAPES, Question, planted_impact, planted_miss
from tests.oracles.motion_poses import carried, reversed_move
from tests.oracles.motion_scenes import spinning_box, to_and_fro, turning_rod
from tests.oracles.poses import pose, random_rotation

import keepclear as kc

KINDS = ("screw", "linear", "cubic")
CURVED = {"sphere", "capsule", "cylinder"}
METHODS = ("hybrid", "bisection", "exact", "bisect_exact")


def methods_for(question: Question) -> list[str]:
    """The exact method is for polyhedra without a margin."""
    curved = question.margin > 0 or {question.case.a.kind, question.case.b.kind} & CURVED
    return [m for m in METHODS if not (curved and "exact" in m)]


def check(question: Question, methods=None, expected=None) -> None:
    """Ask in every way, and fail with all that is needed to ask again."""
    case, truth, tolerance, margin = question
    for method in methods or methods_for(question):
        answer = asked(case, method=method, tolerance=tolerance, margin=margin)
        wrong = contact_faults(case, answer, truth, tolerance=tolerance, margin=margin)
        if expected is not None and answer.verdict is not expected:
            wrong.append(f"not {expected}")
        assert not wrong, f"{method}: {told(case, wrong, answer, truth)}"


def shapes_and_kind(a: str, b: str, salt: int):
    """Two shapes and a kind of motion, so that each pair sees all kinds with different salts."""
    place = list(SHAPES).index(a) * len(SHAPES) + list(SHAPES).index(b)
    rng = np.random.default_rng([place, salt])
    return rng, SHAPES[a](rng, 1.0), SHAPES[b](rng, 1.0), KINDS[(place + salt) % 3]


def every_second(a: str, part: int) -> list[str]:
    """One half of the shapes, or the other; which is which changes from shape to shape."""
    return list(SHAPES)[(list(SHAPES).index(a) + part) % 2 :: 2]


@pytest.mark.parametrize("a", SHAPES)
def test_impacts_are_found_when_they_happen(a):
    for b in SHAPES:
        rng, thing_a, thing_b, kind = shapes_and_kind(a, b, 0)
        margin = 0.03 if rng.random() < 0.3 else 0.0
        question = planted_impact(rng, thing_a, thing_b, kind, margin)
        check(question, expected=kc.Verdict.COLLIDING)


@pytest.mark.parametrize("a", SHAPES)
def test_near_misses_of_a_micrometre_are_proved_clear(a):
    for b in every_second(a, 0):
        rng, thing_a, thing_b, kind = shapes_and_kind(a, b, 2)
        check(planted_miss(rng, thing_a, thing_b, kind, 1e-6), ["hybrid"], kc.Verdict.CLEAR)


@pytest.mark.parametrize("a", SHAPES)
def test_grazes_of_a_micrometre_are_contacts(a):
    for b in every_second(a, 1):
        rng, thing_a, thing_b, kind = shapes_and_kind(a, b, 3)
        check(planted_miss(rng, thing_a, thing_b, kind, -1e-6), ["hybrid"], kc.Verdict.COLLIDING)


@pytest.mark.parametrize("kind", ["screw", "linear"])
def test_fifty_spinning_boxes_hit_the_plate(kind):
    for seed in range(50):
        question = spinning_box(np.random.default_rng([seed, 11]), kind)
        methods = methods_for(question) if seed < 4 else ["hybrid"]
        check(question, methods, kc.Verdict.COLLIDING)


@pytest.mark.parametrize("kind", ["screw", "linear"])
def test_fifty_rods_hit_small_things(kind):
    for seed in range(50):
        question = turning_rod(np.random.default_rng([seed, 12]), kind)
        methods = methods_for(question) if seed < 4 else ["hybrid"]
        check(question, methods, kc.Verdict.COLLIDING)


@pytest.mark.parametrize("lift", [1e-6, -1e-6])
def test_rods_pass_or_graze_by_a_micrometre(lift):
    for seed in range(10):
        question = turning_rod(np.random.default_rng([seed, 13]), ("screw", "linear")[seed % 2], lift=lift)
        expected = kc.Verdict.CLEAR if lift > 0 else kc.Verdict.COLLIDING
        check(question, ["hybrid", "bisection"], expected)


@pytest.mark.parametrize("last", [False, True], ids=["several", "only the last instant"])
def test_the_first_contact_of_several_is_found(last):
    for seed in range(6):
        question = to_and_fro(np.random.default_rng([seed, 14]), ("screw", "linear")[seed % 2], last=last)
        check(question, ["hybrid", "bisection"], kc.Verdict.COLLIDING)


def test_the_same_motion_seen_from_another_frame():
    """Both bodies carried by one rigid motion: the same verdict, and the same truth about the time."""
    for seed in range(12):
        rng = np.random.default_rng([seed, 15])
        names = list(SHAPES)
        a, b = (SHAPES[names[int(k)]](rng, 1.0) for k in rng.integers(len(names), size=2))
        maker = planted_impact if seed % 2 else lambda *told: planted_miss(*told, 1e-3)
        case, truth, *_ = maker(rng, a, b, KINDS[seed % 3])
        X_VW = pose(random_rotation(rng), rng.normal(size=3) * 10.0 ** rng.uniform(-1, 3))
        moved = Encounter(a, carried(X_VW, case.move_a), b, carried(X_VW, case.move_b))
        answers = [asked(case), asked(moved)]
        assert answers[0].verdict is answers[1].verdict
        check(Question(moved, truth))


def test_motions_reversed_in_time():
    """Reversed, a miss stays a miss, a graze a graze at the negative time, and a plate is hit from the other side."""
    for seed in range(12):
        rng = np.random.default_rng([seed, 16])
        names = list(SHAPES)
        a, b = (SHAPES[names[int(k)]](rng, 1.0) for k in rng.integers(len(names), size=2))
        case, truth, tolerance, _ = planted_miss(rng, a, b, KINDS[seed % 3], (1e-6, -1e-6)[seed // 6])
        back = Encounter(a, reversed_move(case.move_a), b, case.move_b)
        seen = Truth(back.span[1] if seed < 6 else back.span[0], -truth.contact_at)
        expected = kc.Verdict.CLEAR if seed < 6 else kc.Verdict.COLLIDING
        check(Question(back, seen, tolerance), ["hybrid"], expected)
    for seed in range(4):
        case = spinning_box(np.random.default_rng([seed, 17]), "screw").case
        back = Encounter(case.a, reversed_move(case.move_a), case.b, case.move_b)
        check(Question(back, first_contact_truth(back, resolution=1e-8)), expected=kc.Verdict.COLLIDING)
