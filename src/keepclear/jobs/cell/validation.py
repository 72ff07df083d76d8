"""The parts of a cell file: each is compared with its model, and the names in it with its objects and links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from keepclear.files.yaml import Document, Place
from keepclear.geometry.shapes.table import cell_keys
from keepclear.jobs.cell.building import CellObject, has_pose
from keepclear.jobs.cell.wording import EXAMPLES, add_mistakes, seen, wrong_keys
from keepclear.jobs.motion_files.samples import ROTATIONS
from keepclear.names import did_you_mean, listed, nearest

if TYPE_CHECKING:
    from pydantic import BaseModel

    from keepclear.jobs.cell import models

_NEEDED_TO_READ = ("file", "dt", "speed", "columns", "joints", "ignore", "order")
_OF_MESHES = ("unit", "scale", "solid", "tessellation")
_OF_ROBOTS = ("srdf", "package_dirs", "state", "q", "q_deg")


@dataclass(slots=True)
class Specs:
    """The valid parts of a cell file, as models, and the position of each.

    Attributes:
        settings: Title, tolerance, interval and `far`.
        objects: By name; None if an object is invalid.
        allowed: Place and entry of each pair that may touch.
        margins: Place and entry of each distance.
        only: Place and entry of each selected pair or object.
        attached: Place and entry of each object that is carried.
        programs: Motions by program and object; None if a motion is invalid.
    """

    settings: models.SettingsModel
    objects: dict[str, models.ObjectModel | None] = field(default_factory=dict)
    allowed: list[tuple[Place, Any]] = field(default_factory=list)
    margins: list[tuple[Place, models.MarginModel]] = field(default_factory=list)
    only: list[tuple[Place, Any]] = field(default_factory=list)
    attached: list[tuple[Place, models.AttachedModel]] = field(default_factory=list)
    programs: dict[str, dict[str, Any]] = field(default_factory=dict)


def validated(document: Document) -> Specs:
    """Return the valid parts of a cell file; errors are added to the document."""
    from keepclear.jobs.cell import models

    raw = document.value
    if not isinstance(raw, dict):
        if not document.is_broken:
            what = "is empty" if raw is None else f"is {seen(raw)}"
            document.add(
                (), f"the cell {what}; it needs keys and values, such as objects: {EXAMPLES['objects']}"
            )
        return Specs(models.SettingsModel.model_validate({}))
    if "cells" in raw and "objects" not in raw:
        document.add(
            ("cells",), f"this is a fleet file, not a cell; run: keepclear batch {document.file}", key=True
        )
        return Specs(models.SettingsModel.model_validate({}))
    given = raw
    document.value = raw = _without_nulls(document, raw, ())
    specs = Specs(_settings(document, raw))
    if isinstance(given.get("objects"), dict):
        specs.objects = dict.fromkeys(given["objects"])
    if "objects" not in given and not any(nearest(name, ["objects"]) for name in raw):
        document.add((), f"the cell has no objects; add some, such as objects: {EXAMPLES['objects']}")
    for name in _names(document, ("objects",), "object"):
        specs.objects[name] = _object(document, name, raw["objects"][name])
    if given.get("objects") == {}:
        document.add(
            ("objects",), f"the cell has no objects; add some, such as {EXAMPLES['objects']}", key=True
        )
    specs.allowed = list(_entries(document, "allowed", models.PairSpec, models.AllowedModel))
    specs.margins = list(_entries(document, "margins", models.MarginModel, models.MarginModel))
    specs.only = list(_entries(document, "only", models.OnlySpec, None))
    specs.attached = list(_entries(document, "attached", models.AttachedModel, models.AttachedModel))
    for place, _ in specs.attached:
        _check_pose(document, place, raw["attached"][place[1]])
    for program in _names(document, ("programs",), "program"):
        motions = specs.programs.setdefault(program, {})
        for name in _names(document, ("programs", program), "object"):
            place = ("programs", program, name)
            entry = raw["programs"][program][name]
            motions[name] = _pruned(document, place, entry, models.MotionSpec, None, is_motion=True)
    return specs


def _without_nulls(document: Document, value: Any, place: Place) -> Any:
    """Return the mapping without keys that have no value, and record errors for these."""
    if isinstance(value, list):
        return [_without_nulls(document, item, (*place, k)) for k, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, item in value.items():
        below = (*place, key)
        if item is None:
            example = f", such as {EXAMPLES[key]}," if key in EXAMPLES else ""
            document.add(below, f"it has no value; give one{example} or remove the key", key=True)
        else:
            result[key] = _without_nulls(document, item, below)
    return result


def _settings(document: Document, raw: dict[str, Any]) -> models.SettingsModel:
    from keepclear.jobs.cell import models

    own = set(models.SettingsModel.model_fields)
    parts = set(models.CellModel.model_fields) - own
    given = {key: value for key, value in raw.items() if key not in parts}
    settings = _pruned(document, (), given, models.SettingsModel, models.CellModel)
    assert isinstance(settings, models.SettingsModel)
    if settings.interval is not None and not settings.interval[0] < settings.interval[1]:
        first, last = settings.interval
        text = f"it ends at {last:g} s and begins at {first:g} s; give the earlier time first"
        document.add(("interval",), text)
        settings = settings.model_copy(update={"interval": None})
    return settings


def _object(document: Document, name: str, raw: Any) -> models.ObjectModel | None:
    """Return an object without its invalid parts; None if nothing is left that could be built."""
    from keepclear.jobs.cell import models

    place = ("objects", name)
    if "/" in name:
        document.add(
            place, "a name has no '/', which stands between a robot and its links; use '_'", key=True
        )
    if not isinstance(raw, dict):
        document.add(
            place, f"expected keys and values such as {{box: {EXAMPLES['box']}}}, but it is {seen(raw)}"
        )
        return None
    has_shape = _check_shape(document, place, raw, _object_keys())
    _check_pose(document, place, raw)
    for k, part in enumerate(raw["parts"] if isinstance(raw.get("parts"), list) else []):
        if isinstance(part, dict):
            _check_shape(document, (*place, "parts", k), part, tuple(cell_keys()))
            _check_pose(document, (*place, "parts", k), part)
    _check_owners(document, place, raw)
    _check_tool(document, place, raw)
    spec = _pruned(document, place, raw, models.ObjectModel, models.ObjectModel)
    if not isinstance(spec, models.ObjectModel) or not has_shape or ("robot" in raw and spec.robot is None):
        return None
    return spec


def _object_keys() -> tuple[str, ...]:
    """Return the keys that define the kind of an object."""
    return (*cell_keys(), "parts", "robot")


def _check_shape(document: Document, place: Place, raw: dict[str, Any], shapes: tuple[str, ...]) -> bool:
    """Return whether exactly one of the keys that define its kind is present; else record an error."""
    from keepclear.jobs.cell import models

    given = [key for key in raw if key in shapes]
    known = {field.alias or name for name, field in models.ObjectModel.model_fields.items()}
    if len(given) > 1:
        text = (
            f"there is '{given[0]}' as well as '{given[1]}'; keep one, or list several shapes under 'parts'"
        )
        document.add((*place, given[1]), text, key=True)
    elif not given and not any(
        nearest(key, shapes) for key in raw if key not in known
    ):  # 'scale' looks like a shape
        document.add(place, f"it has no shape; give one of {', '.join(shapes)}", key=True)
    return len(given) == 1


def _check_pose(document: Document, place: Place, raw: dict[str, Any]) -> None:
    """Record errors for rotations that are given twice."""
    given = [key for key in raw if key in ROTATIONS]
    if len(given) > 1:
        text = f"the rotation is also given by '{given[0]}'; keep one of them"
        document.add((*place, given[1]), text, key=True)
    if "pose" in raw and (others := [key for key in raw if key in (*ROTATIONS, "position")]):
        text = f"'pose' already gives position and rotation; remove it or '{others[0]}'"
        document.add((*place, "pose"), text, key=True)


def _check_owners(document: Document, place: Place, raw: dict[str, Any]) -> None:
    """Record errors for keys of meshes and robots in other objects."""
    for owner, keys in (("mesh", _OF_MESHES), ("robot", _OF_ROBOTS)):
        for key in keys:
            if key in raw and owner not in raw and any(shape in raw for shape in _object_keys()):
                text = f"only a {owner} has '{key}', and this object is not one; remove it"
                document.add((*place, key), text, key=True)
    poses = [key for key in ("state", "q", "q_deg") if key in raw]
    if len(poses) > 1 and "state" not in poses:
        document.add((*place, poses[1]), f"joint values are also given by '{poses[0]}'; keep one", key=True)


def _check_tool(document: Document, place: Place, raw: dict[str, Any]) -> None:
    """Record errors for keys of a tool that contradict each other."""
    tool = raw.get("tool")
    if tool is None:
        return
    if "robot" in raw:
        text = "a robot is not a tool; give the tool as an object, with tool: {of: <this robot>, link: ...}"
        document.add((*place, "tool"), text, key=True)
    if isinstance(tool, dict):
        _check_pose(document, (*place, "tool"), tool)
    for key in ("position", *ROTATIONS, "pose", "motion"):
        if key in raw:
            text = f"a tool moves with its link; give its pose relative to the link under 'tool', and remove '{key}'"
            document.add((*place, key), text, key=True)


def _pruned(
    document: Document,
    place: Place,
    raw: Any,
    spec: Any,
    suggest: type[BaseModel] | None,
    *,
    is_motion: bool = False,
) -> Any:
    """Return the model of a value without its invalid keys; None if it is invalid without them."""
    from pydantic import TypeAdapter, ValidationError

    kept = raw
    for is_first in (True, False, False, False):  # without an invalid key, its parent may be invalid
        try:
            return TypeAdapter(spec).validate_python(kept)
        except ValidationError as error:
            if is_first:
                add_mistakes(document, place, error, suggest)
            wrong = [_with_motion(kept, one, is_motion) for one in wrong_keys(kept, error)]
            if () in wrong:
                return None
            kept = _without(kept, set(wrong))
    return None


def _with_motion(raw: Any, place: Place, is_motion: bool) -> Place:
    """Return the position of the whole motion for an error that makes its samples meaningless."""
    from keepclear.jobs.cell.models import FileMotionModel

    start = 0 if is_motion else 1
    motion = raw if is_motion else raw.get("motion") if place[:1] == ("motion",) else None
    if len(place) <= start or not isinstance(motion, dict):
        return place
    key = nearest(str(place[start]), FileMotionModel.model_fields)
    return place if "file" in motion and key not in _NEEDED_TO_READ else place[:start]


def _without(value: Any, places: set[Place], here: Place = ()) -> Any:
    """Return a value without the entries at some positions in it."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if (*here, key) not in places}
        return {key: _without(item, places, (*here, key)) for key, item in kept.items()}
    if isinstance(value, list):
        return [_without(item, places, (*here, k)) for k, item in enumerate(value)]
    return value


def _entries(
    document: Document, key: str, spec: Any, model: type[BaseModel] | None
) -> Iterator[tuple[Place, Any]]:
    """Yield the valid entries of a list, with their positions."""
    raw = document.value.get(key)
    if raw is None:
        return
    if not isinstance(raw, list):
        document.add((key,), f"expected a list such as {EXAMPLES[key]}, but it is {seen(raw)}")
        return
    if not raw:
        document.add((key,), f"this list is empty; give entries, such as {EXAMPLES[key]}, or remove it")
    for k in range(len(raw)):
        entry = _pruned(document, (key, k), raw[k], spec, model)
        if entry is not None:
            yield (key, k), entry


def _names(document: Document, place: Place, what: str) -> list[str]:
    """Return the names under a key; record an error if the value is not a mapping of names."""
    value = document.value
    for step in place:
        if step not in value:
            return []
        value = value[step]
    if not isinstance(value, dict):
        example = EXAMPLES.get(str(place[-1]), "{arm: pick.csv}")
        text = f"expected each {what} by its name, such as {example}, but it is {seen(value)}"
        document.add(place, text)
        return []
    for name in value:
        if not name.strip():
            document.add((*place, name), f"the name of this {what} is empty; give it one", key=True)
    return [name for name in value if name.strip()]


def check_references(document: Document, specs: Specs, objects: Mapping[str, CellObject]) -> None:
    """Record an error for every unknown name of a pair, a program or an attached object.

    Args:
        document: The cell file.
        specs: Its content.
        objects: Those that could be built; names of others are known, but not their links.
    """
    check = _Check(document, specs, objects)
    for place, entry in (*specs.allowed, *specs.margins, *specs.attached):
        check.programs((*place, "program"), getattr(entry, "program", None))
    for place, entry in specs.allowed:
        if not isinstance(entry, list):
            check.window(place, entry.from_, entry.to, "to")
    for place, attached in specs.attached:
        check.window(place, attached.from_, attached.until, "until")
        check.grasp(place, attached)
    for name, spec in specs.objects.items():
        if spec is not None and spec.tool is not None:
            check.mount(("objects", name, "tool"), spec.tool)
    _check_names(document, check)


def _check_names(document: Document, check: _Check) -> None:
    """Check names in the file, including those in entries with other errors."""
    given = document.value if isinstance(document.value, dict) else {}
    for key in ("allowed", "margins", "only", "attached"):
        for k, entry in enumerate(given[key] if isinstance(given.get(key), list) else ()):
            place: Place = (key, k)
            if key == "attached" and isinstance(entry, dict):
                for name, note in (("object", check.carried), ("to", check.holder)):
                    if isinstance(entry.get(name), str):
                        note((*place, name), entry[name])
            elif isinstance(entry, str) and key == "only":
                check.name(place, entry)
            elif isinstance(entry, list):
                check.pair(place, entry)
            elif isinstance(entry, dict) and isinstance(entry.get("pair"), list):
                check.pair((*place, "pair"), entry["pair"])
    programs = given.get("programs")
    for program, motions in programs.items() if isinstance(programs, dict) else ():
        for name in motions if isinstance(motions, dict) else ():
            check.moved(("programs", program, name), name)


class _Check:
    def __init__(self, document: Document, specs: Specs, objects: Mapping[str, CellObject]) -> None:
        self._document, self._known, self._objects = document, specs.objects, objects
        self._programs = tuple(specs.programs)

    def name(self, place: Place, name: str, *, key: bool = False) -> bool:
        """Return whether a name is that of an object or a link; else record an error."""
        first, slash, link = name.partition("/")
        if first not in self._known:
            names = [*self._known, *(f"{one}/{link}" for one in self._known)] if slash else list(self._known)
            hint = did_you_mean(name, names, f"the objects are {listed(self._known)}" if self._known else "")
            self._document.add(place, f"there is no object '{first}'{hint}", key=key)
            return False
        body = self._objects.get(first)
        if not slash or body is None:
            return True
        if body.robot is None:
            self._document.add(
                place, f"'{first}' is not a robot, so it has no link '{link}'; name it '{first}'"
            )
            return False
        if link in body.robot.link_names:
            return True
        links = body.robot.link_names
        close = did_you_mean(name, [f"{first}/{one}" for one in links], f"its links are {listed(links)}")
        self._document.add(place, f"'{first}' has no link '{link}'{close}")
        return False

    def pair(self, place: Place, pair: list[object]) -> None:
        """Record errors for unknown names of a pair, and for pairs of an object with itself."""
        found = [self.name((*place, k), name) for k, name in enumerate(pair) if isinstance(name, str)]
        if len(found) == len(pair) == 2 and all(found) and pair[0] == pair[1]:
            body = self._objects.get(str(pair[0]))
            if body is None or body.robot is None:
                self._document.add(place, f"'{pair[0]}' is named twice; a pair has two different names")

    def window(self, place: Place, start: float | None, end: float | None, key: str) -> None:
        """Record an error for a window of time that ends before it begins."""
        if start is not None and end is not None and not start < end:
            text = f"it ends at {end:g} s, but begins at {start:g} s; give a later time"
            self._document.add((*place, key), text)

    def carried(self, place: Place, name: str) -> None:
        """Record an error for an object that cannot be carried."""
        body = self._objects.get(name.partition("/")[0])
        if self.name(place, name) and ("/" in name or (body is not None and body.robot is not None)):
            self._document.add(place, f"'{name}' is part of a robot; only other objects can be attached")

    def holder(self, place: Place, name: str) -> None:
        """Record an error for a name that cannot carry an object."""
        body = self._objects.get(name)
        if not self.name(place, name) or "/" in name or body is None:
            return
        if body.robot is None:
            self._document.add(place, f"'{name}' is not a robot; attach to a link, such as arm/hand")
        else:
            links = listed(body.robot.link_names)
            self._document.add(
                place, f"'{name}' is a whole robot; say which link, as in '{name}/...': {links}"
            )

    def grasp(self, place: Place, attached: models.AttachedModel) -> None:
        """Record an error for an attached object whose pose relative to the link is not defined, or defined twice."""
        held = self._known.get(attached.object)
        if attached.from_ is None and not has_pose(attached):
            text = "it has neither 'from' (when it is grasped) nor a pose relative to the link; give one"
            self._document.add(place, f"{text}, such as from: 3.2, or position: [0, 0, 0.1] for a tool")
        if held is not None and held.tool is not None:
            text = f"'{attached.object}' is already a tool of {held.tool.of}/{held.tool.link}; remove this or 'tool'"
            self._document.add((*place, "object"), text)
        elif held is not None and held.motion is not None and attached.from_ is None and not attached.program:
            text = (
                f"'{attached.object}' is held from the start on, so that its motion has no effect; remove one"
            )
            self._document.add(place, text)

    def mount(self, place: Place, tool: models.ToolModel) -> None:
        """Record an error for a tool of something that is not the link of a robot."""
        body = self._objects.get(tool.of)
        if not self.name((*place, "of"), tool.of) or body is None:
            return
        if body.robot is None:
            self._document.add(
                (*place, "of"), f"'{tool.of}' is not a robot; name the robot that has this tool"
            )
        elif tool.link not in body.robot.link_names:
            links = body.robot.link_names
            close = did_you_mean(tool.link, links, f"its links are {listed(links)}")
            self._document.add((*place, "link"), f"'{tool.of}' has no link '{tool.link}'{close}")

    def programs(self, place: Place, given: str | list[str] | None) -> None:
        """Record an error for each unknown program."""
        for k, name in enumerate([given] if isinstance(given, str) else given or ()):
            if name not in self._programs:
                advice = (
                    f"the programs are {listed(self._programs)}"
                    if self._programs
                    else "the cell has no programs"
                )
                hint = did_you_mean(name, self._programs, advice)
                at = place if isinstance(given, str) else (*place, k)
                self._document.add(at, f"there is no program '{name}'{hint}")

    def moved(self, place: Place, name: str) -> None:
        """Record an error for a program of a name that is not an object."""
        if "/" in name:
            self._document.add(
                place, f"a program moves whole objects; name '{name.partition('/')[0]}'", key=True
            )
        elif self.name(place, name, key=True):
            spec = self._known.get(name)
            if spec is not None and spec.tool is not None:
                text = (
                    f"'{name}' is a tool and moves with {spec.tool.of}/{spec.tool.link}; remove this motion"
                )
                self._document.add(place, text, key=True)
