"""Reports as PDF: the web page of a report, printed by an installed Chromium."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from keepclear.errors import MissingPackageError, ReportError
from keepclear.files.access import write_whole_file
from keepclear.report.pages.page import page_text
from keepclear.report.report import Report

VARIABLE = "KEEPCLEAR_CHROMIUM"
"""The variable of the environment with the path of a browser, where it is not found or another one is wanted."""

NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge",
    "brave-browser",
)  # fmt: skip
MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS = ("Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe")
FLAGS = (
    "--headless", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",  # the 3D view, without a graphics card
    "--no-pdf-header-footer",
)  # fmt: skip
BUDGETS = (
    10_000,
    60_000,
)  # for scripts and pictures of the page [ms]; the second if it was not drawn after the first
SECONDS = 300.0  # for the browser, which needs some seconds for a page of 2000 bodies
_NOT_DRAWN = "keepclear page without content"


def write_pdf(report: Report, path: str | os.PathLike[str]) -> None:
    """Write the page of a report as PDF; see `Report.to_pdf`.

    The page gets its title when its script has drawn it, and a PDF has the title of its page: so it is known whether
    the browser printed before the content was there. The work is done beside the file, because browsers in containers
    see no temporary folder.

    Raises:
        MissingPackageError: There is no Chromium.
        ReportError: It ends without a PDF.
        OSError: The file cannot be written.
    """
    browser = find_chromium()
    page = re.sub(
        "<title>.*?</title>", f"<title>{_NOT_DRAWN}</title>", page_text(report), count=1, flags=re.DOTALL
    )
    beside = Path(os.path.realpath(path)).parent
    with tempfile.TemporaryDirectory(prefix="keepclear-pdf-", dir=beside, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "report.html").write_text(page, encoding="utf-8")
        for budget in BUDGETS:
            content = _printed(browser, folder, budget)
            if _NOT_DRAWN.encode() not in content:
                write_whole_file(path, content)
                return
    raise ReportError(f"the page was not drawn in time by '{browser}'; write the page (--html) and print it.")


def find_chromium() -> str:
    """Return the path of an installed Chromium, or of a browser that is made of it.

    Raises:
        MissingPackageError: There is none, or the variable `KEEPCLEAR_CHROMIUM` names no program.
    """
    given = os.environ.get(VARIABLE)
    if given:
        found = shutil.which(given)
        if found is None:
            raise MissingPackageError(
                f"{VARIABLE} is {given!r}, which is no program; give the path of a Chromium."
            )
        return found
    found = next((path for path in _places() if path is not None), None)
    if found is None:
        raise MissingPackageError(
            "a PDF needs Chromium, Chrome or Edge, and none was found; install one (`apt install chromium`), set "
            f"{VARIABLE} to its path, or write the page (--html) and print it in any browser."
        )
    return found


def _places() -> Iterator[str | None]:
    yield from map(shutil.which, NAMES)
    if sys.platform == "darwin":
        yield from map(shutil.which, MAC)
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if root := os.environ.get(variable):
            yield from (shutil.which(Path(root) / name) for name in WINDOWS)


def _printed(browser: str, folder: Path, budget: int) -> bytes:
    """Return the PDF of the page in a folder."""
    target = folder / "report.pdf"
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    command = [
        browser, *FLAGS, *(["--no-sandbox"] if is_root else []), f"--user-data-dir={folder / 'profile'}",
        f"--virtual-time-budget={budget}", f"--print-to-pdf={target}", (folder / "report.html").as_uri(),
    ]  # fmt: skip
    said = _run(command)
    content = target.read_bytes() if target.is_file() else b""
    if not content.startswith(b"%PDF-") or b"%%EOF" not in content[-64:]:
        lines = [line for line in said.splitlines() if line.strip() and "dbus" not in line]
        why = f": {lines[-1].strip()[:300]}" if lines else ""
        raise ReportError(
            f"'{browser}' made no PDF{why}; write the page (--html) and print it, or set {VARIABLE} to another browser."
        )
    return content


def _run(command: list[str]) -> str:
    """Run a browser to its end, with all its processes, and return what it said."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        errors="replace", start_new_session=os.name == "posix",
    )  # fmt: skip
    try:
        return process.communicate(timeout=SECONDS)[1]
    except subprocess.TimeoutExpired:
        raise ReportError(
            f"'{command[0]}' did not end within {SECONDS:g} s; print the page (--html) instead."
        ) from None
    finally:
        if process.poll() is None:
            with contextlib.suppress(OSError):
                if os.name == "posix":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            process.communicate()
