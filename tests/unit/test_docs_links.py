"""Pages of the documentation can be reached: one page lists all, links lead to files, examples are included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
APPLICATIONS = sorted((DOCS / "how-to" / "applications").glob("*.md"))
PAGES = [PROJECT / "README.md", *sorted(DOCS.rglob("*.md"))]


def links(page: Path) -> list[str]:
    """Return the targets of links and images to files, without those in blocks of code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    found = re.findall(r"\]\(([^)\s#]*)[^)]*\)", text)
    return [target for target in found if target and not re.match(r"\w+:", target)]


def pages_of(nav: Any) -> Iterator[str]:
    """Give the paths in the navigation of mkdocs, relative to `docs`."""
    if isinstance(nav, str):
        yield nav
    else:
        for entry in nav if isinstance(nav, list) else nav.values():
            yield from pages_of(entry)


def missing(page: Path) -> list[str]:
    """Return the links of a page that lead to no file or folder."""
    return [target for target in links(page) if not (page.parent / target).exists()]


def test_one_page_links_every_page() -> None:
    nav = set(pages_of(yaml.safe_load((PROJECT / "mkdocs.yml").read_text())["nav"]))
    assert len(nav) > 80
    assert nav - {"pages.md"} - set(links(DOCS / "pages.md")) == set()


def test_readme_and_start_page_link_the_list_of_all_pages() -> None:
    assert "docs/pages.md" in links(PROJECT / "README.md")
    assert "pages.md" in links(DOCS / "index.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_links_lead_to_files(page: Path) -> None:
    assert missing(page) == []


def test_a_link_to_no_file_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "[a](page.md#top) [b](other.md) [c](https://example.org) [d](#top)\n```py\nx[0](e.md)\n```\n"
    )
    assert missing(page) == ["other.md"]


@pytest.mark.parametrize("page", APPLICATIONS, ids=lambda page: page.stem)
def test_pages_of_applications_include_their_example(page: Path) -> None:
    text = page.read_text()
    included = re.findall(r'^```py\n--8<-- "(.+)"\n```$', text, flags=re.MULTILINE)
    assert len(included) == 1, "one line that includes the example, untouched by formatters"
    assert (PROJECT / "examples" / included[0]).is_file()
    assert f"`python examples/{included[0]}` prints" in text
