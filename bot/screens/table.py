"""The public table: attacker and defender, the cards on the table, and the players to move."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adapters import port
from bot.locale import Translator, gettext_noop
from bot.model.buttons import HostAction, HostGame, ShowHand
from bot.model.series import FINAL, ROUNDS
from bot.model.table import Phase, Table
from bot.screens.calls import call_button
from bot.screens.host import (
    HOST_PANEL,
    host_rows,
    seats_that_agreed,
    stop_buttons,
    stop_notice,
    stop_question,
    stop_request,
    stop_wish,
)
from bot.screens.keyboard import button_to
from bot.screens.names import preset_name, team_sign
from bot.screens.settings import differences_in_words, label_of, value_in_words
from bot.screens.story import Scene, drawn_line, latest_line, latest_news
from bot.screens.text import (
    BREAK,
    NO_BREAK,
    SIGNS,
    Line,
    as_lines,
    as_paragraphs,
    card_text,
    cards_text,
    duration,
)
from engine import PublicView, Seat, TakeDeclared, strength_by


@dataclass(frozen=True, slots=True)
class TableExtra:
    """A feature's addition to a running table: a line below the latest event, a button, or both."""

    line: Line = ()
    button: port.CallbackButton | None = None


def table_screen(
    scene: Scene,
    limits: port.Limits,
    *,
    extras: Sequence[TableExtra] = (),
    live_table: port.ViewButton | None = None,
) -> port.Screen:
    """Renders a running or finished game, with a button to the hand unless the chat draws hands itself.

    `live_table` is the button to the live table. The buttons of `extras` are left out while a panel or a
    question is open.
    """
    table = scene.table
    view = scene.view
    translator = scene.translator
    news = latest_news(scene.events)

    # The waiting line already names the take, unless the bot took for a person.
    is_take_newest = bool(news) and isinstance(news[0], TakeDeclared)
    is_latest_below = view.taking and is_take_newest and scene.stood_in_for is None
    latest = () if is_latest_below else latest_line(scene)

    rows = list[tuple[port.Button, ...]]()

    if view.outcome is None:
        panel = _panel_button(table, limits, translator)
        hand = button_to(ShowHand(table.id), translator.text("My hand"), port.Tone.PRIMARY)
        offers_call = limits.can_call and not limits.folds_buttons  # there, “My hand” answers others with it
        away = (call_button(table, translator, is_short=True),) if offers_call else ()
        touch = () if live_table is None else (live_table,)
        has_room = table.panel is None and not table.agreed
        more = [extra.button for extra in extras if extra.button is not None and has_room]

        # A board shows the hand, and leaves room for more; in a chat the first row is full.
        first = (panel, *away, *more) if limits.boards else (hand, panel, *away)
        second = () if limits.boards else (*touch, *more)
        rows += [row for row in (first, second) if row]

        if table.agreed:
            rows.append(stop_buttons(table, translator))

        rows += host_rows(scene, limits)

    heap = cards_text(sorted(view.discarded or (), key=lambda card: (card.suit.value, card.rank)), translator)
    discarded = translator.spans("Discard: {cards}", cards=heap) if heap else ()
    return port.Screen(
        body=as_paragraphs(
            as_lines(latest, *[extra.line for extra in extras], waiting_line(scene), gone_line(scene)),
            question_line(scene) or stop_notice(scene),
        ),
        rows=tuple(rows),
        details=as_paragraphs(
            about_lines(table, translator),
            (*stock_line(view, translator), BREAK, *_seat_lines(scene)),
            bout_lines(view, translator),
            drawn_line(scene),
            discarded,
        ),
        accent=accent_of(scene),
    )


def accent_of(scene: Scene) -> port.Accent:
    """Returns the accent of a game: attack, defence, waiting or over."""
    view = scene.view
    if view.outcome is not None:
        return port.Accent.OVER
    if scene.table.options.is_paused or scene.is_asleep or view.undecided:
        return port.Accent.WAITING

    return port.Accent.DEFENCE if view.awaited == {view.defender} else port.Accent.ATTACK


def _panel_button(table: Table, limits: port.Limits, translator: Translator) -> port.CallbackButton:
    """Returns the button that opens or closes the host's panel; its label is short if it shares a row."""
    label = translator.text("⏸️ Pause or stop the game") if limits.boards else translator.text("⚙️ Table")
    action = HostAction.CLOSE if table.panel == HOST_PANEL else HostAction.OPEN
    return replace(button_to(HostGame(table.id, table.game, action), label), readers=(table.opener,))


def host_screen(scene: Scene, limits: port.Limits, reader: Seat | None = None) -> port.Screen:
    """Renders the host's panel of a running game for a reader, who may have a seat.

    There are no buttons while the panel is closed.
    """
    title = title_span(scene.table, scene.translator)
    return port.Screen(
        body=as_paragraphs((title,), waiting_line(scene), stop_notice(scene)),
        rows=host_rows(scene, limits, reader),
        accent=accent_of(scene),
    )


def title_span(table: Table, translator: Translator) -> port.Span:
    """Returns the title of a table: its rules, and the number of its game or its round of the cup."""
    preset = preset_in_words(table, translator)
    if table.series:
        title = f"🏆 {round_in_words(table.series_round, translator)} · {preset}"
        return port.Span(title, port.Mark.BOLD)

    return port.Span(
        translator.text("Durak · {preset} · game {n}", preset=preset, n=table.game), port.Mark.BOLD
    )


def round_in_words(number: int, translator: Translator) -> str:
    """Names a round of a series."""
    if number == FINAL:
        return translator.text("Cup, the final")
    return translator.text("Cup, round {n} of {most}", n=number, most=ROUNDS)


def preset_in_words(table: Table, translator: Translator) -> str:
    """Names a table's preset, and mentions changes of its rules."""
    preset = preset_name(table.preset, translator)
    if table.rules == table.standard or _OF_SEATS.issuperset(table.rules.differences(table.standard)):
        return preset
    return translator.text("{preset}, with changes", preset=preset)


# Settings that change the number of seats, but not the game.
_OF_SEATS = frozenset({"min_players", "max_players"})

# Explanations of the strengths of house players, shown while the strength can still be chosen.
WHAT_BOTS_DO: Mapping[str, str] = {
    "beginner": gettext_noop("they forget what was played"),
    "regular": gettext_noop("they remember the cards"),
    "expert": gettext_noop("they remember, and think ahead"),
}


def about_lines(table: Table, translator: Translator) -> Line:
    """Renders the title of a table, its differences from the usual game, and the strength of its bots."""
    title = (title_span(table, translator),)
    choice = table.options.strength
    differences = differences_in_words(table, translator)
    changes = (port.Span(differences, port.Mark.ITALIC),) if differences else ()

    if not any(player.user is None for player in table.players):
        return as_lines(title, changes)

    strength = strength_by(table.rules, choice)
    strength_text = f"{label_of('strength', translator)}: {value_in_words('strength', strength, translator)}"
    if strength != choice:
        why = translator.text("experts don't know these rules")
        strength_text += f" ({why})"
    elif table.phase is Phase.LOBBY:
        strength_text += f" ({translator.text(WHAT_BOTS_DO[strength])})"

    return as_lines(title, changes, (port.Span(strength_text, port.Mark.ITALIC),))


def seal_line(seal: str, translator: Translator) -> Line:
    """Renders the hash that commits to the deal's seed while the seed is secret; empty without one."""
    code = port.Span(seal, port.Mark.CODE)
    return translator.spans("🔒 Seal: {hash}", mark=port.Mark.SMALL, hash=code) if seal else ()


def stock_line(view: PublicView, translator: Translator) -> Line:
    """Renders the trump and the number of cards in the talon and the discard."""
    turn_up = view.turn_up
    trump = card_text(turn_up, translator) if turn_up is not None else SIGNS[view.trump]
    return translator.spans(
        "Trump {trump} · deck {talon} · discard {discard}",
        trump=port.Span(trump, port.Mark.BOLD),
        talon=str(view.talon),
        discard=str(view.discard),
    )


def bout_lines(view: PublicView, translator: Translator) -> Line:
    """Renders each attack card with the card that beats it; empty without cards on the table."""
    if not view.bout:
        return ()

    spans: list[port.Span] = [port.Span(translator.text("On the table"), port.Mark.BOLD)]
    for pair in view.bout:
        spans += [
            BREAK,
            port.Span("  "),
            port.Span(card_text(pair.attack, translator), port.Mark.BOLD),
        ]
        answer = f" ← {card_text(pair.beat, translator)}" if pair.beat is not None else " ← …"
        spans.append(port.Span(answer))

    return tuple(spans)


def waiting_line(scene: Scene) -> Line:
    """Names the players to move and, after a while, how long the table has waited; or a pause."""
    view = scene.view
    waiting = scene.waiting
    translator = scene.translator

    if view.outcome is not None:
        return ()
    if scene.table.options.is_paused:
        return translator.spans("⏸ Pause.", mark=port.Mark.BOLD)
    if scene.is_asleep:
        return translator.spans("⏸ All players are away. Any button here goes on.", mark=port.Mark.BOLD)

    defender = scene.names[view.defender]
    if waiting is not None and waiting.is_long:
        names = port.Span(scene.listing(waiting.seats), port.Mark.BOLD)
        time = duration(waiting.at_least, translator)
        if view.taking:
            return translator.spans(
                "{name} takes. Waiting for {names} for over {time}.", name=defender, names=names, time=time
            )

        return translator.spans("Waiting for {names} for over {time}.", names=names, time=time)

    names = port.Span(scene.listing(view.awaited), port.Mark.BOLD)
    if view.undecided:
        return translator.spans("{names}: keep your cards, or a new deal?", names=names)
    if not view.bout:
        return translator.spans("{names} attacks.", names=names)
    if not view.is_throw_in_round:
        return translator.spans("{names} defends.", names=names)

    return _throw_in_line(scene, names)


def _throw_in_line(scene: Scene, names: port.Span) -> Line:
    """Names the players who may still throw in or, with cheating on, still look at the cards."""
    view = scene.view
    translator = scene.translator
    name = scene.names[view.defender]
    count = len(view.awaited)

    if view.taking and view.rules.cheating:
        return translator.count_spans(
            "{name} takes. {names} is still looking at the cards.",
            "{name} takes. {names} are still looking at the cards.",
            count,
            name=name,
            names=names,
        )
    if view.taking:
        return translator.count_spans(
            "{name} takes. {names} can still throw in.",
            "{name} takes. {names} can still throw in.",
            count,
            name=name,
            names=names,
        )
    if view.rules.cheating:
        return translator.count_spans(
            "All beaten. {names} is still looking at the cards.",
            "All beaten. {names} are still looking at the cards.",
            count,
            names=names,
        )

    return translator.count_spans(
        "All beaten. {names} can still throw in.",
        "All beaten. {names} can still throw in.",
        count,
        names=names,
    )


def gone_line(scene: Scene) -> Line:
    """Names the players who left the chat during the game, and what the host can do about it."""
    if not scene.gone or scene.view.outcome is not None:
        return ()

    translator = scene.translator
    left = translator.text("🚪 {names} left this chat.", names=scene.listing(scene.gone))
    way = translator.count(
        "The host can let a bot play for them.", "The host can let bots play for them.", len(scene.gone)
    )
    return (port.Span(f"{left} {way}"),)


def _seat_lines(scene: Scene) -> Line:
    """Renders every seat: role in this bout, name, number of cards, and cards that everyone has seen."""
    view = scene.view
    translator = scene.translator
    spans = list[port.Span]()

    for seat, name in enumerate(scene.names):
        is_out = seat in view.out
        count = translator.text("out of cards") if is_out else str(view.hand_counts[seat])
        mark = port.Mark.BOLD if seat in view.awaited else port.Mark.PLAIN
        spans += [
            BREAK,
            port.Span(f"{_sign(view, seat)} "),
            port.Span(name, mark),
            port.Span(f" · {count}"),
        ]

        if cards := [card for holder, card in view.seen_cards if holder == seat]:
            spans.append(port.Span(f" · 👁 {cards_text(cards, translator)}"))

        if seat in scene.away:
            spans.append(port.Span(translator.text(" · away, a bot stands in"), port.Mark.ITALIC))

    return tuple(spans)


_NO_ROLE = "▫️"


def others_line(scene: Scene, seat: Seat) -> Line:
    """Renders the seats other than `seat` in one line: role in this bout, name and number of cards."""
    view = scene.view
    spans = list[port.Span]()
    for other, name in enumerate(scene.names):
        if other == seat:
            continue

        between = " · " if spans else ""
        sign = _sign(view, other).removesuffix(_NO_ROLE)
        role = f"{sign}{NO_BREAK}" if sign else ""
        count = "" if other in view.out else f"{NO_BREAK}({view.hand_counts[other]})"
        spans += [port.Span(f"{between}{role}"), port.Span(name), port.Span(count)]

    return tuple(span for span in spans if span.text)


def _sign(view: PublicView, seat: Seat) -> str:
    role = "⚔️" if seat == view.attacker else "🛡" if seat == view.defender else _NO_ROLE
    return team_sign(view.rules, seat) + ("✅" if seat in view.out else role)


def question_line(scene: Scene) -> Line:
    """Asks for the missing consents to stop the game; empty unless a player wants to stop a running game."""
    if scene.view.outcome is not None:
        return ()
    return stop_question(scene.table, scene.away | scene.gone, scene.translator)


def own_questions(scene: Scene) -> tuple[port.SeatWords, ...]:
    """Returns the question in the words for the players who ask it, and for those who haven't answered."""
    table = scene.table
    askers = seats_that_agreed(table)
    if scene.view.outcome is not None or not askers:
        return ()

    away = scene.away | scene.gone
    asked = tuple(table.seats_to_ask(away))
    return (
        port.SeatWords(askers, stop_wish(table, away, scene.translator)),
        port.SeatWords(asked, stop_request(table, scene.translator)),
    )
