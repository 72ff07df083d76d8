"""Reports that are made again: what differs is named, and nothing that a report says is run or opened."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles import reproduce_campaign

import keepclear as kc
from keepclear.jobs.cell.reproduction import reproduce
from keepclear.report.parts import path_from


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return a report in a folder beside that of its cell."""
    cell = reproduce_campaign.write_cell(tmp_path / "cells", 3)
    (tmp_path / "reports").mkdir()
    kc.verify(cell, evidence=True, threads=1).to_json(tmp_path / "reports" / "report.json")
    return tmp_path / "reports" / "report.json"


def edited(path: Path, **changes: Any) -> Path:
    content = json.loads(path.read_text())
    content["evidence"] |= changes
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize("seed", [0, 1, 2, 4])
def test_generated_cells_reproduce(seed: int, tmp_path: Path) -> None:
    """The last has a robot; fifty of them: `python -m tests.oracles.reproduce_campaign`."""
    reproduce_campaign.check(seed, tmp_path)


def test_evidence_has_digests_of_all_inputs_and_no_folder_of_the_machine(made: Path, tmp_path: Path) -> None:
    text = made.read_text()
    evidence = json.loads(text)["evidence"]
    assert evidence["cell"] == "../cells/cell.yaml"
    assert str(tmp_path) not in text
    files = sorted((tmp_path / "cells").iterdir())
    assert [(one["path"], one["sha256"], one["size"]) for one in evidence["inputs"]] == [
        (file.name, hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_size) for file in files
    ]
    assert evidence["command"] == "keepclear verify cell.yaml --contacts first"
    assert evidence["version"] == kc.__version__
    assert evidence["settings"]["contacts"] == "first"


def test_the_date_can_be_fixed_and_is_no_finding(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    cell = made.parent.parent / "cells" / "cell.yaml"
    report = kc.verify(cell, evidence=True)
    assert report.evidence.date == "1970-01-01T00:00:00Z"
    assert report.to_json(effort=False) == kc.verify(cell).to_json(effort=False)
    assert "evidence" not in report.to_json(effort=False)
    assert reproduce(made).is_equal


@pytest.mark.parametrize(
    ("options", "command"),
    [
        (
            {"tolerance": 0.01, "clearances": False, "contacts": "all"},
            "keepclear verify cell.yaml --tolerance 0.01 --contacts all --no-clearances",
        ),
        (
            {"stepwise": 0.1, "models": "spheres"},
            "keepclear verify cell.yaml --stepwise 0.1 --models spheres",
        ),
        (
            {"stepwise": 0.1, "models": "spheres", "accuracy": 0.02, "ranks": 3},
            "keepclear verify cell.yaml --stepwise 0.1 --models spheres --accuracy 0.02 --ranks 3",
        ),
        ({"hints": True, "cross_check": True}, "keepclear verify cell.yaml --cross-check --contacts first"),
        ({"t1": np.float64(2.5), "contacts": "all"}, "kc.verify('cell.yaml', t1=2.5, contacts='all')"),
    ],
)
def test_settings_are_used_again(made: Path, options: dict[str, Any], command: str) -> None:
    cell = made.parent.parent / "cells" / "cell.yaml"
    report = kc.verify(cell, evidence=True, **options)
    report.to_json(made)
    found = reproduce(made)
    assert found.is_equal
    assert found.now == report
    assert found.now.evidence.command == command


def test_versions_and_platforms_are_named_and_do_not_count(made: Path) -> None:
    found = reproduce(edited(made, version="0.0.9", platform="Plan 9"))
    assert found.is_equal
    assert found.origin[0] == f"version: keepclear 0.0.9 then, {kc.__version__} now"
    assert found.origin[1].startswith("platform: Plan 9 then, ")
    assert "other sources" in reproduce(edited(made, version=kc.__version__, sources="old")).origin[0]


def test_files_that_come_and_go_are_named(made: Path) -> None:
    inputs = json.loads(made.read_text())["evidence"]["inputs"]
    gone = {"path": "gone.stl", "sha256": "0" * 64, "size": 1}
    found = reproduce(edited(made, inputs=[gone, *inputs[1:]]))
    assert sorted(found.inputs) == ["input no longer read: gone.stl", f"new input: {inputs[0]['path']}"]
    assert found.findings == ()


@pytest.mark.parametrize("name", ["/etc/hostname", "", "C:\\cell.yaml", "\\\\host\\cell.yaml", "a\nb.yaml"])
def test_a_cell_must_be_relative_to_the_report(made: Path, name: str) -> None:
    with pytest.raises(kc.ReportError, match=r"evidence\.cell must be a path relative to the report"):
        reproduce(edited(made, cell=name))


def test_a_name_too_long_for_a_path_is_a_missing_cell(made: Path) -> None:
    with pytest.raises(kc.FileMissingError, match="which does not exist; give its path with --cell"):
        reproduce(edited(made, cell="x" * 5000))


def test_files_that_only_the_report_lists_are_not_opened(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    keep = os.open

    def watched(path: Any, *rest: Any, **more: Any) -> int:
        opened.append(str(path))
        return keep(path, *rest, **more)

    monkeypatch.setattr(os, "open", watched)
    secret = {"path": "../../secret.txt", "sha256": "0" * 64, "size": 1}
    found = reproduce(edited(made, inputs=[secret], command="keepclear verify x; rm -rf ~"))
    assert "input no longer read: ../../secret.txt" in found.inputs
    assert not any("secret" in path for path in opened)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"store": "a.db"}, "has 'store' .*which this version does not know"),
        ({"tolerance": "1e-3"}, r"settings\.tolerance is invalid"),
        ({"tolerance": True}, r"settings\.tolerance is invalid"),
        ({"tolerance": 10**400}, r"settings\.tolerance is invalid"),
        ({"budget": 10**400}, r"settings\.budget is invalid"),
        ({"clearances": 1}, r"settings\.clearances is invalid"),
        ({"program": ["a"]}, r"settings\.program is invalid"),
    ],
)
def test_settings_of_a_report_are_checked(made: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(kc.ReportError, match=message):
        reproduce(edited(made, settings=settings))


def test_reports_without_evidence_or_cell_say_what_to_do(made: Path, tmp_path: Path) -> None:
    kc.verify(tmp_path / "cells" / "cell.yaml").to_json(tmp_path / "old.json")
    with pytest.raises(
        kc.ReportError,
        match=r"'old\.json' has no evidence of what it was made of; write it again with `keepclear verify",
    ):
        reproduce(tmp_path / "old.json")
    (tmp_path / "cells").rename(tmp_path / "moved")
    with pytest.raises(kc.FileMissingError, match=r"which does not exist; give its path with --cell"):
        reproduce(made)
    assert reproduce(made, tmp_path / "moved" / "cell.yaml").is_equal


def test_a_file_written_during_the_check_is_a_warning(made: Path) -> None:
    cell = kc.read_cell(made.parent.parent / "cells" / "cell.yaml")
    assert not any("written during" in text for text in kc.verify(cell, evidence=True).warnings)
    later = cell.read_at + 5
    os.utime(cell.path, (later, later))
    (text,) = (text for text in kc.verify(cell, evidence=True).warnings if "written during" in text)
    assert text.endswith(": cell.yaml")


def test_paths_do_not_tell_folders_above_a_common_one() -> None:
    assert path_from("/plant/reports", "/plant/cells/a.yaml") == "../cells/a.yaml"
    assert path_from("/plant", "/plant/a.yaml") == "a.yaml"
    assert path_from("/out", "/plant/a.yaml") == "a.yaml"
