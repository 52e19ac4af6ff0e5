"""The table's picture shows public facts only, at any table, under any names."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random

import pytest

from bot.pictures.subjects import DARK, LIGHT, Look, Style
from bot.pictures.table import table_picture
from engine import PRESETS, Opening, PublicView, Suit
from tests.bot.pictures.positions import (
    CROWDED,
    DARK_LOOK,
    DEFENDED,
    LATIN,
    LOST,
    NAMES,
    TAKEN,
    bout_of,
    opened,
    view_of,
)
from tests.engine.rules.games import random_game
from tests.engine.rules.secrecy import dealt_again

MAX_BYTES = 45_000

PUBLIC_FACTS: Mapping[str, PublicView] = {
    "the trump, without a turn-up": replace(DEFENDED, trump=Suit.SPADES),
    "the turn-up": replace(DEFENDED, turn_up=bout_of("7D")[0].attack),
    "that the turn-up is out of the game": replace(
        DEFENDED, rules=replace(DEFENDED.rules, turn_up="removed")
    ),
    "the talon's size": replace(DEFENDED, talon=4),
    "an empty talon": replace(DEFENDED, talon=0, turn_up=None),
    "the discard's size": replace(DEFENDED, discard=14),
    "how many cards somebody holds": replace(DEFENDED, hand_counts=(5, 7, 3, 6, 4, 5)),
    "who is out": replace(DEFENDED, out=(2,)),
    "who attacks": replace(DEFENDED, attacker=2),
    "who defends": replace(DEFENDED, defender=2),
    "that the defender takes": replace(DEFENDED, taking=True),
    "whom one waits for": replace(DEFENDED, awaited=frozenset({1})),
    "who may throw in": replace(DEFENDED, throw_order=(0, 2)),
    "a card that beats": replace(DEFENDED, bout=(DEFENDED.bout[0]._replace(beat=None), *DEFENDED.bout[1:])),
    "who plays together": replace(DEFENDED, rules=replace(DEFENDED.rules, teams="3x2")),
    "which teams there are": replace(DEFENDED, rules=replace(DEFENDED.rules, teams="2x3")),
    "the fool": replace(DEFENDED, outcome=LOST.outcome),
}


@pytest.fixture(scope="module")
def defended() -> bytes:
    return table_picture(DEFENDED, NAMES, DARK_LOOK)


@pytest.mark.parametrize("fact", PUBLIC_FACTS)
def test_the_picture_shows(fact: str, defended: bytes) -> None:
    assert table_picture(PUBLIC_FACTS[fact], NAMES, DARK_LOOK) != defended


def test_who_is_away_is_seen(defended: bytes) -> None:
    assert table_picture(DEFENDED, NAMES, DARK_LOOK, away={0}) != defended


def test_the_picture_stays_the_same_when_hidden_cards_are_dealt_again() -> None:
    chance = Random(1)
    state = Opening(PRESETS["podkidnoy-36"], 4, "5eed", shuffle=1).deal()
    again = dealt_again(state, None, chance)
    assert again != state
    assert table_picture(again.public_view(), NAMES, DARK_LOOK) == table_picture(
        state.public_view(), NAMES, DARK_LOOK
    )


def test_equal_positions_give_equal_pictures(defended: bytes) -> None:
    assert table_picture(replace(DEFENDED), list(NAMES), DARK_LOOK) == defended


def test_pictures_drawn_in_several_threads_do_not_disturb_one_another(defended: bytes) -> None:
    with ThreadPoolExecutor(4) as threads:
        drawn = list(threads.map(lambda _: table_picture(DEFENDED, NAMES, DARK_LOOK), range(8)))
    assert drawn == [defended] * 8


def test_a_cache_can_remember_a_picture_by_what_it_was_drawn_from() -> None:
    assert hash((DEFENDED, NAMES, DARK)) == hash((replace(DEFENDED), tuple(NAMES), replace(DARK)))


def test_whose_name_cannot_be_written_gets_a_number() -> None:
    nameless = ("🐊", "", *NAMES[2:])
    assert table_picture(DEFENDED, nameless, DARK_LOOK) == table_picture(
        DEFENDED, ("#1", "#2", *NAMES[2:]), DARK_LOOK
    )


@pytest.mark.parametrize(
    "names", [("Anna",) * 6, ("Anna", "Аnna", *NAMES[2:6]), ("W" * 40, "W" * 50, *NAMES[2:6])]
)
def test_no_two_plates_say_the_same(names: tuple[str, ...]) -> None:
    swapped = (names[1], names[0], *names[2:])
    drawn = table_picture(DEFENDED, names, DARK_LOOK)
    assert drawn == table_picture(DEFENDED, swapped, DARK_LOOK)  # distinct by their seats
    assert drawn != table_picture(DEFENDED, ("W", *names[1:]), DARK_LOOK)


def test_a_bout_of_eight_decks_is_drawn() -> None:
    bout = CROWDED.bout * 16
    assert opened(table_picture(replace(CROWDED, bout=bout), NAMES * 2, DARK_LOOK))


@pytest.mark.parametrize("seats", [2, 3, 5, 8, 9, 13, 16])
def test_every_number_of_players_has_a_table(seats: int) -> None:
    names = tuple("W" * 64 for _ in range(seats))
    picture = opened(table_picture(view_of(seats), names, DARK_LOOK))
    assert picture.width == 900
    assert 500 <= picture.height <= 720


@pytest.mark.parametrize("style", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(
    "view", [CROWDED, DEFENDED, LOST, TAKEN], ids=["crowded", "defended", "lost", "taken"]
)
def test_a_picture_is_a_small_file(view: PublicView, style: Style) -> None:
    png = table_picture(view, NAMES * 2, Look(style, LATIN), away=range(16))
    assert png.startswith(b"\x89PNG")
    assert len(png) <= MAX_BYTES


@pytest.mark.parametrize("preset", ["perevodnoy", "durnius-travel", "wikipedia-de"])
def test_a_whole_game_can_be_drawn(preset: str) -> None:
    opening = Opening(PRESETS[preset], 3, "5eed", shuffle=1)
    positions = [state for state, _, _ in random_game(opening, Random(2))]
    for state in positions[:: max(1, len(positions) // 4)]:
        table_picture(state.public_view(), NAMES, DARK_LOOK)
