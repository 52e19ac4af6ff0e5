"""The screens of a cup: one for its list, from the sign-up to the end, and its announcements."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

from adapters.port import CallbackButton, Mark, MessageRef, Screen, Span, Tone, UserRef
from bot.features.cups.buttons import ChangeCup, CupAction
from bot.features.cups.model import MAX_PLACES, MIN_PLACES, Cup, CupGame, CupPhase, CupRefusal, Entrant
from bot.locale import Translator, gettext_noop
from bot.model.buttons import TypedCommand
from bot.model.series import ROUNDS
from bot.model.table import Player
from bot.screens.keyboard import button_to
from bot.screens.names import names_of, preset_name, shown_name
from bot.screens.table import round_in_words
from bot.screens.text import Line, as_lines, as_paragraphs
from engine import short_seal

FOR_GROUPS = gettext_noop("A cup is for a group of four to sixteen: type /cup there.")
ONE_TABLE = gettext_noop("A room here has one table, and a cup needs several: play one in a group.")
IS_OFF = gettext_noop("Cups are off here; an admin can change that: /settings.")
NEEDS_RULES = gettext_noop("A cup needs rules that two, three and four can play: /cup podkidnoy-36.")
IS_HERE = gettext_noop("There's already a cup here: {here}.")
GONE = gettext_noop("That cup is over.")
SIGNED_UP = gettext_noop("You're in the cup.")
SIGNED_OFF = gettext_noop("You're not in the cup any more.")
TOO_MANY_CHANGES = gettext_noop("You've just changed your mind twice: wait ten seconds.")
IN_LINE = gettext_noop("You're in line: if somebody leaves, you take over the place in the second round.")
BACK = gettext_noop("You're in the cup again.")
LEFT = gettext_noop("You're out of the cup. A game that is running goes on: leave it at the table.")

REFUSALS: Mapping[CupRefusal, str] = {
    CupRefusal.IN_ALREADY: gettext_noop("You're in already."),
    CupRefusal.NOT_IN: gettext_noop("You're not in this cup."),
    CupRefusal.FULL: gettext_noop("The cup is full, and so is the line."),
    CupRefusal.TOO_LATE: gettext_noop("Too late: the last rounds are drawn. Be there next time!"),
    CupRefusal.TOO_FEW: gettext_noop("A cup takes four people at least."),
    CupRefusal.PLACE_TAKEN: gettext_noop("Your place has been taken over by the next in line."),
    CupRefusal.NOT_A_PERSON: gettext_noop("You write as a group or a channel, and those can't play."),
    CupRefusal.NOT_GATHERING: gettext_noop("The cup has begun."),
    CupRefusal.IS_OVER: GONE,
}

WINS_CUP = gettext_noop("🏆 {name} wins the cup!")
FOOLS_CAP = gettext_noop("🃏 The fool's cap goes to {name}.")

Names = Mapping[UserRef, str]


def names_in(cup: Cup) -> Names:
    """Returns distinct names of all entrants."""
    players = [Player(entrant.name, entrant.user) for entrant in cup.entrants]
    return {entrant.user: name for entrant, name in zip(cup.entrants, names_of(players), strict=True)}


def cup_screen(
    cup: Cup,
    time: Span,
    messages: Mapping[int, MessageRef],
    translator: Translator,
    *,
    hint: str = "",
    break_until: float | None = None,
) -> Screen:
    """Renders a cup as it is now.

    Args:
        cup: The cup.
        time: When it begins, in the server's time zone.
        messages: The messages of its tables to link to, by table.
        translator: The translator for the room's language.
        hint: A sentence below the sign-up, such as one about the time zone.
        break_until: When the next round begins, if the current one is over.
    """
    match cup.phase:
        case CupPhase.GATHERING:
            return _gathering_screen(cup, time, translator, hint)
        case CupPhase.PLAYING:
            return _playing_screen(cup, messages, translator, break_until)
        case CupPhase.OVER:
            return _over_screen(cup, translator)
        case CupPhase.OFF:
            return _off_screen(cup, time, translator)


def _gathering_screen(cup: Cup, time: Span, translator: Translator, hint: str) -> Screen:
    names = names_in(cup)
    places = cup.entrants[:MAX_PLACES]
    players = translator.spans(
        "In ({n} of {most}): {names}",
        n=str(len(places)),
        most=str(MAX_PLACES),
        names=_name_list(places, names) or "–",
    )

    note: Line = (Span(hint),) if hint else ()

    body = as_paragraphs(
        as_lines(
            translator.spans("🏆 Cup: {time}", mark=Mark.BOLD, time=time),
            (Span(preset_name(cup.preset, translator)),),
        ),
        as_lines(players, _waiting_line(cup, names, translator)),
        as_lines(_format_line(translator), _points_line(translator)),
        as_lines(
            translator.spans("🔒 Draw sealed: {hash}", hash=Span(short_seal(cup.seed), Mark.CODE)),
            note,
        ),
    )
    host_row = (
        _button(cup, CupAction.BEGIN, translator.text("Begin now"), _tone_of_begin(cup)),
        _button(cup, CupAction.CALL_OFF, translator.text("Call off")),
    )
    guest_row = (
        _button(cup, CupAction.JOIN, translator.text("I'm in"), Tone.PRIMARY),
        _button(cup, CupAction.LEAVE, translator.text("Not coming")),
    )

    return Screen(body, rows=(guest_row, host_row))


def _tone_of_begin(cup: Cup) -> Tone:
    return Tone.GOOD if cup.can_begin else Tone.NEUTRAL


def _format_line(translator: Translator) -> Line:
    return translator.spans(
        "From {least} people on: two rounds for everybody, then a final of the best four.",
        least=str(MIN_PLACES),
    )


def _points_line(translator: Translator) -> Line:
    return translator.spans(
        "First out gets 3 points, the next 2, then 1; the fool gets none.", mark=Mark.ITALIC
    )


def minutes_span(at: float, left: float, translator: Translator) -> Span:
    """Returns the minutes until a cup begins, as text."""
    minutes = max(1, ceil(left / 60.0))
    return Span(translator.text("in {n} min", n=minutes), Mark.BOLD, when=at)


def _playing_screen(
    cup: Cup, messages: Mapping[int, MessageRef], translator: Translator, break_until: float | None
) -> Screen:
    names = names_in(cup)
    title = (Span(f"🏆 {round_in_words(cup.round, translator)}", Mark.BOLD),)
    games = [_game_line(game, names, messages) for game in cup.current_games]
    buttons = [_button(cup, CupAction.LEAVE, translator.text("Leave the cup"))]
    line: Line = ()

    if cup.takes_entrants:
        line = _waiting_line(cup, names, translator)
        buttons.insert(0, _button(cup, CupAction.JOIN, translator.text("Get in line")))

    body = as_paragraphs(
        as_lines(title, *games, _break_line(break_until, translator)),
        _standing(cup, names),
        as_lines(line, _points_line(translator)),
    )

    return Screen(body, rows=(tuple(buttons),))


def _break_line(until: float | None, translator: Translator) -> Line:
    if until is None:
        return ()
    time = Span(translator.text("in half a minute"), Mark.BOLD, when=until, counts_down=True)
    return translator.spans("The next round begins {time}.", time=time)


def _game_line(game: CupGame, names: Names, messages: Mapping[int, MessageRef]) -> Line:
    """Names the players of a game, and its fool once it is over; the sign links to the table."""
    sign = "✅" if game.is_over else "▶️"
    table = Span(sign, link=messages.get(game.table_id))
    players = Span(" " + ", ".join(names[user] for user in game.players))
    fools = ", ".join(names[game.players[seat]] for seat in sorted(game.fools))
    return (table, players, Span(f" · 🃏 {fools}")) if fools else (table, players)


def _standing(cup: Cup, names: Names) -> Line:
    """Lists the places by points, once there are any; people who left are struck out."""
    standing = cup.standing
    if not any(score.points for score in standing):
        return ()

    lines = list[Line]()
    for number, score in enumerate(standing, start=1):
        mark = Mark.STRIKE if score.entrant.has_left else Mark.PLAIN
        fools = f" 🃏×{score.fools}" if score.fools else ""
        name = Span(names[score.entrant.user], mark)
        lines.append((Span(f"{number}. "), name, Span(f" · {score.points}{fools}")))

    return as_lines(*lines)


def _waiting_line(cup: Cup, names: Names, translator: Translator) -> Line:
    line = cup.line
    return translator.spans("In line: {names}", names=_name_list(line, names)) if line else ()


def _name_list(entrants: Sequence[Entrant], names: Names) -> str:
    return ", ".join(names[entrant.user] for entrant in entrants)


def ending_lines(cup: Cup, translator: Translator) -> Line:
    """Names the winner of a cup and the player with the fool's cap, if there are any."""
    names = names_in(cup)
    if cup.winner is None:
        headline = translator.spans("🏆 The cup is over: nobody stayed to win it.", mark=Mark.BOLD)
    else:
        headline = translator.spans(WINS_CUP, mark=Mark.BOLD, name=names[cup.winner])

    cap = () if cup.fool is None else translator.spans(FOOLS_CAP, name=names[cup.fool])
    return as_lines(headline, cap)


def _over_screen(cup: Cup, translator: Translator) -> Screen:
    names = names_in(cup)
    finals = [_game_line(game, names, {}) for game in cup.games if game.round > ROUNDS]
    final = as_lines((Span(round_in_words(ROUNDS + 1, translator)),), *finals) if finals else ()
    title = translator.spans("🏆 Cup, the end", mark=Mark.BOLD)
    standing = _standing(cup, names)
    heading = translator.spans("Points of both rounds", mark=Mark.BOLD) if standing else ()
    key = translator.spans("🔑 Key of the draw: {key}", key=Span(f"{cup.seed} {cup.salt}", Mark.CODE))
    honours = as_lines(title, ending_lines(cup, translator))
    return Screen(as_paragraphs(honours, final, as_lines(heading, standing), key))


def _off_screen(cup: Cup, time: Span, translator: Translator) -> Screen:
    off = translator.spans("🏆 No cup: {time}", mark=Mark.BOLD, time=replace(time, when=None))
    why: Line = ()
    if len(cup.entrants) < MIN_PLACES:
        why = translator.spans(REFUSALS[CupRefusal.TOO_FEW])

    deal = button_to(TypedCommand("durak"), translator.text("🃏 Deal here"))
    return Screen(as_lines(off, why), rows=((deal,),))


def _button(cup: Cup, action: CupAction, label: str, tone: Tone = Tone.NEUTRAL) -> CallbackButton:
    return button_to(ChangeCup(cup.id, action), label, tone)


# --- announcements ------------------------------------------------------------------------------------------


def begins_screen(cup: Cup, message: MessageRef | None, translator: Translator) -> Screen:
    """Calls people by name to the first round."""
    names = names_in(cup)
    spans = [(Span(names[entrant.user], mention=entrant.user),) for entrant in cup.people_to_call]
    here = Span(translator.text("these are the tables"), link=message)
    called_by_name = as_lines(*spans, between=Span(", "))
    return Screen(translator.spans("🏆 {names}: the cup begins, {here}.", names=called_by_name, here=here))


def ended_screen(cup: Cup, message: MessageRef | None, translator: Translator) -> Screen:
    """Announces the honours of a cup, with a link to its standing."""
    standing = Span(translator.text("The whole standing"), link=message)
    below = () if message is None else (standing,)
    return Screen(as_lines(ending_lines(cup, translator), below))


def cup_is_here_screen(message: MessageRef, translator: Translator) -> Screen:
    """Links to the message of the room's current cup."""
    here = Span(translator.text("here it is"), link=message)
    return Screen(translator.spans(IS_HERE, here=here))


def season_line(winner: str | None, fool: str | None, translator: Translator) -> Line:
    """Names the winner of a cup and the player with the fool's cap; empty without a winner."""
    if winner is None:
        return ()

    name = shown_name(winner, translator)
    if fool is None:
        return translator.spans("🥇 Cup: {winner}", winner=name)

    return translator.spans(
        "🥇 Cup: {winner} · fool's cap: {fool}", winner=name, fool=shown_name(fool, translator)
    )
