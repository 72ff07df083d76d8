"""Ways to damage a store, and foreign files that look like one."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import zlib
from pathlib import Path

PAGE = 4096
HEADER = 100


def flips(path: Path, rng: random.Random) -> None:
    """Change bytes anywhere."""
    content = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 4, 64])):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path.write_bytes(content)


def header(path: Path, rng: random.Random) -> None:
    """Change a byte of SQLite's header."""
    content = bytearray(path.read_bytes())
    content[rng.randrange(HEADER)] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def cut(path: Path, rng: random.Random) -> None:
    """Cut the end off, at a page or anywhere."""
    content = path.read_bytes()
    size = rng.randrange(len(content))
    path.write_bytes(content[: size // PAGE * PAGE if rng.random() < 0.5 else size])


def zeros(path: Path, rng: random.Random) -> None:
    """Make a page zero."""
    _page(path, rng, lambda _: bytes(PAGE))


def noise(path: Path, rng: random.Random) -> None:
    """Fill a page with random bytes."""
    _page(path, rng, lambda _: rng.randbytes(PAGE))


def moved(path: Path, rng: random.Random) -> None:
    """Write one page over another, as a disk does that writes to the wrong place."""
    _page(path, rng, lambda content: content[(k := rng.randrange(len(content) // PAGE) * PAGE) : k + PAGE])


def _page(path: Path, rng: random.Random, made) -> None:  # type: ignore[no-untyped-def]
    content = path.read_bytes()
    at = rng.randrange(len(content) // PAGE) * PAGE
    path.write_bytes(content[:at] + made(content) + content[at + PAGE :])


ROWS = (
    "UPDATE results SET content = zeroblob(length(content))",
    "UPDATE results SET checksum = zeroblob(16)",
    "UPDATE results SET checksum = NULL",
    "UPDATE results SET content = (SELECT content FROM results WHERE kind = 5 ORDER BY random() LIMIT 1) "
    "WHERE kind = 5",
    "UPDATE results SET content = o.content, checksum = o.checksum FROM "
    "(SELECT content, checksum FROM results WHERE kind = 5 ORDER BY random() LIMIT 1) AS o WHERE kind = 5",
    "UPDATE results SET kind = 1 + kind % 5",
    "UPDATE results SET kind = 'x'",
    "UPDATE results SET kind = 300",
    "UPDATE results SET content = CAST(content AS TEXT)",
    "UPDATE results SET content = 17",
    "UPDATE results SET content = substr(content, 2)",
    "UPDATE results SET content = content || x'00'",
    "UPDATE results SET key = randomblob(32)",
    "UPDATE programs SET verdict = CASE verdict WHEN 'CLEAR' THEN 'COLLIDING' ELSE 'CLEAR' END",
    "UPDATE programs SET key = (SELECT key FROM programs ORDER BY random() LIMIT 1)",
    "UPDATE programs SET program = program || 'x'",
    "UPDATE programs SET finished = 'yesterday'",
    "DELETE FROM results WHERE kind = 5",
    "DELETE FROM programs",
    "DROP TABLE programs",
    "ALTER TABLE results RENAME COLUMN checksum TO sum",
    "ALTER TABLE results DROP COLUMN day",
    "ALTER TABLE results ADD COLUMN more",
    "ALTER TABLE results RENAME TO kept; CREATE VIEW results AS SELECT * FROM kept",
)


def rows(path: Path, rng: random.Random) -> None:
    """Craft rows or tables by SQL, with checksums that are not theirs; constraints are switched off."""
    statement = rng.choice(ROWS)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if "NULL" in statement:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
            connection.execute("PRAGMA writable_schema = RESET")
        with contextlib.suppress(sqlite3.IntegrityError):
            connection.executescript(statement)


def identity(path: Path, rng: random.Random) -> None:
    """Change the application or the version of the format."""
    name = rng.choice(["application_id", "user_version"])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA {name} = {rng.choice([0, 1, 9, -1, rng.randrange(1 << 31)])}")


def foreign(path: Path, rng: random.Random) -> None:
    """Put another file there: a database of another program, or no database."""
    path.unlink()
    kind = rng.randrange(6)
    if kind < 4:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("PRAGMA journal_mode = " + rng.choice(["DELETE", "WAL"]))
            names = [("mine", "yours"), ("results", "programs")][kind % 2]
            for name in names:
                other.execute(f"CREATE TABLE {name} (key, content)")
                other.execute(f"INSERT INTO {name} VALUES (randomblob(32), 'CLEAR')")
            if kind >= 2:
                other.execute(f"PRAGMA application_id = {0x4B434C52}")
                other.execute("PRAGMA user_version = 2")
        return
    text = b"objects:\n  ball: {sphere: 0.1}\n" * 100
    path.write_bytes([text, zlib.compress(text)][kind % 2])


KINDS = (flips, header, cut, zeros, noise, moved, rows, identity, foreign)
