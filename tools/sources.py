"""The C++ sources of a tree, and the files that their includes mean, however they are spelled."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

FOLDERS = ("lib", "app", "python/bind")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(\S[^\n]*))', re.MULTILINE)
# Comments and literals, whichever begins first. A quote after a letter or digit separates digits (1'000).
LEXEME = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)"""
    r"""|R"(?P<mark>[^\s()\\"]*)\(.*?\)(?P=mark)\""""
    r"""|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)


def blanked(text: str) -> str:
    """As many blanks, with line breaks kept, so that positions still give line numbers."""
    return re.sub(r"[^\n]", " ", text)


def without_comments(text: str) -> str:
    return LEXEME.sub(lambda found: blanked(found[0]) if found["comment"] else found[0], text)


def bare_code(text: str) -> str:
    """Without comments, and with literals empty; include lines lose their names."""

    def bare(found: re.Match[str]) -> str:
        whole = found[0]
        return blanked(whole) if found["comment"] else whole[0] + blanked(whole[1:-1]) + whole[-1]

    return LEXEME.sub(bare, text)


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


@dataclass(frozen=True)
class Include:
    line: int
    name: str  # as it is spelled
    target: str | None  # the file of the tree that it means, from the root; None where there is no such file
    spelled: bool  # "..." or <...>, and not a macro
    quoted: bool


@dataclass(frozen=True)
class Tree:
    """All sources and headers below a root; names are paths from the root with forward slashes."""

    root: Path

    @cached_property
    def texts(self) -> dict[str, str]:
        found = [path for folder in FOLDERS for path in (self.root / folder).rglob("*.[ch]pp")]
        return {
            path.relative_to(self.root).as_posix(): path.read_text(encoding="utf-8") for path in sorted(found)
        }

    @cached_property
    def code(self) -> dict[str, str]:
        return {name: without_comments(text) for name, text in self.texts.items()}

    @cached_property
    def bare(self) -> dict[str, str]:
        return {name: bare_code(text) for name, text in self.texts.items()}

    @cached_property
    def includes(self) -> dict[str, list[Include]]:
        return {name: self._includes_of(name, text) for name, text in self.code.items()}

    @cached_property
    def sources(self) -> dict[str, str]:
        """Header -> its source: of the same stem, with the header as its first include from the tree."""
        out = {}
        for name in self.texts:
            first = next((one.target for one in self.includes[name] if one.target), None)
            if name.endswith(".cpp") and first and PurePosixPath(first).stem == PurePosixPath(name).stem:
                out[first] = name
        return out

    @cached_property
    def public_roots(self) -> list[str]:
        rooms = sorted(path.name for path in (self.root / "lib").iterdir() if path.is_dir())
        return [*(f"lib/{room}/include" for room in rooms), "lib/model/study_file/include"]

    def _includes_of(self, name: str, text: str) -> list[Include]:
        out = []
        for found in INCLUDE.finditer(text):
            quoted, angled, macro = found.groups()
            spelled = quoted or angled
            target = self.meant_by(spelled, name, quoted is not None) if spelled else None
            out.append(
                Include(
                    line_of(text, found.start()),
                    spelled or macro,
                    target,
                    spelled is not None,
                    quoted is not None,
                )
            )
        return out

    def meant_by(self, header: str, name: str, quoted: bool) -> str | None:
        """The file that an include of `header` in `name` means, as the compiler would look for it."""
        own = "/".join(name.split("/")[:2])
        private = [f"{own}/src"] if own.startswith("lib/") else ["app", "python/bind"]
        beside = [name.rpartition("/")[0]] if quoted else []
        for folder in [*beside, *private, *self.public_roots]:
            path = os.path.normpath(f"{folder}/{header}")
            if path in self.texts:
                return path
        real = Path(os.path.normpath(self.root / header))  # spelled from the root of the file system
        inside = real.is_relative_to(self.root) and real.relative_to(self.root).as_posix() in self.texts
        return real.relative_to(self.root).as_posix() if inside else None

    def closure(self, entries: list[str]) -> set[str]:
        """The entries and all files of the tree that they include, however indirectly."""
        seen, waiting = set(entries), list(entries)
        while waiting:
            for include in self.includes[waiting.pop()]:
                if include.target and include.target not in seen:
                    seen.add(include.target)
                    waiting.append(include.target)
        return seen


def room_of(name: str) -> str:
    """core, owner, app, python ..."""
    parts = name.split("/")
    return parts[1] if parts[0] == "lib" else parts[0]
