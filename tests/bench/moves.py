"""Moves per second in random games between two, beside PyPI's durakgame."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

from engine import PRESETS, State
from tests.bench.rows import Measured, MissingRivalError

RULES = PRESETS["podkidnoy-36"]
GAMES = 1000
FEW_GAMES = 5

Game = Callable[[Random], int]  # deals, plays a game to its end, and returns how many moves it had


def moves_beside_durakgame(is_quick: bool) -> Measured:
    """Plays as many games by both, by turns, and compares moves per second of CPU time."""
    if find_spec("durakgame") is None:
        raise MissingRivalError("durakgame (`pip install -e '.[bench]'`)")

    both: tuple[Game, Game] = (play_here, rival_game())
    moves = [0, 0]
    seconds = [0.0, 0.0]

    games = FEW_GAMES if is_quick else GAMES
    for number in range(-1, games):  # the first one fills caches
        for place, play in enumerate(both):
            began = process_time()
            made = play(Random(number))
            if number >= 0:
                seconds[place] += process_time() - began
                moves[place] += made

    here, there = (made / time for made, time in zip(moves, seconds, strict=True))
    return Measured((here / there,), f"{here:,.0f} moves a second; durakgame {there:,.0f}")


def play_here(rng: Random) -> int:
    """Plays a game of legal moves: a card, Take or Done; `apply` checks each again."""
    deck = list(RULES.cards(2))
    rng.shuffle(deck)
    state = State.deal(RULES, 2, deck)
    moves = 0

    while state.outcome() is None:
        (seat,) = state.awaited
        choices = state.legal_moves(seat)
        state = state.apply(seat, choices[int(rng.random() * len(choices))]).state
        moves += 1

    return moves


def rival_game() -> Game:
    """Plays a game of durakgame: a move is a card, taking, ending the bout, or all cards added after a take.

    It leaves cards that are added after a take in the attacker's hand as well, so that some random games
    never end; here these cards leave the hand.
    """
    library = import_module("durakgame")
    engine = import_module("durakgame.game")

    def choose(player: Any, _state: object, options: list[object]) -> int:
        return int(player.rng.random() * len(options))

    def process(game: Any, move: Any) -> None:
        if isinstance(move, library.FinishingMove):
            for card in move.cards:
                game.currentPlayer.hand.remove(card)
        engine.Game.process(game, move)

    chance: Any = type("Chance", (library.Player,), {"nextMove": choose})
    mended = type("Mended", (engine.Game,), {"process": process})

    def play_there(rng: Random) -> int:
        chance.rng = rng
        deck = library.standardDeck()
        rng.shuffle(deck)
        game: Any = mended(deck, chance(), chance())
        game.kickoff()
        return len(game.history.p1Moves) + len(game.history.p2Moves)

    return play_there
