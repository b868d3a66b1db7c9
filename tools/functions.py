"""The functions of a C++ source and how long they are, for code that clang-format has laid out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sources import bare_code, blanked, line_of

NAMESPACE = re.compile(r"\bnamespace\b|\bextern\s*\"")
TYPE = re.compile(r"^(?:alignas\([^)]*\)\s*)?(?:typedef\s+)?(?:class|struct|union|enum)\b")
LAMBDA = re.compile(r"\[[^\[\]]*\]\s*(?:\([^{};]*\))?[^(){};]*$")


@dataclass(frozen=True)
class Function:
    name: str
    line: int  # where its declaration begins
    end: int  # its closing brace
    length: int  # lines of code between them, both counted, without blank lines and comments


def without_directives(text: str) -> str:
    """Preprocessor lines (with their continuations) blanked."""
    directive = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
    return directive.sub(lambda found: blanked(found[0]), text)


def without_template(head: str) -> str:
    """A declaration without the template<...> and attributes before it."""
    while found := re.match(r"\s*(?:template\s*<|\[\[)", head):
        opening, closing = ("<", ">") if found[0].endswith("<") else ("[", "]")
        depth = end = 0
        for end in range(head.index(opening), len(head)):
            if head[end] == opening:
                depth += 1
            elif head[end] == closing and head[end - 1] != "-":
                depth -= 1
                if depth == 0:
                    break
        head = head[end + 1 :]
        if requires := re.match(r"\s*requires\b[^\n]*\n", head):
            head = head[requires.end() :]
    return head.strip()


def outside_parentheses(head: str) -> str:
    """A declaration with its parentheses and braces empty."""
    out, depth = [], 0
    for sign in head:
        if sign in ")}":
            depth -= 1
        if depth == 0:
            out.append(sign)
        if sign in "({":
            depth += 1
    return "".join(out)


def name_in(head: str) -> str:
    """The name before the first parenthesis: a constructor's come before those of its members."""
    found = re.search(
        r"((?:\w+(?:<[^()]*>)?::)*(?:operator\s*(?:\(\)|[^\s(]+(?:\s+[\w:]+)?)|~?\w+))\s*\(", head
    )
    return re.sub(r"\s+", " ", found[1]) if found else "lambda"


def scope_of(head: str) -> str:
    """What an opening brace at the top level of a file or a type begins."""
    if head.count("(") > head.count(")"):  # an argument's, as in f({1, 2})
        return "value"
    shape = outside_parentheses(without_template(head))
    if TYPE.match(shape) or (NAMESPACE.search(shape) and "(" not in shape):
        return "namespace"
    if "=" in re.sub(r"operator\s*\S+", "", shape):
        return "function" if LAMBDA.search(head) else "value"
    return "function" if "(" in shape else "value"


def functions_of(text: str) -> list[Function]:
    """Member functions and lambdas of a file or a type count; what stands inside a function is part of it."""
    code = without_directives(bare_code(text))
    lines = bare_code(text).split("\n")
    out: list[Function] = []
    scopes: list[str] = []
    begin, opened = 0, ("", 0)
    for found in re.finditer(r"[{};]|\b(?:public|private|protected)\s*:(?!:)", code):
        at, sign = found.start(), found[0]
        inside = next((scope for scope in scopes if scope != "namespace"), None)
        if sign == "{":
            initialiser = at > 0 and not code[at - 1].isspace()  # a member's, as in a_{1}
            if inside or initialiser:
                scopes.append(inside or "value")
                continue
            scope = scope_of(code[begin:at])
            if scope == "function":
                start = begin + len(code[begin:at]) - len(code[begin:at].lstrip())
                opened = name_in(without_template(code[begin:at])), line_of(code, start)
            scopes.append(scope)
            if scope != "value":
                begin = at + 1
        elif sign == "}":
            scope = scopes.pop() if scopes else "namespace"
            if scope == "function" and "function" not in scopes:
                name, line = opened
                end = line_of(code, at)
                body = lines[line - 1 : end]
                out.append(Function(name, line, end, sum(1 for one in body if one.strip())))
            if scope != "value":
                begin = at + 1
        elif not inside:
            begin = found.end()
    if scopes:
        raise ValueError("braces do not match")
    return out
