"""Names in a cell that refer to its objects and links: each must exist."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from keepclear.cell.building import CellObject, has_pose
from keepclear.cell.names import did_you_mean, listed
from keepclear.cell.validation import Specs
from keepclear.yaml_files import Document, Place

if TYPE_CHECKING:
    from keepclear.cell import models

__all__ = ["check_references"]


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
