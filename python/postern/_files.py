"""Public files: read whole, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO

from ._given import path_text
from .errors import Error

PathLike = str | os.PathLike[str]
_DOOR = "/proc/self/fd/{}"  # how the kernel calls an open file that has no name
_PIECE = 1 << 20
NETWORK_BYTES = 16 << 20  # a network file, at most


def read_text(path: PathLike, most: int, *, regular: bool = False) -> str:
    """The UTF-8 text of a public file of at most `most` bytes."""
    data = read_bytes(path, most, regular=regular)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Error("input-unreadable", f"'{os.fspath(path)}' is not UTF-8 text") from None


def read_bytes(path: PathLike, most: int, *, regular: bool = False) -> bytes:
    """What a public file of at most `most` bytes holds; `regular` refuses pipes and devices, unopened."""
    name = os.fspath(path)
    try:
        if regular and not stat.S_ISREG(Path(name).stat().st_mode):
            raise Error("input-unreadable", f"'{name}' is not a regular file")
        with open(name, "rb") as file:
            data = _read_on(file, most + 1)
    except FileNotFoundError:
        data = None
    except OSError as fault:
        raise Error("input-unreadable", f"'{name}' cannot be read: {fault.strerror}") from None
    if data is None:
        raise Error("input-missing", f"there is no file '{name}'")
    if len(data) > most:
        raise Error("input-unreadable", f"'{name}' is larger than {most >> 20} MiB")
    return data


def _read_on(file: BinaryIO, most: int) -> bytes:
    """Up to `most` bytes, with no room taken for what is not there."""
    data = bytearray()
    while len(data) < most and (piece := file.read(min(most - len(data), _PIECE))):
        data += piece
    return bytes(data)


def check_place(target: Path) -> None:
    """Refuses what is never replaced: anything but a plain file, and the files of a ledger."""
    if target.is_symlink() or (target.exists() and not target.is_file()):
        raise Error("output-unwritable", f"'{target}' is not a plain file and is not replaced; name a file")
    stems = {target.name, *(target.name.removesuffix(tail) for tail in (".key", "-journal", "-wal", "-shm"))}
    if any(_is_ledger(target.with_name(stem)) for stem in stems if stem):
        raise Error(
            "output-exists",
            f"'{target}' is a database, perhaps a ledger, or belongs to one, and is not replaced; "
            "choose another name",
        )


def _is_ledger(path: Path) -> bool:
    if not path.is_file():
        return False
    # A ledger that may be open is known by its key: reading it here would drop this process's locks on it.
    if path.with_name(path.name + ".key").exists():
        return True
    with contextlib.suppress(OSError), path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
    return False


def write_text(path: PathLike, text: str, force: bool) -> None:
    """Writes a file that has no name until it is whole; an existing file stays without `force`."""
    target = Path(path_text(path, "path", "the path of a file"))
    check_place(target)
    named: Path | None = None
    try:
        handle, named = _draft(target)
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            mask = os.umask(0)
            os.umask(mask)
            os.fchmod(handle, 0o666 & ~mask)
            os.fsync(handle)
            if force and named is None:  # only a rename replaces, and it needs a name
                name = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
                _link(handle, name)
                named = name
            if named is None:
                _link(handle, target)
            elif force:
                named.replace(target)
            else:
                target.hardlink_to(named)
    except FileExistsError:
        raise Error("output-exists", f"'{target}' exists; choose another name, or force=True") from None
    except OSError as fault:
        raise Error("output-unwritable", f"'{target}' cannot be written: {fault.strerror}") from None
    finally:
        if named is not None:
            named.unlink(missing_ok=True)


def _link(handle: int, name: Path) -> None:
    """Gives an open file a name."""
    # With a src_dir_fd, which means nothing to an absolute path, link follows the kernel's own link.
    os.link(_DOOR.format(handle), name, src_dir_fd=handle, follow_symlinks=True)


def _draft(target: Path) -> tuple[int, Path | None]:
    """A new file for `target`, without a name where the file system has such files."""
    with contextlib.suppress(OSError):
        handle = os.open(target.parent, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        if Path(_DOOR.format(handle)).is_symlink():
            return handle, None
        os.close(handle)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    return handle, Path(name)
