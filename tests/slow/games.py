"""Plays thousands of random games through every check of the rules.

    python -m tests.slow.games --games 20000

Every other game has a preset, the others any combination of settings, half of them with cheating. A game
follows from its number, so one that failed can be played again: `--first NUMBER --games 1`. The first failure
ends the run with exit code 1 and prints the game's record, which `engine.replay` plays through.
"""

import sys
import time
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from multiprocessing import Pool
from random import Random
from typing import NamedTuple

from engine import PRESETS, Opening
from tests.engine.oracle.deal import check_deal
from tests.engine.oracle.engine import CompareWithOracle
from tests.engine.oracle.movegen import check_legal_moves
from tests.engine.rules.games import (
    Moment,
    any_rules,
    check_every_move,
    now_and_then,
    numbers_of_players,
    play,
    with_cheating,
)
from tests.engine.rules.invariants import check_end, check_move, check_texts
from tests.engine.rules.secrecy import check_cheats_look_alike, check_events, check_views

PAUSE = 60  # seconds between two lines of progress


class Played(NamedTuple):
    """A played game; `failure` is its error with the game's record."""

    number: int
    moves: int
    failure: str = ""


def opening_of(number: int, rng: Random) -> Opening:
    """Returns the deal of a game: presets and random rules in turn."""
    presets = list(PRESETS.values())
    rules = presets[number // 2 % len(presets)] if number % 2 == 0 else any_rules(rng.choice)
    if number % 4 == 1:
        rules = with_cheating(rules)

    players = rng.choice(numbers_of_players(rules))
    levels = tuple(rng.randint(6, 14) for _ in range(players))
    return Opening(rules, players, str(number), dealer=rng.randrange(players), levels=levels)


def check_what_can_be_written(moment: Moment, rng: Random) -> None:
    """Tries every writable move of the deck, in about one position of a game, for one seat."""
    if rng.random() < 1 / 200:
        check_every_move(moment.before, rng.randrange(moment.before.players))


def played(number: int) -> Played:
    """Plays the game of this number through all checks."""
    rng = Random(number)
    moves = 0

    def count(_moment: Moment, _chance: Random) -> None:
        nonlocal moves
        moves += 1

    try:
        opening = opening_of(number, rng)
        check_deal(opening, opening.deal())
        last = play(
            opening,
            rng,
            count,
            check_move,
            check_legal_moves,
            CompareWithOracle(),
            now_and_then(check_texts),
            now_and_then(check_views),
            now_and_then(check_events),
            now_and_then(check_cheats_look_alike),
            check_what_can_be_written,
        )
        check_end(last)
    except Exception:  # whatever it is, the run ends by telling it
        return Played(number, moves, traceback.format_exc())

    return Played(number, moves)


def watched(games: Iterable[Played], total: int) -> Played | None:
    """Prints the progress and returns the first game that failed."""
    started = told = time.monotonic()
    moves = 0
    for count, game in enumerate(games, 1):
        if game.failure:
            return game

        moves += game.moves
        now = time.monotonic()
        if now - told >= PAUSE or count == total:
            told = now
            pace = count / (now - started)
            say(f"{count} of {total} games, {moves} moves, {pace:.1f} games a second")

    return None


def say(line: str) -> None:
    """Prints a line at once."""
    print(line, flush=True)


def wishes() -> Namespace:
    """Returns the options of the command line."""
    parser = ArgumentParser(prog="python -m tests.slow.games", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000, help="how many games")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--workers", type=int, default=1, help="how many processes play")
    return parser.parse_args()


def main() -> int:
    """Plays the games and returns the exit code."""
    wish = wishes()
    numbers = range(wish.first, wish.first + wish.games)
    with Pool(wish.workers) as pool:
        failed = watched(pool.imap_unordered(played, numbers, chunksize=4), wish.games)

    if failed is not None:
        say(f"Game {failed.number} failed after {failed.moves} moves.\n{failed.failure}")
        say(f"Play it again: python -m tests.slow.games --games 1 --first {failed.number}")

    return 1 if failed is not None else 0


if __name__ == "__main__":
    sys.exit(main())
