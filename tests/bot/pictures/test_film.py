"""The end of a game as a film: its moves, and a format for every chat."""

from io import BytesIO
from random import Random

import pytest
from PIL import Image

from bot.pictures.drawing import film_of
from bot.pictures.subjects import MAX_FRAMES, Film
from engine import Opening, Record, Resign
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
    assert len(film_of(Film(tuple(states[-MAX_FRAMES:]), NAMES[:6]), DARK_LOOK)) < MAX_BYTES
