"""The sentences of the bot and the languages they are in."""

from bot.locale.translator import LOCALES, Phrase, Translator, gettext_noop, spoken, summaries_of

__all__ = ["LOCALES", "Phrase", "Translator", "gettext_noop", "spoken", "summaries_of"]
