"""The JSON schema of cell files, for editors that complete keys and mark errors while typing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["SCHEMA_FILE", "schema_text"]

SCHEMA_FILE = Path(__file__).with_name("cell.schema.json")
"""The schema as it ships; `python -m keepclear.cell.schema` writes it again after a change of the models."""


def schema_text() -> str:
    """Return the JSON schema of cell files, made from the models that validate them."""
    from keepclear.cell.models import CellModel

    schema = _tidied(CellModel.model_json_schema())
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "keepclear cell"}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _tidied(value: Any) -> Any:
    """Return a schema without nulls and titles: missing keys are omitted, and names need no titles."""
    if isinstance(value, list):
        return [_tidied(item) for item in value]
    if not isinstance(value, dict):
        return value
    result: dict[str, Any] = {}
    for key, item in value.items():
        if key == "properties":  # names of keys, of which one is called 'title'
            result[key] = {name: _tidied(inner) for name, inner in item.items()}
        elif not (key == "title" and isinstance(item, str)) and not (key == "default" and item is None):
            result[key] = _tidied(item)
    choices = result.get("anyOf")
    if choices is not None and {"type": "null"} in choices:
        kept = [choice for choice in choices if choice != {"type": "null"}]
        if len(kept) == 1:
            del result["anyOf"]
            result = {**kept[0], **result}
        else:
            result["anyOf"] = kept
    return result


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
