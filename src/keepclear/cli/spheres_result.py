"""What `keepclear spheres` found: lines for the terminal, JSON, and the page."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.geometry.spheres.tree import SphereTree
from keepclear.names import listed
from keepclear.report.json_file import written
from keepclear.report.pages.page import counted
from keepclear.report.pages.sphere_page import page_of_spheres
from keepclear.report.pages.sphere_words import (
    audit_sentence,
    openings_text,
    share_text,
    sticks_out_text,
    upper_length,
)
from keepclear.robot.model import Robot
from keepclear.robot.spheres.audit import LinkAudit, SphereAudit
from keepclear.robot.spheres.files import write_sphere_model
from keepclear.robot.spheres.model import SphereModel

FORMAT = "1"


@dataclass(frozen=True, slots=True)
class BuiltResult:
    """Spheres that were built: a tree of a mesh, few spheres around a mesh, or a model of a robot."""

    file: str
    tree: SphereTree | None = None
    cover: SphereCover | None = None
    mesh: Mesh | None = None
    model: SphereModel | None = None
    robot: Robot | None = None

    def lines(self) -> list[str]:
        """Return what the terminal shows."""
        if self.tree is not None:
            tree = self.tree
            ranks = [
                f"  rank {k + 1:<3} {len(rank):>9,} of {1e3 * rank.radius:.4g} mm"
                for k, rank in enumerate(tree.ranks)
            ]
            off = f" up to {upper_length(tree.cover)}, the error of its triangles" if tree.cover > 0.0 else ""
            return [
                f"{Path(self.file).name}: {counted(tree.n_spheres, 'sphere')} in {counted(len(ranks), 'rank')}",
                *ranks,
                f"proved: each rank covers the surface{off}; the last reaches at most {upper_length(tree.excess)} "
                "beyond it",
            ]
        model = self._as_model()
        rows = [["", "spheres", "coverage", "excess"]]
        for link, cover in model.covers.items():
            covers = "covered" if cover.cover == 0.0 else f"{upper_length(cover.cover)} outside"
            rows.append([link, str(len(cover)), covers, upper_length(cover.excess)])
        only = [link for link, cover in model.covers.items() if not cover.solid]
        what = "the solid" if len(only) < len(model.covers) else "the surface"
        if only and len(only) < len(model.covers):
            what += f", and the surface alone of {', '.join(only)}, where a mesh is not closed"
        proof = (
            f"proved: the spheres cover {what}"
            if model.cover == 0.0
            else f"not covered: {upper_length(model.cover)} may stick out"
        )
        head = f"{Path(self.file).name}: {counted(model.n_spheres, 'sphere')}"
        return [
            head,
            *_table(rows),
            f"{proof}; they reach at most {upper_length(model.excess)} beyond it",
            *openings_text({link: cover.openings for link, cover in model.covers.items()}),
        ]

    def _as_model(self) -> SphereModel:
        """Return what was built as a model; a mesh is its only link."""
        if self.model is not None:
            return self.model
        name = Path(self.file).stem
        if self.cover is not None:
            return SphereModel(name, {name: self.cover})
        assert self.tree is not None
        rank = self.tree.ranks[-1]
        cover = SphereCover(rank.centers, np.full(len(rank), rank.radius), self.tree.cover, self.tree.excess)
        return SphereModel(name, {name: cover})

    def write(self, path: str, format_: Any) -> None:
        """Write the spheres as a sphere model."""
        try:
            write_sphere_model(self._as_model(), path, self.robot, format=format_)
        except OSError as error:
            raise ArgumentError(f"--write {path}: cannot be written: {error.strerror or error}.") from error

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the page, and write it to a file if a path is given."""
        title = Path(self.file).name
        if self.tree is not None:
            text = page_of_spheres(self.tree, title=title)
        elif self.cover is not None:
            assert self.mesh is not None
            text = page_of_spheres((self.mesh, self.cover), title=title)
        else:
            assert self.model is not None
            text = page_of_spheres(self.model, self.robot, title=title)
        return written(text, path)

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the figures as JSON, and write them to a file if a path is given."""
        content: dict[str, Any] = {"format": FORMAT, "file": str(self.file)}
        if self.tree is not None:
            content |= {
                "spheres": self.tree.n_spheres,
                "cover": self.tree.cover,
                "excess": self.tree.excess,
                "ranks": [{"spheres": len(rank), "radius": rank.radius} for rank in self.tree.ranks],
            }
        else:
            model = self._as_model()
            content |= {
                "spheres": model.n_spheres,
                "cover": model.cover,
                "excess": model.excess,
                "links": [
                    {
                        "link": link,
                        "spheres": len(c),
                        "cover": c.cover,
                        "excess": c.excess,
                        "solid": c.solid,
                        "openings": c.openings,
                    }
                    for link, c in model.covers.items()
                ],
            }
        return written(json.dumps(content, indent=1, allow_nan=False) + "\n", path)


@dataclass(frozen=True, slots=True)
class AuditResult:
    """An audit of a file, and the links for whose shapes the file says that it was not made."""

    file: str
    audit: SphereAudit
    changed: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return what the terminal shows."""
        audit = self.audit
        rows = [["link", "spheres", "coverage", "uncovered", "excess", "grow by", "worst position"]]
        rows += [_audit_cells(row) for row in audit.links]
        lines = [f"{Path(self.file).name}: {counted(audit.model.n_spheres, 'sphere')}", *_table(rows)]
        lines.append(audit_sentence(audit))
        if audit.state != "covered":
            grow = audit.inflation
            lines.append(
                f"All radii grown by {upper_length(grow)} would cover all links."
                if grow < float("inf")
                else "No growth of radii covers a link without spheres."
            )
        if audit.unneeded:
            lines.append(f"Spheres of links without shapes: {listed(audit.unneeded)}.")
        if self.changed:
            lines.append(f"The file says that it was made for other shapes of: {listed(self.changed)}.")
        lines += openings_text({row.link: row.openings for row in audit.links})
        lines += [f"warning: {text}" for text in audit.robot.warnings]
        return lines

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the audit as JSON, and write it to a file if a path is given."""
        return self.audit.to_json(path)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the page, and write it to a file if a path is given."""
        return written(page_of_spheres(self.audit, title=f"Audit of {Path(self.file).name}"), path)


def _audit_cells(row: LinkAudit) -> list[str]:
    point = "" if row.state == "covered" else "(" + ", ".join(f"{x:.4f}" for x in row.worst_point) + ")"
    return [
        row.link,
        str(row.n_spheres),
        sticks_out_text(row),
        share_text(row.uncovered_lower, row.uncovered_upper),
        upper_length(row.excess_upper) if row.n_spheres else "",
        "" if row.state == "covered" or not row.n_spheres else upper_length(row.inflation),
        point if row.n_spheres else "",
    ]


def _table(rows: list[list[str]]) -> list[str]:
    """Return rows with columns of equal widths; the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(others, widths[1:], strict=True))]
        lines.append(f"  {'  '.join(cells)}".rstrip())
    return lines
