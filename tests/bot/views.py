"""People who have the live table of a chat open, without a browser."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count

from adapters.port import (
    Board,
    CallbackButton,
    HandBoard,
    Limits,
    LobbyBoard,
    MessageRef,
    Press,
    Reply,
    Screen,
    User,
    View,
    Visit,
)
from bot.model.table import Table
from tests.bot.chat import LIMITS
from tests.bot.running_bot import RunningBot

VIEW_LIMITS: Limits = replace(LIMITS, boards=True, forms=True, ephemeral_answers=True, caption=0)
_EVENTS = count(1)


@dataclass
class Watcher:
    """A person with a view of a table open, and all that it has shown."""

    bot: RunningBot
    visit: Visit
    seen: list[View] = field(default_factory=list)
    _watching: asyncio.Task[None] | None = None

    @classmethod
    async def opens(
        cls, bot: RunningBot, table: Table, user: User, *, is_seen_there: bool = True
    ) -> "Watcher":
        """Open a table, as behind a link that they got in its room."""
        watcher = cls(bot, Visit(user, table.id, "link", is_seen_there))
        watcher._watching = asyncio.create_task(watcher._watch())
        await bot.settle()
        return watcher

    async def _watch(self) -> None:
        async for view in self.bot.app.views.watch(self.visit, VIEW_LIMITS):
            self.seen.append(view)

    @property
    def is_open(self) -> bool:
        return self._watching is not None and not self._watching.done()

    async def closes(self) -> None:
        """Close the page."""
        assert self._watching is not None
        self._watching.cancel()
        with suppress(asyncio.CancelledError):
            await self._watching
        await self.bot.settle()

    @property
    def view(self) -> View:
        """What it shows now."""
        return self.seen[-1]

    @property
    def board(self) -> Board:
        board = self.view.table.board
        assert isinstance(board, Board)
        return board

    @property
    def lobby(self) -> LobbyBoard:
        board = self.view.table.board
        assert isinstance(board, LobbyBoard)
        return board

    @property
    def hand(self) -> HandBoard:
        hand = self.view.hand
        assert hand is not None
        assert isinstance(hand.board, HandBoard)
        return hand.board

    async def presses(self, token: str, *, is_private: bool = False) -> Reply:
        """Press a button of the view, or one that only a client claims."""
        screens = [self.view.hand] if is_private else [self.view.table, self.view.result]
        shown = {token for screen in screens if screen is not None for token in tokens_on(screen)}
        room = await self.bot.app.views.room(self.visit)
        press = Press(
            self.visit.user,
            room,
            token,
            MessageRef("web", "2" if is_private else "1"),
            f"view-{next(_EVENTS)}",
            on_private_message=is_private,
            shown=frozenset(shown),
            view=VIEW_LIMITS,
        )
        reply = await self.bot.app.inbox.press(press)
        self.bot.app.views.redraw(self.visit)
        await self.bot.settle()
        return reply

    async def presses_label(self, label: str) -> Reply:
        """Press the first button whose label begins so."""
        for screen, is_private in (
            (self.view.table, False),
            (self.view.hand, True),
            (self.view.result, False),
        ):
            for button in buttons_on(screen):
                if button.label.startswith(label):
                    return await self.presses(button.token, is_private=is_private)
        raise AssertionError(f"no button {label!r}")

    async def plays(self) -> None:
        """Make the first move of the hand."""
        await self.presses(self.hand.moves[0].token, is_private=True)


def buttons_on(screen: Screen | None) -> list[CallbackButton]:
    rows = () if screen is None else screen.rows
    return [button for row in rows for button in row if isinstance(button, CallbackButton)]


def tokens_on(screen: Screen) -> set[str]:
    return {button.token for button in buttons_on(screen)} | _tokens_of(screen.board)


def _tokens_of(board: object) -> set[str]:
    return {move.token for move in board.moves} if isinstance(board, HandBoard) else set()
