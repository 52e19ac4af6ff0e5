"""The public table shows public facts, and depends on nothing else."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.port import Limits, Mark, PrivateChatButton, Screen
from adapters.telegram.render import LIMITS as TELEGRAM
from bot.locale import LOCALES, Translator
from bot.model.choices import TableOptions
from bot.model.table import Phase, Player
from bot.screens.keyboard import label_width
from bot.screens.table import WHAT_BOTS_DO, about_lines, host_screen, table_screen
from bot.screens.turn_call import call_screen
from engine import (
    PRESETS,
    STRENGTHS,
    Card,
    Drew,
    LaidAway,
    Move,
    Opening,
    Pair,
    Redealt,
    Resigned,
    Rules,
    State,
    Take,
    TakenUp,
)
from tests.bot.messages import buttons_of, text_of
from tests.bot.screens.scenes import CHATS, TRANSLATOR, played, scene_of, silent, with_names
from tests.engine.rules.games import openings
from tests.engine.rules.test_secrecy import dealt_again
from tests.examples import examples

quick = examples(20)
chances = st.integers(0, 1_000_000).map(Random)
HOUR = 3600.0
START = State.setup(
    PRESETS["podkidnoy-36"], hands=["6S 7H 8D", "9S 6H 7D"], talon="JC QH", trump="H", attacker=0
)


@quick
@given(openings(), chances)
def test_the_table_stays_the_same_when_hidden_cards_are_dealt_again(opening: Opening, chance: Random) -> None:
    for state, events in played(opening, chance):
        table = table_screen(scene_of(state, events), TELEGRAM)
        again = dealt_again(state, None, chance)
        assert table_screen(scene_of(again, events), TELEGRAM) == table


@quick
@given(openings(), chances, st.sampled_from(CHATS))
def test_the_table_fits_into_a_message_whatever_people_are_called(
    opening: Opening, chance: Random, limits: Limits
) -> None:
    names = tuple("🐊" * 64 + str(seat) for seat in range(8))
    for state, events in played(opening, chance):
        screen = table_screen(with_names(scene_of(state, events), names[: state.players]), TELEGRAM)
        assert len(text_of(screen)) <= limits.body


@pytest.mark.parametrize("limits", CHATS)
def test_the_fullest_table_fits_too(limits: Limits) -> None:
    """Seats eight people with the longest names, all away; twelve cards on the table, thirty just taken."""
    rules = replace(PRESETS["podkidnoy-52"], max_players=8, attack_limit=None)
    deck = PRESETS["podkidnoy-52"].cards(8)
    state = State.setup(
        rules,
        hands=[deck[6 * seat : 6 * seat + 6] for seat in range(8)],
        talon=deck[48:],
        trump="S",
        attacker=0,
    )

    events = (TakenUp(1, deck[:30]), *(Drew(seat, 6, None) for seat in range(8)))
    scene = with_names(scene_of(state, events), tuple("W" * 64 + str(seat) for seat in range(8)))
    scene = replace(
        scene,
        away=frozenset(range(8)),
        view=replace(scene.view, bout=tuple(Pair(card, deck[0], 0) for card in deck[:12])),
    )

    assert len(text_of(table_screen(scene, TELEGRAM))) <= limits.body


def test_roles_counts_trump_talon_and_whom_one_waits_for_are_told() -> None:
    text = text_of(table_screen(scene_of(START), TELEGRAM))
    assert "Trump Q♥ · deck 2 · discard 0" in text
    assert "⚔️ Player 0 · 3" in text
    assert "🛡 Player 1 · 3" in text
    assert text.endswith("Player 0 attacks.")


def test_each_attack_card_stands_with_what_beats_it() -> None:
    state = START
    for seat, move in ((0, "A 6S"), (1, "D 6S 9S")):
        state = state.apply(seat, Move.parse(move)).state
    assert "6♠ ← 9♠" in text_of(table_screen(scene_of(state), TELEGRAM))


def test_a_finished_bout_is_told_with_who_drew_how_many_and_not_what() -> None:
    events = START.apply(0, Move.parse("A 6S")).events
    state = START.apply(0, Move.parse("A 6S")).state
    step = state.apply(1, Move.parse("T"))
    events += step.events

    while step.state.bout:
        step = step.state.apply(0, Move.parse("P"))
        events += step.events

    text = text_of(table_screen(scene_of(step.state, events), TELEGRAM))
    assert "Player 1 takes 6♠." in text
    assert "Drawn: Player 0 +2" in text
    assert "J♣" not in text


def test_what_happens_before_a_bout_has_ended_is_told() -> None:
    for event, told in (
        (Redealt(1), "New deal, as Player 1 asked."),
        (LaidAway(0, (Card.parse("7H"),)), "Player 0 discards 7♥."),
        (Resigned(0), "Player 0 resigns."),
    ):
        assert told in text_of(table_screen(scene_of(START, (event,)), TELEGRAM))


def test_who_is_away_and_who_cannot_be_reached_is_seen() -> None:
    scene = replace(scene_of(START), away=frozenset({1}), unreachable=frozenset({0}))
    screen = table_screen(scene, TELEGRAM)
    assert "Player 1 · 3 · away, a bot stands in" in text_of(screen)
    assert not any(isinstance(button, PrivateChatButton) for row in screen.rows for button in row)
    assert [button.label for button in buttons_of(screen)] == ["My hand", "⚙️ Table", "🔔 Notify me"]


def test_how_well_house_players_play_is_told_where_some_sit() -> None:
    scene = scene_of(START)
    assert "Bots" not in text_of(table_screen(scene, TELEGRAM))
    with_house = replace(scene.table, players=(scene.table.players[0], Player("Ada")))
    assert "Bots: regulars" in text_of(table_screen(replace(scene, table=with_house), TELEGRAM))


@pytest.mark.parametrize(
    ("options", "rules", "said"),
    [
        (TableOptions(), Rules(), None),
        (TableOptions(clock=0), Rules(), "Clock: no time limit"),
        (TableOptions(clock=60), Rules(), "Clock: 1 min"),
        (TableOptions(throw_in_seconds=30), Rules(), "Throw-in time: 30 s"),
        (TableOptions(clock=0, throw_in_seconds=20), Rules(), "Clock: no time limit · Throw-in time: 20 s"),
        (TableOptions(hints=False), Rules(), "Hints: off"),
        (TableOptions(clock=900), Rules(deck=24), "Clock: 15 min · Deck: 24"),
    ],
)
def test_whatever_is_unusual_about_a_game_is_one_line(
    options: TableOptions, rules: Rules, said: str | None
) -> None:
    scene = scene_of(START)
    table = replace(scene.table, options=options, rules=rules)
    screens = (
        Screen(body=about_lines(table, TRANSLATOR)),
        table_screen(replace(scene, table=table), TELEGRAM),
    )
    for screen in screens:
        text = text_of(screen).replace("\N{NO-BREAK SPACE}", " ")
        _, second, *_ = [*text.split("\n"), ""]
        assert second == (said or "")


def test_experts_who_do_not_know_the_rules_are_told_as_what_they_are() -> None:
    scene = scene_of(START)
    experts = TableOptions(strength="expert")
    table = replace(scene.table, players=(scene.table.players[0], Player("Ada")), options=experts)
    text = text_of(table_screen(replace(scene, table=table), TELEGRAM))
    assert "Bots: experts" in text

    two_decks = replace(table, rules=Rules(decks=2))
    text = text_of(table_screen(replace(scene, table=two_decks), TELEGRAM))
    assert "Bots: regulars (experts don’t know these rules)" in text


def test_a_lobby_tells_bots_by_what_they_do() -> None:
    assert set(WHAT_BOTS_DO) == set(STRENGTHS)
    scene = scene_of(START)
    table = replace(scene.table, players=(scene.table.players[0], Player("Ada")), phase=Phase.LOBBY)
    text = "".join(span.text for span in about_lines(table, TRANSLATOR))
    assert "Bots: regulars (they remember the cards)" in text


def test_whom_one_waits_for_is_bold() -> None:
    body = table_screen(scene_of(START), TELEGRAM).text
    assert [span.text for span in body if span.mark is Mark.BOLD and "Player" in span.text] == [
        "Player 0",
        "Player 0",
    ]


def test_a_call_mentions_everybody_one_waits_for() -> None:
    scene = silent(START, 20, {0, 1})
    called = call_screen(scene)
    assert called is not None
    assert text_of(called) == "⏰ Player 0, Player 1: we’re waiting for you!"
    assert [span.mention for span in called.body if span.mention] == [
        player.user for player in scene.table.players
    ]
    assert call_screen(silent(START, 19, {0, 1})) is None
    assert call_screen(scene_of(START)) is None


@pytest.mark.parametrize(
    ("waited", "clock", "told"),
    [
        (20, 120, ""),
        (60, 120, " The bot moves for you in 60\N{NO-BREAK SPACE}s."),
        (450, 900, " The bot moves for you in 8\N{NO-BREAK SPACE}min."),
        (4 * HOUR, 0, " The table has been waiting for 4 hours."),
        (24 * HOUR, 0, " The table has been waiting for 1 day."),
        (48 * HOUR, 0, " The table has been waiting for 2 days."),
        (400 * HOUR, 0, " The table has been waiting for 7 days."),
    ],
)
def test_each_call_says_something_new(waited: float, clock: int, told: str) -> None:
    called = call_screen(silent(START, waited, {0}, clock))
    assert called is not None
    assert text_of(called) == f"⏰ Player 0: your move!{told}"


def test_after_a_while_the_table_says_for_how_long_it_waits() -> None:
    def line(waited: float, state: State = START) -> str:
        return text_of(table_screen(silent(state, waited, {0}, 0), TELEGRAM)).splitlines()[-1]

    assert line(59) == "Player 0 attacks."
    assert line(60) == "Waiting for Player 0 for over 1\N{NO-BREAK SPACE}min."
    assert line(3 * HOUR) == "Waiting for Player 0 for over 1\N{NO-BREAK SPACE}min."
    assert line(5 * HOUR) == "Waiting for Player 0 for over 4 hours."
    assert line(50 * HOUR) == "Waiting for Player 0 for over 2 days."

    attack = START.apply(0, START.legal_moves(0)[0]).state
    taking = attack.apply(1, Take()).state
    assert line(60, taking) == "Player 1 takes. Waiting for Player 0 for over 1\N{NO-BREAK SPACE}min."


def test_when_the_table_moves_can_be_shown_by_the_readers_own_clock() -> None:
    scene = silent(START, 60, {0})
    called = call_screen(scene)
    assert scene.waiting is not None
    assert called is not None
    assert [span.when for span in called.body if span.when is not None] == [scene.waiting.moves_at]


@pytest.mark.parametrize("limits", CHATS)
@pytest.mark.parametrize("locale", LOCALES)
def test_the_host_s_buttons_are_read_whole_as_far_as_there_are_rows(limits: Limits, locale: str) -> None:
    names = tuple(f"Bartholomew the {number}. of Kent" for number in range(START.players))
    called = with_names(silent(START, 60, {0, 1}), names)
    table = replace(called.table, panel="host")
    scene = replace(called, table=table, translator=Translator(locale))
    rows = host_screen(scene, limits).rows
    assert len(rows) <= limits.buttons // limits.per_row

    for row in rows:
        labels = [button.label for button in row]
        assert len(row) == 1 or all(label_width(label) <= 306 / len(row) - 21 for label in labels), labels
