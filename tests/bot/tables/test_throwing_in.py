"""All players who may throw in are asked alike, and no pass is visible, so nothing reveals cards."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from adapters.port import User
from bot.delivery.rings import QUIET_SECONDS
from bot.model.choices import DEFAULT_MOMENT, DEFAULT_MOMENT_ALONE
from bot.model.table import Table
from bot.model.waiting import FIRST_CALL_WITHOUT_CLOCK
from bot.tables import deals
from bot.tables.house_players import QUICK_SECONDS, HousePlayers
from bot.tables.schedule import pause_after
from bot.thinking.processes import Processes
from bot.thinking.queue import MAX_THOUGHT_SECONDS, ThoughtQueue
from engine import Defend, Done, Move, Seat, State
from engine.runtime import Author, GameSession
from tests.bot.chat import LIMITS, Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import ANNA, BORIS, CALL, CLARA, RunningBot
from tests.engine.rules.secrecy import dealt_again

STRANGER = person("Zoe")
PEOPLE = (ANNA, BORIS, CLARA)
DECK = "podkidnoy-36"
# The asked players with a card to add, by their place in the order of throwing in.
BOTH = {0, 1}
FIRST = {0}
LAST = {1}
NEITHER = set[int]()
TAKEN = "taken"
BEATEN = "beaten"
IN_TEN_SECONDS = "(passes after 10\N{NO-BREAK SPACE}s)"
ORDERS = ("priority", *(pytest.param(order, marks=pytest.mark.slow) for order in ("free", "strict")))
# A board shows everything that a table in words does, so the words alone can wait for the slow tests.
in_words_and_on_boards = pytest.mark.parametrize(
    "boards", [pytest.param(False, marks=pytest.mark.slow, id="words"), pytest.param(True, id="boards")]
)


def dealt_so_that(state: State, holding: Collection[int], more: Collection[Move] = ()) -> State:
    """Deals the hidden cards again until these of the asked players can add a card, and no others."""
    line = state.public_view().throw_order
    ranks = {pair.attack.rank for pair in state.bout}
    ranks |= {move.card.rank for move in more if isinstance(move, Defend)}
    chance = Random(0)

    while {
        place for place, seat in enumerate(line) if ranks & {card.rank for card in state.hands[seat]}
    } != set(holding):
        state = dealt_again(state, state.defender, chance)

    return state


class Evening:
    """A game of three, the deal always the same, seen by an onlooker without hidden knowledge."""

    def __init__(self, bot: RunningBot, table: Table) -> None:
        self.bot = bot
        self.table = table

    @classmethod
    async def begun(
        cls, bot: RunningBot, rules: str, holding: Collection[int], end: str = TAKEN, **options: object
    ) -> "Evening":
        """Plays until the defender takes or has beaten all, while the others hold these cards."""
        table = await bot.chooses(await bot.dealt(*PEOPLE, rules=rules), **options)
        await bot.plays(table)
        await bot.settle()

        session = await bot.session(table)
        known = vars(session)  # no one can choose cards by the front door
        before: State = known["state"]
        beats = [move for move in before.legal_moves(before.defender) if isinstance(move, Defend)]
        answer = beats[:1] if end == BEATEN else []
        state = dealt_so_that(before, holding, answer)
        known.update(state=state, newest=replace(known["newest"], state=state))

        move = str(answer[0]) if answer else "T"
        await bot.presses_move(table, await bot.waiting_for(table), move)
        await bot.settle()

        return cls(bot, table)

    async def state(self) -> State:
        state = (await self.bot.session(self.table)).state
        assert state is not None
        return state

    async def is_over(self) -> bool:
        """Returns whether the bout is over."""
        return not (await self.state()).bout

    async def line(self) -> list[User]:
        """Returns the asked players, in the order of throwing in."""
        return [PEOPLE[seat] for seat in (await self.state()).public_view().throw_order]

    async def passes(self, user: User) -> None:
        await self.bot.presses_move(self.table, user, "P")
        await self.bot.settle()

    async def throws_in(self, user: User) -> None:
        """Throws in the first card that fits."""
        cards = (await self.state()).legal_moves(PEOPLE.index(user))
        await self.bot.presses_move(self.table, user, str(cards[0]))
        await self.bot.settle()

    def labels(self, user: User) -> list[str]:
        """Returns the labels on a person's hand."""
        return [button.label for button in self.bot.hand_message(user).buttons]

    def first_line(self, user: User) -> str:
        """Returns the first line of a person's hand."""
        return self.bot.hand_message(user).text.split("\n")[0]

    async def authors(self) -> list[Author | None]:
        """Returns the authors of the moves after the defender's."""
        entries = (await self.bot.session(self.table)).entries
        return [entry.author for entry in entries[3:]]

    async def seen(self) -> object:
        """Returns the room's view, its answer to a presser, and the defender's view."""
        bot = self.bot
        state = await self.state()
        reply = await bot.chat.presses_token(STRANGER, bot.table_message().ref, f"h:{self.table.id}")
        room = [(message.ref, message.screen) for message in bot.chat.room_sees()]
        return room, reply, [message.screen for message in bot.chat.sees_alone(PEOPLE[state.defender])]

    async def until_over(self, seconds: float = 60.0) -> list[object]:
        """Skips time until the bout ends; returns two views of each second."""
        looks = list[object]()
        passed = 0.0
        while passed < seconds and not await self.is_over():
            looks.append(await self.seen())
            await self.bot.skip(0.5)
            passed += 0.5

        return looks


@asynccontextmanager
async def evening(
    file: Path,
    empty: Path,
    rules: str,
    holding: Collection[int],
    end: str = TAKEN,
    *,
    boards: bool = False,
    **options: object,
) -> AsyncIterator[Evening]:
    shutil.copy(empty, file)
    chat = Chat(limits=replace(LIMITS, boards=boards))
    bot = RunningBot(f"sqlite+aiosqlite:///{file}", chat, FakeClock(), pace=1.0)
    await bot.start()

    try:
        yield await Evening.begun(bot, rules, holding, end, **options)
    finally:
        await bot.settle()
        await bot.stop()


@pytest.fixture(autouse=True)
def _same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "new_seed", lambda: "5eed")


@in_words_and_on_boards
@pytest.mark.parametrize("end", [TAKEN, BEATEN])
@pytest.mark.parametrize("order", ORDERS)
async def test_who_cannot_add_a_card_is_never_told_from_who_can(
    tmp_path: Path, empty_database: Path, order: str, end: str, boards: bool
) -> None:
    looks = list[list[object]]()
    for holding in (BOTH, FIRST, LAST, NEITHER):
        file = tmp_path / f"{len(looks)}.db"
        rules = f"{DECK} throw_in_order={order}"
        async with evening(file, empty_database, rules, holding, end, boards=boards) as game:
            looks.append(await game.until_over())

    assert all(seen == looks[0] for seen in looks)


@in_words_and_on_boards
@pytest.mark.parametrize("end", [TAKEN, BEATEN])
@pytest.mark.parametrize("order", ORDERS[:2])
async def test_who_has_passed_is_not_told_from_who_has_not(
    tmp_path: Path, empty_database: Path, order: str, end: str, boards: bool
) -> None:
    looks = list[list[object]]()
    sent = list[list[object]]()
    for passing in (None, 0, 1):
        file = tmp_path / f"{len(looks)}.db"
        rules = f"{DECK} throw_in_order={order}"
        async with evening(file, empty_database, rules, BOTH, end, boards=boards) as game:
            public = (game.table.room, PEOPLE[(await game.state()).defender].ref)
            game.bot.chat.sent.clear()
            await game.bot.skip(1.0)

            if passing is not None:
                await game.passes((await game.line())[passing])

            looks.append(await game.until_over())
            sent.append([message for message in game.bot.chat.sent if message.place in public])

    assert all(seen == looks[0] for seen in looks)
    assert all(message == sent[0] for message in sent)


@pytest.mark.parametrize("order", ["priority", "free"])
async def test_everybody_who_may_throw_in_is_offered_to_pass_at_once_whatever_they_hold(
    tmp_path: Path, empty_database: Path, order: str
) -> None:
    rules = f"{DECK} throw_in_order={order}"
    async with evening(tmp_path / "taken.db", empty_database, rules, LAST) as game:
        first, last = await game.line()
        taker = PEOPLE[(await game.state()).defender].name
        assert (
            game.first_line(first) == f"👉 {taker} takes. Nothing to throw in: press Pass. {IN_TEN_SECONDS}"
        )
        assert game.first_line(last) == f"➕ {taker} takes. Throw in, or press Pass. {IN_TEN_SECONDS}"
        assert all("Pass" in game.labels(user) for user in (first, last))

    async with evening(tmp_path / "beaten.db", empty_database, rules, LAST, BEATEN) as game:
        first, last = await game.line()
        assert game.first_line(first) == f"👉 Nothing to throw in: press Done. {IN_TEN_SECONDS}"
        assert game.first_line(last) == f"➕ Throw in, or press Done. {IN_TEN_SECONDS}"
        assert all("Done" in game.labels(user) for user in (first, last))


async def test_nobody_leaves_the_line_before_the_round_is_over(tmp_path: Path, empty_database: Path) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, BOTH) as game:
        first, last = await game.line()
        names = " and ".join(user.name for user in PEOPLE if user in {first, last})
        taker = PEOPLE[(await game.state()).defender]
        await game.passes(first)
        assert f"{names} can still throw in." in game.bot.table_message().text
        assert game.first_line(taker) == f"📥 You take. {names} can still throw in."
        assert game.first_line(first) == f"✅ You’ve passed. {last.name} can still throw in."
        assert "Pass" not in game.labels(first)

        await game.passes(last)
        assert await game.is_over()


@pytest.mark.parametrize("end", [TAKEN, BEATEN])
@pytest.mark.parametrize("holding", [BOTH, NEITHER], ids=["cards", "none"])
async def test_after_a_moment_the_table_passes_for_all_and_nobody_was_called_or_absent(
    tmp_path: Path, empty_database: Path, end: str, holding: Collection[int]
) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, holding, end) as game:
        game.bot.chat.sent.clear()
        await game.bot.skip(DEFAULT_MOMENT - 0.1)
        assert not await game.is_over()
        assert game.bot.chat.sent == []

        await game.bot.skip(0.1)
        assert await game.is_over()
        assert await game.authors() == [Author.AUTO, Author.AUTO]

        session = await game.bot.session(game.table)
        assert [session.absences(seat) for seat in range(3)] == [0, 0, 0]

        public = [sent.verb for sent in game.bot.chat.sent if sent.place == game.table.room]
        assert public == ["edit"]


async def test_a_card_that_is_thrown_in_gives_everybody_the_moment_anew(
    tmp_path: Path, empty_database: Path
) -> None:
    rules = f"{DECK} throw_in_order=free"
    async with evening(tmp_path / "durak.db", empty_database, rules, BOTH) as game:
        first, last = await game.line()
        await game.passes(first)
        await game.bot.skip(DEFAULT_MOMENT - 1.0)
        await game.throws_in(last)
        assert "Pass" in game.labels(first)

        await game.bot.skip(DEFAULT_MOMENT - 0.1)
        assert not await game.is_over()

        await game.bot.skip(0.1)
        assert await game.is_over()


async def test_a_claim_that_was_made_in_time_is_not_lost_when_the_moment_ends(
    tmp_path: Path, empty_database: Path
) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, BOTH) as game:
        _, last = await game.line()
        held = len((await game.state()).hands[PEOPLE.index(last)])
        await game.bot.skip(DEFAULT_MOMENT - 0.5)
        claim = asyncio.create_task(game.throws_in(last))  # which waits for a second for the first
        await asyncio.sleep(0)
        await game.bot.skip(0.5)
        assert not await game.is_over()

        await game.bot.skip(0.5)
        await claim
        assert not await game.is_over()
        assert len((await game.state()).hands[PEOPLE.index(last)]) == held - 1


async def test_the_moment_begins_when_everybody_sees_what_they_are_asked(bot: RunningBot) -> None:
    table = await bot.dealt(*PEOPLE, rules=DECK)
    await bot.plays(table)
    await bot.settle()

    defender = await bot.waiting_for(table)
    late = next(user for user in PEOPLE if user != defender)
    gate = bot.chat.gates[late.ref] = asyncio.Event()
    await bot.presses_move(table, defender, "T")

    await bot.skip(7.0)
    gate.set()
    await bot.settle()

    game = Evening(bot, table)
    await bot.skip(DEFAULT_MOMENT - 0.1)
    assert not await game.is_over()

    await bot.skip(0.1)
    assert await game.is_over()


async def test_whose_hand_never_comes_holds_up_nobody_for_long(bot: RunningBot) -> None:
    table = await bot.dealt(*PEOPLE, rules=DECK)
    await bot.plays(table)
    await bot.settle()

    defender = await bot.waiting_for(table)
    late = next(user for user in PEOPLE if user != defender)
    bot.chat.gates[late.ref] = asyncio.Event()

    await bot.presses_move(table, defender, "T")
    bot.clock.skip(30.0)
    game = Evening(bot, table)
    await bot.until(lambda: bot.table_message().text.count("takes ") or None)
    assert await game.is_over()

    bot.chat.gates.pop(late.ref).set()


async def test_in_strict_order_each_has_the_moment_in_turn(tmp_path: Path, empty_database: Path) -> None:
    rules = f"{DECK} throw_in_order=strict"
    async with evening(tmp_path / "durak.db", empty_database, rules, BOTH) as game:
        first, last = await game.line()
        assert f"{first.name} can still throw in." in game.bot.table_message().text
        await game.bot.skip(DEFAULT_MOMENT)
        assert f"{last.name} can still throw in." in game.bot.table_message().text
        assert "Throw in, or press Pass." in game.first_line(last)
        await game.bot.skip(DEFAULT_MOMENT)
        assert await game.is_over()


async def test_between_two_the_attacker_is_asked_for_twice_as_long(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=DECK)
    await bot.plays(table)
    await bot.presses_move(table, await bot.waiting_for(table), "T")
    await bot.settle()
    game = Evening(bot, table)
    attacker = await bot.waiting_for(table)
    assert "Pass" in game.labels(attacker)

    await bot.skip(DEFAULT_MOMENT_ALONE - 0.1)
    assert not await game.is_over()

    await bot.skip(0.1)
    assert await game.is_over()


async def test_a_beginner_reads_when_the_table_passes(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=DECK)
    await bot.plays(table)
    await bot.presses_move(table, await bot.waiting_for(table), "T")
    await bot.settle()
    game = Evening(bot, table)
    attacker = await bot.waiting_for(table)
    defender = BORIS if attacker == ANNA else ANNA
    assert "(passes after 20 s)" in game.first_line(attacker).replace("\N{NO-BREAK SPACE}", " ")
    assert "passes after" not in bot.hand_message(defender).text

    await bot.skip(DEFAULT_MOMENT_ALONE)
    assert await game.is_over()


@pytest.mark.parametrize("end", [TAKEN, BEATEN])
async def test_only_who_had_a_card_to_add_reads_that_the_time_ran_out(
    tmp_path: Path, empty_database: Path, end: str
) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, FIRST, end) as game:
        first, last = await game.line()
        taker = PEOPLE[(await game.state()).defender]
        await game.bot.skip(DEFAULT_MOMENT)
        assert await game.is_over()

        def reproached() -> set[User]:
            return {user for user in (first, last, taker) if "ran out" in game.bot.hand_message(user).text}

        assert reproached() == {first}
        await game.bot.plays(game.table)
        await game.bot.settle()
        assert reproached() <= {first}


async def test_a_player_whose_turn_to_throw_in_comes_later_reads_no_time(bot: RunningBot) -> None:
    table = await bot.dealt(*PEOPLE, rules=f"{DECK} throw_in_order=strict")
    await bot.plays(table)
    await bot.presses_move(table, await bot.waiting_for(table), "T")
    await bot.settle()

    view = (await bot.session(table)).state
    assert view is not None
    (first,) = view.public_view().awaited
    game = Evening(bot, table)
    timed = {user for user in PEOPLE if "passes after" in game.first_line(user)}
    assert timed == {PEOPLE[first]}


async def test_what_the_table_passed_is_not_taken_for_the_next_attack(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=DECK)
    await bot.plays(table)
    defender = await bot.waiting_for(table)
    state = (await bot.session(table)).state
    assert state is not None
    beating = next(move for move in state.legal_moves(state.defender) if isinstance(move, Defend))
    await bot.presses_move(table, defender, str(beating))
    await bot.settle()
    await bot.skip(DEFAULT_MOMENT_ALONE)
    await bot.plays(table)
    await bot.settle()

    attacker = BORIS if defender == ANNA else ANNA
    hand = bot.hand_message(attacker).text
    assert "Your turn: beat" in hand
    assert "passed for you" not in hand
    assert "⏰ You ran out of time to throw in last round." in hand


@pytest.mark.parametrize("chosen", [0, None], ids=["no moment", "no clock"])
async def test_without_a_moment_everybody_is_waited_for_and_called_as_for_any_move(
    tmp_path: Path, empty_database: Path, chosen: int | None
) -> None:
    clock = 120 if chosen == 0 else 0
    file = tmp_path / "durak.db"
    async with evening(file, empty_database, DECK, NEITHER, clock=clock, throw_in_seconds=chosen) as game:
        first, last = await game.line()
        await game.passes(first)

        silence = 20.0 if clock else FIRST_CALL_WITHOUT_CLOCK
        await game.bot.skip(silence)
        names = ", ".join(user.name for user in PEOPLE if user in {first, last})
        (call,) = game.bot.calls()
        assert call.startswith(f"{CALL} {names}: throw in, or pass!")
        assert not await game.is_over()

        if clock:
            await game.bot.skip(100.0)
            assert await game.authors() == [Author.PLAYER, Author.AUTO]
        else:
            await game.passes(last)

        assert await game.is_over()


async def test_a_game_without_a_clock_may_have_a_moment(tmp_path: Path, empty_database: Path) -> None:
    file = tmp_path / "durak.db"
    async with evening(file, empty_database, DECK, BOTH, clock=0, throw_in_seconds=30) as game:
        await game.bot.skip(29.0)
        assert not await game.is_over()
        await game.bot.skip(1.0)
        assert await game.is_over()


async def test_no_phone_rings_for_a_pass_that_the_table_makes(tmp_path: Path, empty_database: Path) -> None:
    async with evening(tmp_path / "durak.db", empty_database, DECK, BOTH, throw_in_seconds=60) as game:
        game.bot.chat.sent.clear()
        await game.bot.skip(QUIET_SECONDS - 1.0)
        assert [sent for sent in game.bot.chat.sent if sent.verb == "post"] == []


async def test_after_a_restart_everybody_has_the_moment_anew(bot: RunningBot) -> None:
    table = await bot.dealt(*PEOPLE, rules=DECK)
    await bot.plays(table)
    await bot.presses_move(table, await bot.waiting_for(table), "T")
    await bot.settle()

    await bot.stop()
    bot.clock.skip(3600.0)
    await bot.start()
    await bot.settle()

    game = Evening(bot, table)
    await bot.skip(DEFAULT_MOMENT - 0.5)
    assert not await game.is_over()

    await bot.skip(0.5)
    assert await game.is_over()


# --- house players ---


@pytest.mark.parametrize("early", [0.0, 0.8])
async def test_house_players_answer_together_when_they_have_thought_since_the_last_move_seen(
    slow_bot: RunningBot, early: float
) -> None:
    """Covers a pass of a person, which is invisible and so decides nothing."""
    bot = slow_bot
    table = await bot.opened(ANNA, rules=DECK)
    for label in ("Add bot", "Add bot", "Start"):
        await bot.chat.presses(ANNA, bot.table_message().ref, label)

    await bot.settle()
    session = await bot.session(table)
    while not _asks_all(session):
        await bot.skip(0.1)
        assert session.state is not None
        if 0 in session.state.awaited and not _asks_all(session):
            moves = list(map(str, session.state.legal_moves(0)))
            move = "T" if "T" in moves else moves[0]
            await bot.presses_move(table, ANNA, move)

    version = session.seen_version
    answers_at = session.changed_at + pause_after(version)
    await bot.skip(early)
    await bot.presses_move(table, ANNA, "P")
    for at in (answers_at - QUICK_SECONDS, answers_at - 0.05):
        await bot.skip(at - bot.clock.now())
    assert session.seen_version == version

    await bot.skip(0.1)
    assert session.seen_version > version


def _asks_all(session: GameSession) -> bool:
    """Returns whether both Anna and a house player are asked for cards."""
    state = session.state
    assert state is not None
    is_anna_asked = 0 in state.awaited and len(state.awaited) > 1
    return state.public_view().is_throw_in_round and is_anna_asked


async def test_a_slow_thinker_takes_as_long_over_a_pass_whatever_it_holds(bot: RunningBot) -> None:
    table = await bot.dealt(*PEOPLE, rules=DECK)
    await bot.plays(table)
    await bot.presses_move(table, await bot.waiting_for(table), "T")
    await bot.settle()

    session = await bot.session(table)
    assert session.state is not None
    thinking = ThoughtQueue(Processes())
    thinkers = HousePlayers(thinking)

    for holding in (BOTH, NEITHER):
        state = dealt_so_that(session.state, holding)
        strengths: dict[Seat, str] = dict.fromkeys(state.awaited, "expert")
        chosen = asyncio.create_task(
            thinkers.choose_together(strengths, state, session.events, seconds=MAX_THOUGHT_SECONDS)
        )
        await bot.settle()
        assert not chosen.done()

        await bot.skip(MAX_THOUGHT_SECONDS)
        await bot.until(chosen.done)
        moves = chosen.result()
        assert set(moves) == set(strengths)
        assert holding or set(moves.values()) == {Done()}

    thinking.end()
