"""The owner of the bot."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owner:
    """The public facts about the bot's owner: an address for questions, and a page about privacy."""

    contact: str = ""
    privacy_url: str = ""


UNNAMED = Owner()
