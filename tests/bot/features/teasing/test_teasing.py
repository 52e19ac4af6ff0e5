"""A line of fun uses public facts only, stays the same when repeated, and can be switched off."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from bot.features.teasing import screens as teasing
from bot.features.teasing.screens import result_tease, table_tease
from bot.locale import LOCALES, Translator
from bot.model.table import Player
from bot.screens.story import Scene
from bot.screens.text import Line
from engine import (
    PRESETS,
    Attacked,
    BoutOpened,
    Card,
    Defended,
    Drew,
    Event,
    Opening,
    Outcome,
    Rank,
    Redealt,
    Rules,
    Seat,
    State,
    Suit,
    TakenUp,
    Transferred,
    WentOut,
    full_deck,
)
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot
from tests.bot.screens.scenes import scene_of

OPENING = Opening(PRESETS["podkidnoy-36"], 3, "5eed", shuffle=1)
STATE = State.setup(OPENING.rules, hands=["6S", "9S 6H 7D", "8S"], talon="", trump="H", attacker=0)
FOOL = Outcome(fool=1, losers=(1,), is_draw=False, order=(0, 2), points=(0, 0, 0))
DRAW = Outcome(fool=None, losers=(), is_draw=True, order=(0,), points=(0, 0, 0))
DECK = full_deck(36)


def over(*left: int, events: Sequence[Event] = ()) -> Scene:
    """Returns a finished game with so many cards left on each seat."""
    scene = scene_of(STATE, tuple(events), ("Anna", "Boris", "Clara"))
    return replace(scene, view=replace(scene.view, hand_counts=left or (0, 3, 0)))


def played_by(scene: Scene, *houses: int) -> Scene:
    players = tuple(
        Player(player.name) if seat in houses else player for seat, player in enumerate(scene.table.players)
    )
    return replace(scene, table=replace(scene.table, players=players))


def moment(line: Line) -> str:
    """Returns the moment that a line is about."""
    said = "".join(span.text for span in line).replace("’", "'").replace("\N{NO-BREAK SPACE}", " ")
    if not said:
        return ""

    (found,) = [
        name
        for name, lines in vars(teasing).items()
        if isinstance(lines, tuple) and any(_begins(said, each) for each in lines)
    ]

    return found.removeprefix("_")


def _begins(said: str, line: str) -> bool:
    parts = [part.split("}", 1)[-1] for part in line.split("{")]
    return all(part in said for part in parts) and said.endswith(parts[-1])


@pytest.mark.parametrize(
    ("scene", "outcome", "streaks_before", "told"),
    [
        (over(), FOOL, {}, "FOOL"),
        (over(), FOOL, {0: 0, 1: 1, 2: 0}, "FOOL"),
        (over(), DRAW, {1: 9}, "DRAW"),
        (over(0, 6, 0), FOOL, {}, "MANY_LEFT"),
        (over(0, 1, 0), FOOL, {}, "ONE_LEFT"),
        (over(), FOOL, {1: 2}, "STREAK"),
        (over(), FOOL, {1: 4}, "LONG_STREAK"),
        (over(), FOOL, {0: 3, 1: 0}, "STREAK_ENDS"),
        (over(), replace(FOOL, epaulettes=2, epaulette_rank=Rank.SIX), {}, "EPAULETTES"),
        (played_by(over(), 1), FOOL, {}, "BOT_LOSES"),
        (played_by(over(), 0, 2), FOOL, {}, "BEATEN_BY_BOTS"),
        (over(events=[TakenUp(0, DECK[:6]), Drew(0, 6, None), Attacked(0, DECK[:12])]), FOOL, {}, "COMEBACK"),
        (over(events=[Attacked(0, DECK[:12]), Redealt(0), Attacked(0, DECK[:6])]), FOOL, {}, "FOOL"),
        (over(), replace(FOOL, fool=None, losers=(0, 1)), {}, ""),
    ],
)
def test_the_end_of_a_game_has_its_line(
    scene: Scene, outcome: Outcome, streaks_before: Mapping[Seat, int], told: str
) -> None:
    assert moment(result_tease(scene, outcome, OPENING, streaks_before)) == told


def test_the_end_of_a_ladder_has_its_line() -> None:
    opening = Opening(Rules(epaulettes="score"), 3, "5eed", shuffle=1, levels=(6, 14, 6))
    ace = replace(FOOL, epaulettes=1, epaulette_rank=Rank.ACE)
    assert moment(result_tease(over(), ace, opening, {1: 9})) == "LADDER"


def running(*events: Event, out: tuple[int, ...] = (), counts: tuple[int, ...] = (3, 3, 3)) -> str:
    scene = scene_of(STATE, (BoutOpened(0, 1), *events), ("Anna", "Boris", "Clara"))
    view = replace(scene.view, out=out, hand_counts=counts, talon=0, turn_up=None)
    return moment(table_tease(replace(scene, view=view)))


SIX = Card(Suit.SPADES, Rank.SIX)
SEVEN = Card(Suit.SPADES, Rank.SEVEN)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (running(Attacked(0, (SIX,))), ""),
        (running(Attacked(0, (SIX,)), counts=(1, 3, 3)), "LAST_CARD"),
        (running(Attacked(0, (SIX,)), counts=(3, 1, 3)), ""),
        (running(Defended(1, SIX, SEVEN), counts=(3, 1, 3)), "LAST_CARD"),
        (running(TakenUp(1, DECK[:8])), "BIG_TAKE"),
        (running(TakenUp(1, DECK[:7])), ""),
        (running(TakenUp(1, DECK[:2]), WentOut(0, 1), out=(0,), counts=(0, 5, 3)), "TWO_LEFT"),
        (running(TakenUp(1, DECK[:2]), out=(0,), counts=(0, 5, 3)), ""),
        (running(Attacked(0, (SIX,)), Transferred(1, (SEVEN,), 2)), ""),
        (
            running(Attacked(0, (SIX,)), Transferred(1, (SEVEN,), 2), Transferred(2, (SEVEN,), 1)),
            "ROUND",
        ),
    ],
)
def test_a_moment_of_the_game_has_its_line(told: str, said: str) -> None:
    assert told == said


def test_each_moment_has_several_lines_and_a_game_keeps_to_one() -> None:
    def line_of(game: int) -> Line:
        scene = over()
        return result_tease(replace(scene, table=replace(scene.table, game=game)), FOOL, OPENING, {})

    assert len({line_of(game) for game in range(1, 30)}) > 2
    assert line_of(7) == line_of(7)
    tables = [lines for name, lines in vars(teasing).items() if name[1:].isupper() and name[0] == "_"]
    assert all(len(lines) >= 2 for lines in tables)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_line_is_said_in_every_language(locale: str) -> None:
    words = ("name", "one", "other", "cards", "games", "times", "curse")
    places = dict.fromkeys(words, "…")
    for name, lines in vars(teasing).items():
        if name[1:].isupper() and name[0] == "_":
            assert all(Translator(locale).text(line, **places) for line in lines)


async def test_a_server_can_switch_teasing_off(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    fool, tease, *_ = bot.chat.room_sees()[-1].text.splitlines()
    assert fool == "🃏 Anna is the fool!"
    assert tease in {
        "Anna and 12 cards: they just wouldn’t let go.",
        "12 cards left in hand. A whole collection.",
    }

    await bot.app.servers.choose(table.room.server, teasing="off")
    for user in (ANNA, BORIS):
        await bot.chat.presses_token(user, bot.chat.room_sees()[-1].ref, f"g:{table.id}:1:rematch")
        await bot.settle()

    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()

    assert bot.chat.room_sees()[-1].text.splitlines()[0] == "🃏 Anna is the fool!"
    assert tease not in bot.chat.room_sees()[-1].text
    assert "card" not in bot.chat.room_sees()[-1].text


async def test_the_third_lost_game_in_a_row_is_told(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    for game in range(1, 4):
        if game > 1:
            for user in (ANNA, BORIS):
                token = f"g:{table.id}:{game - 1}:rematch"
                await bot.chat.presses_token(user, bot.chat.room_sees()[-1].ref, token)
                await bot.settle()

            await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
            await bot.settle()

        await bot.skip(1.0)
        await bot.app.tables.resign(table.id, ANNA)
        await bot.settle()

    assert "3 times in a row" in bot.chat.room_sees()[-1].text
