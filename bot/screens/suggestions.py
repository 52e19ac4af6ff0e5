"""What somebody could be typing after a command, by the names they know it by."""

from collections.abc import Iterable, Sequence
from functools import cache
from zoneinfo import available_timezones

from adapters.port import Suggestion
from bot.locale import LOCALES, Translator
from bot.model.preset_words import PRESET_OF
from bot.model.server_choices import STYLES, VIEWS
from bot.screens.options import PANELS, offered
from bot.screens.presets import preset_name
from bot.screens.settings import label_of, value_in_words
from engine import SETTINGS

BETWEEN = " · "
"""What stands between settings that were chosen one after the other."""


def preset_suggestions(names: Iterable[str], typed: str, translator: Translator) -> list[Suggestion]:
    """Suggest rule sets: by what they are called here, by their names, or by another word for them."""
    meant = {preset for word, preset in PRESET_OF.items() if word.startswith(typed.casefold())}
    suggestions = [Suggestion(preset_name(name, translator), name) for name in names]
    return [each for each in suggestions if each.text in meant or _fits(each, typed)]


def setting_suggestions(typed: str, translator: Translator) -> list[Suggestion]:
    """Suggest single settings, beside those that have been chosen before."""
    known = [
        Suggestion(
            f"{label_of(setting, translator)}: {value_in_words(setting, value, translator)}",
            f"{setting}={text}",
        )
        for panel in PANELS.values()
        for setting in panel
        if setting in SETTINGS
        for value, text in offered(setting, ())
    ]
    chosen, rest = _chosen(typed, known)
    taken = {each.text.partition("=")[0] for each in chosen}
    more = [each for each in known if each.text.partition("=")[0] not in taken and _fits(each, rest)]
    if rest:
        return [_joined([*chosen, each]) for each in more]
    return [_joined(each) for each in (chosen, *([*chosen, each] for each in _spread(more))) if each]


def server_suggestions(
    names: Sequence[str], variations: Sequence[str], typed: str, translator: Translator
) -> list[Suggestion]:
    """Suggest changes of a server's settings; of all time zones only those with what was typed in them."""
    suggestions = [
        *(Suggestion(f"default {preset_name(name, translator)}", f"default {name}") for name in names),
        *(Suggestion(f"delete {name}", f"delete {name}") for name in variations),
        *(Suggestion(f"language {code}", f"language {code}") for code in LOCALES),
        *(
            Suggestion(f"{setting} {value_in_words(setting, value, translator)}", f"{setting} {value}")
            for setting, values in (("view", VIEWS), ("style", STYLES))
            for value in values
        ),
    ]
    zones = [Suggestion(f"timezone {zone}", f"timezone {zone}") for zone in _zones(typed)]
    return [*(each for each in suggestions if _fits(each, typed)), *zones]


def _fits(suggestion: Suggestion, typed: str) -> bool:
    sought = typed.strip().casefold()
    return sought in suggestion.label.casefold() or sought in suggestion.text.casefold()


def _chosen(typed: str, known: Sequence[Suggestion]) -> tuple[list[Suggestion], str]:
    """Read what was chosen before, by its label or as it is typed; gives the rest, too."""
    chosen, rest = list[Suggestion](), typed.strip()
    by_length = sorted(known, key=lambda each: -len(each.label))
    while begun := [each for each in by_length if _after(each, rest) is not None]:
        chosen.append(begun[0])
        rest = _after(begun[0], rest) or ""
    return chosen, rest


def _after(suggestion: Suggestion, typed: str) -> str | None:
    """Return what follows a suggestion in a text; None if the text does not begin with it."""
    for start in (suggestion.label, suggestion.text):
        begin, rest = typed[: len(start)], typed[len(start) :]
        if begin.casefold() == start.casefold() and rest[:1] in {"", " "}:
            return rest.lstrip(BETWEEN)
    return None


def _spread(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Begin with one value of each setting: a chat shows the first few only."""
    first: dict[str, Suggestion] = {}
    for each in suggestions:
        first.setdefault(each.text.partition("=")[0], each)
    return [*first.values(), *(each for each in suggestions if each not in first.values())]


def _joined(chosen: Sequence[Suggestion]) -> Suggestion:
    labels, texts = BETWEEN.join(each.label for each in chosen), " ".join(each.text for each in chosen)
    return Suggestion(labels, texts)


def _zones(typed: str) -> list[str]:
    sought = typed.strip().casefold().removeprefix("timezone").strip()
    return [zone for zone in _all_zones() if sought in zone.casefold()] if sought else []


@cache
def _all_zones() -> Sequence[str]:
    return sorted(available_timezones())
