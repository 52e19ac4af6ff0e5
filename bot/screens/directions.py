"""Screens that only point somewhere else: to a table, a hand or the private chat."""

from collections.abc import Sequence

from adapters import port
from bot.locale import Translator, gettext_noop
from bot.model.buttons import MoveTable, TypedCommand
from bot.model.table import Table
from bot.screens.keyboard import button_to
from bot.screens.names import shown_name
from bot.screens.text import as_lines

IS_STANDING = gettext_noop("There's already a table: {here}.")

IS_SEATED = gettext_noop("You're at this table now, with a bot: {here}.")

OTHERS_PLAY = gettext_noop("Others play at this table: {here}. Watch them, or play elsewhere.")

PLAYERS_INVITE = gettext_noop("Only players invite to a table, so take a seat first: {here}.")


def table_is_here_screen(
    sentence: str,
    message: port.MessageRef,
    translator: Translator,
    *,
    rows: tuple[tuple[port.Button, ...], ...] = (),
) -> port.Screen:
    """Renders one of the sentences above about the room's table; `here` links to its message."""
    here = port.Span(translator.text("here it is"), link=message)
    return port.Screen(body=translator.spans(sentence, here=here), rows=rows)


def seat_kept_screen(
    guests: Sequence[str], left_out: str, message: port.MessageRef, translator: Translator
) -> port.Screen:
    """Names the people for whom seats are kept, with a link to the table.

    `left_out` is a sentence about those without a seat, or empty.
    """
    here = port.Span(translator.text("here it is"), link=message)
    names = translator.listing([shown_name(name, translator) for name in guests])
    notice = translator.count_spans(
        "A seat is kept for {names}. The table: {here}.",
        "Seats are kept for {names}. The table: {here}.",
        len(guests),
        names=names,
        here=here,
    )
    return port.Screen(as_lines(notice, (port.Span(left_out),) if left_out else ()))


def move_screen(table: Table, translator: Translator, *, has_wishes: bool) -> port.Screen:
    """Offers the host to move a running game whose room is gone to the room where they ask for a table.

    `has_wishes`: the host typed rules or other arguments, so they may want another table.
    """
    offer = translator.spans("📪 Your game has lost its place in this chat.")
    other = translator.spans("To open another table, type it again.") if has_wishes else ()
    move = button_to(MoveTable(table.id), translator.text("Move the table here"), port.Tone.PRIMARY)
    return port.Screen(as_lines(offer, other), rows=((move,),))


def where_cards_come(translator: Translator, *, is_private: bool) -> str:
    """Explains where a player's cards appear: also in the private chat, or only at the table."""
    button = translator.text("My hand")
    if is_private:
        return translator.text(
            "“{button}” at the table shows your cards. They come privately, too, if I may write to you.",
            button=button,
        )

    return translator.text(
        "Once the cards are dealt, press “{button}” at the table: only you will see them.", button=button
    )


def waiting_hand_screen(translator: Translator) -> port.Screen:
    """Renders the private placeholder that a player's cards replace once they are dealt."""
    body = translator.spans("🪑 You're in. Your cards will appear right here.")
    return port.Screen(body, accent=port.Accent.GATHERING)


def answer_elsewhere_screen(user: port.User, room: port.RoomRef, translator: Translator) -> port.Screen:
    """Asks a person to open the private chat and repeat their request, because the answer is private."""
    name = shown_name(user.name, translator)
    return port.Screen(
        body=translator.spans(
            "{name}, that's for your eyes only: open the private chat and ask again.", name=name
        ),
        rows=((port.PrivateChatButton(translator.text("Open the private chat"), room),),),
    )


def invitation_screen(user: port.User, room: port.RoomRef, translator: Translator) -> port.Screen:
    """Asks a person to open the private chat with the bot, where their cards are."""
    name = shown_name(user.name, translator)
    return port.Screen(
        body=translator.spans("{name}, your cards are in our private chat.", name=name),
        rows=((port.PrivateChatButton(translator.text("Cards in private"), room),),),
    )


def learn_button(translator: Translator, tone: port.Tone = port.Tone.NEUTRAL) -> port.CallbackButton:
    """Returns the button to the first lesson."""
    return button_to(TypedCommand("learn"), translator.text("🎓 Learn by playing"), tone)
