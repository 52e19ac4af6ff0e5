"""Personal data: its export, and its deletion."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from adapters.port import PrivateChat, Reply
from bot.model.owner import Owner
from tests.bot.chat import own_room
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot
from tests.bot.storage.samples import unpacked


async def data_of(reply: Reply) -> dict[str, list[dict[str, Any]]]:
    assert reply.later is not None
    parts = [part.document for part in await reply.later()]
    return unpacked([part.content for part in parts if part is not None])


def secret(reply: Reply) -> str:
    assert reply.secret is not None
    return text_of(reply.secret)


def public(reply: Reply) -> str:
    shown = reply.public or reply.ephemeral
    assert shown is not None
    return text_of(shown)


async def played(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.plays(table)
    await bot.plays(table)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()


async def test_everybody_gets_what_is_kept_about_them_and_nothing_of_others(bot: RunningBot) -> None:
    await played(bot)
    found = await data_of(await bot.chat.types(ANNA, "/mydata"))
    assert found["person"][0]["name"] == "Anna"
    assert [seat["name"] for seat in found["seats"]] == ["Anna"]
    assert [result["is_loser"] for result in found["results"]] == [True]
    assert {move["seat"] for move in found["moves"]} == {0}

    told = json.dumps(found)
    assert "Boris" not in told
    assert "seed" not in told


async def test_what_is_too_much_for_one_file_of_the_chat_comes_in_several(bot: RunningBot) -> None:
    await played(bot)
    whole = await data_of(await bot.chat.types(ANNA, "/mydata"))

    bot.chat.limits = replace(bot.chat.limits, document=1_000)
    reply = await bot.chat.types(ANNA, "/mydata")
    assert reply.later is not None
    documents = [part.document for part in await reply.later() if part.document is not None]

    names = [document.name for document in documents]
    assert names == [f"mydata-{number}.zip" for number in range(1, len(names) + 1)]
    assert len(names) > 1
    assert unpacked([document.content for document in documents]) == whole


async def test_who_has_to_wait_for_their_file_is_told_so(
    bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.handlers.privacy.SOON", 0.0)
    reply = await bot.chat.types(ANNA, "/mydata")
    assert reply.secret is not None
    assert text_of(reply.secret) == "I’ll send the file in a moment."
    await data_of(reply)


async def test_how_somebody_sorts_their_cards_is_shown_to_them_and_forgotten_with_them(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "⇅ By suit")
    assert (await data_of(await bot.chat.types(ANNA, "/mydata")))["person"][0]["hand_order"] == "suit"
    await bot.app.tables.resign(table.id, ANNA)
    await bot.chat.types(ANNA, "/forgetme yes")
    assert "person" not in await data_of(await bot.chat.types(ANNA, "/mydata"))


async def test_a_chat_without_files_shows_the_same_rows_page_by_page(bot: RunningBot) -> None:
    await played(bot)
    whole = await data_of(await bot.chat.types(ANNA, "/mydata"))

    bot.chat.limits = replace(bot.chat.limits, documents=False, body=400)
    listed = secret(await bot.chat.types(ANNA, "/mydata"))
    for number, (kind, rows) in enumerate(whole.items(), start=1):
        assert f"{number}. {kind}: {len(rows)}" in listed

        text = ""
        command: str | None = f"/mydata {number}"
        while command is not None:
            shown = secret(await bot.chat.types(ANNA, command))
            assert len(shown) <= bot.chat.limits.body
            text += shown.split("\n\n")[1]
            more = re.search(r"/mydata \d+ \d+$", shown)
            command = None if more is None else more[0]

        assert [json.loads(row) for row in text.splitlines()] == rows


async def test_of_who_never_did_anything_nothing_is_kept(bot: RunningBot) -> None:
    found = await data_of(await bot.chat.types(CLARA, "/mydata"))
    assert not found


async def test_everything_that_knows_somebody_is_shown_to_them(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await played(bot)
    await bot.chat.types(ANNA, "/durak", own_room(ANNA))
    await bot.chat.types(ANNA, "/settings save mine", own_room(ANNA))

    found = await data_of(await bot.chat.types(ANNA, "/mydata"))
    assert found["person"][0]["reachable"] is True
    assert {row["kind"] for row in found["messages the bot may edit"]} == {"hand"}
    assert [row["name"] for row in found["rules saved in the private chat"]] == ["mine"]
    assert [row["ref"] for row in found["private chat"]] == [ANNA.ref.id]
    assert [row["id"] for row in found["tables opened"]] == [1, 2]


async def test_who_is_forgotten_leaves_a_nameless_player_and_others_their_tallies(
    bot: RunningBot,
) -> None:
    await played(bot)
    before = public(await bot.chat.types(BORIS, "/stats"))
    asked = await bot.chat.types(ANNA, "/forgetme")
    assert asked.ephemeral is not None
    assert "can’t be undone" in text_of(asked.ephemeral)
    assert "Anna" in public(await bot.chat.types(BORIS, "/fool"))
    assert (await bot.chat.types(ANNA, "/forgetme YES")).toast == "Done, I’ve forgotten you."

    fools = public(await bot.chat.types(BORIS, "/fool"))
    assert "Anna" not in fools
    assert "a player · 1 of 1 game" in fools
    assert public(await bot.chat.types(BORIS, "/stats")) == before.replace("Anna", "a player")
    assert not await data_of(await bot.chat.types(ANNA, "/mydata"))


async def test_a_chat_forgets_a_name_as_it_was_given_and_as_it_was_shown(bot: RunningBot) -> None:
    theodora = replace(ANNA, name="Theodora the Great of Byzantium")
    await bot.opened(theodora, BORIS)
    (shown,) = set(re.findall("Theodora[^·\n]*…", bot.table_message().text))
    await bot.chat.types(theodora, "/forgetme yes")
    assert bot.chat.forgotten == {theodora.name, shown}


async def test_a_rematch_does_not_bring_back_who_was_forgotten(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.chat.types(ANNA, "/forgetme yes")
    again = await bot.app.tables.rematch(table.id, BORIS)
    assert again.people() == (BORIS.ref,)


@pytest.mark.parametrize("is_alone", [True, False])
async def test_being_forgotten_takes_one_press_where_nobody_else_can_press(
    bot: RunningBot, *, is_alone: bool
) -> None:
    private_chat = PrivateChat.IN_THE_ROOM if is_alone else PrivateChat.BEHIND_A_STEP
    bot.chat.limits = replace(bot.chat.limits, private_chat=private_chat)
    await bot.chat.types(ANNA, "/forgetme")
    message = list(bot.chat.messages.values())[-1]
    assert ("/forgetme yes" in message.text, bool(message.buttons)) == (not is_alone, is_alone)
    if is_alone:
        text = (await bot.chat.presses(ANNA, message.ref, "Forget me")).toast
        assert text == "Done, I’ve forgotten you."


@pytest.mark.parametrize("is_private", [True, False])
async def test_privacy_tells_what_is_kept_and_whom_to_ask(bot: RunningBot, *, is_private: bool) -> None:
    bot.app.owner = Owner("owner@durak.example", "https://durak.example/privacy")
    room = own_room(ANNA) if is_private else None
    reply = await (bot.chat.types(ANNA, "/privacy", room) if room else bot.chat.types(ANNA, "/privacy"))
    assert reply.ephemeral is not None

    text = text_of(reply.ephemeral)
    assert "/mydata" in text
    assert "/forgetme" in text
    assert text.endswith("Questions: owner@durak.example\nIn full: https://durak.example/privacy")


async def test_privacy_names_nobody_where_the_owner_has_given_no_address(bot: RunningBot) -> None:
    told = public(await bot.chat.types(ANNA, "/privacy"))
    assert "Questions" not in told
    assert "In full" not in told
