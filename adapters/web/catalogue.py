"""Serves what stands around the rooms: the rules that one can play by."""

from dataclasses import asdict

from aiohttp import web

from adapters.port import Pages
from adapters.web.inbound import locale_of
from adapters.web.refs import HERE
from adapters.web.sessions import Sessions


class Catalogue:
    """Answers questions of the page that concern no message, in the language of whoever asks."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self._sessions = sessions
        self._pages = pages

    async def get_rule_sets(self, request: web.Request) -> web.Response:
        """List the rules that one can open a table by."""
        await self._sessions.reader(request)
        cards = await self._pages.rule_sets(HERE, locale_of(request))
        return web.json_response([asdict(card) for card in cards])
