"""Screens that only lead somewhere else."""

from adapters.port import MessageRef, PrivateChatButton, RoomRef, Screen, Span, User
from bot.locale import Translator
from bot.screens.people import safe_name


def standing_table_screen(message: MessageRef, translator: Translator) -> Screen:
    """Lead to the table that stands in the room."""
    here = Span(translator.text("here it is"), link=message)
    return Screen(body=translator.spans("A table stands in this chat already: {here}.", here=here))


def seated_screen(message: MessageRef, translator: Translator) -> Screen:
    """Tell somebody that they sit at the table that stands in the room."""
    here = Span(translator.text("here it is"), link=message)
    return Screen(body=translator.spans("You sit at this table now, with a bot: {here}.", here=here))


def others_play_screen(message: MessageRef, translator: Translator) -> Screen:
    """Tell somebody who wants to play that a game of others runs in the room, and what they can do."""
    here = Span(translator.text("here it is"), link=message)
    told = translator.spans("Others play at this table: {here}. Watch them, or play elsewhere.", here=here)
    return Screen(body=told)


def where_cards_come(translator: Translator, *, is_private: bool) -> str:
    """Say where somebody will find their cards: in the private chat, or only where the table is."""
    button = translator.text("My hand")
    if is_private:
        return translator.text(
            "Your cards come in private, for you alone; “{button}” at the table shows them, too.",
            button=button,
        )
    return translator.text(
        "Once the cards are dealt, press “{button}” at the table: nobody else will see yours.",
        button=button,
    )


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
