from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.handlers.statistics import Period
from bot.model.buttons import (
    AfterGame,
    AskHint,
    Button,
    ChangeLobby,
    ChangeOption,
    CommandInPlace,
    EndAction,
    ExplainRanking,
    HostAction,
    HostGame,
    InvalidTokenError,
    LobbyAction,
    OpenCheating,
    OpenTable,
    PlayMove,
    QuitAction,
    QuitGame,
    ShowHand,
    SlyAction,
    SortHand,
    TypedCommand,
    WriteInPrivate,
    decode,
)
from bot.model.profile import HandOrder
from engine import Attack, Card, Move, Opening, Rank, Suit, Transfer
from tests.engine.rules.games import openings, random_game
from tests.examples import examples

MAX_TOKEN_BYTES = 64  # bytes that every chat takes

ids = st.integers(0, 10**18 - 1)
moves = st.sampled_from(["A 9H", "A 9H 9S", "D 9H JH", "X 9S", "V 9D", "T", "P", "L 8", "E", "R"])
typed = st.sampled_from(["durak bots", "settings language uk", "rules full"])
tokens: st.SearchStrategy[Button] = st.one_of(
    st.builds(PlayMove, ids, ids, moves),
    st.builds(ChangeLobby, ids, ids, st.sampled_from(LobbyAction)),
    st.builds(ChangeOption, ids, ids, st.sampled_from(["", "common", "deck=52"])),
    st.builds(ShowHand, ids, ids),
    st.builds(SortHand, ids, st.sampled_from(HandOrder)),
    st.builds(AskHint, ids),
    st.builds(OpenCheating, ids, st.sampled_from(SlyAction), st.sampled_from(("", "9H"))),
    st.builds(WriteInPrivate, ids, st.booleans()),
    st.builds(HostGame, ids, ids, st.sampled_from([action for action in HostAction if action != "replace"])),
    st.builds(HostGame, ids, ids, st.just(HostAction.REPLACE), st.integers(0, 15)),
    st.builds(QuitGame, ids, ids, st.sampled_from(QuitAction)),
    st.builds(AfterGame, ids, ids, st.sampled_from(EndAction)),
    st.builds(OpenTable),
    st.builds(ExplainRanking, st.sampled_from(Period)),
    st.builds(TypedCommand, typed),
    st.builds(CommandInPlace, typed),
)


@given(tokens)
def test_a_token_reads_back_as_what_was_written(token: Button) -> None:
    assert decode(str(token)) == token


@given(tokens)
def test_a_token_fits_into_sixty_four_bytes_whatever_the_ids(token: Button) -> None:
    assert len(str(token).encode()) <= MAX_TOKEN_BYTES


@examples(25)
@given(openings(), st.randoms(use_true_random=False))
def test_every_legal_move_has_a_token_that_fits_and_reads_back(opening: Opening, chance: Random) -> None:
    for state, _, _ in random_game(opening, chance):
        for seat in state.actors:
            for move in state.legal_moves(seat):
                token = PlayMove(10**9, 10**5, str(move))
                assert len(str(token).encode()) <= MAX_TOKEN_BYTES
                read = decode(str(token))
                assert isinstance(read, PlayMove)
                assert Move.parse(read.move) == move


def test_the_longest_attack_and_transfer_fit_too() -> None:
    eight_nines = tuple(Card(suit, Rank.NINE) for suit in Suit) * 2
    for move in (Attack(eight_nines), Transfer(eight_nines)):
        assert len(str(PlayMove(10**9, 10**6, str(move))).encode()) <= MAX_TOKEN_BYTES


def test_tokens_look_as_other_programs_expect_them() -> None:
    assert str(PlayMove(7, 12, "D 9H JH")) == "m:7:12:D 9H JH"
    assert str(ChangeLobby(7, 1, LobbyAction.JOIN)) == "l:7:1:join"
    assert (str(ShowHand(7)), str(ShowHand(7, 2))) == ("h:7", "h:7:2")
    assert str(ChangeOption(7, 1, "deck=52")) == "o:7:1:deck=52"
    assert str(QuitGame(7, 1, QuitAction.ASK)) == "q:7:1:ask"
    assert str(HostGame(7, 1, HostAction.REPLACE, 3)) == "t:7:1:replace-3"
    assert str(AfterGame(7, 1, EndAction.REMATCH)) == "g:7:1:rematch"
    assert str(WriteInPrivate(7, wanted=False)) == "w:7:off"
    assert decode("w:7:on") == WriteInPrivate(7, wanted=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m",
        "m:7",
        "m:7:12",
        "m:7:12:",
        "m:-7:12:T",
        "m:7:12.5:T",
        "m:٧:12:T",
        "m: 7:12:T",
        "m:1_0:12:T",
        "m:" + "9" * 40 + ":1:T",
        "l:7:1:explode",
        "l:7:1",
        "l:7:1:join:again",
        "h:",
        "h:x",
        "h:7:1:2",
        "i:7:1",
        "g:7:1:join",
        "o:7:1:",
        "o:7",
        "q:7:1",
        "q:7:1:die",
        "t:7:1:replace",
        "t:7:1:pause-1",
        "t:7:1:replace-x",
        "w:7",
        "w:7:maybe",
        "x:7:1:join",
        "M:7:12:T",
        "\x00",
        "🃏" * 16,
    ],
)
def test_what_was_never_on_a_button_is_refused(text: str) -> None:
    with pytest.raises(InvalidTokenError):
        decode(text)


@given(st.text(max_size=70))
def test_any_text_is_a_token_or_refused(text: str) -> None:
    try:
        token = decode(text)
    except InvalidTokenError:
        return
    assert decode(str(token)) == token
