"""What people type after commands, and what is wrong with it."""

from collections.abc import Collection

from bot.locale import Voice


class BadArgument(ValueError):  # noqa: N818 - it names an outcome
    """What was typed after a command means nothing; the message is a sentence for who typed it."""


def one_of(values: Collection[str], word: str, voice: Voice) -> str:
    """Read one of some words, however it is capitalised.

    Raises:
        BadArgument: It is none of them; the sentence lists them.
    """
    if word.lower() not in values:
        raise BadArgument(voice.say("There is no “{word}”; try: {valid}", word=word, valid=", ".join(values)))
    return word.lower()
