"""The Discord of the tests accepts the emojis that Discord accepts, and shows no others."""

from base64 import b64encode
from typing import Any

import pytest

from tests.wire.discord import Refusal, emojis
from tests.wire.discord_bot import Bot, refused


def image(content: bytes = b"\x89PNG") -> str:
    return f"data:image/png;base64,{b64encode(content).decode()}"


def home(bot: Bot) -> str:
    return f"/applications/{bot.server.state.application}/emojis"


async def posts_button(bot: Bot, emoji: str) -> tuple[int, Any]:
    button = {"type": 2, "style": 1, "custom_id": "a", "label": "Go", "emoji": {"id": emoji, "name": "ace"}}
    body = {"content": "x", "components": [{"type": 1, "components": [button]}]}
    return await bot.asks("POST", f"/channels/{bot.channel.id}/messages", body)


async def test_an_emoji_can_be_shown_until_it_is_removed(bot: Bot) -> None:
    status, emoji = await bot.asks("POST", home(bot), {"name": "ace", "image": image()})
    assert (status, emoji["name"]) == (201, "ace")
    _, listed = await bot.asks("GET", home(bot))
    assert [listed_emoji["id"] for listed_emoji in listed["items"]] == [emoji["id"]]
    assert (await posts_button(bot, emoji["id"]))[0] == 200
    assert (await bot.asks("DELETE", f"{home(bot)}/{emoji['id']}"))[0] == 204
    assert refused(await posts_button(bot, emoji["id"]), Refusal.INVALID_FORM)
    assert refused(await bot.asks("DELETE", f"{home(bot)}/{emoji['id']}"), Refusal.UNKNOWN_EMOJI)


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("ace-of-spades", image()),
        ("a", image()),
        ("ace", "queen"),
        ("ace", "data:image/png;base64,~"),
        ("ace", image(b"x" * (emojis.LARGEST + 1))),
        ("known", image()),
    ],
)
async def test_names_are_plain_and_new_and_pictures_small(bot: Bot, name: str, picture: str) -> None:
    await bot.asks("POST", home(bot), {"name": "known", "image": image()})
    assert refused(await bot.asks("POST", home(bot), {"name": name, "image": picture}), Refusal.INVALID_FORM)
    bot.server.state.violations.clear()  # a name too short breaks the schema as well


async def test_there_is_a_last_emoji(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emojis, "MOST", 1)
    assert (await bot.asks("POST", home(bot), {"name": "ace", "image": image()}))[0] == 201
    answer = await bot.asks("POST", home(bot), {"name": "king", "image": image()})
    assert refused(answer, Refusal.TOO_MANY_EMOJIS)


async def test_another_application_keeps_its_emojis(bot: Bot) -> None:
    assert refused(await bot.asks("GET", "/applications/1/emojis"), Refusal.MISSING_ACCESS)
