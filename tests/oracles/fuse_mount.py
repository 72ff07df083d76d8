"""An empty FUSE file system of any subtype, mounted for a test: it looks like sshfs and others to Linux."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

INIT, GETATTR, OPENDIR, RELEASEDIR, FORGET, INTERRUPT, BATCH_FORGET, DESTROY = 26, 3, 27, 29, 2, 36, 42, 38
ROOT = 1
MNT_DETACH = 2


@contextlib.contextmanager
def mounted(point: Path, subtype: str) -> Iterator[None]:
    """Mount an empty folder of this user at a point.

    Raises:
        OSError: This process may not mount.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id={os.geteuid()},group_id={os.getegid()}"
    kind = f"fuse.{subtype}" if subtype else "fuse"
    if libc.mount(b"server:/export", os.fsencode(point), kind.encode(), 0, options.encode()) != 0:
        code = ctypes.get_errno()
        os.close(device)
        raise OSError(code, os.strerror(code))
    thread = threading.Thread(target=_serve, args=(device,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        libc.umount2(os.fsencode(point), MNT_DETACH)
        thread.join(10.0)
        os.close(device)


def _serve(device: int) -> None:
    """Answer requests until the file system is gone: there is a root folder, and nothing in it."""
    while True:
        try:
            request = os.read(device, 1 << 17)
        except OSError as error:
            if error.errno in (errno.EINTR, errno.EAGAIN, errno.ENOENT):
                continue
            return  # it is not mounted any more
        _, operation, unique, node = struct.unpack_from("=IIQQ", request)
        if operation in (FORGET, BATCH_FORGET, INTERRUPT):
            continue
        answer = _answer(operation, node)
        code = answer if isinstance(answer, int) else 0
        content = b"" if isinstance(answer, int) else answer
        with contextlib.suppress(OSError):
            os.write(device, struct.pack("=IiQ", 16 + len(content), -code, unique) + content)


def _answer(operation: int, node: int) -> bytes | int:
    """Return the content of an answer, or the number of an error."""
    if operation == INIT:
        return struct.pack("=IIIIHHIIHHI", 7, 31, 0, 0, 0, 0, 1 << 16, 1, 0, 0, 0) + bytes(28)
    if operation == GETATTR and node == ROOT:
        now = int(time.time())
        attributes = struct.pack(
            "=6Q10I", ROOT, 0, 0, now, now, now, 0, 0, 0, 0o40700, 2, os.geteuid(), os.getegid(), 0, 4096, 0
        )
        return struct.pack("=QII", 1, 0, 0) + attributes
    if operation == OPENDIR:
        return struct.pack("=QII", 1, 0, 0)
    if operation in (RELEASEDIR, DESTROY):
        return b""
    return errno.ENOENT if operation == 1 else errno.ENOSYS
