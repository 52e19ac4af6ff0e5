"""The button and the link from a chat to its live table."""

from adapters.port import LinkButton, Screen, ViewButton
from bot.locale import Translator
from bot.model.buttons import WatchTable
from bot.model.table import Table


def view_button(table: Table, translator: Translator) -> ViewButton:
    """Returns the button that opens the live table."""
    return ViewButton(str(WatchTable(table.id)), translator.text("📱 Open the table"), table_id=table.id)


def link_screen(address: str, translator: Translator) -> Screen:
    """Renders the link that opens the live table for one person."""
    body = translator.spans(
        "Play here by touch. This link is yours alone: it opens once, within ten minutes. "
        "Whoever has it plays as you, so don't pass it on."
    )
    return Screen(body, ((LinkButton(translator.text("📱 Open the table"), address),),))
