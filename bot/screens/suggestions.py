"""The suggestions a chat shows while somebody types rules, table settings or server settings."""

from collections.abc import Iterable, Sequence

from adapters.port import Suggestion
from bot.locale import LOCALES, Translator
from bot.model.calendar import time_zones
from bot.model.choices import TableOptions
from bot.model.preset_words import AGAINST_BOTS, PRESET_OF
from bot.screens.core_settings import DELETE, SAVE
from bot.screens.names import preset_name
from bot.screens.server import choice_in_words
from bot.screens.server_settings import ServerSetting, ServerSettings
from bot.screens.settings import WORDINGS, offered, setting_in_words
from engine import SETTINGS, Rules

BETWEEN = " · "  # between settings in one suggestion


def preset_suggestions(names: Iterable[str], query: str, translator: Translator) -> list[Suggestion]:
    """Suggests the rule sets whose translated name, own name or synonym fits the query."""
    presets = {preset for word, preset in PRESET_OF.items() if word.startswith(query.casefold())}
    suggestions = [Suggestion(_typable(preset_name(name, translator)), name) for name in names]
    return [one for one in suggestions if one.text in presets or _fits(one, query)]


def bots_suggestions(query: str, translator: Translator) -> list[Suggestion]:
    """Suggests a game against bots if it fits the query."""
    bots = Suggestion(translator.text("🤖 Play against bots"), AGAINST_BOTS)
    return [bots] if _fits(bots, query) else []


def setting_suggestions(query: str, rules: Rules, translator: Translator) -> list[Suggestion]:
    """Suggests further settings that change these rules, after those that the query already has.

    The query's settings are read by their labels or typed forms. If nothing is typed after them, one value of
    each setting comes first, because chats show only the first few suggestions.
    """
    is_set: dict[Suggestion, bool] = {}
    for setting in WORDINGS:
        if setting == "preset":
            continue

        now = getattr(rules, setting) if setting in SETTINGS else TableOptions().value_of(setting)
        for value, text in offered(setting, ()):
            label = _typable(setting_in_words(setting, value, translator))
            is_set[Suggestion(label, f"{setting}={text}")] = value == now

    options = list[Suggestion]()
    rest = query.strip()
    by_length = sorted(is_set, key=lambda suggestion: -len(suggestion.label))
    while begun := [option for option in by_length if _after(option, rest) is not None]:
        options.append(begun[0])
        rest = _after(begun[0], rest) or ""

    settings = {_setting_of(option) for option in options}
    more = [
        option
        for option, is_so in is_set.items()
        if not is_so and _setting_of(option) not in settings and _fits(option, rest)
    ]
    combined = [[*options, further] for further in more]

    if not rest:
        first = {_setting_of(option): option for option in reversed(more)}
        combined.sort(key=lambda several: first[_setting_of(several[-1])] is not several[-1])
        combined[:0] = [options] if options else []

    return [
        Suggestion(
            BETWEEN.join(option.label for option in together), " ".join(option.text for option in together)
        )
        for together in combined
    ]


def server_suggestions(
    settings: ServerSettings,
    names: Sequence[str],
    variations: Sequence[str],
    query: str,
    translator: Translator,
) -> list[Suggestion]:
    """Suggests a server's settings, which open their values, and then new values for them.

    Time zones are suggested only if they contain the typed text.
    """
    values_here = {"default": names, "delete": variations, "language": LOCALES}
    names_of_settings = [
        Suggestion(_typable(translator.text(setting.label)), setting.name)
        for setting in settings
        if setting.name != SAVE.name and (setting.name != DELETE.name or variations)
    ]
    changes = [
        _server_suggestion(setting, value, translator)
        for setting in settings
        for value in setting.values or values_here.get(setting.name, ())
    ]
    place = query.strip().casefold().removeprefix("timezone").strip()
    zones = [zone for zone in time_zones() if place and place in zone.casefold()]

    return [
        *(one for one in (*names_of_settings, *changes) if _fits(one, query)),
        *(_server_suggestion(settings["timezone"], zone, translator) for zone in zones),
    ]


def _server_suggestion(setting: ServerSetting, value: str, translator: Translator) -> Suggestion:
    label = f"{translator.text(setting.label)}: {choice_in_words(setting, value, translator)}"
    return Suggestion(_typable(label), f"{setting.name} {value}")


def _typable(label: str) -> str:
    """Returns a label with ordinary spaces in place of no-break spaces."""
    return label.replace("\N{NO-BREAK SPACE}", " ")


def _setting_of(suggestion: Suggestion) -> str:
    return suggestion.text.partition("=")[0]


def _fits(suggestion: Suggestion, query: str) -> bool:
    sought = query.strip().casefold()
    return sought in suggestion.label.casefold() or sought in suggestion.text.casefold()


def _after(suggestion: Suggestion, query: str) -> str | None:
    """Returns the rest of a text after a suggestion; None if the text doesn't begin with it."""
    for start in (suggestion.label, suggestion.text):
        begin = query[: len(start)]
        rest = query[len(start) :]
        if begin.casefold() == start.casefold() and rest[:1] in {"", " "}:
            return rest.lstrip(BETWEEN)

    return None
