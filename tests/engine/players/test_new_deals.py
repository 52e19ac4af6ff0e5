"""House players answer when everyone is asked about a new deal."""

from random import Random

import pytest

from engine import STRENGTHS, Absent, HousePlayer, Keep, Opening, Redeal, Rules, State

ANY_SUIT = Rules(redeal_same_suit=4, redeal_needs_no_trump=False)
STRONG = [STRENGTHS[strength](Random(0)) for strength in ("regular", "expert")]


def asked(*, with_trumps: bool) -> tuple[State, int]:
    """Returns a deal in which a player with or without trumps may ask for a new one."""
    for seed in range(5000):
        state = Opening(ANY_SUIT, 2, str(seed)).deal()
        for seat in (0, 1):
            if (
                Redeal() in state.legal_moves(seat)
                and bool(state.hands[seat].of_suit(state.trump)) is with_trumps
            ):
                return state, seat

    raise AssertionError


@pytest.mark.parametrize("player", STRONG)
def test_a_hand_without_trumps_is_given_back_and_one_with_trumps_kept(player: HousePlayer) -> None:
    for with_trumps, answer in ((False, Redeal()), (True, Keep())):
        state, seat = asked(with_trumps=with_trumps)
        assert player.choose(state.view_for(seat), state.legal_moves(seat)) == answer


@pytest.mark.parametrize("player", [*(make(Random(0)) for make in STRENGTHS.values()), Absent()])
def test_whoever_has_no_right_or_is_away_keeps(player: HousePlayer) -> None:
    state, seat = asked(with_trumps=True)
    assert player.choose(state.view_for(seat), state.legal_moves(seat)) == Keep()
    other = 1 - seat
    state = Opening(ANY_SUIT, 2, "0").deal()
    assert player.choose(state.view_for(other), (Keep(),)) == Keep()
