"""Finds the messages in the code, for the catalogues."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from babel.messages import Catalog

# The methods of a translator that take a message, with the number of its texts.
_METHODS = {"text": 1, "spans": 1, "count": 2, "count_spans": 2}

_PROJECT = Path(__file__).parents[2]


@cache
def every_message() -> Catalog:
    """Gathers every message of the bot and the chats."""
    return messages_in(_PROJECT / "bot", _PROJECT / "adapters")


def messages_in(*folders: Path) -> Catalog:
    """Gathers every message in the files under some folders, file by file in the order of the lines.

    The messages are in Python, in scripts of pages (`t("…")`), and in the readable text of HTML.
    """
    catalogue = Catalog()
    for folder in folders:
        for path in sorted(file for file in folder.rglob("*") if file.suffix in _READERS):
            place = path.relative_to(folder.parent).as_posix()
            for line, texts in sorted(_READERS[path.suffix](path.read_text("utf-8"))):
                message = texts if len(texts) > 1 else texts[0]
                catalogue.add(message, locations=[(place, line)])

    return catalogue


_Found = tuple[int, tuple[str, ...]]  # the line, and the texts of a message

_SENTENCE = re.compile(r'\bt\(\s*"((?:[^"\\]|\\.)*)"')
_READ_ATTRIBUTES = ("placeholder", "aria-label", "alt")
_NOT_READ = {"code", "title", "script", "style"}


def _in_script(source: str) -> Iterator[_Found]:
    for match in _SENTENCE.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, (match[1],)


class _Reader(HTMLParser):
    """Gathers the readable text of a page, except text to type and international names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[_Found] = []
        self._is_read = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_read = tag not in _NOT_READ and ("translate", "no") not in attrs
        for name, value in attrs:
            if name in _READ_ATTRIBUTES and value:
                self.found.append((self.getpos()[0], (value,)))

    def handle_endtag(self, tag: str) -> None:
        self._is_read = True

    def handle_data(self, data: str) -> None:
        if self._is_read and re.search(r"\w\w", data):
            self.found.append((self.getpos()[0], (" ".join(data.split()),)))


def _in_html(source: str) -> Iterable[_Found]:
    reader = _Reader()
    reader.feed(source)
    return reader.found


def _in_python(source: str) -> Iterator[_Found]:
    for node in ast.walk(ast.parse(source)):
        number = 0  # the number of texts of this message
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="sa"))):
                pass  # text of SQL
            case ast.Call(
                func=ast.Name(id="gettext_noop" | "RefusedError") | ast.Attribute(attr="gettext_noop")
            ):
                number = 1
            case ast.Call(func=ast.Attribute(attr=name)):
                number = _METHODS.get(name, 0)

        if isinstance(node, ast.Call) and number:
            arguments = (getattr(arg, "value", None) for arg in node.args[:number])
            texts = tuple(text for text in arguments if isinstance(text, str))
            if len(texts) == number:
                yield node.lineno, texts


_READERS = {".py": _in_python, ".js": _in_script, ".html": _in_html}
