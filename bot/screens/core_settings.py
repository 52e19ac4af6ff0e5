"""The settings of a server that every bot has."""

from bot.locale import Translator, gettext_noop
from bot.model.people import NIGHT, OFF, ON, PICTURE
from bot.model.results import Title
from bot.screens import calls, puzzles
from bot.screens.bets import SAW_IT_COMING
from bot.screens.cup import WINS_CUP
from bot.screens.result import TURNING
from bot.screens.server_settings import BORIS, OF_LOOKS, OF_RULES, OF_TEXTS, ServerSetting
from bot.screens.standings import fool_screen, games_lost_text
from bot.screens.text import cards_text, plain_text
from bot.screens.titles import new_titles_line
from bot.screens.week import FOOL_OF_THE_WEEK
from bot.screens.worn import FOOLS_MARK
from engine import Card, Rank, Suit

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
    label=gettext_noop("Tables"),
    words={PICTURE: gettext_noop("pictures"), "text": gettext_noop("text")},
    about=gettext_noop("Shown as a picture, or as plain text."),
    heading=OF_LOOKS,
)

STYLE = ServerSetting(
    name="style",
    values=("dark", "light"),
    rank=50,
    label=gettext_noop("Pictures"),
    words={"dark": gettext_noop("dark"), "light": gettext_noop("light")},
    about=gettext_noop("The background of these pictures."),
    heading=OF_LOOKS,
)

TEASING = ServerSetting(
    name="teasing",
    values=(ON, OFF),
    rank=60,
    label=gettext_noop("Teasing"),
    about=gettext_noop("A joke now and then beside the table."),
    heading=OF_TEXTS,
)


def _pinned_table(translator: Translator) -> str:
    led = translator.text("⏳ {attacker} leads against {defender}.", attacker="Anna", defender=BORIS.name)
    return f"📌 {led}"


PINS = ServerSetting(
    name="pins",
    rank=150,
    label=gettext_noop("📌 Pin the table"),
    about=gettext_noop("The table stays pinned, without a sound, until its game is over."),
    example=_pinned_table,
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


# --- TO MOVE ---


def _turning_example(translator: Translator) -> str:
    taken = [Card(Suit.SPADES, Rank.KING), Card(Suit.HEARTS, Rank.KING)]
    move = translator.text("{name} takes {cards}.", name=BORIS.name, cards=cards_text(taken, translator))
    return translator.text(TURNING, n=7, move=move)


WEEK = ServerSetting(
    name="week",
    rank=80,
    label=gettext_noop("Week in review"),
    about=gettext_noop("On Sunday evening: the fool of the week, streaks and rivals."),
    example=lambda translator: translator.text(
        FOOL_OF_THE_WEEK, name=BORIS.name, share=games_lost_text(BORIS, translator)
    ),
    is_news=True,
)
TITLES = ServerSetting(
    name="titles",
    rank=90,
    label=gettext_noop("Firsts and titles"),
    about=gettext_noop("Results tell the firsts and titles that a game has brought."),
    example=lambda translator: plain_text(
        new_titles_line({Title.THREE_IN_A_ROW: [0]}, [BORIS.name], translator)
    ),
)
TURN = ServerSetting(
    name="turning",
    rank=100,
    label=gettext_noop("Turn of the game"),
    about=gettext_noop("Results name the fool's move that decided the game, where an expert is sure."),
    example=_turning_example,
)
BETS = ServerSetting(
    name="bets",
    rank=110,
    label=gettext_noop("🔮 Bets on the fool"),
    about=gettext_noop(
        "While a game is on, anybody can bet for honour, once and in private, on the fool. "
        "The result names those who saw it coming."
    ),
    example=lambda translator: translator.text(SAW_IT_COMING, names="Anna"),
)
PUZZLE = ServerSetting(
    name="puzzle",
    rank=120,
    label=gettext_noop("Puzzle of the day"),
    about=gettext_noop("Every day an ending with one winning move."),
    example=lambda translator: f"{translator.text(puzzles.OF_THE_DAY)}: {translator.text(puzzles.TASK)}",
    is_news=True,
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
    example=lambda translator: plain_text(fool_screen([BORIS], "", translator).body).strip(),
)
CUPS = ServerSetting(
    name="cups",
    values=(ON, OFF),
    rank=140,
    label=gettext_noop("🏆 Cup evenings"),
    about=gettext_noop("Whether /cup gathers four to sixteen people for two rounds and a final."),
    example=lambda translator: translator.text(WINS_CUP, name="Anna"),
)

CORE_SETTINGS = (
    DEFAULT,
    LANGUAGE,
    TIME_ZONE,
    VIEW,
    STYLE,
    FOOLS_MARK,
    PINS,
    QUIET,
    DELETE,
    SAVE,
    TEASING,
    WEEK,
    TITLES,
    TURN,
    BETS,
    PUZZLE,
    CARDS,
    CUPS,
)
