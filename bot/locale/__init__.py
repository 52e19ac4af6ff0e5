"""The sentences of the bot and the languages they are in."""

from bot.locale.translator import (
    LOCALES,
    Phrase,
    Summaries,
    Translator,
    gettext_noop,
    is_said,
    load_languages,
    sentences_of,
    spoken,
)
