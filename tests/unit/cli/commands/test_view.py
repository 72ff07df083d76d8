"""`keepclear view`: reports and cells become pages, and pages follow their files."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.unit.cli import reports

import keepclear as kc
from keepclear.cli.commands import view
from keepclear.cli.local_server import handler_of
from keepclear.cli.main import main
from keepclear.cli.watch import Watched, cell_page, show_live

CELL = """\
objects:
  table: {box: [1, 1, 0.1]}
  ball: {sphere: 0.1, motion: {times: [0, 1], positions: [[0, 0, 1], [0, 0, 2]]}}
"""
WRONG = CELL + "  wall: {bax: [1, 1, 1]}\n"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to open; it does."""
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: addresses.append(address) or True)
    return addresses


@pytest.fixture
def cell(tmp_path: Path) -> Path:
    path = tmp_path / "cell.yaml"
    path.write_text(CELL)
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["view", *map(str, arguments)], catch_exceptions=False)


def test_a_page_is_opened_as_it_is(tmp_path: Path, opened: list[str]) -> None:
    page = tmp_path / "r.html"
    page.write_text("<!doctype html>")
    result = run(page)
    assert (result.exit_code, result.stdout) == (0, f"{page}\n")
    assert opened == [page.as_uri()]
    assert run(page, "--no-open").stdout == f"{page}\n"
    assert len(opened) == 1


def test_no_browser_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    (tmp_path / "r.html").write_text("<!doctype html>")
    assert "no browser was found" in run(tmp_path / "r.html").stderr


def test_a_stored_report_becomes_a_page_without_the_cell(tmp_path: Path, opened: list[str]) -> None:
    reports.colliding.to_json(tmp_path / "r.json")
    result = run(tmp_path / "r.json", "--no-open")
    note, page = result.stdout.splitlines()
    assert "cannot show the cell" in note
    assert 'data-verdict="COLLIDING"' in Path(page).read_text()
    assert opened == []


def test_kinds_are_told_by_ending_and_else_by_content(tmp_path: Path) -> None:
    for name, text, kind in (
        ("a.HTM", "", "html"),
        ("a.json", "", "json"),
        ("a.yml", "", "cell"),
        ("a", "\ufeff <!doctype html>", "html"),
        ("b", '{"format": 1}', "json"),
        ("c", "objects: {}", "cell"),
    ):
        (tmp_path / name).write_text(text)
        assert view.kind_of(tmp_path / name) == kind


def test_a_cell_is_shown_in_motion_and_not_judged(cell: Path) -> None:
    report = cell_page(cell).report
    assert report.verdict is kc.Verdict.UNDECIDED
    assert report.pairs == ()
    assert report.scene is not None
    assert sorted(body.name for body in report.scene.bodies) == ["ball", "table"]
    assert (report.t0, report.t1) == (0.0, 1.0)
    result = run(cell, "--no-open")
    assert (result.exit_code, result.stderr) == (0, "")
    assert 'data-verdict="UNDECIDED"' in Path(result.stdout.strip()).read_text()


def test_mistakes_are_printed_and_the_rest_is_shown(cell: Path) -> None:
    cell.write_text(WRONG)
    page = cell_page(cell)
    assert len(page.mistakes) == 1
    assert "did you mean 'box'?" in page.mistakes[0]
    assert page.report.scene is not None
    assert len(page.report.scene.bodies) == 2
    assert page.report.warnings == page.mistakes
    result = run(cell, "--no-open")
    assert result.exit_code == 0
    assert result.stderr == f"{page.mistakes[0]}\n"


def test_a_file_that_cannot_be_shown_is_bad_input(tmp_path: Path) -> None:
    """A robot was printed as if it were a report, and a page without anything was made of the others."""
    for name, text, message in (
        ("arm.urdf", "<robot name='arm'/>", "is a robot, not a cell file"),
        ("a.stl", "solid a\nendsolid\n", "is a mesh, not a cell file"),
        ("a.csv", "time,x\n", "is a motion, not a cell file"),
        (
            "a.txt",
            "some notes\n",
            "is neither a report (HTML or JSON) nor a cell file (YAML with the key 'objects').",
        ),
        ("a.xml", "<?xml version='1.0'?><testsuites/>", "is neither a report"),
        ("empty.yaml", "", "empty.yaml:1:1: "),
        ("broken.yaml", "objects: [\n", "broken.yaml:"),
    ):
        (tmp_path / name).write_text(text)
        result = run(tmp_path / name, "--no-open")
        assert (result.exit_code, result.stdout) == (2, ""), name
        assert message in result.stderr


def test_each_program_is_shown(cell: Path) -> None:
    motion = "{times: [0, 1], positions: [[0, 0, 1], [0, 0, %d]]}"
    cell.write_text(f"{CELL}programs:\n  up: {{ball: {motion % 2}}}\n  far: {{ball: {motion % 3}}}\n")
    report = cell_page(cell).report
    assert [program.program for program in report.programs] == ["up", "far"]
    assert all(program.scene is not None for program in report.programs)


def test_nothing_at_all_is_still_a_page(cell: Path) -> None:
    cell.write_text("objects: [\n")
    page = cell_page(cell)
    assert page.mistakes
    assert "UNDECIDED" in page.report.to_html()


def test_a_watched_cell_is_made_anew_when_a_file_changes(cell: Path) -> None:
    watched = Watched(cell)
    assert not watched.look()
    cell.write_text(WRONG)
    assert watched.look()
    assert (watched.version, len(watched.page.mistakes)) == (1, 1)
    assert not watched.look()
    cell.unlink()  # as editors do for a moment
    assert watched.look()
    assert watched.page.mistakes
    cell.write_text(CELL)
    assert watched.look()
    assert watched.page.mistakes == ()


def test_files_that_a_cell_names_are_watched_too(cell: Path) -> None:
    rows = "time,x,y,z\n0,0,0,1\n1,0,0,{}\n"
    table = cell.with_name("ball.csv")
    table.write_text(rows.format(2))
    cell.write_text("objects: {ball: {sphere: 0.1, motion: ball.csv}}\n")
    watched = Watched(cell)
    table.write_text(rows.format("2.5"))
    assert watched.look()


@pytest.fixture
def address(cell: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(Watched(cell).answer))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_page_asks_for_news(address: str) -> None:
    def get(path: str) -> str:
        with urllib.request.urlopen(address + path, timeout=10) as answer:
            text: str = answer.read().decode()
        return text

    assert 'fetch("/version"' in get("/")
    assert get("/version") == "0"
    assert 'data-verdict="UNDECIDED"' in get("/page?0")
    with pytest.raises(urllib.error.HTTPError, match="404") as missing:
        get("/other")
    missing.value.close()


def test_a_page_of_another_site_gets_nothing(address: str) -> None:
    """A name that somebody pointed at this machine would make its page one of the same origin."""
    for host, code in (
        ("evil.example:80", 403),
        ("localhost:80", 200),
        ("localhost", 200),
        ("evil.example", 403),
        ("", 403),
    ):
        connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
        connection.request("GET", "/page", headers={"Host": host})
        assert connection.getresponse().status == code
        connection.close()


def test_a_browser_that_goes_away_is_no_error(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    for _ in range(20):
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            connection.sendall(b"GET /page HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n")
            reset = struct.pack("ii", 1, 0)  # closing does not wait for what was sent
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
    with urllib.request.urlopen(address + "/version", timeout=10) as answer:
        assert answer.status == 200
    assert "Error" not in capfd.readouterr().err


def test_only_cells_are_followed(tmp_path: Path) -> None:
    reports.clear.to_json(tmp_path / "r.json")
    for option in ("--watch", "--live"):
        result = run(tmp_path / "r.json", option)
        assert result.exit_code == 2
        assert f"{option} is for cell files" in result.stderr


def test_live_without_viser_names_the_extra(cell: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "viser", None)
    with pytest.raises(kc.MissingPackageError, match=r"keepclear\[view\]"):
        show_live(cell, 0, False)
