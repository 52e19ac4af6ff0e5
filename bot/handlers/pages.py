"""The contents of the page beside its rooms, with the same facts as the answers to commands."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from hmac import compare_digest
from secrets import token_hex

from adapters import port
from bot.handlers.event import Services
from bot.handlers.seasons import games_counted
from bot.handlers.statistics import Period, has_stats, since, stats_of
from bot.locale import Translator
from bot.model.findings import NoFindings
from bot.model.messages import MessageKind, TableSlot
from bot.model.standings import Ranking
from bot.model.table import Phase
from bot.pictures.subjects import EndPicture, PuzzlePicture
from bot.screens.names import names_of, shown_name
from bot.screens.result import headline
from bot.screens.review import replay_of
from bot.screens.rules import players_of, rule_guide, rule_set_cards
from bot.screens.standings import MAX_ROWS, is_placed, unplaced_text
from bot.screens.text import in_hand_order, plain_text
from bot.storage import FinishedGame
from engine import PRESETS, Card, Opening, Outcome, Record, Regret, Rules, Suit, verify

MAX_GAMES = 50  # the most games to list
SECRET_BYTES = 16  # the size of the secret in a link to a game


class BotPages:
    """Implements `Pages`."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def rule_sets(self, server: port.ServerRef, locale: str) -> Sequence[port.RuleSetCard]:
        """Returns the rules for new tables, the default ones first."""
        return rule_set_cards(await self._services.rule_book.rule_sets(server), Translator(locale))

    async def rules(self, room: port.RoomRef, locale: str) -> port.RuleGuide:
        """Explains the rules of the room's table or last game; without one, its default rules."""
        table = await self._services.tables.shown_in(room)
        translator = Translator(locale)
        if table is None:
            rule_sets = await self._services.rule_book.rule_sets(room.server)
            (name, rules) = next(iter(rule_sets.items()))
            players = None
        else:
            name = table.preset
            rules = table.rules
            players = players_of(table)

        return rule_guide(name, rules, players, translator)

    async def ranking(
        self, server: port.ServerRef, period: str, locale: str, *, fools_first: bool
    ) -> Sequence[port.PlayerTally]:
        """Ranks the players of a period, the best or the most frequent fool first."""
        span = Period(period) if period in set(Period) else Period.ALL
        began = await since(server, span, self._services)
        by = Ranking.FOOLS if fools_first else Ranking.BEST
        translator = Translator(locale)
        counting = await games_counted(server, self._services)
        standings = await self._services.standings.ranking(server, began, MAX_ROWS, counting, by=by)
        if not fools_first:  # stable: each group keeps its order
            standings = sorted(standings, key=is_placed, reverse=True)

        return [
            port.PlayerTally(
                standing.user,
                shown_name(standing.name, translator),
                standing.games,
                standing.fools,
                standing.index,
                unplaced_text(standing, translator),
            )
            for standing in standings
        ]

    async def statistics(
        self, server: port.ServerRef, user: port.UserRef, locale: str
    ) -> port.PlayerCard | None:
        """Returns a person's statistics; None if they have not finished a game here."""
        people = await self._services.standings.people(server)
        player = next((person for person in people if person.ref == user), None)
        if player is None:
            return None

        screen = await stats_of(player, server, player, Translator(locale), self._services)
        return screen.facts if isinstance(screen.facts, port.PlayerCard) else None

    async def has_statistics(self, server: port.ServerRef, user: port.UserRef) -> bool:
        """Returns whether `/stats` has anything to show about a person; games against bots suffice."""
        return await has_stats(user, server, self._services)

    async def games(self, server: port.ServerRef) -> Sequence[port.GameSummary]:
        """Returns the latest finished games, the newest first."""
        return [_summary(game) for game in await self._services.records.newest_games(server, MAX_GAMES)]

    async def headline(
        self, server: port.ServerRef, table_id: int, game: int, locale: str, *, secret: str = ""
    ) -> str | None:
        """Returns a sentence about how a finished game ended; None if there is no such game.

        Raises:
            MovesForgottenError: The game is so old that only its result is kept.
        """
        ending = await self._ending(server, table_id, game, secret)
        if ending is None:
            return None

        names, outcome, rules, _ = ending
        return plain_text(headline(names, outcome, rules, Translator(locale)))

    async def end_picture(
        self, server: port.ServerRef, table_id: int, game: int, locale: str, *, secret: str = ""
    ) -> bytes | None:
        """Returns the picture of a finished game's result, a PNG; None if there is no such game.

        Raises:
            MovesForgottenError: The game is so old that only its result is kept.
        """
        ending = await self._ending(server, table_id, game, secret)
        if ending is None:
            return None

        picture = EndPicture.of(*ending)
        return await self._services.illustrator.picture(picture, server, Translator(locale))

    async def puzzle(self, number: int, locale: str, token: str = "") -> port.PuzzleBoard | None:
        """Returns a puzzle that somebody was shown, or with the token of a move, the verdict on that move."""
        translator = Translator(locale)
        for find in self._services.hooks.puzzle:
            found = await find(number, token, translator)
            if found is not None:
                return found

        return None

    async def puzzle_picture(self, server: port.ServerRef, number: int) -> bytes | None:
        """Returns the picture of such a puzzle, a PNG; None if there is none."""
        translator = await self._services.people.translator_on(server)
        puzzle = await self.puzzle(number, translator.locale)
        if puzzle is None:
            return None

        return await self._services.illustrator.picture(_picture_of(puzzle), server, translator)

    async def _ending(
        self, server: port.ServerRef, table_id: int, game: int, secret: str
    ) -> tuple[tuple[str, ...], Outcome, Rules, Sequence[Card]] | None:
        """Returns a finished game's players, outcome and rules, and the cards that the fool has left."""
        finished = await self._finished(server, table_id, game, secret)
        if finished is None:
            return None

        past, record = finished
        outcome = (await asyncio.to_thread(verify, record)).outcome
        if outcome is None:
            return None

        names = names_of([player for player, _ in past.seats])
        left = await asyncio.to_thread(_cards_left, record, outcome)
        return names, outcome, record.opening.rules, left

    async def _finished(
        self, server: port.ServerRef, table_id: int, game: int, secret: str
    ) -> tuple[FinishedGame, Record] | None:
        """Returns a finished game of a server, or of any server with its secret."""
        finished = await self._services.records.finished(None if secret else server, table_id, game)
        if finished is None or not secret:
            return finished

        is_right = compare_digest(secret, await replay_secret(*finished, self._services))
        return finished if is_right else None

    async def replay(
        self,
        server: port.ServerRef,
        table_id: int,
        game: int,
        locale: str,
        reader: port.UserRef | None,
        *,
        secret: str = "",
        wants_review: bool = False,
    ) -> port.Replay | None:
        """Returns a finished game of this server, if there is one, with the reader's own review.

        If `secret` is the game's secret, the game may be of any server.
        `wants_review` starts a missing review.

        Raises:
            MovesForgottenError: The game is so old that only its result is kept.
        """
        finished = await self._finished(server, table_id, game, secret)
        if finished is None:
            return None

        past, record = finished
        now = await self._services.tables.table(table_id)
        rules = record.opening.rules
        preset = next((name for name, known in PRESETS.items() if known == rules), now.preset)
        players = tuple(player for player, _ in past.seats)
        then = replace(now, game=game, preset=preset, rules=rules, players=players, phase=Phase.OVER)
        state, regrets = await self._review(table_id, game, reader, wants_review=wants_review)
        replay = await asyncio.to_thread(replay_of, _summary(past), then, record, regrets, Translator(locale))
        own = None if reader is None else await self._services.records.seat_of(reader, table_id, game)

        return replace(replay, review=state, own=own)

    async def _review(
        self, table_id: int, game: int, reader: port.UserRef | None, *, wants_review: bool
    ) -> tuple[port.ReviewState, Sequence[Regret]]:
        """Returns the state of the reader's review and its findings; starts it if it is wanted."""
        if reader is None:
            return port.ReviewState.NONE, ()

        slot = TableSlot(table_id, game, MessageKind.REVIEW, reader)
        findings = self._services.reviews.findings(slot)
        if findings is not None and findings is not NoFindings.FAILED:
            return port.ReviewState.DONE, () if isinstance(findings, NoFindings) else findings
        if self._services.reviews.is_wanted(slot):
            return port.ReviewState.UNDERWAY, ()

        game_to_review = await self._services.records.played_by(reader, table_id, game)
        if game_to_review is None or not game_to_review.has_moves:
            return port.ReviewState.NONE, ()
        if not wants_review:
            return port.ReviewState.OFFERED, ()

        self._services.reviews.request(slot, None, game_to_review)
        return port.ReviewState.UNDERWAY, ()


async def replay_address(past: FinishedGame, record: Record, services: Services) -> str:
    """Returns the public address of a finished game; empty if the page is not public."""
    if not services.replays:
        return ""

    secret = await replay_secret(past, record, services)
    return f"{services.replays}{past.table_id}-{past.game}-{secret}"


async def replay_secret(past: FinishedGame, record: Record, services: Services) -> str:
    """Returns the secret in the link to a finished game.

    The first secret is derived from the key of the deal, which is secret until the game is over. Later ones
    are random, as everybody who reads the game's record has that key.
    """
    newest = await services.records.link_secret(past.table_id, past.game)
    return newest or first_secret(record.opening)


def first_secret(opening: Opening) -> str:
    """Returns the secret of the first link to a game, derived from the key of its deal."""
    return blake2b(opening.seed.encode(), digest_size=SECRET_BYTES, person=b"replay").hexdigest()


async def withdraw_link(table_id: int, game: int, services: Services) -> None:
    """Invalidates the link to a finished game, by giving the next one a new secret."""
    await services.records.withdraw_link(table_id, game, token_hex(SECRET_BYTES))


def _summary(game: FinishedGame) -> port.GameSummary:
    return port.GameSummary(
        game.table_id,
        game.game,
        game.at,
        names_of([player for player, _ in game.seats]),
        tuple(seat for seat, (_, is_loser) in enumerate(game.seats) if is_loser),
        game.is_stopped,
    )


def _picture_of(puzzle: port.PuzzleBoard) -> PuzzlePicture:
    bout = ((Card.parse(pair.attack), Card.parse(pair.beat) if pair.beat else None) for pair in puzzle.bout)
    return PuzzlePicture(
        other=tuple(map(Card.parse, puzzle.other)),
        bout=tuple(bout),
        hand=tuple(map(Card.parse, puzzle.cards)),
        trump=Suit(puzzle.trump),
    )


def _cards_left(record: Record, outcome: Outcome) -> Sequence[Card]:
    """Returns the cards that the fool of a finished game has left."""
    if outcome.fool is None:
        return ()

    *_, last = record.steps()
    return in_hand_order(last.state.view_for(outcome.fool))
