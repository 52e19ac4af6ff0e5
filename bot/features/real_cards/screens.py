"""The screens of games with real cards: a single game, a file, and their confirmation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from adapters.port import CallbackButton, Mark, MessageRef, Screen, Span, Tone, User, UserRef
from bot.features.real_cards.buttons import CardGameAction, ChangeCardGames
from bot.features.real_cards.game_sheets import Unread, UnreadableLine
from bot.features.real_cards.model import MAX_PLAYERS, MIN_PLAYERS, Entered
from bot.locale import Translator, gettext_noop
from bot.screens.keyboard import button_to
from bot.screens.names import shown_name
from bot.screens.standings import games_text
from bot.screens.text import Line, as_lines, as_paragraphs, echo

CARDS = "📇"  # the sign of a game with real cards
NEEDS_PEOPLE = gettext_noop("Mention the fool first, then who else played: /fool add @…")
CHOOSE_PEOPLE = gettext_noop("Choose “add”, the fool, and who else played: /fool what:add fool:@…")
NEEDS_FILE = gettext_noop("Send /fool import together with a CSV file: date, fool, players.")
CHOOSE_FILE = gettext_noop("Choose “import” and a CSV file (date, fool, players): /fool what:import file:…")
NO_SUCH_FILE = gettext_noop("That file isn't a table of games: I need a CSV file with date, fool, players.")
NOT_READ = gettext_noop("I can't read “{line}” as a game.")
_EXAMPLE = "2026-11-12, Boris, Anna, Clara"
_READABLE = gettext_noop("A line with date, fool and players works: {example}")
TOO_LARGE = gettext_noop("That file's too large.")
NOT_FETCHED = gettext_noop("The file didn't arrive. Please try again.")
ONLY_ADMINS_IMPORT = gettext_noop("Only admins can do that.")
ANOTHER_CONFIRMS = gettext_noop("The fool, or other players, have to confirm it.")
NOT_YOURS_TO_TAKE_BACK = gettext_noop(
    "Whoever entered it can take it back for a day, those who are named for a week, admins always."
)
ENOUGH_TODAY = gettext_noop("You've entered enough for today: try again tomorrow.")
TOO_MANY_WAIT = gettext_noop("Too many games wait to be confirmed here: confirm some of them first.")
GONE = gettext_noop("That's gone: it was taken back, or a newer file replaced it.")
MAX_PROBLEMS = 10  # the most unreadable lines to list

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
    """Renders the entered games; a single game that does not count yet asks for confirmation."""
    if entered.is_file:
        back = _button(entered, CardGameAction.TAKE_BACK, translator.text("Take them back"))
        return Screen(as_lines(_headline(entered, translator), _objection(translator)), rows=((back,),))

    lines = _headline(entered, translator), _players(entered, translator)
    wrong = _button(entered, CardGameAction.TAKE_BACK, translator.text("That's wrong"))
    if entered.counts:
        return Screen(as_lines(*lines), rows=((wrong,),))

    right = _button(entered, CardGameAction.COUNT, translator.text("That's right"), Tone.GOOD)
    waits = _waits(entered, translator), _render_confirmation(entered, translator)
    return Screen(as_lines(*lines, *waits), rows=((right, wrong),))


def state_screen(entered: Entered, translator: Translator) -> Screen:
    """Renders the state of games for their room, including that they were taken back."""
    if entered.taken_back_by is not None:
        return taken_back_screen(entered, entered.taken_back_by, translator)
    return entered_screen(entered, translator)


def question_screen(
    entered: Entered,
    user: UserRef,
    post: MessageRef | None,
    translator: Translator,
    *,
    is_in_room: bool,
) -> Screen:
    """Asks a named fool; once they have agreed or the games were taken back, shows the state instead."""
    if entered.taken_back_by is not None or user in entered.confirmed_by:
        return state_screen(entered, translator)

    asked_fool = next((fool for fool, _ in entered.fools if fool.ref == user), None)
    if asked_fool is None:
        return taken_out_screen(translator)

    return fool_notice_screen(entered, asked_fool, post, translator, is_in_room=is_in_room)


def fool_notice_screen(
    entered: Entered,
    you: User,
    post: MessageRef | None,
    translator: Translator,
    *,
    is_in_room: bool = False,
) -> Screen:
    """Asks the named fool to agree or object, with a mention if it is in a room."""
    name = shown_name(entered.by.name, translator)
    here = Span(translator.text("with real cards"), link=post)
    wrong = _button(entered, CardGameAction.TAKE_BACK, translator.text("That's wrong"))
    mention: Line = ()

    if is_in_room:
        mention = (Span(shown_name(you.name, translator), mention=you.ref), Span(":"))

    if entered.is_file:
        times = next((count for fool, count in entered.fools if fool.ref == you.ref), 0)
        question = translator.spans(
            "📇 {name} entered games {here} from a file: you're the fool in {games}.",
            name=name,
            here=here,
            games=games_text(times, translator),
        )
        out = translator.spans("You can take yours out for a week.")

        return Screen(as_lines(mention, question, out), rows=((wrong,),))

    question = translator.spans(
        "📇 {name} entered a game {here}: you're the fool. Is that so?", name=name, here=here
    )
    lines = mention, question, _players(entered, translator)

    if entered.counts:
        out = translator.spans("It counts. You can take it out for a week.")
        return Screen(as_lines(*lines, out), rows=((wrong,),))

    silence = (
        translator.spans("Without your answer it doesn't count.")
        if entered.needs_fool
        else translator.spans("If you don't answer, two other players can confirm it tomorrow.")
    )
    right = _button(entered, CardGameAction.COUNT, translator.text("That's right"), Tone.GOOD)

    return Screen(as_lines(*lines, silence), rows=((right, wrong),))


def preview_screen(
    entered: Entered, problems: Sequence[UnreadableLine], zone: ZoneInfo, translator: Translator
) -> Screen:
    """Renders a preview of a file's games and its unreadable lines, before the games count."""
    fools = " · ".join(f"{shown_name(fool.name, translator)} {times}" for fool, times in entered.fools)
    first, last = (
        translator.full_date(datetime.fromtimestamp(at, zone)) for at in (entered.first, entered.last)
    )
    is_one_day = first == last
    dates = (
        (Span(first),) if is_one_day else translator.spans("From {first} to {last}", first=first, last=last)
    )
    lines = [_headline(entered, translator), translator.spans("The fool: {names}", names=fools)]
    drop = _button(entered, CardGameAction.TAKE_BACK, translator.text("Don't count them"))

    if entered.month_first is not None:
        day_first, month_first = _orders(entered, zone, translator)
        question = translator.spans("Which is right for the first game? Day and month can be either way.")
        body = as_paragraphs(as_lines(*lines), question, *_problems(problems, translator))
        return Screen(body, rows=((day_first, month_first), (drop,)))

    games = games_text(entered.games, translator)
    count = _button(entered, CardGameAction.COUNT, translator.text("Count {games}", games=games), Tone.GOOD)
    back = translator.spans(
        "Counted, they can still be taken back: by you for a day with the button that is then under them, "
        "by admins always, and by everybody named as the fool for a week."
    )
    body = as_paragraphs(as_lines(*lines, dates), back, *_problems(problems, translator))

    return Screen(body, rows=((count, drop),))


def _orders(
    entered: Entered, zone: ZoneInfo, translator: Translator
) -> tuple[CallbackButton, CallbackButton]:
    """Returns buttons for the two possible dates of the first uncertain game."""
    assert entered.month_first is not None
    times = {
        CardGameAction.DAY_FIRST: entered.first_uncertain,
        CardGameAction.MONTH_FIRST: entered.month_first,
    }
    day_first, month_first = (
        _button(entered, action, translator.full_date(datetime.fromtimestamp(at, zone)))
        for action, at in times.items()
    )

    return day_first, month_first


def unreadable_screen(problems: Sequence[UnreadableLine], translator: Translator) -> Screen:
    """Lists the reasons why none of a file's lines is a game, with an example of a game."""
    return Screen(as_paragraphs(*_problems(problems, translator), _readable(translator)))


def no_table_screen(line: str, translator: Translator) -> Screen:
    """Quotes the first line of a file that is not a table of games, with an example of a game."""
    return Screen(as_lines(translator.spans(NOT_READ, line=echo(line)), _readable(translator)))


def _readable(translator: Translator) -> Line:
    return translator.spans(_READABLE, example=Span(_EXAMPLE, Mark.CODE))


def taken_back_screen(entered: Entered, by: User, translator: Translator) -> Screen:
    """Strikes out the games, and names the person who took them back unless they had entered them."""
    struck = tuple(Span(span.text, Mark.STRIKE) for span in _headline(entered, translator))
    if by.ref == entered.by.ref:
        return Screen(as_lines(struck, translator.spans("Taken back.")))
    name = shown_name(by.name, translator)
    return Screen(as_lines(struck, translator.spans("{name} took it out.", name=name)))


def taken_out_screen(translator: Translator) -> Screen:
    """Confirms to a fool that their games in a file were taken out."""
    return Screen(translator.spans("Taken out: the games of that file in which you were the fool."))


def _headline(entered: Entered, translator: Translator) -> Line:
    if not entered.is_file:
        fool = shown_name(entered.fool.name, translator)
        return translator.spans("📇 With real cards: {name} is the fool!", mark=Mark.BOLD, name=fool)
    games = games_text(entered.games, translator)
    return translator.spans("📇 With real cards: {games}", mark=Mark.BOLD, games=games)


def _players(entered: Entered, translator: Translator) -> Line:
    names = ", ".join(shown_name(player.name, translator) for player in entered.players)
    return translator.spans("Played: {names}", names=names)


def _waits(entered: Entered, translator: Translator) -> Line:
    name = shown_name(entered.fool.name, translator)
    if entered.needs_fool:
        return translator.spans("It counts once {name} agrees.", name=name)

    return translator.spans(
        "It counts once {name} agrees or, without an answer for a day, two other players do.", name=name
    )


def _render_confirmation(entered: Entered, translator: Translator) -> Line:
    """Names the players who have confirmed a game that does not count yet."""
    names = [
        shown_name(player.name, translator)
        for player in entered.players
        if player.ref in entered.confirmed_by
    ]
    return translator.spans("Confirmed by {names}", names=", ".join(names)) if names else ()


def _objection(translator: Translator) -> Line:
    return translator.spans("Everybody named as the fool can take out their own for a week.")


def _problems(problems: Sequence[UnreadableLine], translator: Translator) -> list[Line]:
    """Counts the lines that were not read, and lists the first of them."""
    if not problems:
        return []

    count = translator.count("{n} line cannot be read", "{n} lines cannot be read", len(problems))
    lines = [
        translator.spans(
            UNREAD[problem.why],
            line=str(problem.line),
            word=echo(problem.word),
            least=str(MIN_PLAYERS),
            most=str(MAX_PLAYERS),
        )
        for problem in problems[:MAX_PROBLEMS]
    ]

    return [as_lines((Span(f"{count}:"),), *lines)]


def _button(
    entered: Entered, action: CardGameAction, label: str, tone: Tone = Tone.NEUTRAL
) -> CallbackButton:
    return button_to(ChangeCardGames(entered.id, action), label, tone)
