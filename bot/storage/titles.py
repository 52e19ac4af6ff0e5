"""The titles that people earn by their games on a server."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, func, select

from adapters.port import ServerRef, UserRef
from bot.model.results import MIN_EXPERTS, Feats, Title, titles_of
from bot.storage import tallies
from bot.storage.database import Store, reports_aside
from bot.storage.models import GAME, EntryRow, PlayerRow, ResultRow, ServerRow
from bot.storage.people import id_of
from bot.storage.records import people_in
from bot.storage.standings import results_of
from engine import PRESETS, Opening, Rank, Seat

MIN_EARLIER_GAMES = 10  # a server's shortest game earns a title after so many others
EXPERT = "expert"  # the strength of house players that a title counts
PRESET_NAMES = {rules: name for name, rules in PRESETS.items()}


class TitleStore(Store):
    """The titles of people."""

    @reports_aside
    def titles(self, session: Session, server: ServerRef, user: UserRef) -> Collection[Title]:
        """Returns the titles that a person has on a server."""
        at = id_of(session, ServerRow, server)
        person = id_of(session, PlayerRow, user)
        return tuple(titles_of(list(_feats(session, at, person).values()), PRESETS))

    @reports_aside
    def new_titles(self, session: Session, table_id: int, game: int) -> Mapping[Title, Sequence[Seat]]:
        """Returns the titles that a finished game has brought, each with the seats that got it."""
        brought = defaultdict[Title, list[Seat]](list)

        for row in people_in(session, table_id, game):
            feats = _feats(session, row.server_id, row.player_id or 0)
            number = list(feats).index((table_id, game))
            for title, earned in titles_of(list(feats.values()), PRESETS).items():
                if earned == number:
                    brought[title].append(row.seat)

        return brought


def _feats(session: Session, server: int, player: int) -> Mapping[tuple[int, int], Feats]:
    """Returns a person's feats in the games of a server that count, by table and game, oldest first."""
    openings = _openings_of_lost(session, server, player)
    feats = dict[tuple[int, int], Feats]()
    shortest = 0
    columns = ("seat", "players", "people", "place", "is_loser", "epaulettes", "bouts", "most_held")

    for row in results_of(session, server, player, *columns):
        key = (row.table_id, row.game)

        is_quickest = False
        if row.place == 1 and row.bouts and (not shortest or row.bouts < shortest):
            shortest = row.bouts
            is_quickest = _is_shortest(session, server, row)

        experts_beaten = 0
        if not row.is_loser and row.players - row.people >= MIN_EXPERTS:
            experts_beaten = _count_experts_beaten(session, *key)

        preset = ""
        level = 0
        opening = openings.get(key)
        if opening is not None:
            preset = PRESET_NAMES.get(opening.rules, "")
            level = opening.levels[row.seat] if opening.levels else 0

        escaped_from = 0
        if row.place is not None and not row.is_loser:
            escaped_from = row.most_held

        feats[key] = Feats(
            row.is_loser,
            row.epaulettes,
            is_quickest,
            experts_beaten=experts_beaten,
            is_up_to_the_ace=bool(row.epaulettes) and level == Rank.ACE,
            preset=preset,
            escaped_from=escaped_from,
        )

    return feats


def _count_experts_beaten(session: Session, table_id: int, game: int) -> int:
    """Counts the experts at a table if one of them lost this game; 0 if none did."""
    experts = session.exec(
        select(ResultRow.is_loser).where(
            ResultRow.table_id == table_id, ResultRow.game == game, ResultRow.strength == EXPERT
        )
    ).all()
    return len(experts) if any(experts) else 0


def _openings_of_lost(session: Session, server: int, player: int) -> Mapping[tuple[int, int], Opening]:
    """Returns the openings of the games that a person has lost, by table and game."""
    result = ResultRow
    entry = EntryRow
    is_its_entry = (col(entry.table_id) == result.table_id) & (col(entry.game) == result.game)
    first = (
        select(result.table_id, func.min(entry.version))
        .join(entry, is_its_entry)
        .where(*tallies.that_count(server), col(result.player_id) == player, col(result.is_loser).is_(True))
        .group_by(col(result.table_id), col(result.game))
    )
    query = select(entry.table_id, entry.game, entry.text)
    rows = session.exec(query.where(sa.tuple_(col(entry.table_id), col(entry.version)).in_(first)))

    return {(table, game): Opening.from_text(text) for table, game, text in rows}


def _is_shortest(session: Session, server: int, game: Any) -> bool:
    """Whether a game is the shortest of its server so far, if there were enough before it."""
    earlier = select(ResultRow.bouts).where(
        sa.text(GAME), ResultRow.server_id == server, ResultRow.finished_at < game.finished_at
    )
    if session.exec(earlier.offset(MIN_EARLIER_GAMES - 1).limit(1)).first() is None:
        return False

    as_short = earlier.where(ResultRow.bouts <= game.bouts, ResultRow.bouts > 0)
    return session.exec(as_short.limit(1)).first() is None
