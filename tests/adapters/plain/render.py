"""Screens as lines, with a number before each choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.port import CallbackButton, Limits, LinkButton, PrivateChat, Screen, Span

LIMITS = Limits(
    buttons=40,
    per_row=4,
    label=48,
    body=3000,
    toast=300,
    private_chat=PrivateChat.OPEN,
    edits=False,
    pictures=False,
    documents=False,
)


@dataclass(frozen=True)
class Rendered:
    """The lines of a message, and the tokens of its choices in the order of their numbers."""

    lines: Sequence[str]
    tokens: Sequence[str]


def render(screen: Screen) -> Rendered:
    """Returns the text in lines, and below it each row of buttons as `[1] Join  [2] Leave`."""
    lines = text_of(screen.text).split("\n") if screen.text else []
    tokens = list[str]()

    for row in screen.rows:
        shown = list[str]()
        for button in row:
            match button:
                case CallbackButton(enabled=True):
                    tokens.append(button.token)
                    shown.append(f"[{len(tokens)}] {text_of((Span(button.label),))}")
                case LinkButton():
                    shown.append(f"{button.label}: {button.url}")
                case _:  # it can't be pressed, or opens something that a plain chat doesn't have
                    continue

        if shown:
            lines.append("  ".join(shown))

    return Rendered(lines, tokens)


def text_of(body: Sequence[Span]) -> str:
    """Returns the words; a tab would end a field of the protocol."""
    return "".join(span.text for span in body).replace("\t", " ").replace("\r", " ")
