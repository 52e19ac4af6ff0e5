"""The page's copy of what is printed on cards: `adapters/web/page/deck.js`."""

import json
from collections.abc import Iterable
from typing import Any

from adapters.web.server import PAGE
from bot.pictures import deck
from bot.pictures.deck import Layer
from engine import Rank, Suit

FILE = PAGE / "deck.js"

HEAD = """\
// What is printed on cards, as in the pictures that chats get. It is written from bot/pictures/deck.py,
// where the shapes are explained: `python -m tests.regenerate deck`.

/** @typedef {[number, number, number]} Place the middle of a sign, and how large it is */
/** @typedef {[string, string, number]} Layer a colour, a path, and 1 where a line of ink goes around it */
"""

PLACE = "Place"
PLACES = "Record<string, Place[]>"
LAYERS = "Record<string, Layer[]>"
WORDS = "Record<string, string>"


def generated() -> str:
    """Returns the file as it has to be."""
    pips = {str(rank): deck.pips(rank) for rank in Rank if rank not in deck.COURTS}
    figures = {str(rank): _plain(layers) for rank, layers in deck.FIGURES.items()}
    behind = {_name(*card): _plain(layers) for card, layers in deck.BEHIND.items()}
    carried = {_name(*card): _plain(layers) for card, layers in deck.CARRIED.items()}

    constants = [
        _constant("SIGNS", WORDS, deck.SUITS),
        _constant("PIPS", PLACES, pips),
        _constant("INDEX", PLACE, deck.INDEX),
        _constant("INDEX_WIDTH", "number", deck.INDEX_WIDTH),
        _constant("INDEX_SUIT", PLACE, deck.INDEX_SUIT),
        _constant("PAINTS", WORDS, deck.PAINTS),
        _constant("HAIR", WORDS, deck.HAIR),
        _constant("FIGURES", LAYERS, figures),
        _constant("BEHIND", LAYERS, behind),
        _constant("CARRIED", LAYERS, carried),
        _constant("FRAME", "string", deck.FRAME),
        _constant("SASH", "string", deck.SASH),
        _constant("OUTLINE", "number", deck.OUTLINE),
        _constant("COURT_SUIT", PLACE, deck.COURT_SUIT),
        _constant("BACK", "string", deck.BACK),
        _constant("BACK_PATTERN", "string", deck.back_pattern()),
    ]
    return "\n".join([HEAD, *constants])


def _constant(name: str, kind: str, value: Any) -> str:
    return f"/** @type {{{kind}}} */\nexport const {name} = {json.dumps(value, separators=(',', ':'))};\n"


def _plain(layers: Iterable[Layer]) -> list[tuple[str, str, int]]:
    return [(layer.paint, layer.path, int(layer.is_outlined)) for layer in layers]


def _name(rank: Rank, suit: Suit) -> str:
    return f"{rank}{suit}"
