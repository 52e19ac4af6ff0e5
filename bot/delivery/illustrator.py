"""Draws pictures for screens in a separate thread, and caches them."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import structlog
from cachetools import LRUCache

from adapters.port import ChatPort, Limits, Picture, Screen, ServerRef
from bot.cache import LIMITS
from bot.locale import Translator
from bot.model.server_choices import PICTURE, ServerChoices
from bot.people import Servers
from bot.pictures.subjects import DARK, LIGHT, Chart, HandPicture, Look, Subject
from bot.screens.core_settings import STYLE, VIEW
from bot.screens.hand import Hand, playable_cards
from bot.screens.text import in_hand_order, plain_text

log = structlog.get_logger()

MAX_ALT_LENGTH = 1000  # characters of an alternative text that every chat accepts
_COLOURS = dict(zip(STYLE.values, (DARK, LIGHT), strict=True))


class Illustrator:
    """Adds pictures to screens, on servers that want pictures, if the text fits a caption.

    A method that takes a screen returns it unchanged or with a picture of the same facts.
    """

    def __init__(self, servers: Servers, ports: Mapping[str, ChatPort]) -> None:
        self._servers = servers
        self._ports = ports
        self._kept = LRUCache[tuple[Subject, Look], bytes](LIMITS.pictures)
        # One picture at a time: several threads would take turns delaying the event loop.
        self._thread = ThreadPoolExecutor(1, "pictures")

    async def hand(self, screen: Screen, hand: Hand, limits: Limits) -> Screen:
        """Adds the picture of a hand, for its owner alone, unless the hand is empty."""
        scene = hand.scene
        view = hand.view
        if not view.hand:
            return screen

        playable = playable_cards(hand.moves, view) if hand.moves else None
        subject = HandPicture(tuple(in_hand_order(view, hand.profile.hand_order)), scene.view.trump, playable)
        return await self.beside(screen, subject, scene.table.room.server, limits, scene.translator)

    async def chart(self, screen: Screen, server: ServerRef, chart: Chart, translator: Translator) -> Screen:
        """Adds a bar chart of a tally, unless the chart has no bars."""
        if not chart.bars:
            return screen
        return await self.beside(screen, chart, server, self._ports[server.platform].limits, translator)

    async def portrait(self, content: bytes) -> bytes | None:
        """Makes a picture of a person small, as a JPEG; returns None if it is unreadable."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _small_portrait, content)

    async def picture(self, subject: Subject, server: ServerRef, translator: Translator) -> bytes:
        """Draws a subject that a person asked for; errors reach the caller."""
        return await self._draw(subject, await self._servers.choices(server), translator)

    async def beside(
        self, screen: Screen, subject: Subject, server: ServerRef, limits: Limits, translator: Translator
    ) -> Screen:
        """Adds a picture if the chat has pictures, the server wants them, and the text fits a caption.

        An error is logged, and the screen stays without its picture.
        """
        if not await self.draws_on(server, limits):
            return screen

        choices = await self._servers.choices(server)

        words = plain_text(screen.text)
        most = min(limits.caption, MAX_ALT_LENGTH) if screen.details else limits.caption
        if len(words) > most:
            return screen

        try:
            png = await self._draw(subject, choices, translator)
        except Exception as error:  # the text alone has the same facts
            # Without the trace: it could hold names and cards.
            log.error("picture_failed", subject=type(subject).__name__, error=type(error).__name__)
            return screen

        alt = plain_text(screen.pictured) or words
        return replace(screen, picture=Picture(png, alt[:MAX_ALT_LENGTH]))

    async def draws_on(self, server: ServerRef, limits: Limits) -> bool:
        """Returns whether the chat has pictures, and the server wants them."""
        return limits.pictures and (await self._servers.choices(server)).value_of(VIEW) == PICTURE

    async def _draw(self, subject: Subject, choices: ServerChoices, translator: Translator) -> bytes:
        look = Look(_COLOURS[choices.value_of(STYLE)], translator.ranks)
        png = self._kept.get((subject, look))
        if png is None:
            loop = asyncio.get_running_loop()
            png = self._kept[subject, look] = await loop.run_in_executor(self._thread, _draw, subject, look)

        return png


def _draw(subject: Subject, look: Look) -> bytes:
    from bot.pictures.drawing import draw  # noqa: PLC0415 - the library is loaded only for pictures

    return draw(subject, look)


def _small_portrait(content: bytes) -> bytes | None:
    from bot.pictures.portraits import small_portrait  # noqa: PLC0415 - the library is loaded only for pictures

    return small_portrait(content)
