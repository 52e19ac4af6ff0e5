"""`python -m bot step`: writes the next step of the database, for work on the bot."""

from argparse import ArgumentParser, Namespace

from bot.process.exits import DEFECT
from bot.process.logs import tell_owner
from bot.process.subcommands import Subcommand
from bot.storage import Schema
from bot.storage.migrations import StepRefusedError, add_step

NEXT = "Read it, then `python -m tests.regenerate steps` tries it on full tables and seals it."


def step_command(schema: Schema) -> Subcommand:
    """Returns the command, which writes the step that leads to a schema."""

    def run(arguments: Namespace) -> int:
        try:
            file = add_step(arguments.change, schema)
        except StepRefusedError as refusal:
            tell_owner(str(refusal))
            return DEFECT

        tell_owner(f"{file.name} is written. {NEXT}")
        return 0

    return Subcommand("step", "write the next step of the database, in a clone", _add_arguments, run)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("change", metavar="CHANGE", help="what changes, as in 'stake bets'")
