"""Public files: read whole, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from .errors import Error

PathLike = str | os.PathLike[str]


def read_text(path: PathLike, most: int) -> str:
    """The UTF-8 text of a public file of at most `most` bytes."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        data = None
    except OSError as fault:
        raise Error("input-unreadable", f"'{name}' cannot be read: {fault.strerror}") from None
    if data is None:
        raise Error("input-missing", f"there is no file '{name}'")
    if len(data) > most:
        raise Error("input-unreadable", f"'{name}' is larger than {most >> 20} MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Error("input-unreadable", f"'{name}' is not UTF-8 text") from None


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
    """Writes a file beside its place, syncs and moves it; an existing file stays without `force`."""
    target = Path(path)
    check_place(target)
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as fault:
        raise Error("output-unwritable", f"'{target}' cannot be written: {fault.strerror}") from None
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(draft).chmod(0o666 & ~mask)
        if force:
            Path(draft).replace(target)
        else:
            target.hardlink_to(draft)
    except FileExistsError:
        raise Error("output-exists", f"'{target}' exists; choose another name, or force=True") from None
    except OSError as fault:
        raise Error("output-unwritable", f"'{target}' cannot be written: {fault.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            Path(draft).unlink()
