"""What the library says, in the words of Python.

Its refusals speak of options as the program has them. Here is every such word and how Python spells it; a
test reads the library's sources for words that are missing.
"""

from __future__ import annotations

import re

_ENGINES = "auto|exact|tables|potentials|moments|augment|gibbs|naive|map|bounds"


def _engines(found: re.Match[str]) -> str:
    return "engine=" + re.sub(rf"\b(?:{_ENGINES})\b", r'"\g<0>"', found[1])


_START = r"(?<![\w'\"-])"  # of a word of ours; what was quoted from elsewhere stands in quotes
_WORDS = (
    (re.compile(rf"{_START}--engine ((?:{_ENGINES})(?:(?:, | or )(?:{_ENGINES})\b)*)"), _engines),
    (re.compile(rf"{_START}--engine\b"), "engine="),
    (re.compile(rf"{_START}--force\b"), "force=True"),
    (re.compile(rf"{_START}--another-ledger\b"), "another_ledger=True"),
    (re.compile(rf"{_START}--format (\S+) is not known"), r'format="\1" is not known'),
    (re.compile(rf"{_START}--format\b"), "format="),
    (re.compile(rf"{_START}--delimiter (\S+)"), r'delimiter="\1"'),
    (re.compile(rf"{_START}--columns a,b,c"), 'columns=["a", "b", "c"]'),
    (re.compile(rf"{_START}--counts\b"), "counts=True"),
    (re.compile(rf"{_START}--select tree or --select adaptive"), 'select="tree" or "adaptive"'),
    (re.compile(rf"{_START}--select\b"), "select="),
    (re.compile(rf"{_START}--n\b"), "n="),
    (re.compile(rf"{_START}--prior\b"), "prior="),
    (re.compile(rf"{_START}--sensitivity\b"), "sensitivity=True"),
    (re.compile(rf"{_START}--draws\b"), "draws="),
    (re.compile(rf"{_START}--target\b"), "target="),
    (re.compile(rf"{_START}--datasets\b"), "datasets="),
    (re.compile(rf"{_START}-n and\b"), "n= and"),
    (re.compile(r"only `postern infer --foreign` reads it"), "only postern.infer reads it"),
    (re.compile(r"make it again with `postern infer`"), "make it again with postern.infer"),
    (re.compile(r"the folder that `postern infer -o` made"), "the folder that Posterior.save made"),
    (re.compile(r"JSON that `postern infer` writes"), "JSON that Posterior.save writes"),
    (re.compile(r"run `postern ledger new-records`"), "call Ledger.new_records"),
    (re.compile(r"run `postern ledger verify`"), "call Ledger.verify"),
    (re.compile(r"`postern ledger init`"), "Ledger.create"),
    (re.compile(r"`postern ledger backup`"), "Ledger.backup"),
    (re.compile(r"`postern release` wrote"), "postern.release made"),
    (re.compile(r"; `postern init DATA\.csv -o study\.toml` drafts one"), ""),
)


def in_python(text: str) -> str:
    """The text with the program's options spelt as arguments.

    >>> in_python("take --engine auto or gibbs")
    'take engine="auto" or "gibbs"'
    """
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    return text
