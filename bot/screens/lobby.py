"""A table before the cards are dealt: its players, its rules, and the buttons to begin."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.port import (
    Accent,
    CallbackButton,
    Form,
    FormChoice,
    FormField,
    GameRef,
    Limits,
    LobbyBoard,
    LobbySeat,
    LobbyView,
    Mark,
    MessageRef,
    RuleSetCard,
    Screen,
    Span,
    Tone,
    ViewButton,
)
from bot.locale import Translator, gettext_noop
from bot.model.buttons import ChangeLobby, ChangeOption, LobbyAction
from bot.model.choices import CHOICES
from bot.model.server_choices import ServerChoices
from bot.model.table import Phase, Player, Table
from bot.model.waiting import Countdown
from bot.screens.calls import call_button, company_button, host_name
from bot.screens.host import stopped_line
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import names_of, team_sign
from bot.screens.rules import rule_sentences
from bot.screens.settings import (
    FIRST_PANEL,
    PANELS,
    WORDINGS,
    differences_in_words,
    label_of,
    listed_settings,
    offered,
    option_button,
    option_rows,
    panel_of,
    value_in_words,
    ways_between,
)
from bot.screens.settings import value_of as value_at
from bot.screens.table import about_lines, preset_in_words, seal_line, title_span
from bot.screens.text import Line, as_lines, as_paragraphs

ZONE_GUESSED = gettext_noop("Times here are UTC; an admin can change that: /settings timezone")
MIN_PANEL_ROWS = 5  # a panel with fewer would cut its labels
MIN_PEOPLE_TO_CHANGE = 3  # with fewer players the order of seats makes no difference


@dataclass(frozen=True, slots=True)
class Gathering:
    """The facts of a lobby besides its table."""

    countdown: Countdown | None = None  # to the start of a full table
    minutes_kept: int = 0  # the minutes for which the seats of invited players are kept
    has_company: bool = False  # whether players of the last game can be called


NOTHING_BESIDES = Gathering()

# The buttons that a lobby shows in one row, in this order, in chats that fold buttons.
_MAIN = (LobbyAction.JOIN, LobbyAction.HOUSE, LobbyAction.START, LobbyAction.HOLD)


def lobby_screen(
    table: Table,
    seal: str,
    rule_sets: Sequence[str],
    limits: Limits,
    translator: Translator,
    *,
    gathering: Gathering = NOTHING_BESIDES,
    live_table: ViewButton | None = None,
) -> Screen:
    """Renders the seats and the rules of a table before the deal, with public buttons.

    `seal` is the hash of the deal's seed; `rule_sets` are the names of the rules to choose from. An open
    panel of settings comes below the other buttons, or replaces them if there is no room for both.
    `live_table` is the button to the live table. In chats that fold buttons, one row has those that most
    people need, and `more_screen` the others.
    """
    body = as_lines(
        about_lines(table, translator),
        _seats(table, translator),
        _kept_line(table, gathering.minutes_kept, translator),
        _coming_line(table, translator),
        _invited_line(table.named_guests, translator),
        _hint(table, gathering.countdown, translator),
        seal_line(seal, translator),
    )
    touch = () if live_table is None else (live_table,)
    if limits.folds_buttons:
        rows = tuple(filter(None, (_main_buttons(table, gathering, translator), touch)))
        return Screen(body=body, rows=rows, accent=Accent.GATHERING)

    people, *others = _buttons(table, gathering, translator)

    if table.is_full and limits.can_call:
        people = (*people, call_button(table, translator))

    if table.panel is None:
        rows = rows_of((), people, *others, touch, limits=limits)
        return Screen(body=body, rows=rows, accent=Accent.GATHERING)

    above = rows_of((), people, *others, limits=limits)
    left = replace(limits, buttons=limits.buttons - len(above) * limits.per_row)
    if left.buttons < MIN_PANEL_ROWS * limits.per_row:
        rows = option_rows(table, rule_sets, limits, translator)
        return Screen(body=body, rows=rows, accent=Accent.GATHERING)

    rows = (*above, *option_rows(table, rule_sets, left, translator))
    return Screen(body=body, rows=rows, accent=Accent.GATHERING)


def lobby_board(
    table: Table, seal: str, translator: Translator, gathering: Gathering = NOTHING_BESIDES
) -> LobbyBoard:
    """Returns the facts of `lobby_screen` for a chat that draws the table itself."""
    countdown = gathering.countdown
    kept = _kept_line(table, gathering.minutes_kept, translator)
    invited = _invited_line(table.named_guests, translator)
    players = tuple(
        LobbySeat(name, player.user, player.user == table.opener, team_sign(table.rules, seat))
        for seat, (name, player) in enumerate(zip(names_of(table.players), table.players, strict=True))
    )

    return LobbyBoard(
        id=f"{table.id}:{table.game}",
        about=as_lines(about_lines(table, translator), kept, invited),
        heading=translator.text("Players {n} of {most}", n=len(table.players), most=table.rules.most_seats),
        players=players,
        most=table.rules.most_seats,
        seal=seal_line(seal, translator),
        for_host=_view_of_host(table, gathering, translator),
        for_seated=_view_of_seated(table, countdown, translator),
        for_others=_view_of_others(table, countdown, translator),
        expected=tuple(LobbySeat(name, player.user) for name, player in _expected(table)),
    )


def _view_of_host(table: Table, gathering: Gathering, translator: Translator) -> LobbyView:
    start = _token(table, LobbyAction.START)
    house = _token(table, LobbyAction.HOUSE)
    join = _token(table, LobbyAction.JOIN)
    seats = _token(table, LobbyAction.SEATS)
    leave = _token(table, LobbyAction.LEAVE)
    close = _token(table, LobbyAction.CLOSE)

    best = house
    if gathering.countdown is not None:
        says = _countdown_line(gathering.countdown, translator)
        best = start
    elif table.can_start:
        says = ()
        best = start
    elif table.is_rematch and table.expected_players:
        says = translator.spans("Wait for the others, or add a bot.", mark=Mark.ITALIC)
        best = ""  # a hasty press would add a bot in place of a friend
    else:
        says = translator.spans("Invite friends, or add a bot.", mark=Mark.ITALIC)

    not_now = {join} if table.can_start else {join, start}
    buttons = _buttons(table, gathering, translator)
    tokens = [button.token for row in buttons for button in row]

    return LobbyView(
        says,
        tuple(token for token in tokens if token not in not_now),
        best,
        bots=(house,),
        out=(seats, leave, close),
        closes=close,
    )


def _view_of_seated(table: Table, countdown: Countdown | None, translator: Translator) -> LobbyView:
    if countdown is None:
        says = translator.spans("Waiting for {host} to start.", mark=Mark.ITALIC, host=host_name(table))
    else:
        says = _countdown_line(countdown, translator)

    leave = _token(table, LobbyAction.LEAVE)
    seats = _token(table, LobbyAction.SEATS)
    can_move = len(table.players) >= MIN_PEOPLE_TO_CHANGE
    tokens = (seats, leave) if can_move else (leave,)
    return LobbyView(says, tokens, out=(leave,))


def _view_of_others(table: Table, countdown: Countdown | None, translator: Translator) -> LobbyView:
    if countdown is not None:
        return LobbyView(_countdown_line(countdown, translator))
    if table.is_full:
        return LobbyView(translator.spans("All seats are taken.", mark=Mark.ITALIC))

    join = _token(table, LobbyAction.JOIN)
    if table.is_kept_full:
        notice = translator.spans("The last seats are kept for a few minutes.", mark=Mark.ITALIC)
        return LobbyView(notice, (join,))

    says = Line()
    if table.is_rematch:
        says = translator.spans("{name} wants to play again!", mark=Mark.ITALIC, name=host_name(table))
    return LobbyView(says, (join,), join)


def _token(table: Table, action: LobbyAction) -> str:
    return str(ChangeLobby(table.id, table.game, action))


def settings_screen(table: Table, rule_sets: Sequence[str], limits: Limits, translator: Translator) -> Screen:
    """Renders the open panel of settings for the opener; no buttons if none is open."""
    rows = () if table.panel is None else option_rows(table, rule_sets, limits, translator)
    settings = () if table.panel is None else listed_settings(table, limits, translator)
    title = (title_span(table, translator),) if settings else about_lines(table, translator)
    body = as_paragraphs(title, settings)
    return Screen(body=body, rows=rows, accent=Accent.GATHERING)


def closed_screen(table: Table, limits: Limits, translator: Translator) -> Screen:
    """Renders a closed table: its title, and why its game was stopped if it was.

    A chat that draws boards has a button for the next table, so it names no command.
    """
    reason = Line()
    if table.stopped is not None:
        reason = stopped_line(table.stopped, translator, is_alone=len(table.people()) == 1)

    typed = translator.spans("This table is closed. /durak opens another.")
    notice = translator.spans("The table is closed.") if limits.boards else typed
    game = None if table.stopped is None else GameRef(table.id, table.game)
    return Screen(
        body=as_paragraphs((title_span(table, translator),), reason, notice),
        finished_game=game,
    )


def frozen_screen(table: Table, translator: Translator) -> Screen:
    """Apologises for a table with a damaged record."""
    apology = translator.spans(
        "Sorry: this game is damaged and can't go on. Earlier games are safe. /stop closes the table."
    )
    return Screen(body=as_paragraphs((title_span(table, translator),), apology))


def _countdown_line(countdown: Countdown, translator: Translator) -> Line:
    time = translator.text("in {n} s", n=countdown.seconds)
    starts = Span(time, Mark.BOLD, when=countdown.ends_at, counts_down=True)
    return translator.spans("All seats are taken: the game starts {time}.", mark=Mark.ITALIC, time=starts)


def _hint(table: Table, countdown: Countdown | None, translator: Translator) -> Line:
    """Names the next step towards the start of the game, and who takes it."""
    if countdown is not None:
        return _countdown_line(countdown, translator)
    if not table.can_start:
        return translator.spans("Waiting for players: press Join, or Add bot.", mark=Mark.ITALIC)

    return translator.spans(
        "{host}, press Start when everyone's in.", mark=Mark.ITALIC, host=host_name(table)
    )


def _seats(table: Table, translator: Translator) -> Line:
    """Names the seated players in order, with their number and the number of seats."""
    spans: list[Span] = []
    for seat, (name, player) in enumerate(zip(names_of(table.players), table.players, strict=True)):
        sign = team_sign(table.rules, seat)
        if spans:
            spans.append(Span(", "))
        if sign:
            spans.append(Span(f"{sign} "))

        spans.append(Span(name, Mark.BOLD))
        if player.user == table.opener:
            spans.append(Span(translator.text(" (host)")))

    if spans:
        spans.append(Span(" · "))

    count = translator.text("{n} of {most}", n=len(table.players), most=table.rules.most_seats)
    return *(span for span in spans if span.text), Span(count)


def _expected(table: Table) -> list[tuple[str, Player]]:
    """Lists the expected people with their names, which differ from those of the players."""
    names = names_of((*table.players, *table.expected_players))[len(table.players) :]
    return list(zip(names, table.expected_players, strict=True))


def _coming_line(table: Table, translator: Translator) -> Line:
    """Names the expected people of the game before, or of the announcement."""
    names = ", ".join(name for name, player in _expected(table) if not player.kept_until)
    if not names:
        return ()
    if table.is_rematch:
        return translator.spans("Rematch! Still to come: {names}", names=names)
    return translator.spans("Coming: {names}", names=names)


def _kept_line(table: Table, minutes: int, translator: Translator) -> Line:
    """Names the people for whom seats are kept, and for how long."""
    guests = [name for name, player in _expected(table) if player.kept_until]
    if not guests:
        return ()

    time = translator.text("{n} min", n=minutes)
    seats = translator.count("{n} seat kept", "{n} seats kept", len(guests))
    return translator.spans("{seats}: {names} ({time})", seats=seats, names=", ".join(guests), time=time)


def _invited_line(names: Sequence[str], translator: Translator) -> Line:
    if not names:
        return ()
    return translator.spans("Invited: {names}", names=", ".join(names))


def _buttons(
    table: Table, gathering: Gathering, translator: Translator
) -> tuple[tuple[CallbackButton, ...], ...]:
    """Returns the buttons in groups, with those for the next step highlighted."""

    def button(action: LobbyAction, label: str, tone: Tone = Tone.NEUTRAL) -> CallbackButton:
        return CallbackButton(_token(table, action), label, tone)

    is_full = table.is_full
    counts_down = gathering.countdown is not None
    rows = list[list[CallbackButton]]()

    people = [button(LobbyAction.LEAVE, translator.text("Leave"))]
    house = list[CallbackButton]()
    if not is_full:
        join = button(LobbyAction.JOIN, translator.text("Join"), Tone.PRIMARY)
        invited = tuple(player.user for player in table.unanswered if player.user is not None)
        people.insert(0, replace(join, readers=invited) if table.is_kept_full else join)
        helps_alone = Tone.NEUTRAL if table.can_start else Tone.PRIMARY
        house.append(button(LobbyAction.HOUSE, translator.text("Add bot"), helps_alone))

    if any(player.user is None for player in table.players):
        house.append(button(LobbyAction.UNHOUSE, translator.text("Remove bot")))

    rows += [people, house]
    if gathering.has_company:
        rows.append([company_button(table, translator)])

    opens = "" if table.panel else FIRST_PANEL  # or closes the panel again
    setting_up = [button_to(ChangeOption(table.id, table.game, opens), translator.text("Settings"))]
    if len(table.players) >= MIN_PEOPLE_TO_CHANGE:
        setting_up.append(button(LobbyAction.SEATS, _seats_label(table, translator)))

    start = translator.text("Start now") if counts_down else translator.text("Start")
    start_tone = Tone.GOOD if table.can_start else Tone.NEUTRAL
    going = [button(LobbyAction.START, start, start_tone)]
    if counts_down:
        going.append(button(LobbyAction.HOLD, translator.text("Hold")))

    going.append(button(LobbyAction.CLOSE, translator.text("Close the table")))

    rows += [setting_up, going]
    return tuple(tuple(row) for row in rows if row)


def _main_buttons(table: Table, gathering: Gathering, translator: Translator) -> tuple[CallbackButton, ...]:
    """Returns the row of buttons that a lobby has in chats that fold buttons."""
    everything = _buttons(replace(table, panel=None), gathering, translator)
    buttons = {button.token: button for row in everything for button in row}

    settings = str(ChangeOption(table.id, table.game, FIRST_PANEL))
    tokens = [*(_token(table, action) for action in _MAIN), settings]
    more = button_to(ChangeLobby(table.id, table.game, LobbyAction.MORE), translator.text("More…"))
    return *(buttons[token] for token in tokens if token in buttons), more


def more_screen(table: Table, gathering: Gathering, limits: Limits, translator: Translator) -> Screen:
    """Renders, for one person, the buttons of a lobby that the row of the lobby lacks."""
    main = {button.token for button in _main_buttons(table, gathering, translator)}
    everything = _buttons(replace(table, panel=None), gathering, translator)
    others = [button for row in everything for button in row if button.token not in main]
    if table.is_full and limits.can_call:
        others.append(call_button(table, translator))

    title = (title_span(table, translator),)
    return Screen(title, rows=rows_of((), others, limits=limits), accent=Accent.GATHERING)


def _seats_label(table: Table, translator: Translator) -> str:
    """Labels the swap of seats with the next player, who is in another team if there are teams."""
    if table.rules.teams != "off":
        return translator.text("Change team")
    return translator.text("Change seat")


def moment_span(at: float, choices: ServerChoices, translator: Translator) -> Span:
    """Names a day and time in a server's time zone; adds the zone's name if the server has chosen none."""
    zone = "" if choices.time_zone else f" {choices.local_time.zone.key}"
    return Span(f"{translator.moment(choices.local_time.at(at))}{zone}", Mark.BOLD, when=at)


def announced_screen(
    table: Table,
    time: Span,
    translator: Translator,
    *,
    is_zone_guessed: bool = False,
    is_quiet: bool = False,
) -> Screen:
    """Renders an announced table: its time, its players, and public buttons.

    `is_zone_guessed`: the server has not chosen a time zone yet. `is_quiet`: the table opens in quiet hours,
    so nobody is called.
    """
    title = translator.spans("Durak · {preset}", mark=Mark.BOLD, preset=preset_in_words(table, translator))
    if table.phase is Phase.CLOSED:
        off = translator.spans("Called off: {time}. /durak opens a table now.", time=replace(time, when=None))
        return Screen(as_lines(title, off))

    expected = tuple(player.user for player in (*table.players, *table.unanswered) if player.user is not None)
    buttons = (
        CallbackButton(
            _token(table, LobbyAction.JOIN), translator.text("I'm in"), Tone.PRIMARY, besides=table.people()
        ),
        CallbackButton(_token(table, LobbyAction.LEAVE), translator.text("Not coming"), readers=expected),
        CallbackButton(
            _token(table, LobbyAction.CLOSE), translator.text("Call off"), readers=(table.opener,)
        ),
    )
    opens = translator.spans("The table opens here: {time}", time=time)

    if is_quiet:
        calls = translator.spans("It's quiet hours then: I'll call nobody.", mark=Mark.ITALIC)
    else:
        calls = translator.spans("When it opens, I'll call everyone who's in.", mark=Mark.ITALIC)

    comers = names_of((*table.players, *table.unanswered))
    invited = (*comers[len(table.players) :], *table.named_guests)
    lines = [
        title,
        (Span("📅 "), *opens),
        _seats(table, translator),
        _invited_line(invited, translator),
        calls,
    ]

    if is_zone_guessed:
        lines.append(translator.spans(ZONE_GUESSED))

    return Screen(as_lines(*lines), rows=(buttons,), accent=Accent.GATHERING)


def announced_already_screen(message: MessageRef, translator: Translator) -> Screen:
    """Points to the table that is already announced in the room."""
    here = Span(translator.text("A table is already announced"), link=message)
    button = translator.text("I'm in")
    return Screen(translator.spans("📅 {here}: press “{button}” there.", here=here, button=button))


MAX_SENTENCES = 2  # sentences about one choice; /rules has all


def option_form(table: Table, rule_sets: Sequence[RuleSetCard], translator: Translator) -> Form:
    """Returns the form of the open panel of settings, or of the panel of the open setting."""
    here = table.panel or FIRST_PANEL
    panel = here if here in PANELS else panel_of(here)
    fields = [_field(table, setting, rule_sets, translator) for setting in PANELS[panel]]

    return Form(
        translator.text("Table settings"),
        differences_in_words(table, translator),
        tuple(fields),
        ways_between(table, panel, translator),
    )


def _field(table: Table, setting: str, rule_sets: Sequence[RuleSetCard], translator: Translator) -> FormField:
    values = offered(setting, [card.name for card in rule_sets])
    if setting == "max_players":
        values = [(value, text) for value, text in values if _may_play(table, text)]

    current = value_at(table, setting)
    if isinstance(current, bool):
        values.sort(key=lambda value: not value[0])

    sketches = {card.name: card.sketch for card in rule_sets} if setting == "preset" else {}
    labels = [value_in_words(setting, value, translator) for value, _ in values]
    explanations = _explanations(table, setting, [text for _, text in values], rule_sets, translator)
    choices = [
        FormChoice(option_button(table, f"{setting}={text}", label).token, label, about, sketches.get(text))
        for (_, text), label, about in zip(values, labels, explanations, strict=True)
    ]
    where = next((place for place, (value, _) in enumerate(values) if value == current), None)

    return FormField(label_of(setting, translator), tuple(choices), where, isinstance(current, bool))


def _may_play(table: Table, most: str) -> bool:
    """Returns whether `most` players can sit down: the cards suffice, and the teams need as many."""
    rules = table.rules.with_options([f"max_players={most}"])
    return rules.most_seats == int(most) and not rules.obstacles(int(most))


def _explanations(
    table: Table, setting: str, texts: Sequence[str], rule_sets: Sequence[RuleSetCard], translator: Translator
) -> list[str]:
    """Explains each value of a setting by the sentences of the rules that not all of its values share."""
    if setting == "preset":
        return [card.about or card.cards for card in rule_sets]
    if setting in CHOICES:
        return [translator.text(WORDINGS[setting].about)] * len(texts)

    with_cards = setting not in {"teams", "max_players"}  # the sentence about the deck depends on these
    bodies = [
        list(
            rule_sentences(table.rules.with_options([f"{setting}={text}"]), translator, with_cards=with_cards)
        )
        for text in texts
    ]
    everywhere = set(bodies[0]).intersection(*bodies[1:])
    own = [[sentence for sentence in one if sentence not in everywhere] for one in bodies]
    explanations = {
        text: " ".join(sentences[:MAX_SENTENCES]) for text, sentences in zip(texts, own, strict=True)
    }
    for text, meaning in WORDINGS[setting].explained.items():
        explanations[text] = translator.text(meaning)

    return list(explanations.values())
