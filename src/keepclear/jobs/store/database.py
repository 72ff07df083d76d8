"""The SQLite file of results, keyed by digests of their content; each row has its own checksum.

The file has a write-ahead log: readers never wait, writers take turns, and a process that dies loses only uncommitted
rows. A file that is damaged or not a store is never written to.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, NoReturn, Self

from keepclear.errors import CopyError, StoreError
from keepclear.jobs.store.location import check_place
from keepclear.jobs.store.version import method_digest

__all__ = ["KINDS", "PROGRAM", "ProgramRow", "ResultStore"]

APPLICATION, FORMAT = 0x4B434C52, 2  # "KCLR" in the header of the file
HEADER = b"SQLite format 3\0"
JOURNAL = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"  # the first bytes of SQLite's rollback journal
APPLICATION_AT, HEADER_SIZE = 68, 100
PAUSE = 0.01  # seconds before something that was locked is tried again
BUSY = 60.0  # seconds that a writer waits for another one
AT_ONCE = 500  # keys of one query
TOGETHER = 512  # rows that are written at once by `keep`
KEY_SIZE, CHECKSUM_SIZE = 32, 16
PROGRAM = 5
KINDS = {
    1: "verdicts",
    2: "distances by hulls",
    3: "distances by exact shapes",
    4: "contacts",
    PROGRAM: "reports",
}
"""The content of rows, by their kind."""
LARGEST = 1 << 28  # greatest size of a row in bytes
LONGEST = 200  # greatest length of SQLite's message about damage

_SCHEMA = """
CREATE TABLE results (
    key BLOB NOT NULL PRIMARY KEY, kind INTEGER NOT NULL, content BLOB NOT NULL, checksum BLOB NOT NULL,
    method BLOB NOT NULL, day INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE programs (
    cell TEXT NOT NULL, program TEXT NOT NULL, variant TEXT NOT NULL, key BLOB NOT NULL, verdict TEXT NOT NULL,
    finished REAL NOT NULL, checksum BLOB NOT NULL, PRIMARY KEY (cell, program, variant)
) WITHOUT ROWID;
"""
_TABLES = [statement.strip() for statement in _SCHEMA.split(";") if statement.strip()]


class ProgramRow(NamedTuple):
    """The last result of a program, by name.

    Attributes:
        cell: The path of the cell file as given by the user.
        program: The program.
        variant: The variant.
        key: The key of its report.
        verdict: Its verdict.
        finished: The time of the result, as given by `time.time` [s].
    """

    cell: str
    program: str
    variant: str
    key: bytes
    verdict: str
    finished: float


class ResultStore:
    """A file with the results of earlier runs; unchanged results are read from it.

    Args:
        path: The file; it is created if it does not exist.
        write: False opens an existing file for reading only.

    Raises:
        StoreError: The file is damaged or not a store, other users can write to it, or it is on a network file system.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder, ResultStore(Path(folder) / "results.db") as store:
        ...     store.keep(1, {b"k" * 32: b"content"})
        ...     store.find(1, [b"k" * 32, b"x" * 32]) == {b"k" * 32: b"content"}
        True
    """

    def __init__(self, path: str | os.PathLike[str], *, write: bool = True) -> None:
        if not os.fspath(path) or "\0" in os.fspath(path):
            raise StoreError(f"{os.fspath(path)!r} is not the path of a store; name a file.")
        self.path, self._write, self._is_closed = Path(path), write, False
        self.computed, self.stored, self.part, self.keeps = 0, 0, (0, 1), True
        self._pending: dict[int, dict[bytes, bytes]] = {}
        check_place(self.path)
        is_new = _check_header(self.path, write=write)
        self._lock = threading.RLock()
        self._pid = os.getpid()
        if not is_new:  # a damaged file is not opened to be written
            with contextlib.closing(self._connect("ro")) as reader, self._explained():
                self._check_content(reader)
        if is_new:
            try:
                os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
            except OSError as error:
                raise StoreError(f"store {str(path)!r} cannot be made: {error.strerror or error}.") from error
        self._connection = self._connect("rw" if write else "ro")
        with self._explained():
            if write:
                self._prepare()
            self._check_content(self._connection, whole=False)

    def __reduce__(self) -> NoReturn:
        raise CopyError(
            "a ResultStore cannot be copied or pickled: it is an open file; open it again, kc.ResultStore(store.path)."
        )

    def _connect(self, mode: str) -> sqlite3.Connection:
        with self._explained():
            place = f"file:{_quoted(self.path.absolute())}?mode={mode}"
            connection = sqlite3.connect(
                place, uri=True, timeout=BUSY, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            return connection

    def _prepare(self) -> None:
        """Create the tables of a new file, and turn on the write-ahead log."""
        run = self._connection.execute
        if self._turn_on_log() != "wal":
            raise StoreError(
                f"store {str(self.path)!r}: its file system has no write-ahead log; keep it on a local disk."
            )
        run("PRAGMA synchronous = NORMAL")
        with self._writing():
            if run("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                for statement in _TABLES:
                    run(statement)
                run(f"PRAGMA application_id = {APPLICATION}")
                run(f"PRAGMA user_version = {FORMAT}")

    def _turn_on_log(self) -> str:
        """Turn on the write-ahead log and return the mode of the journal.

        SQLite does not wait for another process that is doing the same: it raises at once.
        """
        until = time.monotonic() + BUSY
        while True:
            try:
                return str(self._connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
            time.sleep(PAUSE)

    def _check_content(self, connection: sqlite3.Connection, *, whole: bool = True) -> None:
        """Raise if a file is damaged, or not a store of this version."""
        run = connection.execute
        run("BEGIN")  # one state of the file, which another process may be filling
        try:
            application, version = (
                run(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
            )
            query = "SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            tables = [sql for (sql,) in run(query)]
        finally:
            if connection.in_transaction:  # an error may have ended it
                run("ROLLBACK")
        if application == 0 and not tables:
            return  # another process has created the file and not yet filled it
        if application != APPLICATION or (version == FORMAT and sorted(map(str, tables)) != sorted(_TABLES)):
            raise StoreError(
                f"{str(self.path)!r} is not a store of keepclear; give the path of a store, or of a new file."
            )
        if version != FORMAT:
            raise StoreError(
                f"store {str(self.path)!r} has the format {version}, and this version reads {FORMAT}; use a new file."
            )
        if whole and (found := run("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise self._damaged(found)

    def find(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the known contents, by key; a row with a wrong checksum raises.

        Raises:
            StoreError: The file is damaged.
        """
        found: dict[bytes, bytes] = {}
        with self._lock, self._explained():
            self._check_process()
            mixed = {self._mixed(key): key for key in keys}
            names = list(mixed)
            for begin in range(0, len(names), AT_ONCE):
                for key, content in self._rows(set(names[begin : begin + AT_ONCE]), kind):
                    found[mixed[key]] = content
            pending = self._pending.get(kind, {})
            return found | {key: pending[key] for key in keys if key in pending} if pending else found

    def keep(self, kind: int, found: Mapping[bytes, bytes]) -> None:
        """Keep contents by key; they are written in batches, at the latest by `flush` or `close`."""
        with self._lock:
            self._refuse_closed()
            self._pending.setdefault(kind, {}).update(found)
            if sum(map(len, self._pending.values())) >= TOGETHER:
                self.flush()

    def flush(self) -> None:
        """Write the pending contents of `keep` in one transaction."""
        with self._lock:
            pending, self._pending = self._pending, {}
            self.keep_all(pending.items())

    def keep_all(
        self, found: Iterable[tuple[int, Mapping[bytes, bytes]]], programs: Iterable[ProgramRow] = ()
    ) -> None:
        """Write contents by kind and key, and the last results of programs, in one transaction."""
        today, method = int(time.time() // 86400), method_digest()
        rows = []
        for kind, contents in found:
            for plain, content in contents.items():
                key = self._mixed(plain)
                rows.append((key, kind, content, _checksum(key, kind, content), method, today))
        named = [_storable(one)._replace(key=self._mixed(one.key)) for one in programs]
        last = [(*one, _program_checksum(one)) for one in named]
        if not rows and not last:
            return
        with self._lock, self._explained(), self._writing():
            run = self._connection.executemany
            run("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)", rows)
            run("INSERT OR REPLACE INTO programs VALUES (?, ?, ?, ?, ?, ?, ?)", last)

    def count(self, computed: int, stored: int) -> None:
        """Add to the counts of pair tasks: those computed, and those found in the store."""
        with self._lock:
            self.computed, self.stored = self.computed + computed, self.stored + stored

    def note_pairs(self, found: Sequence[tuple[bytes, ...]]) -> None:
        """Do nothing: the store counts pair tasks."""

    def programs(self) -> list[ProgramRow]:
        """Return the last results of all programs, by name; their keys are those of `report_content`."""
        with self._lock, self._explained():
            rows = self._connection.execute(
                "SELECT * FROM programs ORDER BY cell, program, variant"
            ).fetchall()
        kinds = (str, str, str, bytes, str, float)
        if any(list(map(type, row[:-1])) != list(kinds) for row in rows):
            raise self._damaged("a program row has an unexpected form")
        found = [ProgramRow(*row[:-1]) for row in rows]
        if any(row[-1] != _program_checksum(one) for row, one in zip(rows, found, strict=True)):
            raise self._damaged("a program row has a wrong checksum")
        return found

    def report_content(self, row: ProgramRow) -> bytes | None:
        """Return the stored report of a program; None if it was pruned."""
        with self._lock, self._explained():
            return dict(self._rows([row.key], PROGRAM)).get(row.key)

    def counts(self) -> dict[str, tuple[int, int]]:
        """Return how many rows there are of each kind, and how many bytes they hold."""
        with self._lock, self._explained():
            query = "SELECT kind, count(*), sum(length(content)) FROM results GROUP BY kind ORDER BY kind"
            return {
                KINDS.get(kind, str(kind)): (n, size) for kind, n, size in self._connection.execute(query)
            }

    def outdated(self) -> int:
        """Return how many rows were written by other versions, which this one does not read."""
        with self._lock, self._explained():
            query = "SELECT count(*) FROM results WHERE method != ?"
            return int(self._connection.execute(query, (method_digest(),)).fetchone()[0])

    def prune(self, *, days: int | None = None) -> int:
        """Remove rows of other versions, and rows older than `days` days; return the number of removed rows."""
        oldest = -1 if days is None else int(time.time() // 86400) - days
        with self._lock, self._explained():
            with self._writing():
                query = "DELETE FROM results WHERE method != ? OR day < ?"
                n = self._connection.execute(query, (method_digest(), oldest)).rowcount
                self._connection.execute("DELETE FROM programs WHERE key NOT IN (SELECT key FROM results)")
            self._connection.execute("VACUUM")
        return n

    def close(self) -> None:
        """Write the remaining results, and close the file; a second call does nothing.

        The log is written into the file even if other processes have it open, so that a copy of the file is complete.
        """
        with self._lock:
            if self._is_closed:
                return
            try:
                self.flush()
                if self._write:
                    with contextlib.suppress(sqlite3.Error):  # closed, or another process does it
                        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            finally:
                self._is_closed = True
                self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Write in one transaction; an error leaves the file unchanged."""
        self._check_process()
        if not self._write:
            raise StoreError(f"store {str(self.path)!r} was opened for reading only.")
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise SQLite's errors as `StoreError` with the path of the file."""
        self._refuse_closed()
        try:
            yield
        except sqlite3.OperationalError as error:
            if any(text in str(error) for text in ("malformed", "no such table", "not decode to UTF-8")):
                raise self._damaged(str(error)) from error
            raise StoreError(f"store {str(self.path)!r} cannot be used: {error}.") from error
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from error

    def _rows(self, keys: Collection[bytes], kind: int) -> Iterator[tuple[bytes, bytes]]:
        """Yield the keys and contents of rows; one whose form, checksum or key is wrong raises."""
        query = f"SELECT key, kind, content, checksum FROM results WHERE key IN ({','.join('?' * len(keys))})"
        for key, found, content, checksum in self._connection.execute(query, tuple(keys)):
            if not all(isinstance(one, bytes) for one in (key, content, checksum)) or len(content) > LARGEST:
                raise self._damaged("a row has an unexpected form")
            if found != kind or checksum != _checksum(key, kind, content):
                raise self._damaged("a row has a wrong checksum")
            if key not in keys:
                raise self._damaged("a row has a key that was not requested")
            yield key, content

    def _mixed(self, key: bytes) -> bytes:
        """Return the key of a row: a digest of the key of the content and the version of the method."""
        if len(key) != KEY_SIZE:
            raise ValueError(f"a key has {KEY_SIZE} bytes, not {len(key)}")
        return hashlib.sha256(method_digest() + key).digest()

    def _refuse_closed(self) -> None:
        if self._is_closed:
            raise StoreError(f"store {str(self.path)!r} is closed; open it again with kc.ResultStore(path).")

    def _check_process(self) -> None:
        if self._pid != os.getpid():
            raise StoreError("a store was opened before this process was forked; open it again here.")

    def _damaged(self, what: str) -> StoreError:
        text = "".join(c if c.isprintable() else " " for c in what)[
            :LONGEST
        ]  # SQLite quotes bytes and breaks lines
        return StoreError(
            f"store {str(self.path)!r} is damaged: {' '.join(text.split())}; remove it and run again."
        )


def _storable(row: ProgramRow) -> ProgramRow:
    """Return a row whose names are Unicode: bytes of a path that are not become escapes."""
    cell, program, variant = (text.encode("utf-8", "backslashreplace").decode() for text in row[:3])
    return row._replace(cell=cell, program=program, variant=variant)


def _program_checksum(row: ProgramRow) -> bytes:
    """Return the checksum of the last result of a program, including its name."""
    return hashlib.sha256(repr(tuple(row)).encode("utf-8", "surrogatepass")).digest()[:CHECKSUM_SIZE]


def _check_header(path: Path, *, write: bool) -> bool:
    """Return whether a file is new: missing, empty, or left by a process that was killed while creating it.

    Nothing is written.

    Raises:
        StoreError: The file is not a store.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEADER_SIZE)
    except FileNotFoundError:
        if not write:
            raise StoreError(f"there is no store at {str(path)!r}; check the path.") from None
        return True
    except OSError as error:
        raise StoreError(f"store {str(path)!r} cannot be read: {error.strerror or error}.") from error
    if not head:
        if not write:
            raise StoreError(f"{str(path)!r} is empty, so it is not a store.")
        return path.with_name(path.name + "-wal").stat().st_size == 0 if _has_log(path) else True
    application = int.from_bytes(head[APPLICATION_AT : APPLICATION_AT + 4], "big")
    if application == 0 and _was_empty(path):
        if not write:
            raise StoreError(f"{str(path)!r} is empty, so it is not a store.")
        return True
    if len(head) < HEADER_SIZE or not head.startswith(HEADER) or application not in (0, APPLICATION):
        raise StoreError(
            f"{str(path)!r} is not a store of keepclear; give the path of a store, or of a new file."
        )
    return False


def _was_empty(path: Path) -> bool:
    """Return whether a file has the rollback journal of its interrupted first transaction, which makes it empty again.

    The journal contains the earlier number of pages of the file. A read-only connection cannot roll back.
    """
    try:
        with path.with_name(path.name + "-journal").open("rb") as file:
            head = file.read(20)
    except OSError:
        return False
    return head.startswith(JOURNAL) and head[16:] == bytes(4)


def _has_log(path: Path) -> bool:
    return path.with_name(path.name + "-wal").exists()


def _checksum(key: bytes, kind: int, content: bytes) -> bytes:
    return hashlib.blake2b(key + bytes([kind]) + content, digest_size=CHECKSUM_SIZE).digest()


def _quoted(path: Path) -> str:
    """Return a path, escaped for a URI of SQLite."""
    text = str(path).replace("\\", "/")
    for character in "%?#":
        text = text.replace(character, f"%{ord(character):02x}")
    return text
