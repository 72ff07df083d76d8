"""The demo: what it prints is what the library answers, in a pipe and on a terminal, and it ends well."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
import rich.console
from click.testing import CliRunner

import keepclear as kc
from keepclear.cli import demo as module
from keepclear.cli.main import main


@pytest.fixture(scope="module")
def output() -> str:
    """What the demo prints into a pipe."""
    result = CliRunner().invoke(main, ["demo"], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_a_pipe_gets_ten_plain_lines(output: str) -> None:
    lines = re.findall(r"^frames +(\d+) to +(\d+)   post +(\S+) m   shelf +(\S+) m$", output, re.MULTILINE)
    assert [(int(a), int(b)) for a, b, _, _ in lines] == [(k, k + 99) for k in range(0, 1000, 100)]
    assert "\x1b" not in output
    hull, X_WA, pairs = module._scene()
    for pair, column in zip(pairs, (2, 3), strict=True):
        distance = kc.distance(hull, X_WA, pair.b, pair.X_WB).distance
        np.testing.assert_allclose(
            [float(line[column]) for line in lines],
            distance.reshape(10, 100).min(axis=1),
            rtol=0.0,
            atol=5.1e-5,
        )


def test_the_closest_instants_are_certified(output: str) -> None:
    found = re.findall(
        r"(post|shelf): closest in frame (\d+), .*: (\w+), distance (\S+) mm\n"
        r"  certified  (\S+) m <= true distance <= (\S+) m",
        output,
    )
    assert [(name, state) for name, _, state, *_ in found] == [("post", "INTERFERING"), ("shelf", "SEPARATE")]
    hull, X_WA, pairs = module._scene()
    for pair, (_, frame, _, millimetres, lower, upper) in zip(pairs, found, strict=True):
        frames = kc.distance(hull, X_WA, pair.b, pair.X_WB)
        assert frames.distance.argmin() == int(frame)
        assert float(lower) <= frames.distance.min() <= float(upper)
        assert abs(1e-3 * float(millimetres) - frames.distance.min()) <= 5.1e-7


def test_samples_miss_the_contact_that_frames_see(output: str) -> None:
    hull, X_WA, (post, _) = module._scene()
    frames = kc.distance(hull, X_WA, post.b, post.X_WB)
    assert not frames.colliding[::50].any()
    first, count = int(frames.colliding.argmax()), int(frames.colliding.sum())
    assert f"tracked over 1000 frames: {count} with contact, first in frame {first}\n" in output
    assert f"0 contacts, smallest distance {1e3 * frames.distance[::50].min():.1f} mm\n" in output
    assert "kc.first_contact" in output


@pytest.mark.parametrize(("encoding", "ramp"), [("utf-8", "▁▂▃▄▅▆▇█"), ("ascii", "_.-~=+*#")])
def test_a_terminal_sees_the_distance_over_time(
    encoding: str, ramp: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = rich.console.Console(
        file=screen, force_terminal=True, width=80, legacy_windows=False, _environ={}
    )
    monkeypatch.setattr(rich.console, "Console", lambda: console)
    monkeypatch.setattr(module, "PAUSE", 0.0)
    assert CliRunner().invoke(main, ["demo"], catch_exceptions=False).exit_code == 0
    screen.flush()
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.buffer.getvalue().decode(encoding))  # type: ignore[attr-defined]
    last = [
        line.split("m")[-1].strip()
        for line in shown.splitlines()
        if line.strip().startswith(("post", "shelf"))
    ][-2:]
    assert [len(course) for course in last] == [40, 40]
    assert set("".join(last)) <= set(ramp)
    assert all(ramp[0] in course and ramp[-1] in course for course in last)
