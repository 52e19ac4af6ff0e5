"""The names of players' titles, for results and /stats."""

from collections.abc import Collection, Mapping

from bot.locale import Translator, gettext_noop
from bot.model.career import Title
from bot.screens.text import Line

# A test fails if a title is missing.
TITLE_NAMES: Mapping[Title, str] = {
    Title.FIRST_GAME: gettext_noop("first game"),
    Title.FIRST_FOOL: gettext_noop("first time the fool"),
    Title.THREE_IN_A_ROW: gettext_noop("the fool three times in a row"),
    Title.FIVE_IN_A_ROW: gettext_noop("the fool five times in a row"),
    Title.TEN_WITHOUT: gettext_noop("ten games without being the fool"),
    Title.QUICKEST: gettext_noop("out first in the shortest game"),
    Title.EPAULETTES: gettext_noop("first epaulettes"),
    Title.THREE_EXPERTS: gettext_noop("three experts beaten"),
    Title.ESCAPED: gettext_noop("out after holding fourteen cards"),
    Title.LADDER: gettext_noop("up to the ace"),
    Title.EVERY_PRESET: gettext_noop("the fool by all rules"),
    Title.SHARPER: gettext_noop("card sharp: three cheats in one game that nobody saw"),
    Title.EAGLE_EYE: gettext_noop("eagle eye: three cheats caught in one game"),
}


def titles_line(titles: Collection[Title], translator: Translator) -> Line:
    """Lists a player's titles; empty without any."""
    names = ", ".join(translator.text(TITLE_NAMES[title]) for title in Title if title in titles)
    return translator.spans("🏅 Titles: {titles}", titles=names) if names else ()
