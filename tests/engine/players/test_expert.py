"""The expert's evaluation of each move."""

from dataclasses import replace
from random import Random

import pytest

from engine import PRESETS, Card, CardSet, Move, Opening, Rules, State
from engine.players import Expert, Memory, Regular
from engine.players.search.rollouts import DRAW
from engine.rules.cards import cards_of
from tests.engine.oracle.endgame import discarded_in
from tests.engine.rules.games import after

PODKIDNOY = PRESETS["podkidnoy-36"]


def risks(state: State, seat: int = 0, memory: Memory | None = None) -> dict[str, float]:
    expert = Expert(Random(7), limit=60, guesses=100)
    known = Memory(discarded_in(state)) if memory is None else memory
    found = expert.risks(state.view_for(seat), state.legal_moves(seat), known)
    assert found is not None
    return {str(move): risk for move, risk in found.items()}


def ending(*hands: str) -> State:
    return State.setup(PODKIDNOY, hands=hands, talon="", trump="H", attacker=0)


def test_at_the_end_it_knows_what_a_move_leads_to() -> None:
    assert risks(ending("AS 6D", "7S 7D 8D")) == {"A 6D": 1.0, "A AS": 0.0}
    assert risks(ending("6S", "7S")) == {"A 6S": DRAW}


def test_where_the_end_is_lost_it_plays_for_an_error() -> None:
    state = ending("7D 8D 7C", "9H JD AD 6C")
    assert set(risks(state).values()) == {1.0}
    view = state.view_for(0)
    moves = state.legal_moves(0)
    memory = Memory(discarded_in(state))
    assert str(Regular().choose(view, moves, memory)) != "A 8D"
    assert str(Expert(Random(7), limit=60, guesses=50).choose(view, moves, memory)) == "A 8D"


def test_partners_fear_for_their_team() -> None:
    rules = replace(PODKIDNOY, teams="2x2")
    weak = State.setup(rules, hands=["6S", "7S AH", "6C 6D 7D 7C", "QH JH"], talon="", trump="H", attacker=0)
    strong = State.setup(rules, hands=["6S", "7S 9C", "AH KH", "8S 9D"], talon="", trump="H", attacker=0)
    least = [
        min(risks(state, memory=Memory(discarded_in(state), state.hands)).values())
        for state in (weak, strong)
    ]
    assert least[1] < 0.2
    assert least[0] > 0.8  # though with this card the seat itself is out


@pytest.mark.parametrize("players", [2, 4])
def test_it_judges_every_move_between_0_and_1(players: int) -> None:
    state = Opening(PODKIDNOY, players, "judged").deal()
    seat = state.attacker
    found = risks(state, seat, Memory())
    assert set(map(Move.parse, found)) == set(state.legal_moves(seat))
    assert all(0 < risk < 1 for risk in found.values())


def test_it_fears_a_high_trump_given_away_more_than_a_low_card() -> None:
    state = State.setup(
        PODKIDNOY, hands=["6S 9D JC AH", "8S 9C TD JD"], talon="7C 7D 8D 8C 6H", trump="H", attacker=0
    )
    found = risks(state, memory=Memory(CardSet()))
    assert found["A 6S"] < found["A AH"]


def test_it_has_no_opinion_on_rules_it_does_not_look_ahead_in() -> None:
    state = Opening(replace(PODKIDNOY, decks=2), 3, "judged").deal()
    seat = state.attacker
    assert Expert(Random(7)).risks(state.view_for(seat), state.legal_moves(seat)) is None


LOSING = Rules(throw_in_after_take="none", simultaneous_empty="defender_loses")


def seen(state: State, hidden: str) -> Memory:
    """Returns all open, discarded and visibly taken cards, except `hidden`."""
    placed = {*state.hands[0], *state.hands[1], *state.talon, *cards_of(state.bout)}
    gone = CardSet(card for card in state.rules.cards(2) if card not in placed)
    return Memory(gone, (CardSet(), state.hands[1].without(Card.parse(hidden))))


def choices(state: State) -> set[str]:
    """Returns the choices under various guesses, where only the holder of the eight of hearts is unknown."""
    view = state.view_for(0)
    moves = state.legal_moves(0)
    memory = seen(state, "8H")
    experts = [Expert(Random(seed), limit=60, guesses=160) for seed in range(2)]
    return {str(expert.choose(view, moves, memory)) for expert in experts}


def test_it_does_not_throw_the_king_of_trumps_at_a_player_who_would_take_it() -> None:
    start = State.setup(
        LOSING,
        hands=["6S QH TC KC 8S 8D", "JS 6H 8H JH QD KS JD"],
        talon="TS 7H 8C TD 9S QC 6C",
        trump="C",
        attacker=0,
    )
    state = after(start, "0 A 8S", "1 D 8S KS", "0 A 8D", "1 D 8D JD")
    found = risks(state, memory=seen(state, "8H"))
    assert found["P"] < found["A KC"]
    assert choices(state) == {"P"}


def test_it_does_not_lead_the_ten_of_trumps_from_a_hand_with_low_cards() -> None:
    state = State.setup(
        LOSING,
        hands=["6S TS 7H QH 8C TC", "8S JS KS 6H 8H JH 8D JD QD KC"],
        talon="TD 9S QC 6C",
        trump="C",
        attacker=0,
    )
    found = risks(state, memory=seen(state, "8H"))
    assert found["A QH"] < found["A TC"] - 0.1
    assert choices(state) <= {"A QH", "A 6S"}
