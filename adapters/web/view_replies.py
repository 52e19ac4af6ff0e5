"""Answers the presses of one person in a view."""

from dataclasses import replace

from adapters import port
from adapters.web.refs import PLATFORM
from adapters.web.render import VIEW_LIMITS, Json, reply_json, screen_content, tokens_on
from adapters.web.view_messages import ANSWER, view_message
from adapters.web.visits import Session


class ViewReply:
    """The reply to a press in a view; the parts for the asker are collected for the response.

    Tables, hands and results are left out, because the view redraws them anyway.
    """

    platform = PLATFORM
    limits = VIEW_LIMITS
    is_public_first = False

    def __init__(self, views: port.Views, session: Session, message: port.MessageRef) -> None:
        self._views = views
        self._session = session
        self._message = message
        self._notice: str | None = None
        self._answer: Json | None = None
        self._is_posted = False

    async def notify(self, toast: str) -> None:
        """Keeps the notice for the response."""
        self._notice = toast

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Keeps the screen for the response."""
        return self._keep(screen, document)

    async def send_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Keeps the screen for the response."""
        return self._keep(screen, document)

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Keeps the screen for the response."""
        return self._keep(screen, None)

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Keeps the screen for the response."""
        self._keep(screen, None)
        return port.Delivered(self._message)

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Posts the screen to the table's room, and keeps it for the response without its file."""
        self._keep(screen, None)
        delivery = await self._views.post(self._session.visit, screen, document)
        self._is_posted = isinstance(delivery, port.Delivered)
        return delivery

    def _keep(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        if screen.board is None and screen.finished_game is None:
            whole = screen if document is None else document.left_out_of(screen)
            words = replace(whole, picture=None)  # the text has the same facts
            content = screen_content(words, reader=self._session.visit.user.ref).facts
            self._session.tokens[ANSWER] = tokens_on(content)
            self._answer = view_message(ANSWER, content)

        return port.Delivered(port.MessageRef(PLATFORM, ANSWER))

    def response(self, reply: port.Reply) -> Json:
        """Returns the response to the asker's page."""
        response = reply_json(reply, self._notice)
        if self._answer is not None:
            response["answer"] = self._answer
        if self._is_posted:
            response["posted"] = True

        return response
