"""Forged tokens on forged messages: one that replaces or posts something counts only on its own message."""

from collections.abc import Callable, Mapping

import pytest

from adapters.port import Delivered, Everyone, MessageRef
from bot.app import REGISTRY
from bot.features.bets.buttons import PlaceBet
from bot.features.cups.buttons import ChangeCup, CupAction
from bot.features.learn.buttons import OpenLesson, PlayLesson
from bot.features.puzzles.buttons import AnswerPuzzle
from bot.features.real_cards.buttons import CardGameAction, ChangeCardGames
from bot.model.buttons import (
    AfterGame,
    AnswerCall,
    Button,
    CallOff,
    CommandInPlace,
    CommandToComplete,
    CommandToCompleteInPlace,
    EndAction,
    ExplainRanking,
    GoUnmarked,
    MoveTable,
    MuteCalls,
    OpenTable,
    TableButton,
    TypedCommand,
)
from bot.model.table import Table
from bot.screens.refusals import NOT_SHOWN
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

# Presses of a player of a game with real cards, and at a table.
FORGED: Mapping[type[Button], Callable[[Table], Button]] = {
    AnswerCall: lambda table: AnswerCall(table.id, table.game),
    CallOff: lambda table: CallOff(table.id),
    MoveTable: lambda table: MoveTable(table.id),
    ChangeCardGames: lambda _: ChangeCardGames(1, CardGameAction.TAKE_BACK),
    PlaceBet: lambda table: PlaceBet(table.id, table.game, 0),
    ChangeCup: lambda _: ChangeCup(1, CupAction.JOIN),
    AnswerPuzzle: lambda _: AnswerPuzzle(1, "T"),
    OpenLesson: lambda _: OpenLesson(0),
    PlayLesson: lambda _: PlayLesson(0, 0, "T"),
    OpenTable: lambda _: OpenTable(),
    ExplainRanking: lambda _: ExplainRanking("week"),
    MuteCalls: lambda table: MuteCalls(table.id),
    GoUnmarked: lambda _: GoUnmarked(),
    TypedCommand: lambda _: TypedCommand("help"),
    CommandInPlace: lambda _: CommandInPlace("help"),
    CommandToComplete: lambda _: CommandToComplete("durak"),
    CommandToCompleteInPlace: lambda _: CommandToCompleteInPlace("settings quiet"),
}


def test_every_kind_of_button_of_a_room_is_forged() -> None:
    assert set(FORGED) == {kind for kind in REGISTRY.buttons if not issubclass(kind, TableButton)}


async def finished(bot: RunningBot) -> Table:
    """Plays a game of Anna and Boris, and enters another; returns their table."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    await bot.chat.types(CLARA, "/fool add", mentioned=(BORIS,))
    await bot.settle()
    return await bot.app.tables.table(table.id)


def shown_in_room(bot: RunningBot) -> Mapping[MessageRef, str]:
    return {message.ref: f"{message.text} {message.buttons}" for message in bot.chat.room_sees()}


@pytest.mark.parametrize(
    "kind", [kind for kind in FORGED if kind is not OpenTable], ids=lambda kind: kind.__name__
)
async def test_a_forged_button_of_a_room_changes_no_message(bot: RunningBot, kind: type[Button]) -> None:
    table = await finished(bot)
    before = shown_in_room(bot)
    token = str(FORGED[kind](table))

    for message in bot.chat.room_sees():
        if any(button.token == token for button in message.buttons):
            continue
        reply = await bot.chat.presses_token(CLARA, message.ref, token)
        assert (reply.toast, reply.replacement, reply.public) == (NOT_SHOWN, None, None)

    assert shown_in_room(bot) == before


async def test_a_forged_button_opens_no_table(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/help")
    await bot.chat.types(ANNA, "/leaderboard")
    message = bot.chat.room_sees()[-1]
    reply = await bot.chat.presses_token(CLARA, message.ref, str(OpenTable()))
    assert reply.toast == NOT_SHOWN
    assert await bot.app.tables.in_room(ROOM) is None


async def test_who_presses_deal_here_second_joins_the_table_though_the_button_is_gone(
    bot: RunningBot,
) -> None:
    hello = (await bot.app.inbox.greet(ROOM, "en")).public
    assert hello is not None
    posted = await bot.chat.post(Everyone(ROOM), hello)
    assert isinstance(posted, Delivered)
    await bot.chat.presses(ANNA, posted.ref, "🃏 Deal here")

    reply = await bot.chat.presses_token(BORIS, posted.ref, str(OpenTable()))
    assert reply.replacement is None

    table = await bot.app.tables.in_room(ROOM)
    assert table is not None
    assert len(table.players) == 2


@pytest.mark.parametrize("action", [EndAction.FILM, EndAction.LEADERBOARD])
async def test_a_forged_button_of_a_result_posts_nothing(bot: RunningBot, action: EndAction) -> None:
    table = await finished(bot)
    entered = bot.chat.room_sees()[-1]
    token = str(AfterGame(table.id, table.game, action))
    reply = await bot.chat.presses_token(CLARA, entered.ref, token)
    assert (reply.toast, reply.public) == (NOT_SHOWN, None)


async def test_a_belated_move_is_answered_with_the_hand_as_it_is(bot: RunningBot) -> None:
    """Covers a hand that was edited between the tap and its arrival."""
    table = await bot.dealt(ANNA, BORIS)
    session = await bot.session(table)
    assert session.state is not None
    attacker = (ANNA, BORIS)[session.state.attacker]
    hand = bot.hand_message(attacker)
    token = next(button.token for button in hand.buttons if button.token.startswith("m:"))

    await bot.chat.presses_token(attacker, hand.ref, token)
    await bot.settle()

    assert token not in {button.token for button in bot.chat.messages[hand.ref].buttons}
    reply = await bot.chat.presses_token(attacker, hand.ref, token)
    assert reply.secret is not None
    assert reply.toast not in {None, NOT_SHOWN}


async def test_a_message_is_not_taken_for_the_tables_because_somebody_claims_it(bot: RunningBot) -> None:
    """Covers a table with an unreported message, which is searched for among the pressed ones."""
    await bot.chat.types(ANNA, "/leaderboard")
    other = bot.chat.room_sees()[-1]
    bot.chat.lost_answers.append(ConnectionError("line broken"))
    table = await bot.opened(ANNA)
    await bot.chat.presses_token(BORIS, other.ref, f"l:{table.id}:1:join")
    await bot.settle()
    assert bot.chat.messages[other.ref] == other
