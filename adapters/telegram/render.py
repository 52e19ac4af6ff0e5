"""Turns screens into Telegram's HTML and inline keyboards."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from math import inf
from urllib.parse import quote, urlencode

from telegram.helpers import create_deep_linked_url

from adapters import port
from adapters.telegram.refs import PLATFORM, Address, payload_of

LIMITS = port.Limits(
    buttons=100,
    per_row=8,
    label=48,
    body=4000,
    toast=200,
    caption=1000,
    private_pictures=False,
    private_chat=port.PrivateChat.BEHIND_A_STEP,
    ephemeral_seconds=inf,
    document=20_000_000,  # Telegram accepts 50 MB, but a slow line would have to send them in one request
    names_ring=True,
    portraits=True,
    pin_right=port.gettext_noop("Pin Messages"),
)
MAX_TEXT_LENGTH = 4096
MAX_CAPTION_LENGTH = 1024

_TAGS = {port.Mark.BOLD: "b", port.Mark.ITALIC: "i", port.Mark.CODE: "code", port.Mark.STRIKE: "s"}
_STYLES = {port.Tone.PRIMARY: "primary", port.Tone.GOOD: "success", port.Tone.DANGER: "danger"}
_FOLD = "\n<blockquote expandable>"
_END_OF_FOLD = "</blockquote>"
_SUPERGROUP = "-100"

# An `InlineKeyboardMarkup` as the Bot API describes it.
Keyboard = Mapping[str, Sequence[Sequence[Mapping[str, object]]]]

# Returns the action of a button that opens a table; None to answer its press with a link.
TableAction = Callable[[int], Mapping[str, object] | None]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A message as sent to Telegram; `png` is None for plain text."""

    html: str
    keyboard: Keyboard | None
    png: bytes | None


def render(
    screen: port.Screen,
    bot_name: str,
    *,
    takes_pictures: bool = True,
    table_action: TableAction = lambda table_id: None,
) -> Rendered:
    """Renders a screen.

    If the text is too long for a caption, the picture is left out, as the text has the same facts. Below a
    picture, the details that it shows as well are folded.
    """
    keyboard = keyboard_of(screen.rows, bot_name, table_action)
    if screen.picture is None or not takes_pictures or not fits_caption(screen.text):
        return Rendered(html_of(screen.text), keyboard, None)
    folded = f"{_FOLD}{html_of(screen.details)}{_END_OF_FOLD}" if screen.details else ""
    return Rendered(html_of(screen.body) + folded, keyboard, screen.picture.png)


def fits_caption(body: tuple[port.Span, ...]) -> bool:
    """Returns whether a text fits as the caption of a picture or a document."""
    return sum(_units(span.text) for span in body) <= MAX_CAPTION_LENGTH


def html_of(body: tuple[port.Span, ...]) -> str:
    """Returns a text as HTML, escaped and with its marks; cuts it at the length that Telegram accepts."""
    room = MAX_TEXT_LENGTH
    pieces = list[str]()
    for span in body:
        html, units = _render_spans(span)
        if units > room:
            html, units = _render_spans(replace(span, text=_shorten(_storable(span.text), room)))

        room -= units
        pieces.append(html)

    return "".join(pieces)


@lru_cache(maxsize=1024)
def _render_spans(span: port.Span) -> tuple[str, int]:
    """Returns a span as HTML, and its length as Telegram counts it; cached, as most spans recur."""
    text = _storable(span.text)
    html = escape(text)
    if html and (tag := _TAGS.get(span.mark)) is not None:
        html = f"<{tag}>{html}</{tag}>"

    address = ""
    if span.mention is not None and span.mention.id.isdecimal():  # such a link notifies the person
        address = f"tg://user?id={span.mention.id}"
    elif span.link is not None and span.link.platform == PLATFORM:
        linked = Address.of(span.link)
        if (chat := str(linked.chat)).startswith(_SUPERGROUP):  # other chats' messages have no address
            address = f"https://t.me/c/{chat.removeprefix(_SUPERGROUP)}/{linked.message}"

    if html and address:
        html = f'<a href="{escape(address)}">{html}</a>'

    return html, _units(text)


def keyboard_of(
    rows: tuple[tuple[port.Button, ...], ...],
    bot_name: str,
    table_action: TableAction = lambda table_id: None,
) -> Keyboard | None:
    """Returns the inline keyboard; leaves out disabled buttons, which Telegram does not have."""
    filled = list[list[Mapping[str, object]]]()
    for row in rows:
        buttons = list[Mapping[str, object]]()
        for button in row:
            fields: dict[str, object] = {"text": _label(button.label)}
            match button:
                case port.ViewButton(table_id=table_id) if (action := table_action(table_id)) is not None:
                    fields.update(action)
                case port.CallbackButton(enabled=True):
                    fields["callback_data"] = button.token
                    if button.tone in _STYLES:
                        fields["style"] = _STYLES[button.tone]
                case port.PrivateChatButton():
                    fields["url"] = deep_link(button.room, bot_name)
                case port.LinkButton():
                    fields["url"] = _address_of(button)
                case port.AddToGroupButton(marks=None):
                    fields["url"] = create_deep_linked_url(bot_name, "here", group=True)
                case _:  # disabled, or asks for the right to set tags, for which Telegram has no link
                    continue

            buttons.append(fields)

        if buttons:
            filled.append(buttons)

    return {"inline_keyboard": filled} if filled else None


def _address_of(button: port.LinkButton) -> str:
    """Returns the address of a button; a share button's opens a list of chats, and writes the text there."""
    if not isinstance(button, port.ShareButton):
        return button.url

    message = {"url": button.url, "text": button.text}
    return f"https://t.me/share/url?{urlencode(message, quote_via=quote)}"


def deep_link(room: port.RoomRef, bot_name: str) -> str:
    """Returns the address that opens the private chat, and names the room it is opened from."""
    return create_deep_linked_url(bot_name, payload_of(room))


@lru_cache(maxsize=1024)
def _label(text: str) -> str:
    return _shorten(_storable(text).strip(), LIMITS.label) or "…"


def _storable(text: str) -> str:
    """Returns the text without lone surrogates and zero bytes, which cannot be sent."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def _units(text: str) -> int:
    """Returns the length as Telegram counts it: in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "replace")) // 2


def _shorten(text: str, limit: int) -> str:
    if 2 * len(text) <= limit or _units(text) <= limit:
        return text
    beginning = text.encode("utf-16-le")[: 2 * max(limit - 1, 0)].decode("utf-16-le", "ignore")
    return f"{beginning}…" if limit else ""
