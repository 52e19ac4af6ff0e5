"""A pass that the table makes for a player tells no one what they hold before the bout ends."""

import shutil
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from adapters.port import User
from bot.model.table import Table
from bot.tables import service
from engine import Seat, State
from engine.runtime import Author
from tests.bot.chat import LIMITS, Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot
from tests.engine.rules.secrecy import dealt_again

STRANGER = person("Zoe")
DECK = "podkidnoy-36"
# Which of the two who are asked could add a card, by their place in the order of throwing in.
BOTH, FIRST, LAST, NEITHER = {0, 1}, {0}, {1}, set[int]()


def dealt_so_that(state: State, holding: Collection[int]) -> State:
    """Change hidden cards only: these of those who are asked can add a card, the others cannot."""
    line = state.public_view().throw_order
    ranks, chance = {pair.attack.rank for pair in state.bout}, Random(0)
    while {
        place for place, seat in enumerate(line) if ranks & {card.rank for card in state.hands[seat]}
    } != set(holding):
        state = dealt_again(state, state.defender, chance)
    return state


class Evening:
    """A game of three, the deal always the same, seen by an onlooker who knows no hidden card."""

    def __init__(self, bot: RunningBot, table: Table) -> None:
        self.bot = bot
        self.table = table

    @classmethod
    async def taken(cls, bot: RunningBot, rules: str, holding: Collection[int]) -> "Evening":
        """Play until the defender takes, while the others hold these cards."""
        table = await bot.dealt(ANNA, BORIS, CLARA, rules=rules)
        await bot.plays(table)
        await bot.settle()
        session = await bot.session(table)
        known = vars(session)  # no one can choose cards by the front door
        state = dealt_so_that(known["state"], holding)
        known.update(state=state, newest=replace(known["newest"], state=state))
        await bot.presses_move(table, await bot.waiting_for(table), "T")
        await bot.settle()
        return cls(bot, table)

    async def is_over(self) -> bool:
        """Whether the bout is."""
        state = (await self.bot.session(self.table)).state
        return state is None or not state.taking

    async def line(self) -> tuple[Seat, ...]:
        """Who is asked for cards, in the order of throwing in."""
        state = (await self.bot.session(self.table)).state
        assert state is not None
        return state.public_view().throw_order

    def labels(self, user: User) -> list[str]:
        """What is offered to a person in their hand."""
        return [button.label for button in self.bot.hand_message(user).buttons]

    async def seen(self) -> object:
        """What the room shows, what it says to a player who presses, and what the taker is shown."""
        bot, state = self.bot, (await self.bot.session(self.table)).state
        assert state is not None
        reply = await bot.chat.presses_token(STRANGER, bot.table_message().ref, f"h:{self.table.id}")
        room = [(each.ref, each.screen) for each in bot.chat.room_sees()]
        taker = (ANNA, BORIS, CLARA)[state.defender]
        return room, reply, [each.screen for each in bot.chat.sees_alone(taker)]

    async def until_over(self, seconds: float = 150.0) -> list[object]:
        """Look until the bout ends: often while house players and the table think, then now and then."""
        looks, passed = list[object](), 0.0
        while passed < seconds and not await self.is_over():
            looks.append(await self.seen())
            step = 0.5 if passed < 7 else 6.5
            await self.bot.skip(step)
            passed += step
        return looks


@asynccontextmanager
async def evening(
    file: Path, empty: Path, rules: str, holding: Collection[int], *, boards: bool = False
) -> AsyncIterator[Evening]:
    shutil.copy(empty, file)
    chat = Chat(limits=replace(LIMITS, boards=boards))
    bot = RunningBot(f"sqlite+aiosqlite:///{file}", chat, FakeClock(), pace=1.0)
    await bot.start()
    yield await Evening.taken(bot, rules, holding)
    await bot.settle()
    await bot.stop()


@pytest.fixture(autouse=True)
def _same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "new_seed", lambda: "5eed")


@pytest.mark.parametrize("boards", [False, True], ids=["words", "boards"])
@pytest.mark.parametrize("order", ["priority", "free", "strict"])
async def test_who_cannot_add_a_card_is_not_told_from_who_can_before_the_bout_ends(
    tmp_path: Path, empty_database: Path, order: str, boards: bool
) -> None:
    looks = list[list[object]]()
    for holding in (BOTH, FIRST, LAST, NEITHER):
        file, rules = tmp_path / f"{len(looks)}.db", f"{DECK} throw_in_order={order}"
        async with evening(file, empty_database, rules, holding, boards=boards) as game:
            looks.append(await game.until_over())
    both, *others = looks
    for seen in others:
        assert seen == both[: len(seen)]
    assert len(looks[-1]) < min(map(len, looks[:-1]))


async def test_the_table_passes_for_all_at_once_when_nobody_can_add_a_card(
    tmp_path: Path, empty_database: Path
) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, NEITHER) as game:
        game.bot.chat.sent.clear()
        await game.until_over(3.0)
        assert await game.is_over()
        session = await game.bot.session(game.table)
        assert [entry.author for entry in session.entries[-2:]] == [Author.AUTO] * 2
        public = [sent.verb for sent in game.bot.chat.sent if sent.place == game.table.room]
        assert public == ["edit"]


async def test_who_has_passed_leaves_nobody_but_those_who_cannot_add_a_card(
    tmp_path: Path, empty_database: Path
) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, LAST) as game:
        session = await game.bot.session(game.table)
        _, last = await game.line()
        await game.bot.presses_move(game.table, (ANNA, BORIS, CLARA)[last], "P")
        await game.until_over(3.5)
        assert await game.is_over()
        assert [entry.author for entry in session.entries[-2:]] == [Author.PLAYER, Author.AUTO]


async def test_who_cannot_add_a_card_was_not_absent(tmp_path: Path, empty_database: Path) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, LAST) as game:
        await game.until_over()
        session = await game.bot.session(game.table)
        assert {entry.author for entry in session.entries[-2:]} == {Author.AUTO, Author.CLOCK}


async def test_a_pass_that_the_table_makes_is_not_offered_until_the_room_calls_for_it(
    tmp_path: Path, empty_database: Path
) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, LAST) as game:
        first, last = [(ANNA, BORIS, CLARA)[seat] for seat in await game.line()]
        for seconds, offered in ((0.0, False), (15.0, False), (5.0, True)):
            await game.bot.skip(seconds)
            labels = {user: game.labels(user) for user in (first, last)}
            assert ("Pass" in labels[first]) is offered
            assert "Pass" in labels[last]
        await game.bot.chat.presses(first, game.bot.hand_message(first).ref, "Pass")
        await game.bot.settle()
        assert f"Can still throw in: {last.name}" in game.bot.table_message().text


async def test_a_pass_is_never_offered_where_nobody_can_add_a_card(
    tmp_path: Path, empty_database: Path
) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, NEITHER) as game:
        game.bot.chat.sent.clear()
        while not await game.is_over():
            assert all("Pass" not in game.labels(user) for user in (ANNA, BORIS, CLARA))
            await game.bot.skip(0.5)
