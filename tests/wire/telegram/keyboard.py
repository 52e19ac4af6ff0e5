"""Inline keyboards, within Telegram's limits."""

from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.schema import Json
from tests.wire.telegram.world import Button

MAX_BUTTONS = 100
WIDEST_ROW = 8
MAX_TOKEN_LENGTH = 64
STYLES = frozenset({None, "danger", "success", "primary"})


def read_keyboard(markup: Json | None, *, is_private: bool) -> tuple[tuple[Button, ...], ...]:
    """Parses the rows of a `reply_markup`.

    Raises:
        ApiError: Telegram would refuse the keyboard.
    """
    if not markup:
        return ()
    rows = tuple(tuple(_read_button(button) for button in row) for row in markup["inline_keyboard"])
    if sum(map(len, rows)) > MAX_BUTTONS or any(len(row) > WIDEST_ROW for row in rows):
        raise bad_request("REPLY_MARKUP_TOO_LONG")
    if not is_private and any(button.web_app for row in rows for button in row):
        raise bad_request("BUTTON_TYPE_INVALID")
    return tuple(row for row in rows if row)


def _read_button(button: Json) -> Button:
    if not button["text"].strip():
        raise bad_request("can't parse inline keyboard button: Text buttons must be non-empty")

    actions = set(button) - {"text", "style", "icon_custom_emoji_id"}
    if len(actions) != 1:
        raise bad_request("can't parse inline keyboard button: exactly one action must be given")

    token = button.get("callback_data")
    url = button.get("url")
    style = button.get("style")

    if token is not None and not 1 <= len(token.encode()) <= MAX_TOKEN_LENGTH:
        raise bad_request("BUTTON_DATA_INVALID")
    if url is not None and not url.startswith(("https://", "tg://")):
        raise bad_request("BUTTON_URL_INVALID")

    web_app = button.get("web_app", {}).get("url")
    if web_app is not None and not web_app.startswith("https://"):
        raise bad_request("inline keyboard button Web App URL is invalid: Only HTTPS links are allowed")
    if style not in STYLES:
        raise bad_request("BUTTON_STYLE_INVALID")

    return Button(button["text"], token, url, style, web_app)
