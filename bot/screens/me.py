"""A person's own settings under /me, their privacy, and the question before /forgetme."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapters.port import (
    CallbackButton,
    Limits,
    Mark,
    Screen,
    SettingGroup,
    SettingLine,
    SettingList,
    Span,
    Tone,
)
from bot.locale import Translator, gettext_noop
from bot.model import people
from bot.model.buttons import TypedCommand
from bot.screens.keyboard import button_to
from bot.screens.text import LANGUAGES, as_lines, as_paragraphs

SURE = "yes"  # the argument that confirms /forgetme


@dataclass(frozen=True, slots=True)
class _OwnChoice:
    """The wording of a choice of `OWN_CHOICES`: its name, its meaning, and its values."""

    name: str
    about: str
    words: Mapping[str, str]


_YES_NO = {people.OFF: gettext_noop("no"), people.ON: gettext_noop("yes")}

_OWN: Mapping[str, _OwnChoice] = {
    "turn": _OwnChoice(
        gettext_noop("🔔 When it's my turn"),
        gettext_noop(
            "At once: your cards come again in private when a new round needs you. After a while: only once "
            "the table has been waiting for you. Only the table: it calls you in the chat, and nothing comes "
            "again in private. Never in private: your cards stay at the table, too."
        ),
        {
            people.Calling.AT_ONCE: gettext_noop("notify at once"),
            people.Calling.LATER: gettext_noop("notify after a while"),
            people.Calling.TABLE: gettext_noop("only the table calls"),
            people.Calling.NEVER: gettext_noop("never in private"),
        },
    ),
    "company": _OwnChoice(
        gettext_noop("📣 Others may call you to play"),
        gettext_noop(
            "Whoever opens a table can call those of the last game in that chat: in private, once in half an "
            "hour at most, and never in quiet hours."
        ),
        _YES_NO,
    ),
    "language": _OwnChoice(
        gettext_noop("🗣 Your language"),
        gettext_noop("The bot's language in all that only you see."),
        LANGUAGES,
    ),
    "order": _OwnChoice(
        gettext_noop("🃏 Order of your cards"),
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
    """Returns the personal choices offered in a chat, with their values in order."""
    values = {choice: tuple(own.words) for choice, own in _OWN.items()}
    if limits.boards:  # such a chat shows cards at once, and doesn't notify
        del values["turn"], values["mark"]
    else:
        del values["tap"]
        if not limits.ephemeral_seconds:  # cards have no other place there
            values["turn"] = values["turn"][:-1]

    return values


def own_screen(profile: people.Profile, limits: Limits, translator: Translator) -> Screen:
    """Renders a person's own settings, with buttons to change them."""
    title = translator.spans("Your own settings, in all chats", mark=Mark.BOLD)
    lines = tuple(_own_line(choice, profile, translator) for choice in own_choices(limits))
    buttons = [CallbackButton(line.token, f"{line.name}: {line.value}") for line in lines]

    return Screen(
        title,
        rows=tuple((button,) for button in buttons),
        drawn=SettingList(title, (SettingGroup("", lines),)),
    )


def _own_line(choice: str, profile: people.Profile, translator: Translator) -> SettingLine:
    own = _OWN[choice]
    is_switch = own.words is _YES_NO
    is_on = is_switch and profile.shown(choice) == people.ON
    other = people.OFF if is_on else people.ON
    switch = str(TypedCommand(f"me {choice} {other}")) if is_switch else ""

    return SettingLine(
        translator.text(own.name),
        _own_value(choice, profile, translator),
        str(TypedCommand(f"me {choice}")),
        translator.text(own.about),
        switch=switch,
        is_on=is_on,
    )


def own_choice_screen(choice: str, profile: people.Profile, limits: Limits, translator: Translator) -> Screen:
    """Offers the values of a personal setting."""
    own = _OWN[choice]
    values = own_choices(limits)[choice]
    now = translator.locale if choice == "language" else profile.shown(choice)
    buttons = list[CallbackButton]()

    for value in values:
        label = LANGUAGES[value] if own.words is LANGUAGES else translator.text(own.words[value])
        tone = Tone.PRIMARY if value == now else Tone.NEUTRAL
        buttons.append(button_to(TypedCommand(f"me {choice} {value}"), label, tone))

    back = button_to(TypedCommand("me"), translator.text("Back"))
    title = (Span(translator.text(own.name), Mark.BOLD),)
    body = as_lines(title, translator.spans(own.about, mark=Mark.ITALIC))

    return Screen(body, rows=tuple((button,) for button in (*buttons, back)))


def _own_value(choice: str, profile: people.Profile, translator: Translator) -> str:
    if choice == "language":
        return LANGUAGES[translator.locale]
    return translator.text(_OWN[choice].words[profile.shown(choice)])


def privacy_screen(owner: people.Owner, translator: Translator) -> Screen:
    """Summarises the data kept about people, their rights, and the contact."""
    kept = (
        gettext_noop("Your id, names, language and choices under /me: to seat you and to speak to you."),
        gettext_noop(
            "Every deal and move, your results, bets and solved puzzles, and games with real cards: "
            "for statistics, and to go on after a restart."
        ),
        gettext_noop("Who is invited or wants to be called, until that's over."),
        gettext_noop("I don't keep what people write to each other in Discord or Telegram."),
        gettext_noop(
            "Whoever runs this bot can read its database. Data goes to the chats alone; "
            "machines that think for me get cards, and no names."
        ),
        gettext_noop(
            "/mydata sends you all of it. /forgetme deletes it: then your games count for “a player”."
        ),
    )
    title = translator.spans("What I keep about you", mark=Mark.BOLD)
    contact = translator.spans("Questions: {contact}", contact=owner.contact) if owner.contact else ()
    whole = translator.spans("In full: {address}", address=owner.privacy_url) if owner.privacy_url else ()
    points = as_lines(*((Span(f"• {translator.text(point)}"),) for point in kept))

    return Screen(body=as_paragraphs(title, points, as_lines(contact, whole)))


def forget_screen(translator: Translator, *, has_button: bool) -> Screen:
    """Asks for confirmation before deleting a person's data."""
    warning = translator.spans(
        "This can't be undone: your name leaves all tallies, your games count for “a player”, "
        "and a bot takes your seat."
    )

    if not has_button:
        typed = translator.spans("If you're sure, type /forgetme {yes}", yes=SURE)
        return Screen(as_lines(warning, typed))

    yes = button_to(TypedCommand(f"forgetme {SURE}"), translator.text("Forget me"), Tone.DANGER)
    return Screen(warning, rows=((yes,),))
