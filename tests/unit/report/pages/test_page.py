"""The page of a report as a file: it holds all it needs, and no name in it can become markup, a script or a request."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.unit.report.example_reports import (
    CLOSE,
    CONTACT,
    NASTY,
    clear_report,
    full_report,
    programs_report,
    small_scene,
)

from keepclear.report.pages import page
from keepclear.report.report import Report

STATIC = Path(page.__file__).with_name("static")
PAGES = ["pages.js", "report.css", "crowd.css", "model.css", "fleet.js", "fleet.css"]


class Outline(HTMLParser):
    """The elements of a page with their attributes, and the texts of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements:
            self.texts.append((self.elements[-1][0], data))

    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]


def test_it_is_written_as_it_is_returned(tmp_path: Path) -> None:
    text = full_report(scene=small_scene()).to_html(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == text
    assert text.startswith("<!doctype html>")
    assert "<title>COLLIDING - cell.yaml</title>" in text


def test_a_page_on_which_nothing_touches_says_too_close() -> None:
    contact = replace(CONTACT.contacts[0], distance_upper=0.002)
    close = replace(CONTACT, margin=0.005, contacts=(contact,), clearance_upper=0.002)
    text = full_report(pairs=(close,)).to_html()
    assert "<title>TOO CLOSE - cell.yaml</title>" in text
    assert '<header class="verdict"><h1>TOO CLOSE</h1>' in text
    assert 'data-verdict="COLLIDING"' in text


def test_nothing_is_fetched_from_anywhere() -> None:
    outline = Outline(full_report(scene=small_scene()).to_html())
    addresses = [
        value or "" for _, held in outline.elements for name, value in held.items() if name in ("src", "href")
    ]
    assert [address[:26] for address in addresses] == ["data:image/svg+xml;base64,"]
    policy = next(held["content"] for tag, held in outline.elements if "http-equiv" in held)
    digest = base64.b64encode(hashlib.sha256((STATIC / "pages.js").read_bytes()).digest()).decode()
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:"
    )
    found = {match for name in PAGES for match in re.findall(r"https?://[\w./-]+", read(name))}
    assert found <= {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"}


def read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def nasty_report() -> Report:
    pair = replace(CONTACT, a=NASTY, b=f"{NASTY} b")
    return full_report(
        pairs=(pair, CLOSE), title=NASTY, program=NASTY, warnings=(NASTY,), statistics={NASTY: NASTY}
    )


def test_names_stay_texts() -> None:
    plain, nasty = Outline(full_report().to_html()), Outline(nasty_report().to_html())
    assert nasty.tags() == plain.tags()
    assert "img" not in nasty.tags()
    (payload,) = (text for tag, text in nasty.texts if text.startswith('{"overall"'))
    assert json.loads(payload)["programs"][0]["report"]["pairs"][0]["a"] == NASTY
    assert not set(payload) & set("<>&\u2028")


def test_half_a_character_pair_does_no_harm(tmp_path: Path) -> None:
    report = clear_report(title="caf\udce9")
    assert "caf?" in report.to_html(tmp_path / "report.html")
    assert Report.from_json(report.to_json(tmp_path / "report.json")) == report


def test_the_words_are_there_without_a_script() -> None:
    text = programs_report().to_html()
    assert '<header class="verdict"><h1>COLLIDING</h1><p>1 of 2 programs collides</p></header>' in text
    assert "&#x27;arm/forearm&#x27; touches" in text[text.index("<noscript>") : text.index("</noscript>")]


def test_licences_of_what_is_inside_ship_with_it() -> None:
    text = read("THIRD_PARTY.txt")
    assert "three" in text
    assert "uplot" in text
    assert text.count("Permission is hereby granted, free of charge") == 2


def test_versions_are_pinned_and_no_registry_is_named(project: Path) -> None:
    package = json.loads((project / "web" / "package.json").read_text())
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in package["devDependencies"].values())
    assert "resolved" not in (project / "web" / "package-lock.json").read_text()
    licences = read("THIRD_PARTY.txt")
    for name in ("three", "uplot"):
        assert f"{name} {package['devDependencies'][name]}\n" in licences


def test_the_built_page_is_that_of_the_sources(project: Path, tmp_path: Path) -> None:
    web = project / "web"
    node = shutil.which("node")
    if node is None or not (web / "node_modules" / "esbuild").is_dir():
        pytest.skip("web/node_modules is absent: run `npm ci` in web/ to compare the page with its sources")
    subprocess.run([node, "build.js", str(tmp_path)], cwd=web, check=True, capture_output=True)
    for name in (*PAGES, "THIRD_PARTY.txt"):
        assert (tmp_path / name).read_text() == read(name), f"{name} is old: run `npm run build` in web/"
