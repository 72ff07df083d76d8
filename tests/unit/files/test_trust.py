"""Machine code is read from folders and files that nobody else can change, and from no others."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

import pytest

from keepclear.files import trust

needs_owners = pytest.mark.skipif(not trust.has_owners(), reason="this system has no owners and modes")
needs_root = pytest.mark.skipif(
    not trust.has_owners() or os.geteuid() != 0, reason="only root can give files to other users"
)
pytestmark = needs_owners
STRANGER = 65534


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cache folder as we make it, with one file."""
    path = tmp_path / "cache" / "kernels" / "generation"
    with trust.opened(path, own=3, make=True) as made:
        trust.write(made, "a.kcode", b"code")
    return path


def content(path: Path) -> bytes:
    with trust.opened(path, own=3) as folder:
        return trust.read(folder, "a.kcode")


def refused(path: Path, message: str) -> None:
    with pytest.raises(trust.UntrustedError, match=re.escape(message)):
        content(path)


def test_what_we_write_is_ours_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with trust.opened(tmp_path / "a" / "b", make=True) as folder:
            trust.write(folder, "c", b"first")
            trust.write(folder, "c", b"second")
            assert trust.names(folder) == ["c"]
            assert trust.read(folder, "c") == b"second"
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o7777 for name in ("a", "a/b", "a/b/c")]
    assert modes == [0o700, 0o700, 0o600]


def test_readable_by_others_is_safe(folder: Path) -> None:
    folder.chmod(0o755)
    (folder / "a.kcode").chmod(0o644)
    assert content(folder) == b"code"


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_refused(folder: Path, mode: int) -> None:
    path = folder / "a.kcode"
    path.chmod(mode)
    refused(
        folder,
        f"{path} can be written by other users (mode {mode:04o}); remove it, or run: chmod go-w {path}",
    )


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_cache_folder_that_others_can_write_is_refused(folder: Path, steps: int, mode: int) -> None:
    path = (folder, *folder.parents)[steps]
    path.chmod(mode)
    refused(folder, f"{path} can be written by other users (mode {mode:04o})")


def test_the_path_to_it_counts_unless_it_is_sticky(folder: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    refused(folder, f"{tmp_path} can be written by other users")
    tmp_path.chmod(0o1777)
    assert content(folder) == b"code"


def test_nothing_is_made_where_others_can_write(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with (
        pytest.raises(trust.UntrustedError),
        trust.opened(tmp_path / "open" / "cache", make=True),
    ):
        pass
    assert list((tmp_path / "open").iterdir()) == []


@needs_root
@pytest.mark.parametrize("steps", [-1, 0, 1, 2, 3])
def test_what_belongs_to_another_user_is_refused(folder: Path, steps: int) -> None:
    path = (folder / "a.kcode", folder, *folder.parents)[steps + 1]
    os.chown(path, STRANGER, STRANGER)
    refused(folder, f"{path} belongs to user {STRANGER}, and this is user 0")


@needs_root
def test_a_link_of_another_user_is_refused(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder.parent)
    assert content(link / folder.name) == b"code"
    os.lchown(link, STRANGER, STRANGER)
    refused(link / folder.name, f"{link} belongs to user {STRANGER}")


def test_links_of_our_own_are_followed_and_what_they_lead_through_is_checked(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "cache").symlink_to(folder.parents[1])
    (tmp_path / "link").symlink_to("open/../open/cache")
    assert content(tmp_path / "link" / "kernels" / "generation") == b"code"
    (tmp_path / "open").chmod(0o777)
    refused(tmp_path / "link" / "kernels" / "generation", "open can be written by other users")


def test_links_that_never_end_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    refused(tmp_path / "a", "is a symbolic link to itself")


def test_a_file_is_a_plain_file(folder: Path, tmp_path: Path) -> None:
    path = folder / "a.kcode"
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    refused(folder, f"{path} is a symbolic link")
    path.unlink()
    os.mkfifo(path, 0o600)
    refused(folder, f"{path} is not a regular file")  # and is not waited for
    path.unlink()
    path.mkdir(0o700)
    refused(folder, f"{path} is not a regular file")


def test_a_file_without_end_is_not_read(folder: Path) -> None:
    os.truncate(folder / "a.kcode", trust.GREATEST_SIZE + 1)
    refused(folder, "more than any kernel")


@pytest.mark.parametrize("name", ["", ".", "..", "../a", "b/a"])
def test_names_stay_in_the_folder(folder: Path, name: str) -> None:
    with trust.opened(folder) as opened, pytest.raises(ValueError, match="is not a file name"):
        trust.read(opened, name)


def test_what_is_missing_or_no_folder_is_an_error_of_the_system(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        content(folder / "none")
    with pytest.raises(NotADirectoryError):
        content(folder / "a.kcode" / "b")
    with trust.opened(folder) as opened, pytest.raises(FileNotFoundError):
        trust.read(opened, "none")


def test_a_folder_that_cannot_be_listed_lies_on_the_path(folder: Path) -> None:
    folder.parent.chmod(0o300)
    assert content(folder) == b"code"
    folder.parent.chmod(0o700)


def test_relative_paths_start_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert content(Path(folder.name)) == b"code"


def test_nothing_stays_open(folder: Path) -> None:
    next_free = free_descriptor()
    assert content(folder) == b"code"
    folder.chmod(0o777)
    refused(folder, "can be written")
    with pytest.raises(FileNotFoundError):
        content(folder.parent / "none")
    assert free_descriptor() == next_free


def free_descriptor() -> int:
    with socket.socket() as unused:
        return unused.fileno()


def test_a_file_of_the_package_is_as_safe_as_the_sources_beside_it(tmp_path: Path) -> None:
    code, source = tmp_path / "code", tmp_path / "source.py"
    code.write_bytes(b"code")
    source.write_text("")
    source.chmod(0o664)
    for mode in (0o644, 0o664):
        code.chmod(mode)
        assert trust.read_beside(code, source) == b"code"
    code.chmod(0o666)
    with pytest.raises(trust.UntrustedError, match="can be written by other users"):
        trust.read_beside(code, source)


@needs_root
def test_a_file_of_the_package_belongs_to_the_owner_of_the_sources(tmp_path: Path) -> None:
    code, source = tmp_path / "code", tmp_path / "source.py"
    code.write_bytes(b"code")
    source.write_text("")
    os.chown(code, STRANGER, STRANGER)
    with pytest.raises(trust.UntrustedError, match=f"belongs to user {STRANGER}"):
        trust.read_beside(code, source)
    os.chown(source, STRANGER, STRANGER)  # who can write the sources needs no machine code
    assert trust.read_beside(code, source) == b"code"


def test_without_owners_the_profile_is_trusted_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "has_owners", lambda: False)
    home, other = tmp_path / "home", tmp_path / "other"
    for name in ("LOCALAPPDATA", "USERPROFILE", "HOME"):
        monkeypatch.setenv(name, str(home))
    other.mkdir()
    with trust.opened(home / "cache", make=True) as folder:
        trust.write(folder, "a", b"code")
        assert (trust.read(folder, "a"), trust.names(folder)) == (b"code", ["a"])
    (home / "link").symlink_to(other)
    for path in (other, home / "link", home / ".." / "other", home.with_name("homes")):
        with (
            pytest.raises(trust.UntrustedError, match="outside the profile of this user"),
            trust.opened(path, make=True),
        ):
            pass
    assert not home.with_name("homes").exists()
