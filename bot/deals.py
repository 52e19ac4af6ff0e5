"""What a table's games are dealt from."""

import secrets

from bot.lobby import Lobby
from engine import Match, Opening
from engine.runtime import Table


def new_seed() -> str:
    """Make the secret of a deal."""
    return secrets.token_hex(16)


def next_opening(lobby: Lobby, cards: Table, event: str) -> Opening:
    """Carry the match on if the same people play on by the same rules; else begin a new one.

    The shuffle takes what nobody could choose once the seed was sealed: how people joined, and the start (the
    `event`).
    """
    before, outcome = cards.opening, cards.outcome
    match = Match.begin(lobby.rules, len(lobby.sitters))
    if before is not None and outcome is not None:
        earlier = Match.of(before)
        match = earlier.after(outcome)
        if before.rules != lobby.rules or not lobby.is_same_company or match.is_over:
            match = earlier.changed(lobby.rules, len(lobby.sitters))
    salt = ",".join([*(sitter.joined or "house" for sitter in lobby.sitters), event])
    return match.opening(seed=lobby.seed, salt=salt)
