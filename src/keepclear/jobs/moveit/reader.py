"""Files with planning scenes: messages as YAML or JSON, and .scene text files of the old and the new form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import CellError, FileMissingError, KeepclearError
from keepclear.files.access import MAX_TEXT_SIZE, parse_json, parse_number, read_regular_file
from keepclear.files.yaml import parse_document
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.jobs.motion_files.reading import missing_file
from keepclear.jobs.moveit.messages import scene_of_message
from keepclear.jobs.moveit.scene import PlanningScene, SceneObject, SceneShape, pose_of, primitive_of
from keepclear.tolerances import LARGEST_SIZE


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


_SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "cone": 2}  # radius before length


def parse_scene_text(text: str, shown: str) -> PlanningScene:
    """Return the objects of a .scene file: a line with its name, objects that begin with '*', and '.' at the end.

    Raises:
        CellError: The file has an error, named with its line.
    """
    return _Lines(text.splitlines(), shown).scene()


class _Lines:
    """Reads lines; empty ones between values are skipped. The first error raises."""

    def __init__(self, lines: Sequence[str], shown: str) -> None:
        self._lines, self._shown, self._next = lines, shown, 0

    def fail(self, text: str) -> NoReturn:
        raise CellError([f"{self._shown}:{max(self._next, 1)}: {text}"])

    def line(self, what: str) -> str:
        """Return the next line that is not empty."""
        text = ""
        while not text:
            if self._next == len(self._lines):
                self.fail(f"the file ends where {what} is expected; export it again")
            self._next += 1
            text = self._lines[self._next - 1].strip()
        return text

    def scene(self) -> PlanningScene:
        if not self._lines:
            self.fail("the file is empty; export it again")
        self._next = 1
        found = PlanningScene(self._shown)
        is_new = self.has_poses()
        while (marker := self.line("'*' or '.'")) != ".":
            if not marker.startswith("*"):
                self.fail(f"expected '* name' or '.', but found {marker[:40]!r}")
            name = marker[1:].strip()
            if not name or any(one.name == name for one in found.objects):
                self.fail(f"the object needs a name that no other has, but it is {name[:40]!r}")
            found.objects.append(self.item(name, found, is_new=is_new))
        if any(line.strip() for line in self._lines[self._next :]):
            self.fail("there are lines after '.', which ends a scene; remove them, or the '.'")
        return found

    def has_poses(self) -> bool:
        """Return whether the line after the first object's name is a position, as in the new form, or a number."""
        first = next((k for k, line in enumerate(self._lines[1:], 1) if line.strip().startswith("*")), None)
        after = [line for line in self._lines[first + 1 :] if line.strip()] if first is not None else []
        return bool(after) and len(after[0].split()) > 1

    def item(self, name: str, found: PlanningScene, *, is_new: bool) -> SceneObject:
        X = self.pose() if is_new else np.eye(4)
        count = self.count("the number of shapes")
        if count == 0:
            self.fail(f"'{name}' has no shapes; remove it, or give its shapes")
        shapes = [self.shape() for _ in range(count)]
        if is_new and (frames := [self.subframe() for _ in range(self.count("the number of subframes"))]):
            found.notes.append(f"the subframes {', '.join(frames)} of {name} are not used")
        return SceneObject(name, "", X, tuple(shapes))

    def subframe(self) -> str:
        name = self.line("the name of a subframe")
        self.pose()
        return name

    def shape(self) -> SceneShape:
        kind = self.line("a shape")
        if kind == "mesh":
            n, m = (self.whole(x) for x in self.words(2, "numbers of vertices and triangles"))
            points = [self.numbers(3, "a vertex") for _ in range(n)]
            faces = [self.triangle(n) for _ in range(m)]
            try:
                mesh = Mesh(np.array(points).reshape(-1, 3), np.array(faces, np.int64).reshape(-1, 3))
            except KeepclearError as error:
                self.fail(str(error))
            return SceneShape(mesh, self.placed())
        if kind not in _SIZES:
            self.fail(f"the shape {kind[:40]!r} is not read; use box, sphere, cylinder, cone or mesh")
        sizes = self.numbers(_SIZES[kind], f"the sizes of a {kind}").tolist()
        found = primitive_of(kind, sizes, np.eye(4))
        if isinstance(found, str):
            self.fail(found)
        return replace(found, X_OS=self.placed())

    def triangle(self, n: int) -> list[int]:
        found = [self.whole(x) for x in self.words(3, "a triangle")]
        if max(found) >= n:
            self.fail(f"expected three numbers of vertices, 0 to {n - 1}, but one is {max(found)}")
        return found

    def placed(self) -> FloatArray:
        """Return the pose of a shape, which is followed by its colour."""
        X = self.pose()
        self.numbers(4, "a colour")
        return X

    def pose(self) -> FloatArray:
        position = self.numbers(3, "a position")
        X = pose_of(position, self.numbers(4, "a quaternion"))
        return self.fail(X) if isinstance(X, str) else X

    def count(self, what: str) -> int:
        return self.whole(self.words(1, what)[0])

    def whole(self, word: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            self.fail(f"expected a whole number, but found {word[:40]!r}")
        return int(word)

    def numbers(self, n: int, what: str) -> FloatArray:
        words = self.words(n, what)
        try:
            found = np.array([parse_number(word) for word in words])
        except ValueError:
            self.fail(f"expected {what}, {n} numbers, but found {' '.join(words)[:40]!r}")
        if not np.abs(found).max() <= LARGEST_SIZE:
            found_words = " ".join(words)[:40]
            self.fail(f"expected {what}, numbers up to {LARGEST_SIZE:g} m, but found {found_words!r}")
        return found

    def words(self, n: int, what: str) -> list[str]:
        words = self.line(what).split()
        if len(words) != n:
            self.fail(f"expected {what}, {n} values, but found {len(words)}")
        return words
