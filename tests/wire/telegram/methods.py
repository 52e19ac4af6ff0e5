"""The methods of the Bot API that a bot like ours calls."""

import json
import unicodedata
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from telegram.constants import ReactionEmoji

from tests.wire.telegram.ephemeral import MAX_EDIT_LENGTH, EphemeralMessages
from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.keyboard import read_keyboard
from tests.wire.telegram.markup import clean, read_html, units
from tests.wire.telegram.schema import Json, Upload
from tests.wire.telegram.world import PRESENT, Button, Chat, Message, Status

if TYPE_CHECKING:
    from tests.wire.telegram.server import TelegramServer

MAX_TEXT_LENGTH = 4096
MAX_CAPTION_LENGTH = 1024
LONGEST_ANSWER = 200
LONGEST_TAG = 16
MAX_RESULT_ID = 64  # bytes
PHOTO_WIDTHS = (160, 320, 640)
MAX_REACTIONS = 1
REACTIONS = frozenset(ReactionEmoji)
UNCHANGED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a "
    "current content and reply markup of the message"
)


class Methods:
    """The methods by name; their parameters have passed the schema."""

    def __init__(self, server: "TelegramServer") -> None:
        self._server = server
        self._world = server.world
        self.ephemeral_messages = EphemeralMessages(server)

        self.known: dict[str, Callable[[Json], Awaitable[object]]] = {
            "getMe": self.get_me,
            "getUpdates": self.get_updates,
            "deleteWebhook": self.delete_webhook,
            "setMyCommands": self.set_my_commands,
            "getMyCommands": self.get_my_commands,
            "setMyDescription": self.set_my_description,
            "getMyDescription": self.get_my_description,
            "setMyShortDescription": self.set_my_short_description,
            "getMyShortDescription": self.get_my_short_description,
            "getChatMember": self.get_chat_member,
            "setChatMemberTag": self.set_tag,
            "sendMessage": self.send_message,
            "sendPhoto": self.send_photo,
            "sendDocument": self.send_document,
            "getFile": self.get_file,
            "getUserProfilePhotos": self.get_profile_photos,
            "sendAnimation": self.send_animation,
            "editMessageText": self.edit_text,
            "editMessageCaption": self.edit_caption,
            "editMessageMedia": self.edit_media,
            "editMessageReplyMarkup": self.edit_keyboard,
            "deleteMessage": self.delete_message,
            "pinChatMessage": self.pin,
            "unpinChatMessage": self.unpin,
            "setMessageReaction": self.react,
            "answerCallbackQuery": self.answer_callback,
            "answerGuestQuery": self.answer_mention,
            "answerInlineQuery": self.answer_offers,
            "editEphemeralMessageText": self.edit_ephemeral_text,
            "editEphemeralMessageMedia": self.edit_ephemeral_media,
            "deleteEphemeralMessage": self.delete_ephemeral,
        }

    async def get_me(self, _: Json) -> Json:
        return self._world.bot

    async def get_updates(self, given: Json) -> list[Json]:
        if "allowed_updates" in given:
            self._server.updates.allowed = given["allowed_updates"] or None
        return await self._server.updates.fetch(
            given.get("offset", 0), given.get("limit", 100), given.get("timeout", 0)
        )

    async def delete_webhook(self, _: Json) -> bool:
        return True

    async def set_my_commands(self, given: Json) -> bool:
        for command in given["commands"]:
            if not 1 <= len(command["command"]) <= 32 or command["command"] != command["command"].lower():
                raise bad_request("BOT_COMMAND_INVALID")
            if not 1 <= len(command["description"]) <= 256:
                raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")

        self.ephemeral_messages.announce(given["commands"])
        menu = {command["command"]: command["description"] for command in given["commands"]}
        self._server.menus_for(_scope_of(given))[given.get("language_code", "")] = menu

        return True

    async def get_my_commands(self, given: Json) -> list[Json]:
        menu = self._server.menus_for(_scope_of(given)).get(given.get("language_code", ""), {})
        hidden = self._server.hidden_commands
        return [
            {"command": name, "description": about, **({"is_ephemeral": True} if name in hidden else {})}
            for name, about in menu.items()
        ]

    async def set_my_description(self, given: Json) -> bool:
        return _describe(self._server.descriptions, given.get("description", ""), given, longest=512)

    async def get_my_description(self, given: Json) -> Json:
        return {"description": _described(self._server.descriptions, given)}

    async def set_my_short_description(self, given: Json) -> bool:
        short = self._server.short_descriptions
        return _describe(short, given.get("short_description", ""), given, longest=120)

    async def get_my_short_description(self, given: Json) -> Json:
        return {"short_description": _described(self._server.short_descriptions, given)}

    async def get_chat_member(self, given: Json) -> Json:
        chat = self._world.chat(given["chat_id"])
        chat.check_writable()
        user = self._server.user_json(given["user_id"])
        if user is None:
            raise bad_request("user not found")
        is_own = user["id"] == self._world.bot["id"]
        if chat.hides_members and chat.bot is not Status.ADMINISTRATOR and not is_own:
            raise bad_request("member list is inaccessible")
        return self._world.status_json(chat, user)

    async def set_tag(self, given: Json) -> bool:
        """Sets the tag of an ordinary member, without emoji, if the bot has the right to."""
        chat = self._world.chat(given["chat_id"])
        user = given["user_id"]
        tag = given.get("tag", "")
        chat.check_writable()

        if chat.kind not in {"group", "supergroup"}:
            raise bad_request("method is available only for group and supergroup chats")
        if chat.bot is not Status.ADMINISTRATOR or "can_manage_tags" not in chat.bot_rights:
            raise bad_request("not enough rights to manage tags")

        status = chat.members.get(user, Status.LEFT)
        if status in {Status.OWNER, Status.ADMINISTRATOR}:
            raise bad_request("CHAT_CREATOR_REQUIRED")
        if status not in PRESENT:
            raise bad_request("PARTICIPANT_ID_INVALID")
        if units(tag) > LONGEST_TAG or any(unicodedata.category(sign) == "So" for sign in tag):
            raise bad_request("TAG_INVALID")

        chat.tags[user] = tag
        return True

    async def send_message(self, given: Json) -> Json:
        chat = self._destination(given)
        text, entities = _read_text(given["text"], given.get("parse_mode"))
        _check_text(text, MAX_TEXT_LENGTH)
        return self._send(chat, given, text, entities)

    async def send_photo(self, given: Json) -> Json:
        chat = self._destination(given)
        text, entities = _read_text(given.get("caption", ""), given.get("parse_mode"))
        _check_caption(text)
        return self._send(chat, given, text, entities, picture=self._picture(given["photo"], given))

    async def send_document(self, given: Json) -> Json:
        chat = self._destination(given)
        text, entities = _read_text(given.get("caption", ""), given.get("parse_mode"))
        _check_caption(text)
        document = self._upload(given["document"], given)
        if not document.content:
            raise bad_request("file must be non-empty")
        return self._send(chat, given, text, entities, document=document)

    async def get_profile_photos(self, given: Json) -> Json:
        """Returns the photo of a person in the sizes that Telegram keeps."""
        person = self._server.people.get(given["user_id"])
        if person is None:
            raise bad_request("user not found")
        if not person.photo:
            return {"total_count": 0, "photos": []}

        sizes = [
            {
                "file_id": f"{person.id}-{width}",
                "file_unique_id": f"{person.id}-{width}",
                "width": width,
                "height": width,
                "file_size": len(person.photo_in(width)),
            }
            for width in PHOTO_WIDTHS
        ]
        return {"total_count": 1, "photos": [sizes]}

    async def get_file(self, given: Json) -> Json:
        name = given["file_id"]
        if self._server.photo(name) is not None:
            return {"file_id": name, "file_unique_id": name, "file_path": f"photos/{name}"}

        document = self._world.document(given["file_id"])
        if document is None:
            raise bad_request("invalid file_id")
        return {"file_id": name, "file_unique_id": name, "file_path": f"documents/{name}"}

    async def send_animation(self, given: Json) -> Json:
        if not self._upload(given["animation"], given).content.startswith(b"GIF89a"):
            raise bad_request("IMAGE_PROCESS_FAILED")
        return await self.send_document({**given, "document": given["animation"]})

    async def edit_text(self, given: Json) -> Json | bool:
        message = self._editable(given)
        if message.has_caption:
            raise bad_request("there is no text in the message to edit")
        text, entities = _read_text(given["text"], given.get("parse_mode"))
        _check_text(text, MAX_TEXT_LENGTH)
        return self._change(message, given, text, entities, None)

    async def edit_caption(self, given: Json) -> Json | bool:
        message = self._editable(given)
        if not message.has_caption:
            raise bad_request("there is no caption in the message to edit")
        text, entities = _read_text(given.get("caption", ""), given.get("parse_mode"))
        _check_caption(text)
        return self._change(message, given, text, entities, message.picture)

    async def edit_media(self, given: Json) -> Json | bool:
        message = self._editable(given)
        media = given["media"]
        text, entities = _read_text(media.get("caption", ""), media.get("parse_mode"))
        _check_caption(text)
        return self._change(message, given, text, entities, self._picture(media["media"], given))

    async def edit_keyboard(self, given: Json) -> Json | bool:
        message = self._editable(given)
        return self._change(message, given, message.text, message.entities, message.picture)

    async def delete_message(self, given: Json) -> bool:
        chat = self._world.chat(given["chat_id"])
        chat.check_writable()
        message = chat.message(given["message_id"])
        if message is None:
            raise bad_request("message to delete not found")
        if message in self._server.undeletable:
            raise bad_request("message can't be deleted")

        chat.messages.remove(message)
        chat.pinned = [pin for pin in chat.pinned if pin is not message]
        return True

    async def pin(self, given: Json) -> bool:
        """Pins a message, and reports it by a service message, also to the bot."""
        chat, message = self._pinnable(given, "pin")
        chat.pinned.append(message)
        said = Message(
            chat, next(chat.ids), self._world.bot, "", service={"pinned_message": message.to_json()}
        )
        chat.messages.append(said)
        self._server.report("message", said.to_json())
        return True

    async def unpin(self, given: Json) -> bool:
        chat, message = self._pinnable(given, "unpin")
        chat.pinned.remove(message)
        return True

    def _pinnable(self, given: Json, verb: str) -> tuple[Chat, Message]:
        chat = self._world.chat(given["chat_id"])
        chat.check_writable()
        is_allowed = chat.bot is Status.ADMINISTRATOR and "can_pin_messages" in chat.bot_rights
        if chat.kind != "private" and not is_allowed:
            raise bad_request("not enough rights to manage pinned messages in the chat")
        message = chat.message(given["message_id"])
        if message is None or (verb == "unpin" and message not in chat.pinned):
            raise bad_request(f"message to {verb} not found")
        return chat, message

    async def edit_ephemeral_text(self, given: Json) -> bool:
        message = self.ephemeral_messages.find(given)
        text, entities = _read_text(given["text"], given.get("parse_mode"))
        _check_text(text, MAX_EDIT_LENGTH)
        self._change(message, given, text, entities, None)
        return True

    async def edit_ephemeral_media(self, given: Json) -> bool:
        message = self.ephemeral_messages.find(given)
        media = given["media"]
        text, entities = _read_text(media.get("caption", ""), media.get("parse_mode"))
        _check_caption(text)
        message.document = self._upload(media["media"], given)
        self._change(message, given, text, entities, None)
        return True

    async def delete_ephemeral(self, given: Json) -> bool:
        message = self.ephemeral_messages.find(given)
        message.chat.messages.remove(message)
        return True

    async def react(self, given: Json) -> bool:
        chat = self._world.chat(given["chat_id"])
        chat.check_writable()
        message = chat.message(given["message_id"])
        if message is None:
            raise bad_request("message to react not found")

        reactions = [reaction["emoji"] for reaction in given.get("reaction", [])]
        if not chat.allows_reactions or not set(reactions) <= REACTIONS:
            raise bad_request("REACTION_INVALID")
        if len(reactions) > MAX_REACTIONS:
            raise bad_request("REACTIONS_TOO_MANY")

        message.reactions = reactions
        return True

    async def answer_callback(self, given: Json) -> bool:
        if len(given.get("text", "")) > LONGEST_ANSWER:
            raise bad_request("MESSAGE_TOO_LONG")

        url = given.get("url", "")
        if url and not url.startswith(f"https://t.me/{self._world.bot['username']}?start="):
            raise bad_request("URL_INVALID")

        waiting = self._server.callbacks.pop(given["callback_query_id"], None)
        if waiting is None or waiting.done():
            raise bad_request("query is too old and response timeout expired or query ID is invalid")

        waiting.set_result(given)
        return True

    async def answer_mention(self, given: Json) -> Json:
        """Shows the bot's only message in a chat that it is not a member of."""
        mention = self._server.mentions.pop(given["guest_query_id"], None)
        if mention is None:
            raise bad_request("query is too old and response timeout expired or query ID is invalid")

        return {"inline_message_id": self.send_result(given["result"], mention.chat).inline_id}

    async def answer_offers(self, given: Json) -> bool:
        """Shows the bot's offers to somebody who types its name."""
        offered = self._server.offers.pop(given["inline_query_id"], None)
        if offered is None or offered.done():
            raise bad_request("query is too old and response timeout expired or query ID is invalid")

        results = given["results"]
        if len({result["id"] for result in results}) < len(results):
            raise bad_request("RESULT_ID_DUPLICATE")

        for result in results:
            self._check_result(result)

        offered.set_result(results)
        return True

    def send_result(self, result: Json, chat: Chat) -> Message:
        """Posts a result of a query to a chat that the bot is not a member of."""
        text, entities, rows = self._check_result(result)
        message = Message(chat, next(chat.ids), self._world.bot, text, self._named(entities), rows=rows)
        message.inline_id = f"inline{chat.instance}{message.id}"
        chat.messages.append(message)
        return message

    def _check_result(self, result: Json) -> tuple[str, list[Json], tuple[tuple[Button, ...], ...]]:
        """Returns the text and the buttons of a result.

        Raises:
            ApiError: Telegram would refuse it.
        """
        content = result["input_message_content"]
        text, entities = _read_text(content["message_text"], content.get("parse_mode"))
        _check_text(text, MAX_TEXT_LENGTH)
        if not 1 <= len(result["id"].encode()) <= MAX_RESULT_ID:
            raise bad_request("RESULT_ID_INVALID")

        return text, entities, read_keyboard(result.get("reply_markup"), is_private=False)

    def _destination(self, given: Json) -> Chat:
        chat = self._world.chat(given["chat_id"])
        chat.check_writable()
        if (thread := given.get("message_thread_id")) is not None and thread not in chat.topics:
            raise bad_request("message thread not found")
        if thread in chat.closed_topics:
            raise bad_request("TOPIC_CLOSED")
        return chat

    def _editable(self, given: Json) -> Message:
        if "inline_message_id" in given:
            return self._world.inline_message(given["inline_message_id"])

        chat = self._world.chat(given.get("chat_id"))
        chat.check_writable()
        message = chat.message(given.get("message_id", 0))
        if message is None:
            raise bad_request("message to edit not found")
        if message.sender["id"] != self._world.bot["id"]:
            raise bad_request("message can't be edited")
        if message.thread in chat.closed_topics:
            raise bad_request("TOPIC_CLOSED")

        return message

    def _send(
        self,
        chat: Chat,
        given: Json,
        text: str,
        entities: list[Json],
        *,
        picture: bytes | None = None,
        document: Upload | None = None,
    ) -> Json:
        receiver = self.ephemeral_messages.receiver_of(given)
        answered = given.get("reply_parameters", {})
        hidden = self.ephemeral_messages.answered_command(given)
        reply_to = hidden or chat.message(answered.get("message_id", 0))
        if answered and reply_to is None and not answered.get("allow_sending_without_reply"):
            raise bad_request("message to be replied not found")

        rows = read_keyboard(given.get("reply_markup"), is_private=chat.id > 0)
        thread = given.get("message_thread_id")
        message = Message(
            chat,
            next(chat.ids),
            self._world.bot,
            text,
            self._named(entities),
            picture,
            document,
            rows,
            thread,
            reply_to,
        )
        self.ephemeral_messages.mark(message, receiver)
        chat.messages.append(message)

        return message.to_json()

    def _change(
        self, message: Message, given: Json, text: str, entities: list[Json], picture: bytes | None
    ) -> Json | bool:
        rows = read_keyboard(given.get("reply_markup"), is_private=message.chat.id > 0)
        named = self._named(entities)
        shown = (message.text, message.entities, message.picture, message.rows)
        if shown == (text, named, picture, rows):
            raise bad_request(UNCHANGED)

        message.text = text
        message.entities = named
        message.picture = picture
        message.rows = rows
        message.edits += 1

        return True if message.inline_id else message.to_json()

    def _named(self, entities: list[Json]) -> list[Json]:
        """Keeps the mentions of existing people; mentions of others become plain text."""
        named = []
        for entity in entities:
            if "user" not in entity:
                named.append(entity)
            elif (user := self._server.user_json(entity["user"])) is not None:
                named.append(entity | {"user": user})

        return named

    def _picture(self, source: str | Upload, given: Json) -> bytes:
        upload = self._upload(source, given)
        if not upload.content.startswith(b"\x89PNG"):
            raise bad_request("IMAGE_PROCESS_FAILED")
        return upload.content

    def _upload(self, source: str | Upload, given: Json) -> Upload:
        upload = given.get(source.removeprefix("attach://")) if isinstance(source, str) else source
        if not upload and isinstance(source, str):
            upload = self._server.uploads.get(source)
        if not isinstance(upload, Upload):
            raise bad_request("wrong file identifier/HTTP URL specified")
        return upload


def _read_text(source: str, parse_mode: str | None) -> tuple[str, list[Json]]:
    if parse_mode is None:
        return clean(source), []
    if parse_mode != "HTML":
        raise bad_request("unsupported parse_mode")
    return read_html(source)


def _check_text(text: str, longest: int) -> None:
    if not text:
        raise bad_request("message text is empty")
    if units(text) > longest:
        raise bad_request("message is too long")


def _check_caption(text: str) -> None:
    if units(text) > MAX_CAPTION_LENGTH:
        raise bad_request("message caption is too long")


def _scope_of(given: Json) -> str:
    scope = given.get("scope", {"type": "default"})
    return str((json.loads(scope) if isinstance(scope, str) else scope)["type"])


def _describe(texts: dict[str, str], text: str, given: Json, *, longest: int) -> bool:
    """Stores a text of the bot's profile in one language; an empty one removes it."""
    if units(text) > longest:
        raise bad_request("BOT_DESCRIPTION_INVALID")
    texts[given.get("language_code", "")] = text
    return True


def _described(texts: dict[str, str], given: Json) -> str:
    """Returns the text of the profile in a language, or else the default one."""
    return texts.get(given.get("language_code", "")) or texts.get("", "")
