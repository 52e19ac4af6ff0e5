"""What typed commands do."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from adapters.port import ArgumentKind, ArgumentSpec, Command, CommandSpec, Document, MessageRef, Reply
from bot.delivery.presenter import Presenter
from bot.handlers.agreement import Agreement, Wish
from bot.handlers.hints import Hints
from bot.handlers.privacy import PrivacyCommands
from bot.handlers.rights import Rights
from bot.handlers.server_settings import ServerSettings
from bot.handlers.statistics import Period, Statistics
from bot.locale import LOCALES, Translator, gettext_noop, summaries_of
from bot.model.message_slots import MessageKind, MessageSlot
from bot.model.table import Phase, TableRefusedError
from bot.people import People
from bot.screens import refusals
from bot.screens.arguments import InvalidArgumentError, echo, language_named, one_of
from bot.screens.help import help_screen
from bot.screens.people import safe_name
from bot.screens.refusals import table_refusal
from bot.screens.rules import rules_screen
from bot.screens.standings import SheetForm
from bot.screens.verification import verification_screen
from bot.screens.ways import invitation_screen, standing_table_screen
from bot.storage import RecordStore
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.service import TableService
from engine import PRESETS, nearest

_PRESET = ArgumentSpec("preset", gettext_noop("the rules to play by"), ArgumentKind.CHOICE, tuple(PRESETS))
_PERIOD = ArgumentSpec("period", gettext_noop("how far back"), ArgumentKind.CHOICE, tuple(Period))

COMMANDS = (
    CommandSpec(
        "durak",
        gettext_noop("open a table here"),
        (_PRESET, ArgumentSpec("options", gettext_noop("single settings, such as transfer=on"))),
    ),
    CommandSpec("hand", gettext_noop("show my cards")),
    CommandSpec("hint", gettext_noop("what an expert would play in my place")),
    CommandSpec(
        "leaderboard",
        gettext_noop("who plays best here"),
        (
            _PERIOD,
            ArgumentSpec("export", gettext_noop("a file, for admins"), ArgumentKind.CHOICE, tuple(SheetForm)),
        ),
    ),
    CommandSpec("fool", gettext_noop("who is durak most often here"), (_PERIOD,)),
    CommandSpec(
        "stats",
        gettext_noop("how somebody plays here"),
        (ArgumentSpec("player", gettext_noop("who; you, if left out"), ArgumentKind.PERSON),),
    ),
    CommandSpec("rules", gettext_noop("what the rules are"), (_PRESET,)),
    CommandSpec(
        "settings",
        gettext_noop("what is played here"),
        (ArgumentSpec("change", gettext_noop("default NAME, save NAME or delete NAME")),),
    ),
    CommandSpec(
        "language",
        gettext_noop("the language I speak to you"),
        (ArgumentSpec("language", gettext_noop("which one"), ArgumentKind.CHOICE, LOCALES),),
    ),
    CommandSpec("review", gettext_noop("which moves of my last game cost me most")),
    CommandSpec("verify", gettext_noop("check the deal of the last game")),
    CommandSpec("mydata", gettext_noop("everything that is kept about me")),
    CommandSpec(
        "forgetme",
        gettext_noop("forget me here"),
        (ArgumentSpec("sure", gettext_noop("yes, if you are sure")),),
    ),
    CommandSpec("stop", gettext_noop("put the table here away, or agree to stop its game")),
    CommandSpec("help", gettext_noop("how to play")),
)
"""Every command, in the order of the menus."""

EXPORT = "export"
"""What asks for the leaderboard as a file; so does the kind of file alone."""

_PRIVATE = {"hand", "hint", "review", "language", "mydata", "forgetme"}
"""Commands whose answers are for who typed them, in their own language."""


def announced() -> tuple[CommandSpec, ...]:
    """Give the commands as the menus of chats show them, in every language."""
    return tuple(
        replace(
            spec,
            summaries=summaries_of(spec.summary),
            arguments=tuple(
                replace(argument, summaries=summaries_of(argument.summary)) for argument in spec.arguments
            ),
        )
        for spec in COMMANDS
    )


class CommandHandler:
    """Does what people type."""

    def __init__(
        self,
        *,
        tables: TableService,
        presenter: Presenter,
        rights: Rights,
        agreement: Agreement,
        statistics: Statistics,
        rule_book: RuleBook,
        server_settings: ServerSettings,
        hints: Hints,
        reviews: Reviews,
        privacy: PrivacyCommands,
        records: RecordStore,
        people: People,
        redraw: Callable[[int], None],
        message_of: Callable[[MessageSlot], Awaitable[MessageRef | None]],
        bring: Callable[[MessageSlot], Awaitable[bool]],
    ) -> None:
        """Work on `tables`.

        Args:
            tables: The tables.
            presenter: Draws hands.
            rights: Knows who moderates.
            agreement: Puts tables away.
            statistics: Knows who won.
            rule_book: Finds rules by their names.
            server_settings: Answers `/settings`.
            hints: Answers `/hint`.
            reviews: Answers `/review`.
            privacy: Answers what people ask about themselves.
            records: Keeps the finished games.
            people: Knows who speaks what.
            redraw: Shows a table anew to whom it looks different.
            message_of: Gives the message that shows a surface and still stands.
            bring: Shows somebody a private message anew; False where it has to be answered with.
        """
        self._tables = tables
        self._presenter = presenter
        self._rights = rights
        self._agreement = agreement
        self._statistics = statistics
        self._rule_book = rule_book
        self._records = records
        self._people = people
        self._redraw = redraw
        self._message_of = message_of
        self._bring = bring
        self._known: Mapping[str, Callable[[Command, Translator], Awaitable[Reply]]] = {
            "durak": self._durak,
            "hand": self._hand,
            "hint": hints.reply,
            "review": reviews.reply,
            "leaderboard": self._leaderboard,
            "fool": self._fool,
            "stats": self._stats,
            "rules": self._rules,
            "settings": server_settings.reply,
            "language": self._language,
            "verify": self._verify,
            "mydata": privacy.my_data,
            "forgetme": privacy.forget_me,
            "stop": self._stop,
            "help": self._help,
        }

    async def reply(self, command: Command) -> Reply:
        """Do what was typed, or say what could have been."""
        translator = (
            await self._people.translator_for(command.user.ref)
            if command.name in _PRIVATE
            else await self._people.translator_in(command.room.server, command.user)
        )
        do = self._known.get(command.name)
        if do is None:
            known = " ".join(f"/{name}" for name in nearest(command.name, self._known))
            unknown = translator.text(
                "There is no /{name}. Try: {known}", name=echo(command.name), known=known
            )
            return Reply(toast=unknown)
        try:
            return await do(command, translator)
        except InvalidArgumentError as bad:
            return Reply(toast=str(bad))

    async def _durak(self, command: Command, translator: Translator) -> Reply:
        if command.missing_rights:
            missing = ", ".join(command.missing_rights)
            return Reply(toast=translator.text(refusals.NOT_ALLOWED_HERE, missing=missing))
        rule_set = await self._rule_book.read(command.room.server, command.args, translator)
        opened = await self._tables.open(
            command.room, command.user, rule_set, translator.locale, event=command.id
        )
        if opened.is_new:
            return Reply()
        table = opened.table
        message = await self._message_of(MessageSlot(table.id, table.game, MessageKind.TABLE))
        if message is None:
            return Reply()  # the table is posted anew
        return Reply(public=standing_table_screen(message, Translator(table.locale)))

    async def _hand(self, command: Command, translator: Translator) -> Reply:
        for table in await self._tables.tables_of(command.user.ref, near=command.room):
            hand = await self._presenter.hand(table, command.user.ref)
            if hand is not None and await self._bring(
                MessageSlot(table.id, table.game, MessageKind.HAND, command.user.ref)
            ):
                return Reply()
            if hand is not None:
                return Reply(private=hand, invitation=invitation_screen(command.user, table.room, translator))
        return Reply(toast=translator.text(refusals.NO_CARDS))

    async def _leaderboard(self, command: Command, translator: Translator) -> Reply:
        words = [word.lower() for word in command.args]
        forms = [SheetForm(word) for word in words if word in set(SheetForm)]
        period = _period([word for word in words if word not in {EXPORT, *SheetForm}], translator)
        server = command.room.server
        if EXPORT not in words and not forms:
            return Reply(public=await self._statistics.leaderboard(server, translator, period))
        if not await self._rights.may_moderate(command.user.ref, command.room):
            return Reply(toast=translator.text(refusals.EXPORT_FOR_MODERATORS))
        form = forms[0] if forms else SheetForm.CSV
        return Reply(document=await self._statistics.export(server, period, form))

    async def _fool(self, command: Command, translator: Translator) -> Reply:
        period = _period([word.lower() for word in command.args], translator)
        return Reply(public=await self._statistics.fools(command.room.server, translator, period))

    async def _stats(self, command: Command, translator: Translator) -> Reply:
        server = command.room.server
        user = command.mentioned[0] if command.mentioned else command.user
        if command.args and not command.mentioned:
            name = " ".join(command.args).removeprefix("@")
            named = await self._statistics.player_named(server, name)
            if named is None:
                raise InvalidArgumentError(
                    translator.text("Nobody called “{name}” has finished a game here.", name=safe_name(name))
                )
            user = named
        return Reply(public=await self._statistics.stats(server, user, command.user, translator))

    async def _rules(self, command: Command, translator: Translator) -> Reply:
        server = command.room.server
        table = await self._tables.in_room(command.room)
        if command.args or table is None:
            chosen = await self._rule_book.read(server, command.args, translator)
            name, rules = chosen.name, chosen.rules
        else:
            name, rules = table.preset, table.rules
        others = tuple(other for other in await self._rule_book.names(server) if other != name)
        return Reply(public=rules_screen(name, rules, others, translator))

    async def _language(self, command: Command, translator: Translator) -> Reply:
        if not command.args:
            return Reply(toast=translator.text("I speak: {valid}", valid=", ".join(LOCALES)))
        language = language_named(command.args[0], translator)
        await self._people.choose_language(command.user.ref, language)
        for table in await self._tables.tables_of(command.user.ref):
            self._redraw(table.id)
        return Reply(toast=Translator(language).text("From now on I speak English to you."))

    async def _verify(self, command: Command, translator: Translator) -> Reply:
        finished = await self._records.newest(command.room)
        if finished is None:
            return Reply(toast=translator.text(refusals.NO_FINISHED_GAME))
        return Reply(
            public=verification_screen(finished.record, finished.names, translator),
            document=Document("durak.txt", finished.record.to_text().encode()),
        )

    async def _stop(self, command: Command, translator: Translator) -> Reply:
        table = await self._tables.in_room(command.room)
        if table is None:
            return Reply(toast=translator.text(refusals.NO_RUNNING_TABLE))
        try:
            wish = await self._agreement.stop(table, command.user.ref)
        except TableRefusedError as refused:
            return Reply(toast=table_refusal(refused, translator))
        if wish is Wish.DONE:
            return Reply(toast=translator.text("The table is put away."))
        if wish is Wish.NOTED:
            return Reply(toast=translator.text(refusals.OTHERS_HAVE_TO_AGREE))
        is_running = table.phase is Phase.PLAYING
        sentence = refusals.NOT_YOURS_TO_STOP if is_running else refusals.NOT_YOURS_TO_CLOSE
        return Reply(toast=translator.text(sentence))

    async def _help(self, _: Command, translator: Translator) -> Reply:
        return Reply(public=help_screen(COMMANDS, translator))


def _period(words: Sequence[str], translator: Translator) -> Period:
    return Period(one_of(tuple(Period), words[0], translator)) if words else Period.ALL
