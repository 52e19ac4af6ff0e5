"""Calling friends: the button that asks for it, what it promises, and the call itself."""

from adapters.port import CallbackButton, Mark, MessageRef, Screen, Span
from bot.locale import Translator, gettext_noop
from bot.model.buttons import CallCompany, CallMe, CallOff
from bot.model.table import Table
from bot.screens.words import button_to, mentions, names_of

SEATED = gettext_noop("You're already at this table: nobody has to call you.")
PROMISED = gettext_noop("🔔 OK, I'll call you in private.")
OPEN_PRIVATE_CHAT = gettext_noop("I can't write to you yet: open our private chat, then press again.")
NOT_NOW = gettext_noop("I can't write to you right now: press again in a moment.")
NOT_CALLED = gettext_noop("OK, I won't call you.")
INVITED = gettext_noop("🔔 {names}: {host} invites you to play, a seat is kept {here}.")
QUIET = gettext_noop("It's quiet hours here: nobody is called now.")
ALONE = gettext_noop("Nobody of the last game can be called now: they choose that under /me.")


def company_called(number: int, translator: Translator) -> str:
    """Say how many are called."""
    return translator.count("📣 I'm calling {n} player.", "📣 I'm calling {n} players.", number)


def call_button(table: Table, translator: Translator) -> CallbackButton:
    """Ask for a call."""
    return button_to(CallMe(table.id, table.game), translator.text("🔔 Call me"))


def company_button(table: Table, translator: Translator) -> CallbackButton:
    """Call those of the last game."""
    return button_to(CallCompany(table.id, table.game), translator.text("📣 Call the last company"))


def invitation_call(table: Table, message: MessageRef | None, translator: Translator) -> Screen:
    """Mention the invited players, with a link to the table's message."""
    called = mentions(names_of(table.invited), (player.user for player in table.invited))
    here = Span(translator.text("at this table"), link=message)
    return Screen(translator.spans(INVITED, names=called, host=host_name(table), here=here))


def host_name(table: Table) -> str:
    """Name who opened a table, where that is a person."""
    return names_of(table.players)[table.seat_of(table.opener) or 0] if table.players else "Durak"


def promise_screen(table: Table, until: float, translator: Translator) -> Screen:
    """Promise a call, with a way to do without."""
    time = Span(translator.text("in 12 hours"), when=until)
    told = translator.spans(
        "🔔 I'll call you once, in private, when the next game gathers. I'll forget it {time}.", time=time
    )
    cancel = button_to(CallOff(table.id), translator.text("Don't call me"))
    return Screen(told, rows=((cancel,),))


def called_screen(table: Table, message: MessageRef | None, translator: Translator) -> Screen:
    """Call a person to a table."""
    name = host_name(table)
    here = Span(translator.text("a game is gathering"), Mark.BOLD, link=message)
    return Screen(translator.spans("🔔 {name} is there: {here}.", name=name, here=here))
