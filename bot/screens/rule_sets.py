"""Why rules that somebody asked for cannot be had, in a sentence for them."""

from collections.abc import Mapping

from bot.locale import Translator, gettext_noop
from bot.model.rule_set import InvalidName, NameProblem
from bot.screens.arguments import echo, nearest_of
from bot.screens.clashes import clash_text
from bot.screens.settings import invalid_setting_text
from engine import Clash, InvalidSettingError

NAMES: Mapping[NameProblem, str] = {
    NameProblem.NO_RULE_SET: gettext_noop("There is no preset “{name}”; the nearest are: {valid}"),
    NameProblem.NO_VARIATION: gettext_noop("There is no variation “{name}” here; the nearest are: {valid}"),
    NameProblem.UNSUITABLE: gettext_noop(
        "“{name}” cannot be the name: take up to 20 letters a to z, digits and hyphens, and no preset's name."
    ),
    NameProblem.TOO_MANY: gettext_noop("{n} variations are enough: delete one first."),
}
"""The sentence for each problem with a name."""


def rule_set_problem_text(
    problem: InvalidName | InvalidSettingError | Clash, translator: Translator, *, is_typed: bool = False
) -> str:
    """Say what is wrong, and what could have been asked for instead."""
    match problem:
        case InvalidName(reason, name, existing):
            return translator.text(
                NAMES[reason],
                name=echo(name),
                valid=nearest_of(name, existing),
                n=str(len(existing)),
            )
        case InvalidSettingError():
            return invalid_setting_text(problem, translator)
        case Clash():
            return clash_text(problem, translator, is_typed=is_typed)
