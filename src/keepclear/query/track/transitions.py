"""Common parts of the trackers of non-convex bodies: states, events and the thresholds between them."""

from __future__ import annotations

import enum
import math
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from keepclear.checks import as_array, checked_flag, checked_instant, checked_length
from keepclear.errors import ArgumentError

__all__ = [
    "FRAME_TIME",
    "PAIR",
    "RECOVERED",
    "EventKind",
    "States",
    "Thresholds",
    "TrackerEvent",
    "TrackerState",
    "checked_thresholds",
    "frame_times",
    "next_time",
]

EventKind = Literal[
    "apart", "attached", "contact", "detached", "far", "merged", "near", "recovered", "released", "void"
]

PAIR = "A-B"
"""The node of events that concern both bodies."""

FRAME_TIME = 1.0 / 60.0
"""Time between two frames without times [s]; it only paces recovery and merging, and no answer depends on it."""

RECOVERED = 1.5
"""Distance that all other bodies must have from a released hull before it is recovered, in units of eps_hull [1]."""


class TrackerState(enum.Enum):
    """Which parts of two bodies a tracker works with; answers are the same in every state.

    FAR: enveloping spheres are farther apart than `far`. HULLS: both convex hulls. OPEN_A, OPEN_B: the parts of one
    body, whose hull is released. OPEN_AB: the parts of both. CONTACT: the bodies are in contact.
    """

    FAR = "far"
    HULLS = "hulls"
    OPEN_A = "open A"
    OPEN_B = "open B"
    OPEN_AB = "open A and B"
    CONTACT = "contact"


class TrackerEvent(NamedTuple):
    """A change of a tracker's state.

    Attributes:
        t: Time of the frame [s].
        node: "A" or "B" for a body, "A/arm/hand" for a member of a group, "A-B" for both bodies.
        kind: The kind of event: "merged" (a hull was created), "released" (it is replaced by its parts),
            "recovered" (it is used again), "void" (its members have moved or changed), "far" and "near" (by
            spheres), "contact" and "apart", "attached" and "detached" (members).
    """

    t: float
    node: str
    kind: EventKind


@dataclass(frozen=True)
class Thresholds:
    """When a tracker changes its state; None: by the sizes of the bodies.

    Attributes:
        far: Distance of enveloping spheres above which hulls are not asked for bounds [m]; None: the sum of both radii.
        eps_hull: Distance of hulls below which one of them may be released [m]; None: 2 % of the smaller radius.
        eps_element: Distance below which pairs of members are computed first [m]; None: twice `eps_hull`.
        recovery: How long all other bodies must have been farther from a released hull than 1.5 eps_hull [s].
        rest: How long members must have been at rest before they are merged [s].
        background: Whether hulls are merged in a thread.
    """

    far: float | None = None
    eps_hull: float | None = None
    eps_element: float | None = None
    recovery: float = 0.5
    rest: float = 0.5
    background: bool = False

    def given(self) -> dict[str, Any]:
        """Return the thresholds that are not the usual ones, as keywords of a tracker."""
        usual = Thresholds()
        return {name: value for name, value in asdict(self).items() if value != getattr(usual, name)}

    def sized(self, radius_a: float, radius_b: float) -> Thresholds:
        """Return these thresholds with those that depend on the radii of both bodies filled in."""
        # harmless (self.eps_hull): states decide which work is done, and no answer depends on them
        eps = 0.02 * min(radius_a, radius_b) if self.eps_hull is None else self.eps_hull
        return Thresholds(
            radius_a + radius_b if self.far is None else self.far,
            # harmless (eps): states decide which work is done, and no answer depends on them
            eps,
            # harmless: states decide which work is done, and no answer depends on them
            2.0 * eps if self.eps_element is None else self.eps_element,
            self.recovery,
            self.rest,
            self.background,
        )


class States:
    """The state of two tracked bodies with hulls, and its changes."""

    def __init__(self) -> None:
        self.events: list[TrackerEvent] = []
        self.is_far = self.in_contact = False

    def state(self, is_open_a: bool, is_open_b: bool) -> TrackerState:
        """Return the state after the last frame, from whether the hulls of the bodies are released."""
        if self.in_contact:
            return TrackerState.CONTACT
        if is_open_a:
            return TrackerState.OPEN_AB if is_open_b else TrackerState.OPEN_A
        if is_open_b:
            return TrackerState.OPEN_B
        return TrackerState.FAR if self.is_far else TrackerState.HULLS

    def note(self, t: float, node: str, kind: EventKind) -> None:
        """Add an event."""
        self.events.append(TrackerEvent(t, node, kind))

    def note_contact(self, t: float, in_contact: bool) -> None:
        """Record whether the bodies are in contact."""
        if in_contact != self.in_contact:
            self.in_contact = in_contact
            self.note(t, PAIR, "contact" if in_contact else "apart")

    def note_far(self, t: float, is_far: bool) -> None:
        """Record whether enveloping spheres are far apart."""
        if is_far != self.is_far:
            self.is_far = is_far
            self.note(t, PAIR, "far" if is_far else "near")


def checked_thresholds(
    far: float | None = None,
    eps_hull: float | None = None,
    eps_element: float | None = None,
    recovery: float | None = None,
    rest: float | None = None,
    background: bool = False,
) -> Thresholds:
    """Return the options of a tracker.

    Raises:
        ArgumentError: A length or a duration is negative, infinite or not a number, or background is not a bool.
    """
    checked_flag("background", background)
    return Thresholds(
        far=None if far is None else checked_length("far", far),
        # harmless (eps_hull): states decide which work is done, and no answer depends on them
        eps_hull=None if eps_hull is None else checked_length("eps_hull", eps_hull),
        # harmless (eps_element): states decide which work is done, and no answer depends on them
        eps_element=None if eps_element is None else checked_length("eps_element", eps_element),
        recovery=0.5 if recovery is None else checked_length("recovery", recovery, "seconds"),
        rest=0.5 if rest is None else checked_length("rest", rest, "seconds"),
        background=background,
    )


def next_time(last: float, t: object) -> float:
    """Return the time of the frame after `last`: as given, or FRAME_TIME later; the first one is at 0.

    Raises:
        ArgumentError: It is not a finite number, or before the last frame.
    """
    if t is None:
        return last + FRAME_TIME if last > -math.inf else 0.0
    seconds = checked_instant("t", t)
    if seconds < last:
        raise ArgumentError(
            f"t must not decrease from frame to frame, but t = {seconds:g} s follows t = {last:g} s; "
            "call reset() before another motion."
        )
    return seconds


def frame_times(last: float, t: object, n: int, single: bool) -> list[float]:
    """Return the times of n frames after `last`; t is one time for a single frame, (n,) times, or None.

    Raises:
        ArgumentError: The number of times is not n, or `next_time` refuses one.
    """
    if t is None or single:
        given: list[object] = [t] * n
    else:
        array = as_array(t, "t")
        if array.shape != (n,):
            raise ArgumentError(
                f"t must have one time for each of the {n} frames, but it has shape {array.shape}."
            )
        given = array.tolist()
    times = []
    for value in given:
        last = next_time(last, value)
        times.append(last)
    return times
