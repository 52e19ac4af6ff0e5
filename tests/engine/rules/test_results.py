"""The end of a game (chapters 9 and 10): fool, draw, teams, places, epaulettes."""

import pytest

from engine import (
    PRESETS,
    Card,
    IllegalMoveError,
    Move,
    Opening,
    Outcome,
    Problem,
    Rank,
    Reason,
    Record,
    Resign,
    Resigned,
    Rules,
    State,
    replay,
)
from tests.engine.rules.games import after


def outcome_of(rules: Rules, hands: list[str], moves: str, **parts: tuple[int, ...]) -> Outcome:
    state = State.setup(rules, hands=hands, talon="", trump="H", attacker=0, **parts)  # type: ignore[arg-type]  # out, levels
    outcome = after(state, *moves.split(", ")).outcome()
    assert outcome is not None
    return outcome


def test_the_last_one_with_cards_is_the_fool() -> None:
    """Covers rule 9.1."""
    outcome = outcome_of(Rules(), ["6S", "7S 8D"], "0 A 6S, 1 T")
    assert (outcome.fool, outcome.losers, outcome.order, outcome.is_draw) == (1, (1,), (0,), False)


def test_the_defender_loses_instead_of_a_draw_by_setting() -> None:
    """Covers rule 9.2."""
    assert outcome_of(Rules(), ["6S", "7S"], "0 A 6S, 1 D 6S 7S").is_draw
    outcome = outcome_of(Rules(simultaneous_empty="defender_loses"), ["6S", "7S"], "0 A 6S, 1 D 6S 7S")
    assert (outcome.fool, outcome.is_draw) == (1, False)


def test_the_first_out_is_the_winner_by_setting() -> None:
    """Covers rule 9.5."""
    assert outcome_of(Rules(winner="first_out"), ["6S", "7S 8D"], "0 A 6S, 1 T").winner == 0
    assert outcome_of(Rules(), ["6S", "7S 8D"], "0 A 6S, 1 T").winner is None


def test_the_last_team_with_cards_loses() -> None:
    """Covers rules 9.1 and 10.5."""
    rules = Rules(teams="2x2")
    outcome = outcome_of(rules, ["6S", "7S 8D", "", "9D TD"], "0 A 6S, 1 T", out=(2,))
    assert (outcome.fool, outcome.losers, outcome.order) == (None, (1, 3), (2, 0))


def test_partners_of_the_defender_never_add_not_even_after_a_take() -> None:
    """Covers rules 4.12 and 10.2."""
    rules = Rules(teams="2x2")
    state = State.setup(rules, hands=["6S 9S", "7S 8D JS", "6C QS", "6D KS"], talon="", trump="H", attacker=0)
    state = after(state, *["0 A 6S", "1 T"])
    assert state.actors == {0, 2}
    assert state.legal_moves(3) == ()


def test_the_attack_goes_to_the_next_opponent_when_a_partner_is_next() -> None:
    """Covers rule 10.3."""
    rules = Rules(teams="2x2")
    state = State.setup(
        rules, hands=["", "7S 8D JS", "6C QS", "6D KS"], talon="", trump="H", attacker=3, out=(0,)
    )
    assert (state.attacker, state.defender) == (3, 2)


def test_three_teams_of_two_sit_across_the_table() -> None:
    """Covers rule 10.1."""
    rules = Rules(teams="3x2")
    state = State.setup(rules, hands=["6S", "7S", "8S", "9S", "TS", "JS"], talon="", trump="H", attacker=0)
    assert state.throw_order == (0, 2, 3, 5)


def test_punktedurak_gives_places_and_points_as_soon_as_a_hand_is_empty() -> None:
    """Covers rules 7.8 and 9.4."""
    state = State.setup(
        PRESETS["punktedurak"],
        hands=["7S", "8D 8C", "9D TD"],
        talon="AS KS",
        trump="H",
        attacker=0,
        turn_up=Card.parse("KH"),
    )
    state = after(state, *["0 A 7S", "1 T"])
    assert (state.out, state.points) == ((0,), (26, 0, 0))
    assert (state.attacker, state.defender) == (2, 1)


def test_punktedurak_with_many_players_ends_with_the_third_place() -> None:
    """Covers rule 9.3."""
    hands = ["", "", "9S", "TD JD", "QD KD"]
    state = State.setup(PRESETS["punktedurak"], hands=hands, talon="", trump="H", attacker=2, out=(0, 1))
    outcome = after(state, *["2 A 9S", "3 T"]).outcome()
    assert outcome is not None
    assert (outcome.order, outcome.losers, outcome.fool, outcome.winner) == ((0, 1, 2), (3, 4), None, 0)


EPAULETTES = [
    ("announce", ["6S 6D", "7S 8D QC"], "0 A 6S, 1 T, 0 A 6D", 2),
    ("announce", ["6S", "7S 8D"], "0 A 6S, 1 T", 1),
    ("announce", ["7S", "8S 8D"], "0 A 7S, 1 T", 0),
    ("score", ["6S", "7S 8D"], "0 A 6S, 1 T", 1),
    ("score", ["6H", "7S 8D"], "0 A 6H, 1 T", 0),  # only trumps in the final attack
    ("score", ["7S", "8S 8D"], "0 A 7S, 1 T", 0),  # the ladder begins at six
]


@pytest.mark.parametrize(("mode", "hands", "moves", "count"), EPAULETTES)
def test_epaulettes(mode: str, hands: list[str], moves: str, count: int) -> None:
    """Covers rules 9.6 and 9.7."""
    rules = Rules().with_options([f"epaulettes={mode}"])
    assert outcome_of(rules, hands, moves).epaulettes == count


def test_the_next_epaulette_is_of_the_next_rank() -> None:
    """Covers rule 9.7."""
    rules = Rules(epaulettes="score", scoring="epaulettes")
    outcome = outcome_of(rules, ["7S", "8S 8D"], "0 A 7S, 1 T", levels=(6, 7))
    assert (outcome.epaulettes, outcome.epaulette_rank, outcome.points) == (1, Rank.SEVEN, (0, -1))


def test_trump_six_is_no_epaulette_by_setting() -> None:
    """Covers rule 9.6."""
    rules = Rules(epaulettes="announce", epaulette_non_trump=True)
    assert outcome_of(rules, ["6H", "7S 8D"], "0 A 6H, 1 T").epaulettes == 0


def test_a_fool_who_did_not_defend_wears_none() -> None:
    """Covers rule 9.10."""
    rules = Rules(epaulettes="announce")
    outcome = outcome_of(rules, ["6S", "7S", "8D 9D"], "0 A 6S, 1 D 6S 7S")
    assert (outcome.fool, outcome.epaulettes) == (2, 0)


def test_no_epaulette_comes_from_ones_own_last_card() -> None:
    """Covers rule 9.6."""
    rules = Rules(
        transfer=True,
        transfer_direction="right",
        transfer_by_showing_trump=True,
        throw_in_timing="anytime",
        game_end="places_filled",
        epaulettes="announce",
    )
    state = State.setup(
        rules, hands=["", "", "6S 6D 8D 9D TD", "6H QD KD", "6C"], talon="", trump="H", attacker=2
    )

    outcome = after(state, *["2 A 6S", "4 A 6C", "2 A 6D", "3 V 6H", "2 T"]).outcome()
    assert outcome is not None
    assert (outcome.losers, outcome.order, outcome.epaulettes) == ((2, 3), (0, 1, 4), 0)


def test_laying_away_the_last_four_can_end_the_game() -> None:
    """Covers rule 8.3."""
    outcome = outcome_of(Rules(lay_away_four=True), ["8S 8H 8D 8C", "7S 9D"], "0 L 8")
    assert (outcome.fool, outcome.order) == (1, (0,))


def test_after_the_end_nobody_acts() -> None:
    state = State.setup(Rules(), hands=["6S", "7S 8D"], talon="", trump="H", attacker=0)
    state = after(state, *["0 A 6S", "1 T"])
    assert (state.actors, state.awaited) == (frozenset(), frozenset())


def test_the_trump_six_that_was_taken_up_cannot_be_exchanged() -> None:
    """Covers rule 8.5."""
    rules = Rules(trump_six_exchange=True)
    talon = "7D 8C 9C TD JD QD KD AD TS JS QS KS AH"
    state = State.setup(rules, hands=["6H 7C", "8D 9D", "TC JC"], talon=talon, trump="H", attacker=0)
    assert Move.parse("E") in state.legal_moves(0)
    state = after(state, *["0 A 6H", "1 T", "0 P", "2 P"])
    assert Card.parse("6H") in state.hands[1]
    assert Move.parse("E") not in state.legal_moves(1)


def test_another_card_that_was_taken_up_does_not_spoil_the_exchange() -> None:
    """Covers rule 8.5."""
    rules = Rules(trump_six_exchange=True)
    talon = "7D 8C 9C TD JD QD KD AD TS JS QS KS AH"
    state = State.setup(rules, hands=["6H 7C", "8D 9D", "TC JC"], talon=talon, trump="H", attacker=0)
    state = after(state, *["0 A 7C", "1 T", "0 P", "2 P"])
    assert Move.parse("E") in state.legal_moves(0)


# --- resigning (rule 9.11): the game ends, and its player is the fool ------------------------------


def dealt(rules: Rules, players: int) -> State:
    return Opening(rules, players, "5eed").deal()


@pytest.mark.parametrize("preset", PRESETS)
def test_whoever_resigns_is_the_fool_and_the_game_is_over(preset: str) -> None:
    state, events = dealt(PRESETS[preset], 3).resign(1)
    assert state.outcome() == Outcome(fool=1, losers=(1,), is_draw=False, order=(), points=(0, 0, 0))
    assert isinstance(events[0], Resigned)
    assert not state.problems() & ~Problem.NONE
    assert not any(state.legal_moves(seat) for seat in range(3))


def test_in_team_play_the_whole_team_loses() -> None:
    outcome = dealt(Rules(teams="2x2"), 4).resign(3).state.outcome()
    assert outcome is not None
    assert (outcome.fool, outcome.losers) == (None, (1, 3))


def test_whoever_went_out_before_keeps_his_place() -> None:
    state = State.setup(
        Rules(winner="first_out"), hands=["6S", "7S", ""], talon="", trump="H", attacker=0, discard="8S 9S"
    )
    outcome = state.resign(0).state.outcome()
    assert outcome is not None
    assert (outcome.order, outcome.winner, outcome.fool) == ((2,), 2, 0)


@pytest.mark.parametrize(
    ("seat", "reason"), [(2, Reason.OUT_OF_GAME), (3, Reason.NO_SUCH_SEAT), (-1, Reason.NO_SUCH_SEAT)]
)
def test_who_does_not_play_cannot_resign(seat: int, reason: Reason) -> None:
    state = State.setup(Rules(), hands=["6S", "7S", ""], talon="", trump="H", attacker=0)
    with pytest.raises(IllegalMoveError) as refused:
        state.resign(seat)
    assert refused.value.reason is reason


def test_nobody_resigns_twice() -> None:
    state = dealt(Rules(), 2).resign(0).state
    with pytest.raises(IllegalMoveError) as refused:
        state.resign(1)
    assert refused.value.reason is Reason.GAME_OVER


def test_resigning_is_no_move_among_which_one_chooses() -> None:
    state = dealt(Rules(), 2)
    assert all(str(move) != str(Resign()) for seat in range(2) for move in state.legal_moves(seat))


def test_a_record_tells_it() -> None:
    record = Record(Opening(Rules(), 2, "5eed")).plus(1, Resign())
    assert record.to_text().splitlines()[-2:] == ["1 resigns", "end 1"]
    assert Record.from_text(record.to_text()) == record
    assert replay(record.to_text()).outcome() == record.replay().outcome()
