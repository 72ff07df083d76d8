"""Pages of models, which share one script: of spheres and of elements."""

from __future__ import annotations

from typing import Any

from keepclear.report.page import built_page
from keepclear.report.payload import Packer

__all__ = ["model_page_text"]


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
