"""Pictures for screens, drawn beside the loop and kept for as long as they may be asked for again."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence

from adapters.port import Picture, Span
from bot.pictures.chart import Bar, chart_picture
from bot.pictures.final import final_picture
from bot.pictures.table import table_picture
from bot.screens.scene import Scene
from engine import Outcome

MOST_KEPT = 64
"""Pictures of about 30 kB each."""

LONGEST_ALT = 1000
"""Characters that every chat takes as the words for who does not see the picture."""


class Gallery:
    """Draws each picture once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

    async def table(self, scene: Scene, words: Sequence[Span]) -> Picture:
        """Draw a table; `words` say the same."""
        view, names, away = scene.view, scene.names, scene.away
        png = await self._drawn((view, names, away), lambda: table_picture(view, names, away=away))
        return Picture(png, _alt(words))

    async def end(self, scene: Scene, outcome: Outcome, words: Sequence[Span]) -> Picture:
        """Draw the end of a game; `words` say the same."""
        names = scene.names
        png = await self._drawn((outcome, names), lambda: final_picture(outcome, names))
        return Picture(png, _alt(words))

    async def chart(self, bars: tuple[Bar, ...], words: Sequence[Span]) -> Picture:
        """Draw a tally as bars; `words` say the same."""
        return Picture(await self._drawn(bars, lambda: chart_picture(bars)), _alt(words))

    async def _drawn(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        if key not in self._kept:
            self._kept[key] = await asyncio.to_thread(draw)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]


def _alt(words: Sequence[Span]) -> str:
    return "".join(span.text for span in words)[:LONGEST_ALT]
