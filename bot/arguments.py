"""What is wrong with what somebody typed."""


class BadArgument(ValueError):  # noqa: N818 - it names an outcome
    """What was typed after a command means nothing; the message is a sentence for who typed it."""
