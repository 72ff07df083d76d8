"""The formats of reports: options of commands, methods that write them, and keys of fleet files."""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """A format: the option `--kind FILE` asks for it, and the method `to_kind` of a report writes it.

    Attributes:
        kind: Its name, such as "json".
        help: The help of the option.
        key: The description of the key of this name in fleet files; "" for a format that only a single cell has.
        of_cell: Whether `Report` writes it; otherwise only `FleetReport`, of one cell too.
    """

    kind: str
    help: str
    key: str
    of_cell: bool = True


FORMATS = (
    Format("json", "Write all findings as JSON; - is the standard output.", "JSON file of all reports."),
    Format("html", "Write a page: one cell in motion, or an overview of several cells or of a fleet.",
           "Overview page."),
    Format("junit", "Write JUnit XML, for continuous integration.", "JUnit XML file, for continuous integration."),
    Format("csv", "Write a table with a row for each program.", "Table with a row for each program.", False),
    Format("sarif", "Write findings as SARIF 2.1.0, for code review.", "SARIF 2.1.0 file, for code review.", False),
    Format("pdf", "Write the page as PDF, with a page for signatures; needs an installed Chromium.", ""),
)  # fmt: skip
"""All formats, in the order in which their paths are checked."""
