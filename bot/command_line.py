"""The bot as a program: arguments, settings and the environment in, sentences and an exit code out."""

import asyncio
import sys

from bot.config import InvalidConfigError, read_settings
from bot.process.console import CommandFailedError, read_arguments, run_command
from bot.process.logs import configure_logs, let_go_of_output
from bot.process.stopping import until_told
from bot.start import CannotStartError, serve


def run() -> None:
    """Run the bot until it is stopped, or do what the command says; what goes wrong is one sentence."""
    arguments = read_arguments()
    try:
        settings = read_settings()
        if arguments.command is not None:
            print(run_command(arguments.command, arguments.file, settings.database_url))
            return
        configure_logs(settings.log_level, settings.log_format)
        asyncio.run(until_told(serve(settings)))
    except (InvalidConfigError, CannotStartError, CommandFailedError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        let_go_of_output()
