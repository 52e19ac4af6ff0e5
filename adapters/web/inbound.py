"""Reads requests of the page as neutral commands and presses."""

import asyncio
import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any
from unicodedata import category
from uuid import uuid4

from aiohttp import web

from adapters import port
from adapters.port import gettext_noop
from adapters.web.refs import PLATFORM, parse_message_id, room_ref, user_ref
from adapters.web.store import Guest


class RequestRefusedError(Exception):
    """The request is refused; the message is for the person at the page, and `values` fill its places.

    `way` is an alternative address for what they want, if there is one.
    """

    def __init__(self, status: int, message: str, *, way: str = "", **values: object) -> None:
        super().__init__(message)
        self.status = status
        self.way = way
        self.values = values


UNKNOWN_GUEST = gettext_noop("Nobody knows you here: open your own link, or come in with a name.")


# --- Reading requests ---


LANGUAGE_COOKIE = "durak-language"  # written by the page when its reader chooses a language

MAX_BODY_BYTES = 16_384
BODY_SECONDS = 10.0
MAX_NAME_LENGTH = 64
MAX_LINE_LENGTH = 1000
VISIBLE = frozenset("LNPS")  # the Unicode categories of letters, numbers, punctuation and symbols
MAX_SECRET_LENGTH = 128
MAX_TOKEN_LENGTH = 64
REQUEST_NAME = re.compile(r"[0-9a-f]{16,32}")


def user_from(guest: Guest, locale: str = "") -> port.User:
    """Returns a guest as the user of an event."""
    return port.User(user_ref(guest), guest.name, locale)


def locale_of(request: web.Request) -> str:
    """Returns the language that the stream names or the reader chose, or else the browser's preferred one.

    Empty if there is none. WebKit does not send the reader's preferred language when it opens a stream.
    """
    choice = request.query.get("language") or request.cookies.get(LANGUAGE_COOKIE, "")
    preference = request.headers.get("Accept-Language", "")
    best = re.match(r"\s*([A-Za-z]{2,3})\b", choice or preference)
    return best[1].lower() if best else ""


def secret_of(request: web.Request) -> str:
    """Reads the secret of a guest.

    Raises:
        RequestRefusedError: There is none, or it is too long.
    """
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret or len(secret) > MAX_SECRET_LENGTH:
        raise RequestRefusedError(401, UNKNOWN_GUEST)
    return secret


def hash_of(secret: str) -> str:
    """Returns the digest under which a secret is stored, so that a leaked database opens nothing."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


async def body_of(request: web.Request) -> dict[str, Any]:
    """Reads the JSON object in a request.

    Raises:
        RequestRefusedError: The body is not a JSON object, too large, or too slow.
    """
    if request.content_type != "application/json":
        raise RequestRefusedError(415, gettext_noop("Bad request."))

    try:
        async with asyncio.timeout(BODY_SECONDS):
            await request.content.readexactly(MAX_BODY_BYTES + 1)
    except TimeoutError:
        raise RequestRefusedError(
            408, gettext_noop("That took too long to arrive. Please try again.")
        ) from None
    except asyncio.IncompleteReadError as whole:
        raw = whole.partial
    else:
        raise RequestRefusedError(413, gettext_noop("That's too much at once."))

    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        body = None

    if not isinstance(body, dict):
        raise RequestRefusedError(400, gettext_noop("Bad request."))

    return body


def name_from(body: dict[str, Any]) -> str:
    """Reads the name of a new guest.

    Raises:
        RequestRefusedError: It has no visible character, or is too long.
    """
    name = " ".join(text_from(body, "name").split())
    if not any(category(sign)[0] in VISIBLE for sign in name):
        raise RequestRefusedError(400, gettext_noop("Please give a name."))
    if len(name) > MAX_NAME_LENGTH:
        raise RequestRefusedError(400, gettext_noop("A name has at most {n} characters."), n=MAX_NAME_LENGTH)

    return name


def key_from(body: dict[str, Any]) -> str:
    """Reads the key that makes a guest the owner, cut to the length of a secret."""
    return text_from(body, "key")[:MAX_SECRET_LENGTH]


def line_from(body: dict[str, Any]) -> str:
    """Reads a typed line.

    Raises:
        RequestRefusedError: It is empty or too long.
    """
    line = text_from(body, "text").strip()
    if not line:
        raise RequestRefusedError(400, gettext_noop("There's nothing to send."))
    if len(line) > MAX_LINE_LENGTH:
        raise RequestRefusedError(
            400, gettext_noop("A message has at most {n} characters."), n=MAX_LINE_LENGTH
        )

    return line


def mentioned_in(line: str, guests: Iterable[Guest]) -> list[Guest]:
    """Returns the guests that a line mentions as `@name`, namesakes included.

    The emoji before a name may be left out.
    """
    return [guest for guest in guests if re.search(_mention_of(guest.name), line, re.IGNORECASE)]


def _mention_of(name: str) -> str:
    face, _, rest = name.partition(" ")
    has_face = bool(rest) and not any(sign.isalnum() for sign in face)
    wanted = rf"(?:{re.escape(face)} )?{re.escape(rest)}" if has_face else re.escape(name)
    return rf"(?<!\S)@{wanted}(?!\S)"


def command_from(
    line: str, user: port.User, room: str, guests: Iterable[Guest], event: str
) -> port.Command | None:
    """Reads a typed line as a command; None if it is a chat message."""
    words = line.split()
    name = words[0].removeprefix("/").lower()
    if not words[0].startswith("/") or not name:
        return None

    rest = " ".join(words[1:])
    mentioned = tuple(map(user_from, mentioned_in(rest, guests)))
    return port.Command(
        user, room_ref(room), name, tuple(words[1:]), mentioned, event, can_reply_ephemerally=True
    )


def press_from(body: dict[str, Any], user: port.User, room: str) -> port.Press:
    """Reads a press.

    Raises:
        RequestRefusedError: The message or the token is missing or malformed.
    """
    return port.Press(user, room_ref(room), token_from(body), message_from(body), new_event_id())


def token_from(body: dict[str, Any]) -> str:
    """Reads the token of a pressed button.

    Raises:
        RequestRefusedError: It is missing, empty or too long.
    """
    token = text_from(body, "token")
    if not token or len(token.encode()) > MAX_TOKEN_LENGTH:
        raise RequestRefusedError(400, gettext_noop("Unknown button."))
    return token


def name_of_request(body: dict[str, Any]) -> str:
    """Reads the name under which a page may repeat its request; empty if it has none.

    Raises:
        RequestRefusedError: The name is malformed.
    """
    name = text_from(body, "name") if "name" in body else ""
    if name and not REQUEST_NAME.fullmatch(name):
        raise RequestRefusedError(400, gettext_noop("Bad request."))
    return name


def new_event_id() -> str:
    """Returns a random id for something that a guest did, so that the guest can't choose it."""
    return str(uuid4())


def message_from(body: dict[str, Any]) -> port.MessageRef:
    """Reads which message a request is about.

    Raises:
        RequestRefusedError: It is missing or malformed.
    """
    number = parse_message_id(text_from(body, "message"))
    if number is None:
        raise RequestRefusedError(400, gettext_noop("Unknown message."))
    return port.MessageRef(PLATFORM, str(number))


def text_from(body: dict[str, Any], key: str) -> str:
    """Reads a text in a request, without null characters.

    Raises:
        RequestRefusedError: It is missing, or not a valid text.
    """
    value = body.get(key)
    if not isinstance(value, str):
        raise RequestRefusedError(400, f"`{key}` should be a text.")

    try:
        value.encode()
    except UnicodeEncodeError:
        raise RequestRefusedError(400, f"`{key}` is no valid text.") from None

    return value.replace("\0", "")
