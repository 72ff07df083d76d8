"""`keepclear view`: shows a report, or a cell file while it is being written."""

from __future__ import annotations

import re
import tempfile
import webbrowser
from pathlib import Path

import click

from keepclear.cli.outputs import echo_lines
from keepclear.errors import ArgumentError, CellError, FileMissingError


@click.command()
@click.argument("file", metavar="REPORT|CELL", type=click.Path())
@click.option(
    "--open/--no-open", "opens", default=True, help="Open the page in the browser, or print its path only."
)
@click.option(
    "--watch", is_flag=True, help="Show a cell again whenever its file, or a file it names, changes."
)
@click.option("--live", is_flag=True, help="Show a cell with viser instead of a page (extra 'view').")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N",
              help="Port of --watch and --live on this machine; by default a free one.")  # fmt: skip
@click.option("--program", metavar="NAME", help="Show this program of a fleet's JSON, not the overview.")
def view(file: str, opens: bool, watch: bool, live: bool, port: int, program: str | None) -> None:
    """Show a report, or a cell file while it is being written.

    An HTML report is opened as it is; a JSON report becomes a page without the moving cell, and the JSON of a fleet
    becomes its overview. A cell file is shown with its motion and its errors, so that wrong poses and units are found
    early. It is not verified. A cell file of which nothing can be shown is bad input (exit code 2).
    """
    path = Path(file)
    if not path.is_file():
        if path.exists():
            raise ArgumentError(
                f"'{path}' is not a regular file; give a report (HTML or JSON) or a cell file (YAML)."
            )
        raise FileMissingError(
            f"there is no file '{path}'; give a report (HTML or JSON) or a cell file (YAML)."
        )
    kind = kind_of(path)
    if kind != "json" and program is not None:
        raise ArgumentError(f"--program is for the JSON of a fleet, and '{path}' is not one; leave it out.")
    if kind != "cell" and (watch or live):
        option = "--watch" if watch else "--live"
        raise ArgumentError(f"{option} is for cell files, and '{path}' is a report; leave it out.")
    if live:
        from keepclear.cli.watch import show_live

        show_live(path, port, opens)
    elif watch:
        from keepclear.cli.watch import serve

        serve(path, port, opens)
    else:
        show(page_of(path, kind, program), opens)


def kind_of(path: Path) -> str:
    """Return what a file is, "html", "json" or "cell": by its ending, else by how it begins.

    Raises:
        ArgumentError: It is none of these.
    """
    from keepclear.cli.commands.verify import check_is_cell

    endings = {".html": "html", ".htm": "html", ".json": "json", ".yaml": "cell", ".yml": "cell"}
    if path.suffix.lower() in endings:
        return endings[path.suffix.lower()]
    check_is_cell(path)
    with path.open("rb") as file:
        start = file.read(2000).lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:15].lower().startswith((b"<!doctype html", b"<html", b"<!--")):
        return "html"
    if start.startswith(b"{"):
        return "json"
    if re.search(rb"^[\"']?objects[\"']?\s*:", start, re.MULTILINE):
        return "cell"
    raise ArgumentError(
        f"'{path}' is neither a report (HTML or JSON) nor a cell file (YAML with the key 'objects')."
    )


def page_of(path: Path, kind: str, program: str | None = None) -> Path:
    """Return the page that shows a file: itself, or one in the folder for temporary files."""
    if kind == "html":
        return path
    if kind == "json":
        text = _json_page(path, program)
    else:
        from keepclear.cli.watch import cell_page

        shown = cell_page(path)
        if shown.mistakes and not any(
            one.scene is not None for one in (shown.report, *shown.report.programs)
        ):
            raise CellError(list(shown.mistakes))
        text = shown.report.to_html()
        for line in shown.mistakes:
            click.echo(line, err=True)
    page = Path(tempfile.mkdtemp(prefix="keepclear-")) / f"{path.stem}.html"
    page.write_text(text, encoding="utf-8")
    return page


def _json_page(path: Path, program: str | None) -> str:
    """Return the page of a report, or of a fleet, or of one program of it."""
    from keepclear.jobs.fleet.fleet_report import FleetReport
    from keepclear.jobs.fleet.results import FORMAT
    from keepclear.report.json_file import read_report

    with path.open("rb") as file:
        is_fleet = FORMAT.partition("/")[0].encode() in file.read(200)
    if is_fleet and program is None:
        return FleetReport.from_json(path).to_html()
    report = FleetReport.from_json(path).program(program) if program is not None else read_report(path)
    text = (
        "a JSON file holds no shapes, so the page cannot show the cell; verify --html writes a page that does"
    )
    echo_lines([text])
    return report.to_html()


def show(page: Path, opens: bool) -> None:
    """Print where a page is, and open it if asked to and possible."""
    echo_lines([str(page)])
    if opens and not webbrowser.open(page.resolve().as_uri()):
        click.echo("keepclear: no browser was found; open the file yourself", err=True)
