"""Questions in a dialog for the end of a command: a name, hours, a time."""

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.port import CallbackButton, Question
from bot.locale import Translator, gettext_noop
from bot.model.buttons import CommandToComplete, CommandToCompleteInPlace
from bot.screens.keyboard import button_to

TITLE_LENGTH = LABEL_LENGTH = 45  # characters that fit every chat with questions


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of the question for the end of a command."""

    title: str  # also on the button
    label: str
    example: str = ""
    is_name: bool = False  # whether hyphens join the words of the answer


# By the command to complete. A test fails if a button asks for another one.
WORDINGS: Mapping[str, Wording] = {
    "settings save": Wording(
        gettext_noop("💾 Save these rules"), gettext_noop("A name for them"), is_name=True
    ),
    "settings quiet": Wording(gettext_noop("Other hours"), gettext_noop("From one hour to another"), "23-9"),
    "settings timezone": Wording(
        gettext_noop("Another time zone"), gettext_noop("Its name"), "Europe/Vilnius"
    ),
    "durak": Wording(gettext_noop("📅 Announce a table"), gettext_noop("When it opens"), "20:30"),
    "cup": Wording(gettext_noop("🏆 Cup evening"), gettext_noop("When it begins"), "20:30"),
}


def asking_button(command: str, translator: Translator, *, in_place: bool = False) -> CallbackButton:
    """Returns a button that asks for the rest of a command, such as a name, and then runs it.

    With `in_place`, the answer replaces the pressed message.
    """
    token = CommandToCompleteInPlace(command) if in_place else CommandToComplete(command)
    return button_to(token, translator.text(WORDINGS[command].title))


def question_about(command: str, translator: Translator) -> Question:
    """Returns the question for the rest of a command."""
    wording = WORDINGS[command]
    return Question(translator.text(wording.title), translator.text(wording.label), wording.example)


def completed(command: str, text: str) -> str:
    """Returns a command with the answer to its question, as it would be typed.

    >>> completed("settings save", "Our rules")
    'settings save Our-rules'
    """
    words = text.split()
    return f"{command} {('-' if WORDINGS[command].is_name else ' ').join(words)}"
