"""`keepclear cache`: shows where compiled kernels are kept, or removes them."""

from __future__ import annotations

import click


@click.command()
@click.option("--clear", is_flag=True, help="Remove every compiled kernel from the cache.")
def cache(clear: bool) -> None:
    """Show where compiled kernels are kept, or remove them.

    Removing them costs the time to compile them again, and nothing else.
    """
    from keepclear.kernels import _code_files

    if clear:
        count, size = _code_files.clear()
        click.echo(f"removed {count} kernels, {size / 1e6:.1f} MB")
        return
    shipped = list(_code_files.SHIPPED_FOLDER.glob(f"*{_code_files.SUFFIX}"))
    cached = _code_files.cached_files()
    click.echo(
        f"folder   {_code_files.cache_folder() or 'none can be written; kernels compile in each process'}"
    )
    click.echo(f"cached   {len(cached)} kernels, {sum(path.stat().st_size for path in cached) / 1e6:.1f} MB")
    click.echo(
        f"shipped  {len(shipped)} kernels, {sum(path.stat().st_size for path in shipped) / 1e6:.1f} MB"
    )
