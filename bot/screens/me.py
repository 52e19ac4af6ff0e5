"""A person's own settings under /me, the screens about their data, and the question before /forgetme."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

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
from bot.model.buttons import TypedCommand
from bot.model.owner import Owner
from bot.model.profile import Calling, HandOrder, Profile
from bot.model.server_choices import OFF, ON
from bot.screens.keyboard import Rows, button_to, in_menu, in_rows, in_settings_menu, listed
from bot.screens.text import LANGUAGES, Line, as_lines, as_paragraphs

SURE = "yes"  # the argument that confirms /forgetme
ROOM_AROUND_DATA = 200  # characters reserved for the title of a page of data, and for the next command


YES_NO = {OFF: gettext_noop("no"), ON: gettext_noop("yes")}


def _everywhere(words: Sequence[str], _limits: Limits) -> Sequence[str]:
    return words


def _without_boards(words: Sequence[str], limits: Limits) -> Sequence[str]:
    return () if limits.boards else words


def _where_it_rings(words: Sequence[str], limits: Limits) -> Sequence[str]:
    """Returns the words for where a turn may ring in a chat; none if there is no choice.

    There is none in chats without edits, where each turn is a new message anyway, and in chats with boards.
    The last word needs a chat that can show cards in the group.
    """
    if not limits.edits:
        return ()
    return _without_boards(words if limits.ephemeral_seconds else words[:-1], limits)


def _with_boards(words: Sequence[str], limits: Limits) -> Sequence[str]:
    return words if limits.boards else ()


def _with_portraits(words: Sequence[str], limits: Limits) -> Sequence[str]:
    return words if limits.portraits else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChoice:
    """A person's own setting, for all chats.

    Attributes:
        name: The word after `/me`.
        column: Its field in `Profile`, and its column in the database.
        label: Its name on buttons.
        about: A sentence that explains it.
        words: The names of its values.
        offered: Returns the values that make sense in a chat; none if the chat doesn't offer it.
    """

    name: str
    column: str
    label: str
    about: str
    words: Mapping[str, str] = field(default_factory=lambda: YES_NO)
    offered: Callable[[Sequence[str], Limits], Sequence[str]] = _everywhere

    @property
    def is_switch(self) -> bool:
        """Whether its only values are on and off."""
        return self.words is YES_NO

    def values(self, limits: Limits) -> Sequence[str]:
        """Returns the values that a chat offers, in order."""
        return self.offered(tuple(self.words), limits)

    def value(self, profile: Profile) -> str:
        """Returns a person's choice in its typed form; the first value if they have made none."""
        choice = getattr(profile, self.column)
        if isinstance(choice, bool):
            return (OFF, ON)[choice]

        return str(choice) if choice in self.words else next(iter(self.words))

    def as_kept(self, value: str) -> str | bool:
        """Converts a typed value to its form in `Profile`."""
        return value == ON if self.is_switch else value


LANGUAGE = OwnChoice(
    name="language",
    column="language",
    label=gettext_noop("🗣 Your language"),
    about=gettext_noop("The bot's language in all that only you see."),
    words=LANGUAGES,
)
PORTRAIT = OwnChoice(
    name="picture",
    column="shows_portrait",
    label=gettext_noop("🖼 Your profile picture"),
    about=gettext_noop(
        "At your seat when a table is open as a page, and beside your name in the picture of a result."
    ),
    offered=_with_portraits,
)
MARK = OwnChoice(
    name="mark",
    column="wears_mark",
    label=gettext_noop("🏷 Wear the fool's mark"),
    about=gettext_noop("In chats where the last fool wears a mark beside the name."),
    offered=_without_boards,
)

# In the order in which they are shown.
OWN_CHOICES = (
    OwnChoice(
        name="turn",
        column="calling",
        label=gettext_noop("🔔 When it's my turn"),
        about=gettext_noop(
            "At once: your cards come again in private when a new round needs you. After a while: only once "
            "the table has been waiting for you. Only the table: it calls you in the chat, and nothing comes "
            "again in private. Never in private: your cards stay at the table, too."
        ),
        words={
            Calling.AT_ONCE: gettext_noop("notify at once"),
            Calling.LATER: gettext_noop("notify after a while"),
            Calling.TABLE: gettext_noop("only the table calls"),
            Calling.NEVER: gettext_noop("never in private"),
        },
        offered=_where_it_rings,
    ),
    OwnChoice(
        name="company",
        column="company",
        label=gettext_noop("📣 Others may call you to play"),
        about=gettext_noop(
            "Whoever opens the next table after your game can call you: in private, once in half an "
            "hour at most, and never in quiet hours."
        ),
    ),
    LANGUAGE,
    OwnChoice(
        name="order",
        column="hand_order",
        label=gettext_noop("🃏 Order of your cards"),
        about=gettext_noop("Trumps come last either way."),
        words={
            HandOrder.RANK: gettext_noop("by rank"),
            HandOrder.SUIT: gettext_noop("by suit"),
        },
    ),
    OwnChoice(
        name="tap",
        column="one_tap",
        label=gettext_noop("👆 One tap plays a card"),
        about=gettext_noop("When there is only one move with it. You can undo it for two seconds."),
        offered=_with_boards,
    ),
    PORTRAIT,
    MARK,
)


def own_choices(limits: Limits) -> Mapping[str, OwnChoice]:
    """Returns the personal settings that a chat offers, by their names."""
    return {choice.name: choice for choice in OWN_CHOICES if choice.values(limits)}


def own_screen(profile: Profile, limits: Limits, translator: Translator) -> Screen:
    """Renders a person's own settings, with buttons to change them."""
    title = translator.spans("Your own settings, everywhere", mark=Mark.BOLD)
    lines = tuple(_own_line(choice, profile, translator) for choice in own_choices(limits).values())
    buttons = [CallbackButton(line.token, f"{line.name}: {line.value}") for line in lines]

    return Screen(
        as_paragraphs(title, listed([button.label for button in buttons], limits)),
        rows=_list_rows(in_settings_menu(buttons, translator), limits),
        facts=SettingList(title, (SettingGroup("", lines),)),
    )


def _own_line(choice: OwnChoice, profile: Profile, translator: Translator) -> SettingLine:
    is_on = choice.is_switch and choice.value(profile) == ON
    other = OFF if is_on else ON
    switch = str(TypedCommand(f"me {choice.name} {other}")) if choice.is_switch else ""

    return SettingLine(
        translator.text(choice.label),
        _name_of(_value_now(choice, profile, translator), choice, translator),
        str(TypedCommand(f"me {choice.name}")),
        translator.text(choice.about),
        switch=switch,
        is_on=is_on,
    )


def own_choice_screen(choice: OwnChoice, profile: Profile, limits: Limits, translator: Translator) -> Screen:
    """Offers the values of a personal setting."""
    now = _value_now(choice, profile, translator)
    buttons = list[CallbackButton]()

    for value in choice.values(limits):
        tone = Tone.PRIMARY if value == now else Tone.NEUTRAL
        label = _name_of(value, choice, translator)
        buttons.append(button_to(TypedCommand(f"me {choice.name} {value}"), label, tone))

    back = button_to(TypedCommand("me"), translator.text("Back"))
    title = (Span(translator.text(choice.label), Mark.BOLD),)
    body = as_lines(title, translator.spans(choice.about, mark=Mark.ITALIC))

    values = in_menu(buttons, translator.text(choice.label))
    return Screen(body, rows=(*_list_rows(values, limits), (back,)))


def _list_rows(buttons: Sequence[CallbackButton], limits: Limits) -> Rows:
    """Lays out choices one below the other, or as a menu."""
    return in_rows(buttons, limits.menu or 1)


def _value_now(choice: OwnChoice, profile: Profile, translator: Translator) -> str:
    """Returns the current value; for the language, what the person reads, even if they chose none."""
    return translator.locale if choice is LANGUAGE else choice.value(profile)


def _name_of(value: str, choice: OwnChoice, translator: Translator) -> str:
    name = choice.words[value]
    return name if choice is LANGUAGE else translator.text(name)


def privacy_screen(owner: Owner, translator: Translator) -> Screen:
    """Summarises the data kept about people and their rights, with the owner's contact."""
    facts = (
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
    points = as_lines(*((Span(f"• {translator.text(point)}"),) for point in facts))

    return Screen(body=as_paragraphs(title, points, as_lines(contact, whole)))


ALL_DATA = gettext_noop("Everything that is kept about you. /forgetme ends it.")


def data_screen(data: Mapping[str, Sequence[str]], translator: Translator) -> Screen:
    """Lists the kinds of data about a person, each with the number of its rows."""
    kinds = [(Span(f"{number}. {kind}: {len(data[kind])}"),) for number, kind in enumerate(data, start=1)]
    title = translator.spans(ALL_DATA)
    way = (
        translator.spans("To read one of these, type /mydata and its number.", mark=Mark.ITALIC)
        if kinds
        else ()
    )
    return Screen(as_paragraphs(title, as_lines(*kinds), way))


def data_page(
    kind: int, page: int, data: Mapping[str, Sequence[str]], limits: Limits, translator: Translator
) -> Screen:
    """Renders a page of the rows of one kind of data.

    `kind` is its number in `data_screen`, from 1. A `page` after the last shows the last.
    """
    name, rows = list(data.items())[kind - 1]
    size = limits.body - ROOM_AROUND_DATA
    text = "\n".join(rows)
    pages = [text[start : start + size] for start in range(0, len(text), size)]
    page = max(1, min(page, len(pages)))

    more: Line = ()
    if page < len(pages):
        more = translator.spans("To read on: {command}", command=f"/mydata {kind} {page + 1}")

    title = (Span(f"{kind}. {name} ({page}/{len(pages)})", Mark.BOLD),)
    return Screen(as_paragraphs(title, (Span(pages[page - 1]),), more))


def forget_screen(translator: Translator, *, has_button: bool) -> Screen:
    """Asks for confirmation before deleting a person's data, by a button or by a typed command."""
    warning = translator.spans(
        "This can't be undone: your name leaves all tallies, your games count for “a player”, "
        "and a bot takes your seat."
    )

    if not has_button:
        instruction = translator.spans("If you're sure, type /forgetme {yes}", yes=SURE)
        return Screen(as_lines(warning, instruction))

    yes = button_to(TypedCommand(f"forgetme {SURE}"), translator.text("Forget me"), Tone.DANGER)
    return Screen(warning, rows=((yes,),))
