"""The rules in positions: a position's text, moves, and the text of the position they lead to."""

from dataclasses import dataclass

import pytest

from engine import Move, State


@dataclass(frozen=True)
class Case:
    """A rule, shown by what some moves make of a position."""

    rule: str
    before: str
    moves: str
    expected: str


def lines(text: str) -> str:
    """The lines of a text without their indentation."""
    return "\n".join(line.strip() for line in text.strip().splitlines()) + "\n"


CASES = [
    Case(
        "the_defender_attacks_after_beating_off",
        """rules podkidnoy-36
        trump H
        hand 6S 8D
        hand 7S 9D
        attacker 0
        defender 1""",
        "0 A 6S, 1 D 6S 7S, 0 P",
        """rules podkidnoy-36
        trump H
        hand 8D
        hand 9D
        discard 6S 7S
        attacker 1
        defender 0
        bouts 1
        beaten_off 1
        moved 1""",
    ),
    Case(
        "the_defender_who_takes_gets_every_card_of_the_bout_and_is_passed_over",
        """rules podkidnoy-36
        trump H
        hand 6S 7D
        hand 7S 9D TD
        hand AD KD
        attacker 0
        defender 1""",
        "0 A 6S, 1 D 6S 7S, 0 A 7D, 1 T, 2 P",
        """rules podkidnoy-36
        trump H
        hand
        hand 6S 7S 7D 9D TD
        hand KD AD
        out 0
        attacker 2
        defender 1
        bouts 1
        quiet 1
        moved 2""",
    ),
    Case(
        "a_transfer_makes_the_defender_the_attacker_of_the_next_player",
        """rules podkidnoy-36 transfer=on
        trump H
        hand 6S 8D
        hand 6D 9D
        hand TD JD
        attacker 0
        defender 1""",
        "0 A 6S, 1 X 6D",
        """rules podkidnoy-36 transfer=on
        trump H
        hand 8D
        hand 9D
        hand TD JD
        attacker 1
        defender 2
        bout 6S@0 6D@1
        moved 2""",
    ),
    Case(
        "a_shown_trump_stays_in_the_hand_and_is_known",
        """rules podkidnoy-36 transfer=on transfer_by_showing_trump=on
        trump H
        hand 6S 8D
        hand 6H 9D
        hand TD JD
        attacker 0
        defender 1""",
        "0 A 6S, 1 V 6H",
        """rules podkidnoy-36 transfer=on transfer_by_showing_trump=on
        trump H
        hand 8D
        hand 6H 9D
        hand TD JD
        attacker 1
        defender 2
        bout 6S@0
        known 1:6H
        travelled 1:6H
        moved 2""",
    ),
    Case(
        "a_new_card_lets_everybody_think_again_about_adding",
        """rules podkidnoy-36 throw_in_timing=anytime
        trump H
        hand 6S 7D
        hand 7S 9D TD
        hand 6D KD
        attacker 0
        defender 1""",
        "0 A 6S, 0 P, 2 P, 1 D 6S 7S",
        """rules podkidnoy-36 throw_in_timing=anytime
        trump H
        hand 7D
        hand 9D TD
        hand 6D KD
        attacker 0
        defender 1
        bout 6S/7S@0
        moved 1""",
    ),
    Case(
        "the_trump_six_is_exchanged_for_the_turn_up",
        """rules podkidnoy-36 trump_six_exchange=on
        trump H
        hand 6H 7D
        hand 7S 9D
        talon 8S AH
        attacker 0
        defender 1""",
        "0 E",
        """rules podkidnoy-36 trump_six_exchange=on
        trump H
        hand AH 7D
        hand 7S 9D
        talon 8S 6H
        attacker 0
        defender 1
        known 0:AH""",
    ),
    Case(
        "whoever_lays_away_his_last_four_leaves_and_roles_move_on",
        """rules podkidnoy-36 lay_away_four=on
        trump H
        hand 8S 8H 8D 8C
        hand 7S 9D
        hand TS
        attacker 0
        defender 1""",
        "0 L 8",
        """rules podkidnoy-36 lay_away_four=on
        trump H
        hand
        hand 7S 9D
        hand TS
        discard 8S 8H 8D 8C
        out 0
        attacker 1
        defender 2
        moved 1""",
    ),
    Case(
        "a_lone_player_takes_the_turns_of_his_partner_who_is_out",
        """rules podkidnoy-36 teams=2x2 team_order=stand_in
        trump H
        hand 6S 8D 9C
        hand 7S 9D
        hand
        hand TS JS
        out 2
        attacker 1
        defender 0
        chairs 1 2""",
        "1 A 7S, 0 T, 1 P, 3 P",
        """rules podkidnoy-36 teams=2x2 team_order=stand_in
        trump H
        hand 6S 7S 8D 9C
        hand 9D
        hand
        hand TS JS
        out 2
        attacker 3
        defender 0
        bouts 1
        quiet 1
        moved 2""",
    ),
    Case(
        "in_punktedurak_all_draw_one_card_when_the_attack_has_gone_round_the_table",
        """rules podkidnoy-36 deck=32 draw=one_each_table_round leave_with_talon=on throw_in=none
        trump H
        hand 7S AD
        hand 8S 9S TC
        talon 7D 8D 9D
        attacker 0
        defender 1""",
        "0 A 7S, 1 D 7S 8S, 1 A 9S, 0 T",
        """rules podkidnoy-36 deck=32 throw_in=none draw=one_each_table_round leave_with_talon=on
        trump H
        hand 9S 7D AD
        hand 8D TC
        talon 9D
        discard 7S 8S
        attacker 1
        defender 0
        bouts 2
        beaten_off 1
        quiet 1
        round_start 1""",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_rule(case: Case) -> None:
    state = State.from_text(lines(case.before))
    for words in case.moves.split(", "):
        seat, _, move = words.partition(" ")
        state = state.apply(int(seat), Move.parse(move)).state
        assert not state.problems(), state.problems()
    assert state.to_text() == lines(case.expected)
