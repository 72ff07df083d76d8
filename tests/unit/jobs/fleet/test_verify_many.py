"""Many cells: reports as `kc.verify` gives them, from any executor, and again from the store."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
import sys
import warnings
import zlib
from pathlib import Path

import pytest
from tests.oracles.fleet_faults import Faulty

import keepclear as kc
from keepclear.jobs.fleet import jobs
from keepclear.jobs.fleet.results import exit_code_of
from keepclear.jobs.fleet.run import cell_files

CELL = """
objects:
  ball: {{sphere: 0.1}}
  wall: {{box: [0.2, 1, 1], position: [{wall}, 0, 0]}}
  post: {{box: [0.1, 0.1, 1], position: [0.45, {post}, 0]}}
programs:
{programs}
"""


def program(x: float) -> str:
    return f"{{times: [0, 1, 2], positions: [[0, 0, 0], [{x}, 0, 0], [0, 0, 0]], interpolation: linear}}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    for k in range(3):
        write(tmp_path, k)
    return tmp_path


def write(folder: Path, k: int, *, post: float = 0.2, reach: float = 0.4) -> Path:
    lines = [f"  go_{n}: {{ball: {program(reach + 0.05 * n)}}}" for n in range(3)]
    path = folder / f"cell_{k}.yaml"
    path.write_text(CELL.format(wall=0.75 + 0.01 * k, post=post, programs="\n".join(lines)))
    return path


def findings(results: list[kc.fleet.ProgramResult]) -> dict[str, str]:
    return {one.name: one.report.to_json(effort=False) for one in results if one.report is not None}


def test_reports_are_those_of_verify(folder: Path) -> None:
    expected = {kc.verify(path, threads=1).to_json(effort=False) for path in sorted(folder.glob("*.yaml"))}
    assert {report.to_json(effort=False) for report in kc.verify_many(folder)} == expected
    with kc.ResultStore(folder / "results.db") as store:
        assert {r.to_json(effort=False) for r in kc.verify_many([folder], store=store)} == expected
        again = list(kc.verify_many([folder], store=store))
    assert {report.to_json(effort=False) for report in again} == expected


def test_only_what_changed_is_computed(folder: Path) -> None:
    store = folder / "results.db"
    first = list(kc.fleet.verify_programs([folder], store=store))
    assert len(first) == 9
    assert sum(one.computed for one in first) > 0
    assert sum(one.computed for one in kc.fleet.verify_programs([folder], store=store)) == 0
    write(folder, 1, post=0.21)
    second = list(kc.fleet.verify_programs([folder], store=store))
    changed = [one for one in second if one.computed]
    assert {one.cell for one in changed} == {str(folder / "cell_1.yaml")}
    assert any(one.stored > 0 for one in changed), "the pairs of the wall are known"
    assert findings(second) == findings(list(kc.fleet.verify_programs([folder])))


def test_processes_and_parts_give_the_same_bytes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = findings(list(kc.fleet.verify_programs([folder])))
    monkeypatch.setattr(jobs, "LONG", 0.0)  # every program is cut into parts
    monkeypatch.setattr(jobs, "PART", 1e-3)
    found = list(kc.fleet.verify_programs([folder], kc.executors.Processes(2), timeout=300.0))
    assert findings(found) == expected
    assert sum(one.computed for one in found) > 0


def test_jobs_depend_on_the_programs_alone(folder: Path) -> None:
    cell = kc.read_cell(folder / "cell_0.yaml")
    tasks = [("a", jobs.ProgramTask(k, name)) for k, name in enumerate(cell.programs)]
    part = jobs.Part((), {}, None)
    once, again = (list(jobs.make_jobs({"a": cell}, tasks, part)) for _ in range(2))
    assert once == again
    assert [task.program for job in once for task in job.arguments.tasks] == list(cell.programs)


def test_a_cell_with_mistakes_does_not_end_the_others(folder: Path) -> None:
    (folder / "bad.yaml").write_text("objects:\n  ball: {sphere: -1}\n")
    found = list(kc.fleet.verify_programs([folder]))
    bad = [one for one in found if one.report is None]
    assert len(found) == 10
    assert len(bad) == 1
    assert bad[0].exit_code() == 2
    assert "bad.yaml:2:18" in bad[0].failure
    with pytest.raises(kc.FleetError, match=r"bad\.yaml"):
        list(kc.verify_many([folder]))


def test_exit_codes_of_many() -> None:
    assert [exit_code_of(codes) for codes in ([], [0, 3], [3, 2], [2, 4], [4, 1, 2], [0])] == [
        0,
        3,
        2,
        4,
        1,
        0,
    ]


def test_no_cells_and_no_paths(tmp_path: Path) -> None:
    assert list(kc.verify_many([])) == []
    with pytest.raises(kc.FleetError, match="has no cell file"):
        list(kc.verify_many(tmp_path))
    with pytest.raises(kc.ArgumentError, match=r"cells\[0\] must be a path or a cell, but it is 5"):
        list(kc.verify_many([5]))  # type: ignore[list-item]


def test_stored_reports_come_back_whole(folder: Path) -> None:
    from keepclear.errors import StoreError
    from keepclear.jobs.store.reports import decode_report, encode_report

    report = kc.verify(folder / "cell_0.yaml", program="go_2", contacts="all")
    content = encode_report(report)
    for again in (decode_report(content), decode_report(encode_report(report, compress=False))):
        assert again.to_json() == report.to_json()
        assert again == report
    for k in range(0, len(content), 7):
        damaged = content[:k] + bytes([content[k] ^ 0x55]) + content[k + 1 :]
        with pytest.raises(StoreError, match="the store has an invalid report"):
            decode_report(damaged)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("unchecked", [{"a": 5, "b": "b", "reason": "allowed"}]),
        ("unchecked", [{"a": "a", "b": "b", "reason": []}]),
        ("unchecked", [{"a": "a", "b": "b", "reason": "allowed", "detail": 5}]),
        ("unchecked", [{"a": "a", "b": "b", "reason": "allowed", "touching": "yes"}]),
        ("unchecked", [{"a": "a", "b": "b", "reason": "allowed", "t_from": [None]}]),
        ("unchecked", [{"a": "a", "b": "b", "reason": "allowed", "t_to": 10**400}]),
        ("unchecked", [["a", "b", "allowed", "", None, None, None]]),
        ("assumptions", [{"kind": "unit", "subject": 5, "text": "text"}]),
        ("warnings", [5]),
        ("unit_mistakes", [7]),
        ("unit_mistakes", [-1]),
        ("hit", [0, 1, 2, 3, 4, 5, 6]),
        ("hit", [10**6]),
        ("contacts", [[{"time": None, "t_lo": 0.0, "t_hi": 1.0}]]),
        ("contacts", [[{"time": 2.0, "t_lo": 0.0, "t_hi": 1.0}]]),
        ("n", 10**12),
        ("n_points", -1),
        ("program_names", []),
        ("proofs", [""]),
        ("verdict", "SAFE"),
        ("t0", None),
        ("tolerance", None),
        ("far", {"count": 5, "bound": None}),
        ("far", {"count": "5", "bound": 0.1, "rule": "far"}),
        ("statistics", None),
        ("statistics", {"pairs": math.inf}),
        ("statistics", {"pairs": "many"}),
    ],
)
def test_forged_reports_are_refused(folder: Path, key: str, value: object) -> None:
    """They ended the run with a traceback when something was made of them."""
    from keepclear.errors import StoreError
    from keepclear.jobs.store.reports import decode_report, encode_report

    report = kc.verify(folder / "cell_0.yaml", program="go_2", contacts="all")
    text, forged = encode_report(report, compress=False)[1:], b""
    for _ in range(2):  # of this report alone, and of what programs of a cell share
        size = int.from_bytes(text[:8], "little")
        head = json.loads(text[8 : 8 + size])
        changed = json.dumps(head | {key: value} if key in head else head).encode()
        forged, text = forged + len(changed).to_bytes(8, "little") + changed, text[8 + size :]
    with pytest.raises(StoreError, match="the store has an invalid report"):
        decode_report(b"z" + zlib.compress(forged + text))


@pytest.mark.parametrize("timeout", [math.nan, math.inf, 0.0, -1.0, True, "soon"])
def test_a_time_limit_is_a_positive_number(folder: Path, timeout: object) -> None:
    with pytest.raises(kc.ArgumentError, match="timeout must be a finite number > 0, in seconds"):
        list(kc.verify_many([folder / "cell_0.yaml"], timeout=timeout))


def test_motions_in_a_cell_are_stored_without_a_warning(folder: Path) -> None:
    """Their digest was that of a dump, of which pydantic warned."""
    cell, store = folder / "cell_0.yaml", folder / "results.db"
    stored = []
    for x in (0.4, 0.41, 0.4):
        cell.write_text(
            f"objects:\n  ball: {{sphere: 0.1, motion: {program(x)}}}\n"
            "  wall: {box: [0.2, 1, 1], position: [0.65, 0, 0]}\n"
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            (result,) = kc.fleet.verify_programs([cell], store=store)
        assert result.failure == ""
        stored.append(result.stored)
    assert stored == [0, 0, 1]


@pytest.mark.skipif(sys.platform != "linux", reason="there is no folder where nobody can make a file")
def test_a_store_that_cannot_be_made() -> None:
    with pytest.raises(kc.StoreError, match=r"store '/proc/results.db' cannot be made: No such file"):
        kc.ResultStore("/proc/results.db")


def test_a_store_that_was_made_again_is_another_one(folder: Path) -> None:
    """Workers that stay kept the removed file open: "is damaged; remove it and run again" was no help."""
    store, cells = folder / "results.db", [folder / "cell_0.yaml"]
    list(kc.fleet.verify_programs(cells, store=store))
    with contextlib.closing(sqlite3.connect(store)) as other, other:
        other.execute("UPDATE results SET content = zeroblob(length(content))")
    write(folder, 0, post=0.21)
    damaged = list(kc.fleet.verify_programs(cells, store=store))
    assert {one.exit_code() for one in damaged if "is damaged" in one.failure} == {2}
    for file in folder.glob("results.db*"):
        file.unlink()
    again = findings(list(kc.fleet.verify_programs(cells, store=store)))
    assert again == findings(list(kc.fleet.verify_programs(cells)))


def test_an_interrupt_keeps_what_is_known(folder: Path) -> None:
    store = folder / "results.db"
    results = kc.fleet.verify_programs([folder], store=store)
    next(results)
    results.close()
    with kc.ResultStore(store) as opened:
        known = len(opened.programs())
    assert 0 < known < 9
    again = list(kc.fleet.verify_programs([folder], store=store))
    assert sum(one.seconds == 0.0 for one in again) == known, "only what was missing is done"


CROSSING = (
    "a: {box: [1, 1, 1]}, b: {box: [1, 1, 1], motion: {times: [0, 1], positions: [[3, 0, 0], [0, 0, 0]]}}"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("json.yaml", f"{{objects: {{{CROSSING}}}}}"),
        ("mark.yaml", f"\ufeffobjects: {{{CROSSING}}}\n"),
        ("space.yaml", f"objects : {{{CROSSING}}}\n"),
        ("quoted.yaml", f'"\\u006fbjects": {{{CROSSING}}}\n'),
        ("lines.yaml", f"# a cell\robjects: {{{CROSSING}}}\r"),
        ("LARGE.YAML", f"objects: {{{CROSSING}}}\n"),
    ],
)
def test_no_cell_of_a_folder_is_left_out(name: str, text: str, tmp_path: Path) -> None:
    """Cells without a line that begins with `objects:` were skipped, and the others were CLEAR."""
    (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "motion.yaml").write_text("times: [0, 1]\npositions: [[0, 0, 0], [1, 0, 0]]\n")
    assert cell_files(tmp_path) == [str(tmp_path / name)]


def test_files_that_are_not_text_are_reported_with_the_cells(tmp_path: Path) -> None:
    (tmp_path / "wide.yaml").write_bytes(f"objects: {{{CROSSING}}}".encode("utf-16"))
    (tmp_path / "broken.yaml").write_text("objects: [")
    assert len(cell_files(tmp_path)) == 2


def test_a_program_that_fails_takes_no_other_with_it(folder: Path) -> None:
    expected = findings(list(kc.fleet.verify_programs([folder])))
    path = str(folder / "cell_1.yaml")
    executor = Faulty(kc.executors.InProcess(), {(path, "go_1"): "raise"})
    found = list(kc.fleet.verify_programs([folder], executor, folder / "results.db"))
    assert [one.name for one in found if one.report is None] == [f"{path} go_1"]
    assert [
        (one.failure_code, "ValueError: planted" in one.failure) for one in found if one.report is None
    ] == [(4, True)]
    assert findings(found) == {name: text for name, text in expected.items() if name != f"{path} go_1"}
    with pytest.raises(kc.FleetError, match=r"cell_1\.yaml go_1: ValueError: planted"):
        list(kc.verify_many([folder], executor))


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux")
def test_a_folder_whose_name_is_not_unicode_is_stored(folder: Path) -> None:
    """It ended the run, and the results of all other cells were lost."""
    odd = folder / os.fsdecode(b"n\xff")
    odd.mkdir(0o700)
    cell = odd / "cell.yaml"
    cell.write_text((folder / "cell_0.yaml").read_text())
    for computed in (True, False):
        found = list(kc.fleet.verify_programs([cell, folder / "cell_1.yaml"], store=folder / "results.db"))
        assert len(found) == 6
        assert (sum(one.computed for one in found) > 0) == computed
