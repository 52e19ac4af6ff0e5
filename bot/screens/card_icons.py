"""The icons of card buttons, in a separate module because they need the drawing library."""

from collections.abc import Mapping

from bot.locale import LOCALES, Translator
from bot.pictures.cards import card_icon
from bot.screens.text import SIGNS


def card_icons() -> Mapping[str, bytes]:
    """Draws every card in the letters of every language; returns PNGs by the card's text, such as `10♥`."""
    ranks = {rank for locale in LOCALES for rank in Translator(locale).ranks}
    return {rank + sign: card_icon(rank, suit) for rank in sorted(ranks) for suit, sign in SIGNS.items()}
