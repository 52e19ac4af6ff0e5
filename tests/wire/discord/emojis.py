"""REST: the application's own emojis, for its messages and buttons."""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from typing import Any

from tests.wire.discord.errors import ApiError, Refusal
from tests.wire.discord.payloads import account_json
from tests.wire.discord.state import Call, DiscordState
from tests.wire.discord.world import Emoji

NAME = re.compile(r"[A-Za-z0-9_]{2,32}")
IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,(.+)", re.DOTALL)
MOST = 2000
LARGEST = 256 * 1024


async def list_emojis(state: DiscordState, call: Call) -> dict[str, Any]:
    state.own_application(call)
    return {"items": [_emoji_json(state, emoji) for emoji in state.emojis.values()]}


async def create_emoji(state: DiscordState, call: Call) -> dict[str, Any]:
    """Stores an emoji if its name is new and its picture small enough."""
    state.own_application(call)
    name = call.body["name"]
    image = _image(call.body["image"])

    if not NAME.fullmatch(name):
        raise ApiError(Refusal.INVALID_FORM, "name: letters, digits and underscores only")
    if any(emoji.name == name for emoji in state.emojis.values()):
        raise ApiError(Refusal.INVALID_FORM, "name: an emoji with this name already exists")
    if len(image) > LARGEST:
        raise ApiError(Refusal.INVALID_FORM, "image: File cannot be larger than 256.0 kb.")
    if len(state.emojis) >= MOST:
        raise ApiError(Refusal.TOO_MANY_EMOJIS)

    emoji = Emoji(name, image)
    state.emojis[emoji.id] = emoji
    return _emoji_json(state, emoji)


async def delete_emoji(state: DiscordState, call: Call) -> None:
    state.own_application(call)
    if state.emojis.pop(int(call.params["emoji_id"]), None) is None:
        raise ApiError(Refusal.UNKNOWN_EMOJI)


def _image(text: str) -> bytes:
    try:
        image = b64decode(match[1], validate=True) if (match := IMAGE.fullmatch(text)) else b""
    except NotBase64:
        image = b""
    if not image:
        raise ApiError(Refusal.INVALID_FORM, "image: Invalid image data")
    return image


def _emoji_json(state: DiscordState, emoji: Emoji) -> dict[str, Any]:
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "user": account_json(state.bot),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
