"""Robots of one and two joints whose contacts are known by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import keepclear as kc

LEVER = """<robot name="lever"><link name="base"/>
<link name="arm"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<joint name="turn" type="{kind}"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" velocity="1" effort="1"/></joint>{more}</robot>"""
MIMIC = """<link name="hand"/><joint name="follow" type="continuous"><parent link="arm"/><child link="hand"/>
<axis xyz="0 0 1"/><mimic joint="turn" multiplier="{}"/></joint>"""
CRANE = """<robot name="crane"><link name="base"/><link name="mast"/>
<link name="hook"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="slew" type="{slew}"><parent link="base"/><child link="mast"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
<joint name="reach" type="prismatic"><parent link="mast"/><child link="hook"/><axis xyz="1 0 0"/>
<limit lower="0.2" upper="1.5" velocity="1" effort="1"/></joint></robot>"""
TOUCH = math.pi / 4 - math.asin(0.1 / 0.8)  # where the lever first touches the post


def at(x: float, y: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, 0.0
    return X


def read(folder: Path, text: str) -> kc.Robot:
    (folder / "robot.urdf").write_text(text, encoding="utf-8")
    return kc.read_robot(folder / "robot.urdf")


def lever(folder: Path, kind: str = "revolute", more: str = "") -> kc.Robot:
    return read(folder, LEVER.format(kind=kind, more=more))


def lever_world(folder: Path, kind: str = "revolute") -> kc.World:
    """A lever of 1 m and a post at 45 degrees, 0.8 m out."""
    world = kc.World(threads=1)
    world.add_robot("lever", lever(folder, kind))
    world.add("post", kc.Cylinder(0.05, 1.0), at(0.8 * math.sqrt(0.5), 0.8 * math.sqrt(0.5)))
    return world


def crane_world(folder: Path, slew: str = "revolute") -> kc.World:
    """A hook that slews and reaches; a post of radius 0.05 m stands 1 m out at angle 0."""
    world = kc.World(threads=1)
    world.add_robot("crane", read(folder, CRANE.format(slew=slew)))
    world.add("post", kc.Cylinder(0.05, 1.0), at(1.0))
    return world
