"""Every golden scenario, through the public interface."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine import PRESETS, Card, Match, Outcome, Rank, Rules, State, Suit, beats, place_points
from tests.engine.rules import perft, playthrough
from tests.engine.rules.games import after
from tests.engine.rules.golden import (
    GOLDEN_PRESETS,
    SCENARIOS,
    Json,
    check,
    play,
    position_of,
    rules_of,
    scenarios,
)
from tests.golden import REGENERATE, assert_approved

_NEXT_GAME = {"attackFool": "attack_fool", "spareFool": "spare_fool", "lowestTrump": "lowest_trump"}


def _named(scenario: Json) -> str:
    return f"{scenario['id']} {scenario['title']}"


def each(kind: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return pytest.mark.parametrize("scenario", scenarios(kind), ids=_named)


@pytest.mark.parametrize("name", GOLDEN_PRESETS)
def test_presets_are_exactly_those_written_down(name: str) -> None:
    assert PRESETS[name].differences(Rules()) == GOLDEN_PRESETS[name]


def test_no_scenario_is_forgotten() -> None:
    assert {scenario["kind"] for scenario in SCENARIOS} == {
        "beats", "play", "points", "nextGame", "deal",
    }  # fmt: skip


@each("beats")
def test_beating_relation(scenario: Json) -> None:
    trump = Suit(scenario["trump"])
    for card, attack, expected in scenario["rows"]:
        assert beats(Card.parse(card), Card.parse(attack), trump, scenario["rankOrder"]) == expected


@each("play")
def test_play(scenario: Json) -> None:
    start = position_of(scenario)
    assert not start.problems()
    play(start, scenario["steps"])


@each("points")
def test_points(scenario: Json) -> None:
    for row in scenario["rows"]:
        rank = Rank.parse(row["turnUp"])
        assert place_points(rank, row["players"], row["place"], stock=row["stock"]) == row["points"]


@each("deal")
def test_deal(scenario: Json) -> None:
    deck = tuple(map(Card.parse, scenario["deck"]))
    state = State.deal(rules_of(scenario), scenario["players"], deck, dealer=scenario["dealer"])
    expected = dict(scenario["expect"])
    assert state.trump == Suit(expected.pop("trump"))

    turn_up = Card.parse(expected.pop("trumpCard"))
    assert state.turn_up is turn_up
    assert len(state.talon) == expected.pop("talonSize")
    assert expected.pop("trumpCardRemoved") == (turn_up not in state.talon)

    check(state, expected)


@each("nextGame")
def test_next_game(scenario: Json) -> None:
    players = scenario["players"]
    for row in scenario["rows"]:
        rules = Rules().with_options([f"first_attacker_next_game={_NEXT_GAME[row['setting']]}"])
        fool = row["last"].get("fool")
        losers = () if fool is None else (fool,)
        outcome = Outcome(
            fool=fool,
            losers=losers,
            is_draw=fool is None,
            order=(),
            points=(0,) * players,
        )
        match = Match.begin(rules, players).after(outcome)

        if row.get("changed"):
            match = match.with_rules(rules, players)
        elif "dealer" in row:
            assert match.dealer == row["dealer"]

        state = match.opening("anyseed").deal()
        if row["attacker"] == "lowestTrump":
            assert match.starters in ((), tuple(range(players)))
        else:
            assert (state.attacker, state.defender) == (row["attacker"], row["defender"])


# --- the rules in positions: a position's text, moves, and the text of the position they lead to ---------


TITLE, *CASES = (Path(__file__).parent / "positions.txt").read_text().split("\n# ")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.partition("\n")[0])
def test_rule(case: str) -> None:
    _, _, case = case.strip().partition("\n")
    before, _, rest = case.partition("> ")
    moves, _, expected = rest.partition("\n")
    assert after(State.from_text(before), *moves.split(", ")).to_text() == expected + "\n"


# --- the counts of games and the playthroughs are still as approved ---------------------------------------


@pytest.mark.parametrize(
    "block", perft.blocks(perft.FILE.read_text()), ids=lambda block: block.split("\n")[0]
)
def test_as_many_games_begin_here_as_ever(block: str) -> None:
    assert perft.recounted(block) == block, f"`{REGENERATE} perft` writes it, if this is wanted"


@pytest.mark.parametrize("file", playthrough.FILES, ids=lambda file: file.stem)
def test_everybody_sees_what_he_saw_in_this_game(file: Path) -> None:
    text = file.read_text()
    assert_approved(playthrough.regenerated(text), file, "playthroughs")


def test_there_is_a_playthrough_of_every_preset() -> None:
    played = {playthrough.record_of(file.read_text()).opening.rules for file in playthrough.FILES}
    assert set(PRESETS.values()) <= played
