"""`keepclear cache`: shows where compiled kernels and hulls of meshes are kept, or removes them."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--clear", is_flag=True, help="Remove every compiled kernel and every hull from the cache.")
def cache(clear: bool) -> None:
    """Show where compiled kernels and hulls of meshes are kept, or remove them.

    Removing them costs the time to compile kernels and to find hulls again, and nothing else.
    """
    from keepclear.kernels import _cache_folders, _code_files
    from keepclear.preprocess import hull_files

    if clear:
        for what, (count, size) in (("kernels", _cache_folders.clear()), ("hulls", hull_files.clear())):
            click.echo(f"removed {count} {what}, {size / 1e6:.1f} MB")
        return
    folder = _cache_folders.cache_folder()
    click.echo(f"folder   {folder or 'none can be used; kernels compile in each process'}")
    click.echo(f"cached   {_summary('kernels', _cache_folders.cached_files())}")
    shipped = list(_code_files.SHIPPED_FOLDER.glob(f"*{_code_files.SUFFIX}"))
    click.echo(f"shipped  {_summary('kernels', shipped)}")
    if reason := _code_files.why_none_are_shipped():
        click.echo(f"         {reason}")
    click.echo(f"hulls    {_summary('hulls', hull_files.stored_files())}")


def _summary(what: str, paths: list[Path]) -> str:
    return f"{len(paths)} {what}, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB"
