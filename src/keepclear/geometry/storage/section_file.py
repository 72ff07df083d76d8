"""Files of named arrays: an NPZ archive, with an array of bytes beside them that holds plain values as JSON.

There is nothing in such a file but numbers: no code and no pickled objects. The checksums of the archive detect damage.
They do not prove content, which may be forged: `sections.py` says how each structure is checked or built again.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.files.access import FileDamage as FileDamage
from keepclear.files.access import parse_json
from keepclear.files.archives import ArchiveDamage, npz_arrays

Array = npt.NDArray[Any]

FORMAT = 2
"""Version of this layout; a file with a larger one was written by a newer version of keepclear."""
FORMAT_1 = b"keepclear model\n"
"""The first bytes of files before format 2."""
ABOUT = "about"
"""The name of the array with the values."""
_TYPES = ("<f8", "<f4", "<i8", "<i4", "|u1")


class Content(NamedTuple):
    """The values of a file (plain JSON values), and its arrays by name."""

    about: dict[str, Any]
    sections: dict[str, Array]


def encode(about: Mapping[str, Any], sections: Mapping[str, Array]) -> bytes:
    """Return the content of a file."""
    values = {"format": FORMAT, **about, "arrays": list(sections)}
    text = json.dumps(values, separators=(",", ":")).encode()
    arrays = {ABOUT: np.frombuffer(text, np.uint8)}
    for name, array in sections.items():
        arrays[name] = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    return content.getvalue()


def decode(data: bytes) -> Content:
    """Return the content of the bytes of a file; arrays are C-contiguous and writable.

    Raises:
        FileDamage: It is not such a file, has another format, is truncated or damaged.
    """
    if data.startswith(FORMAT_1):
        raise FileDamage(f"has format 1, and format {FORMAT} is read here; prepare it again")
    try:
        arrays = npz_arrays(data)
    except ArchiveDamage as cause:
        raise FileDamage(f"is not a prepared model, or is damaged: it {cause}") from cause
    text = arrays.pop(ABOUT, None)
    if text is None:
        raise FileDamage("is not a prepared model; kc.write_prepared and `keepclear prepare` write them")
    try:
        about = parse_json(text.tobytes())
    except ValueError as cause:
        raise FileDamage(f"has values that are not JSON ({str(cause)[:60]}); prepare it again") from cause
    version = about.pop("format", None) if isinstance(about, dict) else None
    if version != FORMAT:
        newer = "; a newer version of keepclear wrote it" if type(version) is int and version > FORMAT else ""
        raise FileDamage(
            f"has format {str(version)[:20]}, and format {FORMAT} is read here{newer}; prepare it again"
        )
    if about.pop("arrays", None) != list(arrays):
        raise FileDamage("has other arrays than it lists; it is damaged, prepare it again")
    for name, array in arrays.items():
        if array.dtype.newbyteorder("<").str not in _TYPES or not 1 <= array.ndim <= 3:
            raise FileDamage(f"has an array {name[:40]!r} of the type {array.dtype}; it is damaged")
    return Content(about, arrays)


def check_arrays(what: str, arrays: Mapping[str, Array], forms: Mapping[str, tuple[type, int]]) -> None:
    """Raise `FileDamage` unless there are exactly the arrays with these names, types and numbers of dimensions."""
    if {name: (array.dtype.type, array.ndim) for name, array in arrays.items()} != dict(forms):
        raise FileDamage(f"has {what} with other arrays than {', '.join(forms)}")
