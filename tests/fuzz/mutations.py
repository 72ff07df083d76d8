"""Random changes of files: of bytes, of words and numbers in texts, and of structures kept whole."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz import structures
from tests.fuzz.nasty import FLOATS, INTEGERS, NUMBERS, SNIPPETS, TEXTS

LARGEST = 100_000  # bytes of a changed file: readers are tested with many small files; large ones are bombs
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")

Change = Callable[[bytes, Random, Sequence[bytes]], bytes]


def mutated(data: bytes, random: Random, others: Sequence[bytes], forms: Sequence[str]) -> bytes:
    """Return a file with one to five changes; `others` are files to take parts of."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        if forms and random.random() < 0.5:
            data = structures.changed(random.choice(forms), data, random, others)
        else:
            data = random.choice(_CHANGES)(data, random, others)
        data = data[:LARGEST]
    return data


def _flip(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    out = bytearray(data)
    for _k in range(random.choice((1, 1, 2, 4, 8))):
        if out:
            out[random.randrange(len(out))] ^= 1 << random.randrange(8)
    return bytes(out)


def _set_byte(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return (
        data[:at]
        + bytes([random.choice((0, 1, 9, 10, 13, 32, 127, 128, 255, random.randrange(256)))])
        + data[at + 1 :]
    )


def _truncate(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[at:] if random.random() < 0.1 else data[:at]


def _span(data: bytes, random: Random) -> tuple[int, int]:
    """Return where a piece of the file begins and ends; short pieces are likelier."""
    begin = random.randrange(len(data) + 1)
    return begin, min(len(data), begin + int(2.0 ** random.uniform(0.0, 10.0)))


def _delete(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    begin, end = _span(data, random)
    return data[:begin] + data[end:]


def _repeat(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    begin, end = _span(data, random)
    times = random.choice((1, 1, 2, 8, 100)) if end - begin < 200 else 1
    return data[:end] + data[begin:end] * times + data[end:]


def _move(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    begin, end = _span(data, random)
    rest, at = data[:begin] + data[end:], random.randrange(len(data) - (end - begin) + 1)
    return rest[:at] + data[begin:end] + rest[at:]


def _insert(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(SNIPPETS) + data[at:]


def _splice(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    begin, end = _span(other, random)
    if random.random() < 0.3:
        return data[: random.randrange(len(data) + 1)] + other[begin:]
    at, until = _span(data, random)
    return data[:at] + other[begin:end] + data[until:]


def _binary_number(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    order, kind = random.choice("<>"), random.choice("BHIQfd")
    value = (
        random.choice(FLOATS)
        if kind in "fd"
        else random.choice(INTEGERS) % 256 ** struct.calcsize(f"<{kind}")
    )
    if kind == "f" and abs(value) not in (float("inf"),) and abs(value) > 3.4e38:
        value = float("inf")
    packed = struct.pack(order + kind, value)
    at = random.randrange(max(1, len(data) - len(packed) + 1))
    return data[:at] + packed + data[at + len(packed) :]


def _found(pattern: re.Pattern[bytes], data: bytes, random: Random) -> re.Match[bytes] | None:
    """Return an occurrence of a pattern, the first one from somewhere on."""
    return pattern.search(data, random.randrange(len(data) + 1)) or pattern.search(data)


def _number(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    match = _found(_NUMBER, data, random)
    if match is None:
        return _insert(data, random, ())
    text = random.choice(NUMBERS) if random.random() < 0.8 else repr(random.uniform(-2.0, 2.0))
    return data[: match.start()] + text.encode() + data[match.end() :]


def _word(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    match, other = _found(_WORD, data, random), random.choice(others)
    source = _found(_WORD, other if random.random() < 0.5 else data, random)
    if match is None or source is None:
        return _insert(data, random, ())
    text = source.group() if random.random() < 0.8 else random.choice(TEXTS).encode("utf-8", "surrogatepass")
    return data[: match.start()] + text + data[match.end() :]


def _line(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return random.choice(others)
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[i]
        case 1:
            lines[i], lines[j] = lines[j], lines[i]
        case 2:
            lines.insert(i, lines[j])
        case _:
            lines[i] = random.choice(random.choice(others).splitlines(keepends=True) or [b""])
    return b"".join(lines)


_CHANGES: tuple[Change, ...] = (
    _flip, _set_byte, _truncate, _delete, _repeat, _move, _insert, _splice, _binary_number,
    _number, _number, _number, _word, _word, _line, _line,
)  # fmt: skip
