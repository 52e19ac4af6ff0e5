"""Starts the bot: `python -m bot`."""

import gc


def main() -> None:
    """Loads the program, and runs it.

    Loaded code stays: to look for garbage in it takes an eighth of the start, and holds everybody up
    again and again afterwards.
    """
    gc.disable()
    from bot.start import run  # noqa: PLC0415 - not before the line above

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    main()
