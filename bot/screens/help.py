"""What there is to type."""

from collections.abc import Sequence

from adapters.port import CommandSpec, Mark, Screen, Span
from bot.locale import Translator
from bot.screens.table import BREAK, stacked


def help_screen(commands: Sequence[CommandSpec], translator: Translator) -> Screen:
    """Say how a game comes about, and list the commands."""
    lines: list[Span] = []
    for command in commands:
        lines += [BREAK] if lines else []
        lines += [Span(f"/{command.name}", Mark.BOLD), Span(f" · {translator.text(command.summary)}")]
    return Screen(
        body=stacked(
            [
                translator.spans("Durak", mark=Mark.BOLD),
                translator.spans(
                    "/durak opens a table. Everybody presses Join to play, then the host presses Start. "
                    "Only you see your cards; press one to play it. "
                    "Get rid of all your cards: the last player left with cards is the fool."
                ),
                tuple(lines),
            ]
        )
    )
