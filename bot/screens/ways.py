"""Screens that only lead somewhere else."""

from adapters.port import MessageRef, PrivateChatButton, RoomRef, Screen, Span, User
from bot.locale import Voice
from bot.screens.people import safe_name


def standing_table_screen(message: MessageRef, voice: Voice) -> Screen:
    """Lead to the table that stands in the room."""
    here = Span(voice.say("here it is"), link=message)
    return Screen(body=voice.spans("A table stands in this chat already: {here}.", here=here))


def answer_elsewhere_screen(user: User, room: RoomRef, voice: Voice) -> Screen:
    """Ask somebody who wanted to know what only they may know to let the bot write to them."""
    name = safe_name(user.name)
    return Screen(
        body=voice.spans(
            "{name}, the answer is for you alone: open the private chat and ask again.", name=name
        ),
        rows=((PrivateChatButton(voice.say("Open the private chat"), room),),),
    )


def invitation_screen(user: User, room: RoomRef, voice: Voice) -> Screen:
    """Ask somebody to let the bot write to them."""
    name = safe_name(user.name)
    return Screen(
        body=voice.spans("{name}, your cards wait in the private chat.", name=name),
        rows=((PrivateChatButton(voice.say("Get your cards here"), room),),),
    )
