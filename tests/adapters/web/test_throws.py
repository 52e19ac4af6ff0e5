"""Throws at the seats of a table in a room: visible on all its pages, ignored where they make no sense."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from adapters.web.render import board_json
from adapters.web.throws import MAX_WAITING, THROWS, Range, ThrowFrames, range_of
from tests.adapters.boards import board, hand, screen
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.web.client import Company, Visitor
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import posted

OUT_OF_RANGE = [0, -1, 3, True, 1.0, "1", None, [], {}]


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with web_site() as site:
        site.monotonic = 0.0  # however slow the machine is that runs this
        yield site


def content(**different: Any) -> Mapping[str, Any]:
    return {"board": board_json(board("Anna", "anna", "Boris", "🤖 Ada", **different))}


def throws(visitor: Visitor) -> list[dict[str, Any]]:
    return [frame for frame in map(json.loads, visitor.frames) if frame["type"] == "throw"]


# --- values ---


def test_players_throw_at_every_seat_but_their_own_and_onlookers_at_all() -> None:
    bots = frozenset({2})
    assert range_of(content(), "anna") == Range("1:1", 3, 0, frozenset(), bots)
    assert range_of(content(), "olga") == Range("1:1", 3, None, frozenset(), bots)


@pytest.mark.parametrize("shown", [{}, {"board": board_json(hand("9H"))}])
def test_what_shows_no_game_is_out_of_everybodys_range(shown: Mapping[str, Any]) -> None:
    assert range_of(shown, "anna") is None


@pytest.mark.parametrize("seat", OUT_OF_RANGE)
def test_a_throw_at_nobody_or_at_oneself_is_none(seat: object) -> None:
    assert Range("1:1", 3, 0, frozenset()).frame(seat) is None


def test_tomatoes_are_for_fools_alone() -> None:
    seats = Range("1:1", 3, 0, frozenset({2}))
    thrown = {seat: {(seats.frame(seat) or {})["thing"] for _ in range(200)} for seat in (1, 2)}
    assert thrown == {1: {"egg", "snowball", "slipper", "rose", "plane"}, 2: {"tomato"}}


def test_a_thing_can_be_chosen_but_no_tomato_for_those_who_did_not_lose() -> None:
    seats = Range("1:1", 3, 0, frozenset({2}))
    assert {(seats.frame(1, "rose") or {})["thing"] for _ in range(50)} == {"rose"}
    assert {(seats.frame(2, "rose") or {})["thing"] for _ in range(50)} == {"rose"}
    for wanted in ("tomato", "anvil", "", None, 7, ["rose"]):
        assert (seats.frame(1, wanted) or {})["thing"] in {"egg", "snowball", "slipper", "rose", "plane"}


def test_bots_throw_back_at_players_and_people_do_so_themselves() -> None:
    seats = Range("1:1", 3, 0, frozenset(), frozenset({2}))
    back = seats.answer(2)
    assert back is not None
    assert (back["by"], back["seat"]) == (2, 0)
    assert seats.answer(1) is None
    assert Range("1:1", 3, None, frozenset(), frozenset({2})).answer(2) is None, (
        "nobody knows where they stand"
    )


def test_only_players_make_remarks_and_only_those_that_there_are() -> None:
    seats = Range("1:1", 3, 0, frozenset())
    assert seats.remark("nice") == {"type": "remark", "board": "1:1", "seat": 0, "remark": "nice"}
    assert [seats.remark(wanted) for wanted in ("NICE", "", None, 3, ["nice"])] == [None] * 5
    assert Range("1:1", 3, None, frozenset()).remark("nice") is None


def test_a_page_that_takes_nothing_misses_throws_and_holds_nobody_up() -> None:
    frames = ThrowFrames()
    with frames.of(7) as slow, frames.of(8) as elsewhere:
        for _ in range(2 * MAX_WAITING):
            frames.send(7, {})
        assert (slow.qsize(), elsewhere.qsize()) == (MAX_WAITING, 0)

    frames.send(7, {})
    assert slow.qsize() == MAX_WAITING


# --- a room ---


async def test_all_in_the_room_see_a_throw_and_nothing_of_it_is_kept(
    site: Site, company: Company, anna: Visitor
) -> None:
    olga = await company.newcomer(site.url, "Olga")
    table = await posted(site, screen(board("Anna", anna.id), "My hand"))
    before = await site.store.messages(0, 100)
    assert await anna.send("throws", {"message": table.opaque, "seat": 1}) == (200, {})

    await eventually(lambda: throws(anna) and throws(olga))
    (thrown,) = throws(olga)
    assert (thrown["board"], thrown["by"], thrown["seat"]) == ("1:1", 0, 1)
    assert await site.store.messages(0, 100) == before
    assert not [*site.inbox.commands, *site.inbox.pressed]


async def test_a_throw_from_beside_the_table_names_no_seat(site: Site, anna: Visitor) -> None:
    table = await posted(site, screen(board("Boris", "somebody"), "My hand"))
    await anna.send("throws", {"message": table.opaque, "seat": 0})
    await eventually(lambda: throws(anna))
    assert throws(anna)[0]["by"] is None


async def test_one_throw_in_five_seconds_is_enough_for_anybody(
    site: Site, company: Company, anna: Visitor
) -> None:
    olga = await company.newcomer(site.url, "Olga")
    table = await posted(site, screen(board("Anna", anna.id), "My hand"))
    throw = {"message": table.opaque, "seat": 1}
    statuses = [(await guest.send("throws", throw))[0] for guest in (anna, anna, olga)]
    site.monotonic = THROWS.seconds
    statuses.append((await anna.send("throws", throw))[0])
    assert statuses == [200, 429, 200, 200]
    await eventually(lambda: len(throws(olga)) == 3)


async def test_a_bot_that_is_hit_throws_something_back(site: Site, anna: Visitor) -> None:
    table = await posted(site, screen(board("Anna", anna.id, "🤖 Ada"), "My hand"))
    await anna.send("throws", {"message": table.opaque, "seat": 1, "thing": "rose"})
    await eventually(lambda: len(throws(anna)) == 2)
    assert [(throw["by"], throw["seat"]) for throw in throws(anna)] == [(0, 1), (1, 0)]
    assert throws(anna)[0]["thing"] == "rose"


async def test_a_remark_of_a_player_is_seen_by_all_and_one_in_five_seconds(
    site: Site, company: Company, anna: Visitor
) -> None:
    olga = await company.newcomer(site.url, "Olga")
    table = await posted(site, screen(board("Anna", anna.id), "My hand"))
    remark = {"message": table.opaque, "remark": "luck"}
    statuses = [(await guest.send("remarks", remark))[0] for guest in (olga, anna, anna)]
    assert statuses == [200, 200, 429]

    def remarks() -> list[dict[str, Any]]:
        return [frame for frame in map(json.loads, olga.frames) if frame["type"] == "remark"]

    await eventually(lambda: bool(remarks()))
    assert remarks() == [{"type": "remark", "board": "1:1", "seat": 0, "remark": "luck"}], (
        "none from onlookers"
    )


async def test_a_forged_throw_does_nothing(site: Site, anna: Visitor) -> None:
    table = await posted(site, screen(board("Anna", anna.id), "My hand"))
    words = await posted(site, says("no table"))
    forged = [*((table.opaque, seat) for seat in OUT_OF_RANGE), (words.opaque, 1)]
    for number, (message, seat) in enumerate(forged):
        site.monotonic = number * THROWS.seconds
        assert await anna.send("throws", {"message": message, "seat": seat}) == (200, {})

    site.monotonic = len(forged) * THROWS.seconds
    assert (await anna.send("throws", {"message": "999", "seat": 1}))[0] == 404

    await posted(site, says("the end"))
    await eventually(lambda: "the end" in anna.texts(private=False))
    assert not throws(anna)


async def test_strangers_throw_nothing(site: Site, anna: Visitor) -> None:
    table = await posted(site, screen(board("Anna", anna.id), "My hand"))
    stranger = Visitor(anna.session, anna.url)
    assert (await stranger.send("throws", {"message": table.opaque, "seat": 1}))[0] == 401
