"""Lists of today's faults, which may only shrink: a fault that is not listed fails a check, and so does an
entry whose fault is gone. `--prune` takes such entries out; nothing but an editor puts one in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    where: str  # file, or file:line
    what: str
    key: str  # its name in the list: without lines, so that code may move within its file
    weight: int = 1  # how much of it there is, such as lines too many


class Allowances:
    """One fault a line, as `COUNT KEY`; lines that begin with # explain."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        self.counts = Counter({key: int(count) for count, key in map(self._entry, self.lines) if key})

    @staticmethod
    def _entry(line: str) -> tuple[str, str]:
        count, _, key = line.partition(" ")
        return (count, key) if line.strip() and not line.startswith("#") else ("0", "")

    def judge(self, faults: Iterable[Fault]) -> list[str]:
        """What to report: faults of each key that has more than the list allows, and stale entries."""
        several = list(faults)
        found = self._weights(several)
        out = [
            f"{fault.where}: {fault.what}"
            for fault in sorted(several, key=lambda fault: fault.key)
            if found[fault.key] > self.counts[fault.key]
        ]
        for key, allowed in sorted(self.counts.items()):
            if found[key] < allowed:
                is_stale = f"and there are {found[key]}: take the entry out or lower it (--prune does)"
                out.append(f"{self.path.name}: allows {allowed} of '{key}' {is_stale}")
        return out

    def prune(self, faults: Iterable[Fault]) -> None:
        """Lowers counts to what is found, never raises one."""
        found = self._weights(faults)
        kept = []
        for line in self.lines:
            count, key = self._entry(line)
            if not key:
                kept.append(line)
            elif found[key]:
                kept.append(f"{min(int(count), found[key])} {key}")
        self.path.write_text("\n".join([*kept, ""]), encoding="utf-8")

    @staticmethod
    def _weights(faults: Iterable[Fault]) -> Counter[str]:
        found: Counter[str] = Counter()
        for fault in faults:
            found[fault.key] += fault.weight
        return found
