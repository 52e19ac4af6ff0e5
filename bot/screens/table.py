"""The public table: who attacks whom, the cards on the table, and whose move it is."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from adapters import port
from bot.locale import Translator, gettext_noop
from bot.model.buttons import HostAction, HostGame, OpenTable, ShowHand, TypedCommand
from bot.model.table import GRACE, Phase, Table
from bot.screens.calls import call_button
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import names_of, preset_name, shown_name, team_sign
from bot.screens.settings import differences_in_words, label_of, value_in_words
from bot.screens.story import Scene, drawn_line, latest_line, latest_news
from bot.screens.text import (
    BREAK,
    SIGNS,
    Line,
    as_lines,
    as_paragraphs,
    card_text,
    cards_text,
    duration,
    mentions,
)
from engine import PublicView, Seat, Stop, TakeDeclared, strength_by


def table_screen(scene: Scene, limits: port.Limits, *, tease: Line = ()) -> port.Screen:
    """Show a running or finished game; it offers everybody their hand unless that lies before them."""
    table, view, translator, news = scene.table, scene.view, scene.translator, latest_news(scene.events)
    # A take is told once, unless the bot took for a person.
    is_told_below = (
        view.taking and bool(news) and isinstance(news[0], TakeDeclared) and scene.stood_in_for is None
    )
    rows = list[tuple[port.Button, ...]]()
    if view.outcome is None:
        panel = button_to(HostGame(table.id, table.game, HostAction.OPEN), translator.text("⚙️ Table"))
        hand = button_to(ShowHand(table.id), translator.text("My hand"), port.Tone.PRIMARY)
        rows = [(panel,) if limits.boards else (hand, panel, call_button(table, translator))]
        if table.agreed:
            stop = HostGame(table.id, table.game, HostAction.STOP)
            play_on = HostGame(table.id, table.game, HostAction.PLAY_ON)
            rows.append(
                (
                    button_to(stop, translator.text("Yes, stop"), port.Tone.DANGER),
                    button_to(play_on, translator.text("Play on"), port.Tone.GOOD),
                )
            )
        rows += host_rows(scene, limits)
    heap = cards_text(sorted(view.discarded or (), key=lambda card: (card.suit.value, card.rank)), translator)
    return port.Screen(
        body=as_paragraphs(
            as_lines(() if is_told_below else latest_line(scene), tease, waiting_line(scene)),
            question_line(scene),
        ),
        rows=tuple(rows),
        details=as_paragraphs(
            about_lines(table, translator),
            (*stock_line(view, translator), BREAK, *_seat_lines(scene)),
            bout_lines(view, translator),
            drawn_line(scene),
            translator.spans("Discard: {cards}", cards=heap) if heap else (),
        ),
    )


def host_screen(scene: Scene, limits: port.Limits) -> port.Screen:
    """Show the host the panel of a running game; without buttons while it is closed."""
    title = title_span(scene.table, scene.translator)
    return port.Screen(body=as_paragraphs((title,), waiting_line(scene)), rows=host_rows(scene, limits))


def title_span(table: Table, translator: Translator) -> port.Span:
    """Name a table's rules and the number of its game: the first line of its public screens."""
    preset = preset_in_words(table, translator)
    return port.Span(
        translator.text("Durak · {preset} · game {n}", preset=preset, n=table.game), port.Mark.BOLD
    )


def preset_in_words(table: Table, translator: Translator) -> str:
    """Name what is played at a table, and say if its rules are not quite those."""
    preset = preset_name(table.preset, translator)
    if table.rules == table.standard or _OF_SEATS.issuperset(table.rules.differences(table.standard)):
        return preset
    return translator.text("{preset}, with changes", preset=preset)


# Settings that change who finds room, and not what is played.
_OF_SEATS = frozenset({"min_players", "max_players"})


# What sets house players of each strength apart, while one can still choose.
WHAT_BOTS_DO: Mapping[str, str] = {
    "beginner": gettext_noop("they forget what was played"),
    "regular": gettext_noop("they remember what was played"),
    "expert": gettext_noop("they remember, and think ahead"),
}


def about_lines(table: Table, translator: Translator) -> Line:
    """Name a table's game, what is changed of the rules, and how well its house players play."""
    title, chosen = (title_span(table, translator),), table.options.strength
    changed = differences_in_words(table, translator) if table.rules != table.standard else ""
    changes = (port.Span(changed, port.Mark.ITALIC),) if changed else ()
    if not any(player.user is None for player in table.players):
        return as_lines(title, changes)
    played = strength_by(table.rules, chosen)
    told = f"{label_of('strength', translator)}: {value_in_words('strength', played, translator)}"
    if played != chosen:
        why = translator.text("experts don't know these rules")
        told += f" ({why})"
    elif table.phase is Phase.LOBBY:
        told += f" ({translator.text(WHAT_BOTS_DO[played])})"
    return as_lines(title, changes, (port.Span(told, port.Mark.ITALIC),))


def seal_line(seal: str, translator: Translator) -> Line:
    """Promise the seed of the deal by its hash, for as long as the seed is secret."""
    return translator.spans("🔒 Deal sealed: {hash}", hash=port.Span(seal, port.Mark.CODE)) if seal else ()


def stock_line(view: PublicView, translator: Translator) -> Line:
    """Say which suit is trump and how many cards lie in the talon and the discard."""
    turn_up = view.turn_up
    trump = card_text(turn_up, translator) if turn_up is not None else SIGNS[view.trump]
    return translator.spans(
        "Trump {trump} · deck {talon} · discard {discard}",
        trump=port.Span(trump, port.Mark.BOLD),
        talon=str(view.talon),
        discard=str(view.discard),
    )


def bout_lines(view: PublicView, translator: Translator) -> Line:
    """Show each attack card with the card that beats it."""
    if not view.bout:
        return ()
    spans: list[port.Span] = [port.Span(translator.text("On the table"), port.Mark.BOLD)]
    for pair in view.bout:
        spans += [
            BREAK,
            port.Span("  "),
            port.Span(card_text(pair.attack, translator), port.Mark.BOLD),
        ]
        spans.append(port.Span(f" ← {card_text(pair.beat, translator)}" if pair.beat is not None else " ← …"))
    return tuple(spans)


def waiting_line(scene: Scene) -> Line:
    """Say whose move it is, and after a while for how long."""
    view, waiting, translator = scene.view, scene.waiting, scene.translator
    if view.outcome is not None:
        return ()
    if scene.table.options.is_paused:
        return translator.spans("⏸ Pause.", mark=port.Mark.BOLD)
    if scene.is_asleep:
        return translator.spans("⏸ All players are away. Any button here goes on.", mark=port.Mark.BOLD)
    defender = scene.names[view.defender]
    if waiting is not None and waiting.is_long:
        names, time = (
            port.Span(scene.listed(waiting.seats), port.Mark.BOLD),
            duration(waiting.at_least, translator),
        )
        if view.taking:
            return translator.spans(
                "{name} takes. Waiting for {names} for over {time}.", name=defender, names=names, time=time
            )
        return translator.spans("Waiting for {names} for over {time}.", names=names, time=time)
    names = port.Span(scene.listed(view.awaited), port.Mark.BOLD)
    if view.undecided:
        return translator.spans("{names}: keep your cards, or a new deal?", names=names)
    if view.taking:
        return translator.spans("{name} takes. Can still throw in: {names}", name=defender, names=names)
    if view.awaited == {view.defender}:
        return translator.spans("{names} defends.", names=names)
    if not view.bout:
        return translator.spans("{names} attacks.", names=names)
    return translator.spans("All beaten. Can still throw in: {names}", names=names)


def _seat_lines(scene: Scene) -> Line:
    """Say who sits there, what they do in this bout, how many cards they hold, and which are known."""
    view, translator, spans = scene.view, scene.translator, list[port.Span]()
    for seat, name in enumerate(scene.names):
        is_out = seat in view.out
        count = translator.text("out of cards") if is_out else str(view.hand_counts[seat])
        spans += [
            BREAK,
            port.Span(f"{_sign(view, seat)} "),
            port.Span(name, port.Mark.BOLD if seat in view.awaited else port.Mark.PLAIN),
            port.Span(f" · {count}"),
        ]
        if seen := [card for holder, card in view.seen_cards if holder == seat]:
            spans.append(port.Span(f" · 👁 {cards_text(seen, translator)}"))
        if seat in scene.away:
            spans.append(port.Span(translator.text(" · away, a bot stands in"), port.Mark.ITALIC))
    return tuple(spans)


def others_line(scene: Scene, seat: Seat) -> Line:
    """Say in one line who else plays, what they do in this bout, and how many cards they hold."""
    view, spans = scene.view, list[port.Span]()
    for other, name in enumerate(scene.names):
        if other != seat:
            between = " · " if spans else ""
            count = "" if other in view.out else f" ({view.hand_counts[other]})"
            spans += [port.Span(f"{between}{_sign(view, other)} "), port.Span(name), port.Span(count)]
    return tuple(spans)


def _sign(view: PublicView, seat: Seat) -> str:
    role = "⚔️" if seat == view.attacker else "🛡" if seat == view.defender else "▫️"
    return team_sign(view.rules, seat) + ("✅" if seat in view.out else role)


# --- What stops a game ---


_STOPPED: Mapping[Stop, str] = {
    Stop.AGREEMENT: gettext_noop("All players agreed to stop: the game has no result."),
    Stop.MODERATOR: gettext_noop("A chat admin stopped the game: it has no result."),
    Stop.DELETION: gettext_noop("The chat of this game was deleted: it has no result."),
    Stop.ABSENCE: gettext_noop("Nobody came back for a day: the game has no result."),
}


def stopped_line(by: Stop, translator: Translator, *, is_alone: bool = False) -> Line:
    """Returns who stopped a game; one person `is_alone` among bots, and needs nobody's consent."""
    if is_alone and by is Stop.AGREEMENT:
        return translator.spans("The game was stopped: it has no result.")
    return translator.spans(_STOPPED[by])


def question_line(scene: Scene) -> Line:
    """Asks those by name who haven't agreed yet to stop the game; nothing unless somebody wants to stop."""
    if scene.view.outcome is not None:
        return ()
    return stop_question(scene.table, scene.away, scene.translator)


def stop_question(table: Table, away: Collection[Seat], translator: Translator) -> Line:
    """Returns who wants to stop a game, and the names of those who are asked; who is away isn't."""
    names = names_of(table.players)
    agreed = [name for name, player in zip(names, table.players, strict=True) if player.user in table.agreed]
    if not agreed:
        return ()
    if len(agreed) == 1:
        wish = translator.text("{name} wants to stop.", name=agreed[0])
    else:
        wish = translator.text("{names} want to stop.", names=translator.listing(agreed))
    asked = table.seats_to_ask(away)
    called = mentions([names[seat] for seat in asked], [table.players[seat].user for seat in asked])
    return port.Span(f"{wish} "), *called, port.Span("?")


# --- A short call to those everybody is waiting for; it notifies them and goes away after their move ---


SECONDS_ARE_FEW = 180


def call_screen(
    scene: Scene,
    *,
    table_message: port.MessageRef | None = None,
    offers_hand: bool = True,
    can_show_hands: bool = True,
) -> port.Screen | None:
    """Mention the people a table waits for, when it is time; None when there is no one to call.

    Its words lead to `table_message`. It offers everybody their hand unless that lies before them. Who can't
    be written to is called at once, and learns where their cards are: behind a button of the room, if that
    `can_show_hands`. The first call of all wouldn't say more to them.
    """
    table, waiting, translator = scene.table, scene.waiting, scene.translator
    if waiting is None:
        return None

    call = waiting.call
    lost = waiting.seats & scene.unreachable
    is_night = not waiting.clock and waiting.local.is_quiet(waiting.now)
    knows_enough = call is None or (call == 0 and bool(waiting.clock) and lost == waiting.seats)
    if lost and knows_enough and not is_night:
        return _cards_screen(scene, lost, can_show_hands=can_show_hands)
    if call is None:
        return None

    seats, called_at = sorted(waiting.seats), waiting.calls[call]
    called = mentions([scene.names[seat] for seat in seats], [table.players[seat].user for seat in seats])
    if scene.view.is_throw_in_round:
        told = translator.spans("⏰ {names}: throw in, or pass!", names=called)
    elif len(seats) > 1:
        told = translator.spans("⏰ {names}: we're waiting for you!", names=called)
    else:
        told = translator.spans("⏰ {names}: your move!", names=called)
    told = tuple([span if span in called else replace(span, link=table_message) for span in told])
    # Each call says what the one before did not.
    if waiting.clock and call:
        seconds = GRACE if waiting.is_postponed else waiting.moves_at - called_at
        if seconds <= SECONDS_ARE_FEW:
            time = translator.text("in {n} s", n=round(seconds))
        else:
            time = translator.text("in {n} min", n=round(seconds / 60))
        when = port.Span(time, when=waiting.moves_at)
        told += translator.spans(" Or the bot moves for you {time}.", time=when)
    elif call:
        days = translator.count(
            " The table has been waiting for {n} day.", " The table has been waiting for {n} days.", call
        )
        told += (port.Span(days),)
    elif not waiting.clock:
        waited = duration(called_at - waiting.since, translator)
        told += translator.spans(" The table has been waiting for {time}.", time=waited)
    hand = button_to(ShowHand(table.id), translator.text("My hand"), port.Tone.PRIMARY)
    return port.Screen(body=told, rows=((hand,),) if offers_hand else ())


def _cards_screen(scene: Scene, seats: Collection[Seat], *, can_show_hands: bool) -> port.Screen:
    """Mentions people whose private chat is closed, with the way to their cards."""
    table, translator = scene.table, scene.translator
    names = mentions(
        [scene.names[seat] for seat in sorted(seats)], [table.players[seat].user for seat in sorted(seats)]
    )
    if not can_show_hands:
        way = port.PrivateChatButton(translator.text("Cards in private"), table.room)
        told = translator.spans("{name}, your cards are in our private chat.", name=names)
        return port.Screen(body=told, rows=((way,),))

    label = translator.text("My hand")
    hand = button_to(ShowHand(table.id), label, port.Tone.PRIMARY)
    told = translator.spans("{names}: I can't write to you. Press “{button}”.", names=names, button=label)
    return port.Screen(body=told, rows=((hand,),))


# --- What the opener of a table and the admins of its chat can do about a running game ---


HOST_PANEL = "host"
MOST_PEOPLE = 6  # how many seats fit beside the other buttons in every chat


def host_rows(scene: Scene, limits: port.Limits) -> tuple[tuple[port.CallbackButton, ...], ...]:
    """Lay out an open panel: time, and those everybody waits for, once they were called."""
    table, translator = scene.table, scene.translator
    if table.panel != HOST_PANEL or scene.view.outcome is not None:
        return ()

    def button(
        action: HostAction, label: str, tone: port.Tone = port.Tone.NEUTRAL, seat: int | None = None
    ) -> port.CallbackButton:
        return button_to(HostGame(table.id, table.game, action, seat), label, tone)

    if table.options.is_paused:
        time = [button(HostAction.RESUME, translator.text("Go on"), port.Tone.GOOD)]
    else:
        time = [button(HostAction.PAUSE, translator.text("Pause"))]
    called = [] if scene.waiting is None else sorted(scene.waiting.called)
    if called:
        time.append(button(HostAction.SKIP, translator.text("⏩ Move for them")))
    people = [
        button(HostAction.REPLACE, translator.text("Bot for {name}", name=scene.names[seat]), seat=seat)
        for seat in called[:MOST_PEOPLE]
    ]
    away = (
        button(HostAction.STOP, translator.text("Stop the game"), port.Tone.DANGER),
        button(HostAction.CLOSE, translator.text("Back")),
    )
    return rows_of((), time, people, away, limits=limits)


# --- Screens that only lead somewhere else ---


IS_STANDING = gettext_noop("There's already a table: {here}.")
IS_SEATED = gettext_noop("You're at this table now, with a bot: {here}.")
OTHERS_PLAY = gettext_noop("Others play at this table: {here}. Watch them, or play elsewhere.")


def table_is_here_screen(
    sentence: str,
    message: port.MessageRef,
    translator: Translator,
    *,
    rows: tuple[tuple[port.Button, ...], ...] = (),
) -> port.Screen:
    """Renders one of these sentences about the room's table; `here` leads to its message."""
    here = port.Span(translator.text("here it is"), link=message)
    return port.Screen(body=translator.spans(sentence, here=here), rows=rows)


def where_cards_come(translator: Translator, *, is_private: bool) -> str:
    """Say where a player will find their cards: in the private chat, or only where the table is."""
    button = translator.text("My hand")
    if is_private:
        return translator.text(
            "“{button}” at the table shows your cards. They come privately, too, if I may write to you.",
            button=button,
        )
    return translator.text(
        "Once the cards are dealt, press “{button}” at the table: only you will see them.", button=button
    )


def answer_elsewhere_screen(user: port.User, room: port.RoomRef, translator: Translator) -> port.Screen:
    """Ask for a private chat, as the answer is for the asker only."""
    name = shown_name(user.name, translator)
    return port.Screen(
        body=translator.spans(
            "{name}, that's for your eyes only: open the private chat and ask again.", name=name
        ),
        rows=((port.PrivateChatButton(translator.text("Open the private chat"), room),),),
    )


def invitation_screen(user: port.User, room: port.RoomRef, translator: Translator) -> port.Screen:
    """Ask a person to open a private chat with the bot."""
    name = shown_name(user.name, translator)
    return port.Screen(
        body=translator.spans("{name}, your cards are in our private chat.", name=name),
        rows=((port.PrivateChatButton(translator.text("Cards in private"), room),),),
    )


# --- The hello where the bot was just added ---


def welcome_screen(translator: Translator, *, has_buttons: bool = True) -> port.Screen:
    """Renders the hello: what Durak is, and the ways to begin until it has opened a table."""
    deal = button_to(OpenTable(), translator.text("🃏 Deal here"), port.Tone.GOOD)
    alone = button_to(TypedCommand("durak bots"), translator.text("🤖 Try against a bot"))
    rules = button_to(TypedCommand("rules full"), translator.text("How to play"))
    hello = translator.spans(
        "Hi! I deal Durak: the last one with cards is the fool. Only you see your cards."
    )
    return port.Screen(hello, rows=((deal,), (alone, rules)) if has_buttons else ())
