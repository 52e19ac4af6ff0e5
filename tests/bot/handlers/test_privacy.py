"""What is kept about people, and how it ends."""

import json
from typing import Any

from adapters.port import Reply
from tests.bot.chat import own_room, text_of
from tests.bot.house import ANNA, BORIS, CLARA, House


def data_of(reply: Reply) -> dict[str, Any]:
    assert reply.document is not None
    found: dict[str, Any] = json.loads(reply.document.content)
    return found


def public(reply: Reply) -> str:
    assert reply.public is not None
    return text_of(reply.public)


async def played(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.plays(table)
    await house.plays(table)
    await house.bot.tables.resign(table.id, ANNA)
    await house.settle()


async def test_everybody_gets_what_is_kept_about_them_and_nothing_of_others(house: House) -> None:
    await played(house)
    found = data_of(await house.chat.types(ANNA, "/mydata"))
    assert found["person"]["name"] == "Anna"
    assert [seat["name"] for seat in found["seats"]] == ["Anna"]
    assert [result["is_loser"] for result in found["results"]] == [True]
    assert {move["seat"] for move in found["moves"]} == {0}
    told = json.dumps(found)
    assert "Boris" not in told
    assert "seed" not in told


async def test_how_somebody_sorts_their_cards_is_shown_to_them_and_forgotten_with_them(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "⇅ By suit")
    assert data_of(await house.chat.types(ANNA, "/mydata"))["person"]["hand_order"] == "suit"
    await house.bot.tables.resign(table.id, ANNA)
    await house.chat.types(ANNA, "/forgetme yes")
    assert data_of(await house.chat.types(ANNA, "/mydata"))["person"] is None


async def test_of_who_never_did_anything_nothing_is_kept(house: House) -> None:
    found = data_of(await house.chat.types(CLARA, "/mydata"))
    assert not any(found.values())


async def test_everything_that_knows_somebody_is_shown_to_them(house: House) -> None:
    house.chat.moderators.add(ANNA.ref)
    await played(house)
    await house.chat.types(ANNA, "/durak", own_room(ANNA))
    await house.chat.types(ANNA, "/settings save mine", own_room(ANNA))
    found = data_of(await house.chat.types(ANNA, "/mydata"))
    assert found["person"]["reachable"] is True
    assert {row["kind"] for row in found["messages the bot may edit"]} == {"hand"}
    assert [row["name"] for row in found["rules saved in the private chat"]] == ["mine"]
    assert [row["ref"] for row in found["private chat"]] == [ANNA.ref.id]
    assert [row["id"] for row in found["tables opened"]] == [1, 2]


async def test_who_is_forgotten_leaves_a_nameless_player_and_others_their_tallies(
    house: House,
) -> None:
    await played(house)
    before = public(await house.chat.types(BORIS, "/stats"))
    asked = await house.chat.types(ANNA, "/forgetme")
    assert "cannot be undone" in str(asked.toast)
    assert "Anna" in public(await house.chat.types(BORIS, "/fool"))
    assert (await house.chat.types(ANNA, "/forgetme YES")).toast == "Done: nothing here knows you any more."
    fools = public(await house.chat.types(BORIS, "/fool"))
    assert "Anna" not in fools
    assert "a player · fool 1" in fools
    assert public(await house.chat.types(BORIS, "/stats")) == before.replace("Anna", "a player")
    assert not any(data_of(await house.chat.types(ANNA, "/mydata")).values())


async def test_a_rematch_does_not_bring_back_who_was_forgotten(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.bot.tables.resign(table.id, ANNA)
    await house.chat.types(ANNA, "/forgetme yes")
    again = await house.bot.tables.rematch(table.id, BORIS)
    assert again.people() == (BORIS.ref,)
