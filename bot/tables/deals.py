"""Makes deals that nobody can predict: a sealed secret, salted with the presses of the players."""

import secrets
from hashlib import sha256

from bot.model.table import Table
from engine import Match, Opening
from engine.runtime import GameSession

TRACE_DIGITS = 32  # 128 bits of a hash


def new_seed() -> str:
    """Makes the secret of a deal."""
    return secrets.token_hex(16)


def trace_of(event: str) -> str:
    """Returns a hash of a chat's event id (empty: empty), as the id itself could identify its author."""
    return sha256(event.encode()).hexdigest()[:TRACE_DIGITS] if event else ""


def next_opening(table: Table, session: GameSession, event: str) -> Opening:
    """Continues the match if the same people play on with the same rules; otherwise begins a new one.

    The shuffle includes facts that no player could choose once the seed was sealed: the ids of the presses
    by which players joined, and of the press that started the game (`event`). If the game starts by itself, a
    fresh random value replaces that press.
    """
    before = session.opening
    outcome = session.outcome
    match = Match.begin(table.rules, len(table.players))

    if before is not None and outcome is not None:
        earlier = Match.of(before)
        match = earlier.after(outcome)
        if before.rules != table.rules or not table.is_same_company or match.is_over:
            match = earlier.with_rules(table.rules, len(table.players))

    traces = [*(player.joined or "house" for player in table.players), trace_of(event or new_seed())]
    # One hash of all, as a single trace could be traced to a person by trying out the ids of their presses.
    return match.opening(seed=table.seed, salt=trace_of(",".join(traces)))
