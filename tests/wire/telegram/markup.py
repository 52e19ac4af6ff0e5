"""Telegram's HTML, read as strictly as Telegram reads it."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.schema import Json

_KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "s": "strikethrough",
    "del": "strikethrough",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "expandable_blockquote": "expandable_blockquote",
    "tg-spoiler": "spoiler",
    "a": "text_link",
}
_PIECE = re.compile(
    r"""(?P<end></(?P<closed>[a-z0-9-]*)\s*>)"""
    r"""|(?P<start><(?P<opened>[a-z0-9-]+)(?:\s+href="(?P<href>[^"]*)"|(?P<folded>\s+expandable))?\s*>)"""
    r"""|(?P<entity>&(?:lt|gt|amp|quot|\#\d+|\#x[0-9a-f]+);)"""
    r"""|(?P<broken><)|(?P<text>[^<&]+|&)""",
    re.IGNORECASE,
)
_DROPPED = re.compile("[\u2028-\u202e]")  # Telegram strips direction overrides from the texts of bots


def units(text: str) -> int:
    """Returns the length as Telegram counts it, in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def read_html(source: str) -> tuple[str, list[Json]]:
    """Parses HTML, and returns the plain text and its entities.

    Raises:
        ApiError: The markup is broken.
    """
    source = _DROPPED.sub("", source)
    text = ""
    entities = list[Json]()
    opened = list[tuple[str, int, str | None]]()

    for piece in _PIECE.finditer(source):
        where = f"at byte offset {len(source[: piece.start()].encode())}"
        if piece["broken"]:
            raise bad_request(f"can't parse entities: Unsupported start tag {where}")

        if piece["start"]:
            if piece["opened"].lower() not in _KINDS:
                raise bad_request(f'can\'t parse entities: Unsupported start tag "{piece["opened"]}" {where}')
            name = "expandable_blockquote" if piece["folded"] else piece["opened"].lower()
            opened.append((name, len(text), piece["href"]))
        elif piece["end"]:
            if not opened:
                raise bad_request(f"can't parse entities: Unexpected end tag {where}")
            name, start, href = opened.pop()
            if piece["closed"].lower() not in {name.removeprefix("expandable_"), ""}:
                raise bad_request(f'can\'t parse entities: Unmatched end tag {where}, expected "</{name}>"')
            entities.append(_entity(name, text[:start], text[start:], unescape(href or "")))
        elif piece["entity"]:
            text += unescape(piece["entity"])
        else:
            text += piece["text"]

    if opened:
        raise bad_request(
            f"can't parse entities: Can't find end tag corresponding to start tag \"{opened[-1][0]}\""
        )

    return clean(text), [entity for entity in entities if entity["length"]]


def clean(text: str) -> str:
    """Returns the text as Telegram stores it."""
    return _DROPPED.sub("", text).strip()


def _entity(name: str, before: str, inside: str, href: str) -> Json:
    entity: Json = {"type": _KINDS[name], "offset": units(before), "length": units(inside)}
    if name == "a":
        address = urlsplit(href)
        if address.scheme == "tg":
            entity["type"] = "text_mention"
            entity["user"] = int(parse_qs(address.query)["id"][0])
        else:
            entity["url"] = href

    return entity
