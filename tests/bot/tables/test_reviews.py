"""`/review`: a review of the asker's moves, in the background and for the asker alone."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from time import monotonic, sleep

import pytest
from sqlmodel import Session

from adapters.port import Reply, ReviewState, RoomRef, User
from bot.cache import LIMITS
from bot.model.findings import NoFindings
from bot.model.messages import MessageKind, TableSlot
from bot.model.table import Phase, Table
from bot.storage import RecordStore
from bot.storage.models import EntryRow
from bot.tables import reviews
from bot.thinking import processes
from engine import Attack, Defend, Take
from tests.bot.chat import CELLAR, ROOM, own_room
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

pytestmark = pytest.mark.slow

LOOKING = "🔎 Reviewing your game"
REVIEW = "Review · game "
PATIENCE = 60.0  # seconds for a review, on a machine that is busy with other tests


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews by a few guesses, in a process without a lower priority."""
    monkeypatch.setattr(processes, "PATIENT_NICENESS", 0)
    monkeypatch.setattr(reviews, "GLANCE", reviews.Effort(guesses=5, seconds=0.02, together=1.0))
    monkeypatch.setattr(reviews, "LOOK", reviews.Effort(guesses=20, seconds=0.05, together=1.0))


def private(reply: Reply) -> str:
    assert reply.public is None
    assert reply.secret is not None, reply.toast
    return text_of(reply.secret)


def reviews_of(bot: RunningBot, user: User = ANNA) -> list[str]:
    return [message.text for message in bot.chat.sees_alone(user) if message.text.startswith(REVIEW)]


async def eventually(bot: RunningBot, holds: Callable[[], object]) -> None:
    """Waits for another process's thoughts, while the test's own time stands still."""
    until = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < until, "waited in vain"
        await asyncio.to_thread(sleep, 0.1)
        await bot.settle()


async def finished(bot: RunningBot, *people: User, room: RoomRef = ROOM) -> Table:
    table = await bot.dealt(*people, room=room, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    return table


def test_the_last_looks_are_short_where_the_first_took_long() -> None:
    effort = reviews.Effort(guesses=1, seconds=0.3, together=4.0)
    assert effort.share(spent=0.0, left=10) == 0.3
    assert effort.share(spent=2.0, left=10) == 0.2
    assert effort.share(spent=9.0, left=10) == reviews.MIN_DECISION_SECONDS


async def test_a_review_is_announced_at_once_and_comes_in_private(bot: RunningBot) -> None:
    await finished(bot, ANNA, BORIS)
    bot.chat.sent.clear()
    assert private(await bot.chat.types(ANNA, "/review")).startswith(LOOKING)

    await eventually(bot, lambda: reviews_of(bot))
    (review,) = reviews_of(bot)
    assert review.startswith("Review · game 1\n\n")
    assert "Nothing to regret" in review or "Fool risk" in review
    assert {sent.place for sent in bot.chat.sent} == {ANNA.ref}
    assert bot.chat.sent[-1].verb == "post"


async def test_whoever_played_can_ask_for_a_review_where_they_look_at_the_game_and_no_message_tells_of_it(
    bot: RunningBot,
) -> None:
    table = await finished(bot, ANNA, BORIS)
    bot.chat.sent.clear()

    async def state(user: User, *, wants_review: bool = False) -> ReviewState:
        replay = await bot.app.pages.replay(
            ROOM.server, table.id, 1, "en", user.ref, wants_review=wants_review
        )
        assert replay is not None
        return replay.review

    assert await state(CLARA, wants_review=True) is ReviewState.NONE
    assert await state(ANNA) is ReviewState.OFFERED
    assert await state(ANNA, wants_review=True) is ReviewState.UNDERWAY
    assert await state(BORIS) is ReviewState.OFFERED

    slot = TableSlot(table.id, 1, MessageKind.REVIEW, ANNA.ref)
    await eventually(bot, lambda: bot.app.reviews.findings(slot) is not None)
    assert await state(ANNA) is ReviewState.DONE
    assert bot.chat.sent == []


async def test_who_asks_again_is_shown_it_at_once_and_it_is_looked_at_once(bot: RunningBot) -> None:
    await finished(bot, ANNA, BORIS)
    for _ in range(2):
        assert private(await bot.chat.types(ANNA, "/review")).startswith(LOOKING)

    assert private(await bot.chat.types(BORIS, "/review")).startswith(LOOKING)
    await eventually(bot, lambda: reviews_of(bot, BORIS))  # the last request is answered last
    (review,) = reviews_of(bot)
    found = [sent for sent in bot.chat.sent if sent.screen and text_of(sent.screen) == review]
    assert [sent.place for sent in found].count(ANNA.ref) == 1
    assert private(await bot.chat.types(ANNA, "/review")) == review


async def test_a_review_outlives_a_closed_private_chat(bot: RunningBot) -> None:
    await finished(bot, ANNA, BORIS)
    bot.chat.closed.add(ANNA.ref)
    before = len(bot.chat.sent)
    await bot.chat.types(ANNA, "/review")
    assert bot.chat.room_sees()[-1].text == (
        "Anna, that’s for your eyes only: open the private chat and ask again."
    )

    await eventually(bot, lambda: len(bot.chat.sent) > before + 2)  # notices in private and here; the review
    assert reviews_of(bot) == []

    bot.chat.closed.clear()
    assert private(await bot.chat.types(ANNA, "/review")).startswith(REVIEW)


async def test_who_opens_the_private_chat_at_last_finds_the_review_there(bot: RunningBot) -> None:
    await finished(bot, ANNA, BORIS)
    bot.chat.closed.add(ANNA.ref)
    before = len(bot.chat.sent)
    await bot.chat.types(ANNA, "/review")
    await eventually(bot, lambda: len(bot.chat.sent) > before + 2)
    bot.chat.closed.clear()
    assert (await bot.chat.opens_private(ANNA)).toast is None

    await bot.settle()
    assert len(reviews_of(bot)) == 1


async def test_a_review_comes_where_it_was_asked_for_though_nothing_can_be_written_in_private(
    bot: RunningBot,
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    await finished(bot, ANNA, BORIS)
    bot.chat.closed.add(ANNA.ref)
    assert private(await bot.chat.types(ANNA, "/review")).startswith(LOOKING)

    await bot.settle()
    asked = bot.chat.sees_alone(ANNA)[-1]
    assert asked.text.startswith(LOOKING)

    await eventually(bot, lambda: reviews_of(bot))
    assert bot.chat.messages[asked.ref].text.startswith(REVIEW)
    assert reviews_of(bot, BORIS) == []


async def test_the_review_of_a_finished_game_is_there_while_the_next_one_runs(bot: RunningBot) -> None:
    table = await finished(bot, ANNA, BORIS)
    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()

    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()

    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING
    assert private(await bot.chat.types(ANNA, "/review")).startswith(LOOKING)

    await eventually(bot, lambda: reviews_of(bot))
    assert reviews_of(bot)[0].startswith("Review · game 1")


async def test_my_mistakes_under_the_result_is_the_review_of_that_game(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    await finished(bot, ANNA, BORIS)
    result = bot.chat.room_sees()[-1].ref
    await bot.chat.presses(ANNA, result, "Rematch")
    assert private(await bot.chat.presses(ANNA, result, "My mistakes")).startswith(LOOKING)

    await eventually(bot, lambda: reviews_of(bot))
    assert reviews_of(bot)[0].startswith("Review · game 1")
    assert reviews_of(bot, BORIS) == []
    assert bot.chat.messages[result].text.endswith("1\N{NO-BREAK SPACE}min")

    onlooker = await bot.chat.presses(CLARA, result, "My mistakes")
    assert onlooker.toast == "You didn’t play this game. /review looks back at your own last one."


async def test_after_a_restart_asking_again_brings_a_new_message(bot: RunningBot) -> None:
    await finished(bot, ANNA, BORIS)
    await bot.chat.types(ANNA, "/review")
    await eventually(bot, lambda: reviews_of(bot))
    old = bot.chat.sees_alone(ANNA)[-1].ref
    await bot.restart()
    assert private(await bot.chat.types(ANNA, "/review")).startswith(LOOKING)

    await eventually(bot, lambda: bot.chat.sees_alone(ANNA)[-1].text.startswith(REVIEW))
    assert len(reviews_of(bot)) == 1
    assert bot.chat.sees_alone(ANNA)[-1].ref != old


async def test_a_look_that_fails_is_a_sentence_and_the_next_one_works(
    bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(bot, ANNA, BORIS)
    with monkeypatch.context() as patched:
        patched.setattr(reviews, "REVIEW_TIMEOUT", -1.0)
        await bot.chat.types(ANNA, "/review")
        await eventually(bot, lambda: reviews_of(bot))

    assert reviews_of(bot) == ["Review · game 1\n\nThe review failed. Try again: /review"]
    assert private(await bot.chat.types(ANNA, "/review")).startswith(LOOKING)

    await eventually(bot, lambda: [told for told in reviews_of(bot) if "failed" not in told])
    assert (await bot.app.tables.table(table.id)).phase is Phase.OVER


async def test_a_journal_that_cannot_be_played_is_a_sentence(bot: RunningBot) -> None:
    table = await finished(bot, ANNA, BORIS)

    def damage(session: Session) -> None:
        session.get_one(EntryRow, (table.id, 3)).text = "A nonsense"

    await bot.database.write(damage)
    await bot.chat.types(ANNA, "/review")
    await eventually(bot, lambda: reviews_of(bot))

    assert "failed" in reviews_of(bot)[0]


async def test_a_running_game_is_not_looked_at(bot: RunningBot) -> None:
    assert (await bot.chat.types(ANNA, "/review")).toast == "You haven’t finished a game yet."
    table = await bot.dealt(ANNA, BORIS)
    not_over = "Your game here isn’t over: /review looks back at finished games."
    assert (await bot.chat.types(ANNA, "/review")).toast == not_over
    assert (await bot.chat.types(ANNA, "/review", CELLAR)).toast == "You haven’t finished a game yet."

    await bot.app.tables.change(table.id, Table.close)
    assert (await bot.chat.types(ANNA, "/review")).toast == "You haven’t finished a game yet."
    assert (await bot.chat.types(CLARA, "/review")).toast == "You haven’t finished a game yet."


async def test_a_game_in_this_room_comes_before_newer_ones_elsewhere(bot: RunningBot) -> None:
    here = await finished(bot, ANNA, BORIS)
    bot.clock.skip(60)
    there = await finished(bot, ANNA, CLARA, room=CELLAR)
    records = RecordStore(bot.database)

    for room, table in ((ROOM, here), (CELLAR, there), (own_room(ANNA), there)):
        played = await records.newest_of(ANNA.ref, near=room)
        assert played is not None
        assert (played.table_id, played.game, played.seat) == (table.id, 1, 0)

    played = await records.newest_of(CLARA.ref, near=ROOM)
    assert played is not None
    assert (played.table_id, played.seat) == (there.id, 1)


async def test_who_left_their_moves_to_others_chose_nothing(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "🚪 Leave")
    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "Let a bot")
    await bot.settle()

    while (await bot.session(table)).outcome is None:
        if await bot.waiting_for(table) == BORIS:
            await bot.plays(table)
        await bot.settle()

    await bot.chat.types(ANNA, "/review")
    await eventually(bot, lambda: reviews_of(bot))
    assert reviews_of(bot) == ["Review · game 1\n\nYou had nothing to choose in this game."]


async def test_rules_that_no_expert_looks_ahead_in_are_a_sentence(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules="podkidnoy-36 decks=2")
    for _ in range(4):
        await bot.plays(table)

    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    await bot.chat.types(ANNA, "/review")
    await eventually(bot, lambda: reviews_of(bot))

    assert "There’s no review for these rules yet." in reviews_of(bot)[0]


async def test_who_is_forgotten_has_no_review(bot: RunningBot) -> None:
    await finished(bot, ANNA, BORIS)
    await bot.chat.types(ANNA, "/review")
    await eventually(bot, lambda: reviews_of(bot))
    await bot.chat.types(ANNA, "/forgetme yes")
    assert not bot.app.reviews.found
    assert (await bot.chat.types(ANNA, "/review")).toast == "You haven’t finished a game yet."


async def test_old_reviews_are_forgotten(bot: RunningBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LIMITS, "reviews", 1)
    await bot.restart()
    table = await finished(bot, ANNA, BORIS)

    for user in (ANNA, BORIS):
        await bot.chat.types(user, "/review")

    await eventually(bot, lambda: reviews_of(bot, BORIS))
    assert list(bot.app.reviews.found) == [TableSlot(table.id, 1, MessageKind.REVIEW, BORIS.ref)]

    bot.app.outbox.mark_dirty(table.subject)
    await bot.settle()
    assert len(reviews_of(bot, ANNA)) == 1


async def test_the_turn_of_a_game_is_looked_for_after_it_and_told_by_an_edit_of_its_result(
    bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.turning.screens.MIN_TURNING_COST", 0.0)
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings turning on")

    table = await finished(bot, ANNA, BORIS)
    outcome = (await bot.session(table)).outcome
    assert outcome is not None
    assert outcome.fool is not None

    slot = TableSlot(table.id, 1, MessageKind.REVIEW, (ANNA, BORIS)[outcome.fool].ref)
    shown = next(message.ref for message in bot.chat.room_sees() if "is the fool" in message.text)
    await eventually(bot, lambda: bot.app.reviews.findings(slot) is not None)

    findings = bot.app.reviews.findings(slot)
    regrets = () if findings is None or isinstance(findings, NoFindings) else findings
    is_told = any(isinstance(regret.decision.played, Take | Attack | Defend) for regret in regrets)
    assert ("decided it" in bot.chat.messages[shown].text) == is_told
    assert not reviews_of(bot)
    assert not reviews_of(bot, BORIS)
