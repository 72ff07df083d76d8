"""Records of pairs: a sequence of reports that are made when they are read, equal and sorted by content."""

from __future__ import annotations

import copy
import gc
import pickle
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.unit.report.example_reports import CLOSE, CONTACT, FAR, OPEN, clear_report

import keepclear as kc
from keepclear.report.parts import PairReport
from keepclear.report.records import PROOFS, VERDICT, VERDICTS, PairRecords
from keepclear.report.report import Report

PAIRS = (CONTACT, OPEN, CLOSE, FAR)


def records(n: int, names: tuple[str, ...] = ("a", "b"), points: Any = None, **changes: Any) -> PairRecords:
    """Return n pairs of two objects that stay apart until 1 s."""
    rows = np.zeros(n, VERDICT)
    values = {"b": 1, "verdict": 2, "time": np.nan, "t_lo": 1.0, "t_hi": 1.0, "clearance_upper": np.nan,
              "clearance_time": np.nan, "proof": 1}  # fmt: skip
    for name, value in {**values, **changes}.items():
        rows[name] = value
    return PairRecords(names=names, rows=rows, points=points or {})


def test_it_is_a_sequence_of_reports() -> None:
    records = PairRecords.of(PAIRS)
    assert len(records) == 4
    assert records[1] == OPEN
    assert records[-1] == FAR
    assert list(records) == list(PAIRS)
    assert list(reversed(records)) == list(PAIRS[::-1])
    assert (CLOSE in records, records.index(CLOSE), records.count(CLOSE)) == (True, 2, 1)
    assert replace(CLOSE, a="x") not in records
    assert isinstance(records[1:3], PairRecords)
    assert records[1:3] == (OPEN, CLOSE)
    assert records[::-2] == [FAR, OPEN]
    assert records[:0] == ()
    first, *rest = records
    assert (first, len(rest)) == (CONTACT, 3)
    for index in (4, -5):
        with pytest.raises(IndexError):
            records[index]
    assert repr(records) == "PairRecords(4 pairs: 1 COLLIDING, 1 UNDECIDED, 2 CLEAR)"
    assert bool(records)
    assert not PairRecords.of(())


def test_it_equals_what_has_the_same_content() -> None:
    records = PairRecords.of(PAIRS)
    assert records == PAIRS
    assert PAIRS.__eq__(records) is NotImplemented  # so that Python asks the records
    assert records == list(PAIRS)
    assert records != PAIRS[:3]
    assert records != "pairs"
    n, rows = len(records.names), records.rows.copy()
    rows["a"], rows["b"] = n - rows["a"], n - rows["b"]
    assert replace(records, names=("nobody", *records.names[::-1]), rows=rows) == records
    for name, value in (("a", "x"), ("time", 1.283), ("margin", 0.1), ("evaluations", 40), ("proof", "hulls"),
                        ("program", "p"), ("contacts", CONTACT.contacts[:1]), ("curve", None),
                        ("p_WA", (0.0, 0.0, 0.0))):  # fmt: skip
        other = PairRecords.of((replace(CONTACT, **{name: value}), *PAIRS[1:]))
        assert other != records, name
        assert other != PAIRS, name


def test_a_report_is_one_object_while_somebody_holds_it() -> None:
    pairs = records(3)
    held = pairs[1]
    assert pairs[1] is held
    assert list(pairs)[1] is held
    assert clear_report(pairs=PAIRS).pairs[2] is CLOSE
    del held
    gc.collect()
    assert len(pairs._made) == 0


def test_columns_say_what_reports_say() -> None:
    records = PairRecords.of(PAIRS)
    assert [VERDICTS[code].name for code in records.verdict] == ["COLLIDING", "UNDECIDED", "CLEAR", "CLEAR"]
    assert np.isnan(records.time).tolist() == [False, True, True, True]
    assert np.isnan(records.clearance_upper).tolist() == [False, False, False, True]
    assert (set(records.contacts), set(records.points), set(records.curves)) == ({0}, {2}, {0, 2})
    assert records.proofs == (*PROOFS, "swept balls")
    assert records.worst is kc.Verdict.COLLIDING
    assert PairRecords.of(()).worst is None
    assert {v.name: n for v, n in records.verdict_counts().items()} == {
        "COLLIDING": 1,
        "UNDECIDED": 1,
        "CLEAR": 2,
    }
    assert records.proof_counts() == {"": 1, "exact shapes": 2, "swept balls": 1}
    with pytest.raises(ValueError, match="read-only"):
        records.verdict[0] = 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"verdict": np.array([2, -1])}, "a code of verdict is not from 0 to 2"),
        ({"verdict": [3, 0]}, "a code of verdict is not from 0 to 2"),
        ({"a": np.array([0, -1])}, "a code of a is not from 0 to 1"),
        ({"b": [2, 1]}, "a code of b is not from 0 to 1"),
        ({"proof": [0, 4]}, "a code of proof is not from 0 to 3"),
        ({"program": [0, 1]}, "a code of program is not from 0 to 0"),
    ],
)
def test_codes_that_name_nothing_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        records(2, **changes)


def test_other_rows_and_too_many_proofs_are_refused() -> None:
    for rows in (np.zeros(2), np.zeros((2, 2), VERDICT)):
        with pytest.raises(ValueError, match="rows of VERDICT"):
            PairRecords(names=("a", "b"), rows=rows)
    with pytest.raises(ValueError, match="at most 65536 methods"):
        PairRecords(names=("a", "b"), rows=np.zeros(1, VERDICT), proofs=("",) * 65537)


def test_an_unwritten_row_has_the_worst_verdict() -> None:
    assert records(1, verdict=np.zeros(1, VERDICT)["verdict"]).worst is kc.Verdict.COLLIDING


def rank(pair: PairReport) -> tuple[Any, ...]:
    """Return what reports are sorted by, the slow and obvious way."""
    close = pair.clearance_lower if pair.clearance_upper is None else pair.clearance_upper
    close -= pair.margin if pair.verdict is kc.Verdict.CLEAR else 0.0
    return (
        VERDICTS.index(pair.verdict),
        close if pair.time is None else pair.time,
        pair.program,
        pair.a,
        pair.b,
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("programs", [("",), ("pick", "Place", "")])
def test_they_are_sorted_as_one_by_one(seed: int, programs: tuple[str, ...]) -> None:
    dice = random.Random(seed)
    pairs = []
    for base in dice.choices(PAIRS, k=60):
        a, b = dice.sample(["arm", "Box", "part", "post", "tabl\xe9", "table", "x/y"], 2)
        time = None if base.time is None else dice.choice([1.0, 1.25])
        lower, margin = dice.choice([0.0, 0.01]), dice.choice([0.0, 0.002, 0.1])
        changes = {"time": time, "clearance_lower": lower, "margin": margin, "program": dice.choice(programs)}
        pairs.append(replace(base, a=a, b=b, **changes))
    records = PairRecords.of(pairs)
    assert records.sorted() == sorted(pairs, key=rank)
    first = min(
        (pair for pair in pairs if pair.time is not None), key=lambda p: (p.time, p.program, p.a, p.b)
    )
    assert records.first_contact() == first
    known = [pair for pair in pairs if pair.clearance_upper is not None]
    row = records.least_row(records.clearance_lower, ~np.isnan(records.clearance_upper))
    assert row is not None
    assert records[row] == min(known, key=lambda p: (p.clearance_lower, p.program, p.a, p.b))


def test_rows_in_an_order_are_records_of_their_own() -> None:
    """Entries move with their rows, and the rows that were given stay writable."""
    points = {1: ((1.0, 1.0, 1.0), (2.0, 2.0, 2.0))}
    given = records(3, clearance_lower=[0.3, 0.1, 0.2], evaluations=[3, 1, 2], points=points)
    found = given.take([1, 2, 0])
    assert found == [given[1], given[2], given[0]]
    assert (found.evaluations.tolist(), found[0].p_WB) == ([1, 2, 3], (2.0, 2.0, 2.0))
    rows = np.zeros(1, VERDICT)
    assert not PairRecords(names=("a",), rows=rows).rows.flags.writeable
    assert rows.flags.writeable


def test_names_that_no_pair_has_do_not_matter() -> None:
    names = tuple(f"object {k}" for k in range(100))
    pairs = records(3, names, a=[70, 5, 5], b=[71, 99, 6])
    assert [(pair.a[7:], pair.b[7:]) for pair in pairs.sorted()] == [("5", "6"), ("5", "99"), ("70", "71")]
    assert pairs.used_names() == [f"object {k}" for k in (5, 6, 70, 71, 99)]


def test_rows_are_found_by_names_in_either_order() -> None:
    records = PairRecords.of([*PAIRS, replace(CLOSE, program="again")])
    assert records.rows_of("part", "arm/hand") == records.rows_of("arm/hand", "part") == [2, 4]
    assert records.rows_of("table", "arm/forearm") == [0]
    assert records.rows_of("table", "part") == records.rows_of("table", "nothing") == []


def test_records_of_programs_are_joined() -> None:
    one = PairRecords.of((CLOSE, FAR)).named("one")
    two = PairRecords.of((CONTACT, CLOSE)).named("two")
    joined = PairRecords.joined([one, PairRecords.of(()), two])
    expected = [
        *(replace(p, program="one") for p in (CLOSE, FAR)),
        *(replace(p, program="two") for p in (CONTACT, CLOSE)),
    ]
    assert joined == expected
    assert joined.sorted() == sorted(expected, key=rank)
    assert PairRecords.joined([]) == ()


def test_they_can_be_pickled_and_copied() -> None:
    report = clear_report(pairs=PAIRS)
    assert report.pairs[0] is CONTACT
    for again in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
        assert again == report
        assert again.pairs == PAIRS


def test_a_large_report_makes_no_report_of_a_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 200_000
    made: list[int] = []
    make = PairRecords._make
    monkeypatch.setattr(PairRecords, "_make", lambda records, row: made.append(row) or make(records, row))
    verdict = np.where(np.arange(n) % 1000, 2, 1)
    pairs = records(n, verdict=verdict, clearance_lower=np.linspace(1.0, 0.0, n)).sorted()
    assert pairs.worst is not None
    report = Report(verdict=pairs.worst, t0=0.0, t1=1.0, tolerance=1e-3, pairs=pairs)
    assert (report.first, report.exit_code, pairs.proof_counts()) == (None, 3, {"swept boxes": n})
    assert made == []
    assert "with 200 of 200 000 pairs undecided" in str(report)
    assert 0 < len(made) < 20
