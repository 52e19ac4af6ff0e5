"""Forgetting a person at their request: on disk, in memory, in the chat, for good."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sqlmodel import Session

from adapters.port import RoomRef, User
from bot.app import SCHEMA
from bot.delivery.idle_tables import NOTE_SECONDS
from bot.features.bets.rows import BetRow
from bot.features.cups.rows import CupEntrantRow, CupRow
from bot.features.puzzles.rows import PuzzleAnswerRow, PuzzleRow
from bot.features.real_cards.rows import CardEntryRow
from bot.model.calendar import Appointment
from bot.model.table import Phase, Table
from bot.storage import Database
from bot.storage.models import (
    CallRow,
    CardGameRow,
    CardSeatRow,
    FeatureMessageRow,
    OutdatedRow,
    PlayerRow,
    RingRow,
    ServerRow,
)
from bot.storage.numbers import find
from tests.bot.chat import CELLAR, PLATFORM, ROOM, own_room, person
from tests.bot.messages import Sent
from tests.bot.running_bot import BORIS, CLARA, RunningBot
from tests.bot.wardrobe import Wardrobe

THEA = person("Theodora")
ATTIC = RoomRef(ROOM.server, "attic")
YARD = RoomRef(ROOM.server, "yard")
FAREWELL = "Done, I’ve forgotten you."
# Tables that only the page fills; its own test covers them.
OF_THE_PAGE = {"guest", "message", "message_file"}
OF_NOBODY = {"call_rate", "replay_link"}


async def tables(database: Database) -> dict[str, str]:
    """Returns the rows of every table, as text."""

    def read(session: Session) -> dict[str, str]:
        connection = session.connection()
        return {
            table.name: "\n".join(str(tuple(row)) for row in connection.execute(table.select()))
            for table in SCHEMA.tables
        }

    return await database.read(read)


def mentions_her(text: str) -> bool:
    return "Theodora" in text


async def traces_of_her(bot: RunningBot) -> list[str]:
    """Returns the tables of the database, and its files, that mention her."""
    files = [Path(bot.file + suffix) for suffix in ("", "-wal", "-shm")]
    return [
        *(name for name, text in (await tables(bot.database)).items() if mentions_her(text)),
        *(file.name for file in files if file.exists() and mentions_her(file.read_text(errors="ignore"))),
    ]


async def forgotten(bot: RunningBot) -> int:
    """Forgets her; returns the number of messages sent before."""
    await bot.settle()
    before = len(bot.chat.sent)
    reply = await bot.chat.types(THEA, "/forgetme yes")
    assert reply.toast == FAREWELL
    assert (reply.secret, reply.public) == (None, None)
    return before


def sent_to_her(bot: RunningBot, since: int) -> Sequence[Sent]:
    return [sent for sent in bot.chat.sent[since:] if sent.place in (THEA.ref, own_room(THEA))]


async def seated(bot: RunningBot, table: Table) -> Table:
    return await bot.app.tables.table(table.id)


async def reviewed(bot: RunningBot, user: User) -> None:
    """Waits until a player has the review they asked for."""
    await bot.until(lambda: any(message.text.startswith("Review") for message in bot.chat.sees_alone(user)))


async def everywhere(bot: RunningBot) -> tuple[Table, Table, Table]:
    """Leaves a trace of her in every table of the database: a finished game, a running one, and a lobby."""
    bot.chat.moderators.add(THEA.ref)
    await bot.chat.types(THEA, "/language en")

    alone = await bot.opened(THEA, room=own_room(THEA))
    await bot.chat.types(THEA, "/settings save mine", own_room(THEA))
    await bot.chat.types(THEA, "/settings teasing off", own_room(THEA))
    in_her_chat = Appointment(own_room(THEA).server, "week", bot.clock.now() + 1e6, room=own_room(THEA))
    await bot.app.calendar.put(in_her_chat)

    bot.chat.badges = Wardrobe(tags={THEA.ref: "our Theodora"})
    await bot.chat.types(THEA, "/settings worn on")
    await bot.app.tables.change(alone.id, lambda now: now.add_house(THEA.ref))
    await bot.app.tables.start(alone.id, THEA.ref, event="alone")

    over = await bot.dealt(THEA, BORIS)
    await bot.app.tables.resign(over.id, THEA)
    await bot.chat.types(THEA, "/review")
    await reviewed(bot, THEA)

    going_on = await bot.dealt(BORIS, THEA, CLARA, room=CELLAR)
    table = await bot.opened(THEA, BORIS, room=ATTIC)
    await bot.database.write(around_the_game)
    await bot.skip(NOTE_SECONDS)

    return over, going_on, table


def around_the_game(session: Session) -> None:
    """Gives her games with real cards, a puzzle's answer, a bet, a cup, and a wish to be called."""
    thea = find(session, PlayerRow, THEA.ref)
    here = find(session, ServerRow, ROOM.server)
    assert thea is not None
    assert here is not None

    game = CardGameRow(server_id=here.id, played_at=1.0, entered_at=1.0, entered_by=thea.id, players=2)
    puzzle = PuzzleRow(state="a position", line="a line", played_at=1.0)
    cup = CupRow(
        server_id=here.id,
        room="attic",
        topic="",
        opener_id=thea.id,
        preset="podkidnoy-36",
        rules="",
        seed="a seed",
        locale="en",
        starts_at=1.0,
        phase="over",
        ended_at=1.0,
        winner_id=thea.id,
        fool_id=thea.id,
    )
    session.add_all([game, puzzle, cup])
    session.flush()

    session.add_all(
        [
            CardSeatRow(card_game_id=game.id, player_id=thea.id, is_fool=True),
            CardEntryRow(batch=game.id, server_id=here.id, room="parlour", topic="", taken_back_by=thea.id),
            CupEntrantRow(
                cup_id=cup.id, number=0, player_id=thea.id, name=THEA.name, joined="trace", place=0
            ),
            PuzzleAnswerRow(player_id=thea.id, puzzle_id=puzzle.id, at=1.0, is_right=True),
            FeatureMessageRow(
                subject="card_games",
                number=game.id,
                part="question",
                reader_platform=THEA.ref.platform,
                reader=THEA.ref.id,
                server_id=here.id,
                platform=PLATFORM,
                message="3",
                digest="",
            ),
            OutdatedRow(subject="cup", number=cup.id),
            BetRow(table_id=1, game=1, player_id=thea.id, seat=1),
            RingRow(player_id=thea.id, server_id=here.id, rang_at=1e12, is_muted=True),
            CallRow(
                player_id=thea.id,
                server_id=here.id,
                room="attic",
                topic="",
                until=1e12,
                table_id=1,
                game=1,
            ),
        ]
    )


async def test_nothing_anywhere_tells_of_who_was_forgotten(bot: RunningBot) -> None:
    over, going_on, table = await everywhere(bot)
    kept = await tables(bot.database)
    assert {name for name, text in kept.items() if not text} <= OF_THE_PAGE | OF_NOBODY, (
        "she leaves no trace there"
    )
    assert await traces_of_her(bot)

    since = await forgotten(bot)
    assert await traces_of_her(bot) == []

    await bot.skip(60)
    assert await traces_of_her(bot) == []

    await bot.app.tables.rematch(over.id, BORIS)
    await bot.settle()
    await bot.chat.presses(CLARA, bot.table_message().ref, "Join")
    await bot.chat.presses(BORIS, bot.table_message().ref, "Start")
    await bot.plays(going_on)
    await bot.skip(60)
    assert await traces_of_her(bot) == []

    await bot.restart()
    await bot.app.tables.resign(going_on.id, CLARA)
    await bot.skip(60)

    assert await traces_of_her(bot) == []
    assert sent_to_her(bot, since) == []
    assert (await seated(bot, table)).people() == (BORIS.ref,)


async def test_a_house_player_takes_the_seat_for_good_and_the_game_goes_on(bot: RunningBot) -> None:
    table = await bot.dealt(THEA, BORIS, rules="podkidnoy-24 hand_size=12 throw_in=none")
    await forgotten(bot)
    await bot.settle()
    assert not mentions_her("".join(message.text for message in bot.chat.room_sees()))

    while (await bot.session(table)).outcome is None:
        if await bot.waiting_seat(table) == 1:
            await bot.plays(table)
        await bot.skip(1)

    await bot.settle()
    assert (await seated(bot, table)).phase is Phase.OVER
    assert "1 game" in str(await bot.chat.types(BORIS, "/stats"))


async def test_a_lobby_goes_on_without_who_opened_it_and_closes_when_nobody_is_left(
    bot: RunningBot,
) -> None:
    shared = await bot.opened(THEA, BORIS)
    alone = await bot.opened(THEA, room=CELLAR)
    await forgotten(bot)
    assert (await seated(bot, shared)).opener == BORIS.ref
    assert (await seated(bot, alone)).phase is Phase.CLOSED


async def test_a_hand_on_its_way_leaves_no_trace(bot: RunningBot) -> None:
    table = await bot.opened(THEA, BORIS)
    gate = bot.chat.gates[THEA.ref] = asyncio.Event()
    await bot.chat.presses(THEA, bot.table_message().ref, "Start")
    await bot.settle()
    await bot.chat.types(THEA, "/forgetme yes")
    gate.set()
    await bot.skip(60)

    assert await traces_of_her(bot) == []
    assert (await seated(bot, table)).players[0].is_forgotten


async def test_a_review_that_comes_too_late_comes_to_nobody(bot: RunningBot) -> None:
    table = await bot.dealt(THEA, BORIS)
    await bot.app.tables.resign(table.id, BORIS)
    await bot.chat.types(THEA, "/review")

    since = await forgotten(bot)
    await bot.chat.types(BORIS, "/review")  # is reviewed after hers
    await reviewed(bot, BORIS)

    assert sent_to_her(bot, since) == []
    assert await traces_of_her(bot) == []


async def test_who_comes_back_is_somebody_new(bot: RunningBot) -> None:
    table = await bot.dealt(THEA, BORIS)
    hand = bot.hand_message(THEA)
    await forgotten(bot)

    old = await bot.chat.presses_token(THEA, hand.ref, hand.buttons[0].token)
    assert old.toast == "There’s no such table here. /durak opens a new one."
    assert await traces_of_her(bot) == []

    again = await bot.opened(BORIS, THEA, room=CELLAR)
    assert (await seated(bot, again)).people() == (BORIS.ref, THEA.ref)
    assert (await seated(bot, table)).seat_of(THEA.ref) is None


async def test_a_stranger_whose_press_does_nothing_is_not_written_down(bot: RunningBot) -> None:
    table = await bot.dealt(BORIS, CLARA)
    table_message = bot.table_message().ref
    told = await bot.chat.presses_token(replace(THEA, locale="de"), table_message, f"h:{table.id}")
    assert told.toast == "Du sitzt nicht an diesem Tisch."
    await bot.chat.types(THEA, "/help")
    await bot.chat.types(THEA, "/stats")
    assert await traces_of_her(bot) == []


async def test_who_joins_by_their_first_press_is_known_by_name_and_language(bot: RunningBot) -> None:
    await bot.opened(BORIS)
    await bot.chat.presses(replace(THEA, locale="de"), bot.table_message().ref, "Join")
    kept = (await tables(bot.database))["player"]
    assert "'Theodora', '', 'de'" in kept
