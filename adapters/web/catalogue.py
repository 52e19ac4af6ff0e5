"""Serves what stands around the rooms: rules to play by, who plays how well, and finished games."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from aiohttp import web

from adapters.port import Budget, GameSummary, Pages, PlayerTally, Replay, UserRef
from adapters.web.boards import board_json
from adapters.web.errors import RefusedError, gettext_noop
from adapters.web.inbound import locale_of
from adapters.web.rate_limiter import RateLimiter, network_of
from adapters.web.refs import HERE, PLATFORM, room_ref, user_ref
from adapters.web.sessions import Sessions
from adapters.web.spans import span_json
from adapters.web.store import SPECTATOR

Json = dict[str, Any]

QUESTIONS = Budget(seconds=0.5, burst=30)
"""From one address come this many questions at once, then one each this many seconds."""


class Catalogue:
    """Answers questions of the page that concern no message, in the language of whoever asks."""

    def __init__(self, sessions: Sessions, pages: Pages, monotonic: Callable[[], float]) -> None:
        self._sessions = sessions
        self._pages = pages
        self._rate_limiter = RateLimiter(QUESTIONS, monotonic)

    async def get_rule_sets(self, request: web.Request) -> web.Response:
        """List the rules that one can open a table by."""
        await self._sessions.reader(request)
        cards = await self._pages.rule_sets(HERE, locale_of(request))
        return web.json_response([asdict(card) for card in cards])

    async def get_rules(self, request: web.Request) -> web.Response:
        """Explain the rules of the table in a room."""
        await self._sessions.reader(request)
        told = await self._pages.rules(room_ref(request.match_info["room"]), locale_of(request))
        return web.json_response(asdict(told))

    async def get_results(self, request: web.Request) -> web.Response:
        """Rank everybody by a period, and list the newest games."""
        self._rate_limiter.count(network_of(request))
        period, locale = request.query.get("period", ""), locale_of(request)
        best = await self._pages.best(HERE, period, locale)
        fools = await self._pages.fools(HERE, period, locale)
        games = await self._pages.games(HERE)
        return web.json_response(
            {"best": _tallies(best), "fools": _tallies(fools), "games": [_summary(game) for game in games]}
        )

    async def get_player(self, request: web.Request) -> web.Response:
        """Tell how somebody plays."""
        self._rate_limiter.count(network_of(request))
        guest = UserRef(PLATFORM, request.match_info["player"])
        told = await self._pages.statistics(HERE, guest, locale_of(request))
        if not told:
            raise RefusedError(404, gettext_noop("Nobody here has this address."))
        return web.json_response({"told": [span_json(span) for span in told]})

    async def get_game(self, request: web.Request) -> web.Response:
        """Give a finished game step by step."""
        self._rate_limiter.count(network_of(request))
        reader = await self._sessions.reader(request)
        replay = await self._pages.replay(
            HERE,
            int(request.match_info["table"]),
            int(request.match_info["game"]),
            locale_of(request),
            None if reader is SPECTATOR else user_ref(reader),
            wants_review="review" in request.query,
        )
        if replay is None:
            raise RefusedError(404, gettext_noop("There is no finished game with this number."))
        response = web.json_response(_replay(replay))
        response.enable_compression()
        return response


def _tallies(tallies: Sequence[PlayerTally]) -> list[Json]:
    return [
        asdict(tally) | {"user": tally.user.id if tally.user.platform == PLATFORM else None}
        for tally in tallies
    ]


def _summary(game: GameSummary) -> Json:
    return asdict(game) | {"id": f"{game.table_id}-{game.game}"}


def _replay(replay: Replay) -> Json:
    steps = [
        {
            "board": board_json(step.board),
            "hands": step.hands,
            "mark": [span_json(span) for span in step.mark],
        }
        for step in replay.steps
    ]
    return {
        "own": replay.own,
        "title": replay.title,
        "summary": _summary(replay.summary),
        "review": replay.review,
        "checks": [{"holds": holds, "text": text} for holds, text in replay.checks],
        "steps": steps,
    }
