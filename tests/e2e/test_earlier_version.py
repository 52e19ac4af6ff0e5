"""The database of an earlier version, stopped during a game, is upgraded without losing anything.

The tests of migrations bring empty databases up to date; here are rows and texts that another version wrote.
"""

import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.game import heard, moves_of, newest_public, play_on, press, result, until
from tests.e2e.process import BotProcess
from tests.e2e.record import games, journal, results, tallies, zone_and_view
from tests.e2e.web import Site

pytestmark = pytest.mark.parametrize("chat", ["web"], indirect=True)

LEFT = Path(__file__).with_name("earlier_version.sql")
# The secrets in the links of Anna and Boris.
ANNAS = "0NAnx5Xf65mswxHbX6UPRdbuIPHQnwIr"
BORISS = "JpweGjLq7DM_v81qzDanKVsNJ5HMWHEJ"


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """Returns a folder with the database, as if it had just been left."""
    left_at = time.time()
    with closing(sqlite3.connect(tmp_path / "durak.db")) as database:
        database.create_function("now", 0, lambda: left_at)
        database.executescript(LEFT.read_text())
    return tmp_path


async def test_games_of_an_earlier_version_are_played_to_their_end(chat: Site, bot: BotProcess) -> None:
    anna = await chat.comes_back("Anna", ANNAS)
    boris = await chat.comes_back("Boris", BORISS)
    table = await newest_public(anna, "game 2")
    assert "Anna defends." in table.text

    async def is_told_in_german() -> bool:
        return "Anna überlegt." in (await boris.private())[-1].text

    await until(is_told_in_german, "the language that Boris chose")
    before = journal(bot.database)
    hand, token = (await moves_of(anna))[0]
    await anna.presses(hand, token)
    assert [line.text for line in journal(bot.database)][: len(before) + 1] == [
        *(line.text for line in before),
        token.split(":")[3],
    ]

    await play_on([anna, boris], random.Random(6), game=2)
    await until(lambda: result(anna, 2), "the second result")
    assert results(bot.database) == tallies(games(bot.database))
    assert " of 2" in await heard(anna, "/leaderboard")

    verdict = await heard(anna, "/verify")
    assert "✅" in verdict
    assert "❌" not in verdict
    assert "Saved here: mine" in await heard(anna, "/settings")
    assert zone_and_view(bot.database) == ("Europe/Vilnius", "text")

    await press(boris, "Rematch")
    await newest_public(anna, "game 3")


async def test_a_lobby_of_an_earlier_version_is_started_by_its_own_button(
    chat: Site, bot: BotProcess
) -> None:
    anna = await chat.comes_back("Anna", ANNAS, "kitchen")
    await press(anna, "Start")
    await newest_public(anna, "deck 28")
    (game,) = games(bot.database, table_id=2)
    assert list(game.names) == ["Anna", "Boris"]
    assert (game.opening.rules.hand_size, game.opening.rules.transfer) == (4, True)
