"""Follows the messages that answers created or changed, once they were delivered."""

import time

import structlog
from cachetools import LRUCache

from adapters import port
from bot.cache import LIMITS
from bot.delivery.messages import digest_of
from bot.handlers.event import Services
from bot.handlers.notices import NoticeLog
from bot.metrics import PRESS_SECONDS, SHOWN
from bot.model import buttons
from bot.model.messages import OnlyInRoom

log = structlog.get_logger()


class AnswerEvents:
    """Handles the events of `Inbox` about the delivery of answers."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._pressed_at = LRUCache[str, float](LIMITS.known)
        self._shown = NoticeLog()  # the newest screen of each message that an answer showed, as a digest

    def note_pressed(self, press: port.Press, at: float) -> None:
        """Notes the time of a press that will be answered with a screen, to measure the delay."""
        if press.id:
            self._pressed_at[press.id] = at

    def is_change(self, ref: port.MessageRef, screen: port.Screen) -> bool:
        """Notes the screen that an answer shows in a message; returns whether it may be new there.

        Always true for hands, as the outbox edits them as well.
        """
        is_hand = buttons.table_of_hand(screen) is not None
        return is_hand or self._shown.is_new(ref, digest_of(screen))

    def press_answered(self, press: port.Press, reply: port.Reply, delivery: port.Delivery) -> None:
        """Records the new screen of the pressed message, or follows the hand shown in a new message.

        Does neither for views, which update themselves.
        """
        pressed_at = self._pressed_at.pop(press.id, None)
        if pressed_at is not None and isinstance(delivery, port.Delivered):
            PRESS_SECONDS.labels(press.message.platform, SHOWN).observe(time.perf_counter() - pressed_at)
        if press.view is not None:
            return

        was_expected = self._services.answers.press_answered(press.message, reply.secret, delivery)
        self._note_answer(press, reply.secret, delivery)
        button = buttons.decode(press.token)
        if button.may_wait_in_private:
            if delivery is port.WAITS_IN_PRIVATE and reply.secret is not None:
                self._services.links.wait_in_private(press.user.ref, reply.secret)
            elif isinstance(delivery, port.Delivered) and isinstance(button, buttons.WatchTable):
                self._services.links.show(press.user.ref, delivery.ref)
            return

        match button:
            case buttons.AfterGame():  # a hand if the press dealt a game
                self._follow(press, reply.secret, delivery)
            case buttons.ChangeLobby(table_id) if button.action is not buttons.LobbyAction.MORE:
                # a hand, or a message that becomes one after the deal
                self._follow(press, reply.secret, delivery, table_id)
            case buttons.TableButton(table_id):
                if button.works_outside_room and not was_expected:
                    self._follow(press, reply.secret, delivery, table_id)
            case _:
                self._follow(press, reply.secret, delivery)

    def private_chat_answered(
        self, event: port.PrivateChatOpened, reply: port.Reply, delivery: port.Delivery
    ) -> None:
        """Records the message with a personal link, so that it is removed after the next one."""
        is_link = reply.secret is not None and self._services.links.is_shown_on(reply.secret)
        if is_link and isinstance(delivery, port.Delivered):
            self._services.links.show(event.user.ref, delivery.ref)

    def command_answered(self, command: port.Command, reply: port.Reply, delivery: port.Delivery) -> None:
        """Follows a hand or a review that was shown where it was asked for."""
        self._note_answer(command, reply.secret, delivery)
        self._follow(command, reply.secret, delivery)

    async def public_answered(
        self, event: port.Command | port.Press, reply: port.Reply, delivery: port.Delivery
    ) -> None:
        """Records the message of a slot that the answer to a command posted to the room."""
        if reply.public is not None and isinstance(event, port.Command) and event.answer_key:
            self._services.answers.command_answered(event.answer_key, reply.public, delivery)

    async def ephemeral_answered(
        self, event: port.Command | port.Press, reply: port.Reply, delivery: port.Delivery
    ) -> None:
        """Records an ephemeral message that will change later: a question, a panel, or a personal link."""
        self._note_answer(event, reply.ephemeral, delivery)
        if not isinstance(event, port.Press) or reply.ephemeral is None:
            return

        is_link = self._services.links.is_shown_on(reply.ephemeral)  # if not, it may be a notice beside it
        if is_link and isinstance(delivery, port.Delivered):
            self._services.links.show(event.user.ref, delivery.ref)

        try:
            await self._services.answers.ephemeral_answered(event.id, reply.ephemeral, delivery)
        except Exception:
            log.exception("answer_not_noted", platform=event.room.server.platform)

    def _note_answer(
        self, event: port.Press | port.Command, screen: port.Screen | None, delivery: port.Delivery
    ) -> None:
        """Notes what an answer showed, and follows it if it is to be removed later."""
        if screen is not None and isinstance(delivery, port.Delivered):
            self.is_change(delivery.ref, screen)
            self._services.short_lived.follow(event.id, screen, delivery.ref)

    def _follow(
        self,
        event: port.Press | port.Command,
        screen: port.Screen | None,
        delivery: port.Delivery,
        table_id: int | None = None,
    ) -> None:
        """Starts updating a review or a hand that was shown in the room, if the chat can edit it.

        Without `table_id`, the screen's buttons decide whether it is a hand. Does nothing in the private
        chat, which has separate messages.
        """
        services = self._services
        user = event.user.ref
        chat = services.chats[user.platform]
        room = event.room
        can_be_edited = chat.limits.ephemeral_seconds > 0 and chat.private_server(user) != room.server
        if screen is None or not isinstance(delivery, port.Delivered) or not can_be_edited:
            return

        review = services.reviews.asked_by(event.id)
        if review is not None:
            services.reviews.follow(review, OnlyInRoom(user, room))
            services.room_hands.open_review(review, screen, delivery.ref)
            return

        if table_id is None:
            table_id = buttons.table_of_hand(screen)

        if table_id is not None:
            services.reachability.note_found_cards(user)
            services.room_hands.open(table_id, user, screen, delivery.ref)
