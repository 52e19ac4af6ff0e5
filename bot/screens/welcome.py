"""What the bot says where somebody has just added it."""

from adapters.port import CallbackButton, Screen, Tone
from bot.locale import Translator
from bot.model.button_data import OpenTable


def welcome_screen(translator: Translator) -> Screen:
    """Say hello in one sentence, with one button."""
    deal = CallbackButton(str(OpenTable()), translator.text("🃏 Deal here"), Tone.GOOD)
    return Screen(
        translator.spans("Hello! I deal Durak here, and nobody but you sees your cards."), rows=((deal,),)
    )
