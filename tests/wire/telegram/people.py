"""Simulated people: they type, press, follow links, read messages, and block or remove the bot."""

import asyncio
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image, ImageOps

from tests.wire.telegram.markup import units
from tests.wire.telegram.schema import Json, Upload
from tests.wire.telegram.world import PRESENT, Chat, Message, Status, membership

if TYPE_CHECKING:
    from tests.wire.telegram.server import TelegramServer

ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
# Telegram's own accounts, the senders of messages that people write as a group or as a channel.
CHANNEL = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}


@dataclass(frozen=True)
class CallbackAnswer:
    """The answer to a press: a notice over the chat, or a link that opens."""

    text: str = ""
    url: str = ""


@dataclass(eq=False)
class Person:
    """A person with a Telegram account."""

    server: "TelegramServer" = field(repr=False)
    id: int
    name: str
    username: str = ""
    language: str = ""
    photo: bytes = field(default=b"", repr=False)
    """The profile photo that everybody may see, in any format; empty without one, or if it is hidden."""

    def to_json(self) -> Json:
        """Returns the person in the Bot API's JSON."""
        extra = {"username": self.username, "language_code": self.language}
        return {"id": self.id, "is_bot": False, "first_name": self.name} | {
            k: v for k, v in extra.items() if v
        }

    def photo_in(self, width: int) -> bytes:
        """Returns the profile photo as Telegram keeps it in one of its sizes."""
        with Image.open(BytesIO(self.photo)) as photo:
            square = ImageOps.fit(photo.convert("RGB"), (width, width))

        file = BytesIO()
        square.save(file, "JPEG")
        return file.getvalue()

    @property
    def private(self) -> Chat:
        """The private chat with the bot."""
        return self.server.world.chats[self.id]

    def says(
        self,
        text: str,
        *,
        in_: Chat,
        topic: int | None = None,
        reply_to: Message | None = None,
        mentioning: Sequence["Person"] = (),
        as_: Chat | None = None,
        openly: bool = False,
        document: Upload | None = None,
    ) -> Message:
        """Writes to a chat; of a group's messages, the bot gets commands and replies to itself only.

        `as_`: in the name of this group, as its anonymous administrator, or of this channel.
        `openly`: by a client without hidden commands. `document`: with this file, under which the text is its
        caption.
        """
        assert self.id in in_.readers, f"{self.name} is not in {in_.title}"
        if in_ is self.private and in_.bot not in PRESENT:
            in_.bot = Status.MEMBER

        message = Message(
            in_,
            next(in_.ids),
            self.to_json(),
            text,
            _entities(text, mentioning),
            document=document,
            thread=topic,
            reply_to=reply_to,
        )

        if as_ is not None:
            message.sender = ANONYMOUS if as_ is in_ else CHANNEL
            message.sender_chat = as_.to_json()

        ephemerals = self.server.methods.ephemeral_messages
        if not openly and ephemerals.hides(message):
            ephemerals.mark(message, self.server.world.bot["id"])

        in_.messages.append(message)
        is_reply_to_bot = reply_to is not None and reply_to.sender["id"] == self.server.world.bot["id"]
        is_for_bot = in_.kind == "private" or text.startswith("/") or is_reply_to_bot
        if in_.bot in PRESENT and is_for_bot:
            self.server.report("message", message.to_json())

        return message

    def mentions_bot(self, words: str = "", *, in_: Chat) -> Message:
        """Calls the bot into a chat that it is not a member of, which Telegram allows unless protected."""
        assert self.id in in_.readers, f"{self.name} is not in {in_.title}"
        text = f"@{self.server.world.bot['username']} {words}".strip()
        message = Message(in_, next(in_.ids), self.to_json(), text, _entities(text, ()))
        in_.messages.append(message)

        if self.server.world.bot["supports_guest_queries"] and not in_.is_protected:
            query = f"g{secrets.token_hex(8)}"
            self.server.mentions[query] = message
            self.server.report("guest_message", message.to_json() | {"guest_query_id": query})

        return message

    async def types_name_of_bot(self, words: str = "") -> list[Json]:
        """Types the bot's name and some words into any chat, and returns what the bot offers."""
        query = f"i{secrets.token_hex(8)}"
        offered = self.server.offers[query] = asyncio.get_running_loop().create_future()
        asked = {"id": query, "from": self.to_json(), "query": words, "offset": "", "chat_type": "private"}
        self.server.report("inline_query", asked)
        return await asyncio.wait_for(offered, self.server.answer_within)

    def sends_offer(self, offer: Json, *, in_: Chat) -> Message:
        """Sends one of the bot's offers to a chat."""
        return self.server.methods.send_result(offer, in_)

    def starts(self, payload: str = "") -> Message:
        """Presses START in the private chat, perhaps with the payload of a deep link."""
        return self.says(f"/start {payload}".strip(), in_=self.private)

    def follows(self, url: str) -> Message:
        """Follows a deep link to the bot, and presses START there."""
        prefix = f"https://t.me/{self.server.world.bot['username']}?start="
        assert url.startswith(prefix), url
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", url.removeprefix(prefix)), url
        return self.starts(url.removeprefix(prefix))

    async def presses(self, wanted: str, message: Message, *, remembered: bool = True) -> CallbackAnswer:
        """Presses the button with this label or token, and waits for the answer.

        `remembered` is false when the message is too old for Telegram to include its content.
        """
        button = message.find(wanted)
        if button.url is not None:
            return CallbackAnswer(url=button.url)
        assert button.token is not None
        return await self.presses_token(button.token, message, remembered=remembered)

    async def presses_token(self, token: str, message: Message, *, remembered: bool = True) -> CallbackAnswer:
        """Sends any token, as a manipulated client can."""
        query = (
            f"q{self.id << 32 | secrets.randbits(32)}"  # the letter keeps a form from reading it as a number
        )
        waiting = self.server.callbacks[query] = asyncio.get_running_loop().create_future()
        self.server.pressers[query] = self.id
        self.server.pressed_at[query] = time.monotonic()
        shown = message.to_json()

        if not remembered:
            shown = {"chat": message.chat.to_json(), "message_id": message.id, "date": 0}

        where: Json = {"inline_message_id": message.inline_id} if message.inline_id else {"message": shown}
        press = {"id": query, "from": self.to_json(), "chat_instance": message.chat.instance, "data": token}
        self.server.report("callback_query", press | where)
        answer = await asyncio.wait_for(waiting, self.server.answer_within)

        return CallbackAnswer(answer.get("text", ""), answer.get("url", ""))

    def sees(self, chat: Chat) -> tuple[Message, ...]:
        """Returns the bot's visible messages in this chat, oldest first."""
        assert self.id in chat.readers, f"{self.name} is not in {chat.title}"
        said = (message for message in chat.messages if message.sender["id"] == self.server.world.bot["id"])
        return tuple(message for message in said if message.receiver is None or self._alone_sees(message))

    def sees_alone(self, chat: Chat) -> tuple[Message, ...]:
        """Returns the bot's messages to this person alone in this chat."""
        return tuple(message for message in self.sees(chat) if message.receiver is not None)

    def _alone_sees(self, message: Message) -> bool:
        return message.receiver is not None and message.receiver["id"] == self.id and not message.is_lost

    def blocks(self) -> None:
        """Blocks the bot."""
        self._turns_bot(self.private, Status.KICKED)

    def unblocks(self) -> None:
        """Unblocks the bot."""
        self._turns_bot(self.private, Status.MEMBER)

    def leaves(self, chat: Chat) -> None:
        """Leaves a group."""
        self._removes(self, chat, Status.LEFT)

    def kicks(self, person: "Person", chat: Chat) -> None:
        """Removes somebody from a group."""
        self._removes(person, chat, Status.KICKED)

    def _removes(self, person: "Person", chat: Chat, status: Status) -> None:
        """Posts a notice in the group that somebody is gone, and reports the change to administrators."""
        before = chat.members[person.id]
        chat.members[person.id] = status
        gone = Message(
            chat, next(chat.ids), self.to_json(), "", service={"left_chat_member": person.to_json()}
        )
        self.server.report("message", gone.to_json())

        if chat.bot is Status.ADMINISTRATOR:
            change = {
                "chat": chat.to_json(),
                "from": self.to_json(),
                "date": 1,
                "old_chat_member": membership(person.to_json(), before),
                "new_chat_member": membership(person.to_json(), status),
            }
            self.server.report("chat_member", change)

    def kicks_bot(self, chat: Chat) -> None:
        """Removes the bot from a group."""
        self._turns_bot(chat, Status.KICKED)

    def invites_bot(self, chat: Chat) -> None:
        """Adds the bot to a group, or brings it back."""
        self.server.world.admit_to(chat)
        self._turns_bot(chat, Status.MEMBER)

    def silences_bot(self, chat: Chat) -> None:
        """Revokes the bot's right to write."""
        self._turns_bot(chat, Status.RESTRICTED)

    def promotes_bot(self, chat: Chat) -> None:
        """Makes the bot an administrator."""
        self._turns_bot(chat, Status.ADMINISTRATOR)

    def closes_topic(self, forum: Chat, topic: int) -> None:
        """Closes a topic, in which only administrators can write then."""
        forum.closed_topics.add(topic)
        self._reports_on(forum, topic, {"forum_topic_closed": {}})

    def reopens_topic(self, forum: Chat, topic: int) -> None:
        """Reopens a topic, so that everyone can write in it."""
        forum.closed_topics.discard(topic)
        self._reports_on(forum, topic, {"forum_topic_reopened": {}})

    def _reports_on(self, forum: Chat, topic: int, what: Json) -> None:
        said = Message(forum, next(forum.ids), self.to_json(), "", thread=topic, service=what)
        self.server.report("message", said.to_json())

    def _turns_bot(self, chat: Chat, status: Status) -> None:
        before = chat.bot
        chat.bot = status
        bot = self.server.world.bot

        self.server.report(
            "my_chat_member",
            {
                "chat": chat.to_json(),
                "from": self.to_json(),
                "date": 1,
                "old_chat_member": membership(bot, before),
                "new_chat_member": membership(bot, status),
            },
        )


def _entities(text: str, mentioning: Sequence[Person]) -> list[Json]:
    entities: list[Json] = []
    for match in re.finditer(r"(?<!\S)(/[A-Za-z0-9_]+(?:@\w+)?)|(@\w{3,})", text):
        kind = "bot_command" if match[1] else "mention"
        entities.append({"type": kind, "offset": units(text[: match.start()]), "length": units(match[0])})

    for person in mentioning:
        start = text.index(person.name)
        entity = {"type": "text_mention", "offset": units(text[:start]), "length": units(person.name)}
        entities.append(entity | {"user": person.to_json()})

    return entities
