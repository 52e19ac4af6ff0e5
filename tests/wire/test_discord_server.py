"""The Discord of the tests keeps Discord's rules; a bot that breaks them is caught."""

import asyncio
import json
import zlib
from datetime import timedelta
from typing import Any

import aiohttp
import pytest

from tests.wire.discord import TOKEN, DiscordServer, Refusal, Right
from tests.wire.discord_bot import Bot, refused
from tests.wire.specs import spec_or_skip

EPHEMERAL = 64


async def test_a_wrong_token_is_refused(bot: Bot) -> None:
    assert refused(await bot.asks("GET", "/users/@me", token="other"), Refusal.UNAUTHORIZED)


async def test_a_request_outside_the_schema_is_refused_and_noted(bot: Bot) -> None:
    spec_or_skip("discord-openapi.json")
    answer = await bot.asks("POST", f"/channels/{bot.channel.id}/messages", {"contents": "x"})
    assert refused(answer, Refusal.INVALID_FORM)
    (violation,) = bot.server.state.violations
    assert "contents" in violation
    bot.server.state.violations.clear()


async def test_an_unknown_endpoint_is_noted(bot: Bot) -> None:
    await bot.asks("GET", "/nonsense")
    assert "not served" in bot.server.state.violations.pop()


async def test_what_was_noted_fails_the_test() -> None:
    server = await DiscordServer().__aenter__()
    server.state.violations.append("something")
    with pytest.raises(AssertionError, match="something"):
        await server.__aexit__(None, None, None)


async def test_the_first_answer_must_come_in_time_and_once(bot: Bot) -> None:
    bot.server.state.answer_within = 0.3
    async with asyncio.TaskGroup() as tasks:
        first = await bot.asked(tasks)
        late = await bot.asked(tasks)
        status, body = await bot.answers(first, 4, content="six cards", flags=EPHEMERAL)
        assert (status, body["resource"]["message"]["flags"]) == (200, EPHEMERAL)
        assert refused(await bot.answers(first, 4, content="again"), Refusal.ALREADY_ANSWERED)

        await asyncio.sleep(0.35)
        assert refused(await bot.answers(late, 4, content="too late"), Refusal.UNKNOWN_INTERACTION)
        assert refused(await bot.asks("POST", bot.hook(late), {"content": "x"}), Refusal.UNKNOWN_WEBHOOK)

    assert [message.text for message in bot.anna.sees(bot.channel)] == ["six cards"]
    assert bot.boris.sees(bot.channel) == []


async def test_a_token_ends_after_its_time(bot: Bot) -> None:
    async with asyncio.TaskGroup() as tasks:
        interaction = await bot.asked(tasks)
        await bot.answers(interaction, 5, flags=EPHEMERAL)
    original = bot.hook(interaction, "/messages/@original")
    assert (await bot.asks("PATCH", original, {"content": "six cards"}))[0] == 200
    bot.server.state.token_lives = 0.0
    assert refused(await bot.asks("PATCH", original, {"content": "x"}), Refusal.INVALID_WEBHOOK_TOKEN)


async def test_the_first_followup_takes_the_place_of_the_announcement(bot: Bot) -> None:
    async with asyncio.TaskGroup() as tasks:
        interaction = await bot.asked(tasks)
        await bot.answers(interaction, 5, flags=EPHEMERAL)
    await bot.asks("POST", bot.hook(interaction), {"content": "meant for all"})
    (message,) = bot.anna.sees(bot.channel)
    assert (message.text, message.only) == ("meant for all", bot.anna.account)
    await bot.asks("POST", bot.hook(interaction), {"content": "for all"})
    assert [message.text for message in bot.boris.sees(bot.channel)] == ["for all"]


async def test_an_ephemeral_message_cannot_be_reached_through_its_channel(bot: Bot) -> None:
    async with asyncio.TaskGroup() as tasks:
        interaction = await bot.asked(tasks)
        _, body = await bot.answers(interaction, 4, content="six cards", flags=EPHEMERAL)
    path = f"/channels/{bot.channel.id}/messages/{body['resource']['message']['id']}"
    assert refused(await bot.asks("PATCH", path, {"content": "x"}), Refusal.UNKNOWN_MESSAGE)
    assert refused(await bot.asks("DELETE", path), Refusal.UNKNOWN_MESSAGE)


async def test_people_write_to_whom_they_may(bot: Bot) -> None:
    _, direct = await bot.asks("POST", "/users/@me/channels", {"recipient_id": str(bot.anna.account.id)})
    path = f"/channels/{direct['id']}/messages"
    assert (await bot.asks("POST", path, {"content": "hand"}))[0] == 200
    bot.anna.account.accepts_direct_messages = False
    assert refused(await bot.asks("POST", path, {"content": "hand"}), Refusal.CANNOT_MESSAGE_USER)
    assert bot.boris.sees(bot.anna.direct_messages) == []


@pytest.mark.parametrize(
    ("rights", "refusal"),
    [(Right(0), Refusal.MISSING_ACCESS), (Right.VIEW_CHANNEL, Refusal.MISSING_PERMISSIONS)],
)
async def test_a_bot_needs_its_rights(bot: Bot, rights: Right, refusal: Refusal) -> None:
    bot.channel.bot_rights = rights
    path = f"/channels/{bot.channel.id}/messages"
    assert refused(await bot.asks("POST", path, {"content": "x"}), refusal)


def row(*ids: str) -> dict[str, Any]:
    return {
        "type": 1,
        "components": [{"type": 2, "style": 1, "custom_id": custom_id, "label": "Go"} for custom_id in ids],
    }


@pytest.mark.parametrize(
    "body",
    [
        {"content": " "},
        {"content": "x" * 2001},
        {"content": "x", "components": [row("a", "a")]},
        {"content": "x", "components": [row(str(number)) for number in range(6)]},
        {
            "content": "x",
            "components": [{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "a"}]}],
        },
    ],
)
async def test_messages_have_limits(bot: Bot, body: dict[str, Any]) -> None:
    assert (await bot.asks("POST", f"/channels/{bot.channel.id}/messages", body))[0] == 400


CONTAINERS = 1 << 15


def container(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": 17, "components": list(parts)}]


def says(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def shows(file: str) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": file}}]}


@pytest.mark.parametrize(
    "body",
    [
        {"content": "x", "flags": CONTAINERS, "components": container(says("x"))},
        {"content": "x", "flags": CONTAINERS},
        {"flags": CONTAINERS, "components": []},
        {"components": container(says("x"))},
        {"content": "x", "components": [says("x")]},
        {"flags": CONTAINERS, "components": container(*[says("x")] * 40)},
        {"flags": CONTAINERS, "components": container(says("x" * 2001), says("x" * 2000))},
        {"flags": CONTAINERS, "components": container(says("x"), row("a", "a"))},
        {"flags": CONTAINERS, "components": container(shows("attachment://none.png"))},
        {"flags": CONTAINERS, "components": container({"type": 13, "file": {"url": "https://x.example/a"}})},
    ],
)
async def test_containers_have_limits(bot: Bot, body: dict[str, Any]) -> None:
    answer = await bot.asks("POST", f"/channels/{bot.channel.id}/messages", body)
    assert refused(answer, Refusal.INVALID_FORM)
    assert not bot.channel.messages


async def test_a_container_stays_one(bot: Bot) -> None:
    path = f"/channels/{bot.channel.id}/messages"
    full = container(*[says("x")] * 39)
    status, posted = await bot.asks("POST", path, {"flags": CONTAINERS, "components": full})
    assert (status, posted["content"], posted["flags"]) == (200, "", CONTAINERS)

    for change in (
        {"content": "x"},
        {"flags": 0, "components": [row("a")]},
        {"flags": 0, "content": "x", "components": []},
    ):
        assert refused(await bot.asks("PATCH", f"{path}/{posted['id']}", change), Refusal.INVALID_FORM)

    shorter = {"components": container(says("y"), row("a"))}
    assert (await bot.asks("PATCH", f"{path}/{posted['id']}", shorter))[0] == 200
    (message,) = bot.anna.sees(bot.channel)
    assert (message.text, [button["custom_id"] for button in message.buttons]) == ("y", ["a"])


async def test_a_message_becomes_a_container_once_its_content_is_gone(bot: Bot) -> None:
    path = f"/channels/{bot.channel.id}/messages"
    _, posted = await bot.asks("POST", path, {"content": "x"})
    change: dict[str, Any] = {"flags": CONTAINERS, "components": container(says("y"))}
    assert refused(await bot.asks("PATCH", f"{path}/{posted['id']}", change), Refusal.INVALID_FORM)
    assert (await bot.asks("PATCH", f"{path}/{posted['id']}", change | {"content": None}))[0] == 200
    assert [message.text for message in bot.anna.sees(bot.channel)] == ["y"]


async def test_every_byte_sent_is_on_record_with_those_who_saw_it(bot: Bot) -> None:
    path = f"/channels/{bot.channel.id}/messages"
    _, posted = await bot.asks("POST", path, {"content": "open ♠ secret"})
    await bot.asks("PATCH", f"{path}/{posted['id']}", {"content": "nothing"})

    async with asyncio.TaskGroup() as tasks:
        await bot.answers(await bot.asked(tasks), 4, content="six cards", flags=EPHEMERAL)

    seen = {
        who.account.name: " ".join(sent.text for sent in bot.server.state.transcript.seen_by(who.account))
        for who in (bot.anna, bot.boris)
    }
    assert "open ♠ secret" in seen["Anna"]
    assert "open ♠ secret" in seen["Boris"]
    assert "six cards" in seen["Anna"]
    assert "six cards" not in seen["Boris"]


async def test_a_real_budget_refuses_and_fills_again(bot: Bot) -> None:
    bot.server.state.limits.budget = (2, 0.2)
    path = f"/channels/{bot.channel.id}/messages"
    answers = [await bot.asks("POST", path, {"content": "x"}) for _ in range(3)]
    assert [status for status, _ in answers] == [200, 200, 429]
    await asyncio.sleep(answers[-1][1]["retry_after"] + 0.01)
    assert (await bot.asks("POST", path, {"content": "x"}))[0] == 200


async def test_the_whole_bot_has_a_budget_too_that_answers_to_presses_do_not_count_against(bot: Bot) -> None:
    bot.server.state.limits.enforce()
    path = f"/channels/{bot.channel.id}"
    bot.server.state.limits.budget = (1000, 5.0)
    answers = [await bot.asks("GET", path) for _ in range(51)]
    assert [status for status, _ in answers] == [200] * 50 + [429]
    assert answers[-1][1]["global"]

    async with asyncio.TaskGroup() as tasks:
        await bot.answers(await bot.asked(tasks), 4, content="six cards", flags=EPHEMERAL)

    assert bot.server.state.limits.refused == 1


async def test_the_gateway_packs_resumes_and_replays(bot: Bot) -> None:
    said: dict[str, Any] = {"token": TOKEN, "intents": 1, "properties": {}}
    async with bot.web.ws_connect(bot.server.gateway_url + "?compress=zlib-stream") as line:
        unpack = zlib.decompressobj()
        assert json.loads(unpack.decompress(await line.receive_bytes()))["op"] == 10

        await line.send_json({"op": 2, "d": said})
        ready = json.loads(unpack.decompress(await line.receive_bytes()))
        guild = json.loads(unpack.decompress(await line.receive_bytes()))
        assert (ready["t"], guild["t"], guild["d"]["id"]) == ("READY", "GUILD_CREATE", str(bot.guild.id))

        bot.server.gateway.cut()
        assert (await line.receive()).type in {aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR}

    bot.server.community.forbids_writing(bot.channel)
    async with bot.web.ws_connect(bot.server.gateway_url) as line:
        await line.receive_json()
        again = {"token": TOKEN, "session_id": ready["d"]["session_id"], "seq": guild["s"]}
        await line.send_json({"op": 6, "d": again})
        assert [(await line.receive_json())["t"] for _ in range(2)] == ["CHANNEL_UPDATE", "RESUMED"]


async def test_a_session_nobody_knows_is_invalid(bot: Bot) -> None:
    async with bot.web.ws_connect(bot.server.gateway_url) as line:
        await line.receive_json()
        await line.send_json({"op": 6, "d": {"token": TOKEN, "session_id": "none", "seq": 1}})
        assert await line.receive_json() == {"op": 9, "d": False, "s": None, "t": None}


async def test_people_press_what_they_see(bot: Bot) -> None:
    _, posted = await bot.asks(
        "POST", f"/channels/{bot.channel.id}/messages", {"content": "x", "components": [row("a")]}
    )
    message = bot.channel.messages[int(posted["id"])]
    stranger = bot.server.person("Stranger")

    with pytest.raises(LookupError, match="cannot see"):
        await stranger.presses(message, "a")

    with pytest.raises(LookupError, match="no button"):
        await bot.anna.presses(message, "b")

    message.button("a")["disabled"] = True
    with pytest.raises(LookupError, match="disabled"):
        await bot.anna.presses(message, "a")

    with pytest.raises(LookupError, match="no command"):
        await bot.anna.commands("nonsense", in_=bot.channel)


async def test_a_nonce_is_known_for_a_while(bot: Bot) -> None:
    path = f"/channels/{bot.channel.id}/messages"
    body = {"content": "x", "nonce": "6f1d", "enforce_nonce": True}
    first, again = [(await bot.asks("POST", path, body))[1]["id"] for _ in range(2)]
    assert first == again
    not_enforced = await bot.asks("POST", path, {"content": "x", "nonce": "6f1d"})
    bot.server.state.nonce_lives = timedelta(0)
    later = await bot.asks("POST", path, body)
    assert len({first, not_enforced[1]["id"], later[1]["id"]}) == 3
