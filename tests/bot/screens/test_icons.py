"""Icons: every card, in every language, small, and distinct."""

from io import BytesIO

import pytest
from PIL import Image

from bot.locale import LOCALES, Translator
from bot.screens.card_icons import card_icons
from bot.screens.hand import move_icon
from bot.screens.text import card_text
from engine import PRESETS, Card, Move, Rank, State, Suit
from tests.bot.messages import buttons_of
from tests.bot.screens.scenes import CHATS, hand_of

BUTTON = (22, 22)  # the size of an icon in a chat, in dots


def test_there_is_an_icon_for_every_card_in_every_language() -> None:
    icons = card_icons()
    cards = [Card(suit, rank) for suit in Suit for rank in Rank]
    assert all(card_text(card, Translator(locale)) in icons for card in cards for locale in LOCALES)


def test_an_icon_is_small_square_and_round_at_its_corners() -> None:
    for name, png in card_icons().items():
        icon = Image.open(BytesIO(png)).convert("RGBA")
        assert len(png) < 4000, name
        assert icon.width == icon.height
        assert icon.getpixel((0, 0)) == (0, 0, 0, 0)


def test_all_that_looks_different_enlarged_looks_different_on_a_button() -> None:
    icons = set(card_icons().values())
    shown = {Image.open(BytesIO(png)).convert("RGBA").resize(BUTTON).tobytes() for png in icons}
    assert len(shown) == len(icons)


@pytest.mark.parametrize(
    ("move", "icon"),
    [
        ("A QH", "D♥"),
        ("D QH JH", "B♥"),
        ("X TS", "10♠"),
        ("V 9D", "9♦"),
        ("A 9H 9S", ""),
        ("T", ""),
        ("P", ""),
        ("L 8", ""),
        ("E", ""),
    ],
)
def test_a_move_that_plays_one_card_has_its_icon(move: str, icon: str) -> None:
    assert move_icon(Move.parse(move), Translator("de")) == icon


def test_buttons_that_play_a_card_carry_its_icon() -> None:
    state = State.setup(PRESETS["podkidnoy-36"], hands=["6S 7H", "9S 6H"], talon="QH", trump="H", attacker=0)
    shown = {button.label: button.icon for button in buttons_of(hand_of(state, 0, CHATS[0])) if button.icon}
    assert shown == {"6♠": "6♠", "7♥": "7♥"}
