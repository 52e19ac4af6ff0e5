"""Texts in Discord's Markdown, in which nothing that people wrote acts as markup."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adapters import port
from adapters.discord.refs import PLATFORM, MessageLocation

# An invisible character, because Discord accepts no empty text.
NOTHING = "\u200b"

# Separates marks that would run together. Unlike NOTHING it does not allow a line break: «Pass» stays whole.
JOINT = "\u2060"

MARKS = frozenset("*~`_")
WRAPS = {
    port.Mark.PLAIN: "",
    port.Mark.BOLD: "**",
    port.Mark.ITALIC: "*",
    port.Mark.CODE: "",
    port.Mark.STRIKE: "~~",
    port.Mark.SMALL: "",
}
SMALL_PRINT = "-# "  # at the beginning of a line


@dataclass(frozen=True, slots=True)
class Text:
    """A text in Markdown, and the people that it mentions."""

    content: str
    people: tuple[int, ...] = ()


def text_of(spans: Sequence[port.Span], room: int, commands: Mapping[str, int]) -> Text:
    """Writes as much of a text as fits into `room` characters, with links to `commands`."""
    content = ""
    people: list[int] = []
    for span in spans:
        piece = _shorten(span, room - 1 - len(content))
        if content[-1:] in MARKS and piece[:1] in MARKS:
            content += JOINT
        if span.mark is port.Mark.SMALL and piece and content[-1:] in {"", "\n"}:
            content += SMALL_PRINT

        content += piece
        if len(piece) < len(markdown(span)):
            content += "…"
            break

        if _is_mention(span) and span.mention is not None:
            people.append(int(span.mention.id))

    linked = link_commands(content, commands)
    return Text(linked if len(linked) <= room else content, tuple(people))


def _shorten(span: port.Span, room: int) -> str:
    """Returns as much of a span as fits into `room` characters of Markdown."""
    piece = markdown(span)
    text = span.text
    while len(piece) > room and text and not _is_mention(span):
        text = text[: -max(1, (len(piece) - room) // 2)]
        piece = markdown(replace(span, text=text))

    return piece if len(piece) <= room else ""


BACKTICKS = re.compile("`+")
SPECIAL = re.compile(r"[\\*_~`|<>\[\]#]|(?<=:)//|^[ \t]*(?:[-+]|\d+(?=[.)]))", re.MULTILINE)
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
# Characters that change the direction of writing, and those that end the change.
TURNS = dict.fromkeys("\u202a\u202b\u202d\u202e", "\u202c") | dict.fromkeys("\u2066\u2067\u2068", "\u2069")
ENDS_OF_TURNS = frozenset(TURNS.values())


def markdown(span: port.Span) -> str:
    """Writes a span so that it shows exactly its text."""
    if _is_mention(span) and span.mention is not None:
        return f"<@{span.mention.id}>"

    if span.when is not None:
        at = int(span.when)
        return f"<t:{at}:R>" if span.counts_down else f"<t:{at}:t> (<t:{at}:R>)"

    text = tame(span.text)
    inner = _code(text) if span.mark is port.Mark.CODE else escape(text)
    if span.link is not None and span.link.platform == PLATFORM and inner.strip():
        inner = f"[{inner}]({MessageLocation.of(span.link).address})"

    mark = WRAPS[span.mark]
    body = inner.strip()
    # Discord reads marks only where they touch the text.
    return inner.replace(body, f"{mark}{body}{mark}") if mark and body else inner


def _code(text: str) -> str:
    """Fences a text with more backticks than it has in a row."""
    if not text.strip():
        return text

    fence = "`" * (1 + max(map(len, BACKTICKS.findall(text)), default=0))
    before = " " * text.startswith("`")
    after = " " * text.endswith("`")
    return f"{fence}{before}{text}{after}{fence}"


def escape(text: str) -> str:
    r"""Escapes Markdown, mentions and links.

    >>> escape("*a* <@1> http://b")
    '\\*a\\* \\<@\u200b1\\> http:\\//b'
    """
    text = SPECIAL.sub(_backslash, text)
    return text.replace("@", "@\u200b")


def tame(text: str) -> str:
    """Drops control characters, and ends every change of the writing direction within the text."""
    pending: list[str] = []
    characters: list[str] = []
    for character in CONTROLS.sub("", text):
        if character in TURNS:
            pending.append(TURNS[character])
        elif character in ENDS_OF_TURNS:
            if character not in pending[-1:]:
                continue
            pending.pop()

        characters.append(character)

    return "".join(characters + pending[::-1])


COMMAND = re.compile(r"(?<![\w/:.<\[`])/(?P<name>[a-z]+)(?![\w/-])")


def link_commands(content: str, commands: Mapping[str, int]) -> str:
    """Writes the commands in a text as links: a tap on one types it.

    >>> link_commands("/rules durnius, and/or /no", {"rules": 7})
    '</rules:7> durnius, and/or /no'
    """

    def link(match: re.Match[str]) -> str:
        number = commands.get(match["name"])
        return match[0] if number is None else f"</{match['name']}:{number}>"

    return COMMAND.sub(link, content)


def _backslash(match: re.Match[str]) -> str:
    text = match[0]
    space = text[: len(text) - len(text.lstrip())]
    mark = text.lstrip()
    if mark.isdigit():
        return f"{space}{mark}\\"  # the dot after it makes a list

    return f"{space}\\{mark}"


def _is_mention(span: port.Span) -> bool:
    return span.mention is not None and span.mention.platform == PLATFORM and span.mention.id.isdecimal()
