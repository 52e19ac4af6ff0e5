"""`/rules`, `/settings`, `/me`: the rules and choices of a server, and people's own choices."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from adapters import port
from bot.handlers.durak import PRESET
from bot.handlers.event import CommandEvent, Services, appointment, command, tell_admin
from bot.handlers.fools_mark import has_badges, mark_panel, switch_mark, update_marks_of
from bot.handlers.play import turn_of
from bot.locale import LOCALES, Translator, gettext_noop
from bot.model.calendar import Appointment, time_zones
from bot.model.refusal import RefusedError
from bot.model.server_choices import OFF, ON, quiet_hours
from bot.screens import refusals
from bot.screens.around import around_choice_screen, around_screen
from bot.screens.core_settings import PINS, QUIET
from bot.screens.directions import answer_elsewhere_screen
from bot.screens.fools_mark import FOOLS_MARK
from bot.screens.me import LANGUAGE, MARK, PORTRAIT, OwnChoice, own_choice_screen, own_choices, own_screen
from bot.screens.rules import IN_FULL, TO_ALL, players_of, rules_screen
from bot.screens.server import (
    AROUND,
    OWN_LANGUAGE,
    ServerState,
    changed_screen,
    pins_refused_screen,
    server_choice_screen,
    server_screen,
)
from bot.screens.server_settings import ServerSetting
from bot.screens.suggestions import (
    bots_suggestions,
    preset_suggestions,
    server_suggestions,
    setting_suggestions,
)
from bot.screens.text import LANGUAGES, echo, language_named, one_of
from bot.screens.typed_moves import move_suggestions


@command("rules", PRESET, rank=110, summary=gettext_noop("what the rules are"), secret=True)
async def rules(event: CommandEvent, services: Services) -> port.Reply:
    """Explains the named rules, or those of the table, the last game or the server.

    The explanation is for the asker, or with `all` for the room. A person who has played here sees only the
    special rules, and a button for the rest (`full`).
    """
    server = event.room.server
    table = await services.tables.shown_in(event.room)
    words = [word for word in event.command.args if word.lower() not in {TO_ALL, IN_FULL}]
    wishes = {word.lower() for word in event.command.args} - set(words)

    if words or table is None:
        rule_set = await services.rule_book.read(server, words)
        name = rule_set.name
        rules = rule_set.rules
        players = None
    else:
        name = table.preset
        rules = table.rules
        players = players_of(table)

    others = tuple(other for other in await services.rule_book.names(server) if other != name)
    is_short = not wishes and await services.records.newest_of(event.user.ref, near=event.room) is not None
    is_hidden = event.is_answered_secretly and not event.is_in_private_chat
    offered = [IN_FULL] if is_short else []
    offered += [TO_ALL] if is_hidden and TO_ALL not in wishes else []
    translator = event.translator
    is_public = TO_ALL in wishes
    if is_public:
        spoken = "" if table is None else table.locale
        translator = await services.people.translator_in(server, event.user, spoken)

    screen = rules_screen(
        name, rules, others, translator, players, is_short=is_short, words=words, offered=offered
    )

    return port.Reply(public=screen) if is_public else port.Reply(ephemeral=screen)


@command(
    "settings",
    port.ArgumentSpec(
        "change", gettext_noop("a setting and its value; save NAME"), port.ArgumentKind.SUGGESTED
    ),
    rank=120,
    summary=gettext_noop("settings for everybody here"),
    scopes={port.CommandScope.PRIVATE, port.CommandScope.ADMIN},
    secret=True,
)
async def server_settings(event: CommandEvent, services: Services) -> port.Reply:
    """Shows the server's settings, or changes one, as in `default NAME` or `save NAME [rules]`."""
    args = event.command.args
    may_change = await event.may_administer(event.room.server)

    if not args:
        return port.Reply(ephemeral=await _server_panel(event, services, may_change=may_change))

    names = [setting.name for setting in services.registry.settings if _is_offered(setting, event)]
    has_around = not event.is_in_private_chat
    name = one_of([*names, AROUND] if has_around else names, args[0])
    words = args[1:]
    if not words and name == "save":
        raise RefusedError("Say which: /settings {action} …", action=name)
    if not may_change:
        return event.toast(refusals.ONLY_MODERATORS)
    if name == AROUND:
        return port.Reply(ephemeral=await _around_panel(event, services))

    setting = services.registry.settings[name]
    if not words:
        return port.Reply(ephemeral=await _choice_panel(setting, event, services))

    if setting is FOOLS_MARK:
        value = await switch_mark(words[0], event, services)
    else:
        value = await _set_choice(setting, words[0], words[1:], event, services)

    is_pressed = event.command.is_in_place
    has_obstacles = setting is FOOLS_MARK
    panel = announcement = None
    if is_pressed or has_obstacles or event.is_in_private_chat:
        panel = await _panel(setting, event, services)

    if not (is_pressed or event.is_in_private_chat):
        public = await services.people.translator_in(event.room.server, event.user)
        announcement = changed_screen(setting, value, public)

    return port.Reply(public=announcement, ephemeral=panel)


async def _panel(setting: ServerSetting, event: CommandEvent, services: Services) -> port.Screen:
    """Renders the panel that contains a setting, for an admin."""
    if setting is FOOLS_MARK:
        return await mark_panel(event, services)
    if setting.is_around_the_game:
        return await _around_panel(event, services)

    return await _server_panel(event, services, may_change=True)


async def _around_panel(event: CommandEvent, services: Services) -> port.Screen:
    """Renders the settings for the time between games, for an admin."""
    offered = [each for each in services.registry.settings.around_the_game if _is_offered(each, event)]
    state = await _state(event, services)
    return around_screen(state, offered, event.chat.limits, event.translator)


async def _choice_panel(setting: ServerSetting, event: CommandEvent, services: Services) -> port.Screen:
    """Renders the values of a setting, for an admin."""
    if setting is FOOLS_MARK:
        return await mark_panel(event, services)

    state = await _state(event, services)
    limits = event.chat.limits
    if setting.is_around_the_game:
        return around_choice_screen(setting, state, limits, event.translator)

    names = await services.rule_book.names(event.room.server)
    return server_choice_screen(setting, state, names, limits, event.translator)


async def _server_panel(event: CommandEvent, services: Services, *, may_change: bool) -> port.Screen:
    """Renders the settings of this chat, with buttons if the reader may change them."""
    state = await _state(event, services)
    limits = event.chat.limits if may_change else None
    return server_screen(
        state,
        event.translator,
        limits,
        has_around=not event.is_in_private_chat,
        has_table=event.table is not None,
    )


async def _set_choice(
    setting: ServerSetting, name: str, words: Sequence[str], event: CommandEvent, services: Services
) -> str:
    """Changes a server setting; returns its new value."""
    server = event.room.server
    table = event.table
    choose = services.servers.choose
    rule_book = services.rule_book

    match setting.name:
        case "default":
            await rule_book.set_default(server, name.lower())
            return await rule_book.default(server)
        case "delete":
            await rule_book.forget(server, name.lower())
        case "language":
            locale = "" if name.lower() == OWN_LANGUAGE else language_named(name)
            await choose(server, locale=locale)
            return locale or OWN_LANGUAGE
        case QUIET.name if quiet_hours(name) is not None:
            await choose(server, quiet=name)
        case _ if setting.values:
            value = one_of(setting.values, name)
            await _choose_for_all(setting, value, event, services)
        case "timezone":
            zone = _time_zone(name)
            await choose(server, time_zone=zone)
            await services.calendar.plan(server)
            _redraw_tables(server, services)  # announced tables show their time
            return zone
        case "save":
            rules_here = table.rules if table is not None and not words else None
            rules = rules_here or (await rule_book.read(server, words)).rules
            await rule_book.save(server, name.lower(), rules)

    return name.lower()


async def _choose_for_all(
    setting: ServerSetting, value: str, event: CommandEvent, services: Services
) -> None:
    """Changes a setting with fixed values, including the necessary preparations and follow-ups."""
    server = event.room.server
    choose = services.servers.choose
    home = await _home(event, services) if setting.is_news and value == ON else {}
    if setting is PINS and value == ON:
        await _check_pins(event)
    for prepared, before_choice in services.hooks.before_choice:
        if prepared is setting:
            await before_choice(server, value)

    await choose(server, **{setting.name: value}, **home)
    await services.calendar.plan(server)

    if setting is PINS:
        await services.people.remember(event.user)  # to report a failure to them
        await choose(server, pins_by=event.user.ref.id)
        _redraw_tables(server, services)


def _redraw_tables(server: port.ServerRef, services: Services) -> None:
    for table_id in services.tables.tables_on(server):
        services.table_events.changed(table_id)


async def _home(event: CommandEvent, services: Services) -> Mapping[str, str]:
    """Returns the choices that make this the room for news, and the asker the admin to notify of a failure.

    Raises:
        RefusedError: The bot lacks rights in the room.
    """
    if event.missing_rights:
        raise RefusedError(refusals.NO_NEWS_HERE, missing=event.missing_rights)

    await services.people.remember(event.user)
    room = {"home": event.room.id, "home_topic": event.room.topic}
    return {**room, "home_by": event.user.ref.id, "home_closed": ""}


async def _check_pins(event: CommandEvent) -> None:
    """Checks that the bot may pin tables in this room, if the chat can tell.

    Raises:
        RefusedError: The bot lacks the right.
    """
    if await event.chat.may_pin(event.room) is False:
        missing = event.reader.text(event.chat.limits.pin_right)
        raise RefusedError(refusals.NO_PINS_HERE, missing=missing)


def _is_offered(setting: ServerSetting, event: CommandEvent) -> bool:
    """Returns whether a setting makes sense in this chat; nothing happens around the game in private."""
    if setting.is_around_the_game and event.is_in_private_chat:
        return False
    if not setting.works_in(event.chat.limits):
        return False

    return setting is not FOOLS_MARK or has_badges(event)


async def _state(event: CommandEvent, services: Services) -> ServerState:
    server = event.room.server
    rule_book = services.rule_book
    unplayable = await rule_book.unplayable(server)
    names = (*await rule_book.variations(server), *unplayable)
    return ServerState(
        services.registry.settings.working_in(event.chat.limits),
        await services.servers.choices(server),
        await rule_book.default(server),
        names,
        unplayable,
    )


@appointment(PINS.name, latest=float("inf"))
async def give_up_pins(due: Appointment, services: Services) -> float | None:
    """Switches pins off after a refusal, and reports that to the admin who switched them on."""
    server = due.server
    choices = await services.servers.choices(due.server)
    if not choices.wants(PINS):
        return None

    await services.servers.choose(server, pins=OFF)
    if choices.pins_by:
        admin = port.UserRef(server.platform, choices.pins_by)
        right = services.chats[server.platform].limits.pin_right
        draw = partial(pins_refused_screen, port.PinTrouble[due.about], right)
        await tell_admin(admin, port.RoomRef(server, server.id), draw, services)

    return None


def _time_zone(word: str) -> str:
    for zone in time_zones():
        if zone.lower() == word.lower():
            return zone
    raise RefusedError("There's no time zone “{word}”; names look like Europe/Vilnius.", word=echo(word))


# --- people's own choices ---------------------------------------------------------------------------------


@command(
    "me",
    rank=130,
    summary=gettext_noop("when I call you, and your other settings"),
    secret=True,
    people_only=True,
)
async def me(event: CommandEvent, services: Services) -> port.Reply:
    """Shows the asker their own choices, or changes one, as in `turn later`."""
    args = event.command.args
    limits = event.chat.limits
    translator = event.translator
    choices = own_choices(limits)
    choice = choices[one_of(choices, args[0])] if args else None
    if choice is not None and len(args) > 1:
        await _choose(choice, args[1], event, services)

    profile, translator = await services.people.reader(event.user.ref)
    if choice is None or len(args) > 1:
        screen = own_screen(profile, limits, translator)
    else:
        screen = own_choice_screen(choice, profile, limits, translator)

    is_language_new = choice is LANGUAGE and len(args) > 1
    language = translator.locale if is_language_new else ""
    return port.Reply(
        secret=screen,
        invitation=answer_elsewhere_screen(event.user, event.room, translator),
        language=language,
    )


async def _choose(choice: OwnChoice, word: str, event: CommandEvent, services: Services) -> None:
    """Changes a choice of the asker, and redraws their tables."""
    user = event.user.ref
    value = language_named(word) if choice is LANGUAGE else one_of(choice.values(event.chat.limits), word)

    await services.people.choose(user, **{choice.column: choice.as_kept(value)})
    if choice is LANGUAGE:
        services.outbox.show_again_to(user)
    if choice is MARK:
        await update_marks_of(user, services)
    if choice is PORTRAIT:
        services.portraits.forget(user)

    for table in await services.tables.tables_of(user):
        services.table_events.changed(table.id)


@command(
    "language",
    port.ArgumentSpec(
        "language",
        gettext_noop("which one"),
        port.ArgumentKind.CHOICE,
        tuple(port.ArgumentChoice(code, LANGUAGES[code]) for code in LOCALES),
    ),
    rank=140,
    summary=gettext_noop("the language I use with you"),
    secret=True,
    people_only=True,
)
async def language(event: CommandEvent, services: Services) -> port.Reply:
    """Lists the languages, or chooses one for the asker."""
    args = event.command.args
    if not args:
        return await me.answer(replace(event, command=replace(event.command, args=("language",))), services)

    await _choose(LANGUAGE, args[0], event, services)
    translator = await services.people.translator_for(event.user.ref)
    return port.Reply(toast=translator.text("OK, English from now on."), language=translator.locale)


# --- completions of an argument ---------------------------------------------------------------------------


async def suggestions(
    typing: port.Typing, translator: Translator, services: Services
) -> Sequence[port.Suggestion]:
    """Returns the completions of an argument, the likeliest first; none for free text."""
    server = typing.room.server
    text = typing.text
    rule_book = services.rule_book

    match typing.argument:
        case "preset":
            default = await rule_book.default(server)
            names = sorted(await rule_book.names(server), key=lambda name: name != default)
            presets = preset_suggestions(names, text, translator)
            bots = bots_suggestions(text, translator) if typing.command == "durak" else []
            return [*presets[:1], *bots, *presets[1:]]
        case "options":
            try:
                rule_set = await rule_book.read(server, typing.others)
            except RefusedError:
                rule_set = await rule_book.read(server, ())

            return setting_suggestions(text, rule_set.rules, translator)
        case "change":
            variations = tuple(await rule_book.variations(server))
            names_here = await rule_book.names(server)
            settings = services.registry.settings.working_in(services.chats[server.platform].limits)
            return server_suggestions(settings, names_here, variations, text, translator)
        case "move":
            turn = await turn_of(typing.user.ref, typing.room, services)
            if turn is not None:
                return move_suggestions(text, turn.view, turn.moves, translator)

    return ()
