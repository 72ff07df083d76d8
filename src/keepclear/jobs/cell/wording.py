"""Errors of pydantic in the words of a cell file: position, value, and remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import TYPE_CHECKING, Any, get_args

from keepclear.files.yaml import Document, Place
from keepclear.geometry.shapes.table import cell_keys
from keepclear.names import counted, did_you_mean, listed, nearest

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

EXAMPLES = {
    "allowed": "[[arm/base, table]]",
    "attached": "[{object: part, to: arm/hand, from: 3.2}]",
    "columns": "[time, joint_1, joint_2]",
    "dt": "0.01",
    "far": "0.1",
    "file": "pick.csv",
    "from": "3.2",
    "ignore": "[effort]",
    "interval": "[0, 8]",
    "joints": "[joint_1, joint_2]",
    "length": "0.3",
    "link": "flange",
    "margin": "0.005",
    "margins": "[{pair: [arm, part], margin: 0.005}]",
    "motion": "pick.csv",
    "notes": "[from the planning scene of 3 May]",
    "object": "part",
    "objects": "{table: {box: [1.2, 0.8, 0.05]}}",
    "of": "arm",
    "only": "[arm, [cart, table]]",
    "package_dirs": "[../robots]",
    "pair": "[arm/hand, part]",
    "parts": "[{box: [1, 1, 0.1]}, {sphere: 0.2, position: [0, 0, 0.2]}]",
    "path_tolerance": "{distance: 0.001, time: 0.01}",
    "pose": "[[1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]",
    "position": "[0.5, 0, 0.2]",
    "programs": "{pick: {arm: pick.csv}}",
    "q": "[0, 1.57, 0]",
    "q_deg": "[0, 90, 0]",
    "quat_wxyz": "[1, 0, 0, 0]",
    "quat_xyzw": "[0, 0, 0, 1]",
    "radius": "0.05",
    "robot": "arm.urdf",
    "rpy": "[0, 0, 1.5708]",
    "rpy_deg": "[0, 0, 90]",
    "srdf": "arm.srdf",
    "tessellation": "0.00002",
    "times": "[0, 1, 2]",
    "to": "arm/hand",
    "tolerance": "0.0005",
    "tool": "{of: arm, link: flange, position: [0, 0, 0.1]}",
    "units": "{time: ms, angle: deg}",
} | {key: known.example for key, (_, _, known) in cell_keys().items()}
"""Example values, by key."""

_SEEN_LENGTH = 40
_SHOWN = 3  # greatest number of errors of one kind in the rows of one list


def seen(value: object) -> str:
    """Return a short text for a value in the file."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return f"keys and values ({listed(map(str, value))})" if value else "{}, which has no keys"
    if isinstance(value, list | tuple):
        return (
            "a list of lists"
            if any(isinstance(v, list | tuple) for v in value)
            else f"the list {_short(value)}"
        )
    return _short(value)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SEEN_LENGTH else text[: _SEEN_LENGTH - 3] + "..."


def add_mistakes(
    document: Document,
    place: Place,
    error: ValidationError,
    model: type[BaseModel] | None,
    examples: Mapping[str, str] | None = None,
) -> None:
    """Record all errors that pydantic found.

    Args:
        document: The cell file.
        place: The position of the checked value.
        error: The errors.
        model: The model it was compared with, None where it is not a mapping.
        examples: What a value may look like, by its key, where that differs from cell files.
    """
    found = error.errors(include_url=False)
    known = EXAMPLES | dict(examples or {})
    raw = reduce(getitem, place, document.value)
    misspelt = {
        (one["loc"][:-1], nearest(str(one["loc"][-1]), _known(model, one["loc"])))
        for one in found
        if one["type"] == "extra_forbidden"
    }
    alike = Counter(_family(one) for one in found)
    shown: Counter[tuple[object, ...]] = Counter()
    for one in found:
        loc, kind = one["loc"], one["type"]
        if kind == "missing" and (loc[:-1], loc[-1]) in misspelt:
            continue  # it is there under another name
        shown[_family(one)] += 1
        if shown[_family(one)] > _SHOWN:
            continue
        below, where = _resolved(raw, loc), kind in ("missing", "extra_forbidden")
        text = _text(one, known)
        if kind == "extra_forbidden":
            keys = _known(model, loc)
            advice = f"the keys here are {listed(keys)}" if keys else "remove it"
            text = f"unknown key '{loc[-1]}'{did_you_mean(str(loc[-1]), keys, advice)}"
        if shown[_family(one)] == _SHOWN < alike[_family(one)]:
            text += f" (and {alike[_family(one)] - _SHOWN} more like this)"
        document.add((*place, *below), text, key=where and bool(below))


def wrong_keys(raw: Any, error: ValidationError) -> list[Place]:
    """Return the places of keys in a value without which the rest may be right; a list goes as a whole."""
    places = []
    for one in error.errors(include_url=False):
        place = _resolved(raw, one["loc"])
        while place and isinstance(place[-1], int):
            place = place[:-1]
        places.append(place)
    return places


def _family(one: Any) -> tuple[object, ...]:
    """Return the common part of errors in the rows of one list."""
    return one["type"], *("[]" if isinstance(step, int) else step for step in one["loc"])


def _resolved(raw: Any, loc: Sequence[str | int]) -> Place:
    """Return the position of an error in the file; pydantic also names the alternatives of a union."""
    place: list[str | int] = []
    for step in loc:
        if (isinstance(raw, dict) and step in raw) or (
            isinstance(raw, list) and isinstance(step, int) and step < len(raw)
        ):
            raw = raw[step]  # type: ignore[index]
            place.append(step)
    return tuple(place)


def _known(model: type[BaseModel] | None, loc: Sequence[str | int]) -> list[str]:
    """Return the keys that are known where an unknown one was found."""
    from keepclear.jobs.cell import models

    inner: dict[str | int, type[BaseModel]] = {
        "parts": models.PartModel,
        "path_tolerance": models.PathToleranceModel,
        "units": models.UnitsModel,
        models.FILE: models.FileMotionModel,
        models.SAMPLES: models.SamplesModel,
    }
    for step in loc[:-1]:
        model = inner.get(step) or _model_below(model, step) or model
    return [] if model is None else [field.alias or name for name, field in model.model_fields.items()]


def _model_below(model: type[BaseModel] | None, step: str | int) -> type[BaseModel] | None:
    """Return the model of a key's value, or of the entries of its list; None where it has no keys, or several kinds."""
    from pydantic import BaseModel

    fields = {} if model is None else model.model_fields
    field = next((field for name, field in fields.items() if step in (name, field.alias)), None)
    found = set() if field is None else _models_in(field.annotation, BaseModel)
    return found.pop() if len(found) == 1 else None


def _models_in(kind: Any, base: type[BaseModel]) -> set[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, base):
        return {kind}
    return set().union(*(_models_in(one, base) for one in get_args(kind)))


_TEXTS = {
    "finite_number": "expected a finite number{such_as}, but it is {seen}",
    "string_type": "expected a text{such_as}, but it is {seen}; put a text in quotes if it looks like a number",
    "string_too_short": "this text is empty; give one{such_as}",
    "bool_type": "expected true or false, but it is {seen}",
    "list_type": "expected a list{such_as}, but it is {seen}",
    "tuple_type": "expected a list{such_as}, but it is {seen}",
}
"""Errors of pydantic in words, by their type, where nothing else is needed."""


def _text(one: Any, examples: Mapping[str, str]) -> str:
    """Return one error of pydantic's in our words."""
    kind, value, about = one["type"], one["input"], one.get("ctx", {})
    key = next((str(step) for step in reversed(one["loc"]) if str(step) in examples), "")
    such_as = f", such as {examples[key]}" if key else ""
    if kind == "missing":
        example = f" such as {key}: {examples[key]}" if key == one["loc"][-1] else ""
        return f"'{one['loc'][-1]}' is missing; add it{example}"
    if kind in ("float_type", "float_parsing", "int_type"):
        number = such_as if key and examples[key][0].isdigit() else ""
        return f"expected a number{number}, but it is {seen(value)}"
    if kind in ("too_short", "too_long"):
        return _wrong_length(about, value, such_as)
    if kind in ("greater_than", "greater_than_equal"):
        bound = f"greater than {about['gt']:g}" if "gt" in about else f"{about['ge']:g} or more"
        return f"it must be {bound}, but it is {seen(value)}"
    if kind == "literal_error":
        choices = about["expected"].replace("'", "").replace(" or ", ", ").split(", ")
        hint = did_you_mean(value, choices) if isinstance(value, str) else ""
        return f"it must be {about['expected']}, but it is {seen(value)}{hint}"
    if kind == "union_tag_invalid":
        choices = about["expected_tags"].replace("'", "").split(", ")
        words = dict.fromkeys("keys and values" if word.startswith("keys") else word for word in choices)
        return f"expected {listed(words, 'or')}{such_as}, but it is {seen(value)}"
    return _TEXTS.get(kind, "expected keys and values{such_as}, but it is {seen}").format(
        such_as=such_as, seen=seen(value)
    )


def _wrong_length(about: Mapping[str, Any], value: Any, such_as: str) -> str:
    n, least, most = len(value), about.get("min_length"), about.get("max_length")
    if least == 1:
        return f"this list is empty; give at least one entry{such_as}"
    bound = most if least is None else least
    return f"expected {counted(int(bound or 0), 'value')}{such_as}, but there {'is' if n == 1 else 'are'} {n}"
