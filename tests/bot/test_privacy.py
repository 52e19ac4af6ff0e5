"""What is kept about people, and how it ends."""

import json
import sqlite3
from contextlib import closing
from typing import Any

from sqlalchemy import make_url

from adapters.port import Reply
from tests.bot.chat import text_of
from tests.bot.house import ANNA, BORIS, CLARA, House


def data_of(reply: Reply) -> dict[str, Any]:
    assert reply.document is not None
    found: dict[str, Any] = json.loads(reply.document.content)
    return found


def public(reply: Reply) -> str:
    assert reply.public is not None
    return text_of(reply.public)


async def played(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    await house.plays(lobby)
    await house.plays(lobby)
    await house.bot.parlour.resign(lobby.id, ANNA)
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
    lobby = await house.dealt(ANNA, BORIS)
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "⇅ By suit")
    assert data_of(await house.chat.types(ANNA, "/mydata"))["person"]["hand_order"] == "suit"
    await house.bot.parlour.resign(lobby.id, ANNA)
    await house.chat.types(ANNA, "/forgetme yes")
    assert data_of(await house.chat.types(ANNA, "/mydata"))["person"]["hand_order"] == ""


async def test_who_never_played_has_nothing_but_a_name(house: House) -> None:
    found = data_of(await house.chat.types(CLARA, "/mydata"))
    assert found["person"]["name"] == "Clara"
    assert not found["results"]


async def test_who_is_forgotten_leaves_a_nameless_player_and_others_their_tallies(
    house: House, database_url: str
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
    assert data_of(await house.chat.types(ANNA, "/mydata"))["results"] == []
    with closing(sqlite3.connect(make_url(database_url).database or "")) as file:
        everything = "\n".join(file.iterdump())
    known = [line for line in everything.splitlines() if "Anna" in line]
    assert len(known) == 1  # she has just come back, as somebody new


async def test_who_sits_at_a_table_is_not_forgotten_under_the_others(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    assert "You sit at a table" in str((await house.chat.types(ANNA, "/forgetme yes")).toast)


async def test_a_rematch_does_not_bring_back_who_was_forgotten(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    await house.bot.parlour.resign(lobby.id, ANNA)
    await house.chat.types(ANNA, "/forgetme yes")
    again = await house.bot.parlour.rematch(lobby.id, BORIS)
    assert again.people() == (BORIS.ref,)
