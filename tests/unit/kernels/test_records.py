"""Record types of the tables that Python and kernels share."""

from __future__ import annotations

import numpy as np
import pytest

from keepclear.kernels.tables import RECORDS
from keepclear.kernels.tables.pair import PAIR, forget_answers, new_pair, new_pairs
from keepclear.kernels.tables.record import record


@pytest.mark.parametrize("name", RECORDS)
def test_rows_have_no_gaps(name: str) -> None:
    fields = RECORDS[name].fields
    assert fields is not None
    assert sum(kind.itemsize for kind, *_ in fields.values()) == RECORDS[name].itemsize


def test_gaps_and_names_of_numpy_are_refused() -> None:
    with pytest.raises(ValueError, match="the fields leave gaps"):
        record(("narrow", np.uint8), ("wide", np.float64))
    with pytest.raises(ValueError, match="already have an attribute 'size'"):
        record(("size", np.float64))


def test_one_row_is_like_a_row_of_many() -> None:
    """A single question is written as bytes: in the order of the fields, and nothing else is set."""
    ball = np.arange(5.0)
    row, expected = new_pair((1.0, 2.0, 3.0), 0.25, 0.5, 4.0, ball, True, True), new_pairs(1)
    question = {"t0": 1.0, "t1": 2.0, "end": 3.0, "margin": 0.25, "tolerance": 0.5, "scale": 4.0, "now": 1.0}
    for name, value in question.items():
        expected[name] = value
    expected["since"] = 1.0
    expected["time_tolerance"], expected["ball"] = np.inf, ball
    expected["swapped"] = expected["least"] = 1
    assert row.tobytes() == expected.tobytes()
    assert row.dtype == PAIR
    assert row.flags.writeable


def test_forgotten_answers_leave_the_question() -> None:
    rows = new_pairs(3)
    rows["margin"], rows["time"], rows["unproved"], rows["evaluations"] = 0.1, 0.5, 1, 7
    forget_answers(rows, np.array([0, 2]), np.array([0.25, 0.75]))
    assert rows["now"].tolist() == [0.25, 0.0, 0.75]
    assert rows["time"].tolist() == [np.inf, 0.5, np.inf]
    assert rows["unproved"].tolist() == [0, 1, 0]
    assert (rows["margin"] == 0.1).all()
    assert (rows["evaluations"] == 7).all()
