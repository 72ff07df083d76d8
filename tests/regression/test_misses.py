"""The published data set of motions whose contacts are easy to miss: certified answers, and the script that asks."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from benchmarks.misses import cases
from benchmarks.misses.__main__ import answers, kind_of, main

import keepclear as kc

DATA = cases.read()


@pytest.mark.parametrize("method", ["hybrid", "bisection"])
def test_brackets_contain_what_each_method_finds(method: str) -> None:
    for one, case in list(zip(DATA["cases"], cases.as_cases(DATA), strict=True))[
        :: 1 if method == "hybrid" else 7
    ]:
        found = kc.first_contact(*case.question, 1e-5, method=method)  # type: ignore[arg-type]
        answer = one["answer"]
        if answer["contact"]:
            assert found.verdict is kc.Verdict.COLLIDING
            assert found.t_lo <= answer["t_hi"]
        elif answer["clearance_lower"] > 1e-5:
            assert found.verdict is kc.Verdict.CLEAR


def test_the_families_hold_contacts_and_free_motions() -> None:
    contacts = [one["answer"]["contact"] for one in DATA["cases"]]
    assert len(contacts) == 200
    assert 100 < sum(contacts) < 200


def test_answers_are_counted_by_kind() -> None:
    contact, free = {"contact": True, "t_lo": 0.4, "t_hi": 0.5}, {"contact": False}
    times = {0.45: "right", 0.502: "late", 0.398: "early", math.nan: "missed"}
    assert [kind_of(time, contact) for time in times] == list(times.values())
    assert [kind_of(time, free) for time in (math.nan, 0.1)] == ["right", "invented"]


def test_ten_samples_miss_most_contacts() -> None:
    pytest.importorskip("fcl")
    kinds = [kind_of(t, one["answer"]) for t, one in zip(answers("fcl:10", DATA), DATA["cases"], strict=True)]
    assert kinds.count("missed") > 100
    assert "invented" not in kinds


def test_a_function_of_a_user_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("def ask(case, fixed, moving):\n    return None\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("sys.argv", ["misses", "mine:ask"])
    with pytest.raises(SystemExit, match="1"):
        main()
    missed = sum(one["answer"]["contact"] for one in DATA["cases"])
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split() == ["all", str(200 - missed), str(missed), "0", "0", "0"]
    with pytest.raises(
        SystemExit, match="no library 'bullet'; there are keepclear, rapier, fcl:N and MODULE:"
    ):
        answers("bullet", DATA)


def test_another_format_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text('{"format": 2}')
    with pytest.raises(ValueError, match="has format 2, but this script reads 1"):
        cases.read(file)
