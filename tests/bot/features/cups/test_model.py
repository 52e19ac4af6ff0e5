"""Cups as values: a cup ends with one winner, whatever people do."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.features.cups.model import (
    MAX_AT_TABLE,
    MAX_PLACES,
    MIN_AT_TABLE,
    MIN_PLACES,
    Cup,
    CupGame,
    CupPhase,
    CupRefusal,
    CupRefusedError,
    tables_of,
)
from bot.model.series import FINAL, ROUNDS
from engine import PRESETS, shuffled

ROOM = RoomRef(ServerRef("telegram", "1"), "1")


def person(number: int) -> User:
    return User(UserRef("telegram", str(number)), f"P{number}")


def gathered(people: int, seed: str = "seed") -> Cup:
    cup = Cup(1, ROOM, person(0).ref, "podkidnoy-36", PRESETS["podkidnoy-36"], seed, 100.0)
    for number in range(people):
        cup = cup.join(person(number), f"trace {number}")
    return cup


def ended(game: CupGame, order: tuple[int, ...], *, has_draw: bool = False) -> CupGame:
    """Returns a game whose seats went out in this order; the last one is the fool unless it is a draw."""
    places = {seat: place for place, seat in enumerate(order, start=1)}
    last = order[-1]
    fools = frozenset[int]() if has_draw else frozenset({last})
    out_at = tuple(None if seat in fools else places[seat] for seat in range(len(order)))
    return replace(game, is_over=True, out_at=out_at, fools=fools, is_draw=has_draw)


def with_game(cup: Cup, old: CupGame, new: CupGame) -> Cup:
    return replace(cup, games=tuple(new if each is old else each for each in cup.games))


def played(cup: Cup) -> Cup:
    """Returns the cup after a round in which all went out in seating order."""
    for game in cup.current_games:
        cup = with_game(cup, game, ended(game, tuple(range(len(game.players)))))
    return cup.advance((), 200.0)


@st.composite
def evenings(draw: st.DrawFn) -> Cup:
    """Draws a cup at its end, with people who come, leave and return at any time."""
    cup = gathered(
        draw(st.integers(MIN_PLACES, MAX_PLACES + 3)), draw(st.text("0123456789abcdef", max_size=8))
    )
    cup = cup.begin("salt", 100.0)
    crowd = st.sampled_from(range(MAX_PLACES + 6))

    for _ in range(FINAL):
        if cup.phase is CupPhase.OVER:
            break

        present = [each.user for each in cup.holders]
        for game in draw(st.permutations(cup.current_games)):
            for comer in draw(st.lists(crowd, max_size=3)):
                known = cup.entrant(person(comer).ref)
                with suppress(CupRefusedError):  # it is too late, or the place is taken
                    if known is None or known.has_left:
                        cup = cup.join(person(comer))
                    else:
                        cup = cup.leave(known.user)

            assert cup.advance((), 1.0) == cup  # a table still plays

            size = len(game.players)
            kind = draw(st.sampled_from(("played", "draw", "stopped")))
            order = tuple(draw(st.permutations(range(size))))
            result = replace(game, is_over=True)

            if kind != "stopped":
                result = ended(game, order, has_draw=kind == "draw")

            cup = with_game(cup, game, result)

        gone = draw(st.sets(st.sampled_from(present), max_size=len(present)))
        before = cup.round
        cup = cup.advance(gone, 200.0)
        assert cup.phase is CupPhase.OVER or cup.round == before + 1

    return cup


@given(evenings())
@settings(max_examples=150)
def test_a_cup_ends_with_one_winner_if_anybody_stayed_and_with_a_fool_if_there_ever_was_one(cup: Cup) -> None:
    assert cup.phase is CupPhase.OVER
    stayed = {each.user for each in cup.holders}
    assert (cup.winner in stayed) if stayed else cup.winner is None

    fools = [score.entrant.user for score in cup.standing if score.fools]
    others = [user for user in fools if user != cup.winner]
    assert cup.fool == (others[-1] if others else None)


@given(evenings())
@settings(max_examples=150)
def test_a_place_plays_once_a_round_and_nobody_sits_alone(cup: Cup) -> None:
    for number in range(1, cup.round + 1):
        games = [game for game in cup.games if game.round == number]
        sizes = [len(game.players) for game in games]
        assert all(MIN_AT_TABLE <= size <= MAX_AT_TABLE for size in sizes)
        assert max(sizes) - min(sizes) <= 1

        places = Counter[int | None]()
        for game in games:
            for user in game.players:
                entrant = cup.entrant(user)
                assert entrant is not None
                places[entrant.place] += 1

        assert set(places.values()) == {1}

    assert sum(game.round == FINAL for game in cup.games) <= 1


@given(evenings())
@settings(max_examples=100)
def test_all_who_stay_play_both_rounds(cup: Cup) -> None:
    if cup.round < ROUNDS:
        return

    for score in cup.standing:
        if score.entrant.holds_place:
            holders = {each.user for each in cup.entrants if each.place == score.entrant.place}
            rounds = [
                game.round for game in cup.games if game.round <= ROUNDS and holders & set(game.players)
            ]
            assert sorted(rounds) == list(range(1, ROUNDS + 1))


@pytest.mark.parametrize("people", range(MIN_AT_TABLE, MAX_PLACES + 1))
def test_tables_are_as_few_and_as_even_as_can_be(people: int) -> None:
    sizes = [len(table) for table in tables_of(range(people))]
    assert sum(sizes) == people
    assert max(sizes) <= MAX_AT_TABLE
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == -(-people // MAX_AT_TABLE)


def test_the_draw_follows_from_seed_and_salt_alone() -> None:
    cup = gathered(11).begin("salt", 100.0)
    order = shuffled([person(number).ref for number in range(11)], "seed", "salt|round 1")
    assert [user for game in cup.games for user in game.players] == list(order)
    assert cup.games != gathered(11).begin("other", 100.0).games


def test_the_first_one_out_gets_three_points_and_the_fool_none() -> None:
    game = ended(CupGame(1, tuple(person(number).ref for number in range(4))), (2, 0, 3, 1))
    assert [game.points_of(seat) for seat in range(4)] == [2, 0, 3, 1]


def test_the_last_two_of_a_draw_get_a_point_each() -> None:
    users = tuple(person(number).ref for number in range(4))
    for order in (0, 1, 2, 3), (0, 1, 3, 2):
        game = ended(CupGame(1, users), order, has_draw=True)
        assert [game.points_of(seat) for seat in range(4)] == [3, 2, 1, 1]

    for pair in (0, 1), (1, 0):
        game = ended(CupGame(1, users[:2]), pair, has_draw=True)
        assert [game.points_of(seat) for seat in range(2)] == [1, 1]


def test_who_holds_cards_when_another_gives_up_gets_two_points_at_most() -> None:
    users = tuple(person(number).ref for number in range(4))
    early = CupGame(1, users, is_over=True, out_at=(None,) * 4, fools=frozenset({0}))
    late = CupGame(1, users, is_over=True, out_at=(1, None, None, 2), fools=frozenset({1}))
    assert [early.points_of(seat) for seat in range(4)] == [0, 2, 2, 2]
    assert [late.points_of(seat) for seat in range(4)] == [3, 0, 1, 2]


def test_a_stopped_game_counts_for_nobody() -> None:
    game = CupGame(1, (person(0).ref, person(1).ref), is_over=True)
    assert [game.points_of(seat) for seat in range(2)] == [0, 0]


def test_the_next_in_line_takes_over_a_place_with_its_points() -> None:
    cup = gathered(4).begin("salt", 100.0).join(person(9))
    (game,) = cup.current_games
    first = game.players[0]
    cup = played(cup.leave(first))

    assert first not in cup.current_games[0].players
    assert person(9).ref in cup.current_games[0].players

    inherited = next(score for score in cup.standing if score.entrant.user == person(9).ref)
    assert inherited.points == 3


def test_a_loss_stays_with_who_lost_and_brings_the_next_in_line_no_cap() -> None:
    cup = gathered(4).begin("salt", 100.0).join(person(9))
    (game,) = cup.current_games
    loser = game.players[-1]
    cup = played(cup.leave(loser))
    heir = next(score for score in cup.standing if score.entrant.user == person(9).ref)
    assert heir.fools == 0


def test_who_left_gets_a_free_place_back_and_no_other() -> None:
    cup = gathered(4).begin("salt", 100.0).leave(person(1).ref)
    assert cup.join(person(1)).holders == gathered(4).begin("salt", 100.0).holders

    taken = played(cup.join(person(9)))
    assert taken.round == ROUNDS

    with pytest.raises(CupRefusedError) as refused:
        taken.join(person(1))

    assert refused.value.reason is CupRefusal.TOO_LATE


def test_the_best_four_play_the_final_and_its_first_wins() -> None:
    cup = gathered(8).begin("salt", 100.0)
    while cup.round < ROUNDS:
        cup = played(cup)

    before_final = played(cup)
    best = [score.entrant.user for score in before_final.standing[:4]]
    (final,) = before_final.current_games
    assert set(final.players) == set(best)

    over = played(before_final)
    assert over.winner == final.players[0]
    assert over.fool == [score.entrant.user for score in over.standing if score.fools][-1]


def test_a_bot_that_stands_in_wins_no_cup() -> None:
    cup = played(played(gathered(4).begin("salt", 100.0)))
    (final,) = cup.current_games
    cup = with_game(cup, final, ended(final, (0, 1, 2, 3)))
    assert cup.advance({final.players[0]}, 200.0).winner == final.players[1]


def test_a_cup_without_people_has_no_winner() -> None:
    cup = gathered(5).begin("salt", 100.0)
    for game in cup.current_games:
        cup = with_game(cup, game, replace(game, is_over=True))

    over = cup.advance({each.user for each in cup.holders}, 200.0)
    assert over.phase is CupPhase.OVER
    assert (over.winner, over.fool) == (None, None)


def test_people_beyond_sixteen_wait_in_line() -> None:
    cup = gathered(18)
    assert [each.user for each in cup.line] == [person(16).ref, person(17).ref]
    begun = cup.begin("salt", 100.0)
    assert len(begun.holders) == MAX_PLACES
    assert [each.user for each in begun.line] == [person(16).ref, person(17).ref]


def refusal_of(change: object) -> CupRefusal:
    assert callable(change)
    with pytest.raises(CupRefusedError) as refused:
        change()
    return refused.value.reason


def test_a_cup_refuses_what_it_cannot_do() -> None:
    cup = gathered(3)
    begun = gathered(4).begin("salt", 100.0)
    group = User(UserRef("telegram", "-1"), "Group", is_person=False)

    assert refusal_of(lambda: cup.begin("salt", 0.0)) is CupRefusal.TOO_FEW
    assert refusal_of(lambda: cup.join(person(0))) is CupRefusal.IN_ALREADY
    assert refusal_of(lambda: cup.join(group)) is CupRefusal.NOT_A_PERSON
    assert refusal_of(lambda: cup.leave(person(9).ref)) is CupRefusal.NOT_IN
    assert refusal_of(lambda: gathered(32).join(person(40))) is CupRefusal.FULL
    assert refusal_of(lambda: begun.begin("salt", 0.0)) is CupRefusal.NOT_GATHERING
    assert refusal_of(begun.call_off) is CupRefusal.NOT_GATHERING
    assert refusal_of(lambda: cup.call_off().join(person(9))) is CupRefusal.IS_OVER
    assert refusal_of(lambda: played(begun).join(person(9))) is CupRefusal.TOO_LATE
