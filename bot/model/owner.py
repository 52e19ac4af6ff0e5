"""The owner of the bot."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of the bot, as far as it is public: an address for questions, and a page about privacy."""

    contact: str = ""
    privacy_url: str = ""


UNNAMED = Owner()
