"""What there is to do: `/help`, `/settings`, `/me`, and the question before `/forgetme`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from adapters.port import AddToGroupButton, Button, Limits, Mark, PinTrouble, Screen, Span, Tone
from bot.locale import LOCALES, Translator, gettext_noop
from bot.model import people
from bot.model.buttons import CommandInPlace, TypedCommand
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import preset_name
from bot.screens.settings import value_in_words
from bot.screens.text import LANGUAGES, as_lines, as_paragraphs

DESCRIPTION = gettext_noop(
    "Durak, the card game with one loser: the last player left with cards is the fool. "
    "Press Start to play against bots, or add me to a group to play with friends. "
    "Everybody sees the table, only you see your cards. /privacy tells what I keep."
)
SHORT_DESCRIPTION = gettext_noop("The card game Durak, with friends or against bots.")

SURE = "yes"  # the argument that confirms /forgetme

# What people want first, in this order.
_HELP: Sequence[tuple[str, str]] = (
    ("/durak", gettext_noop("play with friends here")),
    ("/durak bots", gettext_noop("play against bots now")),
    ("/durak 20:30", gettext_noop("announce a table for tonight")),
    ("/durak @anna", gettext_noop("invite a friend, and keep their seat")),
    ("/rules", gettext_noop("how to play")),
    ("/fool, /leaderboard, /stats", gettext_noop("who's the fool")),
    ("/settings, /me", gettext_noop("settings of this chat, and your own")),
)

_MORE = "/language /hand /hint /puzzle /review /verify /privacy /mydata /forgetme /stop"


def help_screen(translator: Translator) -> Screen:
    """Say what the game is about, what to type, and lead on by buttons."""
    lines = [(Span(command, Mark.BOLD), Span(f" · {translator.text(about)}")) for command, about in _HELP]
    more = translator.spans("More: {commands}", commands=_MORE)
    goal = translator.spans("Durak: don't be the last one holding cards.", mark=Mark.BOLD)
    rows: tuple[tuple[Button, ...], ...] = (
        (button_to(TypedCommand("durak bots"), translator.text("🤖 Play against bots"), Tone.PRIMARY),),
        (button_to(TypedCommand("rules full"), translator.text("How to play")),),
        (AddToGroupButton(translator.text("➕ Add me to your chat")),),
    )
    return Screen(body=as_paragraphs(goal, as_lines(*lines, more)), rows=rows)


# --- What people choose for themselves ---


@dataclass(frozen=True, slots=True)
class _OwnChoice:
    """What people read of a choice of `OWN_CHOICES`: its name, what it means, the words of its values."""

    name: str
    about: str
    words: Mapping[str, str]


_YES_NO = {people.OFF: gettext_noop("no"), people.ON: gettext_noop("yes")}

_OWN: Mapping[str, _OwnChoice] = {
    "turn": _OwnChoice(
        gettext_noop("🔔 When it's my turn"),
        gettext_noop(
            "At once: your cards come again in private when a new round needs you. After a while: only once "
            "the table has been waiting for you. Never in private: your cards stay at the table, too."
        ),
        {
            people.Calling.AT_ONCE: gettext_noop("notify at once"),
            people.Calling.LATER: gettext_noop("notify after a while"),
            people.Calling.TABLE: gettext_noop("only the table calls"),
            people.Calling.NEVER: gettext_noop("never in private"),
        },
    ),
    "company": _OwnChoice(
        gettext_noop("📣 The last company may call you"),
        gettext_noop(
            "Whoever opens a table can call those of the last game in that chat: one private message, never "
            "in quiet hours."
        ),
        _YES_NO,
    ),
    "language": _OwnChoice(
        gettext_noop("🗣 Your language"), gettext_noop("What I write to you alone."), LANGUAGES
    ),
    "order": _OwnChoice(
        gettext_noop("🃏 Your cards"),
        gettext_noop("Trumps come last either way."),
        {people.HandOrder.RANK: gettext_noop("by rank"), people.HandOrder.SUIT: gettext_noop("by suit")},
    ),
    "tap": _OwnChoice(
        gettext_noop("👆 One tap plays a card"), gettext_noop("Where it can mean one thing only."), _YES_NO
    ),
    "mark": _OwnChoice(
        gettext_noop("🏷 Wear the fool's mark"),
        gettext_noop("In chats where the last fool wears a mark beside the name."),
        _YES_NO,
    ),
}


def own_choices(limits: Limits) -> Mapping[str, Sequence[str]]:
    """Return what people can choose for themselves in a chat, with the values in their order."""
    values = {choice: tuple(own.words) for choice, own in _OWN.items()}
    if limits.boards:  # they lie before them, and nothing rings
        del values["turn"], values["mark"]
    else:
        del values["tap"]
        if not limits.ephemeral_seconds:  # the cards have no other place
            values["turn"] = values["turn"][:-1]
    return values


def own_screen(profile: people.Profile, limits: Limits, translator: Translator) -> Screen:
    """Show a person what they have chosen for themselves, with buttons to change it."""
    buttons = [
        button_to(
            TypedCommand(f"me {choice}"),
            f"{translator.text(_OWN[choice].name)}: {_own_value(choice, profile, translator)}",
        )
        for choice in own_choices(limits)
    ]
    return Screen(
        translator.spans("Your own settings, in all chats", mark=Mark.BOLD),
        rows=tuple((button,) for button in buttons),
    )


def own_choice_screen(choice: str, profile: people.Profile, limits: Limits, translator: Translator) -> Screen:
    """Let a person choose a value for themselves."""
    own, values = _OWN[choice], own_choices(limits)[choice]
    now = translator.locale if choice == "language" else profile.shown(choice)
    buttons = [
        button_to(
            TypedCommand(f"me {choice} {value}"),
            translator.text(own.words[value]) if own.words is not LANGUAGES else LANGUAGES[value],
            Tone.PRIMARY if value == now else Tone.NEUTRAL,
        )
        for value in values
    ]
    back = button_to(TypedCommand("me"), translator.text("Back"))
    title = (Span(translator.text(own.name), Mark.BOLD),)
    body = as_lines(title, translator.spans(own.about, mark=Mark.ITALIC))
    return Screen(body, rows=tuple((button,) for button in (*buttons, back)))


def _own_value(choice: str, profile: people.Profile, translator: Translator) -> str:
    if choice == "language":
        return LANGUAGES[translator.locale]
    return translator.text(_OWN[choice].words[profile.shown(choice)])


def privacy_screen(owner: people.Owner, translator: Translator) -> Screen:
    """Shows in short what is kept about people, how they see and delete it, and whom they can ask."""
    kept = (
        gettext_noop("Your id, names, language and choices under /me: to seat you and to speak to you."),
        gettext_noop(
            "Every deal and move, your results and solved puzzles, and games with real cards: "
            "for statistics, and to go on after a restart."
        ),
        gettext_noop("Who is invited or wants to be called, until that's over."),
        gettext_noop("I don't keep what people write to each other in Discord or Telegram."),
        gettext_noop("Whoever runs this bot can read its database; I send nothing to anybody but the chats."),
        gettext_noop(
            "/mydata sends you all of it. /forgetme deletes it: then your games count for “a player”."
        ),
    )
    title = translator.spans("What I keep about you", mark=Mark.BOLD)
    contact = translator.spans("Questions: {contact}", contact=owner.contact) if owner.contact else ()
    whole = translator.spans("In full: {address}", address=owner.privacy_url) if owner.privacy_url else ()
    points = as_lines(*((Span(f"• {translator.text(each)}"),) for each in kept))
    return Screen(body=as_paragraphs(title, points, as_lines(contact, whole)))


def forget_screen(translator: Translator, *, has_button: bool) -> Screen:
    """Ask before a person is forgotten."""
    told = translator.spans(
        "This can't be undone: your name leaves all tallies, your games count for “a player”, "
        "and a bot takes your seat."
    )
    if not has_button:
        typed = translator.spans("If you're sure, type /forgetme {yes}", yes=SURE)
        return Screen(as_lines(told, typed))
    yes = button_to(TypedCommand(f"forgetme {SURE}"), translator.text("Forget me"), Tone.DANGER)
    return Screen(told, rows=((yes,),))


# --- What a server plays ---


# What can be changed by /settings, in the words of a button.
SERVER_SETTINGS: Mapping[str, str] = {
    "default": gettext_noop("Rules"),
    "language": gettext_noop("Language"),
    "timezone": gettext_noop("Time zone"),
    "view": gettext_noop("Tables"),
    "style": gettext_noop("Pictures"),
    "teasing": gettext_noop("Teasing"),
    "worn": gettext_noop("The fool wears it"),
    "week": gettext_noop("Week in review"),
    "titles": gettext_noop("Firsts and titles"),
    "puzzle": gettext_noop("Puzzle of the day"),
    "cards": gettext_noop("📇 Games with real cards"),
    "pins": gettext_noop("📌 Pin the table"),
    "quiet": gettext_noop("Quiet hours"),
    "delete": gettext_noop("Delete saved rules"),
    "save": gettext_noop("Saved"),
}

OWN_LANGUAGE = "own"  # what is typed for a chat in which everybody is spoken to in their own language

# Time zones on buttons: where a language is spoken most, then one for each of the others; more are typed.
_ZONES: Mapping[str, tuple[str, ...]] = {
    "en": ("Europe/London", "America/New_York", "America/Chicago", "America/Los_Angeles", "Australia/Sydney"),
    "ru": ("Europe/Moscow", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Asia/Almaty", "Asia/Tbilisi"),
    "uk": ("Europe/Kyiv", "Europe/Warsaw", "Europe/Prague"),
    "de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"),
    "lt": ("Europe/Vilnius", "Europe/London", "Europe/Oslo"),
}

HOME_CLOSED = gettext_noop(
    "⚠️ I can't write in that chat any more: let me, or switch it on again where I can."
)

AROUND = "around"  # what opens the choices about what happens between games


@dataclass(frozen=True, slots=True)
class ServerState:
    """What a chat has chosen, `default` to play, and has saved, some of it `unplayable` today."""

    choices: people.ServerChoices
    default: str
    saved: Sequence[str] = ()
    unplayable: Sequence[str] = ()

    def chosen(self, setting: str) -> str:
        """Return what is chosen, as it is typed."""
        choices = self.choices
        if setting in people.SERVER_CHOICES:
            return choices.shown(setting)
        return {
            "default": self.default,
            "language": choices.locale or OWN_LANGUAGE,
            "timezone": choices.local_time.zone.key,
        }.get(setting, "")


def server_screen(state: ServerState, translator: Translator, limits: Limits | None = None) -> Screen:
    """Show what a chat plays and how; with `limits`, with buttons for an admin."""

    def told(setting: str) -> str:
        return choice_in_words(setting, state.chosen(setting), translator)

    def named(setting: str) -> str:
        return f"{translator.text(SERVER_SETTINGS[setting])}: {told(setting)}"

    saved = [
        translator.text("⚠️ {name} can't be played any more", name=name) if name in state.unplayable else name
        for name in state.saved
    ]
    how = (named("language"), told("timezone"), told("view"), told("style"), named("teasing"))
    body = [
        translator.spans("This chat plays {name}.", mark=Mark.BOLD, name=told("default")),
        (Span(" · ".join(how)),),
        translator.spans("Saved here: {names}", names=" · ".join(saved)) if saved else (),
        translator.spans("Other rules: type /durak and choose.", mark=Mark.ITALIC),
    ]
    if limits is None:
        return Screen(as_lines(*body))
    body.append(
        translator.spans(
            "/settings save NAME keeps the rules of the table here, or those you type after it.",
            mark=Mark.ITALIC,
        )
    )
    buttons = [
        button_to(
            CommandInPlace(f"settings {setting}"),
            translator.text(SERVER_SETTINGS[setting]) if setting == "delete" else named(setting),
        )
        for setting in SERVER_SETTINGS
        if setting not in {"save", *people.AROUND_THE_GAME} and (setting != "delete" or saved)
    ]
    buttons.append(button_to(CommandInPlace(f"settings {AROUND}"), translator.text("🎭 Around the game")))
    return Screen(as_lines(*body), rows=rows_of(buttons, limits=limits, is_aligned=False))


def around_screen(
    state: ServerState, offered: Sequence[str], limits: Limits, translator: Translator
) -> Screen:
    """Show an admin what happens between games, with buttons to change what is `offered` in this chat."""
    title = (Span(translator.text("🎭 Around the game"), Mark.BOLD),)
    home = translator.spans("Automatic posts go where you last switched them on.", mark=Mark.ITALIC)
    closed = (Span(translator.text(HOME_CLOSED)),) if state.choices.home_closed else ()
    buttons = [
        button_to(
            CommandInPlace(f"settings {setting}"),
            f"{translator.text(SERVER_SETTINGS[setting])}: "
            f"{choice_in_words(setting, state.chosen(setting), translator)}",
        )
        for setting in offered
    ]
    back = button_to(CommandInPlace("settings"), translator.text("Back"))
    rows = rows_of(buttons, [back], limits=limits, is_aligned=False)
    return Screen(as_lines(title, home, closed), rows=rows)


def home_closed_screen(setting: str, translator: Translator) -> Screen:
    """Tell who switched something on that the chat for it takes no messages."""
    title = (Span(translator.text(SERVER_SETTINGS[setting]), Mark.BOLD),)
    return Screen(as_lines(title, (Span(translator.text(HOME_CLOSED)),)))


def server_choice_screen(
    setting: str, state: ServerState, names: Collection[str], limits: Limits, translator: Translator
) -> Screen:
    """Let an admin choose a value of a setting of the chat; `names` are the rules one can play."""
    now = state.chosen(setting)
    values = {
        "default": names,
        "delete": state.saved,
        "language": (OWN_LANGUAGE, *LOCALES),
        "timezone": _zones_for(translator.locale, now),
        **people.SERVER_CHOICES,
    }[setting]
    tokens = {value: CommandInPlace(f"settings {setting} {value}") for value in values}
    buttons = [
        button_to(
            token, choice_in_words(setting, value, translator), Tone.PRIMARY if value == now else Tone.NEUTRAL
        )
        for value, token in tokens.items()
        if token.fits
    ]
    behind = f"settings {AROUND}" if setting in people.AROUND_THE_GAME else "settings"
    back = button_to(CommandInPlace(behind), translator.text("Back"))
    typed = translator.spans("Or type: {command}", mark=Mark.ITALIC, command=f"/settings {setting} …")
    title = (Span(translator.text(SERVER_SETTINGS[setting]), Mark.BOLD),)
    return Screen(as_lines(title, typed), rows=rows_of(buttons, [back], limits=limits))


def choice_in_words(setting: str, value: str, translator: Translator) -> str:
    """Name a value of a setting of the chat."""
    match setting:
        case "default":
            return preset_name(value, translator)
        case "language":
            return LANGUAGES.get(value) or translator.text("each player's own")
        case "quiet" if (hours := people.quiet_hours(value)) is not None:
            return "{:02}:00–{:02}:00".format(*hours)
        case _ if setting in people.SERVER_CHOICES:
            return value_in_words(setting, value, translator)
    return value


def _zones_for(locale: str, chosen: str) -> tuple[str, ...]:
    """Return the time zones that speakers of a language are likely to choose."""
    others = (zones[0] for zones in _ZONES.values())
    return tuple(dict.fromkeys((*_ZONES.get(locale, ()), *others, "UTC", chosen)))


# Why tables are not pinned; a test fails on a missing one.
PINS_REFUSED: Mapping[PinTrouble, str] = {
    PinTrouble.NO_RIGHT: gettext_noop("⚠️ I can't pin tables: I need the right “{right}”."),
    PinTrouble.FULL: gettext_noop("⚠️ I can't pin tables: too many messages are pinned."),
    PinTrouble.REFUSED: gettext_noop("⚠️ I can't pin tables: the chat refused it."),
}


def pins_refused_screen(trouble: PinTrouble, right: str, translator: Translator) -> Screen:
    """Tell the admin who switched pins on why they are off again."""
    again = translator.spans("Pins are off; /settings there turns them on.", mark=Mark.ITALIC)
    refusal = translator.text(PINS_REFUSED[trouble], right=translator.text(right))
    return Screen(as_lines((Span(refusal),), again))


def changed_screen(setting: str, value: str, translator: Translator) -> Screen:
    """Tell everybody in one line what was changed."""
    told = f"⚙️ {translator.text(SERVER_SETTINGS[setting])}: {choice_in_words(setting, value, translator)}"
    return Screen((Span(told),))
