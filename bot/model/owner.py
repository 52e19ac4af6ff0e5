"""The owner of the bot."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owner:
    """What is public about the owner of the bot: an address for questions, and a page about privacy."""

    contact: str = ""
    privacy_url: str = ""


UNNAMED = Owner()
