"""Files with planning scenes: messages as YAML or JSON, and .scene text files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from keepclear.cell.motion_files import missing_file
from keepclear.cell.moveit.content import PlanningScene
from keepclear.cell.moveit.messages import scene_of_message
from keepclear.cell.moveit.text_files import parse_scene_text
from keepclear.errors import CellError, FileMissingError
from keepclear.files import MAX_TEXT_SIZE, parse_json, read_regular_file
from keepclear.yaml_files import parse_document

__all__ = ["read_planning_scene"]


def read_planning_scene(path: Path) -> PlanningScene:
    """Return the planning scene in a file: a PlanningScene message in YAML or JSON, or a .scene text file.

    Raises:
        CellError: The file has an error; the line names the field, what is wrong, and what to do.
        FileMissingError: There is no such file.
    """
    if (absent := missing_file(path, str(path), "planning scene")) is not None:
        raise FileMissingError(absent if absent.endswith("?") else f"{absent}.")
    try:
        text = read_regular_file(path, MAX_TEXT_SIZE).decode("utf-8-sig")
    except OSError as cause:
        raise CellError([f"{path}: it cannot be read: {cause.strerror or cause}"]) from cause
    except UnicodeDecodeError:
        raise CellError([f"{path}: it is not UTF-8 text; save it again"]) from None
    ending = path.suffix.lower()
    if ending == ".scene":
        return parse_scene_text(text, str(path))
    if ending not in (".json", ".yaml", ".yml"):
        problem = f"the file extension '{path.suffix}' is unknown; use .yaml, .json or .scene"
        raise CellError([f"{path}: {problem}"])
    if "GetPlanningScene_Response(" in text:
        problem = (
            "it is what `ros2 service call` prints, which is not YAML; store the message with message_to_yaml"
        )
        raise CellError([f"{path}: {problem}"])
    return scene_of_message(_json(text, path) if ending == ".json" else _yaml(text, path), str(path))


def _json(text: str, path: Path) -> Any:
    try:
        return parse_json(text)
    except ValueError as cause:
        raise CellError([f"{path}: it is not JSON: {cause}; export it again"]) from None


def _yaml(text: str, path: Path) -> Any:
    """Return a document; `ros2 topic echo` writes '---' after a message."""
    lines = text.splitlines()
    while lines and lines[-1].strip() in ("---", "...", ""):
        lines.pop()
    document = parse_document("\n".join(lines).encode(), str(path))
    if document.mistakes:
        raise CellError(document.mistakes)
    return document.value
