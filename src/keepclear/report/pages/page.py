"""Reports as one self-contained web page: the viewer, the report and the cell in a single file."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Literal

from keepclear.report.pages.payload import Packer, build_payload
from keepclear.report.report import Report
from keepclear.report.words import describe, shown_verdict, verdict_text

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
<body data-page="$kind" data-verdict="$verdict">
<div id="keepclear">
<header class="verdict"><h1>$heading</h1><p>$sentence</p></header>
<noscript><p>This page draws with a script, which is switched off here.</p>
<pre>$words</pre></noscript>
</div>
<script type="application/json" id="keepclear-report">$payload</script>
<script type="text/plain" id="keepclear-data">$data</script>
<script>$script</script>
</body>
</html>
""")

_POLICY = "default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:"
"""A content security policy that allows a page to run only its own script and to load nothing else."""

_COLOURS = {"CLEAR": "1f8a5b", "COLLIDING": "c8372d", "UNDECIDED": "b07b12"}
_SIGNS = {"CLEAR": "M9 17l5 5 10-11", "COLLIDING": "M10 10l12 12M22 10L10 22", "UNDECIDED": "M10 16h12"}


def page_text(report: Report) -> str:
    """Return the page of a report."""
    payload, data = build_payload(report)
    verdict, shown = report.verdict.value, shown_verdict(report)
    return built_page(
        "report",
        title=f"{shown} - {report.title or 'keepclear report'}",
        heading=shown,
        sentence=verdict_text(report),
        words=describe(report),
        payload=payload,
        data=data,
        icon=icon_of(verdict),
        verdict=verdict,
    )


def built_page(
    kind: Literal["crowd", "fleet", "model", "report"],
    *,
    title: str,
    heading: str,
    sentence: str,
    words: str,
    payload: dict[str, Any],
    data: str = "",
    icon: str = "data:,",
    verdict: str = "",
) -> str:
    """Return a page; texts in it, such as names, are escaped and cannot become a script or a request.

    Args:
        kind: The kind of page; `web/src/pages.js` starts it, and the style uses its name. The overview of a fleet has
            a small script without three.js.
        title: Title of the window.
        heading: First line of the page, until the script has drawn it.
        sentence: Second line.
        words: The text for a browser without scripts.
        payload: The values that the script reads.
        data: The packed arrays that the payload names.
        icon: Address of the picture in the tab.
        verdict: The verdict, for other programs.
    """
    script = _static_text("fleet.js" if kind == "fleet" else "pages.js")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    text = _PAGE.substitute(
        policy=_POLICY.format(digest=digest),
        title=escape(title),
        icon=icon,
        style=_static_text(f"{kind}.css"),
        kind=kind,
        verdict=verdict,
        heading=escape(heading),
        sentence=escape(sentence),
        words=escape(words),
        payload=inert(json.dumps(payload, separators=(",", ":"), allow_nan=False)),
        data=data,
        script=script,
    )
    # Names of files may contain lone surrogates.
    return text.encode("utf-8", "replace").decode("utf-8")


def model_page_text(payload: dict[str, Any], packer: Packer) -> str:
    """Return the page of a model; texts in it are escaped and cannot become a script or a request.

    Args:
        payload: The content of the page: `title`, `sentence`, `columns` and `rows` of the table, and the further values
            that the script of the page reads (`web/src/spheres/main.js`).
        packer: The arrays that the payload names.
    """
    packing, data = packer.text()
    lines = [payload["columns"], *(row["cells"] for row in payload["rows"])]
    return built_page(
        "model",
        title=payload["title"],
        heading=payload["title"],
        sentence=payload["sentence"],
        words="\n".join("  ".join(line) for line in lines),
        payload=payload | {"packing": packing},
        data=data,
    )


def _static_text(name: str) -> str:
    """Return a built file of the viewer."""
    return (_STATIC / name).read_text(encoding="utf-8")


def inert(text: str) -> str:
    """Return JSON without characters that begin or end HTML tags; a JSON parser reads the same values."""
    for character in "<>&'":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def counted(n: int, noun: str) -> str:
    """Return a number and its noun as pages of models and crowds write them, such as "2,048 spheres"."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def icon_of(verdict: str) -> str:
    """Return the icon of the tab: the colour and the symbol of the verdict."""
    picture = (
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>"
        f"<circle cx='16' cy='16' r='16' fill='#{_COLOURS[verdict]}'/>"
        f"<path d='{_SIGNS[verdict]}' fill='none' stroke='#fff' stroke-width='4' stroke-linecap='round'/></svg>"
    )
    return "data:image/svg+xml;base64," + base64.b64encode(picture.encode("ascii")).decode("ascii")
