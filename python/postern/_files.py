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


def write_text(path: PathLike, text: str, force: bool) -> None:
    """Writes a file beside its place, syncs and moves it; an existing file stays without `force`."""
    target = Path(path)
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
