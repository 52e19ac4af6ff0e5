"""The mark that the fool wears: its text, its setting, and the reasons why it can't be worn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapters import port
from bot.locale import Translator, gettext_noop
from bot.model.buttons import CommandInPlace, GoUnmarked
from bot.model.server_choices import OFF, ON
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import safe_name, warning_text
from bot.screens.server import AROUND, choice_in_words
from bot.screens.server_settings import EXAMPLE_PLAYER, ServerSetting
from bot.screens.text import as_lines

MAX_MARK_LENGTH = 16  # characters that every chat accepts beside a name
MAX_BADGES = 12  # badges of a server that get a button; others are typed by id

# A test fails if a reason is missing.
TROUBLE: Mapping[port.BadgeTrouble, str] = {
    port.BadgeTrouble.NO_RIGHT: gettext_noop("The fool can't wear it: I need the right “{right}”."),
    port.BadgeTrouble.ABOVE: gettext_noop(
        "The fool can't wear it: that role stands above mine. Move mine up in the list of roles."
    ),
    port.BadgeTrouble.RANKED: gettext_noop("{name} is the fool, but {platform} lets no bot tag an admin."),
    port.BadgeTrouble.LEFT: gettext_noop("{name} can't wear it: they are no longer here."),
    port.BadgeTrouble.HAS_RIGHTS: gettext_noop(
        "The fool can't wear it: that role gives rights. Choose another one."
    ),
    port.BadgeTrouble.NO_BADGE: gettext_noop(
        "The fool can't wear it: that role is gone. Choose another one."
    ),
    port.BadgeTrouble.FULL: gettext_noop("There's no room for another role: choose one that exists."),
    port.BadgeTrouble.NOT_HERE: gettext_noop("Nothing can be worn in this chat."),
    port.BadgeTrouble.REFUSED: gettext_noop("The fool can't wear it: the chat refused it."),
}

UNMARKED = gettext_noop("OK, no mark for you from now on. /me changes that.")

# The sentence for `RANKED` if the reader is the fool.
YOU_ARE_RANKED = gettext_noop("you're the fool, but {platform} lets no bot tag an admin.")

# The reason why an admin may not choose a badge.
NOT_YOURS_TO_GIVE = gettext_noop(
    "To choose that role, you need “{right}” in the whole server, and a role above it."
)


def mark_button(translator: Translator) -> port.CallbackButton:
    """Returns the button with which the fool does without the mark."""
    return button_to(GoUnmarked(), translator.text("Don't mark me"))


def badge_name(translator: Translator) -> str:
    """Returns the name of the fool's badge."""
    return translator.text("fool")


def mark_of(streak: int, translator: Translator) -> str:
    """Returns the fool's mark, with the length of a streak; without emoji, which not every chat accepts."""
    name = badge_name(translator)
    return (f"{name} ×{streak}" if streak > 1 else name)[:MAX_MARK_LENGTH]


FOOLS_MARK = ServerSetting(
    name="worn",
    rank=70,
    label=gettext_noop("The fool wears it"),
    about=gettext_noop("The last fool wears a mark beside the name."),
    example=lambda translator: f"{EXAMPLE_PLAYER.name} · {mark_of(2, translator)}",
    has_own_screen=True,  # the screen shows obstacles
)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The reason why the mark isn't worn, with the values for its sentence."""

    trouble: port.BadgeTrouble
    right: str = ""  # the right that the bot lacks
    fool: str = ""  # the fool's name
    is_reader: bool = False  # whether the fool is the reader
    platform: str = ""


def trouble_text(obstacle: Obstacle, translator: Translator, *, chat: str = "") -> str:
    """Returns a warning about why the mark isn't worn, and its remedy; it names the `chat` if given."""
    is_own = obstacle.is_reader and obstacle.trouble is port.BadgeTrouble.RANKED
    reason = YOU_ARE_RANKED if is_own else TROUBLE[obstacle.trouble]
    sentence = translator.text(
        reason,
        right=right_text(obstacle.right, translator),
        name=safe_name(obstacle.fool) or translator.text("Player"),
        platform=obstacle.platform.capitalize(),
    )
    return warning_text(sentence, chat, translator)


def right_text(right: str, translator: Translator) -> str:
    """Returns the name of a right, as the chat's apps show it in this language."""
    return translator.text(right) if right else ""


def trouble_screen(
    obstacle: Obstacle, server: port.ServerRef, translator: Translator, chat: str
) -> port.Screen:
    """Reports the obstacle to the admin who switched the marks on; `chat` is the chat's name."""
    way = translator.spans("/settings there changes it.", mark=port.Mark.ITALIC)
    problem = (port.Span(trouble_text(obstacle, translator, chat=chat)),)
    return port.Screen(as_lines(problem, way), rows=_ways(obstacle.trouble, server, translator))


def _ways(
    trouble: port.BadgeTrouble | None, server: port.ServerRef, translator: Translator
) -> tuple[tuple[port.Button, ...], ...]:
    """Returns the button to give the bot a missing right; none for other troubles."""
    if trouble is not port.BadgeTrouble.NO_RIGHT:
        return ()
    return ((port.AddToGroupButton(translator.text("Give me the right"), marks=server),),)


@dataclass(frozen=True, slots=True)
class Choice:
    """A server's choice: the mark on or off, and its badge if admins choose one (`are_chosen`)."""

    server: port.ServerRef
    is_on: bool
    badge: str
    are_chosen: bool


def mark_screen(
    choice: Choice,
    offered: Sequence[port.OfferedBadge],
    translator: Translator,
    limits: port.Limits,
    *,
    trouble: port.BadgeTrouble | None = None,
    right: str = "",
) -> port.Screen:
    """Offers an admin to switch the mark on or off, and the badges of the chat if these are chosen.

    `trouble` is the current obstacle, if any; `right` is the right that the bot needs, in the chat's terms.
    """
    title = (port.Span(translator.text(FOOLS_MARK.label), port.Mark.BOLD),)
    explanation = translator.spans(
        "The last fool wears it for all to see, until another player loses. Then what was there before "
        "comes back."
    )
    now = choice_in_words(FOOLS_MARK, ON if choice.is_on else OFF, translator)
    state = (port.Span(f"{translator.text('Now')}: {now}"),)

    def button(value: str, label: str, *, is_now: bool) -> port.CallbackButton:
        token = CommandInPlace(f"settings worn {value}")
        tone = port.Tone.PRIMARY if is_now else port.Tone.NEUTRAL
        return button_to(token, label, tone)

    off = button(OFF, choice_in_words(FOOLS_MARK, OFF, translator), is_now=not choice.is_on)
    if choice.are_chosen:
        buttons = [off, button(ON, translator.text("Make a role for it"), is_now=False)]
        buttons += [
            button(badge.id, safe_name(badge.name), is_now=choice.is_on and badge.id == choice.badge)
            for badge in offered[:MAX_BADGES]
        ]
    else:
        buttons = [button(ON, choice_in_words(FOOLS_MARK, ON, translator), is_now=choice.is_on), off]

    back = button_to(CommandInPlace(f"settings {AROUND}"), translator.text("Back"))
    problem: tuple[port.Span, ...] = ()
    if trouble is not None:
        obstacle = Obstacle(trouble, right, platform=choice.server.platform)
        problem = (port.Span(trouble_text(obstacle, translator)),)

    rows = rows_of(buttons, [back], limits=limits, is_aligned=False)

    return port.Screen(
        as_lines(title, explanation, state, problem), rows=(*_ways(trouble, choice.server, translator), *rows)
    )
