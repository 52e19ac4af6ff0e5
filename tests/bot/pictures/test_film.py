"""The end of a game as a film: its moves, and a format for every chat."""

from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from bot.pictures.drawing import film_of
from bot.pictures.subjects import MAX_FRAMES, Film
from engine import Accuse, Attack, Card, Defend, Opening, Record, Resign, is_honest
from tests.bot.pictures.positions import DARK_LOOK, NAMES

MAX_BYTES = 1_000_000


def played(seed: str, players: int, rules: str) -> Record:
    """Plays a game of random moves to its end."""
    opening = Opening.from_text(f"players={players} dealer=0 seed={seed} rules: {rules}")
    record = Record(opening)
    state = opening.deal()
    chance = Random(seed)

    while state.outcome() is None:
        seat = min(state.awaited)
        move = chance.choice(state.legal_moves(seat))
        record = record.plus(seat, move)
        state = state.apply(seat, move).state

    return record


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_film_shows_the_last_two_bouts_and_the_end(players: int) -> None:
    record = played("ab", players, "podkidnoy-36")
    film = Film.of(record, NAMES[:players])
    final = record.replay()
    assert film.views[-1] == final.public_view()
    assert not film.views[0].bout

    states = [record.opening.deal(), *(step.state for step in record.steps())]
    first = states[-len(film.views)]
    assert final.bouts - first.bouts == 2
    assert states[-len(film.views) - 1].bouts < first.bouts


def test_a_game_of_one_bout_is_shown_from_its_deal() -> None:
    opening = played("ab", 2, "podkidnoy-36").opening
    film = Film.of(Record(opening, ((0, Resign()),)), NAMES[:2])
    assert film.views[0] == opening.deal().public_view()
    assert len(film.views) == 2


@pytest.mark.parametrize("players", [2, 6])
def test_a_film_is_a_small_animation_that_ends_with_the_fool(players: int) -> None:
    film = Film.of(played("ab", players, "podkidnoy-36"), ("W" * 64,) * players)
    gif = film_of(film, DARK_LOOK)
    assert len(gif) < MAX_BYTES
    with Image.open(BytesIO(gif)) as shown:
        assert (shown.format, getattr(shown, "is_animated", False)) == ("GIF", True)
        assert 2 < getattr(shown, "n_frames", 0) <= len(film.views) + 1


def test_the_longest_film_is_small() -> None:
    record = played("ab", 6, "podkidnoy-36 deck=52")
    states = [step.state.public_view() for step in record.steps()]
    assert len(states) > MAX_FRAMES
    views = tuple(states[-MAX_FRAMES:])
    assert len(film_of(Film(views, NAMES[:6], (frozenset(),) * len(views)), DARK_LOOK)) < MAX_BYTES


def test_a_film_frames_the_cards_that_were_played_against_the_rules_until_they_are_caught() -> None:
    opening = Opening.from_text("players=2 dealer=1 seed=ab rules: deck=24 cheating=on")
    state = opening.deal()
    attack = next(move for move in state.legal_moves(state.attacker) if isinstance(move, Attack))
    record = Record(opening).plus(state.attacker, attack)
    cheat = next(
        move
        for move in record.replay().legal_moves(state.defender)
        if isinstance(move, Defend) and not is_honest(record.replay(), move)
    )
    record = record.plus(state.defender, cheat)
    caught = record.plus(state.attacker, Accuse(cheat.card)).plus(0, Resign())

    film = Film.of(caught, NAMES[:2])
    assert [set(wrong) for wrong in film.wrong_cards] == [set(), set(), {cheat.card}, set(), set()]
    honest = replace(film, wrong_cards=(frozenset[Card](),) * len(film.views))
    assert film_of(film, DARK_LOOK) != film_of(honest, DARK_LOOK)
