"""Messages that people can send to any chat: a new table, the result of their last game, and more."""

from adapters.port import (
    COMMAND_SIGN,
    CallbackButton,
    LinkButton,
    Offer,
    RoomRef,
    Screen,
    ServerRef,
    Tone,
    User,
)
from bot.handlers.durak import read_strength
from bot.handlers.event import Services
from bot.handlers.pages import replay_address
from bot.locale import Translator
from bot.model.refusal import RefusedError
from bot.screens.names import names_of, preset_name, shown_name
from bot.screens.result import headline
from bot.screens.text import plain_text

MAX_WORDS_BYTES = 40  # of the words behind the button of an offer
POPULAR = ("", "perevodnoy")  # words after /durak that many people want
NOWHERE = "any chat"  # the id of a server that has saved no rule sets


async def offers_for(user: User, text: str, services: Services) -> list[Offer]:
    """Returns the offers for a person who typed this text; tables with the rules that it names come first."""
    translator = await services.people.translator_for(user.ref)
    server = ServerRef(user.ref.platform, NOWHERE)
    tables = [await _table(user, words, server, translator, services) for words in (text, *POPULAR)]
    result = await _last_result(user, server, translator, services)
    more = [await offer(user.ref, translator) for offer in services.hooks.offer]
    offers = [*tables, result, *more]
    return list(dict.fromkeys(offer for offer in offers if offer is not None))


async def _table(
    user: User, words: str, server: ServerRef, translator: Translator, services: Services
) -> Offer | None:
    """Returns the offer of a table with these rules; None if there are no such rules."""
    if len(words.encode()) > MAX_WORDS_BYTES:
        return None

    try:
        _, rule_words = read_strength(words.split())
        rule_set = await services.rule_book.read(server, rule_words)
    except RefusedError:
        return None

    name = shown_name(user.name, translator)
    rules = preset_name(rule_set.name, translator)
    body = translator.spans("🃏 {name} wants to play Durak: {rules}.", name=name, rules=rules)
    command = f"{COMMAND_SIGN}durak {words}".strip()
    button = CallbackButton(command, translator.text("Open the table"), tone=Tone.PRIMARY)
    return Offer(translator.text("A table for Durak"), rules, Screen(body, ((button,),)))


async def _last_result(
    user: User, server: ServerRef, translator: Translator, services: Services
) -> Offer | None:
    """Returns the offer of the person's last result; None before their first game."""
    newest = await services.records.newest_of(user.ref, near=RoomRef(server, NOWHERE))
    if newest is None or not newest.has_moves:
        return None

    finished = await services.records.finished(None, newest.table_id, newest.game)
    if finished is None:
        return None

    past, record = finished
    *_, last = record.steps()
    outcome = last.state.outcome()
    if outcome is None:
        return None

    body = headline(names_of([player for player, _ in past.seats]), outcome, record.opening.rules, translator)
    address = await replay_address(past, record, services)
    rows = ((LinkButton(translator.text("Replay"), address),),) if address else ()
    return Offer(translator.text("My last game"), plain_text(body), Screen(body, rows))
