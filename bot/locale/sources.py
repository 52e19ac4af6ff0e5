"""Finds the messages in the code.

Babel can read Python itself, but it reads tokens: it takes an argument called `count` for another message and
loses the one before it. The syntax tree tells a call from a name.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog

_METHODS = {"text": 1, "spans": 1, "count": 2}
"""The methods of a translator that take a message, and of how many texts it is made."""

_FUNCTION = "gettext_noop"
"""What takes a message that is translated later."""


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
        if isinstance(node, ast.Call) and (wanted := _texts_wanted(node)):
            texts = tuple(_texts(node.args[:wanted]))
            if len(texts) == wanted:
                yield node.lineno, texts


def _texts_wanted(call: ast.Call) -> int:
    """Return of how many texts the message is made that is said here; 0 where none is."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="sa")):
            return 0  # text of SQL
        case ast.Attribute(attr=name):
            return _METHODS.get(name, 0)
        case ast.Name(id=name):
            return int(name == _FUNCTION)
    return 0


def _texts(arguments: list[ast.expr]) -> Iterator[str]:
    for argument in arguments:
        match argument:
            case ast.Constant(value=str(text)):
                yield text
