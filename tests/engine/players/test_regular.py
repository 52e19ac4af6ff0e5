"""The regular player saves its trumps, throws in freely, and takes if defending is too costly."""

from engine import PRESETS, Card, CardSet, Rules, State
from engine.players import NOTHING_SEEN, Memory, Regular
from tests.engine.rules.games import after

PODKIDNOY = PRESETS["podkidnoy-36"]
TALON = "6C 7C 8C 9C TC JC QC KC AC 6H"


def position(hands: list[str], *moves: str, rules: Rules = PODKIDNOY, talon: str = TALON) -> State:
    return after(State.setup(rules, hands=hands, talon=talon, trump="H", attacker=0), *moves)


def choice(state: State, seat: int, memory: Memory = NOTHING_SEEN) -> str:
    return str(Regular().choose(state.view_for(seat), state.legal_moves(seat), memory))


def test_it_begins_with_a_card_of_which_it_has_a_pair() -> None:
    assert choice(position(["7S 8S 8D KD AH", "9D TD"]), 0) == "A 8S"


def test_it_throws_plain_cards_in_and_keeps_trumps() -> None:
    assert choice(position(["7S 7H 8D KD", "9S TD JD"], "0 A 7S", "1 D 7S 9S"), 0) == "P"
    assert choice(position(["7S 7D 8D KD", "9S TD JD"], "0 A 7S", "1 D 7S 9S"), 0) == "A 7D"


def test_it_does_not_spend_an_ace_of_trumps_on_a_six() -> None:
    assert choice(position(["6S 8D KD", "AH TD JD"], "0 A 6S"), 1) == "T"


def test_it_beats_with_a_rank_that_lies_there_already() -> None:
    state = position(["7S 9D KD", "9S TS JD 8C TD"], "0 A 7S", "1 D 7S 9S", "0 A 9D")
    assert choice(state, 1) == "D 9D TD"
    state = position(["7S 7D KD", "9S TD 9D 8C AD"], "0 A 7S", "1 D 7S 9S", "0 A 7D")
    assert choice(state, 1) == "D 7D 9D"


def test_at_the_end_it_attacks_with_what_nobody_can_beat_any_more() -> None:
    state = position(["8S KD QD", "9S TD JD AS"], talon="")
    left = Memory(gone=CardSet(Card.parse(f"{rank}{suit}") for rank in "6789TJQKA" for suit in "SHDC"))
    hidden = state.hands[1] | state.hands[0]
    gone = CardSet(card for card in left.gone if card not in hidden)
    assert choice(state, 0, Memory(gone)) == "A QD"


def test_it_shows_a_trump_rather_than_plays_it() -> None:
    rules = PRESETS["durnius-travel"]
    assert choice(position(["6S 8D KD", "6H TD JD"], "0 A 6S", rules=rules), 1) == "V 6H"


def test_it_opens_with_all_cards_of_a_rank_where_that_is_allowed() -> None:
    rules = PRESETS["punktedurak"]
    state = State.setup(
        rules, hands=["8S 8D KD AH", "9S TD JD QD"], talon="7S 9D", trump="H", attacker=0, turn_up="7H"
    )
    assert choice(state, 0) == "A 8S 8D"
