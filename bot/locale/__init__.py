"""The sentences of the bot and the languages they are in."""

from bot.locale.voice import LOCALES, Phrase, Voice, sentence, spoken, summaries_of

__all__ = ["LOCALES", "Phrase", "Voice", "sentence", "spoken", "summaries_of"]
