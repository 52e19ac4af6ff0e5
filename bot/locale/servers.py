"""Sentences for platforms that have servers rather than chats."""

from collections.abc import Mapping


def gettext_noop(message: str) -> str:
    """Marks a message in a table of messages that is translated later."""
    return message


# The sentences for servers, by those for chats.
OF_SERVERS: Mapping[str, str] = {
    "settings for everybody here": gettext_noop("the settings of this server"),
    "settings for everybody here, and your own": gettext_noop("settings of this server, and your own"),
    "Settings for everybody here": gettext_noop("Server settings"),
    "This chat plays {name}.": gettext_noop("This server plays {name}."),
    "In chats where the last fool wears a mark beside the name.": gettext_noop(
        "On servers where the last fool wears a mark beside the name."
    ),
    "With friends: add me to your chat, and type /durak there.": gettext_noop(
        "With friends: add me to your server, and type /durak there."
    ),
    "➕ Add me to your chat": gettext_noop("➕ Add me to your server"),
    "OK, no more calls from this chat, until you press “🔔 Notify me” there.": gettext_noop(
        "OK, no more calls from this server, until you press “🔔 Notify me” there."
    ),
    "Don't call me from this chat": gettext_noop("Don't call me from this server"),
    "A chat admin stopped the game: it has no result.": gettext_noop(
        "A server admin stopped the game: it has no result."
    ),
    "Only the host or a chat admin can close it.": gettext_noop(
        "Only the host or a server admin can close it."
    ),
    "Only the host or a chat admin can do that.": gettext_noop(
        "Only the host or a server admin can do that."
    ),
    "A game stops when all its players agree, or a chat admin says so.": gettext_noop(
        "A game stops when all its players agree, or a server admin says so."
    ),
    "The file is for chat admins.": gettext_noop("The file is for server admins."),
    "Only chat admins can change that.": gettext_noop("Only server admins can change that."),
    "🚪 {names} left this chat.": gettext_noop("🚪 {names} left this channel."),
    "No invitation for {names}: they can't see this chat.": gettext_noop(
        "No invitation for {names}: they can't see this channel."
    ),
    "📪 Your game has lost its place in this chat.": gettext_noop(
        "📪 Your game has lost its place on this server."
    ),
    "📪 I can't show this table in its chat any more. Its host can move it: /durak somewhere else there.": (
        gettext_noop(
            "📪 I can't show this table in its channel any more. Its host can move it: /durak in another one."
        )
    ),
    "The chat of this game was deleted: it has no result.": gettext_noop(
        "The channel of this game was deleted: it has no result."
    ),
    "That button belongs to another chat.": gettext_noop("That button belongs to another channel."),
    "That film is above, in this chat.": gettext_noop("That film is above, in this channel."),
    "I can't write in that chat any more: let me, or switch it on again where I can.": gettext_noop(
        "I can't write in that channel any more: let me, or switch it on again where I can."
    ),
    "I can't pin tables: the chat refused it.": gettext_noop("I can't pin tables: the server refused it."),
    "Nothing can be worn in this chat.": gettext_noop("Nothing can be worn on this server."),
    "The fool can't wear it: the chat refused it.": gettext_noop(
        "The fool can't wear it: the server refused it."
    ),
    "At once: your cards come again in private when a new round needs you. After a while: only once "
    "the table has been waiting for you. Only the table: it calls you in the chat, and nothing comes "
    "again in private. Never in private: your cards stay at the table, too.": gettext_noop(
        "At once: your cards come again in private when a new round needs you. After a while: only once "
        "the table has been waiting for you. Only the table: it calls you in its channel, and nothing comes "
        "again in private. Never in private: your cards stay at the table, too."
    ),
}
