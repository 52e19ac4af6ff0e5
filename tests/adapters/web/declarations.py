"""The page's TypeScript declarations, as far as they follow from the port and the HTML."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from html.parser import HTMLParser
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from adapters.port import (
    Board,
    CallbackButton,
    Form,
    GameSummary,
    Guide,
    HandBoard,
    LobbyBoard,
    Mark,
    OwnResult,
    PlayerCard,
    PlayerTally,
    PuzzleBoard,
    ReviewState,
    RuleGuide,
    RuleSetCard,
    SettingList,
    Span,
    Tone,
    UserRef,
)
from adapters.web.server import PAGE
from adapters.web.throws import Remark, Thing

FILE = PAGE.parent / "types.d.ts"
MARK = "// --- Below: written by `python -m tests.regenerate types` from the port and the HTML ---\n"

SENT = (
    Mark,
    Tone,
    ReviewState,
    Board,
    LobbyBoard,
    HandBoard,
    OwnResult,
    PuzzleBoard,
    PlayerCard,
    Guide,
    Form,
    RuleSetCard,
    RuleGuide,
    SettingList,
    PlayerTally,
    GameSummary,
    Thing,
    Remark,
)
PLAIN: dict[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    UserRef: "string | null",  # people of other chats have no name here
    Span: "Span",
    CallbackButton: "Button",
}
# The types whose cards are cards; those of a `RuleSetCard` are a sentence about them.
CARDS = frozenset({"attack", "beat", "card", "cards", "discarded", "other", "seen", "turn_up"})


def regenerated(text: str) -> str:
    """Returns the declarations with everything below the mark derived anew from port and HTML."""
    written, _, _ = text.partition(MARK)
    declared = dict[str, str]()
    for kind in SENT:
        _declare(kind, declared)
    return written + MARK + "\n" + "\n".join(declared.values()) + "\n" + _elements()


def declared_fields(text: str) -> dict[str, list[str]]:
    """Returns the names of each declared interface's fields."""
    return {
        name: re.findall(r"^  (\w+)\??:", body, re.MULTILINE)
        for name, body in re.findall(
            r"^export interface (\w+)[^{]*\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL
        )
    }


def _declare(kind: type, declared: dict[str, str]) -> None:
    """Adds the declaration of a type, and of the types of its fields."""
    if kind in PLAIN or kind.__name__ in declared:
        return

    if issubclass(kind, Enum):
        names = " | ".join(f'"{member.name.lower()}"' for member in kind)
        declared[kind.__name__] = f"export type {kind.__name__} = {names};\n"
        return

    assert is_dataclass(kind)
    declared[kind.__name__] = ""  # its place
    hints = get_type_hints(kind)
    cards = CARDS if kind is not RuleSetCard else frozenset()
    lines = [
        f"  {field.name}: {_type(hints[field.name], field.name in cards, declared)};"
        for field in fields(kind)
    ]
    declared[kind.__name__] = "\n".join([f"export interface {kind.__name__} {{", *lines, "}", ""])


def _type(hint: Any, is_card: bool, declared: dict[str, str]) -> str:
    if isinstance(hint, UnionType):
        parts = " | ".join(_type(arg, is_card, declared) for arg in get_args(hint))
        return " | ".join(dict.fromkeys(parts.split(" | ")))

    if get_origin(hint) is tuple:
        return f"{_type(get_args(hint)[0], is_card, declared)}[]"
    if hint is str and is_card:
        return "Card"

    _declare(hint, declared)
    name: str = hint.__name__
    return PLAIN.get(hint, name)


def _elements() -> str:
    """Returns the kind of element of each id on the pages."""
    tags = dict[str, str]()
    for path in sorted(PAGE.glob("*.html")):
        for element, tag in _ids(path):
            assert tags.setdefault(element, tag) == tag, (
                f"#{element} is {tag} in {path.name}, {tags[element]} elsewhere"
            )

    groups = {
        tag: [f'"{element}"' for element in sorted(tags) if tags[element] == tag]
        for tag in sorted(tags.values())
    }
    lines = [
        f'  Record<{" | ".join(group)}, HTMLElementTagNameMap["{tag}"]>' for tag, group in groups.items()
    ]

    return (
        "/** The elements of the pages, by their ids. */\nexport type Elements =\n"
        + " &\n".join(lines)
        + ";\n"
    )


def _ids(path: Path) -> Iterator[tuple[str, str]]:
    found = list[tuple[str, str]]()

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend((value, tag) for name, value in attrs if name == "id" and value)

    Parser().feed(path.read_text(encoding="utf-8"))
    yield from found
