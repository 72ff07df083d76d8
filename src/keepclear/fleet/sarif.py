"""Findings for code review: SARIF 2.1.0, and the workflow commands of GitHub.

SARIF is the OASIS standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0". Paths below the
current folder are relative to it. They use '/', and characters that a URI does not allow are percent-encoded.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from keepclear.fleet.findings import RULES, Finding
from keepclear.report.json_file import json_text

__all__ = ["github_lines", "sarif_text"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "%SRCROOT%"
_GITHUB = {"error": "error", "warning": "warning", "note": "notice"}
_HALF = ("utf-8", "surrogateescape")


def sarif_text(findings: Sequence[Finding], failures: Sequence[str] = ()) -> str:
    """Return findings as a SARIF 2.1.0 log with one run.

    Args:
        findings: The findings.
        failures: Why programs have no report; without any, the run was successful.
    """
    ids = list(RULES)
    rules = [
        {
            "id": name,
            "name": rule.title.title().replace(" ", ""),
            "shortDescription": {"text": rule.title},
            "fullDescription": {"text": rule.text},
            "defaultConfiguration": {"level": rule.level},
        }
        for name, rule in RULES.items()
    ]
    driver = {"name": "keepclear", "version": version("keepclear"), "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not failures,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": _whole(text)}} for text in failures
                ],
            }
        ],
        "results": [_result(finding, ids.index(finding.rule)) for finding in findings],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    uri = _uri(finding.location.file)
    artifact = {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": BASE}
    region = {"startLine": finding.location.line, "startColumn": finding.location.column}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.level,
        "message": {"text": _whole(finding.text)},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "partialFingerprints": {"keepclear/v1": finding.fingerprint},
    }


def github_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a workflow command of GitHub for each finding; the review shows it at its line."""
    for finding in findings:
        file, line, column = finding.location
        properties = {
            "file": _shown(file),
            "line": str(line),
            "col": str(column),
            "title": RULES[finding.rule].title,
        }
        listed = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
        yield f"::{_GITHUB[finding.level]} {listed}::{_escaped(finding.text)}"


def _escaped(text: str, others: str = "") -> str:
    """Return a text with the characters escaped that would end a workflow command or one of its properties."""
    marks = "%\r\n" + others
    return "".join(f"%{ord(c):02X}" if c in marks else c for c in _whole(text))


def _whole(text: str) -> str:
    """Return a text that UTF-8 can encode: a lone surrogate, which file names may contain, becomes a '?'."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _shown(file: str) -> str:
    """Return a path, relative to the current folder if it is below it."""
    path = Path(os.path.normpath(file))
    if not path.is_absolute():
        return path.as_posix()
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.as_posix()


def _uri(file: str) -> str:
    """Return a path as a URI reference: relative if it is below the current folder, else with "file:"."""
    shown = _shown(file)
    path = Path(shown)
    if path.is_absolute() or ".." in path.parts:
        absolute = os.path.normpath(Path.cwd() / path)
        return "file://" + quote(Path(absolute).as_posix().encode(*_HALF), safe="/")
    return quote(shown.encode(*_HALF), safe="/")
