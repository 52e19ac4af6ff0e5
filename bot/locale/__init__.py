"""The sentences of the bot and the languages they are in."""

from bot.locale.servers import OF_SERVERS, gettext_noop
from bot.locale.translator import (
    LOCALES,
    Phrase,
    Summaries,
    Translator,
    is_said,
    load_languages,
    sentences_of,
    spoken,
)
