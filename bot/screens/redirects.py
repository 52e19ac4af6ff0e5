"""Screens that only lead somewhere else."""

from adapters.port import MessageRef, PrivateChatButton, RoomRef, Screen, Span, User
from bot.locale import Translator
from bot.screens.people import safe_name


def standing_table_screen(message: MessageRef, translator: Translator) -> Screen:
    """Lead to the table that stands in the room."""
    here = Span(translator.text("here it is"), link=message)
    return Screen(body=translator.spans("A table stands in this chat already: {here}.", here=here))


def answer_elsewhere_screen(user: User, room: RoomRef, translator: Translator) -> Screen:
    """Ask somebody who wanted to know what only they may know to let the bot write to them."""
    name = safe_name(user.name)
    return Screen(
        body=translator.spans(
            "{name}, the answer is for you alone: open the private chat and ask again.", name=name
        ),
        rows=((PrivateChatButton(translator.text("Open the private chat"), room),),),
    )


def invitation_screen(user: User, room: RoomRef, translator: Translator) -> Screen:
    """Ask somebody to let the bot write to them."""
    name = safe_name(user.name)
    return Screen(
        body=translator.spans("{name}, your cards wait in the private chat.", name=name),
        rows=((PrivateChatButton(translator.text("Get your cards here"), room),),),
    )
