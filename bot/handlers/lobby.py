"""`/durak`, and the buttons of a table before the deal: seats, rules and the start."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from adapters.port import ArgumentKind, ArgumentSpec, Reply, Screen, User
from bot.handlers.event import CommandEvent, PressEvent, Services, button, command, table_refused
from bot.handlers.people import find_people
from bot.locale import Translator, gettext_noop
from bot.model.buttons import ChangeLobby, ChangeOption, LobbyAction, OwnHand, TableButton
from bot.model.choices import CHOICES, RuleSet, RuleSetError, TableOptions
from bot.model.messages import MessageKind, MessageSlot
from bot.model.people import AGAINST_BOTS, PINS, Calling
from bot.model.table import KEPT_MINUTES, Phase, Table, TableRefusal, TableRefusedError
from bot.screens import refusals
from bot.screens.calls import NOT_AWAITED, call_button, not_invited
from bot.screens.directions import IS_SEATED, IS_STANDING, OTHERS_PLAY, table_is_here_screen, where_cards_come
from bot.screens.lobby import announced_already_screen, option_form
from bot.screens.names import preset_name
from bot.screens.rules import rule_set_cards
from bot.screens.setting_problems import rule_set_problem_text
from bot.screens.settings import PANELS, WORDINGS, panel_of
from bot.screens.text import InvalidArgumentError, echo, one_of
from bot.tables.rule_book import with_options
from bot.tables.service import trace_of
from engine import STRENGTHS, value_text

PRESET = ArgumentSpec("preset", gettext_noop("the rules to play by"), ArgumentKind.SUGGESTED)


@command(
    "durak",
    PRESET,
    ArgumentSpec("options", gettext_noop("single settings, such as transfer=on"), ArgumentKind.SUGGESTED),
    ArgumentSpec("time", gettext_noop("announce a table for this time, such as 20:30")),
    ArgumentSpec(
        "friend", gettext_noop("who is invited: their seat is kept for a while"), ArgumentKind.PERSON
    ),
    summary=gettext_noop("open a table here"),
    on_person=gettext_noop("Invite to Durak"),
)
async def durak(event: CommandEvent, services: Services) -> Reply:
    """Opens or announces a table in the room, or points to the one that's there; invites people to it."""
    if event.command.missing_rights:
        missing = ", ".join(map(event.translator.text, event.command.missing_rights))
        return event.toast(refusals.NOT_ALLOWED_HERE, missing=missing)

    translator = event.translator
    server = event.room.server
    now = services.now()
    people, args = await _people_in(event, services)
    time, args = time_in(args, translator)
    strength, words = _house_player(args, translator)
    choices = await services.servers.choices(server)
    starts_at = None if time is None else choices.local_time.daily(now, *time)
    rule_set = await services.rule_book.read(server, words)
    refusal = await _too_many_posts(event, services, is_announced=starts_at is not None)
    if refusal is not None:
        return refusal

    opened = await services.tables.open(
        event.room, event.user, rule_set, translator.locale, event=event.id, starts_at=starts_at
    )
    table = opened.table

    if not opened.is_new:
        left_out = ""
        if people:
            table, left_out = await _invite(table, people, event, services)

        if left_out:
            return Reply(toast=left_out)
        if starts_at is None:
            return await _answer_for_standing_table(table, strength, event, services)

        slot = MessageSlot(table.id, table.game, MessageKind.TABLE)
        message = await services.answers.existing_message(slot)
        screen = None if message is None else announced_already_screen(message, translator)
        return Reply(ephemeral=screen)

    public, left_out = await _begin(table, rule_set, people, event, services, strength=strength)
    if left_out:
        return Reply(toast=left_out, public=public)
    if starts_at is not None:  # the announcement has the clock and the day
        return Reply(public=public)

    notice = _notice(rule_set, event, services)
    return Reply(toast=notice or None, public=public)


def _notice(rule_set: RuleSet, event: CommandEvent, services: Services) -> str:
    """Returns a sentence about a table that was opened otherwise than its opener may expect."""
    translator = event.translator

    # That a server's default rules cannot be played any more is said once.
    if rule_set.unplayable and services.notices.is_new(event.room.server, rule_set.unplayable):
        return translator.text(
            "“{name}” can't be played any more; this is {preset}. An admin can fix it: /settings",
            name=rule_set.unplayable,
            preset=preset_name(rule_set.name, translator),
        )

    if not event.user.is_person:
        return translator.text(refusals.LOBBY[TableRefusal.NOT_A_PERSON])

    return ""


async def _too_many_posts(event: CommandEvent, services: Services, *, is_announced: bool) -> Reply | None:
    """Refuses another announcement, or another table where tables are pinned, after too many of them."""
    tables = services.tables
    is_pinned = (await services.servers.choices(event.room.server)).wants(PINS)
    if not (is_announced or is_pinned):
        return None

    find = tables.announced_in if is_announced else tables.in_room
    is_standing = await find(event.room) is not None
    return None if is_standing else event.refuse_post(services)


async def _people_in(event: CommandEvent, services: Services) -> tuple[Sequence[User], Sequence[str]]:
    """Returns the mentioned people, by their chat or by an @ and a name, and the other words.

    Raises:
        InvalidArgumentError: Nobody known here has this name.
    """
    text = " ".join(event.command.args)
    mentioned = event.command.mentioned
    for user in mentioned:  # a chat may leave them in
        text = re.sub(rf"@{re.escape(user.name)}(?!\S)", "", text, flags=re.IGNORECASE)

    names = [word for word in text.split() if word.startswith("@")]
    named = await find_people(" ".join(names), event, services)
    return [*mentioned, *named], [word for word in text.split() if word not in names]


async def _invite(
    table: Table, people: Sequence[User], event: CommandEvent, services: Services
) -> tuple[Table, str]:
    """Keeps seats for mentioned people, from the opening on.

    Gives the table, and a sentence about those for whom no seat is kept, if there are any.
    """
    until = (table.starts_at or services.now()) + KEPT_MINUTES * 60
    here = [user for user in people if await _is_here(user, event, services)]
    invited = await services.tables.change(
        table.id, lambda now: now.invite(event.user.ref, here, until) if here else now
    )
    left_out = [user for user in people if user.is_person and not invited.knows(user.ref)]
    return invited, not_invited(left_out, here, event.translator)


async def _is_here(user: User, event: CommandEvent, services: Services) -> bool:
    """Whether a person is, or ever was, in the chat, by the chat's report or the bot's records."""
    if user.ref not in event.command.strangers:
        return True
    return await services.people.was_on(user.ref, event.room.server)


_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{1,2}))?(am|pm)?", re.ASCII)


def time_in(words: Sequence[str], translator: Translator) -> tuple[tuple[int, int] | None, Sequence[str]]:
    """Reads the hour and minute at which a table is to open, if there is one; gives the other words, too.

    Raises:
        InvalidArgumentError: It is no time of a day.

    >>> time_in(("perevodnoy", "8:30pm"), Translator("en"))
    ((20, 30), ['perevodnoy'])
    """
    for word in words:
        found = _TIME.fullmatch(word.lower())
        if found is None or not (found[2] or found[3]):
            continue

        hour = int(found[1])
        minute = int(found[2] or 0)
        is_time = minute < 60 and (hour < 24 if found[3] is None else 1 <= hour <= 12)
        if not is_time:
            raise InvalidArgumentError(
                translator.text("“{word}” isn't a time of day: try /durak 20:30", word=echo(word))
            )

        if found[3] is not None:
            hour = hour % 12 + 12 * (found[3] == "pm")

        return (hour, minute), [other for other in words if other is not word]

    return None, words


async def _begin(
    table: Table,
    rule_set: RuleSet,
    people: Sequence[User],
    event: CommandEvent,
    services: Services,
    *,
    strength: str,
) -> tuple[Screen | None, str]:
    """Furnish a new table, or begin at once against house players.

    Gives it where the answer can show it, and a sentence about those for whom no seat is kept.
    """
    slot = MessageSlot(table.id, table.game, MessageKind.TABLE)
    key = event.command.answer_key
    left_out = ""

    if key:
        services.answers.hold(slot)

    if rule_set.choices:
        table = await services.tables.change(
            table.id, lambda now: now.play_with(now.opener, replace(now.options, **rule_set.choices))
        )

    if people:
        _, left_out = await _invite(table, people, event, services)
    elif strength and table.starts_at is None and event.user.is_person:
        await _play_against_house(table, strength, event, services)

    if not key:
        return None, left_out

    return await services.answers.screen(slot, key), left_out


async def _answer_for_standing_table(
    table: Table, strength: str, event: CommandEvent, services: Services
) -> Reply:
    """Leads the asker to the room's table, or seats them against the house there."""
    slot = MessageSlot(table.id, table.game, MessageKind.TABLE)
    user = event.user.ref
    translator = Translator(table.locale)
    sentence = IS_STANDING

    if strength and table.phase is Phase.LOBBY:
        try:
            is_alone = await _sit_down(table, strength, event, services)
        except TableRefusedError as refused:
            return table_refused(refused, translator)

        sentence = sentence if is_alone else IS_SEATED
    elif table.phase is Phase.PLAYING and table.seat_of(user) is None:
        sentence = OTHERS_PLAY
    elif table.expects(user):  # their seat is kept
        table = await services.tables.change(table.id, lambda now: rejoin(now, event.user, event.id))

    is_seated = table.seat_of(user) is not None
    if strength and is_seated and event.limits.boards:  # they have it before them
        return Reply()
    if not strength and is_seated and services.outbox.renew_if_out_of_sight(slot, table.room):
        return Reply()

    message = await services.answers.existing_message(slot)
    if message is None:  # the table is about to be posted
        return Reply()

    can_be_called = sentence is OTHERS_PLAY and event.limits.can_call
    rows = ((call_button(table, translator),),) if can_be_called else ()
    return Reply(ephemeral=table_is_here_screen(sentence, message, translator, rows=rows))


async def _sit_down(table: Table, strength: str, event: CommandEvent, services: Services) -> bool:
    """Lets the asker play against the house at a table that gathers: alone (True) at once, else with others.

    Raises:
        TableRefusedError: There is no room for both.
    """
    user = event.user.ref

    def seat(now: Table) -> Table:
        if now.seat_of(user) is None:
            now = now.join(event.user, trace_of(event.id))
        if now.people() == (user,):
            return now
        if now.opener == user:
            now = now.play_with(user, replace(now.options, strength=strength))

        return now.add_house(user)

    table = await services.tables.change(table.id, seat)
    is_alone = table.people() == (user,)
    if is_alone:
        await _play_against_house(table, strength, event, services)

    return is_alone


async def _play_against_house(table: Table, strength: str, event: CommandEvent, services: Services) -> None:
    """Deals the cards to the opener of a table and as many house players as its rules need."""
    opener = event.user.ref

    def seat(now: Table) -> Table:
        now = now.play_with(opener, replace(now.options, strength=strength))
        while now.rules.clashes(len(now.players)):
            now = now.add_house(opener)
        return now

    await services.tables.change(table.id, seat)
    await services.tables.start(table.id, opener, event=event.id)


def _house_player(words: Sequence[str], translator: Translator) -> tuple[str, Sequence[str]]:
    """Reads how well house players shall play, if one wants to play against them; gives the other words, too.

    Raises:
        InvalidArgumentError: They cannot play like that.
    """
    strength = ""
    others = list[str]()
    for word in words:
        name, sign, value = word.lower().partition("=")
        if name != AGAINST_BOTS:
            others.append(word)
        else:
            strength = one_of(tuple(STRENGTHS), value, translator) if sign else TableOptions().strength

    return strength, others


# --- seats ----------------------------------------------------------------------------------------


# Actions for a table's opener and the admins of its chat alone, with the refusals for others.
FOR_THE_HOST = {
    LobbyAction.START: refusals.NOT_YOURS_TO_HOST,
    LobbyAction.HOLD: refusals.NOT_YOURS_TO_HOST,
    LobbyAction.CLOSE: refusals.NOT_YOURS_TO_CLOSE,
}


@button(ChangeLobby)
async def change_lobby(event: PressEvent, pressed: ChangeLobby, services: Services) -> Reply:
    """Seats the presser or a house player, lets them leave, starts, holds the start, or calls it off."""
    table = event.table
    user = event.user
    tables = services.tables

    if pressed.action in FOR_THE_HOST and not await event.may_manage(table):
        return event.toast(FOR_THE_HOST[pressed.action])

    match pressed.action:
        case LobbyAction.JOIN:
            joined = await tables.change(table.id, lambda now: now.join(user, trace_of(event.id)))
            return await tell_where_cards_come(joined, event, services)
        case LobbyAction.LEAVE:
            return await _leave(event, services)
        case LobbyAction.SEATS:
            await tables.change(table.id, lambda now: now.change_seats(user.ref))
        case LobbyAction.HOUSE:
            await tables.change(table.id, lambda now: now.add_house(user.ref))
        case LobbyAction.UNHOUSE:
            await tables.change(table.id, lambda now: now.remove_house(user.ref))
        case LobbyAction.START:
            started = await tables.start(table.id, table.opener, event=event.id)
            return await tell_where_cards_come(started, event, services)
        case LobbyAction.HOLD:
            await tables.change(table.id, Table.hold)
        case LobbyAction.CLOSE:
            await tables.change(table.id, Table.call_off)

    return Reply()


async def _leave(event: PressEvent, services: Services) -> Reply:
    """Takes the presser off the table, or off the list of the expected people."""
    table = event.table
    user = event.user.ref
    is_invited = any(player.user == user for player in table.gathering)

    try:
        await services.tables.change(table.id, lambda now: now.leave(user))
    except TableRefusedError as refused:
        if table.phase is not Phase.ANNOUNCED or refused.reason is not TableRefusal.NOT_SEATED:
            raise
        return event.toast(NOT_AWAITED)

    return event.toast(NOT_AWAITED) if is_invited else Reply()


async def play_again(event: PressEvent, services: Services) -> Reply:
    """Gathers for another game, or sit down if others gather already: however old the button is.

    Against house players alone the cards are dealt at once.
    """
    if event.table.phase is Phase.CLOSED:
        return event.toast(refusals.NO_TABLE)

    gathering = await services.tables.rematch(event.table.id, event.user, event=event.id)
    if gathering.is_against_bots:
        dealt = await services.tables.start(gathering.id, gathering.opener, event=event.id)
        return await tell_where_cards_come(dealt, event, services)

    if not event.press.on_private_message or event.room == event.table.room:
        return Reply()

    is_first = gathering.opener == event.user.ref
    sentence = refusals.GATHERING_AGAIN if is_first else refusals.PLAYS_AGAIN
    return event.toast(sentence)


async def tell_where_cards_come(table: Table, event: PressEvent, services: Services) -> Reply:
    """Shows a player the way to their cards, and leads them there if that takes a step."""
    user = event.user.ref
    reachability = services.reachability
    limits = event.limits

    if table.seat_of(user) is None or table.phase is Phase.ANNOUNCED:
        return Reply()

    profile = await services.people.profile(user)
    was_reached = bool(profile.reachable)
    if limits.boards:  # they will lie before them
        return Reply(open_private=not was_reached)

    is_wanted = profile.calling is not Calling.NEVER
    is_open = user not in reachability.closed_people and profile.reachable is not False
    is_private = is_wanted and is_open and (was_reached or limits.ephemeral_answers)
    is_new = services.notices.is_new((user, is_private)) and not (is_private and was_reached)

    if not is_private:
        reachability.take_unnotified(user)

    hint = where_cards_come(event.translator, is_private=is_private) if is_new else None
    return Reply(toast=hint, open_private=not was_reached)


def rejoin(table: Table, user: User, event_id: str) -> Table:
    """Returns the table with a player of its last game seat again, if it expects them."""
    return table.join(user, trace_of(event_id)) if table.expects(user.ref) else table


def brings_back(pressed: TableButton, table: Table) -> bool:
    """Whether a press seats a player of the game before again, without being about that itself."""
    match pressed:
        case ChangeLobby(action=LobbyAction.JOIN | LobbyAction.LEAVE | LobbyAction.CLOSE):
            return False
        case ChangeLobby() | ChangeOption():
            return pressed.counts_in(table.game)
        case _:
            return isinstance(pressed, OwnHand)


# --- by which rules ---------------------------------------------------------------------------------------


def opens_secretly(event: PressEvent) -> bool:
    """Whether panels open for the presser only: not where that would take the place of the table."""
    if not event.limits.ephemeral_answers or not event.press.on_private_message:
        return event.limits.ephemeral_answers
    return event.slot is None or event.slot.user is not None


@button(ChangeOption)
async def change_option(event: PressEvent, pressed: ChangeOption, services: Services) -> Reply:
    """Opens a panel of settings or sets one, for the presser alone where the chat can."""
    table = event.table
    user = event.user.ref
    translator = event.translator
    setting, sign, _ = pressed.what.partition("=")
    if not (pressed.what in PANELS or setting in WORDINGS or not pressed.what):
        return event.toast(refusals.UNREADABLE)

    panel = panel_of(setting) if sign else pressed.what or None
    is_secret = opens_secretly(event)
    try:
        if sign:
            shown = None if is_secret else panel
            table = await _change_option(event, pressed.what, shown, services)
        elif not is_secret:
            await services.tables.change(table.id, lambda now: now.open_panel(user, panel))
    except RuleSetError as bad:
        return Reply(toast=rule_set_problem_text(bad.problem, translator), refusal=refusals.RULE_SET)

    if not is_secret:
        return Reply()

    opened = table.open_panel(user, panel)
    if event.limits.forms:
        cards = rule_set_cards(await services.rule_book.rule_sets(table.room.server), translator)
        return Reply(form=option_form(opened, cards, translator))

    return Reply(secret=await services.presenter.panel(opened, translator, event.limits))


async def _change_option(event: PressEvent, what: str, panel: str | None, services: Services) -> Table:
    """Sets something, and leaves this panel open for the room."""
    user = event.user.ref
    table = event.table
    setting, _, value = what.partition("=")
    chosen: RuleSet | None = None

    if setting == "preset":
        chosen = await services.rule_book.named(table.room.server, value)

    choices = {value_text(choice): choice for choice in CHOICES.get(setting, ())}
    if choices and value not in choices:
        raise InvalidArgumentError(event.translator.text(refusals.UNREADABLE))

    def changed(now: Table) -> Table:
        if chosen is not None:
            now = now.play_by(user, chosen.name, chosen.rules, chosen.house_rules)
        elif choices:
            option: dict[str, Any] = {setting: choices[value]}
            now = now.play_with(user, replace(now.options, **option))
        else:
            now = now.play_by(user, now.preset, with_options(now.rules, [what]), now.house_rules)

        return now.open_panel(user, panel)

    return await services.tables.change(table.id, changed)
