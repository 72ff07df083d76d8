"""`keepclear cache`: shows where compiled kernels are kept, or removes them."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--clear", is_flag=True, help="Remove every compiled kernel from the cache.")
def cache(clear: bool) -> None:
    """Show where compiled kernels are kept, or remove them.

    Removing them costs the time to compile them again, and nothing else.
    """
    from keepclear.kernels import _cache_folders, _code_files

    if clear:
        count, size = _cache_folders.clear()
        click.echo(f"removed {count} kernels, {size / 1e6:.1f} MB")
        return
    folder = _cache_folders.cache_folder()
    click.echo(f"folder   {folder or 'none can be used; kernels compile in each process'}")
    click.echo(f"cached   {_summary(_cache_folders.cached_files())}")
    click.echo(f"shipped  {_summary(list(_code_files.SHIPPED_FOLDER.glob(f'*{_code_files.SUFFIX}')))}")
    if reason := _code_files.why_none_are_shipped():
        click.echo(f"         {reason}")


def _summary(paths: list[Path]) -> str:
    return f"{len(paths)} kernels, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB"
