"""What rule sets are called on a screen; what one types for them is in `bot/model/preset_words.py`, too."""

from collections.abc import Mapping

from bot.locale import Translator, gettext_noop

NAMES: Mapping[str, str] = {
    "podkidnoy-36": gettext_noop("Throw-in, 36 cards"),
    "podkidnoy-24": gettext_noop("Throw-in, 24 cards"),
    "podkidnoy-52": gettext_noop("Throw-in, 52 cards"),
    "perevodnoy": gettext_noop("Transfers"),
    "wikipedia-de": gettext_noop("German rules"),
    "classic": gettext_noop("Classic, first come"),
    "durnius": gettext_noop("Lithuanian"),
    "durnius-passing": gettext_noop("Lithuanian transfer"),
    "durnius-travel": gettext_noop("Lithuanian, travel card"),
    "pure": gettext_noop("Pure, no six-card cap"),
    "punktedurak": gettext_noop("Points Durak"),
}
"""Every preset, as people call it."""


def preset_name(name: str, translator: Translator) -> str:
    """Name a preset as people call it; what somebody has named themselves stays as it is."""
    return translator.text(NAMES[name]) if name in NAMES else name
