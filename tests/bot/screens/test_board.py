"""Tables and hands as facts: complete, and free of anything hidden from their reader."""

from dataclasses import replace
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.port import Board, HandBoard, MoveKind, Role
from bot.model.buttons import OpenCheating, PlayMove, decode
from bot.model.calendar import LocalTime
from bot.model.profile import HandOrder, Profile
from bot.model.waiting import Waiting
from bot.screens.board import KINDS, board_of, hand_board
from bot.screens.hand import Hand
from engine import (
    PRESETS,
    BeatenOff,
    Card,
    Defend,
    Event,
    IllegalMoveError,
    Move,
    Opening,
    Rules,
    Seat,
    State,
    TakenUp,
)
from tests.bot.screens.scenes import TRANSLATOR, VERSION, played, scene_of, silent
from tests.engine.rules.games import openings
from tests.engine.rules.test_secrecy import dealt_again
from tests.examples import examples

quick = examples(10)
chances = st.integers(0, 1_000_000).map(Random)
PASSING_ON = State.setup(
    PRESETS["perevodnoy"], hands=["9H QC", "9S TH", "KH AH"], talon="", trump="S", attacker=0
)


def hand_at(state: State, seat: Seat, events: tuple[Event, ...] = (), **offered: object) -> HandBoard:
    hand = Hand(scene_of(state, events), state.view_for(seat), VERSION, state.fair_moves(seat))
    hand = replace(hand, sly_moves=state.sly_moves(seat))
    return hand_board(replace(hand, **offered))  # type: ignore[arg-type] # by name


def table_at(state: State, events: tuple[Event, ...] = ()) -> Board:
    return board_of(scene_of(state, events))


def test_the_trump_is_a_card_of_the_table_only_while_it_lies_under_the_talon() -> None:
    for preset, lies in (("podkidnoy-36", True), ("punktedurak", False)):
        rules = PRESETS[preset]
        state = State.deal(rules, 3, rules.cards(3))
        assert (table_at(state).turn_up is not None) is lies, preset
        assert table_at(state).trump == state.trump.value


@quick
@given(openings(), chances)
def test_a_hand_offers_every_legal_move_once_with_the_cards_that_it_needs(
    opening: Opening, chance: Random
) -> None:
    for state, _ in played(opening, chance):
        for seat in state.actors:
            hand = hand_at(state, seat)
            offered = list[Move]()
            for move in hand.moves:
                token = decode(move.token)
                assert isinstance(token, PlayMove)
                offered.append(Move.parse(token.move))
                assert move.kind is KINDS[type(offered[-1])]
                assert set(move.cards) <= set(hand.cards)
                assert move.label

                if isinstance(offered[-1], Defend):
                    assert (move.cards, move.attack) == ((str(offered[-1].card),), str(offered[-1].attack))

            assert sorted(map(str, offered)) == sorted(map(str, state.fair_moves(seat)))


@quick
@given(openings(), chances)
def test_every_card_that_no_move_uses_can_be_tapped_to_ask_why(opening: Opening, chance: Random) -> None:
    for state, _ in played(opening, chance):
        for seat in range(state.players):
            hand = hand_at(state, seat)
            used = {card for move in hand.moves for card in move.cards}
            assert {card.card for card in hand.idle} == set(hand.cards) - used

            for each in hand.idle:
                token = decode(each.token)
                if isinstance(token, OpenCheating):
                    assert token.card == each.card
                    continue

                assert isinstance(token, PlayMove)
                with pytest.raises(IllegalMoveError):
                    state.apply(seat, Move.parse(token.move))


def test_who_can_only_take_reads_that_no_card_fits() -> None:
    hands = ["9H QC", "7D TH"]
    state = State.setup(PRESETS["perevodnoy"], hands=hands, talon="", trump="S", attacker=0)
    state = state.apply(0, Move.parse("A QC")).state
    hand = hand_at(state, 1)
    assert "".join(span.text for span in hand.says) == "🛡 Nothing of yours beats Q♣ (Player 0): press Take."
    assert {card.token.rpartition(":")[2] for card in hand.idle} == {"D QC 7D", "D QC TH"}


@quick
@given(openings(), chances)
def test_boards_depend_on_no_hidden_card(opening: Opening, chance: Random) -> None:
    if opening.rules.throw_in_order == "strict":  # that rule asks whether those before one can add
        opening = replace(opening, rules=replace(opening.rules, throw_in_order="priority"))

    for state, events in played(opening, chance):
        table = table_at(state, events)
        for seat in range(state.players):
            other = dealt_again(state, seat, chance)
            assert hand_at(other, seat, events) == hand_at(state, seat, events)
            assert table_at(other, events) == table


@quick
@given(openings(), chances)
def test_a_table_shows_what_everybody_sees_and_who_laid_it(opening: Opening, chance: Random) -> None:
    step = -1
    for state, events in played(opening, chance):
        table = table_at(state, events)
        view = state.public_view()
        assert table.step > step

        step = table.step
        assert [(pair.attack, pair.beat) for pair in table.bout] == [
            (str(pair.attack), None if pair.beat is None else str(pair.beat)) for pair in view.bout
        ]
        assert all(pair.by is not None for pair in table.bout)
        assert tuple(seat.cards for seat in table.seats) == view.hand_counts
        assert [place for place, seat in enumerate(table.seats) if seat.is_out] == sorted(view.out)
        assert (table.talon, table.discard) == (view.talon, view.discard)

        if not table.is_over:
            assert table.seats[view.attacker].role is Role.ATTACKER
            assert table.seats[view.defender].role is Role.DEFENDER


@quick
@given(openings(), chances)
def test_an_empty_table_has_the_whole_bout_before(opening: Opening, chance: Random) -> None:
    for state, events in played(opening, chance):
        table = table_at(state, events)
        if table.bout:
            assert not table.last_bout
            continue

        ends = [event for event in events if isinstance(event, BeatenOff | TakenUp)]
        lain = [card for pair in table.last_bout for card in (pair.attack, pair.beat) if card is not None]
        match ends[-1:]:
            case [BeatenOff(count=count)]:
                assert len(lain) == count
            case [TakenUp(cards=cards)]:
                assert sorted(lain) == sorted(map(str, cards))
            case _:
                assert not lain


def test_every_move_of_the_game_has_a_kind() -> None:
    of_a_button = {"Accuse"}  # below the hand, in a separate choice
    moves = {kind.__name__ for kind in Move.__subclasses__()}
    assert {kind.__name__ for kind in KINDS} == moves - of_a_button
    assert set(KINDS.values()) == set(MoveKind)


def test_a_card_may_mean_several_moves() -> None:
    state = PASSING_ON.apply(0, Move.parse("A 9H")).state
    moves = hand_at(state, 1).moves
    with_the_nine = {(move.kind, move.attack) for move in moves if move.cards == ("9S",)}
    assert with_the_nine >= {(MoveKind.BEAT, "9H"), (MoveKind.TRANSFER, None)}
    assert MoveKind.TAKE in {move.kind for move in moves}


def test_cards_stand_as_their_player_likes_them_and_an_advice_names_its_move() -> None:
    state = PASSING_ON
    advised = state.legal_moves(0)[0]
    hand = hand_at(state, 0, profile=Profile(hand_order=HandOrder.SUIT), advice=advised)
    assert set(hand.cards) == {"9H", "QC"}
    assert hand.advice in {move.token for move in hand.moves}
    assert "An expert would play" in "".join(span.text for span in hand.note)


def test_who_is_asked_something_is_told_so_and_offered_no_move() -> None:
    asked = Hand(scene_of(PASSING_ON), PASSING_ON.view_for(0), VERSION)
    note = TRANSLATOR.spans("Leave?")
    hand = hand_board(asked, note=note)
    assert (hand.moves, hand.idle, hand.note) == ((), (), note)
    assert len(hand.cards) == 2


def test_a_clock_says_when_the_table_moves_and_none_is_there_without_one() -> None:
    state = State.setup(Rules(), hands=["6S", "7H", "8D"], talon="", trump="H", attacker=0)
    timed = silent(state, 10, {0}, clock=60)
    patient = silent(state, 10, {0}, clock=0)

    assert timed.waiting is not None
    assert board_of(timed).until == timed.waiting.since + 60
    assert board_of(patient).until is None
    assert board_of(patient).since == timed.waiting.since

    late = Waiting(frozenset({0}), 0.0, 50.0, 60, 50.0, LocalTime(ZoneInfo("UTC"), None), 0.0)
    assert board_of(replace(timed, waiting=late)).until == late.moves_at


def test_cards_that_everybody_knows_are_shown_with_their_holder() -> None:
    *_, (state, events) = played(Opening(PRESETS["podkidnoy-36"], 3, "5eed", shuffle=1), Random(7))
    table = table_at(state, events)
    assert table.is_over
    known = {str(card) for _, card in state.public_view().seen_cards}
    assert {card for seat in table.seats for card in seat.seen} == known
    assert all(Card.parse(card) for card in known)
