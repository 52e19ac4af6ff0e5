"""Finds the messages in the code.

Babel can read Python itself, but it reads tokens: it takes an argument called `count` for another message and
loses the one before it. The syntax tree tells a call from a name.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog

_TEXTS_OF = {"say": 1, "spans": 1, "sentence": 1, "count": 2}
"""What is called with a message, and how many texts make one."""


def messages_in(folder: Path) -> Catalog:
    """Gather every message in the Python files under a folder, file by file in the order of the lines."""
    found = Catalog()
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder.parent).as_posix()
        for line, texts in sorted(_messages(ast.parse(path.read_text("utf-8")))):
            found.add(texts if len(texts) > 1 else texts[0], locations=[(place, line)])
    return found


def _messages(tree: ast.AST) -> Iterator[tuple[int, tuple[str, ...]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (wanted := _TEXTS_OF.get(_called(node))):
            texts = tuple(_texts(node.args[:wanted]))
            if len(texts) == wanted:
                yield node.lineno, texts


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _texts(arguments: list[ast.expr]) -> Iterator[str]:
    for argument in arguments:
        match argument:
            case ast.Constant(value=str(text)):
                yield text
