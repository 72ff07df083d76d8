"""Archives that would take more memory than they should are refused before the memory is taken."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from keepclear.files import archives
from keepclear.files.archives import ArchiveDamage, npz_arrays, read_npz, unpacked_members


def npz(**arrays: object) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


def npy(header: str, values: bytes = b"") -> bytes:
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + values


def refusal(data: bytes) -> str:
    """Return the text of the refusal, during which no more than a few megabytes are taken."""
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveDamage) as caught:
            npz_arrays(data)
        assert tracemalloc.get_traced_memory()[1] < 16e6
    finally:
        tracemalloc.stop()
    return str(caught.value)


def test_arrays_come_back_as_they_were_written(tmp_path: Path) -> None:
    given = {
        "q": np.arange(6.0).reshape(2, 3),
        "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "foreign": np.array([1.5, -2.0], dtype=">f8"),
        "names": np.array(["shoulder", "elbow"]),
        "empty": np.zeros((0, 7)),
        "one": np.array(3),
    }
    (tmp_path / "a.npz").write_bytes(npz(**given))
    found = read_npz(tmp_path / "a.npz")
    assert list(found) == list(given)
    for name, array in given.items():
        assert np.array_equal(found[name], array)
        assert found[name].shape == array.shape
        assert found[name].flags.c_contiguous
        assert found[name].dtype.isnative
        assert name == "empty" or found[name].flags.writeable


def test_a_header_that_declares_too_much_is_refused() -> None:
    for shape in ("(1000000000000,)", "(100000, 10000000)", "(1, -1)"):
        data = zipped(
            ("q.npy", npy(f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}", bytes(8)))
        )
        assert "'q.npy'" in refusal(data)
    empty = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 0)}")
    assert "empty array 'q.npy'" in refusal(zipped(("q.npy", empty)))
    nothing = npy("{'descr': '|V0', 'fortran_order': False, 'shape': (1000000000000,)}")
    assert "'q.npy'" in refusal(zipped(("q.npy", nothing)))


@pytest.mark.parametrize(
    "header", ["", "(" * 5000, "{'descr': '<f8'}", "9" * 5000, "{'descr': '|O', 'shape': ()}"]
)
def test_damaged_headers_are_refused(header: str) -> None:
    assert "damaged header" in refusal(zipped(("q.npy", npy(header))))


def test_objects_are_refused() -> None:
    assert "objects in array 'q.npy'" in refusal(npz(q=np.array([{}], dtype=object)))


def test_an_archive_that_unpacks_a_thousandfold_is_refused_before_it_does() -> None:
    data = zipped(("q.npy", bytes(2 * archives.ALWAYS_UNPACKED)))
    assert len(data) < 200_000
    assert refusal(data) == (
        f"would unpack from {len(data)} to {2 * archives.ALWAYS_UNPACKED} bytes, "
        f"and at most {archives.ALWAYS_UNPACKED} are taken"
    )


def test_members_count_together() -> None:
    part = bytes(archives.ALWAYS_UNPACKED // 4)
    assert "would unpack" in refusal(zipped(*((f"{i}.npy", part) for i in range(5))))


def test_a_declared_size_that_is_a_lie_is_refused() -> None:
    content = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000,)}", bytes(8000))
    data = zipped(("q.npy", content))
    for size in (100, len(content) - 8, len(content) + 8, 2**31):
        assert refusal(data.replace(len(content).to_bytes(4, "little"), size.to_bytes(4, "little")))


def test_values_at_rest_may_pack_a_thousandfold() -> None:
    assert npz_arrays(npz(q=np.zeros((1_000_000, 7))))["q"].shape == (1_000_000, 7)


def test_other_archives_are_refused() -> None:
    assert "unknown method" in refusal(zipped(("q.npy", bytes(100)), method=zipfile.ZIP_BZIP2))
    assert "unknown method" in refusal(zipped(("q.npy", bytes(100)), method=zipfile.ZIP_LZMA))
    assert "which is not an array" in refusal(zipped(("q.txt", b"1 2 3")))
    many = zipped(*((f"{i}", b"") for i in range(archives.MAX_MEMBERS + 1)))
    assert f"at most {archives.MAX_MEMBERS} are read" in refusal(many)
    encrypted = bytearray(zipped(("q.npy", bytes(100))))
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    assert "without a password" in refusal(bytes(encrypted))
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = zipped(("q.npy", b"1"), ("q.npy", b"2"))
    assert "twice" in refusal(twice)


def test_every_cut_and_every_changed_byte_is_refused_or_read() -> None:
    data = npz(q=np.arange(4.0))
    for n in range(len(data)):
        assert refusal(data[:n])
    for n in range(len(data)):
        changed = bytearray(data)
        changed[n] ^= 0xFF
        try:
            npz_arrays(bytes(changed))
        except ArchiveDamage:
            continue


def test_members_of_any_archive_are_given_in_order() -> None:
    data = zipped(("a/b.model", b"one"), ("c", b""))
    assert list(unpacked_members(data)) == [("a/b.model", b"one"), ("c", b"")]
