"""A whole game of three people who only read and type lines, played through the real bot."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.model.table import Phase
from tests.adapters.contract import eventually
from tests.adapters.live_bot import LiveBot, live_bot
from tests.adapters.plain.adapter import PlainAdapter
from tests.adapters.plain.harness import choices_in, seen_as
from tests.adapters.plain.refs import room_ref
from tests.e2e.game import GAME_WITHIN
from tests.wire.lines import OPERATOR, LineServer, Person, Printed, Room

SEED = 7
SHOWN_WITHIN = 40.0  # seconds, on a machine that is busy with other tests
OPENING = "/durak podkidnoy-24 hand_size=8 throw_in=none"
CARD = re.compile(r"(?:10|[6-9JQKA])[♠♥♦♣]")
MOVE = re.compile(rf"(?:\+ )?{CARD.pattern}(?: {CARD.pattern})*|.* ← .*|Take|Done|Pass|↪ .*")
YOUR_CARDS = re.compile(r"Your \d+ cards\n(.*)")
RESULT = re.compile(r"is the fool!|A draw:")


@dataclass
class Players:
    """People in a room of the wire server."""

    server: LineServer
    room: Room
    people: Sequence[Person]

    async def types(self, person: Person, label: str) -> None:
        """Types the number of a choice that the room was offered last."""
        await eventually(lambda: self._labelled(self.room.printed, label), within=SHOWN_WITHIN)
        await person.says(self._labelled(self.room.printed, label), self.room)

    def _labelled(self, printed: Sequence[Printed], label: str) -> str:
        choices = choices_in(printed)
        return next((number for shown, number in choices.items() if shown.startswith(label)), "")

    def moves_of(self, person: Person) -> list[str]:
        """Returns the numbers of the moves that a person was offered last in private."""
        return [number for label, number in choices_in(person.printed).items() if MOVE.fullmatch(label)]


@pytest.fixture
async def players() -> AsyncIterator[Players]:
    async with LineServer() as server:
        room = server.room("#parlour")
        anna = server.newcomer("Anna", room, rank=OPERATOR)
        yield Players(server, room, [anna, *(server.newcomer(name, room) for name in ("Boris", "Clara"))])


@pytest.fixture
async def bot(players: Players, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[LiveBot]:
    async with live_bot(PlainAdapter(players.server.port), tmp_path, caplog) as bot:
        yield bot


async def play(players: Players, bot: LiveBot) -> int:
    """Types moves at random until the result is printed; returns how many."""
    chance = random.Random(SEED)
    typed = 0
    (table,) = bot.app.tables.known
    session = await bot.app.tables.session(table)

    async with asyncio.timeout(GAME_WITHIN):
        while session.outcome is None:
            version = session.version
            seat = min(session.state.awaited) if session.state is not None else 0
            person = players.people[seat]
            await eventually(lambda person=person: players.moves_of(person), within=SHOWN_WITHIN)  # type: ignore[misc] # mypy and lambda defaults
            await person.tells(chance.choice(players.moves_of(person)))
            typed += session.version > version

    return typed


async def test_three_people_play_a_whole_game_by_numbers(players: Players, bot: LiveBot) -> None:
    anna, boris, clara = players.people
    await anna.says(OPENING, players.room)
    await players.types(boris, "Join")
    await players.types(clara, "Join")
    await players.types(anna, "Start")

    # Each reads their own cards, and nobody else's.
    await eventually(lambda: all(map(hands_of, players.people)), within=SHOWN_WITHIN)
    hands = [own_cards(hands_of(each)[0]) for each in players.people]
    assert [len(hand) for hand in hands] == [8, 8, 8]
    assert len(frozenset.union(*hands)) == 24
    assert not any(YOUR_CARDS.search(seen_as(printed).text) for printed in players.room.printed)

    before = len(players.room.printed)
    moves = await play(players, bot)
    await eventually(
        lambda: any(RESULT.search(seen_as(each).text) for each in players.room.printed), within=SHOWN_WITHIN
    )
    assert moves > len(hands)

    in_room = players.room.printed[before:]
    assert len(in_room) <= moves + 2  # a table after each move, and the result

    offered = {label for printed in in_room for label in seen_as(printed).labels}
    assert not [label for label in offered if "How it ended" in label]
    assert not bot.trouble
    (table,) = bot.app.tables.known
    assert (await bot.app.tables.table(table)).phase is Phase.OVER


async def test_what_needs_pictures_or_files_is_not_offered(players: Players, bot: LiveBot) -> None:
    anna, *_ = players.people
    await anna.says("/settings", players.room)
    labels = choices_in(players.room.printed)
    assert "Time zone: UTC" in labels
    assert not [label for label in labels if label.startswith(("Display", "Background"))]

    await anna.says("/durak", players.room)
    await anna.tells("/mydata")
    assert "1. person: 1" in seen_as(anna.printed[-1]).text
    await anna.tells("/mydata 1")
    assert '"Anna"' in seen_as(anna.printed[-1]).text


async def test_a_table_is_found_again_after_a_restart(
    players: Players, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    anna, boris, _ = players.people
    adapter = PlainAdapter(players.server.port)
    async with live_bot(adapter, tmp_path, caplog):
        await anna.says(OPENING, players.room)
        await eventually(lambda: choices_in(players.room.printed))

    async with live_bot(PlainAdapter(players.server.port, choices=adapter.choices), tmp_path, caplog) as bot:
        await players.types(boris, "Join")
        table = await bot.app.tables.in_room(room_ref(players.room.name))
        assert table is not None
        assert [player.name for player in table.players] == ["Anna", "Boris"]


def hands_of(person: Person) -> list[str]:
    """Returns the texts of the hands that were printed for a person."""
    return [seen.text for seen in map(seen_as, person.printed) if CARD.search(seen.text)]


def own_cards(hand: str) -> frozenset[str]:
    """Returns the cards that a printed hand lists as its reader's own."""
    listed = YOUR_CARDS.search(hand)
    assert listed is not None, hand
    return frozenset(CARD.findall(listed[1]))
