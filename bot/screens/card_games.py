"""Games with real cards: one that was entered, a file of them, and what became of either."""

from collections.abc import Mapping, Sequence

from adapters.port import CallbackButton, Mark, Screen, Span, Tone
from bot.locale import Translator, gettext_noop
from bot.model.buttons import CardGameAction, ChangeCardGames
from bot.model.card_games import LEAST_PLAYERS, MOST_PLAYERS, Entered, Problem, Unread
from bot.screens.standings import games_text
from bot.screens.words import Line, as_lines, as_paragraphs, button_to, echo, shown_name

CARDS = "📇"  # what marks a game with real cards
NEEDS_PEOPLE = gettext_noop("Mention the fool first, then who else played: /fool add @…")
NOBODY_CALLED_SO = gettext_noop(
    "I don’t know who “{name}” is here: send the command as a reply to a message of theirs."
)
NEEDS_FILE = gettext_noop("Send /fool import together with a CSV file: date, fool, players.")
NO_SUCH_FILE = gettext_noop("That file isn't a table of games: I need a CSV file with date, fool, players.")
TOO_LARGE = gettext_noop("That file's too large.")
NOT_FETCHED = gettext_noop("The file didn't arrive. Please try again.")
ONLY_ADMINS_IMPORT = gettext_noop("Only admins can do that.")
ANOTHER_CONFIRMS = gettext_noop("One of the other players has to confirm it.")
NOT_YOURS_TO_TAKE_BACK = gettext_noop("Whoever entered it can take it back for a day, later only admins.")
GONE = gettext_noop("That was taken back.")
MOST_PROBLEMS = 10  # how many unreadable lines are listed

UNREAD: Mapping[Unread, str] = {
    Unread.DATE: gettext_noop("line {line}: “{word}” isn't a date"),
    Unread.FUTURE: gettext_noop("line {line}: {word} is yet to come"),
    Unread.PLAYERS: gettext_noop("line {line}: {least} to {most} people have to play"),
    Unread.FOOL: gettext_noop("line {line}: who is the fool?"),
    Unread.UNKNOWN: gettext_noop("line {line}: nobody here is called “{word}”"),
    Unread.AMBIGUOUS: gettext_noop("line {line}: several people are called “{word}”"),
    Unread.KNOWN: gettext_noop("line {line}: already counted"),
    Unread.TOO_MANY: gettext_noop("line {line} and what follows: too many at once"),
}


def entered_screen(entered: Entered, translator: Translator) -> Screen:
    """Show what was entered: one game, or how many of them; and ask for what is missing."""
    waits = () if entered.counts else translator.spans("It counts once another player confirms it.")
    body = as_lines(_headline(entered, translator), _players(entered, translator), waits)
    back = _button(entered, CardGameAction.TAKE_BACK, translator.text("Take back"))
    if entered.counts:
        return Screen(body, rows=((back,),))
    confirm = _button(entered, CardGameAction.COUNT, translator.text("That's right"), Tone.GOOD)
    return Screen(body, rows=((confirm, back),))


def preview_screen(entered: Entered, problems: Sequence[Problem], translator: Translator) -> Screen:
    """Show what a file holds, and what of it cannot be read, before it counts."""
    games = games_text(len(entered.games), translator)
    count = translator.text("Count {games}", games=games)
    row = (
        _button(entered, CardGameAction.COUNT, count, Tone.GOOD),
        _button(entered, CardGameAction.TAKE_BACK, translator.text("Don't count them")),
    )
    fools = " · ".join(f"{shown_name(name, translator)} {times}" for name, times in entered.fools)
    told = (_headline(entered, translator), translator.spans("The fool: {names}", names=fools))
    return Screen(as_paragraphs(as_lines(*told), *_problems(problems, translator)), rows=(row,))


def unreadable_screen(problems: Sequence[Problem], translator: Translator) -> Screen:
    """Say why nothing in a file is a game."""
    return Screen(as_paragraphs(*_problems(problems, translator)))


def taken_back_screen(entered: Entered, translator: Translator) -> Screen:
    """Strike out what was entered."""
    struck = tuple(Span(span.text, Mark.STRIKE) for span in _headline(entered, translator))
    return Screen(as_lines(struck, translator.spans("Taken back.")))


def _headline(entered: Entered, translator: Translator) -> Line:
    if len(entered.games) == 1:
        fool = shown_name(entered.games[0].fool.name, translator)
        return translator.spans("📇 With real cards: {name} is the fool!", mark=Mark.BOLD, name=fool)
    games = games_text(len(entered.games), translator)
    return translator.spans("📇 With real cards: {games}", mark=Mark.BOLD, games=games)


def _players(entered: Entered, translator: Translator) -> Line:
    if len(entered.games) > 1:
        return ()
    names = ", ".join(shown_name(each.name, translator) for each in entered.games[0].players)
    return translator.spans("Played: {names}", names=names)


def _problems(problems: Sequence[Problem], translator: Translator) -> list[Line]:
    """Count the lines that cannot be read, and name the first of them."""
    if not problems:
        return []
    count = translator.count("{n} line cannot be read", "{n} lines cannot be read", len(problems))
    lines = [
        translator.spans(
            UNREAD[each.why],
            line=str(each.line),
            word=echo(each.word),
            least=str(LEAST_PLAYERS),
            most=str(MOST_PLAYERS),
        )
        for each in problems[:MOST_PROBLEMS]
    ]
    return [as_lines((Span(f"{count}:"),), *lines)]


def _button(
    entered: Entered, action: CardGameAction, label: str, tone: Tone = Tone.NEUTRAL
) -> CallbackButton:
    return button_to(ChangeCardGames(entered.id, action), label, tone)
