"""The deck: what is printed on its cards. Pictures in chats and the page draw from the same shapes.

A card is 100 wide and 140 high. Shapes are SVG paths of absolute lines and curves (M, L, C, Q, Z) and half
circles (A). Everything below the middle is turned by 180 degrees, so that a card can be held either way up.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, hypot, pi, sin
from typing import NamedTuple

from engine import Rank, Suit

WIDTH = 100
HEIGHT = 140

PAINTS: Mapping[str, str] = {
    "ground": "#fbf3dd",
    "gold": "#eeb32f",
    "red": "#c8202f",
    "blue": "#2a5ba8",
    "green": "#2d7a4a",
    "skin": "#f6d7b4",
    "brown": "#7a4a26",
    "auburn": "#b65f2b",
    "steel": "#c3ccd3",
    "ink": "#221e1a",
}
"""The colours of the court cards, in addition to `suit`, the colour of the card's suit."""


class Place(NamedTuple):
    """Where something is printed: its middle and its size."""

    x: float
    y: float
    size: float


class Layer(NamedTuple):
    """One shape of a court card, laid onto those before.

    Attributes:
        paint: The name of its colour; `hair` and `suit` depend on the card.
        path: The shape.
        is_outlined: Whether a thin line of ink goes around it.
    """

    paint: str
    path: str
    is_outlined: bool = True


# --- The index: in two corners, the second one turned ---

INDEX = Place(13.5, 18.5, 33)  # the rank; its size is that of the font
INDEX_WIDTH = 18  # at most; a ten is squeezed, as on printed cards
INDEX_SUIT = Place(13.5, 41, 15.5)

# --- Pips: placed as on every printed deck, between the two columns of the index ---

# The columns, from the left.
_LEFT = 34
_MIDDLE = 50
_RIGHT = 66

# The sizes of a pip, and of the only one on an ace.
_PIP = 17
_ACE = 44

# Each rank's rows from the top to the middle; the rest is their mirror image.
_ROWS: Mapping[Rank, Sequence[tuple[float, Sequence[float]]]] = {
    Rank.TWO: [(24, [_MIDDLE])],
    Rank.THREE: [(24, [_MIDDLE]), (70, [_MIDDLE])],
    Rank.FOUR: [(24, [_LEFT, _RIGHT])],
    Rank.FIVE: [(24, [_LEFT, _RIGHT]), (70, [_MIDDLE])],
    Rank.SIX: [(24, [_LEFT, _RIGHT]), (70, [_LEFT, _RIGHT])],
    Rank.SEVEN: [(24, [_LEFT, _RIGHT]), (70, [_LEFT, _RIGHT])],
    Rank.EIGHT: [(24, [_LEFT, _RIGHT]), (47, [_MIDDLE]), (70, [_LEFT, _RIGHT])],
    Rank.NINE: [(24, [_LEFT, _RIGHT]), (54.7, [_LEFT, _RIGHT]), (70, [_MIDDLE])],
    Rank.TEN: [(24, [_LEFT, _RIGHT]), (39.3, [_MIDDLE]), (54.7, [_LEFT, _RIGHT])],
}


def pips(rank: Rank) -> list[Place]:
    """Returns the places of the suit signs on a number card or an ace; those below the middle are turned."""
    if rank is Rank.ACE:
        return [Place(_MIDDLE, HEIGHT / 2, _ACE)]

    upper = [Place(x, y, _PIP) for y, row in _ROWS[rank] for x in row]
    lower = [turned(place) for place in upper if place.y < HEIGHT / 2]
    if rank is Rank.SEVEN:  # the only rank with different halves
        upper.append(Place(_MIDDLE, 47, _PIP))
    return [*upper, *lower]


def turned(place: Place) -> Place:
    """Returns the same place after the card was turned by 180 degrees."""
    return Place(WIDTH - place.x, HEIGHT - place.y, place.size)


# --- The suits, each in a square of 20 ---

SUITS: Mapping[Suit, str] = {
    Suit.SPADES: "M10 0.6C11.4 4.6 19 8.2 19 13C19 15.4 17.2 17 15 17C13.4 17 12 16.2 11.2 14.9C11.4 16.9 12.2 18.6 14 19.4"
    "L6 19.4C7.8 18.6 8.6 16.9 8.8 14.9C8 16.2 6.6 17 5 17C2.8 17 1 15.4 1 13C1 8.2 8.6 4.6 10 0.6Z",
    Suit.HEARTS: "M10 19.2C9 15.6 1 11.6 1 6C1 3.2 3 1 5.6 1C7.6 1 9.2 2.2 10 4C10.8 2.2 12.4 1 14.4 1C17 1 19 3.2 19 6"
    "C19 11.6 11 15.6 10 19.2Z",
    Suit.DIAMONDS: "M10 0.6C11.8 4 14.6 7.4 17.4 10C14.6 12.6 11.8 16 10 19.4C8.2 16 5.4 12.6 2.6 10C5.4 7.4 8.2 4 10 0.6Z",
    Suit.CLUBS: "M10 0.8C12.5 0.8 14.4 2.7 14.4 5.1C14.4 6.6 13.7 7.8 12.4 8.8C13 8.5 13.7 8.3 14.5 8.3"
    "C17.1 8.3 19.2 10.3 19.2 12.7C19.2 15.2 17.1 17.1 14.6 17.1C12.9 17.1 11.9 16.3 11.1 15.1C11.3 17 12.2 18.6 14 19.4"
    "L6 19.4C7.8 18.6 8.7 17 8.9 15.1C8.1 16.3 7.1 17.1 5.4 17.1C2.9 17.1 0.8 15.2 0.8 12.7C0.8 10.3 2.9 8.3 5.5 8.3"
    "C6.3 8.3 7 8.5 7.6 8.8C6.3 7.8 5.6 6.6 5.6 5.1C5.6 2.7 7.5 0.8 10 0.8Z",
}

# --- Courts: two halves of one figure, with what their king, queen or jack carries ---

COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)

FRAME = "M25 6L75 6L75 134L25 134Z"
SASH = "M25 73.4L75 62.4L75 66.6L25 77.6Z"  # from side to side, where the halves meet
COURT_SUIT = Place(31.2, 14, 9)
OUTLINE = 0.7  # the width of a line of ink


def court(rank: Rank, suit: Suit) -> list[Layer]:
    """Returns the upper half of a court card, in the order of its layers."""
    card = (rank, suit)
    layers = [*BEHIND.get(card, ()), *FIGURES[rank], *CARRIED[card]]
    return [layer._replace(paint=HAIR[suit]) if layer.paint == "hair" else layer for layer in layers]


def _disc(x: float, y: float, radius: float) -> str:
    right = f"{x + radius:.4g} {y:g}"
    left = f"{x - radius:.4g} {y:g}"
    half = f"A{radius:g} {radius:g} 0 1 1 "
    return f"M{left}{half}{right}{half}{left}Z"


HAIR = {Suit.SPADES: "brown", Suit.HEARTS: "gold", Suit.DIAMONDS: "auburn", Suit.CLUBS: "ink"}

_EYES = _disc(45.6, 32, 1.15) + _disc(54.4, 32, 1.15)
_BROWS = "M42.8 29.4Q45.4 27.8 48 29.2L48 30Q45.4 28.9 42.8 30.2ZM52 29.2Q54.6 27.8 57.2 29.4L57.2 30.2Q54.6 28.9 52 30Z"
_NOSE = "M49.6 31L50.4 31L51.6 36L49 36.4L49 35.8L50.5 35.4Z"
_LIPS = "M47 40Q48.6 38.9 50 39.6Q51.4 38.9 53 40Q50 42.2 47 40Z"

FIGURES: Mapping[Rank, Sequence[Layer]] = {
    Rank.KING: [
        Layer("suit", "M25.4 75.4L25.4 58Q28 49 40 46.5L60 46.5Q72 49 74.6 58L74.6 64.6Z"),
        Layer("gold", "M33 73.6L36.4 48L41 47L39 72.4ZM67 66.2L63.6 48L59 47L61 67.6Z"),
        Layer("ground", "M41.6 71.8L42.4 48L57.6 48L58.4 68.2Z"),
        Layer("ground", "M25.6 60Q26.4 55.6 29.6 52.4L33.4 56Q30.4 60.4 29.6 74.4L25.6 75.2Z"),
        Layer(
            "ink",
            "M28.4 58L29.8 58L29.1 61.4ZM27 64L28.4 64L27.7 67.4ZM27 70L28.4 70L27.7 73.4Z",
            is_outlined=False,
        ),
        Layer("red", "M50 54L53.4 59L50 64L46.6 59ZM50 65L52 68L50 69.6L48 68.6Z", is_outlined=False),
        Layer(
            "hair",
            "M40.4 24Q33.8 28 34.6 36Q31.8 41 35.4 45.6Q39.4 48.8 42.6 45ZM59.6 24Q66.2 28 65.4 36Q68.2 41 64.6 45.6Q60.6 48.8 57.4 45Z",
        ),
        Layer("skin", "M40 24L60 24L60 38Q60 47 50 48.6Q40 47 40 38Z"),
        Layer(
            "hair",
            "M40 35.4Q43.4 39 46.8 38Q50 36.4 53.2 38Q56.6 39 60 35.4L60.4 42Q60 50 53.4 53.6Q51.8 56.4 50 57.4Q48.2 56.4 46.6 53.6Q40 50 39.6 42Z",
        ),
        Layer("red", "M47 41.2Q50 39.8 53 41.2Q50 43.4 47 41.2Z", is_outlined=False),
        Layer("ink", _EYES + _BROWS + _NOSE, is_outlined=False),
        Layer("gold", "M38.6 25L36.4 12.4L43 17.8L50 8L57 17.8L63.6 12.4L61.4 25Z"),
        Layer("red", "M38.2 22.4L61.8 22.4L61.2 26.4L38.8 26.4Z"),
        Layer(
            "ground", _disc(44, 24.4, 1.1) + _disc(50, 24.4, 1.1) + _disc(56, 24.4, 1.1), is_outlined=False
        ),
        Layer("suit", _disc(50, 17.6, 2)),
    ],
    Rank.QUEEN: [
        Layer("hair", "M39 22Q30.4 34 33.4 50Q36 55 43 52L57 52Q64 55 66.6 50Q69.6 34 61 22Z"),
        Layer("suit", "M25.4 75.4L25.4 61Q28 52 40 50L60 50Q72 52 74.6 61L74.6 64.6Z"),
        Layer(
            "skin",
            "M45.6 42L54.4 42L55 49.4Q58.6 50 61.6 51.6Q57 60 50 61.6Q43 60 38.4 51.6Q41.4 50 45 49.4Z",
        ),
        Layer(
            "gold",
            "M36 50.6L39.6 50.4Q43.6 58.6 50 60Q56.4 58.6 60.4 50.4L64 50.6Q58.6 63.4 50 65.2Q41.4 63.4 36 50.6Z",
        ),
        Layer(
            "gold",
            "M33.4 59L35.8 62.4L33.4 65.8L31 62.4ZM31 67.4L33.4 70.4L31 73.4L28.6 70.4ZM39.6 65L42 68.4L39.6 71.4L37.2 68.4Z"
            "M60.4 61.6L62.6 64.4L60.4 67L58.2 64.4Z",
            is_outlined=False,
        ),
        Layer("ground", "M45.8 73L47.2 64.4Q50 65.6 52.8 64.4L54.2 71.2Z"),
        Layer("skin", "M40.8 25L59.2 25L59.4 35Q58.8 45 50 47Q41.2 45 40.6 35Z"),
        Layer("hair", "M40 25.4Q50 21 60 25.4L60.4 34Q57.4 28.6 50 27.6Q42.6 28.6 39.6 34Z"),
        Layer(
            "ink",
            _disc(45.8, 33.2, 1.15)
            + _disc(54.2, 33.2, 1.15)
            + "M43.2 31Q45.6 29.6 48 30.8L48 31.4Q45.6 30.5 43.2 31.7ZM52 30.8Q54.4 29.6 56.8 31L56.8 31.7Q54.4 30.5 52 31.4ZM49.8 33L50.3 33L51.3 37L49.3 37.3L49.3 36.8L50.4 36.5Z",
            is_outlined=False,
        ),
        Layer("red", "M47.2 41Q48.8 39.5 50 40.2Q51.2 39.5 52.8 41Q50 43.6 47.2 41Z", is_outlined=False),
        Layer("gold", "M39.6 25L38 15L44 19.4L50 11L56 19.4L62 15L60.4 25Q50 21.6 39.6 25Z"),
        Layer("red", _disc(38, 14.4, 1.7) + _disc(50, 10.4, 1.9) + _disc(62, 14.4, 1.7)),
        Layer("suit", _disc(50, 19.2, 1.7), is_outlined=False),
    ],
    Rank.JACK: [
        Layer("hair", "M39.4 22L37 42Q36.4 48.4 42 48.4L58 48.4Q63.6 48.4 63 42L60.6 22Z"),
        Layer("suit", "M25.4 75.4L25.4 60Q28 51 40 48.5L60 48.5Q72 51 74.6 60L74.6 64.6Z"),
        Layer("ground", "M34 73.5L40 48.5L46 47.6L62.6 67.2L56 68.8L44 55L40.6 72Z"),
        Layer(
            "gold",
            "M25.4 62Q27 54 33 51.2L34.8 58Q29 61 27.8 75L25.4 75.4ZM74.6 62Q73 54 67 51.2L65.2 58Q70.6 61 72 65.2L74.6 64.6Z",
        ),
        Layer("skin", "M45.6 42L54.4 42L55.4 49.6Q50 54 44.6 49.6Z"),
        Layer("gold", "M40.6 48.8L45 47.6Q50 54.4 55 47.6L59.4 48.8Q50 61 40.6 48.8Z"),
        Layer("skin", "M41 24L59 24L59.2 35Q58.8 45 50 46.6Q41.2 45 40.8 35Z"),
        Layer("hair", "M40 24L60 24L60.6 33Q57 30.4 55.4 26.6Q48 29.6 39.4 33Z"),
        Layer("ink", _EYES + _BROWS + _NOSE, is_outlined=False),
        Layer("red", _LIPS, is_outlined=False),
        Layer("suit", "M36.6 24.4Q36 13.6 47 12.4Q60.4 11.4 63.4 24.4Z"),
        Layer("gold", "M35.6 22.6L64.4 22.6L63.6 27L36.4 27Z"),
        Layer("red", "M55 21.4Q57.4 9.4 67.4 7.8Q68.6 16.6 58.6 22.4Z"),
    ],
}

# A hand that holds something upright at the right.
_HAND = Layer("skin", "M66.4 51.6L72.6 51.6Q74.4 54.6 72.8 57.8L66.6 58.4Q64.6 54.8 66.4 51.6Z")
_SLEEVE = Layer("gold", "M64.8 57.6L74.4 56.6L74.6 61.4L63.8 63.2Z")


def _held(*layers: Layer) -> list[Layer]:
    return [*layers, _HAND, _SLEEVE]


_STEM = Layer("green", "M68.6 38L70.4 38L70.4 62L68.6 62Z")
_LEAVES = Layer("green", "M69.5 50Q63 48.6 62.6 43.4Q68.4 43.6 69.5 50Z")

BEHIND: Mapping[tuple[Rank, Suit], Sequence[Layer]] = {
    # The king of hearts holds his sword behind his head.
    (Rank.KING, Suit.HEARTS): [Layer("steel", "M70.2 42L71.6 38L33 23.6L26.4 24.4L31.4 28Z")],
}

CARRIED: Mapping[tuple[Rank, Suit], Sequence[Layer]] = {
    (Rank.KING, Suit.SPADES): _held(
        Layer("steel", "M67.2 46L67.2 15L69.6 9L72 15L72 46Z"),
        Layer("gold", "M63.6 45.4L75 45.4L75 49L63.6 49Z"),
        Layer("gold", "M68 49L71.2 49L71.2 61L68 61Z"),
    ),
    (Rank.KING, Suit.HEARTS): [
        Layer("gold", "M66.6 44.6L71 34.6L74.6 36.2L70 46.4Z"),
        Layer("skin", "M67.4 46L73 40.6Q75 43.4 74.4 47.4L69.6 51.4Q66.6 49.6 67.4 46Z"),
        Layer("gold", "M66.6 50.6L74.6 47.4L74.6 53L68.6 55.4Z"),
    ],
    (Rank.KING, Suit.DIAMONDS): _held(
        Layer("brown", "M68.2 13L71 13L71 62L68.2 62Z"),
        Layer("steel", "M68.2 16L63.4 12Q59.4 21 63.4 30L68.2 26ZM71 17.4L74.8 21L71 24.6Z"),
    ),
    (Rank.KING, Suit.CLUBS): [
        Layer(
            "gold",
            "M68.7 34.6L68.7 31.6L66 31.6L66 29.2L68.7 29.2L68.7 26L71.1 26L71.1 29.2L73.8 29.2L73.8 31.6L71.1 31.6L71.1 34.6Z",
        ),
        Layer("blue", _disc(69.4, 41, 5.5)),
        Layer("gold", "M63.9 39.8L74.9 39.8L74.9 42.2L63.9 42.2Z", is_outlined=False),
        Layer("skin", "M63.6 46.4Q69.4 50.4 75 46.4L74.4 53L65.4 54Z"),
        Layer("gold", "M64.4 53L74.6 52L74.6 57L63.8 58.4Z"),
    ],
    (Rank.QUEEN, Suit.SPADES): _held(
        Layer("gold", "M68.4 27L70.8 27L70.8 62L68.4 62Z"),
        Layer("red", _disc(69.6, 22, 4.2)),
        Layer("gold", "M69.6 11.6L71.2 14.6L74.2 16L71.2 17.4L69.6 20.4L68 17.4L65 16L68 14.6Z"),
    ),
    (Rank.QUEEN, Suit.HEARTS): _held(
        _STEM,
        _LEAVES,
        Layer(
            "red",
            "M63.4 32Q61.8 27.6 65.6 25.6Q67.4 22.6 70.4 24Q74.2 23.8 74.4 28Q75.4 32.6 72.4 35.4Q69.4 38.4 66.4 36.2Q63.4 35.4 63.4 32Z",
        ),
        Layer("gold", _disc(69.2, 30.6, 2.2)),
    ),
    (Rank.QUEEN, Suit.DIAMONDS): _held(
        _STEM,
        _LEAVES,
        Layer("gold", "M69.5 39Q63 36.4 63.6 26L67 30L69.5 22.6L72 30L75 26Q75.8 36.4 69.5 39Z"),
        Layer("red", "M69.5 37Q67.6 33 69.5 27.6Q71.4 33 69.5 37Z", is_outlined=False),
    ),
    (Rank.QUEEN, Suit.CLUBS): _held(
        _STEM,
        _LEAVES,
        Layer(
            "ground",
            _disc(69.5, 25.6, 2.9)
            + _disc(72.4, 28.4, 2.6)
            + _disc(71.7, 33, 2.9)
            + _disc(67.3, 33, 2.9)
            + _disc(65.6, 28.4, 2.9),
        ),
        Layer("gold", _disc(69.4, 29.8, 2.7)),
    ),
    (Rank.JACK, Suit.SPADES): _held(
        Layer("brown", "M68.4 22L70.8 22L70.8 62L68.4 62Z"),
        Layer(
            "steel",
            "M68 25L68 17L69.6 8.6L71.2 17L71.2 25ZM68 20.6Q62.6 19 62 27.6Q65 25.6 68 28ZM71.2 21L74.8 24L71.2 27Z",
        ),
    ),
    (Rank.JACK, Suit.HEARTS): _held(
        _STEM,
        Layer("green", "M69.5 40Q62.4 36.6 63 29Q64 23 69.5 17Q74.6 23 75 29Q75.4 36.6 69.5 40Z"),
        Layer("ground", "M69 39L69.2 24L69.8 24L70 39ZM69.5 34L66 30L69.5 32.4L73 30Z", is_outlined=False),
    ),
    (Rank.JACK, Suit.DIAMONDS): _held(
        Layer("steel", "M67 46Q66 30 72 14L74.6 12Q74.2 32 71 46Z"),
        Layer("gold", "M64.4 44.8Q69.6 42.6 74.8 44.8L74.8 48.4L64.4 48.4Z"),
        Layer("gold", "M68 48L71.2 48L71.2 61L68 61Z"),
    ),
    (Rank.JACK, Suit.CLUBS): _held(
        Layer("brown", "M68.7 20L70.5 20L70.5 62L68.7 62Z"),
        Layer("steel", "M69.6 10.4L73.8 22L69.6 20L65.4 22Z"),
        Layer("red", "M68.7 38L65 33.6L65 40L68.7 45ZM70.5 38L74.2 33.6L74.2 40L70.5 45Z"),
    ),
}


# --- The back: a border, a pattern of lozenges, and a rosette in the middle ---

BACK = "M6 11Q6 6 11 6L89 6Q94 6 94 11L94 129Q94 134 89 134L11 134Q6 134 6 129Z"


def back_pattern() -> str:
    """Returns the pattern on the back in a lighter colour; it looks the same when turned."""
    return "".join([*_FRAMES, *_lozenges(), *_rosette()])


_FRAMES = (
    "M10 10L90 10L90 11.6L10 11.6Z",
    "M10 128.4L90 128.4L90 130L10 130Z",
    "M10 11.6L11.6 11.6L11.6 128.4L10 128.4Z",
    "M88.4 11.6L90 11.6L90 128.4L88.4 128.4Z",
)


def _lozenges() -> Iterator[str]:
    for row in range(-6, 7):
        for column in range(-3, 4):
            x = WIDTH // 2 + column * 12 + row % 2 * 6
            y = HEIGHT // 2 + row * 9
            if x < WIDTH - 12 and hypot(x - WIDTH / 2, y - HEIGHT / 2) > 23:
                yield f"M{x} {y - 3}L{x + 2} {y}L{x} {y + 3}L{x - 2} {y}Z"


def _rosette() -> Iterator[str]:
    for petal in range(8):
        ends = [
            (WIDTH / 2 + length * cos(turn), HEIGHT / 2 + length * sin(turn))
            for length, turn in (
                (5, petal * pi / 4),
                (12, petal * pi / 4 - 0.34),
                (19, petal * pi / 4),
                (12, petal * pi / 4 + 0.34),
            )
        ]

        (ax, ay), (bx, by), (cx, cy), (dx, dy) = ends
        yield f"M{ax:.1f} {ay:.1f}Q{bx:.1f} {by:.1f} {cx:.1f} {cy:.1f}Q{dx:.1f} {dy:.1f} {ax:.1f} {ay:.1f}Z"

    yield _disc(WIDTH / 2, HEIGHT / 2, 3.4)
