"""The page prints its cards from the shapes of the pictures in chats."""

from tests.adapters.web.deck import FILE, generated


def test_the_page_has_the_deck_of_the_pictures() -> None:
    assert FILE.read_text("utf-8") == generated()
