"""Starts the bot: `python -m bot`."""

import gc


def main() -> None:
    """Loads the program, and runs it.

    Garbage collection is off while modules are loaded, and ignores them afterwards, as they are never freed.
    Searching them takes an eighth of the start-up time, and would later cause repeated delays.
    """
    gc.disable()
    from bot.start import run  # noqa: PLC0415 - must follow `gc.disable`

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    main()
