"""Every legal move can be typed in every language; an ambiguous text means several moves, without a guess."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.locale import LOCALES, Translator
from bot.screens.typed_moves import (
    AMBIGUOUS,
    MAX_SUGGESTED,
    VERBS,
    move_suggestions,
    offer_lines,
    readings,
    typed_form,
)
from engine import Attack, Move, Opening, Rules, State
from tests.docs.pages import page, table_rows
from tests.engine.rules.games import chances, moments, openings, quick

ENGLISH = Translator("en")
TRANSFER = Rules(transfer=True, transfer_by_showing_trump=True, throw_in_timing="anytime")


def position(*, attacker: str, defender: str, bout: str = "", rules: Rules = TRANSFER) -> State:
    state = State.setup(rules, hands=[attacker, defender], talon="", trump="H", attacker=0)
    for move in filter(None, bout.split(", ")):
        seat, _, text = move.partition(" ")
        state = state.apply(int(seat), Move.parse(text)).state
    return state


def meant(text: str, state: State, seat: int, locale: str = "en") -> list[list[str]]:
    found = readings(text, state.view_for(seat), state.legal_moves(seat), Translator(locale))
    return [list(map(str, reading)) for reading in found]


@quick
@given(openings(), chances, st.sampled_from(LOCALES))
def test_every_legal_move_can_be_typed_in_each_language_and_means_that_move(
    opening: Opening, rng: Random, locale: str
) -> None:
    translator = Translator(locale)
    for moment in moments(opening, rng):
        if rng.random() < 7 / 8:
            continue

        view = moment.before.view_for(moment.seat)
        moves = moment.before.legal_moves(moment.seat)
        for move in moves:
            form = typed_form(move, view, moves, translator)
            for typed in (form, form.upper(), f"  {form} "):
                assert readings(typed, view, moves, translator) == [(move,)], (str(move), typed)


@quick
@given(openings(), chances, st.sampled_from(LOCALES))
def test_english_is_understood_in_every_language_where_it_does_not_clash(
    opening: Opening, rng: Random, locale: str
) -> None:
    own = Translator(locale)
    for moment in moments(opening, rng):
        view = moment.before.view_for(moment.seat)
        moves = moment.before.legal_moves(moment.seat)
        form = typed_form(moment.move, view, moves, ENGLISH)
        has_spades = locale == "lt" and any(word.endswith("s") for word in form.split())
        if not has_spades:
            assert readings(form, view, moves, own) == [(moment.move,)]


def test_one_card_beats_leads_or_throws_in_where_one_legal_move_has_it() -> None:
    opening = position(attacker="6S 9D", defender="7S 8D")
    assert meant("6s", opening, 0) == [["A 6S"]]
    beaten = position(attacker="6S 6D 9C", defender="7S 8D 9S", bout="0 A 6S")
    assert meant("7s", beaten, 1) == [["D 6S 7S"]]
    assert meant("6d", beaten, 0) == [["A 6D"]]


def test_a_second_card_names_the_attack_where_several_could_be_meant() -> None:
    state = position(attacker="9C 9D 6S", defender="JH KC 7S", bout="0 A 9C, 0 A 9D")
    assert meant("jh", state, 1) == [["D 9C JH"], ["D 9D JH"]]
    assert meant("jh 9d", state, 1) == [["D 9D JH"]]
    assert meant("kc", state, 1) == [["D 9C KC"]]


def test_a_card_that_beats_transfers_and_is_shown_has_a_word_for_each() -> None:
    state = position(attacker="8S 7C 7D", defender="8H 6C", bout="0 A 8S")
    assert meant("8h", state, 1) == [["D 8S 8H"], ["X 8H"], ["V 8H"]]
    assert meant("beat 8h", state, 1) == [["D 8S 8H"]]
    assert meant("transfer 8h", state, 1) == [["X 8H"]]
    assert meant("show 8h", state, 1) == [["V 8H"]]


def test_several_cards_are_thrown_in_one_after_the_other() -> None:
    state = position(attacker="6S 6D 6C 7C", defender="7S 8D 9S 9D", bout="0 A 6S, 1 T")
    assert meant("6d 6c", state, 0) == [["A 6D", "A 6C"]]
    assert meant("6d, 6c", state, 0) == [["A 6D", "A 6C"]]
    assert meant("6d 7c", state, 0) == []
    assert meant("6d 6d", state, 0) == []


@pytest.mark.parametrize(
    ("locale", "text", "move"),
    [
        ("en", "10H", "A TH"),
        ("en", "th", "A TH"),
        ("en", "10♥", "A TH"),
        ("en", "10♥️", "A TH"),
        ("ru", "10ч", "A TH"),
        ("ru", "ТТ", "A AC"),
        ("ru", "тк", "A AC"),
        ("ru", "кк", "A KC"),
        ("uk", "вб", "A JD"),
        ("uk", "Тх", "A AC"),
        ("de", "bk", "A JD"),
        ("de", "dp", "A QS"),
        ("de", "ax", "A AC"),
        ("de", "qs", "A QS"),
        ("lt", "10š", "A TH"),
        ("lt", "10s", "A TH"),
        ("lt", "QV", "A QS"),
        ("lt", "jb", "A JD"),
        ("lt", "ak", "A AC"),
    ],
)
def test_letters_are_those_of_the_language_and_of_english(locale: str, text: str, move: str) -> None:
    state = position(attacker="TH JD QS KC AC", defender="7S 8D 9S 9D 9C")
    assert meant(text, state, 0, locale) == [[move]]


@pytest.mark.parametrize(
    "text", ["", " ", "?", "9", "9x", "hello", "take 6s", "7s", "6s hello", "swap", "discard 6"]
)
def test_other_words_mean_nothing(text: str) -> None:
    assert meant(text, position(attacker="6S 9D", defender="7S 8D"), 0) == []


def test_every_kind_of_move_but_the_attack_has_a_word() -> None:
    rows = table_rows(page("docs/rules.md"), "move", "what it does", "rule")
    assert {*VERBS, Attack} == {type(Move.parse(row[0])) for row in rows}


@pytest.mark.parametrize("locale", LOCALES)
def test_no_word_stands_for_two_kinds_of_moves_or_for_a_card(locale: str) -> None:
    words = [word for verb in VERBS.values() for word in Translator(locale).text(verb).split("/")]
    assert len(set(words)) == len(words)
    state = position(attacker="6S 9D", defender="7S 8D")
    assert not any(meant(word, state, 0, locale) for word in words)


def offered(trouble: str, state: State, seat: int, moves: Sequence[Move]) -> str:
    lines = offer_lines(trouble, moves, state.view_for(seat), state.legal_moves(seat), ENGLISH)
    return "".join(span.text for span in lines)


def test_what_is_legal_is_listed_as_words_to_type() -> None:
    state = position(attacker="9C 9D 6S", defender="JH KC 7S", bout="0 A 9C, 0 A 9D")
    listed = offered("", state, 1, state.legal_moves(1))
    assert listed == "You can type: kc · jh 9c · jh 9d · take"


def test_an_ambiguous_text_is_a_sentence_with_its_meanings() -> None:
    state = position(attacker="9C 9D 6S", defender="JH KC 7S", bout="0 A 9C, 0 A 9D")
    moves = [reading[0] for reading in readings("jh", state.view_for(1), state.legal_moves(1), ENGLISH)]
    assert offered(AMBIGUOUS, state, 1, moves) == (
        "That could be more than one move.\nYou can type: jh 9c · jh 9d"
    )


def test_a_long_list_ends() -> None:
    state = position(attacker="6S", defender="7S")
    listed = offered("", state, 0, state.legal_moves(0) * (MAX_SUGGESTED + 1))
    assert listed.count(" · ") == MAX_SUGGESTED
    assert listed.endswith("…")


def test_while_somebody_types_the_moves_that_go_on_so_are_suggested() -> None:
    state = position(attacker="9C 9D 6S", defender="JH KC 7S", bout="0 A 9C, 0 A 9D")
    view = state.view_for(1)
    found = move_suggestions("J", view, state.legal_moves(1), ENGLISH)
    assert [each.text for each in found] == ["jh 9c", "jh 9d"]
    assert len(move_suggestions("", view, state.legal_moves(1), ENGLISH)) == len(state.legal_moves(1))
