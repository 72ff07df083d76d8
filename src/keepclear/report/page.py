"""Reports as one web page that needs nothing else: the viewer, the report and the cell in a single file."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from string import Template

from keepclear.report.payload import build_payload
from keepclear.report.report import Report
from keepclear.report.words import describe, verdict_text

__all__ = ["inert", "page_text", "policy_of", "static_text"]

_STATIC = Path(__file__).with_name("static")

_PAGE = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="generator" content="keepclear">
<title>$title</title>
<link rel="icon" href="$icon">
<style>$style</style>
</head>
<body data-verdict="$verdict">
<div id="keepclear">
<header class="verdict"><h1>$verdict</h1><p>$text</p></header>
<noscript><p>This page shows the motion and the clearances with a script, which is switched off here.</p>
<pre>$words</pre></noscript>
</div>
<script type="application/json" id="keepclear-report">$payload</script>
<script type="text/plain" id="keepclear-data">$data</script>
<script>$script</script>
</body>
</html>
""")

_COLOURS = {"CLEAR": "1f8a5b", "COLLIDING": "c8372d", "UNDECIDED": "b07b12"}
_SIGNS = {"CLEAR": "M9 17l5 5 10-11", "COLLIDING": "M10 10l12 12M22 10L10 22", "UNDECIDED": "M10 16h12"}


def page_text(report: Report) -> str:
    """Return the page of a report; nothing in it, whatever its names are, can become a script or a request."""
    payload, data = build_payload(report)
    script, style = static_text("viewer.js"), static_text("viewer.css")
    verdict = report.verdict.value
    name = report.title or "keepclear report"
    text = _PAGE.substitute(
        policy=policy_of(script),
        title=escape(f"{verdict} - {name}"),
        icon=_icon(verdict),
        style=style,
        verdict=verdict,
        text=escape(verdict_text(report)),
        words=escape(describe(report)),
        payload=inert(json.dumps(payload, separators=(",", ":"), allow_nan=False)),
        data=data,
        script=script,
    )
    return text.encode("utf-8", "replace").decode(
        "utf-8"
    )  # half a character pair, as names of files may have


def static_text(name: str) -> str:
    """Return a built file of the viewer."""
    return (_STATIC / name).read_text(encoding="utf-8")


def policy_of(script: str) -> str:
    """Return a content security policy that lets a page run this script, and nothing else from anywhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:"


def inert(text: str) -> str:
    """Return JSON in which no character can end or open anything of HTML; JSON reads it as before."""
    for character in "<>&'":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _icon(verdict: str) -> str:
    """Return a small picture for the tab: the verdict's colour and sign."""
    picture = (
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>"
        f"<circle cx='16' cy='16' r='16' fill='#{_COLOURS[verdict]}'/>"
        f"<path d='{_SIGNS[verdict]}' fill='none' stroke='#fff' stroke-width='4' stroke-linecap='round'/></svg>"
    )
    return "data:image/svg+xml;base64," + base64.b64encode(picture.encode("ascii")).decode("ascii")
