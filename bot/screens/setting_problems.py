"""Sentences for invalid settings, for settings that clash, and for wrong names of rule sets."""

from collections.abc import Iterable, Mapping

from bot.locale import Translator, gettext_noop
from bot.model.preset_words import PRESET_OF
from bot.model.refusal import InvalidName, NameProblem
from bot.screens.settings import WORDINGS, label_of, value_in_words
from bot.screens.text import MAX_NOTICE_LENGTH, echo, nearest_of
from engine import SETTINGS, Clash, ClashReason, InvalidSettingError, SettingProblem, value_text

INVALID_SETTINGS: Mapping[SettingProblem, str] = {
    SettingProblem.UNKNOWN_SETTING: gettext_noop("No setting “{setting}”. Did you mean: {valid}?"),
    SettingProblem.NO_VALUE: gettext_noop("{setting} needs a value, as in {setting}=…; it can be: {valid}"),
    SettingProblem.WRONG_VALUE: gettext_noop("{setting} can't be “{value}”; it can be: {valid}"),
}


def invalid_setting_text(invalid: InvalidSettingError, translator: Translator) -> str:
    """Explains an invalid setting and lists its values as typed, with translations if they fit a notice."""
    setting = invalid.setting
    values = list(invalid.valid)
    explained = values

    if setting in SETTINGS:
        number = value_text(int)
        words = {text: value_in_words(setting, text, translator) for text in values if text != number}
        values = ["{}–{}".format(*WORDINGS[setting].span) if text == number else text for text in values]
        explained = [text if words.get(text, text) == text else f"{text} ({words[text]})" for text in values]

    def explain(valid: Iterable[str]) -> str:
        return translator.text(
            INVALID_SETTINGS[invalid.problem],
            setting=echo(setting),
            value=echo(invalid.value or ""),
            valid=", ".join(valid),
        )

    whole = explain(explained)
    return whole if len(whole) <= MAX_NOTICE_LENGTH else explain(values)


REASONS: Mapping[ClashReason, str] = {
    ClashReason.NUMBER_TOO_SMALL: gettext_noop("“{setting}” can be {range}."),
    ClashReason.NUMBER_TOO_LARGE: gettext_noop("“{setting}” can be {range}."),
    ClashReason.PLAYERS_RANGE: gettext_noop("“{min_players}” can't be more than “{max_players}”."),
    ClashReason.FIRST_LIMIT_ABOVE_LIMIT: gettext_noop(
        "“{first_attack_limit}” can't be more than “{attack_limit}”."
    ),
    ClashReason.TEAMS_AND_TRANSFER: gettext_noop("Teams don't transfer: switch “{transfer}” off."),
    ClashReason.TEAMS_AND_PLACES: gettext_noop("Teams take no places: set “{game_end}” to “with one loser”."),
    ClashReason.EXCHANGE_NEEDS_TALON_BOTTOM: gettext_noop(
        "A low trump is swapped for the trump under the deck: see “{turn_up}”."
    ),
    ClashReason.ROUND_DRAW_NEEDS_LEAVING: gettext_noop(
        "Drawing one card each time round the table needs “{leave_with_talon}”."
    ),
    ClashReason.NEEDS_EPAULETTES: gettext_noop("Points by epaulettes need “{epaulettes}”."),
    ClashReason.TEAM_SIZE: gettext_noop("“{teams}” takes exactly {seats} players."),
    ClashReason.TOO_FEW_PLAYERS: gettext_noop("At least {least} players are needed."),
    ClashReason.TOO_MANY_PLAYERS: gettext_noop("At most {most} players can play."),
    ClashReason.EPAULETTES_NEED_SIXES: gettext_noop("Epaulettes need a deck with sixes."),
    ClashReason.TOO_FEW_CARDS: gettext_noop("{players} players need {needed} cards, but there are {cards}."),
    ClashReason.EPAULETTES_AND_PLACES: gettext_noop(
        "One loser wears the epaulettes: set “{game_end}” to “with one loser”."
    ),
    ClashReason.TEAMS_AND_WINNER: gettext_noop("Teams win together: set “{winner}” to “nobody”."),
    ClashReason.CHEATING_AND_STRICT_ORDER: gettext_noop(
        "Where players cheat, nobody waits for others: see “{throw_in_order}”."
    ),
    ClashReason.CHEATING_NEEDS_THROWING_IN: gettext_noop(
        "Cheating needs players who throw in: see “{throw_in}”."
    ),
    ClashReason.TEAMS_AND_POINTS: gettext_noop("Teams take no places, so there are no points by places."),
}


def clash_text(clash: Clash, translator: Translator, *, is_typed: bool = False) -> str:
    """Explains a clash by the labels of the settings; `is_typed` adds their typed names."""

    def name_of(setting: str) -> str:
        label = label_of(setting, translator)
        return f"{label} ({setting})" if is_typed else label

    places: dict[str, object] = {setting: name_of(setting) for setting in WORDINGS}
    for name, value in clash.values:
        places[name] = name_of(str(value)) if name == "setting" else value
        if name == "teams":
            places[name] = value_in_words(name, value, translator)

    if clash.reason in {ClashReason.NUMBER_TOO_SMALL, ClashReason.NUMBER_TOO_LARGE}:
        least, most = WORDINGS[clash.settings[0]].span
        places["range"] = f"{places.get('least', least)}–{most}"

    return translator.text(REASONS[clash.reason], **places)


NAME_PROBLEMS: Mapping[NameProblem, str] = {
    NameProblem.NO_RULE_SET: gettext_noop("No rules are called “{name}”. Did you mean: {valid}?"),
    NameProblem.NO_VARIATION: gettext_noop("Nothing is saved here as “{name}”. Did you mean: {valid}?"),
    NameProblem.UNPLAYABLE: gettext_noop(
        "“{name}” was saved by an earlier version and can't be played any more: save it again, or delete it."
    ),
    NameProblem.TAKEN: gettext_noop("“{name}” already means something else: take another name."),
    NameProblem.UNSUITABLE: gettext_noop(
        "“{name}” can't be the name: take up to 20 letters, digits and hyphens."
    ),
    NameProblem.REPLACED: gettext_noop("“{name}” is gone: after “{valid}” the bot passes for everybody."),
    NameProblem.TOO_MANY: gettext_noop("{n} saved rule sets are the most: delete one first."),
}


def rule_set_problem_text(
    problem: InvalidName | InvalidSettingError | Clash, translator: Translator, *, is_typed: bool = False
) -> str:
    """Explains a problem with rules, and names alternatives."""
    match problem:
        case InvalidName(reason, name, existing):
            valid = nearest_of(name, existing, PRESET_OF)
            number = str(len(existing))
            return translator.text(NAME_PROBLEMS[reason], name=echo(name), valid=valid, n=number)

        case InvalidSettingError():
            return invalid_setting_text(problem, translator)
        case Clash():
            return clash_text(problem, translator, is_typed=is_typed)
