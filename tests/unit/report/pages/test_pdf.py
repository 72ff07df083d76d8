"""Reports as PDF: which browser prints, and what is said where none can; `tests/end_to_end` prints with a real one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.unit.report.example_reports import clear_report

import keepclear as kc
from keepclear.report.pages import pdf

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the browsers of these tests are shell scripts")

PRINT = """\
#!{python}
import re, sys
target = next(word.partition("=")[2] for word in sys.argv if word.startswith("--print-to-pdf="))
{body}
"""


def browser(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = folder / "a browser"
    path.write_text(PRINT.format(python=sys.executable, body=body))
    path.chmod(0o755)
    monkeypatch.setenv(pdf.VARIABLE, str(path))
    return path


def written(title: str) -> str:
    return f"open(target, 'wb').write(b'%PDF-1.4\\n<</Title ({title})>>\\n%%EOF\\n')"


def test_the_page_is_printed_and_nothing_else_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = (
        "from urllib.request import urlopen\nassert b'data-page=\"report\"' in urlopen(sys.argv[-1]).read()\n"
    )
    browser(tmp_path, look + written("CLEAR"), monkeypatch)
    folder = tmp_path / "out"
    folder.mkdir()
    clear_report().to_pdf(folder / "report.pdf")
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert [path.name for path in folder.iterdir()] == ["report.pdf"]


def test_a_page_that_was_not_drawn_is_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, written(pdf._NOT_DRAWN), monkeypatch)
    with pytest.raises(
        kc.ReportError, match=r"the page was not drawn in time by '.*a browser'; write the page"
    ):
        clear_report().to_pdf(tmp_path / "report.pdf")
    assert not (tmp_path / "report.pdf").exists()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit('No usable sandbox!')", "made no PDF: No usable sandbox!; write the page"),
        ("open(target, 'wb').write(b'%PDF-1.4 cut')", "made no PDF; write the page"),
    ],
)
def test_a_browser_that_fails_is_named(
    body: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser(tmp_path, body, monkeypatch)
    with pytest.raises(kc.ReportError) as caught:
        clear_report().to_pdf(tmp_path / "report.pdf")
    assert message in str(caught.value)


def test_a_browser_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, "import time\ntime.sleep(600)", monkeypatch)
    monkeypatch.setattr(pdf, "SECONDS", 0.5)
    with pytest.raises(kc.ReportError, match=r"did not end within 0\.5 s"):
        clear_report().to_pdf(tmp_path / "report.pdf")


def test_without_a_browser_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(pdf.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(pdf, "MAC", ())
    with pytest.raises(kc.MissingPackageError, match=r"none was found; install one .* KEEPCLEAR_CHROMIUM"):
        pdf.find_chromium()
    monkeypatch.setenv(pdf.VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(kc.MissingPackageError, match="which is no program"):
        pdf.find_chromium()
    (tmp_path / "msedge").write_text("")
    (tmp_path / "msedge").chmod(0o755)
    monkeypatch.delenv(pdf.VARIABLE)
    assert pdf.find_chromium() == str(tmp_path / "msedge")
