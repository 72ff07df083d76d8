"""The store: what is kept comes back, strangers' and damaged files are refused, a crash loses nothing committed."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.unit.jobs.store.writer import row

import keepclear as kc
from keepclear.jobs.store import location
from keepclear.jobs.store.database import ProgramRow, ResultStore

has_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system does not say who owns a file")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path / "results.db"


def filled(path: Path, n: int = 40) -> Path:
    with ResultStore(path) as store:
        store.keep(1, dict(row(k) for k in range(n)))
        store.keep_all([], [ProgramRow("cell.yaml", "pick", "", row(0)[0], "CLEAR", 1.0)])
    return path


def test_rows_come_back_by_kind_and_key(path: Path) -> None:
    filled(path)
    with ResultStore(path, write=False) as store:
        keys = [row(k)[0] for k in range(50)]
        assert store.find(1, keys) == dict(row(k) for k in range(40))
        assert store.counts()["verdicts"][0] == 40
        assert store.outdated() == 0
        assert [one.program for one in store.programs()] == ["pick"]
        with pytest.raises(kc.StoreError, match="opened for reading only"):
            store.keep_all([(1, dict([row(99)]))])
        with pytest.raises(kc.StoreError, match="damaged: a row has a wrong checksum"):
            store.find(2, keys)


def test_rows_of_another_version_are_not_found_and_pruned(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keepclear.jobs.store import database

    filled(path)
    monkeypatch.setattr(database, "method_digest", lambda: b"another" * 4)
    with ResultStore(path) as store:
        assert store.find(1, [row(0)[0]]) == {}
        assert store.outdated() == 40
        assert store.prune() == 40
        assert store.counts() == {}


@pytest.mark.parametrize("content", [b"objects:\n  a: {}\n", b"SQLite format 3\0" + bytes(200), b"x" * 5000])
def test_foreign_files_are_refused_and_stay_as_they_are(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(kc.StoreError, match=r"not a store of keepclear|damaged"):
        ResultStore(path)
    assert path.read_bytes() == content
    assert os.listdir(path.parent) == [path.name]  # noqa: PTH208


def test_other_databases_are_refused_and_stay_as_they_are(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    path.chmod(0o600)
    before = path.read_bytes()
    with pytest.raises(kc.StoreError, match="not a store of keepclear"):
        ResultStore(path)
    assert path.read_bytes() == before


def test_a_store_whose_maker_was_killed_is_made_again(path: Path) -> None:
    """A kill between the first page and the end of its journal left a file that no process could open."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as maker:
        maker.execute("PRAGMA cache_size = 1")
        maker.execute("BEGIN")
        maker.execute("CREATE TABLE t (x)")
        maker.execute("INSERT INTO t VALUES (zeroblob(100000))")  # beyond the cache
        left = [(file.name, file.read_bytes()) for file in path.parent.glob(path.name + "*")]
    assert sorted(name for name, _ in left) == ["results.db", "results.db-journal"]
    for name, content in left:
        path.with_name(name).touch(0o600)
        path.with_name(name).write_bytes(content)
    with pytest.raises(kc.StoreError, match="is empty, so it is not a store"):
        ResultStore(path, write=False)
    filled(path)
    with ResultStore(path, write=False) as store:
        assert store.counts()["verdicts"][0] == 40


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE results ADD COLUMN more",
        "ALTER TABLE results RENAME TO kept; CREATE VIEW results AS SELECT * FROM kept",
        "CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM programs; END",
        "DROP TABLE programs",
    ],
)
def test_stores_with_other_tables_are_refused_and_stay_as_they_are(path: Path, change: str) -> None:
    filled(path)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.executescript(f"{change}; PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    with pytest.raises(kc.StoreError, match="is not a store of keepclear"):
        ResultStore(path)
    assert path.read_bytes() == before


def test_a_newer_format_is_refused(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 9")
    other.close()
    with pytest.raises(kc.StoreError, match="has the format 9, and this version reads 2"):
        ResultStore(path)


def test_damaged_stores_are_refused_or_answer_rightly(path: Path) -> None:
    """Bytes changed at random; `python -m tests.oracles.store_campaign` does this a thousand times."""
    from tests.oracles.store_campaign import damaged_answers

    assert damaged_answers(filled(path, 200), range(60)) > 10


def test_damage_is_one_line(path: Path) -> None:
    """SQLite says what it finds in several lines, and quotes bytes."""
    content = bytearray(filled(path).read_bytes())
    content[4096:8192] = bytes(4096)
    path.write_bytes(content)
    with pytest.raises(kc.StoreError, match=r"is damaged: \*\*\* in database main \*\*\* Page 2: ") as found:
        ResultStore(path)
    assert len(str(found.value).splitlines()) == 1
    path.unlink()
    filled(path)
    with contextlib.closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE results SET content = CAST(x'0A80FF' AS TEXT)")
    with (
        ResultStore(path) as store,
        pytest.raises(kc.StoreError, match="is damaged: Could not decode") as found,
    ):
        store.find(1, [row(0)[0]])
    assert str(found.value).isprintable()


@has_owners
def test_stores_that_others_can_write_are_refused(path: Path) -> None:
    filled(path)
    path.chmod(0o666)
    with pytest.raises(
        kc.StoreError, match=r"can be written by other users \(mode 0666\).*run: chmod 600 \S*results.db;"
    ):
        ResultStore(path)
    path.chmod(0o600)
    path.parent.chmod(0o777)
    with pytest.raises(kc.StoreError, match=r"can be written by other users \(mode 0777\).*run: chmod go-w "):
        ResultStore(path)
    path.parent.chmod(0o700)
    log = path.with_name(path.name + "-wal")
    log.touch(0o600)
    log.chmod(0o622)
    with pytest.raises(kc.StoreError, match="-wal can be written by other users"):
        ResultStore(path)
    log.rename(path.with_name(path.name + "-journal"))
    with pytest.raises(kc.StoreError, match="-journal can be written by other users"):
        ResultStore(path)


@has_owners
def test_stores_of_other_users_and_links_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path)
    link = path.with_name("link.db")
    link.symlink_to(path)
    with pytest.raises(kc.StoreError, match="is not a plain file"):
        ResultStore(link)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    if os.stat(path).st_uid == 0:  # noqa: PTH116
        pytest.skip("files of root are trusted by every user")
    with pytest.raises(kc.StoreError, match="belongs to user"):
        ResultStore(path)


@has_owners
def test_stores_with_two_names_are_refused(path: Path) -> None:
    """Of 10 000 rows that two writers committed by two names of one file, 5000 were lost."""
    filled(path)
    other = path.with_name("other.db")
    other.hardlink_to(path)
    for name in (path, other):
        with pytest.raises(kc.StoreError, match=r"it has 2 names \(hard links\).*remove the other names"):
            ResultStore(name)
    other.unlink()
    ResultStore(path).close()


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", "fuse", "9p"])
def test_stores_on_network_file_systems_are_refused(
    path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = path.with_name("mounts")
    mounts.write_text(
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
        f"2 1 0:9 / {path.parent.resolve()} rw shared:1 - {kind} server:/export rw\n"
    )
    assert location.file_system_of(path, mounts) == kind
    assert location.file_system_of(Path("/"), mounts) == "ext4"
    monkeypatch.setattr(location, "file_system_of", lambda _: kind)
    with pytest.raises(kc.StoreError, match=rf"on a network file system \({kind}\)"):
        ResultStore(path)


@pytest.mark.parametrize("name", ["Müller", "with space", "日\u3000本", "tab\there", "back\\slash"])
def test_mounts_are_found_by_any_name(tmp_path: Path, name: str) -> None:
    """Linux writes blanks and backslashes by codes, and other characters as they are: "Müller" was not found."""
    folder = tmp_path / name
    folder.mkdir()
    point = str(folder.resolve())
    for character in "\\ \t\n":
        point = point.replace(character, f"\\{ord(character):03o}")
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:9 / {point} rw - nfs4 server:/export rw\n",
        encoding="utf-8",
    )
    assert location.file_system_of(folder / "results.db", mounts) == "nfs4"


def test_a_writer_that_is_killed_loses_only_what_it_had_not_committed(path: Path) -> None:
    """Ten times here; `python -m tests.oracles.store_campaign` a hundred times."""
    from tests.oracles.store_campaign import killed_writers

    killed_writers(path, 10)


def test_two_processes_write_at_once(path: Path) -> None:
    command = [sys.executable, "-m", "tests.unit.jobs.store.writer", str(path)]
    both = [
        subprocess.Popen([*command, *span], stdout=subprocess.DEVNULL)
        for span in (("0", "150"), ("150", "300"))
    ]
    assert [one.wait(120) for one in both] == [0, 0]
    with ResultStore(path, write=False) as store:
        assert store.find(1, [row(k)[0] for k in range(300)]) == dict(row(k) for k in range(300))


MAKER = """
import sys, time
from keepclear.jobs.store.database import ResultStore
folder, start, me = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
for k in range(60):
    begin = start + 0.03 * k + me * 0.004 * (37 * k % 11) / 11
    while time.time() < begin:
        pass
    with ResultStore(f"{folder}/{k}.db") as store:
        store.keep(1, {bytes([me]) * 32: b"content"})
"""


def test_two_processes_make_stores_at_once(path: Path) -> None:
    """One of them found the log locked, or saw the tables of the other and not yet its mark: no store of keepclear."""
    command, start = [sys.executable, "-c", MAKER, str(path.parent)], str(time.time() + 2.0)
    both = [subprocess.Popen([*command, start, me]) for me in "01"]
    assert [one.wait(120) for one in both] == [0, 0]
    for k in range(60):
        with ResultStore(path.parent / f"{k}.db", write=False) as store:
            assert len(store.find(1, [bytes([me]) * 32 for me in (0, 1)])) == 2


def test_a_copy_of_the_file_alone_is_whole_while_others_have_it_open(path: Path) -> None:
    """Workers keep a store open: all that a run had found was in the log, and a copy of the file was empty."""
    ResultStore(path).close()
    with ResultStore(path, write=False) as reader:
        reader.find(1, [row(0)[0]])
        filled(path)
        copy = path.with_name("copy.db")
        copy.touch(0o600)
        copy.write_bytes(path.read_bytes())
    with ResultStore(copy, write=False) as store:
        assert store.counts()["verdicts"][0] == 40
        assert [one.program for one in store.programs()] == ["pick"]


def test_threads_share_a_store(path: Path) -> None:
    with ResultStore(path) as store:
        threads = [
            threading.Thread(
                target=lambda k=k: store.keep(1, dict(row(n) for n in range(k * 100, k * 100 + 100)))
            )
            for k in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(store.find(1, [row(k)[0] for k in range(800)])) == 800


def test_a_store_does_not_survive_a_fork(path: Path) -> None:
    with ResultStore(path) as store:
        store._pid += 1
        with pytest.raises(kc.StoreError, match="before this process was forked"):
            store.find(1, [row(0)[0]])
        store._pid -= 1


def test_a_closed_store_says_so(path: Path) -> None:
    """SQLite's "Cannot operate on a closed database" was reported as damage, with the advice to remove the file."""
    one, two = b"1" * 32, b"2" * 32
    store = ResultStore(path)
    store.keep(1, {one: b"one"})
    store.close()
    store.close()
    for call in (
        lambda: store.find(1, [one]),
        lambda: store.keep(1, {two: b"two"}),
        lambda: store.keep_all([(1, {two: b"two"})]),
        store.programs,
        store.counts,
        store.outdated,
        store.prune,
    ):
        with pytest.raises(kc.StoreError, match=r"is closed; open it again with kc.ResultStore\(path\)"):
            call()
    with ResultStore(path) as again:
        assert again.find(1, [one, two]) == {one: b"one"}
