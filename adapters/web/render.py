"""Renders screens and messages as the JSON that the page draws; names and texts stay plain text."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from hashlib import blake2b
from itertools import chain
from typing import Any, TypeGuard

from aiohttp import web

from adapters import port
from adapters.port import gettext_noop
from adapters.web.inbound import RequestRefusedError
from adapters.web.refs import PLATFORM
from adapters.web.store import Files, Guest, SavedMessage

# The fields of a message's content that name a file, with the file's type.
TYPES = {"picture": "image/png", "document": "application/octet-stream"}

KEPT_BY_THE_READER = {"Cache-Control": "private, max-age=31536000, immutable", "Vary": "Authorization"}
# The bytes of a PNG that hold its size.
WIDTH = slice(16, 20)
HEIGHT = slice(20, 24)


def picture_json(picture: port.Picture) -> dict[str, Any]:
    """Returns the facts of a picture that the page needs before it has loaded it."""
    return {
        "alt": picture.alt,
        "width": int.from_bytes(picture.png[WIDTH]),
        "height": int.from_bytes(picture.png[HEIGHT]),
        "digest": digest_of(picture.png),
    }


def document_json(document: port.Document) -> dict[str, Any]:
    """Returns the facts of a document that the page needs."""
    return {"name": document.name, "digest": digest_of(document.content)}


def digest_of(file: bytes) -> str:
    """Returns the name by which the page requests a file."""
    return blake2b(file, digest_size=16).hexdigest()


def type_of(message: SavedMessage, digest: str) -> str:
    """Returns the type of the message's file that has this digest.

    Raises:
        RequestRefusedError: The message has no such file, or no longer.
    """
    for name, kind in TYPES.items():
        if (message.content.get(name) or {}).get("digest") == digest:
            return kind
    raise RequestRefusedError(404, gettext_noop("That file's gone."))


def file_response(file: bytes, kind: str) -> web.Response:
    """Returns the response with a file, which only its reader's browser may cache."""
    return web.Response(body=file, content_type=kind, headers=KEPT_BY_THE_READER)


# --- Pieces of text ---


def span_json(span: port.Span, reader: port.UserRef | None = None) -> dict[str, Any]:
    """Returns a piece of text with its mark, and its mention, link or time."""
    piece: dict[str, Any] = {"text": span.text, "mark": span.mark.name.lower()}
    mentioned = None if span.mention is None else user_id(span.mention, reader)
    if mentioned is not None:
        piece["mention"] = mentioned
    if span.link is not None and span.link.platform == PLATFORM:
        piece["link"] = span.link.opaque
    if span.when is not None and not span.counts_down:  # the clocks of readers differ
        piece["when"] = span.when

    return piece


# --- Tables and hands, with the field names of the port ---


OWN = "you"  # the id, within a view, of the person who has it open


def user_id(user: port.UserRef, reader: port.UserRef | None = None) -> str | None:
    """Returns the page's id of a person; None for people of other chats, except the `reader` of a view."""
    if user == reader:
        return OWN
    return user.id if user.platform == PLATFORM else None


def board_json(
    board: port.Board | port.LobbyBoard | port.HandBoard | port.OwnResult | port.ScreenFacts,
    reader: port.UserRef | None = None,
) -> dict[str, Any]:
    """Returns the fields of a table (with `seats`), a lobby (with `players`), a hand (`moves`) or a screen.

    The names are stored with the messages, so renaming a field takes a database step, such as 0119.
    """
    return {field.name: _json(getattr(board, field.name), reader) for field in fields(board)}


def _json(value: object, reader: port.UserRef | None) -> object:
    match value:
        case port.Span():
            return span_json(value, reader)
        case port.UserRef():
            return user_id(value, reader)
        case tuple():
            return [_json(item, reader) for item in value]

    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _json(getattr(value, field.name), reader) for field in fields(value)}

    return value


# --- Screens and messages ---


LIMITS = port.Limits(
    buttons=96,
    per_row=8,
    label=64,
    body=8000,
    toast=300,
    caption=8000,
    private_pictures=False,
    boards=True,
    forms=True,
    can_call=False,  # guests have no private chat elsewhere
    document=200_000_000,  # a newer answer replaces an older one, so a file can't be split over several
)
# The limits of a view, which belongs to a person of another chat and shows no pictures.
VIEW_LIMITS = replace(LIMITS, can_call=True, pictures=False)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a message: `facts` are sent to the page at once, `files` on request."""

    facts: Json = field(repr=False)
    files: Files = field(default_factory=dict, repr=False)


def tokens_on(content: Mapping[str, Any]) -> frozenset[str]:
    """Returns the tokens in a message that can be pressed; a chat message has none."""
    buttons: Iterable[Json] = chain.from_iterable(content.get("rows") or ())
    pressable = {button["token"] for button in buttons if button["enabled"]}

    drawing: Json = content.get("drawn", {})
    ways: Iterable[Json] = drawing.get("ways", ())
    pressable.update(way["token"] for way in ways)
    for group in drawing.get("groups", ()):
        pressable.update(line["switch"] or line["token"] for line in group["lines"])

    return frozenset(pressable)


def portraits_on(content: Mapping[str, Any]) -> frozenset[str]:
    """Returns the keys of the portraits at the seats of a message's table."""
    board: Json = content.get("board") or {}
    seats: Iterable[Json] = board.get("seats") or board.get("players") or ()
    return frozenset(seat["portrait"] for seat in seats if seat.get("portrait"))


def screen_content(
    screen: port.Screen,
    command: Json | None = None,
    document: port.Document | None = None,
    reader: port.UserRef | None = None,
) -> Content:
    """Returns a screen as message content; `command` is the line that it answers.

    `reader` is the person of another chat who sees it in a view.
    """
    # Buttons that lead elsewhere are left out, because the page itself has private messages and replays.
    rows = [[_button(button, reader) for button in row if _is_pressed_here(button)] for row in screen.rows]
    facts: Json = {
        "body": [span_json(span, reader) for span in (screen.body if screen.picture else screen.text)],
        "rows": [row for row in rows if row],
        "picture": picture_json(screen.picture) if screen.picture else None,
    }

    if screen.board is not None:
        facts["board"] = board_json(screen.board, reader)

    if screen.translations:
        facts[LANGUAGES] = {
            language: screen_content(_with_picture_of(screen, each), reader=reader).facts
            for language, each in screen.translations
        }

    if screen.facts is not None:
        facts["drawn"] = board_json(screen.facts)

    if screen.finished_game is not None:
        facts["game"] = _game_name(screen.finished_game)

    files = [screen.picture.png] if screen.picture else []
    if document is not None:
        facts["document"] = document_json(document)
        files.append(document.content)

    if command:
        facts["asked"] = command

    return Content(facts, {digest_of(file): file for file in files})


def _with_picture_of(screen: port.Screen, translation: port.Screen) -> port.Screen:
    """Returns a translation with the picture of the screen; its own text is the alternative text."""
    if screen.picture is None:
        return translation

    alt = "".join(span.text for span in translation.text)
    return replace(translation, picture=replace(screen.picture, alt=alt))


def _is_pressed_here(button: port.Button) -> TypeGuard[port.CallbackButton]:
    return isinstance(button, port.CallbackButton) and not isinstance(button, port.ViewButton)


def _game_name(game: port.GameRef) -> str:
    """Returns the name of a finished game in the page's addresses."""
    return f"{game.table_id}-{game.game}"


def reply_json(reply: port.Reply, toast: str | None) -> Json:
    """Returns the parts of a reply that the asker's own page shows at once."""
    response: Json = {}
    if toast is not None:
        response["toast"] = toast
    if reply.language:
        response["language"] = reply.language
    if reply.review is not None:
        response["review"] = _game_name(reply.review)
    if reply.form is not None:
        response["form"] = _form_json(reply.form)

    return response


def _form_json(form: port.Form) -> Json:
    return asdict(form) | {"others": [_button(button) for button in form.others]}


def summary_json(game: port.GameSummary) -> Json:
    """Returns a finished game as a row of the page's list."""
    return asdict(game) | {"id": f"{game.table_id}-{game.game}"}


def replay_json(replay: port.Replay) -> Json:
    """Returns a finished game with all of its steps."""
    steps = [
        {
            "board": board_json(step.board),
            "hands": step.hands,
            "mark": [span_json(span) for span in step.mark],
            "played": _json(step.played, None),
            "better": _json(step.better, None),
            "mover": step.mover,
        }
        for step in replay.steps
    ]

    return {
        "own": replay.own,
        "title": replay.title,
        "summary": summary_json(replay.summary),
        "review": replay.review,
        "checks": [{"holds": holds, "text": text} for holds, text in replay.checks],
        "steps": steps,
    }


LANGUAGES = "languages"  # the field with the content's translations, by language
MENTIONS = "mentions"  # the field with the ids of the mentioned guests


def chat_content(guest: Guest, text: str, mentioned: Iterable[Guest] = ()) -> Content:
    """Returns a person's words as message content."""
    return Content(line_json(guest, text, mentioned))


def line_json(guest: Guest, text: str, mentioned: Iterable[Guest] = ()) -> Json:
    """Returns a person's typed line, with the ids of the people it mentions."""
    line: Json = {"by": guest.id, "name": guest.name, "text": text}
    ids = [person.id for person in mentioned]
    return {**line, MENTIONS: ids} if ids else line


def message_json(message: SavedMessage, language: str) -> Json:
    """Returns a message for a page in this language; the page fetches its files by their digests."""
    content = dict(message.content)
    translations = content.pop(LANGUAGES, {})
    content.update(translations.get(language, {}))
    return {
        "id": str(message.id),
        "kind": message.kind.partition(":")[0],
        "private": message.guest is not None,
        "at": message.posted_at,
        "content": content,
    }


MAX_CHOICES_LISTED = 4


def command_json(command: port.CommandSpec, locale: str) -> Json:
    """Returns a command for the page's list; an argument is its name, or its choices if they are few."""
    return {
        "name": command.name,
        "summary": command.summaries.get(locale, command.summary),
        "arguments": [
            " | ".join(choice.value for choice in argument.choices)
            if 0 < len(argument.choices) <= MAX_CHOICES_LISTED
            else argument.name
            for argument in command.arguments
        ],
    }


def guest_json(guest: Guest) -> Json:
    """Returns the public facts of a guest."""
    return {"id": guest.id, "name": guest.name}


def _button(button: port.CallbackButton, reader: port.UserRef | None = None) -> Json:
    facts: Json = {
        "token": button.token,
        "label": button.label,
        "tone": button.tone.name.lower(),
        "enabled": button.enabled,
    }
    for name, users in (("readers", button.readers), ("besides", button.besides or None)):
        if users is not None:
            facts[name] = [shown for user in users if (shown := user_id(user, reader)) is not None]

    return facts
