"""Random small worlds with windows, attachments, releases, tolerances and rests keep the promises of API.md."""

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from tests.oracles.rule_check import CONTACTS, check_spec
from tests.oracles.rule_commands import check_command, exit_codes
from tests.oracles.rule_library import cell_file
from tests.oracles.rule_paths import Path as Route
from tests.oracles.rule_paths import Solid, least_distance, resting, signed_distance, times_within, vector
from tests.oracles.rule_spec import Spec
from tests.oracles.rule_stories import STORIES, carried_together
from tests.oracles.rule_times import without
from tests.oracles.rule_truth import all_pairs, expectation
from tests.oracles.rule_worlds import random_spec

PER_TEST = 15


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
@pytest.mark.parametrize("contacts", CONTACTS)
def test_stories_known_by_hand_keep_the_promises(
    story: Callable[[], Spec], contacts: str, tmp_path: Path
) -> None:
    a, b, expected = STORIES[story]
    found = {frozenset((truth.a, truth.b)): truth.must for truth in map(expectation, all_pairs(story()))}
    must = found.pop(frozenset((a, b)))
    assert not any(found.values())  # no other pair is in contact
    assert len(must) == len(expected)
    for (start, end), (true_start, true_end) in zip(must, expected, strict=True):
        assert abs(start - true_start) < 1e-8
        assert abs(end - true_end) < 1e-8
    faults = [str(fault) for fault in check_spec(story(), tmp_path, contacts).faults]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("first", range(0, 60, PER_TEST))
def test_random_worlds_keep_the_promises(first: int, tmp_path: Path) -> None:
    faults = []
    for seed in range(first, first + PER_TEST):
        tally = check_spec(random_spec(seed), tmp_path, CONTACTS[seed % len(CONTACTS)])
        faults += [f"seed {seed}: {fault}" for fault in tally.faults]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("code", [0, 1])
def test_the_command_ends_with_the_code_of_the_verdict(code: int, tmp_path: Path) -> None:
    specs = ((seed, random_spec(seed)) for seed in range(1000, 2000))
    seed, spec = next(
        (seed, spec) for seed, spec in specs if spec.t0 != spec.t1 and exit_codes(spec) == {code}
    )
    assert not check_command(spec, tmp_path), f"seed {seed}"


def test_a_listed_overlap_fails_a_strict_command(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "keepclear",
        "verify",
        str(cell_file(carried_together(), tmp_path)),
        "--strict",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert "'a' and 'b'" in done.stdout + done.stderr


def test_worlds_are_the_same_for_a_seed_and_of_every_kind() -> None:
    specs = [random_spec(seed) for seed in range(150)]
    assert specs[7] == random_spec(7)
    for kind in ("attachments", "windows", "margins", "loose", "only", "machines", "t0"):
        count = sum(bool(getattr(spec, kind)) for spec in specs)
        assert 10 <= count <= 140, kind
    assert any(one.t_to is None for spec in specs for one in spec.attachments)
    assert any(len(spec.held(name)) > 1 for spec in specs for name in spec.things)


def test_the_oracle_knows_distances_by_hand() -> None:
    # A ball of 1/4 m passes a cube of 1 m along x, 1/8 m beside it, at 1 m/s: the face is passed from -1/2 to 1/2 m.
    solid = Solid(vector((Fraction(1, 2),) * 3), Fraction(1, 4))
    beside = Route(
        (Fraction(0), Fraction(4)), (vector((-2, Fraction(7, 8), 0)), vector((2, Fraction(7, 8), 0)))
    )
    assert least_distance(solid, beside, Fraction(0), Fraction(4)) == Fraction(1, 8)
    assert times_within(solid, beside, Fraction(1, 8), Fraction(0), Fraction(4)) == [
        (Fraction(3, 2), Fraction(5, 2))
    ]
    # Within 3/8 m: before the corner at x = -1/2 by sqrt((5/8)^2 - (3/8)^2) = 1/2 m.
    assert times_within(solid, beside, Fraction(3, 8), Fraction(0), Fraction(4)) == [
        (Fraction(1), Fraction(3))
    ]
    assert signed_distance(solid, vector((0, 0, Fraction(1, 4)))) == Fraction(-1, 2)
    cube = Solid(solid.half, Fraction(0))
    assert times_within(
        cube, resting(vector((0, 0, Fraction(3, 8)))), Fraction(-1, 8), Fraction(0), Fraction(1)
    )
    assert not times_within(
        cube, resting(vector((0, 0, Fraction(3, 8)))), Fraction(-1, 4), Fraction(0), Fraction(1)
    )


def test_windows_are_closed_and_what_is_left_of_an_instant_is_nothing() -> None:
    second = [(Fraction(0), Fraction(1))]
    assert without(second, [(Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(1))]) == []
    assert without([(Fraction(1), Fraction(1))], second) == []
    assert without([(Fraction(2), Fraction(2))], second) == [(Fraction(2), Fraction(2))]
