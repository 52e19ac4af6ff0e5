"""What a table's games are dealt from."""

import secrets
from hashlib import sha256

from bot.model.table import Table
from engine import Match, Opening
from engine.runtime import GameSession

TRACE_DIGITS = 32
"""128 bits of a hash."""


def new_seed() -> str:
    """Make the secret of a deal."""
    return secrets.token_hex(16)


def trace_of(event: str) -> str:
    """Return a hash of a chat's event id (none for none); the id is not kept, as it can tell who did it."""
    return sha256(event.encode()).hexdigest()[:TRACE_DIGITS] if event else ""


def next_opening(table: Table, session: GameSession, event: str) -> Opening:
    """Carry the match on if the same people play on by the same rules; else begin a new one.

    The shuffle takes what nobody who plays could choose once the seed was sealed: how people joined, and the
    start (the `event`). A game that starts by itself has no press; what is drawn now was not known before.
    """
    before, outcome = session.opening, session.outcome
    match = Match.begin(table.rules, len(table.players))
    if before is not None and outcome is not None:
        earlier = Match.of(before)
        match = earlier.after(outcome)
        if before.rules != table.rules or not table.is_same_company or match.is_over:
            match = earlier.changed(table.rules, len(table.players))
    traces = [*(player.joined or "house" for player in table.players), trace_of(event or new_seed())]
    # One hash of all: whoever knows a person's id could try out which of their presses gives a single trace.
    return match.opening(seed=table.seed, salt=trace_of(",".join(traces)))
