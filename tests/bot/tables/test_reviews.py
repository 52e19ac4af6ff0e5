"""`/review`: a look back at one's own moves, in the background and for one's own eyes."""

import asyncio
from collections.abc import Callable
from time import monotonic, sleep

import pytest

from adapters.port import Reply, RoomRef, User
from bot.model.message_slots import MessageKind, MessageSlot
from bot.model.table import Phase, Table
from bot.storage import RecordStore
from bot.storage.models import EntryRow
from bot.tables import reviews
from bot.tables.worker import worker
from tests.bot.chat import CELLAR, ROOM, own_room, text_of
from tests.bot.house import ANNA, BORIS, CLARA, SHORT_GAME, House

LOOKING = "🔎 Looking at your game"
REVIEW = "Review · game "
PATIENCE = 60.0
"""Seconds for a review, on a machine that is busy with other tests."""


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few guesses do, in a process that does not stand back behind other tests."""
    monkeypatch.setattr(reviews, "worker", lambda **_: worker())
    monkeypatch.setattr(reviews, "GLANCE", reviews.Effort(guesses=5, seconds=0.02, together=1.0))
    monkeypatch.setattr(reviews, "LOOK", reviews.Effort(guesses=20, seconds=0.05, together=1.0))


def private(reply: Reply) -> str:
    assert reply.public is None
    assert reply.private is not None, reply.toast
    return text_of(reply.private)


def reviews_of(house: House, user: User = ANNA) -> list[str]:
    return [message.text for message in house.chat.sees_alone(user) if message.text.startswith(REVIEW)]


async def eventually(house: House, holds: Callable[[], object]) -> None:
    """Wait for what another process thinks of; the test's own time stands still."""
    until = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < until, "waited in vain"
        await asyncio.to_thread(sleep, 0.1)
        await house.settle()


async def finished(house: House, *people: User, room: RoomRef = ROOM) -> Table:
    table = await house.dealt(*people, room=room, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    return table


def test_the_last_looks_are_short_where_the_first_took_long() -> None:
    effort = reviews.Effort(guesses=1, seconds=0.3, together=4.0)
    assert effort.share(spent=0.0, left=10) == 0.3
    assert effort.share(spent=2.0, left=10) == 0.2
    assert effort.share(spent=9.0, left=10) == reviews.LEAST


async def test_a_review_is_announced_at_once_and_comes_in_private(house: House) -> None:
    await finished(house, ANNA, BORIS)
    house.chat.sent.clear()
    assert private(await house.chat.types(ANNA, "/review")).startswith(LOOKING)
    await eventually(house, lambda: reviews_of(house))
    (told,) = reviews_of(house)
    assert told.startswith("Review · game 1\n\n")
    assert "Nothing to regret" in told or "Risk of being the fool: " in told
    assert {sent.place for sent in house.chat.sent} == {ANNA.ref}
    assert house.chat.sent[-1].verb == "post"


async def test_who_asks_again_is_shown_it_at_once_and_it_is_looked_at_once(house: House) -> None:
    await finished(house, ANNA, BORIS)
    for _ in range(2):
        assert private(await house.chat.types(ANNA, "/review")).startswith(LOOKING)
    assert private(await house.chat.types(BORIS, "/review")).startswith(LOOKING)
    await eventually(house, lambda: reviews_of(house, BORIS))  # who asked last is answered last
    (told,) = reviews_of(house)
    found = [sent for sent in house.chat.sent if sent.screen and text_of(sent.screen) == told]
    assert [sent.place for sent in found].count(ANNA.ref) == 1
    assert private(await house.chat.types(ANNA, "/review")) == told


async def test_a_review_outlives_a_closed_private_chat(house: House) -> None:
    await finished(house, ANNA, BORIS)
    house.chat.closed.add(ANNA.ref)
    await house.chat.types(ANNA, "/review")
    assert house.chat.room_sees()[-1].text == (
        "Anna, the answer is for you alone: open the private chat and ask again."
    )
    tried = len(house.chat.sent)
    await eventually(house, lambda: len(house.chat.sent) > tried)
    assert reviews_of(house) == []
    house.chat.closed.clear()
    assert private(await house.chat.types(ANNA, "/review")).startswith(REVIEW)


async def test_after_a_restart_asking_again_brings_a_new_message(house: House) -> None:
    await finished(house, ANNA, BORIS)
    await house.chat.types(ANNA, "/review")
    await eventually(house, lambda: reviews_of(house))
    old = house.chat.sees_alone(ANNA)[-1].ref
    await house.restart()
    assert private(await house.chat.types(ANNA, "/review")).startswith(LOOKING)
    await eventually(house, lambda: house.chat.sees_alone(ANNA)[-1].text.startswith(REVIEW))
    assert len(reviews_of(house)) == 1
    assert house.chat.sees_alone(ANNA)[-1].ref != old


async def test_a_look_that_fails_is_a_sentence_and_the_next_one_works(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(house, ANNA, BORIS)
    with monkeypatch.context() as patched:
        patched.setattr(reviews, "LONGEST", -1.0)
        await house.chat.types(ANNA, "/review")
        await eventually(house, lambda: reviews_of(house))
    assert reviews_of(house) == ["Review · game 1\n\nLooking at your game failed. Please try again: /review"]
    assert private(await house.chat.types(ANNA, "/review")).startswith(LOOKING)
    await eventually(house, lambda: [told for told in reviews_of(house) if "failed" not in told])
    assert (await house.bot.tables.table(table.id)).phase is Phase.OVER


async def test_a_journal_that_cannot_be_played_is_a_sentence(house: House) -> None:
    table = await finished(house, ANNA, BORIS)
    async with house.database.session() as session:
        (await session.get_one(EntryRow, (table.id, 3))).text = "A nonsense"
        await session.commit()
    await house.chat.types(ANNA, "/review")
    await eventually(house, lambda: reviews_of(house))
    assert "failed" in reviews_of(house)[0]


async def test_a_running_game_is_not_looked_at(house: House) -> None:
    assert (await house.chat.types(ANNA, "/review")).toast == "You have finished no game yet."
    table = await house.dealt(ANNA, BORIS)
    not_over = "Your game here is not over: /review looks back at finished games."
    assert (await house.chat.types(ANNA, "/review")).toast == not_over
    assert (await house.chat.types(ANNA, "/review", CELLAR)).toast == "You have finished no game yet."
    await house.bot.tables.change(table.id, Table.close)
    assert (await house.chat.types(ANNA, "/review")).toast == "You have finished no game yet."
    assert (await house.chat.types(CLARA, "/review")).toast == "You have finished no game yet."


async def test_a_game_in_this_room_comes_before_newer_ones_elsewhere(house: House) -> None:
    here = await finished(house, ANNA, BORIS)
    house.hours.skip(60)
    there = await finished(house, ANNA, CLARA, room=CELLAR)
    records = RecordStore(house.database)
    for room, table in ((ROOM, here), (CELLAR, there), (own_room(ANNA), there)):
        played = await records.newest_of(ANNA.ref, near=room)
        assert played is not None
        assert (played.table_id, played.game, played.seat) == (table.id, 1, 0)
    played = await records.newest_of(CLARA.ref, near=ROOM)
    assert played is not None
    assert (played.table_id, played.seat) == (there.id, 1)


async def test_who_left_their_moves_to_others_chose_nothing(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "🏳️ Leave")
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "Let a house player")
    await house.settle()
    while (await house.session(table)).outcome is None:
        if await house.waiting_for(table) == BORIS:
            await house.plays(table)
        await house.settle()
    await house.chat.types(ANNA, "/review")
    await eventually(house, lambda: reviews_of(house))
    assert reviews_of(house) == ["Review · game 1\n\nYou had nothing to choose in this game."]


async def test_rules_that_no_expert_looks_ahead_in_are_a_sentence(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules="podkidnoy-36 decks=2")
    for _ in range(4):
        await house.plays(table)
    await house.bot.tables.resign(table.id, BORIS)
    await house.settle()
    await house.chat.types(ANNA, "/review")
    await eventually(house, lambda: reviews_of(house))
    assert "By these rules an expert cannot look ahead" in reviews_of(house)[0]


async def test_who_is_forgotten_has_no_review(house: House) -> None:
    table = await finished(house, ANNA, BORIS)
    await house.chat.types(ANNA, "/review")
    await eventually(house, lambda: reviews_of(house))
    await house.chat.types(ANNA, "/forgetme yes")
    assert house.bot.reviews.places(table.id) == {}
    assert (await house.chat.types(ANNA, "/review")).toast == "You have finished no game yet."


async def test_old_reviews_are_forgotten(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "KEPT", 1)
    await house.restart()
    table = await finished(house, ANNA, BORIS)
    for user in (ANNA, BORIS):
        await house.chat.types(user, "/review")
    await eventually(house, lambda: reviews_of(house, BORIS))
    assert list(house.bot.reviews.places(table.id)) == [
        MessageSlot(table.id, 1, MessageKind.REVIEW, BORIS.ref)
    ]
    house.bot.outbox.changed(table.id)
    await house.settle()
    assert len(reviews_of(house, ANNA)) == 1
