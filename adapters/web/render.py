"""Screens and messages as the JSON that the page draws; names and texts stay plain text all the way."""

from dataclasses import asdict, dataclass, field
from typing import Any

from adapters.port import (
    ArgumentSpec,
    Button,
    CallbackButton,
    CommandSpec,
    Document,
    Form,
    Limits,
    Screen,
)
from adapters.web.boards import board_json
from adapters.web.files import digest_of, document_json, picture_json
from adapters.web.spans import span_json
from adapters.web.store import Files, Guest, Message

LIMITS = Limits(
    buttons=96,
    per_row=8,
    label=64,
    body=8000,
    toast=300,
    caption=8000,
    private_pictures=False,
    boards=True,
    forms=True,
)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Content:
    """What a message shows: `facts` are what the page gets of it at once."""

    facts: Json = field(repr=False)
    files: Files = field(default_factory=dict, repr=False)


def screen_content(screen: Screen, asked: Json | None = None, document: Document | None = None) -> Content:
    """Return a screen as message content; `asked` says which typed command it answers."""
    facts: Json = {
        "body": [span_json(span) for span in (screen.body if screen.picture else screen.text)],
        "rows": [
            row
            for row in ([_button(button) for button in _callback_buttons(row)] for row in screen.rows)
            if row
        ],
        "picture": picture_json(screen.picture) if screen.picture else None,
    }
    if screen.board is not None:
        facts["board"] = board_json(screen.board)
    if screen.ended is not None:
        facts["game"] = f"{screen.ended.table_id}-{screen.ended.game}"
    files = [screen.picture.png] if screen.picture else []
    if document is not None:
        facts["document"] = document_json(document)
        files.append(document.content)
    if asked:
        facts["asked"] = asked
    return Content(facts, {digest_of(file): file for file in files})


def form_json(form: Form) -> Json:
    """Return choices as the page lays them out."""
    return asdict(form) | {"others": [_button(button) for button in form.others]}


def chat_content(guest: Guest, text: str) -> Content:
    """Return what a person said as message content."""
    return Content({"by": guest.id, "name": guest.name, "text": text})


def asked_content(guest: Guest, text: str) -> Json:
    """Return who typed which command."""
    return {"name": guest.name, "text": text}


def message_json(message: Message) -> Json:
    """Return a message as the page gets it; files are fetched apart, by the digest that stands for them."""
    return {
        "id": str(message.id),
        "kind": message.kind.partition(":")[0],
        "private": message.guest is not None,
        "at": message.posted_at,
        "content": message.content,
    }


def command_json(command: CommandSpec, locale: str) -> Json:
    """Return a command as the page lists it."""
    return {
        "name": command.name,
        "summary": command.summaries.get(locale, command.summary),
        "arguments": [_argument(argument) for argument in command.arguments],
    }


def _argument(argument: ArgumentSpec) -> str:
    """Return what may be typed: the choices where they are few."""
    is_short = len(argument.choices) <= MOST_CHOICES_LISTED
    return " | ".join(argument.choices) if argument.choices and is_short else argument.name


def guest_json(guest: Guest) -> Json:
    """Return what everybody may know of a guest."""
    return {"id": guest.id, "name": guest.name}


MOST_CHOICES_LISTED = 4


def _callback_buttons(row: tuple[Button, ...]) -> list[CallbackButton]:
    """Leave out `PrivateChatButton`: the private pane is always open here."""
    return [button for button in row if isinstance(button, CallbackButton)]


def _button(button: CallbackButton) -> Json:
    return {
        "token": button.token,
        "label": button.label,
        "tone": button.tone.name.lower(),
        "enabled": button.enabled,
    }
