"""Pages of models, which share one script: of spheres and of elements."""

from __future__ import annotations

import json
from html import escape
from string import Template
from typing import Any

from keepclear.report.page import inert, policy_of, static_text
from keepclear.report.payload import Packer

__all__ = ["model_page_text"]

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
<link rel="icon" href="data:,">
<style>$style</style>
</head>
<body>
<div id="keepclear">
<header class="verdict"><h1>$title</h1><p>$sentence</p></header>
<noscript><p>This page draws with a script, which is switched off here.</p>
<pre>$words</pre></noscript>
</div>
<script type="application/json" id="keepclear-report">$payload</script>
<script type="text/plain" id="keepclear-data">$data</script>
<script>$script</script>
</body>
</html>
""")


def model_page_text(payload: dict[str, Any], packer: Packer) -> str:
    """Return the page of a model; nothing in it can become a script or a request.

    Args:
        payload: What is shown: `title`, `sentence`, `columns` and `rows` of the table, and what the script of the page
            reads besides (`web/src/spheres/main.js`).
        packer: The arrays that the payload names.
    """
    packing, data = packer.text()
    script = static_text("spheres.js")
    lines = [payload["columns"], *(row["cells"] for row in payload["rows"])]
    text = _PAGE.substitute(
        policy=policy_of(script),
        title=escape(payload["title"]),
        sentence=escape(payload["sentence"]),
        style=static_text("spheres.css"),
        words=escape("\n".join("  ".join(line) for line in lines)),
        payload=inert(json.dumps(payload | {"packing": packing}, separators=(",", ":"), allow_nan=False)),
        data=data,
        script=script,
    )
    return text.encode("utf-8", "replace").decode("utf-8")
