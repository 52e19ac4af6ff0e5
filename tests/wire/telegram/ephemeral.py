"""Ephemeral messages and commands in groups, and servers without support for them."""

import itertools
import time
from enum import Enum, auto
from typing import TYPE_CHECKING

from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.schema import Json
from tests.wire.telegram.world import Message, Status

if TYPE_CHECKING:
    from tests.wire.telegram.server import TelegramServer

# Seconds after a press or a command in which a bot that is no administrator may answer ephemerally.
ANSWER_WITHIN = 15.0

MAX_EDIT_LENGTH = 1024


class Ephemerals(Enum):
    """A server's support of `ephemeral_message_parameters`."""

    HONOURED = auto()
    IGNORED = auto()  # an older server: everyone sees the message
    REFUSED = auto()
    LOST = auto()  # accepted, and never shown to anyone


class EphemeralMessages:
    """The receivers of ephemeral messages, and the messages by their ids."""

    def __init__(self, server: "TelegramServer") -> None:
        self._server = server
        self._ids = itertools.count(1)

    def knows(self, method: str) -> bool:
        """Returns whether the server supports this method."""
        return "Ephemeral" not in method or self._server.ephemerals in {Ephemerals.HONOURED, Ephemerals.LOST}

    def receiver_of(self, given: Json) -> int | None:
        """Returns the only person who will see a message; None: everyone sees it.

        Raises:
            ApiError: The server has no such messages, or the bot may not send one.
        """
        wanted = given.get("ephemeral_message_parameters")
        if wanted is None or self._server.ephemerals is Ephemerals.IGNORED:
            return None
        if self._server.ephemerals is Ephemerals.REFUSED:
            raise bad_request("EPHEMERAL_MESSAGES_UNSUPPORTED")

        receiver = wanted["receiver_user_id"]
        query = wanted.get("callback_query_id")
        chat = self._server.world.chat(given["chat_id"])
        if chat.kind == "private" or receiver not in chat.readers:
            raise bad_request("EPHEMERAL_RECEIVER_INVALID")

        asked_at = self._server.pressed_at.get(query, float("-inf"))
        is_answer = self._server.pressers.get(query) == receiver
        if (command := self.answered_command(given)) is not None:
            asked_at = command.written_at
            is_answer = command.sender["id"] == receiver

        is_answer &= time.monotonic() - asked_at <= ANSWER_WITHIN
        if chat.bot is not Status.ADMINISTRATOR and not is_answer:
            raise bad_request("EPHEMERAL_QUERY_ID_INVALID")

        return int(receiver)

    def answered_command(self, given: Json) -> Message | None:
        """Returns the hidden command that a message replies to; None: it replies to none.

        Raises:
            ApiError: There is none with this id, or everyone would see the reply.
        """
        number = given.get("reply_parameters", {}).get("ephemeral_message_id")
        if number is None:
            return None
        for message in self._server.world.chat(given["chat_id"]).messages:
            is_command = message.receiver == self._server.world.bot
            if is_command and message.ephemeral_id == number and "ephemeral_message_parameters" in given:
                return message
        raise bad_request("EPHEMERAL_MESSAGE_ID_INVALID")

    def announce(self, commands: list[Json]) -> None:
        """Records the commands that only their senders see.

        Raises:
            ApiError: The server refuses such commands.
        """
        hidden = {command["command"] for command in commands if command.get("is_ephemeral")}
        if hidden and self._server.ephemerals is Ephemerals.REFUSED:
            raise bad_request("BOT_COMMAND_INVALID")
        if self._server.ephemerals is not Ephemerals.IGNORED:
            self._server.hidden_commands |= hidden

    def hides(self, message: Message) -> bool:
        """Returns whether the newest clients show a person's message to its sender alone."""
        word = message.text.partition(" ")[0].partition("@")[0]
        is_in_group = message.chat.kind != "private" and message.sender_chat is None
        return is_in_group and word.removeprefix("/") in self._server.hidden_commands

    def mark(self, message: Message, receiver: int | None) -> None:
        """Addresses a message to one member or to the bot alone; None: to everyone."""
        if receiver is None:
            return
        user = self._server.user_json(receiver)
        message.id = 0
        message.ephemeral_id = next(self._ids)
        message.receiver = user
        message.service = {"ephemeral_message_id": message.ephemeral_id, "receiver_user": user}
        message.is_lost = self._server.ephemerals is Ephemerals.LOST

    def find(self, given: Json) -> Message:
        """Finds the message of an edit or a deletion.

        Raises:
            ApiError: It is deleted, or never existed.
        """
        chat = self._server.world.chat(given["chat_id"])
        chat.check_writable()
        for message in chat.messages:
            if message.receiver is not None and (
                message.receiver["id"] == given["receiver_user_id"]
                and message.ephemeral_id == given["ephemeral_message_id"]
            ):
                return message

        raise bad_request("EPHEMERAL_MESSAGE_ID_INVALID")
