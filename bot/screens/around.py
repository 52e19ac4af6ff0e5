"""The settings for the time between games: each with its meaning, and an example."""

from collections.abc import Callable, Mapping, Sequence

from adapters.port import CallbackButton, Limits, Mark, Screen, SettingGroup, SettingList, Span, UserRef
from bot.locale import Translator, gettext_noop
from bot.model.buttons import CommandInPlace
from bot.model.people import PINS
from bot.model.results import Standing, Title
from bot.screens import calls, puzzles
from bot.screens.bets import SAW_IT_COMING
from bot.screens.cup import WINS_CUP
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import warning_text
from bot.screens.result import TURNING
from bot.screens.server import AROUND_NAME, HOME_CLOSED, ServerState, server_choice_screen, setting_line
from bot.screens.standings import fool_screen, games_lost_text
from bot.screens.text import Line, as_lines, cards_text, plain_text
from bot.screens.titles import new_titles_line
from bot.screens.week import FOOL_OF_THE_WEEK
from bot.screens.worn import mark_of
from engine import Card, Rank, Suit

# a player of the examples
BORIS = Standing(UserRef("", ""), "Boris", 9, 5, draws=0, first_out=0, expected=3.0, cards=2)


# --- the meaning and the example of each setting; a test fails on a missing one ---

ABOUT: Mapping[str, str] = {
    "worn": gettext_noop("The last fool wears a mark beside the name."),
    "week": gettext_noop("On Sunday evening: the fool of the week, streaks and rivals."),
    "titles": gettext_noop("Results tell the firsts and titles that a game has brought."),
    "turning": gettext_noop("Results name the fool's move that decided the game, where an expert is sure."),
    "bets": gettext_noop(
        "While a game is on, anybody can bet for honour, once and in private, on the fool. "
        "The result names those who saw it coming."
    ),
    "puzzle": gettext_noop("Every day an ending with one winning move."),
    "cards": gettext_noop("Whether games entered by /fool add count together with those played here."),
    "cups": gettext_noop("Whether /cup gathers four to sixteen people for two rounds and a final."),
    PINS: gettext_noop("The table stays pinned, without a sound, until its game is over."),
    "quiet": gettext_noop(
        "Nobody is called to a table in these hours, not even by name, and nothing is posted by itself. "
        "At other times there's one such call for each person in half an hour."
    ),
}


def _worn_example(translator: Translator) -> str:
    return f"{BORIS.name} · {mark_of(2, translator)}"


def _week_example(translator: Translator) -> str:
    return translator.text(FOOL_OF_THE_WEEK, name=BORIS.name, share=games_lost_text(BORIS, translator))


def _titles_example(translator: Translator) -> str:
    return plain_text(new_titles_line({Title.THREE_IN_A_ROW: [0]}, [BORIS.name], translator))


def _turning_example(translator: Translator) -> str:
    taken = [Card(Suit.SPADES, Rank.KING), Card(Suit.HEARTS, Rank.KING)]
    move = translator.text("{name} takes {cards}.", name=BORIS.name, cards=cards_text(taken, translator))
    return translator.text(TURNING, n=7, move=move)


def _bets_example(translator: Translator) -> str:
    return translator.text(SAW_IT_COMING, names="Anna")


def _puzzle_example(translator: Translator) -> str:
    return f"{translator.text(puzzles.OF_THE_DAY)}: {translator.text(puzzles.TASK)}"


def _cards_example(translator: Translator) -> str:
    return plain_text(fool_screen([BORIS], "", translator).body).strip()


def _cups_example(translator: Translator) -> str:
    return translator.text(WINS_CUP, name="Anna")


def _pins_example(translator: Translator) -> str:
    led = translator.text("⏳ {attacker} leads against {defender}.", attacker="Anna", defender=BORIS.name)
    return f"📌 {led}"


def _quiet_example(translator: Translator) -> str:
    return f"📣 {translator.text(calls.QUIET)}"


EXAMPLES: Mapping[str, Callable[[Translator], str]] = {
    "worn": _worn_example,
    "week": _week_example,
    "titles": _titles_example,
    "turning": _turning_example,
    "bets": _bets_example,
    "puzzle": _puzzle_example,
    "cards": _cards_example,
    "cups": _cups_example,
    PINS: _pins_example,
    "quiet": _quiet_example,
}


# --- the list, and one screen for each setting ---


def around_screen(
    state: ServerState, offered: Sequence[str], limits: Limits, translator: Translator
) -> Screen:
    """Lists the settings for the time between games that are `offered` in this chat."""
    title = (Span(translator.text(AROUND_NAME), Mark.BOLD),)
    home = translator.spans("Automatic posts go where you last switched them on.", mark=Mark.ITALIC)
    closed: Line = ()
    if state.choices.home_closed:
        closed = (Span(warning_text(translator.text(HOME_CLOSED), "", translator)),)

    lines = tuple(
        setting_line(setting, state, translator, translator.text(ABOUT[setting])) for setting in offered
    )
    buttons = [CallbackButton(line.token, f"{line.name}: {line.value}") for line in lines]
    back = button_to(CommandInPlace("settings"), translator.text("Back"))
    heading = as_lines(title, home, closed)

    return Screen(
        heading,
        rows=rows_of(buttons, [back], limits=limits, is_aligned=False),
        drawn=SettingList(heading, (SettingGroup("", lines),)),
    )


def around_choice_screen(setting: str, state: ServerState, limits: Limits, translator: Translator) -> Screen:
    """Explains a setting for the time between games by a sentence and an example, and offers its values."""
    about = (Span(translator.text(ABOUT[setting])),)
    example = translator.spans("e.g. {example}", mark=Mark.ITALIC, example=EXAMPLES[setting](translator))
    return server_choice_screen(setting, state, (), limits, translator, about=as_lines(about, example))
