"""What a chat of our own shows around its rooms: the same facts that commands tell in messages."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from adapters.port import GameSummary, PlayerTally, Replay, ReviewState, RuleSetCard, ServerRef, Span, UserRef
from bot.handlers.statistics import Period, Statistics
from bot.locale import Translator
from bot.model.findings import NoFindings
from bot.model.message_slots import MessageKind, MessageSlot
from bot.model.standings import Standing
from bot.model.table import Phase
from bot.screens.people import names_of
from bot.screens.replay import replay_of
from bot.screens.rule_set_cards import rule_set_cards
from bot.screens.standings.phrases import shown_name
from bot.storage import PastGame, RecordStore
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.service import TableService
from engine import PRESETS, Regret

MOST_GAMES = 50
"""Games that are listed."""


class BotPages:
    """Implements `Pages`."""

    def __init__(
        self,
        *,
        rule_book: RuleBook,
        statistics: Statistics,
        records: RecordStore,
        reviews: Reviews,
        tables: TableService,
    ) -> None:
        self._rule_book = rule_book
        self._statistics = statistics
        self._records = records
        self._reviews = reviews
        self._tables = tables

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        """Return the rules that one can open a table by, those that are played by default first."""
        return rule_set_cards(await self._rule_book.rule_sets(server), Translator(locale))

    async def best(self, server: ServerRef, period: str, locale: str) -> Sequence[PlayerTally]:
        """Rank those who played in a period, the best first."""
        return _tallies(await self._statistics.best(server, _period(period)), locale)

    async def fools(self, server: ServerRef, period: str, locale: str) -> Sequence[PlayerTally]:
        """Rank them, too, the most frequent fool first."""
        return _tallies(await self._statistics.most_foolish(server, _period(period)), locale)

    async def statistics(self, server: ServerRef, user: UserRef, locale: str) -> tuple[Span, ...]:
        """Tell how somebody plays."""
        player = await self._statistics.player(server, user)
        if player is None:
            return ()
        return (await self._statistics.stats(server, player, player, Translator(locale))).body

    async def games(self, server: ServerRef) -> Sequence[GameSummary]:
        """Return the games that were over last, the newest first."""
        return [_summary(game) for game in await self._records.newest_games(server, MOST_GAMES)]

    async def replay(
        self,
        server: ServerRef,
        table_id: int,
        game: int,
        locale: str,
        reader: UserRef | None,
        *,
        wants_review: bool = False,
    ) -> Replay | None:
        """Return a finished game of this server, if there is one; the reader sees their own review in it."""
        found = await self._records.finished(server, table_id, game)
        if found is None:
            return None
        past, record = found
        now, rules = await self._tables.table(table_id), record.opening.rules
        preset = next((name for name, known in PRESETS.items() if known == rules), now.preset)
        players = tuple(player for player, _ in past.seats)
        then = replace(now, game=game, preset=preset, rules=rules, players=players, phase=Phase.OVER)
        state, regrets = await self._review(table_id, game, reader, wants_review=wants_review)
        replay = await asyncio.to_thread(replay_of, _summary(past), then, record, regrets, Translator(locale))
        return replace(replay, review=state)

    async def _review(
        self, table_id: int, game: int, reader: UserRef | None, *, wants_review: bool
    ) -> tuple[ReviewState, Sequence[Regret]]:
        """Return what has become of the reader's review, and what it found."""
        if reader is None:
            return ReviewState.NONE, ()
        slot = MessageSlot(table_id, game, MessageKind.REVIEW, reader)
        found = self._reviews.findings(slot)
        if found is not None and found is not NoFindings.FAILED:
            return ReviewState.DONE, () if isinstance(found, NoFindings) else found
        if self._reviews.is_wanted(slot):
            return ReviewState.UNDERWAY, ()
        played = await self._records.played_by(reader, table_id, game)
        if played is None:
            return ReviewState.NONE, ()
        if not wants_review:
            return ReviewState.OFFERED, ()
        self._reviews.request(slot, None, played)
        return ReviewState.UNDERWAY, ()


def _period(word: str) -> Period:
    return Period(word) if word in set(Period) else Period.ALL


def _tallies(standings: Sequence[Standing], locale: str) -> Sequence[PlayerTally]:
    translator = Translator(locale)
    return [
        PlayerTally(each.user, shown_name(each.name, translator), each.games, each.fools, each.index)
        for each in standings
    ]


def _summary(game: PastGame) -> GameSummary:
    return GameSummary(
        game.table_id,
        game.game,
        game.at,
        names_of([player for player, _ in game.seats]),
        tuple(seat for seat, (_, is_loser) in enumerate(game.seats) if is_loser),
        game.is_stopped,
    )
