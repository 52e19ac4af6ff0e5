"""`/durak`: opens a table or announces one, invites people, and deals at once against bots."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.port import ArgumentKind, ArgumentSpec, Reply, Screen, Tone, User, UserRef
from bot.handlers.event import CommandEvent, Services, command
from bot.handlers.lobby import rejoin
from bot.handlers.people import look_up
from bot.locale import gettext_noop
from bot.model.buttons import ChangeLobby, LobbyAction
from bot.model.choices import RuleSet, TableOptions
from bot.model.messages import MessageKind, TableSlot
from bot.model.preset_words import AGAINST_BOTS
from bot.model.refusal import RefusedError, TableRefusal
from bot.model.table import KEPT_MINUTES, Phase, Table
from bot.screens import refusals
from bot.screens.calls import QUIET, call_button, not_invited
from bot.screens.core_settings import PINS
from bot.screens.directions import (
    IS_SEATED,
    IS_STANDING,
    OTHERS_PLAY,
    PLAYERS_INVITE,
    move_screen,
    seat_kept_screen,
    table_is_here_screen,
)
from bot.screens.keyboard import button_to
from bot.screens.lobby import announced_already_screen
from bot.screens.names import preset_name, shown_name
from bot.screens.text import echo, one_of
from bot.tables.deals import trace_of
from engine import STRENGTHS

PRESET = ArgumentSpec("preset", gettext_noop("the rules to play by"), ArgumentKind.SUGGESTED)


@dataclass(frozen=True, slots=True)
class Invitees:
    """The people whom a command invites, and its `@names` of people unknown to the bot."""

    people: Sequence[User]
    unknown: Sequence[str]

    def __bool__(self) -> bool:
        return bool(self.people or self.unknown)


@command(
    "durak",
    PRESET,
    ArgumentSpec("options", gettext_noop("single settings, such as transfer=on"), ArgumentKind.SUGGESTED),
    ArgumentSpec("time", gettext_noop("announce a table for this time, such as 20:30")),
    ArgumentSpec(
        "friend", gettext_noop("who is invited: their seat is kept for a while"), ArgumentKind.PERSON
    ),
    rank=10,
    summary=gettext_noop("open a table here"),
    on_person=gettext_noop("Invite to Durak"),
)
async def durak(event: CommandEvent, services: Services) -> Reply:
    """Opens or announces a table in the room, or points to the open one; invites people to it."""
    if event.missing_rights:
        return event.toast(refusals.NOT_ALLOWED_HERE, missing=event.missing_rights)

    translator = event.reader
    user = event.user.ref
    server = event.room.server
    now = services.now()
    invitees, args = await _invitees_in(event, services)
    time, args = time_in(args)
    strength, words = read_strength(args)
    choices = await services.servers.choices(server)
    starts_at = None if time is None else choices.local_time.daily(now, *time)
    rule_set = await services.rule_book.read(server, words)
    refusal = await _refuse_post(event, services, is_announced=starts_at is not None)
    if refusal is not None:
        return refusal

    lost_table = await _lost_table(event, services)
    if lost_table is not None:
        has_wishes = bool(event.command.args or event.command.mentioned)
        is_offered = services.notices.is_new(("move", user, lost_table.id, lost_table.game)) or not has_wishes
        if is_offered:
            return Reply(ephemeral=move_screen(lost_table, translator, has_wishes=has_wishes))

    opening = await services.tables.open(
        event.room, event.user, rule_set, event.translator.locale, event=event.id, starts_at=starts_at
    )
    table = opening.table

    if not opening.is_new:
        refusal, table = await _invite_to_standing_table(table, invitees, event, services)
        if refusal is not None:
            return refusal
        if starts_at is None:
            return await _answer_for_standing_table(table, strength, event, services)

        slot = TableSlot(table.id, table.game, MessageKind.TABLE)
        message = await services.answers.existing_message(slot)
        screen = None if message is None else announced_already_screen(message, translator)
        return Reply(ephemeral=screen)

    public, left_out = await _begin(table, rule_set, invitees, event, services, strength=strength)
    if left_out:
        return Reply(toast=left_out, public=public)
    if starts_at is not None:  # the announcement has the clock and the day
        return Reply(public=public)

    notice = _notice(rule_set, event, services)
    return Reply(toast=notice or None, public=public)


async def _invite_to_standing_table(
    table: Table, invitees: Invitees, event: CommandEvent, services: Services
) -> tuple[Reply | None, Table]:
    """Invites people to a table that gathers players.

    Returns the table, and a reply if the invitation already answers the command.
    """
    user = event.user.ref
    gathers = table.phase in {Phase.LOBBY, Phase.ANNOUNCED}
    if not (invitees and gathers):
        return None, table

    may_invite = user == table.opener or table.seat_of(user) is not None
    if not may_invite:
        return await _lead_to_join(table, event, services), table

    table, left_out = await _invite(table, invitees, event, services)
    invited = {person.ref for person in invitees.people}
    guests = [player.name for player in table.kept if player.user in invited]
    if not guests:
        return (Reply(toast=left_out) if left_out else None), table

    return await _tell_kept(guests, left_out, table, event, services), table


async def _tell_kept(
    guests: Sequence[str], left_out: str, table: Table, event: CommandEvent, services: Services
) -> Reply:
    """Lists the people for whom a seat is kept, unless the asker sees them on the table's message.

    `left_out` is a sentence about those for whom none is kept.
    """
    slot = TableSlot(table.id, table.game, MessageKind.TABLE)
    is_seen = event.limits.boards or services.outbox.renew_if_out_of_sight(slot, table.room)
    message = await services.message_index.message(slot)  # an edit that shows the guests is under way
    if is_seen or message is None:
        return Reply(toast=left_out or None)

    return Reply(ephemeral=seat_kept_screen(guests, left_out, message, event.reader))


async def _lead_to_join(table: Table, event: CommandEvent, services: Services) -> Reply:
    """Leads an asker who wants to invite others, but has no seat at the table, to that table."""
    slot = TableSlot(table.id, table.game, MessageKind.TABLE)
    message = await services.answers.existing_message(slot)
    if message is None:
        return event.toast(refusals.NOT_SEATED)

    label = event.reader.text("Join")
    join = button_to(ChangeLobby(table.id, table.game, LobbyAction.JOIN), label, Tone.PRIMARY)
    screen = table_is_here_screen(PLAYERS_INVITE, message, event.reader, rows=((join,),))
    return Reply(ephemeral=screen)


async def _lost_table(event: CommandEvent, services: Services) -> Table | None:
    """Returns a table of this server that the asker hosts and plays at, and whose room is gone."""
    for table in await services.tables.tables_of(event.user.ref):
        is_of_asker = table.opener == event.user.ref and table.room.server == event.room.server
        is_lost = not services.reachability.is_served(table.room)
        if is_of_asker and is_lost and table.room != event.room:
            return table

    return None


def _notice(rule_set: RuleSet, event: CommandEvent, services: Services) -> str:
    """Returns a notice if a table was opened differently from what its opener may expect."""
    translator = event.reader

    # Each server is notified only once that its default rules can no longer be played.
    if rule_set.unplayable and services.notices.is_new(event.room.server, rule_set.unplayable):
        return translator.text(
            "“{name}” can't be played any more; this is {preset}. An admin can fix it: /settings",
            name=rule_set.unplayable,
            preset=preset_name(rule_set.name, translator),
        )

    if not event.user.is_person:
        return translator.text(refusals.TABLES[TableRefusal.NOT_A_PERSON])

    return ""


async def _refuse_post(event: CommandEvent, services: Services, *, is_announced: bool) -> Reply | None:
    """Refuses an announcement, or a new table on servers that pin tables, after too many posts.

    An announcement is also refused where nothing could be posted when its time has come.
    """
    if is_announced and event.limits.only_answers:
        return event.toast(refusals.ONLY_ANSWERS)

    tables = services.tables
    is_pinned = (await services.servers.choices(event.room.server)).wants(PINS)
    if not (is_announced or is_pinned):
        return None

    find = tables.announced_in if is_announced else tables.in_room
    is_standing = await find(event.room) is not None
    return None if is_standing else event.refuse_post(services)


async def _invitees_in(event: CommandEvent, services: Services) -> tuple[Invitees, Sequence[str]]:
    """Returns the people mentioned through the chat or by `@` and a name, and the other words."""
    text = " ".join(event.command.args)
    mentioned = event.command.mentioned
    for user in mentioned:  # some chats leave the mentions in the text
        text = re.sub(rf"@{re.escape(user.name)}(?!\S)", "", text, flags=re.IGNORECASE)

    words = [word.rstrip(",") if word.startswith("@") else word for word in text.split()]
    names = list(dict.fromkeys(word for word in words if word.startswith("@")))
    people, unknown = await look_up(names, event.room.server, services)

    invitees = Invitees([*mentioned, *people], [name for name in unknown if _HANDLE.fullmatch(name)])
    return invitees, [word for word in words if word not in names]


_HANDLE = re.compile(r"@\w{2,32}")


async def _invite(
    table: Table, invitees: Invitees, event: CommandEvent, services: Services
) -> tuple[Table, str]:
    """Keeps seats for mentioned people until some minutes after the opening, and names unknown guests.

    Returns the table, and a sentence about those for whom no seat is kept; empty if there are none.
    """
    host = event.user.ref
    until = (table.starts_at or services.now()) + KEPT_MINUTES * 60
    people = [user for user in invitees.people if user.is_person]
    acquaintances = [user.ref for user in people if user.ref not in event.command.strangers]
    outside = await services.presence.gone(acquaintances, event.room)
    here = [user for user in people if user.ref not in outside and await _was_here(user, event, services)]
    names = invitees.unknown if event.limits.names_ring else ()

    def invite(now: Table) -> Table:
        if here:
            now = now.invite(host, here, until)
        return now.name_guests(host, names, until) if names else now

    invited = await services.tables.change(table.id, invite)
    unseen = [user for user in people if user.ref in outside]
    strangers = [shown_name(user.name, event.reader) for user in people if user not in (*here, *unseen)]
    without_seat = [user for user in here if not invited.involves(user.ref)]
    nobody = () if names else invitees.unknown
    left_out = not_invited([*strangers, *names], unseen, without_seat, event.reader, nobody=nobody)

    local = (await services.servers.choices(event.room.server)).local_time
    is_at_night = table.starts_at is None and local.is_quiet(services.now())
    if is_at_night and invited.uncalled:
        left_out = f"{left_out} {event.reader.text(QUIET)}".strip()

    return invited, left_out


async def _was_here(user: User, event: CommandEvent, services: Services) -> bool:
    """Returns whether a person is or ever was in the chat, by the chat's answer or the bot's records."""
    if user.ref not in event.command.strangers:
        return True
    if await services.people.was_on(user.ref, event.room.server):
        return True
    return await event.chat.is_member(user.ref, event.room) is True


_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{1,2}))?(am|pm)?", re.ASCII)


def time_in(words: Sequence[str]) -> tuple[tuple[int, int] | None, Sequence[str]]:
    """Returns the hour and minute at which a table is to open, if given, and the other words.

    Raises:
        RefusedError: The word is not a time of day.

    >>> time_in(("perevodnoy", "8:30pm"))
    ((20, 30), ['perevodnoy'])
    """
    for word in words:
        match = _TIME.fullmatch(word.lower())
        if match is None or not (match[2] or match[3]):
            continue

        hour = int(match[1])
        minute = int(match[2] or 0)
        has_two_digits = match[2] is None or len(match[2]) == 2
        is_time = has_two_digits and minute < 60 and (hour < 24 if match[3] is None else 1 <= hour <= 12)
        if not is_time:
            raise RefusedError("“{word}” isn't a time of day: try /durak 20:30", word=echo(word))

        if match[3] is not None:
            hour = hour % 12 + 12 * (match[3] == "pm")

        return (hour, minute), [other for other in words if other is not word]

    return None, words


async def _begin(
    table: Table,
    rule_set: RuleSet,
    invitees: Invitees,
    event: CommandEvent,
    services: Services,
    *,
    strength: str,
) -> tuple[Screen | None, str]:
    """Sets up a new table: its choices and guests, or an immediate game against house players.

    Returns its screen if the answer can show it, and a sentence about people for whom no seat is kept.
    """
    slot = TableSlot(table.id, table.game, MessageKind.TABLE)
    left_out = ""

    services.answers.hold(slot)  # the first version must name everybody, as an edit notifies nobody

    if rule_set.choices:
        table = await services.tables.change(
            table.id, lambda now: now.play_with(now.opener, replace(now.options, **rule_set.choices))
        )

    if invitees:
        _, left_out = await _invite(table, invitees, event, services)
    elif strength and table.starts_at is None and event.user.is_person:
        await _play_against_house(table, strength, event, services)

    return await services.answers.screen(slot, event.command.answer_key), left_out


async def _answer_for_standing_table(
    table: Table, strength: str, event: CommandEvent, services: Services
) -> Reply:
    """Leads the asker to the room's existing table; seats them if they want bots or are expected."""
    slot = TableSlot(table.id, table.game, MessageKind.TABLE)
    user = event.user.ref
    translator = event.reader
    sentence = IS_STANDING

    if strength and table.phase is Phase.LOBBY:
        is_alone = await _sit_down(table, strength, event, services)
        sentence = sentence if is_alone else IS_SEATED
    elif table.phase is Phase.PLAYING and table.seat_of(user) is None:
        sentence = OTHERS_PLAY
    elif table.expects(user):  # their seat is kept
        table = await services.tables.change(table.id, lambda now: rejoin(now, event.user, event.id))

    is_seated = table.seat_of(user) is not None
    if strength and is_seated and event.limits.boards:  # the asker sees the table anyway
        if table.phase is Phase.PLAYING:
            raise RefusedError(TableRefusal.ALREADY_SEATED)
        return Reply()
    if not strength and is_seated and services.outbox.renew_if_out_of_sight(slot, table.room):
        return Reply()

    if event.limits.only_answers:
        return Reply(public=await _bring_here(table, slot, event, services))

    message = await services.answers.existing_message(slot)
    if message is None:  # the table is about to be posted
        return Reply()

    can_be_called = sentence is OTHERS_PLAY and event.limits.can_call
    rows = ((call_button(table, translator),),) if can_be_called else ()
    return Reply(ephemeral=table_is_here_screen(sentence, message, translator, rows=rows))


async def _bring_here(
    table: Table, slot: TableSlot, event: CommandEvent, services: Services
) -> Screen | None:
    """Renders the table for the answer to a command; the answer replaces the table's older message.

    Returns None if an earlier answer to the same command shows it: a chat may report a command twice.
    """
    has_opened_table = any(player.joined == trace_of(event.id) for player in table.players)
    if has_opened_table and await services.message_index.message(slot) is not None:
        return None

    return await services.answers.move_here(slot, event.command.answer_key)


async def _sit_down(table: Table, strength: str, event: CommandEvent, services: Services) -> bool:
    """Seats the asker and a house player at a table that gathers players.

    If nobody else is there, deals at once against house players. Returns whether that was so.

    Raises:
        RefusedError: There is no room for both.
    """
    user = event.user.ref

    def seat(now: Table) -> Table:
        if now.seat_of(user) is None:
            now = now.join(event.user, trace_of(event.id))
        if _is_alone(now, user):
            return now
        if now.is_kept_full:
            raise RefusedError(TableRefusal.KEPT)
        if now.opener == user:
            now = now.play_with(user, replace(now.options, strength=strength))

        return now.add_house(user)

    table = await services.tables.change(table.id, seat)
    is_alone = _is_alone(table, user)
    if is_alone:
        await _play_against_house(table, strength, event, services)

    return is_alone


def _is_alone(table: Table, user: UserRef) -> bool:
    """Returns whether nobody else is at the table or invited to it."""
    return table.people() == (user,) and not table.unanswered and not table.named_guests


async def _play_against_house(table: Table, strength: str, event: CommandEvent, services: Services) -> None:
    """Deals a game for the opener of a table and as many house players as its rules need."""
    opener = event.user.ref

    def seat(now: Table) -> Table:
        now = now.play_with(opener, replace(now.options, strength=strength))
        while now.rules.clashes(len(now.players)):
            now = now.add_house(opener)
        return now

    await services.tables.change(table.id, seat)
    await services.tables.start(table.id, opener, event=event.id)


def read_strength(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Returns the strength of house players, empty if none are wanted, and the other words.

    Raises:
        RefusedError: There is no such strength.
    """
    strength = ""
    others = list[str]()
    for word in words:
        name, sign, value = word.lower().partition("=")
        if name != AGAINST_BOTS:
            others.append(word)
        else:
            strength = one_of(tuple(STRENGTHS), value) if sign else TableOptions().strength

    return strength, others
