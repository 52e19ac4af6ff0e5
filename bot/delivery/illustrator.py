"""Pictures for screens, drawn beside the loop and kept for as long as they may be asked for again."""

import asyncio
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace

from cachetools import LRUCache

from adapters.port import ChatPort, Limits, Picture, Screen, ServerRef
from bot.locale import Translator
from bot.model.server_choices import STYLES
from bot.pictures.chart import Chart, chart_picture
from bot.pictures.final import final_picture
from bot.pictures.hand import hand_picture
from bot.pictures.look import Look
from bot.pictures.palette import DARK, LIGHT
from bot.pictures.table import table_picture
from bot.screens.cards import in_hand_order
from bot.screens.hand import Offered
from bot.screens.moves import playable_cards
from bot.screens.scene import Scene
from bot.servers import Servers
from engine import Outcome, SeatView

MOST_KEPT = 128
"""Pictures of about 15 kB each."""

LONGEST_ALT = 1000
"""Characters that every chat takes as the words for who does not see the picture."""

_COLOURS = dict(zip(STYLES, (DARK, LIGHT), strict=True))


class Illustrator:
    """Puts pictures beside the words of screens, where a server wants them and they fit.

    Every method gives the screen as it is, or the screen with a picture that says nothing else.
    """

    def __init__(self, servers: Servers, ports: Mapping[str, ChatPort]) -> None:
        self._servers = servers
        self._ports = ports
        self._kept = LRUCache[Hashable, bytes](MOST_KEPT)

    async def table(self, screen: Screen, scene: Scene, translator: Translator) -> Screen:
        """Draw a table."""
        view, names, away = scene.view, scene.names, scene.away
        return await self._beside(
            screen,
            scene.table.room.server,
            translator,
            (view, names, away),
            lambda look: table_picture(view, names, look, away=away),
        )

    async def end(self, screen: Screen, scene: Scene, outcome: Outcome, translator: Translator) -> Screen:
        """Draw the end of a game."""
        names = scene.names
        return await self._beside(
            screen,
            scene.table.room.server,
            translator,
            (outcome, names),
            lambda look: final_picture(outcome, names, look),
        )

    async def hand(
        self, screen: Screen, scene: Scene, view: SeatView, offered: Offered, translator: Translator
    ) -> Screen:
        """Draw a hand, for its owner alone, where a chat is better with it."""
        server, trump = scene.table.room.server, scene.view.trump
        if not view.hand or not self._limits(server).private_pictures:
            return screen
        cards = tuple(in_hand_order(view, offered.order))
        playable = playable_cards(offered.moves, view) if offered.moves else None
        return await self._beside(
            screen,
            server,
            translator,
            (cards, trump, playable),
            lambda look: hand_picture(cards, trump, playable, look),
        )

    async def chart(self, screen: Screen, server: ServerRef, chart: Chart, translator: Translator) -> Screen:
        """Draw a tally as bars, once there is something to tell."""
        if not chart.bars:
            return screen
        return await self._beside(
            screen, server, translator, chart, lambda look: chart_picture(chart, look.style)
        )

    async def _beside(
        self,
        screen: Screen,
        server: ServerRef,
        translator: Translator,
        subject: Hashable,
        draw: Callable[[Look], bytes],
    ) -> Screen:
        choices = await self._servers.choices(server)
        words = "".join(span.text for span in screen.body)
        if not choices.wants_pictures or len(words) > self._limits(server).caption:
            return screen
        look = Look(_COLOURS[choices.shown_style], translator.ranks)
        png = await self._drawn((subject, look), lambda: draw(look))
        return replace(screen, picture=Picture(png, words[:LONGEST_ALT]))

    async def _drawn(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        png = self._kept.get(key)
        if png is None:
            png = await asyncio.to_thread(draw)
            self._kept[key] = png
        return png

    def _limits(self, server: ServerRef) -> Limits:
        return self._ports[server.platform].limits
