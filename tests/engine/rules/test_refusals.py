"""Refused moves (rule 15.2): each has a readable reason and changes nothing."""

from dataclasses import dataclass, replace

import pytest

from engine import PRESETS, IllegalMoveError, Move, Opening, Reason, Rules, State

PODKIDNOY = PRESETS["podkidnoy-36"]
PEREVODNOY = PRESETS["perevodnoy"]
TRAVEL = replace(PEREVODNOY, transfer_by_showing_trump=True)


def table(rules: Rules, *hands: str, talon: str = "", attacker: int = 0) -> State:
    """Returns a position with hearts as trumps, in which something has been discarded."""
    return State.setup(rules, hands=hands, talon=talon, trump="H", attacker=attacker, discard="AS")


START = table(PODKIDNOY, "6S 7D KD", "7S 8D QD", "6C AD", "")
FOUR = ("6S 7D KD", "7S 8D QD", "6C 7H AD", "6D 7C JD")
PASSING = ("6S 7D KD", "6C 6D 7S", "6H 8D 9D", "TD JD QD KS")
PARTNERS = table(Rules(teams="2x2"), *FOUR)
BACK = table(TRAVEL, "6S 6C 7D 8D 9D", "6H 8H")
SLY = table(Rules(cheating=True), "6S 7D KD", "7S 8D QD", "6C AD", "")
SLY_TRANSFER = table(Rules(transfer=True, cheating=True), *PASSING)
SINGLE = replace(PEREVODNOY, attack_limit=1)


@dataclass(frozen=True)
class Refusal:
    """A move that may not be made after some others, and the reason."""

    start: State
    before: str
    seat: int
    text: str
    reason: Reason

    def __str__(self) -> str:
        return f"{self.reason.name.lower()}: {self.before or 'at once'}, then {self.seat} {self.text}"


ASKED = Opening(Rules(redeal_same_suit=5), 3, "asked").deal()
REFUSALS = [
    # The seat itself.
    Refusal(START, "", 3, "A 6S", Reason.OUT_OF_GAME),
    Refusal(START, "", 9, "A 6S", Reason.NO_SUCH_SEAT),
    Refusal(START, "", -1, "A 6S", Reason.NO_SUCH_SEAT),
    Refusal(table(PODKIDNOY, "6S", "7S 8D"), "0 A 6S, 1 T", 1, "A 7S", Reason.GAME_OVER),
    # The first attack of a bout.
    Refusal(START, "", 1, "A 7S", Reason.NOT_ATTACKER),
    Refusal(START, "", 0, "A 9S", Reason.NOT_IN_HAND),
    Refusal(START, "", 0, "A 6S 7D", Reason.OPENING_ONE_CARD),
    Refusal(table(PRESETS["wikipedia-de"], *FOUR), "", 0, "A 7D KD", Reason.ONE_RANK),
    Refusal(table(PRESETS["wikipedia-de"], "7D 7S KD", "9S"), "", 0, "A 7D 7S", Reason.LIMIT),
    # Throwing in.
    Refusal(START, "0 A 6S", 1, "A 7S", Reason.DEFENDER_CANNOT_ATTACK),
    Refusal(START, "0 A 6S", 2, "A 6C", Reason.TOO_EARLY),
    Refusal(START, "0 A 6S, 1 D 6S 7S", 0, "A KD", Reason.RANK_NOT_ON_TABLE),
    Refusal(START, "0 A 6S, 1 D 6S 7S", 0, "A 7C", Reason.NOT_IN_HAND),
    Refusal(table(PODKIDNOY, "6S 7D 7C", "7S 8D"), "0 A 6S, 1 D 6S 7S", 0, "A 7D 7C", Reason.ONE_AT_A_TIME),
    Refusal(START, "0 A 6S, 1 D 6S 7S, 0 P", 0, "A 7D", Reason.ALREADY_DONE),
    Refusal(table(PRESETS["punktedurak"], *FOUR), "0 A 6S", 0, "A 6S", Reason.THROW_IN_OFF),
    Refusal(table(Rules(throw_in="neighbours"), *FOUR), "0 A 6S", 3, "A 6D", Reason.NOT_A_HELPER),
    Refusal(PARTNERS, "0 A 6S", 3, "A 6D", Reason.TEAMMATE),
    Refusal(table(PRESETS["wikipedia-de"], *FOUR), "0 A 6S, 1 D 6S 7S", 2, "A 6C", Reason.WAIT_FOR_OTHERS),
    Refusal(
        table(Rules(attack_limit=1, transfer=True), "6S 7D", "7S 8D", "6C AD"),
        "0 A 6S", 2, "A 6C", Reason.LIMIT,
    ),
    # Beating.
    Refusal(START, "0 A 6S", 2, "D 6S AD", Reason.NOT_DEFENDER),
    Refusal(START, "0 A 6S", 1, "D 6S 8D", Reason.DOES_NOT_BEAT),
    Refusal(START, "0 A 6S", 1, "D 6C 8D", Reason.NO_SUCH_ATTACK),
    Refusal(START, "0 A 6S", 1, "D 6S AS", Reason.NOT_IN_HAND),
    Refusal(START, "0 A 6S, 1 T", 1, "D 6S 7S", Reason.ALREADY_TAKING),
    # Taking and being done.
    Refusal(START, "", 1, "T", Reason.NOTHING_TO_TAKE),
    Refusal(START, "0 A 6S", 2, "T", Reason.NOT_DEFENDER),
    Refusal(START, "0 A 6S, 1 D 6S 7S", 1, "T", Reason.NOTHING_TO_TAKE),
    Refusal(START, "0 A 6S, 1 T", 1, "T", Reason.ALREADY_TAKING),
    Refusal(table(Rules(voluntary_take=False), *FOUR), "0 A 6S", 1, "T", Reason.MUST_BEAT),
    Refusal(START, "", 0, "P", Reason.NOTHING_TO_DECLINE),
    Refusal(START, "0 A 6S", 2, "P", Reason.NOTHING_TO_DECLINE),
    Refusal(START, "0 A 6S, 1 D 6S 7S, 0 P", 0, "P", Reason.ALREADY_DONE),
    # Handing the attack on.
    Refusal(START, "0 A 6S", 1, "X 6C", Reason.TRANSFER_OFF),
    Refusal(table(PEREVODNOY, *PASSING), "0 A 6S", 2, "X 6H", Reason.NOT_DEFENDER),
    Refusal(table(PEREVODNOY, *PASSING), "", 1, "X 6C", Reason.NO_SUCH_ATTACK),
    Refusal(table(PEREVODNOY, *PASSING), "0 A 6S, 1 T", 1, "X 6C", Reason.ALREADY_TAKING),
    Refusal(table(PEREVODNOY, *PASSING), "0 A 6S, 1 D 6S 7S, 0 A 7D", 1, "X 6C", Reason.TRANSFER_TOO_LATE),
    Refusal(table(PEREVODNOY, *PASSING), "0 A 6S", 1, "X 6H", Reason.NOT_IN_HAND),
    Refusal(table(PEREVODNOY, *PASSING), "0 A 6S", 1, "X 7S", Reason.TRANSFER_RANK),
    Refusal(table(PEREVODNOY, *PASSING), "0 A 6S", 1, "X 6C 6D", Reason.TRANSFER_ONE_CARD),
    Refusal(table(PEREVODNOY, "6S", "6C 7S", "9D", "TD"), "0 A 6S", 1, "X 6C", Reason.TRANSFER_NO_ROOM),
    Refusal(
        State.setup(
            Rules(transfer=True, transfer_in_first_bout=False),
            hands=PASSING, talon="", trump="H", attacker=0,
        ),
        "0 A 6S", 1, "X 6C", Reason.TRANSFER_FIRST_BOUT,
    ),
    Refusal(table(SINGLE, *PASSING), "0 A 6S", 1, "X 6C", Reason.TRANSFER_NO_ROOM),
    # Showing a trump.
    Refusal(table(PEREVODNOY, *PASSING), "0 A 6S, 1 X 6C", 2, "V 6H", Reason.SHOW_OFF),
    Refusal(table(TRAVEL, *PASSING), "0 A 6S", 1, "V 6C", Reason.SHOW_WRONG_CARD),
    Refusal(table(TRAVEL, "6S 7D", "6C 7H"), "0 A 6S", 1, "V 7H", Reason.SHOW_WRONG_CARD),
    Refusal(BACK, "0 A 6S, 1 V 6H, 0 X 6C", 1, "V 6H", Reason.SHOWN_ALREADY),
    Refusal(BACK, "0 A 6S, 1 V 6H, 0 X 6C", 1, "X 6H", Reason.SHOWN_ALREADY),
    # Outside the attack.
    Refusal(START, "", 0, "L 8", Reason.LAY_AWAY_OFF),
    Refusal(table(Rules(lay_away_four=True), *FOUR), "0 A 6S", 2, "L 8", Reason.TABLE_NOT_EMPTY),
    Refusal(table(Rules(lay_away_four=True), *FOUR), "", 0, "L 6", Reason.NOT_FOUR),
    Refusal(
        table(Rules(lay_away_four=True), "8S 8H 8D 8C", "7S 9D", talon="TS TH"),
        "", 0, "L 8", Reason.KEEP_A_CARD,
    ),
    Refusal(START, "", 0, "E", Reason.EXCHANGE_OFF),
    Refusal(table(Rules(trump_six_exchange=True), *FOUR, talon="TS TH"), "", 0, "E", Reason.NO_EXCHANGE),
    Refusal(START, "", 0, "R", Reason.REDEAL_OFF),
    Refusal(table(Rules(redeal_same_suit=5), *FOUR), "", 0, "R", Reason.NO_REDEAL),
    Refusal(ASKED, "", 0, "P", Reason.NOT_ALL_KEPT),
    Refusal(ASKED, "0 K", 0, "K", Reason.KEPT_ALREADY),
    # Cheating.
    Refusal(START, "0 A 6S, 1 D 6S 7S", 0, "C 7S", Reason.CHEATING_OFF),
    Refusal(SLY, "0 A 6S, 1 D 6S 7S", 0, "C 6S", Reason.NO_CARD_TO_ACCUSE),
    Refusal(SLY, "0 A 6S, 1 D 6S 7S", 0, "C 8S", Reason.NO_CARD_TO_ACCUSE),
    Refusal(SLY, "0 A 6S, 1 D 6S 7S", 1, "C 7S", Reason.OWN_CARD),
    Refusal(SLY, "0 A 6S, 1 D 6S 7S, 0 C 7S", 0, "C 7S", Reason.ACCUSE_AGAIN),
    Refusal(SLY, "0 A 6S, 1 D 6S 8D, 0 C 8D", 1, "D 6S 8D", Reason.DOES_NOT_BEAT),
    Refusal(SLY, "0 A 6S, 1 D 6S 7S, 0 A KD, 1 C KD", 0, "A KD", Reason.RANK_NOT_ON_TABLE),
    Refusal(SLY, "0 A 6S, 1 D 6S 7S", 2, "A JD", Reason.NOT_IN_HAND),
    Refusal(SLY, "0 A 6S", 1, "X 7S", Reason.TRANSFER_OFF),
    Refusal(SLY_TRANSFER, "0 A 6S, 1 X 7S, 2 C 7S", 1, "X 7S", Reason.TRANSFER_RANK),
    Refusal(SLY_TRANSFER, "0 A 6S", 1, "X 6C 7S", Reason.TRANSFER_RANK),
    Refusal(table(Rules(teams="2x2", cheating=True), *FOUR), "0 A 6S, 1 D 6S 7S", 3, "C 7S", Reason.OWN_CARD),
]  # fmt: skip


def refused(state: State, seat: int, move: Move) -> Reason:
    with pytest.raises(IllegalMoveError) as error:
        state.apply(seat, move)
    assert error.value.move == str(move)
    assert State.from_text(error.value.position) == state
    return error.value.reason


@pytest.mark.parametrize("refusal", REFUSALS, ids=str)
def test_a_refused_move_says_why_and_changes_nothing(refusal: Refusal) -> None:
    state = refusal.start
    for words in filter(None, refusal.before.split(", ")):
        seat, _, text = words.partition(" ")
        state = state.apply(int(seat), Move.parse(text)).state
    assert refused(state, refusal.seat, Move.parse(refusal.text)) is refusal.reason


def test_every_reason_has_a_move_that_is_refused_for_it() -> None:
    shown = {refusal.reason for refusal in REFUSALS}
    cannot_come_from_play = {Reason.NOT_YOUR_TURN, Reason.AFTER_TAKE}  # the two tests below
    assert shown | cannot_come_from_play == set(Reason)


def test_a_kind_of_move_that_the_rules_do_not_know_is_refused() -> None:
    assert refused(START, 0, Move()) is Reason.NOT_YOUR_TURN


def test_nobody_adds_after_a_take_where_that_is_off() -> None:
    """Covers a position that plays never reach: without throwing in after a take, the take ends the bout."""
    state = table(PRESETS["classic"], *FOUR).apply(0, Move.parse("A 6S")).state
    lying = State.from_text(state.to_text() + "taking yes\n")
    assert refused(lying, 2, Move.parse("A 6C")) is Reason.AFTER_TAKE
