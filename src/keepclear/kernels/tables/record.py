"""Record types without gaps between fields."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.record]
"""Rows of a table of records, (n,)."""


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """Return a record type with fields (name, type) or (name, type, shape).

    They are ordered from wide to narrow, so that there are no gaps between them: rows are compared and stored as bytes.

    Raises:
        ValueError: There is a gap, or a name is one of numpy's own attributes, such as `size`: kernels as plain Python
            would read that.
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(f"records of numpy already have an attribute {name!r}; choose another name")
    if np.dtype(list(fields)).itemsize != np.dtype(list(fields), align=True).itemsize:
        raise ValueError(
            "the fields leave gaps; order them from wide to narrow, and fill the last eight bytes"
        )
    return np.dtype((np.record, list(fields)))
