"""Digests of screens: they tell whether a message shows what it should, after a restart and an update, too.

They are on record, so a screen is written as `repr` wrote it when digests were first recorded, whatever its
classes and fields are called today. What came later is left out where it, and what came after it, is empty.
"""

from collections.abc import Iterable
from hashlib import blake2b

from adapters.port import Button, CallbackButton, Mark, Screen, Span, Tone

_MARKS = {mark: repr(mark) for mark in Mark}
_TONES = {tone: repr(tone) for tone in Tone}


def digest_of(screen: Screen) -> str:
    """Return a short text that is equal for equal screens."""
    png = b"" if screen.picture is None else screen.picture.png
    return blake2b(_recorded(screen).encode() + png, digest_size=16).hexdigest()


def _recorded(screen: Screen) -> str:
    rows = _tuple(_tuple(map(_button, row)) for row in screen.rows)
    written = f"body={_body(screen.body)}, rows={rows}, picture={screen.picture!r}, cheer={screen.reaction!r}"
    if screen.details:
        written += f", board={screen.board!r}, details={_body(screen.details)}"
    elif screen.board is not None:
        written += f", board={screen.board!r}"
    return f"Screen({written})"


def _body(spans: Iterable[Span]) -> str:
    return _tuple(
        f"Span(text={span.text!r}, mark={_MARKS[span.mark]}, mention={span.mention!r}, link={span.link!r}, "
        f"when={span.when!r})"
        for span in spans
    )


def _button(button: Button) -> str:
    if not isinstance(button, CallbackButton):
        return f"OpenPrivate(label={button.label!r}, room={button.room!r})"
    return (
        f"Choice(token={button.token!r}, label={button.label!r}, tone={_TONES[button.tone]}, "
        f"enabled={button.enabled!r}, icon={button.icon!r})"
    )


def _tuple(written: Iterable[str]) -> str:
    parts = list(written)
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
