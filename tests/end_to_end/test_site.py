"""The site of the documentation, as `make docs` builds it: examples are readable, and the menu is short."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


def texts_of(page: Path) -> tuple[str, str]:
    """Return the text inside of preformatted code, and the text everywhere else."""
    content = page.read_text()
    code = "\n".join(re.findall(r"<pre\b.*?</pre>", content, flags=re.DOTALL))
    prose = re.sub(r"<pre\b.*?</pre>", "", content, flags=re.DOTALL)
    plain, other = (html.unescape(re.sub(r"<[^>]*>", "", text)) for text in (code, prose))
    return plain, other


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site; building it is strict about links and parameters."""
    pytest.importorskip("mkdocstrings", reason="mkdocstrings is not installed (extra docs)")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command,
        cwd=PROJECT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_examples_of_the_reference_are_code(site: Path) -> None:
    pages = sorted(site.glob("reference/**/*.html"))
    texts = {page.parent.name: texts_of(page) for page in pages}
    assert sum(code.count(">>> ") for code, _ in texts.values()) > 200
    assert [name for name, (_, prose) in texts.items() if ">>> " in prose] == []
    assert [page.parent.name for page in pages if "<blockquote>" in page.read_text()] == []


def test_each_step_of_an_example_has_a_line(site: Path) -> None:
    code, _ = texts_of(site / "reference" / "shapes" / "index.html")
    assert re.search(
        r"^>>> Box\(\[1\.2, 0\.8, 0\.05\]\)\nBox\(size=\(1\.2, 0\.8, 0\.05\)\)$", code, re.MULTILINE
    )


def test_the_menu_of_a_page_lists_jobs_not_all_pages(site: Path) -> None:
    start = (site / "index.html").read_text()
    tabs = re.findall(r'class="md-tabs__link">\s*([^<]+?)\s*<', start)
    assert tabs[0] == "Start"
    assert 6 <= len(tabs) <= 10
    assert all(f"how-to/{page}/" in start for page in ("command-line", "planners", "contacts", "frame-loop"))
