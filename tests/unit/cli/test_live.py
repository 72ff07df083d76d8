"""The live view: bodies and controls as a viser server would get them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from keepclear.cli.watch import Live, Watched

CELL = """\
objects:
  table: {box: [1, 1, 0.1]}
  ball: {sphere: 0.1}
programs:
  up: {ball: {times: [0, 1], positions: [[0, 0, 1], [0, 0, 2]]}}
  far: {ball: {times: [0, 1], positions: [[0, 0, 1], [0, 3, 1]]}}
"""


class Handle(SimpleNamespace):
    """A control or a body: what was said about it, and whether it is still there."""

    def on_update(self, call: Any) -> None:
        self.call = call

    def remove(self) -> None:
        self.gone = True


class Server:
    """Stands for a viser server: keeps what it is given."""

    def __init__(self) -> None:
        self.bodies: dict[str, Handle] = {}
        self.texts: list[str] = []
        self.gui, self.scene = self, self

    def add_markdown(self, text: str) -> Handle:
        self.texts.append(text)
        return Handle()

    def add_dropdown(self, _label: str, options: list[str]) -> Handle:
        return Handle(options=options, value=options[0])

    def add_slider(self, _label: str, least: float, most: float, _step: float, value: float) -> Handle:
        return Handle(min=least, max=most, value=value)

    def add_checkbox(self, _label: str, value: bool) -> Handle:
        return Handle(value=value)

    def add_mesh_simple(self, name: str, vertices: Any, faces: Any, **_: Any) -> Handle:
        assert len(vertices) > 3
        assert faces.max() < len(vertices)
        self.bodies[name.rpartition("/")[2]] = Handle()
        return self.bodies[name.rpartition("/")[2]]


@pytest.fixture
def shown(tmp_path: Path) -> Live:
    (tmp_path / "cell.yaml").write_text(CELL)
    return Live(Server(), Watched(tmp_path / "cell.yaml"))


def test_bodies_go_where_the_slider_says(shown: Live) -> None:
    ball = shown.server.bodies["ball"]
    assert ball.position.tolist() == [0.0, 0.0, 1.0]
    assert ball.wxyz.tolist() == [1.0, 0.0, 0.0, 0.0]
    shown.time.value = 1.0
    shown.time.call(None)
    assert ball.position.tolist() == [0.0, 0.0, 2.0]
    assert shown.server.bodies["table"].position.tolist() == [0.0, 0.0, 0.0]


def test_another_program_replaces_the_bodies(shown: Live) -> None:
    before = shown.server.bodies["ball"]
    shown.program.value, shown.time.value = "far", 1.0
    shown.program.call(None)
    assert before.gone
    assert shown.server.bodies["ball"].position.tolist() == [0.0, 3.0, 1.0]


def test_it_plays_in_real_time_and_from_the_start_again(shown: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    shown.play(0.5)
    assert shown.time.value == pytest.approx(0.5)
    shown.play(0.6)
    assert shown.time.value < 0.2
    shown.plays.value = False
    before = shown.time.value
    shown.play(0.5)
    assert shown.time.value == before


def test_mistakes_are_shown(tmp_path: Path) -> None:
    (tmp_path / "cell.yaml").write_text(CELL.replace("sphere", "spere"))
    shown = Live(Server(), Watched(tmp_path / "cell.yaml"))
    assert "did you mean 'sphere'?" in shown.server.texts[0]
    shown.remove()
    assert all(body.gone for body in shown.server.bodies.values())
