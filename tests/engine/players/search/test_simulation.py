"""The simulation plays the same game as the rules, move by move."""

from dataclasses import replace
from random import Random

import pytest

from engine import PRESETS, Card, Done, Exchange, LayAway, Move, Opening, Redeal, Rules, Seat, State
from engine.players.search.simulation import CardBits, ModelledRules, SimulatedGame, by_code, is_modelled
from tests.engine.rules.games import numbers_of_players
from tests.engine.rules.value_openings import openings
from tests.examples import some

OPENINGS = openings()  # for each unusual value of each setting a game in which it matters

VARIED = {
    **{name: rules for name, rules in PRESETS.items() if is_modelled(rules)},
    "no limits": replace(PRESETS["pure"], limit_by_defender_hand=False, transfer=True),
    "loose transfers": replace(PRESETS["perevodnoy"], transfer_limit_by_hand=False, attack_limit=4),
    "attacker only": Rules(throw_in="attacker"),
    "nobody adds": Rules(throw_in="none"),
    "neighbours": Rules(throw_in="neighbours", throw_in_order="strict"),
    "small hands": Rules(hand_size=3, simultaneous_empty="defender_loses"),
    "teams": Rules(teams="2x2"),
    "pairs of three": Rules(teams="2x3", throw_in="neighbours", simultaneous_empty="defender_loses"),
    "three pairs": Rules(teams="3x2", hand_size=3),
    "exchange": Rules(trump_six_exchange=True),
    "ten high": Rules(rank_order="ten_high", turn_up="removed", max_players=5),
}


def game_of(state: State, bits: CardBits) -> SimulatedGame:
    """Returns the same position before the first card of a bout."""
    hands = [bits.mask(hand) for hand in state.hands]
    talon = [bits.bit(card) for card in reversed(state.talon)]
    return SimulatedGame.begun(
        ModelledRules(state.rules, state.players), hands, talon, state.attacker, state.defender
    )


def common(state: State, seat: Seat) -> tuple[Move, ...]:
    """Returns the moves of a seat, except those that the search leaves out."""
    return tuple(move for move in state.fair_moves(seat) if not isinstance(move, Exchange | LayAway | Redeal))


def settled(state: State) -> State:
    """Plays "done" for each awaited seat without another choice."""
    while state.outcome() is None:
        bound = [seat for seat in sorted(state.awaited) if common(state, seat) == (Done(),)]
        if not bound:
            return state
        state = state.apply(bound[0], Done()).state

    return state


def whose_turn(state: State) -> Seat:
    return next((seat for seat in state.throw_order if seat in state.awaited), state.defender)


def assert_same(state: State, game: SimulatedGame, bits: CardBits) -> None:
    for seat, hand in enumerate(state.hands):
        assert bits.mask(hand) == game.hands[seat], state.to_text()

    assert [bits.card(bit) for bit in reversed(game.talon)] == list(state.talon)
    outcome = state.outcome()
    assert game.over == (outcome is not None), state.to_text()

    if outcome is not None:
        assert game.losers == frozenset(outcome.losers)
        return

    assert (game.attacker, game.defender) == (state.attacker, state.defender), state.to_text()
    assert game.mover == whose_turn(state), state.to_text()


def play_alike(opening: Opening, rng: Random) -> None:
    """Plays random moves by the rules and in a simulated game, and compares the two."""
    state = replace(opening, edition=1).deal()  # a search begins when all keep their cards
    bits = CardBits(state.trump, state.rules.rank_order)
    game = game_of(state, bits)

    for _ in range(300):
        seat = game.mover
        moves = by_code(common(state, seat), bits)
        assert sorted(game.moves()) == sorted(moves), state.to_text()

        move = rng.choice(list(moves))
        state = settled(state.apply(seat, moves[move]).state)
        game.play(move)
        assert_same(state, game, bits)

        if game.over:
            break


@pytest.mark.parametrize("name", VARIED)
def test_random_games_go_the_same_way_in_a_world_and_by_the_rules(name: str) -> None:
    rules = VARIED[name]
    rng = Random(name)
    for players in some(numbers_of_players(rules)):
        play_alike(Opening(rules, players, f"{name}-{players}".replace(" ", "-")), rng)


@pytest.mark.parametrize("option", [name for name, each in OPENINGS.items() if is_modelled(each.rules)])
def test_a_game_is_simulated_by_every_value_that_the_search_claims_to_know(option: str) -> None:
    for number in range(5):
        play_alike(OPENINGS[option], Random(f"{option} {number}"))


def test_the_lowest_bit_is_the_card_one_parts_with_most_easily() -> None:
    bits = CardBits(Card.parse("6H").suit, "ten_high")
    cards = [Card.parse(text) for text in ("6S", "KC", "TC", "AD", "2H", "TH", "AH")]
    assert sorted(cards, key=bits.bit) == cards
    assert [bits.card(bits.bit(card)) for card in cards] == cards


def test_the_best_known_rules_are_simulated() -> None:
    assert is_modelled(PRESETS["podkidnoy-36"])
    assert is_modelled(PRESETS["perevodnoy"])
