"""Positions and pictures for the tests: what a picture may be asked to show at its fullest."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

from PIL import Image

from bot.locale import Voice
from bot.pictures.chart import Award, Bar, Chart, chart_picture
from bot.pictures.final import final_picture
from bot.pictures.hand import hand_picture
from bot.pictures.look import Look
from bot.pictures.palette import DARK, LIGHT
from bot.pictures.table import table_picture
from engine import PRESETS, Card, Outcome, Pair, PublicView, Rules, State, Suit, full_deck

NAMES = (
    "Anna",
    "🤖 Boris",
    "Žygimantas Petrauskas",
    "Олександра",
    "W" * 64,
    "李小龍",
    "Ｆａｎｃｙ🐊",
    "Ёлка",
)

LATIN, CYRILLIC = Voice("en").ranks, Voice("ru").ranks
DARK_LOOK, LIGHT_LOOK = Look(DARK, LATIN), Look(LIGHT, LATIN)


def view_of(seats: int) -> PublicView:
    """What everybody sees of a fresh deal, at a table of any size."""
    rules: Rules = replace(PRESETS["podkidnoy-52"], max_players=16, decks=1 if seats <= 8 else 2)
    return State.deal(rules, seats, rules.cards(seats)).public_view()


def bout_of(text: str) -> tuple[Pair, ...]:
    """Cards on the table from a text such as `6S/9S TD`: the second beats the first."""
    pairs = []
    for word in text.split():
        attack, _, beat = word.partition("/")
        pairs.append(Pair(Card.parse(attack), Card.parse(beat) if beat else None, 0))
    return tuple(pairs)


def cards(text: str) -> tuple[Card, ...]:
    """Cards from a text such as `6S TD`."""
    return tuple(map(Card.parse, text.split()))


DEFENDED = replace(
    view_of(6),
    bout=bout_of("6S/9S 6D 9C/KC KH/AH TC TH/6H"),
    attacker=0,
    defender=1,
    awaited=frozenset({1, 4}),
    declined=frozenset({5}),
    throw_order=(0, 2, 3, 4, 5),
    hand_counts=(6, 4, 6, 6, 25, 0),
    talon=3,
    discard=12,
)
TAKEN = replace(
    view_of(6),
    bout=bout_of("6S/9S 6D 9C/KC KH/AH TC TH/6H 9D 9H 9S JC JD JH QS"),
    attacker=2,
    defender=4,
    taking=True,
    awaited=frozenset({0, 4}),
    declined=frozenset({3}),
    throw_order=(2, 3, 0),
    hand_counts=(6, 0, 4, 25, 25, 0),
    talon=0,
    turn_up=None,
    discard=1,
    out=(5, 1),
)
CROWDED = replace(
    view_of(16),
    bout=bout_of("6S/9S 6D/8D 9C/KC KH/AH TC/AC TH/6H 9D/TD 9H/JH 9S/QS JC/QC JD/QD JS/KS KD/AD"),
    attacker=15,
    defender=0,
    awaited=frozenset(range(16)),
    declined=frozenset(range(1, 16)),
    throw_order=tuple(range(1, 16)),
    hand_counts=(25,) * 16,
    talon=103,
    discard=104,
)
LOST = replace(
    view_of(4),
    hand_counts=(0, 0, 3, 0),
    talon=0,
    turn_up=None,
    discard=49,
    out=(3, 0, 1),
    outcome=Outcome(2, (2,), is_draw=False, order=(3, 0, 1), points=(0,) * 4),
)
EPAULETTES = Outcome(2, (2,), is_draw=False, order=(3, 0, 1, 5, 4), points=(1, 0, -2, 3, 0, 0), epaulettes=2)
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
"""Pictures that people have looked at and found good, by the name of their file."""


def opened(png: bytes) -> Image.Image:
    """A picture's dots."""
    return Image.open(BytesIO(png)).convert("RGB")


def readme_picture() -> bytes:
    """Six friends in the middle of an attack."""
    return table_picture(
        replace(DEFENDED, hand_counts=(4, 3, 6, 6, 5, 7), awaited=frozenset({1})),
        ("Anna", "Borys", "Jonas", "Олена", "Клара", "🤖 Ada"),
        DARK_LOOK,
    )
