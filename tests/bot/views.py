"""People with a chat's live table open, without a browser."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from adapters.port import (
    Board,
    CallbackButton,
    HandBoard,
    LobbyBoard,
    MessageRef,
    Press,
    Reply,
    Screen,
    User,
    View,
    Visit,
    answer_press,
)
from adapters.web.refs import PLATFORM
from adapters.web.render import VIEW_LIMITS
from adapters.web.view_messages import ANSWER, HAND, PRIVATE, RESULT, TABLE
from adapters.web.view_replies import ViewReply
from adapters.web.visits import Session
from bot.model.table import Table
from tests.bot.running_bot import RunningBot

_EVENTS = count(1)


@dataclass
class Watcher:
    """A person with a view of a table open, and its views so far."""

    bot: RunningBot
    visit: Visit
    seen: list[View] = field(default_factory=list)
    response: dict[str, Any] = field(default_factory=dict)
    """The response to the last press, as the page gets it."""
    _watching: asyncio.Task[None] | None = None

    @classmethod
    async def opens(
        cls, bot: RunningBot, table: Table, user: User, *, is_seen_there: bool = True
    ) -> "Watcher":
        """Opens a table by a link from its room."""
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
        """Closes the page."""
        assert self._watching is not None
        self._watching.cancel()
        with suppress(asyncio.CancelledError):
            await self._watching
        await self.bot.settle()

    @property
    def view(self) -> View:
        """Its current view."""
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

    async def presses(self, token: str, message: str = TABLE) -> Reply:
        """Presses a button of the view, or one that only a client claims."""
        app = self.bot.app
        shown = frozenset(button.token for button in self.buttons.get(message, ()))
        press = Press(
            self.visit.user,
            await app.views.room(self.visit),
            token,
            MessageRef(PLATFORM, message),
            f"view-{next(_EVENTS)}",
            on_private_message=message in PRIVATE,
            tokens=shown,
            view=VIEW_LIMITS,
        )
        reply = await app.inbox.press(press)
        verbs = ViewReply(app.views, Session(self.visit, 0.0), press.message)
        await answer_press(press, reply, verbs, app.inbox)
        self.response = verbs.response(reply)

        app.views.redraw(self.visit)
        await self.bot.settle()
        return reply

    @property
    def buttons(self) -> Mapping[str, Sequence[CallbackButton]]:
        """The buttons of each message, and those of the answer that is open."""
        answer = self.response.get("answer", {"content": {"rows": ()}})
        drawn = [
            CallbackButton(button["token"], button["label"])
            for row in answer["content"]["rows"]
            for button in row
        ]
        view = self.view

        return {
            ANSWER: drawn,
            TABLE: buttons_on(view.table),
            HAND: buttons_on(view.hand),
            RESULT: buttons_on(view.result),
        }

    @property
    def labels(self) -> list[str]:
        """The labels of all buttons."""
        return [button.label for message in self.buttons.values() for button in message]

    async def presses_label(self, label: str) -> Reply:
        """Presses the first button with a label that begins like this."""
        for message, buttons in self.buttons.items():
            for button in buttons:
                if button.label.startswith(label):
                    return await self.presses(button.token, message)
        raise AssertionError(f"no button {label!r} among {self.labels}")

    async def plays(self) -> None:
        """Plays the first move of the hand."""
        await self.presses(self.hand.moves[0].token, HAND)


def buttons_on(screen: Screen | None) -> list[CallbackButton]:
    rows = () if screen is None else screen.rows
    return [button for row in rows for button in row if isinstance(button, CallbackButton)]
