"""Positions and pictures for the tests; each position was reached by playing, so all are possible."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image

from bot.locale import Translator
from bot.pictures.drawing import hand_picture
from bot.pictures.result import chart_picture, final_picture
from bot.pictures.subjects import DARK, LIGHT, Award, Bar, Chart, Look
from bot.pictures.table import table_picture
from engine import PRESETS, Card, Outcome, Pair, PublicView, Rules, State, Suit, full_deck, replay

NAMES = (
    "Anna",
    "🤖 Boris",
    "Žygimantas Petrauskas",
    "Олександра",
    "W" * 64,
    "🐊",
    "Ｆａｎｃｙ🐊",
    "Ёлка",
)

GAMES = Path(__file__).with_name("games")
FOLDER = Path(__file__).with_name("golden")

LATIN = Translator("en").ranks
CYRILLIC = Translator("ru").ranks
DARK_LOOK = Look(DARK, LATIN)
LIGHT_LOOK = Look(LIGHT, LATIN)


def view_of(seats: int) -> PublicView:
    """Returns the public view of a fresh deal, at a table of any size."""
    decks = 1 if seats <= 8 else 2
    rules: Rules = replace(PRESETS["podkidnoy-52"], max_players=16, decks=decks)
    return State.deal(rules, seats, rules.cards(seats)).public_view()


def bout_of(text: str) -> tuple[Pair, ...]:
    """Returns the cards on the table from a text such as `6S/9S TD`: the second beats the first."""
    pairs = []
    for word in text.split():
        attack, _, beat = word.partition("/")
        beating = Card.parse(beat) if beat else None
        pairs.append(Pair(Card.parse(attack), beating, 0))

    return tuple(pairs)


def cards(text: str) -> tuple[Card, ...]:
    """Returns cards from a text such as `6S TD`."""
    return tuple(map(Card.parse, text.split()))


def reached(game: str) -> State:
    """Returns the last position of a recorded game from the folder `games`."""
    return replay((GAMES / f"{game}.txt").read_text())


def ended(game: str) -> Outcome:
    """Returns the outcome of such a game."""
    outcome = reached(game).outcome()
    assert outcome is not None
    return outcome


README = reached("readme").public_view()
DEFENDED = reached("defended").public_view()
TAKEN = reached("taken").public_view()
CROWDED = reached("crowded").public_view()
LOST = reached("lost").public_view()
EPAULETTES = ended("epaulettes")
FOOLS = Chart(
    tuple(Bar(name, 8 - place, f"{8 - place} / {20 + place}") for place, name in enumerate(NAMES)),
    Award.CAP,
    title="Durak · 2026",
)
BEST = Chart(
    tuple(Bar(name, 0.45 - place / 8, f"{0.55 + place / 8:.2f}") for place, name in enumerate(NAMES)),
    Award.MEDALS,
    title="Лидеры · неделя",
    note="1.00 — в среднем",
)
SMALL_HAND = cards("6S 8C QS KH JD TD")

# Pictures that people have approved, by the name of their file.
GOLDEN: dict[str, Callable[[], bytes]] = {
    "table-dark": lambda: table_picture(DEFENDED, NAMES, DARK_LOOK, away={3}),
    "table-light": lambda: table_picture(DEFENDED, NAMES, LIGHT_LOOK, away={3}),
    "table-cyrillic": lambda: table_picture(TAKEN, NAMES, Look(LIGHT, CYRILLIC)),
    "table-crowded": lambda: table_picture(CROWDED, NAMES * 2, DARK_LOOK),
    "table-lost": lambda: table_picture(LOST, NAMES, LIGHT_LOOK),
    "hand-6": lambda: hand_picture(SMALL_HAND, Suit.DIAMONDS, cards("JD TD KH"), DARK_LOOK),
    "hand-25": lambda: hand_picture(
        full_deck(52)[::2][:25], Suit.CLUBS, full_deck(52)[::4], Look(LIGHT, CYRILLIC)
    ),
    "hand-36": lambda: hand_picture(full_deck(36), Suit.CLUBS, full_deck(36)[::3], DARK_LOOK),
    "final": lambda: final_picture(EPAULETTES, NAMES[:6], LIGHT_LOOK),
    "chart-fools": lambda: chart_picture(FOOLS, DARK),
    "chart-best": lambda: chart_picture(BEST, LIGHT),
}


def opened(png: bytes) -> Image.Image:
    """Returns a picture's pixels."""
    return Image.open(BytesIO(png)).convert("RGB")


def readme_picture() -> bytes:
    """Renders six friends in the middle of an attack."""
    return table_picture(README, ("Anna", "Borys", "Jonas", "Олена", "Клара", "Ada"), DARK_LOOK)
