"""Stores of other users, in folders of other users, behind links, and on network file systems."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.oracles.fleet_runs import Findings
from tests.oracles.fuse_mount import mounted
from tests.unit.jobs.store.writer import row

from keepclear.errors import KeepclearError, StoreError
from keepclear.jobs.store import location
from keepclear.jobs.store.database import ResultStore

STRANGER = 54321


def campaign(findings: Findings, folder: Path) -> None:
    """Check that each place is refused for the right reason, and that the file stays as it is."""
    mine = _store(folder / "mine.db")
    reasons: dict[str, tuple[Path, str]] = {}
    for mode in (0o620, 0o602, 0o666):
        reasons[f"a store with the mode {mode:o}"] = (
            _store(folder / f"{mode:o}.db", mode=mode),
            "can be written by",
        )
    reasons["a store in a folder that the group can write to"] = (
        _store(_folder(folder / "group", 0o770) / "s.db"), "can be written by",
    )  # fmt: skip
    reasons["a store in a sticky folder that all can write to"] = (
        _store(_folder(folder / "sticky", 0o1777) / "s.db"), "can be written by",
    )  # fmt: skip
    inside = folder / "open" / "own"
    inside.mkdir(parents=True, mode=0o700)
    store = _store(inside / "s.db")
    (folder / "open").chmod(0o777)
    reasons["a store below a folder that all can write to"] = store, "can be written by"
    link = folder / "link.db"
    link.symlink_to(mine)
    reasons["a symbolic link to a store of this user"] = link, "is not a plain file"
    for label, (path, why) in reasons.items():
        _refused(findings, label, path, why)
    if os.geteuid() == 0:
        _strangers(findings, folder)
    else:
        findings.say("not run: stores of other users need root, who can make them")
    twice = _store(folder / "twice.db")
    (folder / "second.db").hardlink_to(twice)
    _refused(findings, "a store with two names", folder / "second.db", "hard links")
    _networks(findings, folder)
    with ResultStore(mine) as store_of_mine:
        findings.check(len(store_of_mine.find(1, [row(0)[0]])) == 1, "a store of this user alone is accepted")


def _strangers(findings: Findings, folder: Path) -> None:
    theirs = _store(folder / "theirs.db", owner=STRANGER)
    _refused(findings, "a store of another user", theirs, f"belongs to user {STRANGER}")
    link = folder / "link_to_theirs.db"
    link.symlink_to(theirs)
    _refused(findings, "a symbolic link to a store of another user", link, "is not a plain file")
    hard = folder / "hard.db"
    hard.hardlink_to(theirs)
    _refused(findings, "a hard link to a store of another user", hard, f"belongs to user {STRANGER}")
    beside = _folder(folder / "their_folder", 0o700)
    store = _store(beside / "s.db")
    os.chown(beside, STRANGER, -1)
    _refused(findings, "a store in a folder of another user", store, f"belongs to user {STRANGER}")
    for end in ("-wal", "-shm", "-journal"):
        log = _store(folder / f"log{end}.db")
        other = log.with_name(log.name + end)
        other.touch(0o600)
        os.chown(other, STRANGER, -1)
        _refused(findings, f"a store with a {end} file of another user", log, f"belongs to user {STRANGER}")
    folder.chmod(0o711)
    closed = _store(_folder(folder / "of_root", 0o755) / "s.db")
    readable = _store(folder / "of_root" / "readable.db", mode=0o644)
    for path in (closed, readable):
        error = _as_stranger(lambda path=path: ResultStore(path).close())
        findings.check(
            error.startswith("StoreError"),
            f"another user opens a store of root to write, mode {path.stat().st_mode & 0o777:o}: {error[:90]}",
        )
    folder.chmod(0o700)


def _as_stranger(run: Callable[[], object]) -> str:
    """Run something as another user in a process, and return its error."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        text = "nothing was raised"
        try:
            os.setgid(STRANGER)
            os.setuid(STRANGER)
            run()
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    return text


def _networks(findings: Findings, folder: Path) -> None:
    """Network file systems: really mounted by FUSE where that is allowed, else only by a table of mounts."""
    for kind in ("sshfs", ""):
        point = _folder(folder / f"mount_{kind or 'plain'} ä", 0o700)
        try:
            with mounted(point, kind):
                found = location.file_system_of(point / "s.db")
                label = f"a store on a mounted file system of the kind {found}"
                _refused(findings, label, point / "s.db", "is on a network file system")
        except OSError as error:
            findings.say(f"not run: FUSE cannot be mounted here ({error})")
    missed, kinds, mounts, real = [], sorted(location.NETWORK), folder / "mounts", location.file_system_of
    point = str(folder).replace(" ", "\\040")
    for kind in kinds:
        mounts.write_text(
            f"1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:9 / {point} rw - {kind} server:/export rw\n"
        )
        location.file_system_of = partial(real, mounts=mounts)
        try:
            ResultStore(folder / "network.db").close()
            missed.append(kind)
        except StoreError as error:
            missed += [] if f"is on a network file system ({kind})" in str(error) else [f"{kind}: {error}"]
        finally:
            location.file_system_of = real
    findings.check(
        not missed and not (folder / "network.db").exists(),
        f"simulated by a table of mounts only: {len(kinds)} kinds of network file systems, {len(missed)} not refused",
    )


def _refused(findings: Findings, label: str, path: Path, why: str) -> None:
    """Check that a store is refused for a reason, by readers and writers, and stays as it is."""
    before = path.read_bytes() if path.exists() else None
    text = ""
    for write in (True, False):
        try:
            ResultStore(path, write=write).close()
            text = "accepted"
        except StoreError as error:
            text = text or str(error)
        except (KeepclearError, OSError) as error:
            text = f"{type(error).__name__}: {error}"
    after = path.read_bytes() if path.exists() else None
    is_right = why in text and before == after and len(text.splitlines()) == 1
    findings.check(is_right, f"{label} is refused: {text.replace(str(path.parent), '')[:110]}")


def _folder(path: Path, mode: int) -> Path:
    path.mkdir()
    path.chmod(mode)
    return path


def _store(path: Path, *, mode: int = 0o600, owner: int | None = None) -> Path:
    """Make a store, then give it its mode and owner; its folder is opened up by the caller, or made for it."""
    was = path.parent.stat().st_mode & 0o7777
    path.parent.chmod(0o700)
    with ResultStore(path) as store:
        store.keep_all([(1, dict([row(0)]))])
    path.chmod(mode)
    path.parent.chmod(was)
    if owner is not None:
        os.chown(path, owner, -1)
    return path
