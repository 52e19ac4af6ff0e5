"""Any token from any visible message: it counts only where such a button can be."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from adapters.port import MessageRef, Reply, RoomRef, ServerRef
from bot.app import REGISTRY
from bot.features.bets.buttons import AskBet
from bot.model.buttons import (
    AfterGame,
    AskHint,
    CallCompany,
    CallMe,
    ChangeLobby,
    ChangeOption,
    EndAction,
    HostAction,
    HostGame,
    JoinCompany,
    LobbyAction,
    OpenCheating,
    PlayMove,
    QuitAction,
    QuitGame,
    ShowHand,
    SlyAction,
    SortHand,
    TableButton,
    WatchTable,
    WriteInPrivate,
)
from bot.model.profile import HandOrder
from bot.model.table import Table
from engine.runtime import GameSession
from tests.bot.chat import PLATFORM, ROOM
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

OTHER_CLUB = RoomRef(ServerRef(PLATFORM, "other-club"), "parlour")
OTHER_TOPIC = RoomRef(ROOM.server, ROOM.id, "7")
NO_TABLE = Reply(toast="There’s no such table here. /durak opens a new one.")
NEVER = 999_999

# Tokens of each kind, from a table, its game and the version of its cards.
EXAMPLES: Mapping[type[TableButton], Callable[[int, int, int], list[TableButton]]] = {
    PlayMove: lambda table_id, _, version: [PlayMove(table_id, version, move) for move in ("T", "A 9H")],
    CallCompany: lambda table_id, game, _: [CallCompany(table_id, game)],
    CallMe: lambda table_id, game, _: [CallMe(table_id, game)],
    AskBet: lambda table_id, game, _: [AskBet(table_id, game)],
    JoinCompany: lambda table_id, game, _: [JoinCompany(table_id, game)],
    ChangeLobby: lambda table_id, game, _: [ChangeLobby(table_id, game, action) for action in LobbyAction],
    ChangeOption: lambda table_id, game, _: [ChangeOption(table_id, game, each) for each in ("", "deck=52")],
    ShowHand: lambda table_id, _, __: [ShowHand(table_id), ShowHand(table_id, 1)],
    SortHand: lambda table_id, _, __: [SortHand(table_id, order) for order in HandOrder],
    AskHint: lambda table_id, _, __: [AskHint(table_id)],
    OpenCheating: lambda table_id, _, __: [OpenCheating(table_id, action) for action in SlyAction],
    WatchTable: lambda table_id, _, __: [WatchTable(table_id)],
    WriteInPrivate: lambda table_id, _, __: [WriteInPrivate(table_id, wanted=each) for each in (False, True)],
    HostGame: lambda table_id, game, _: [
        HostGame(table_id, game, action, 0 if action is HostAction.REPLACE else None) for action in HostAction
    ],
    QuitGame: lambda table_id, game, _: [QuitGame(table_id, game, action) for action in QuitAction],
    AfterGame: lambda table_id, game, _: [AfterGame(table_id, game, action) for action in EndAction],
}


def tokens_of(table: Table, session: GameSession) -> list[TableButton]:
    """Returns every token of a table, sensible or not."""
    return [token for make in EXAMPLES.values() for token in make(table.id, table.game, session.version)]


def at_no_table(token: TableButton) -> str:
    """Returns the same token for a table that never was."""
    kind, _, rest = str(token).partition(":")
    _, sign, more = rest.partition(":")
    return f"{kind}:{NEVER}{sign}{more}"


async def at_phase(bot: RunningBot, phase: str) -> Table:
    """Brings Anna and Boris to this phase: gathering, playing, or done."""
    if phase == "lobby":
        return await bot.opened(ANNA, BORIS)

    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    if phase == "over":
        await bot.plays_to_the_end(table)

    return await bot.app.tables.table(table.id)


async def clara_elsewhere(bot: RunningBot, room: RoomRef) -> tuple[MessageRef, MessageRef]:
    """Opens a table of Clara's; returns its message and her hand's."""
    await bot.app.servers.choose(room.server, view="text")  # a picture takes time to draw
    await bot.opened(CLARA, room=room)
    await bot.chat.presses(CLARA, bot.table_message(room).ref, "Add bot")
    await bot.settle()
    await bot.chat.presses(CLARA, bot.table_message(room).ref, "Start")
    await bot.settle()
    return bot.table_message(room).ref, bot.hand_message(CLARA).ref


def test_every_kind_of_button_is_tried_from_elsewhere() -> None:
    assert set(EXAMPLES) == {kind for kind in REGISTRY.buttons if issubclass(kind, TableButton)}


@pytest.mark.parametrize("phase", ["lobby", "playing", "over"])
@pytest.mark.parametrize("room", [OTHER_CLUB, OTHER_TOPIC], ids=["club", "topic"])
async def test_a_button_pressed_elsewhere_does_nothing_and_tells_nothing(
    bot: RunningBot, phase: str, room: RoomRef
) -> None:
    table = await at_phase(bot, phase)
    own_table, own_hand = await clara_elsewhere(bot, room)
    bot.chat.moderators.add(CLARA.ref)  # of her own room; her roles in others must not be queried
    session = await bot.session(table)
    before = await bot.app.tables.table(table.id)
    version = session.version

    for token in tokens_of(table, session):
        for message in (own_table, own_hand):
            assert await bot.chat.presses_token(CLARA, message, str(token)) == NO_TABLE, token
            assert await bot.chat.presses_token(CLARA, message, at_no_table(token)) == NO_TABLE

    assert await bot.app.tables.table(table.id) == before
    assert session.version == version


@pytest.mark.parametrize("phase", ["lobby", "playing", "over"])
async def test_who_sits_at_a_table_uses_its_public_buttons_in_its_room_alone(
    bot: RunningBot, phase: str
) -> None:
    table = await at_phase(bot, phase)
    mine = (await bot.opened(ANNA, room=OTHER_CLUB)).id
    session = await bot.session(table)
    before = await bot.app.tables.table(table.id)
    version = session.version
    message = bot.table_message(OTHER_CLUB).ref

    for token in tokens_of(table, session):
        assert await bot.chat.presses_token(ANNA, message, str(token)) == NO_TABLE, token

    assert await bot.app.tables.table(table.id) == before
    assert session.version == version
    assert (await bot.chat.presses_token(ANNA, message, f"l:{mine}:1:house")).toast is None


async def test_the_buttons_of_a_hand_count_in_its_owners_private_chat_and_no_others_do(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    hand = bot.hand_message(BORIS).ref
    session = await bot.session(table)
    for token in tokens_of(table, session):
        reply = await bot.chat.presses_token(BORIS, hand, str(token))
        assert (replace(reply, is_followed=False) == NO_TABLE) is not token.works_outside_room, token


@pytest.mark.parametrize("phase", ["lobby", "playing", "over"])
async def test_every_button_counts_in_the_room_of_its_table(bot: RunningBot, phase: str) -> None:
    table = await at_phase(bot, phase)
    for token in tokens_of(table, await bot.session(table)):
        message = bot.table_message().ref  # a wish to stop shows it in a new place
        assert await bot.chat.presses_token(BORIS, message, str(token)) != NO_TABLE, token
        await bot.settle()


async def test_at_a_table_in_the_private_chat_every_button_counts(bot: RunningBot) -> None:
    own = RoomRef(ServerRef(PLATFORM, ANNA.ref.id), ANNA.ref.id)
    await bot.opened(ANNA, room=own)
    await bot.chat.presses(ANNA, bot.table_message(own).ref, "Add bot")
    await bot.settle()
    await bot.chat.presses(ANNA, bot.table_message(own).ref, "Start")
    assert len(await bot.app.tables.tables_of(ANNA.ref)) == 1


async def test_the_message_of_a_table_whose_room_moved_takes_presses(bot: RunningBot) -> None:
    """Covers a table that stays under the old id for as long as there is no other."""
    table = await bot.opened(ANNA)
    message = bot.table_message().ref
    await bot.app.inbox.room_moved(ROOM, OTHER_CLUB)
    await bot.chat.presses_token(BORIS, message, f"l:{table.id}:1:join")
    assert len((await bot.app.tables.table(table.id)).players) == 2


async def test_a_table_of_which_the_chat_forgot_the_topic_takes_presses(bot: RunningBot) -> None:
    """Covers chats that name only the group of an old message."""
    table = await bot.opened(ANNA, room=OTHER_TOPIC)
    message = bot.table_message(OTHER_TOPIC).ref
    await bot.chat.presses_token(BORIS, message, f"l:{table.id}:1:join", seen_in=ROOM)
    assert len((await bot.app.tables.table(table.id)).players) == 2
