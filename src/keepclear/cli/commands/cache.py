"""`keepclear cache`: shows where compiled kernels and what was built for meshes are kept, or removes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from keepclear.cli.outputs import echo_lines


@click.command()
@click.option(
    "--clear", is_flag=True, help="Remove every compiled kernel and every stored model from the cache."
)
def cache(clear: bool) -> None:
    """Show where compiled kernels and prepared meshes are stored, or remove them.

    Removing them costs only the time to compile kernels and to build hulls and trees again.
    """
    from keepclear.compiler import cache_folders
    from keepclear.geometry.storage import cache as model_cache

    if clear:
        for what, (count, size) in (
            ("kernels", cache_folders.clear()),
            ("stored models", model_cache.clear()),
        ):
            echo_lines([f"removed {count} {what}, {size / 1e6:.1f} MB"])
        return
    echo_lines(_lines())


def _lines() -> Iterator[str]:
    """Yield the folders, and what they hold."""
    from keepclear.compiler import cache_folders, code_files
    from keepclear.geometry.storage import cache as model_cache

    folder, searched = cache_folders.cache_folder(), list(cache_folders.searched())
    cached = cache_folders.cached_files()
    used = [path for path in cached if path.parent in searched]
    yield f"folder   {folder or 'none is usable; kernels compile in each process'}"
    yield f"cached   {_summary('kernels', used)}"
    for other in sorted({path.parent for path in cached} - set(searched)):
        unused = [path for path in cached if path.parent == other]
        yield f"unused   {_summary('kernels', unused)} in {other}, used only without the folder above"
    shipped = list(code_files.SHIPPED_FOLDER.glob(f"*{code_files.SUFFIX}"))
    yield f"shipped  {_summary('kernels', shipped)}"
    if reason := code_files.why_none_are_shipped():
        yield f"         {reason}"
    found = model_cache.entries()
    held = _summary("files", [path for paths in found.values() for path in paths])
    yield f"models   {held}, of at most {model_cache.MOST_BYTES / 1e6:.0f} MB"
    for builder, paths in found.items():
        yield f"         {_summary(_WHAT.get(builder, builder), paths)}"


_WHAT = {
    "box_tree": "trees of axis-aligned boxes",
    "covers": "sphere models",
    "hull": "hulls",
    "obb_tree": "trees of oriented boxes",
}


def _summary(what: str, paths: list[Path]) -> str:
    size = 0
    for path in paths:
        try:
            size += path.stat().st_size
        except OSError:  # another process has removed it
            continue
    return f"{len(paths)} {what}, {size / 1e6:.1f} MB"
