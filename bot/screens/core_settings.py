"""The settings of a server that every bot has."""

from dataclasses import replace

from adapters.port import Limits
from bot.locale import Translator, gettext_noop
from bot.model.server_choices import NIGHT, OFF, PICTURE, ServerChoices
from bot.screens import calls
from bot.screens.fools_mark import FOOLS_MARK
from bot.screens.server_settings import EXAMPLE_PLAYER, OF_LOOKS, OF_RULES, OF_TEXTS, ServerSetting
from bot.screens.standings import fool_screen
from bot.screens.text import plain_text

DEFAULT = ServerSetting(
    name="default",
    values=(),
    rank=10,
    label=gettext_noop("Rules"),
    heading=OF_RULES,
)

LANGUAGE = ServerSetting(
    name="language",
    values=(),
    rank=20,
    label=gettext_noop("Language"),
    heading=OF_TEXTS,
)

TIME_ZONE = ServerSetting(
    name="timezone",
    values=(),
    rank=30,
    label=gettext_noop("Time zone"),
    about=gettext_noop("For appointments, and for the day on which a week begins."),
    heading=OF_TEXTS,
)

VIEW = ServerSetting(
    name="view",
    values=(PICTURE, "text"),
    rank=40,
    label=gettext_noop("Display"),
    words={PICTURE: gettext_noop("picture"), "text": gettext_noop("text")},
    about=gettext_noop("A table is shown as a picture, or as plain text."),
    heading=OF_LOOKS,
    works_in=lambda limits: limits.pictures,
)

STYLE = ServerSetting(
    name="style",
    values=("dark", "light"),
    rank=50,
    label=gettext_noop("Background"),
    words={"dark": gettext_noop("dark"), "light": gettext_noop("light")},
    about=gettext_noop("In pictures of a table."),
    heading=OF_LOOKS,
    works_in=lambda limits: limits.pictures,
)

TOGETHER = "together"
APART = "apart"

CARDS = ServerSetting(
    name="cards",
    values=(TOGETHER, APART),
    rank=130,
    label=gettext_noop("📇 Games with real cards"),
    words={TOGETHER: gettext_noop("counted together"), APART: gettext_noop("counted apart")},
    about=gettext_noop("Whether games entered by /fool add count together with those played here."),
    example=lambda translator: plain_text(fool_screen([EXAMPLE_PLAYER], "", translator).body).strip(),
)


def _fools_with_cheating(translator: Translator) -> str:
    standing = replace(EXAMPLE_PLAYER, cards=0, cheating=2)
    return plain_text(fool_screen([standing], "", translator).body).strip()


CHEATING = ServerSetting(
    name="cheats",
    values=(TOGETHER, APART),
    rank=135,
    label=gettext_noop("🤫 Games with cheating"),
    words=CARDS.words,
    about=gettext_noop("Whether games in which you may cheat count together with the others."),
    example=_fools_with_cheating,
)


def _pinned_table(translator: Translator) -> str:
    led = translator.text(
        "⏳ {attacker} leads against {defender}.", attacker="Anna", defender=EXAMPLE_PLAYER.name
    )
    return f"📌 {led}"


PINS = ServerSetting(
    name="pins",
    rank=150,
    label=gettext_noop("📌 Pin the table"),
    about=gettext_noop("The table stays pinned, without a sound, until its game is over."),
    example=_pinned_table,
    works_in=lambda limits: bool(limits.pin_right),
)

QUIET = ServerSetting(
    name="quiet",
    values=(NIGHT, "23-9", "0-7", OFF),
    rank=160,
    label=gettext_noop("Quiet hours"),
    words={OFF: gettext_noop("none")},
    about=gettext_noop(
        "Nobody is called to a table in these hours, not even by name, and nothing is posted by itself. "
        "At other times there's one such call for each person in half an hour."
    ),
    example=lambda translator: f"📣 {translator.text(calls.QUIET)}",
)

DELETE = ServerSetting(
    name="delete",
    values=(),
    rank=170,
    label=gettext_noop("Delete saved rules"),
    heading=OF_RULES,
)

SAVE = ServerSetting(name="save", values=(), rank=180, label=gettext_noop("Saved"))

CORE_SETTINGS = (
    DEFAULT,
    LANGUAGE,
    TIME_ZONE,
    VIEW,
    STYLE,
    FOOLS_MARK,
    CARDS,
    CHEATING,
    PINS,
    QUIET,
    DELETE,
    SAVE,
)


def wants_pins(choices: ServerChoices, limits: Limits) -> bool:
    """Returns whether a server pins its tables, and its chat can."""
    return PINS.works_in(limits) and choices.wants(PINS)
