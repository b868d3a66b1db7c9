"""The one exception of the package."""

from __future__ import annotations


class Error(Exception):
    """Every refusal of Postern, with a stable name to branch on and a sentence that says what to do.

    On the owner's side the sentence is public: it never depends on a record, and never holds the text of
    another library's exception.

    >>> import postern as pn
    >>> try:
    ...     pn.Study.parse("version = 1")
    ... except pn.Error as error:
    ...     print(error.code)
    missing-key
    """

    code: str
    """The stable name, such as ``budget-exhausted``: the same that the program prints."""
    message: str
    """What is wrong and what to write instead."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


Error.__module__ = "postern"
