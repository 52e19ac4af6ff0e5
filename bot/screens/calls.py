"""Calls and invitations of people to a table, with their buttons and their answers."""

from collections.abc import Sequence
from dataclasses import replace

from adapters.port import (
    CallbackButton,
    Limits,
    Mark,
    MessageRef,
    PrivateChatButton,
    Screen,
    Span,
    Tone,
    User,
)
from bot.locale import Translator, gettext_noop
from bot.model.buttons import (
    AnswerCall,
    CallCompany,
    CallMe,
    CallOff,
    ChangeLobby,
    JoinCompany,
    LobbyAction,
    MuteCalls,
)
from bot.model.table import MAX_INVITED, Player, Table
from bot.screens.keyboard import button_to
from bot.screens.names import names_of, safe_name, shown_name
from bot.screens.refusals import NOT_SEATED
from bot.screens.text import Line, as_lines

PROMISED = gettext_noop("🔔 OK, I'll write to you in private when the next game gathers.")
PROMISED_ALREADY = gettext_noop(
    "🔔 I've promised that already: I'll write to you in private when the next game gathers."
)
OPEN_PRIVATE_CHAT = gettext_noop("I can't write to you yet: open our private chat, then I'll call you.")
ALLOW_MESSAGES = gettext_noop(
    "I can't write to you yet: allow it under {setting} of this server, then I'll call you."
)
NOT_CALLED = gettext_noop("OK, I won't call you.")
MUTED = gettext_noop("OK, no more calls from this chat, until you press “🔔 Notify me” there.")
NOT_AWAITED = gettext_noop("OK, I won't wait for you.")
INVITED_LATER = gettext_noop("🔔 {names}: {host} invites you to play, {time}.")
HAS_OPENED = gettext_noop("⏰ {names}: {here}")
IN_COMPANY = gettext_noop(
    "📣 OK: anyone who opens the next table can invite you if you played the last game. /me changes that."
)
IN_COMPANY_BUT_HUSHED = gettext_noop("📣 OK, but I mustn't write to you in private: /me changes that.")
NOT_OF_COMPANY = gettext_noop("Only those who played this game can do that. You can turn it on under /me.")
QUIET = gettext_noop("It's quiet hours here: nobody is called now.")
ALONE = gettext_noop("Nobody of the last game can be called now: they choose that under /me.")


def company_called(number: int, translator: Translator) -> str:
    """Confirms how many players are called."""
    return translator.count("📣 I'm calling {n} player.", "📣 I'm calling {n} players.", number)


def call_button(table: Table, translator: Translator, *, is_short: bool = False) -> CallbackButton:
    """Returns the button that asks for a call; `is_short` if it shares its row with others."""
    full = translator.text("🔔 Notify me of the next game")
    label = translator.text("🔔 Notify me") if is_short else full
    return button_to(CallMe(table.id, table.game), label)


def join_company_button(table: Table, translator: Translator) -> CallbackButton:
    """Returns the button that allows the players of this game to call the asker from then on."""
    label = translator.text("📣 Let these players invite me")
    return replace(button_to(JoinCompany(table.id, table.game), label), readers=table.people())


def company_button(table: Table, translator: Translator) -> CallbackButton:
    """Returns the button that calls the players of the last game."""
    return button_to(CallCompany(table.id, table.game), translator.text("📣 Invite the last players"))


def not_seated_screen(table: Table, translator: Translator) -> Screen:
    """Tells a person that they play no part in a running game, and offers a call to the next one."""
    return Screen(translator.spans(NOT_SEATED), rows=((call_button(table, translator),),))


def promised_screen(table: Table, sentence: str, translator: Translator) -> Screen:
    """Confirms a call to a player of a finished game, and offers calls by its other players."""
    return Screen(translator.spans(sentence), rows=((join_company_button(table, translator),),))


def mute_button(table: Table, translator: Translator) -> CallbackButton:
    """Returns the button that ends all calls from a chat."""
    return button_to(MuteCalls(table.id), translator.text("Don't call me from this chat"))


def host_name(table: Table) -> str:
    """Names the opener of a table."""
    return names_of(table.players)[table.seat_of(table.opener) or 0] if table.players else "Durak"


def inviter_name(table: Table, player: Player) -> str:
    """Names the person who invited a player, or else the host."""
    people = (*table.players, *table.before)
    for name, other in zip(names_of(people), people, strict=True):
        if other.user is not None and other.user == player.invited_by:
            return name
    return host_name(table)


def invitation_screen(
    table: Table, time: Span | None, message: MessageRef | None, translator: Translator
) -> Screen:
    """Returns a screen that calls people to a table that is open, or announced for a `time`.

    It mentions only players who are called, and links to the table's `message`.
    """
    names = names_of((*table.players, *table.gathering))[len(table.players) :]
    people = list(zip(names, table.gathering, strict=True))
    coming = [(name, player) for name, player in people if not player.kept_until]
    lines = list[Line]()

    if coming:
        here = Span(translator.text("the table is open"), link=message)
        lines.append(translator.spans(HAS_OPENED, names=_render_names(coming), here=here))

    hosts = {player.user: inviter_name(table, player) for _, player in people if player.kept_until}
    for host in dict.fromkeys(hosts.values()):
        invited = [(name, player) for name, player in people if hosts.get(player.user) == host]
        if time is not None:
            lines.append(translator.spans(INVITED_LATER, names=_render_names(invited), host=host, time=time))
        else:
            here = Span(translator.text("at this table"), link=message)
            lines.append(
                translator.count_spans(
                    "🔔 {names}: {host} invites you to play, a seat is kept {here}.",
                    "🔔 {names}: {host} invites you to play, seats are kept {here}.",
                    len(invited),
                    names=_render_names(invited),
                    host=host,
                    here=here,
                )
            )

    join = ChangeLobby(table.id, table.game, LobbyAction.JOIN)
    leave = ChangeLobby(table.id, table.game, LobbyAction.LEAVE)
    answers = (
        button_to(join, translator.text("I'm in"), Tone.PRIMARY),
        button_to(leave, translator.text("Not now")),
    )

    return Screen(as_lines(*lines), rows=(answers, (mute_button(table, translator),)))


def _render_names(people: Sequence[tuple[str, Player]]) -> Line:
    """Names people, and mentions those who are called."""
    spans = list[Line]()
    for name, player in people:
        mention = player.user if player.is_called else None
        spans.append((Span(name, mention=mention),))
    return as_lines(*spans, between=Span(", "))


def promise_screen(table: Table, until: float, translator: Translator) -> Screen:
    """Promises a call, which expires at `until` (Unix seconds), with a button to cancel it."""
    time = Span(translator.text("in 12 hours"), when=until, counts_down=True)
    body = translator.spans(
        "🔔 I'll call you once, in private, when the next game gathers. I'll forget it {time}.", time=time
    )
    cancel = button_to(CallOff(table.id), translator.text("Don't call me"))
    return Screen(body, rows=((cancel,),))


def called_screen(table: Table, message: MessageRef | None, chat: str, translator: Translator) -> Screen:
    """Calls a person to a table, with its host, its chat's name and its number of players."""
    sentence = gettext_noop("🔔 {name} opened a table: {filled}. {join}")
    if safe_name(chat):
        sentence = gettext_noop("🔔 {name} opened a table in “{chat}”: {filled}. {join}")
    return _call_screen(sentence, table, translator, name=host_name(table), chat=chat, message=message)


def kept_screen(
    table: Table, player: Player, message: MessageRef | None, chat: str, translator: Translator
) -> Screen:
    """Calls a person to a table at which somebody keeps a seat for them."""
    sentence = gettext_noop("🔔 {name} keeps a seat for you: {filled}. {join}")
    if safe_name(chat):
        sentence = gettext_noop("🔔 {name} keeps a seat for you in “{chat}”: {filled}. {join}")
    name = inviter_name(table, player)
    return _call_screen(sentence, table, translator, name=name, chat=chat, message=message)


def _call_screen(
    sentence: str, table: Table, translator: Translator, *, name: str, chat: str, message: MessageRef | None
) -> Screen:
    """Renders the call of a person to a table, with buttons to join and to stop further calls."""
    body = translator.spans(
        sentence,
        name=name,
        chat=safe_name(chat),
        filled=translator.count(
            "{n} of {most} is in", "{n} of {most} are in", len(table.players), most=table.rules.most_seats
        ),
        join=Span(translator.text("Join?"), Mark.BOLD, link=message),
    )

    join = button_to(AnswerCall(table.id, table.game), translator.text("I'm in"), Tone.PRIMARY)
    return Screen(body, rows=((join,), (mute_button(table, translator),)))


def answered_screen(table: Table, message: MessageRef | None, translator: Translator) -> Screen:
    """Renders a call that the person has accepted, with a link to the table."""
    here = Span(translator.text("here it is"), link=message)
    return Screen(translator.spans("You're at the table: {here}.", here=here))


def open_private_screen(table: Table, limits: Limits, translator: Translator) -> Screen:
    """Asks a person to open the private chat, without which the bot can't call them."""
    way = PrivateChatButton(translator.text("Open the private chat"), table.room)
    return Screen((Span(cannot_call(limits, translator)),), rows=((way,),))


def cannot_call(limits: Limits, translator: Translator) -> str:
    """Explains how an unreachable person can receive a call."""
    if limits.private_setting:
        return translator.text(ALLOW_MESSAGES, setting=translator.text(limits.private_setting))
    return translator.text(OPEN_PRIVATE_CHAT)


def not_invited(
    strangers: Sequence[str],
    outside: Sequence[User],
    without_seat: Sequence[User],
    translator: Translator,
    *,
    nobody: Sequence[str] = (),
) -> str:
    """Explains why people were not invited, or have no kept seat.

    `strangers` have never pressed anything here. Those `outside` can't see the room. For those `without_seat`
    no more seats can be kept. `nobody` are names that belong to nobody here.
    """
    lines = list[str]()
    if nobody:
        names = translator.listing(nobody)
        lines.append(translator.text("I know nobody here called {names}, so nobody was called.", names=names))

    if strangers:
        lines.append(
            translator.count(
                "{names} hasn't pressed anything here yet, so no seat is kept.",
                "{names} haven't pressed anything here yet, so no seats are kept.",
                len(strangers),
                names=translator.listing(strangers),
            )
        )

    if outside:
        names = translator.listing([shown_name(user.name, translator) for user in outside])
        lines.append(translator.text("No invitation for {names}: they can't see this chat.", names=names))

    if without_seat:
        names = ", ".join(shown_name(user.name, translator) for user in without_seat)
        lines.append(
            translator.text(
                "No seat for {names}: one person can keep {n}, if there are any left.",
                names=names,
                n=str(MAX_INVITED),
            )
        )

    return " ".join(lines)
