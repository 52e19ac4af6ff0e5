"""`/privacy`, `/mydata` and `/forgetme`: the data kept about a person, and its deletion."""

import asyncio
from collections.abc import Sequence
from functools import partial

import structlog

from adapters.port import ArgumentSpec, Document, Reply, Screen
from bot.handlers.event import CommandEvent, Services, command
from bot.handlers.fools_mark import take_off_marks
from bot.locale import gettext_noop, is_said
from bot.screens import refusals
from bot.screens.directions import answer_elsewhere_screen
from bot.screens.me import ALL_DATA, SURE, data_page, data_screen, forget_screen, privacy_screen
from bot.screens.names import safe_name

log = structlog.get_logger()

SOON = 0.4  # seconds after which a person is told to wait for their file
WRITING = gettext_noop("I'll send the file in a moment.")


@command("privacy", rank=170, summary=gettext_noop("what I keep about you"), secret=True)
async def privacy(event: CommandEvent, services: Services) -> Reply:
    """Lists the data kept about people, and the address for questions."""
    return Reply(ephemeral=privacy_screen(services.owner, event.translator))


@command(
    "mydata",
    rank=180,
    summary=gettext_noop("everything that is kept about me"),
    secret=True,
    people_only=True,
)
async def my_data(event: CommandEvent, services: Services) -> Reply:
    """Sends the asker a file with all data about them, or several files if it is too large.

    A chat without files shows the data in pages; `2 3` is the third page of the second kind.
    """
    if not event.chat.limits.documents:
        return await _data_in_text(event, services)

    user = event.user
    translator = event.translator
    private = event.chat.private_server(user.ref)
    packing = services.privacy.everything_about(user.ref, private, event.chat.limits.document)
    writing = asyncio.create_task(packing)

    async def files() -> Sequence[Reply]:
        try:
            parts = await writing
        except Exception:
            log.exception("data_not_written")
            return [event.toast(refusals.BROKEN)]

        invitation = answer_elsewhere_screen(user, event.room, translator)
        otherwise = translator.text(refusals.NO_FILE)
        if len(parts) == 1:
            names = ["mydata.zip"]
        else:
            names = [f"mydata-{number}.zip" for number in range(1, len(parts) + 1)]

        first, *others = [Document(name, part, otherwise) for name, part in zip(names, parts, strict=True)]
        title = translator.spans(ALL_DATA)
        return [
            Reply(secret=Screen(title), document=first, invitation=invitation),
            *[Reply(secret=Screen(()), document=other, invitation=invitation) for other in others],
        ]

    done, _ = await asyncio.wait({writing}, timeout=SOON)
    if done and (error := writing.exception()) is not None:
        raise error

    notice = None if done else Screen(body=translator.spans(WRITING))
    return Reply(secret=notice, later=files)


async def _data_in_text(event: CommandEvent, services: Services) -> Reply:
    """Lists the kinds of data about the asker, or shows a page of one kind."""
    user = event.user
    translator = event.translator
    rows = await services.privacy.rows_about(user.ref, event.chat.private_server(user.ref))
    numbers = [int(word) for word in event.command.args if word.isdecimal()]
    kind = numbers[0] if numbers else 0
    page = numbers[1] if len(numbers) > 1 else 1

    if 1 <= kind <= len(rows):
        screen = data_page(kind, page, rows, event.chat.limits, translator)
    else:
        screen = data_screen(rows, translator)

    return Reply(secret=screen, invitation=answer_elsewhere_screen(user, event.room, translator))


@command(
    "forgetme",
    ArgumentSpec("sure", gettext_noop("yes, if you're sure")),
    rank=190,
    summary=gettext_noop("forget me here"),
    secret=True,
    people_only=True,
)
async def forget_me(event: CommandEvent, services: Services) -> Reply:
    """Asks for confirmation, and then replaces the asker everywhere by a nameless player."""
    if tuple(word.lower() for word in event.command.args) != (SURE,):
        return Reply(ephemeral=forget_screen(event.translator, has_button=event.is_answered_secretly))

    try:
        await _forget(event, services)
    finally:  # after an error, they may still have been forgotten
        await services.outbox.show_outdated()

    return event.toast(gettext_noop("Done, I've forgotten you."))


async def _forget(event: CommandEvent, services: Services) -> None:
    """Forgets the asker on disk, in memory and in their chat, and scrubs deleted data from the disk."""
    user = event.user
    chat = event.chat
    private = chat.private_server(user.ref)
    changing = () if private is None else (private,)

    with services.servers.changing(*changing):
        erase = partial(services.privacy.forget, user.ref, private)
        async with services.badge_lock:
            await take_off_marks(user.ref, services)
            await services.tables.forget(user.ref, private, erase)

    remembering = (
        services.people,
        services.servers,
        services.waiting_notices,
        services.reviews,
        services.moments,
        services.hands,
        services.outbox,
        services.reachability,
        services.portraits,
        services.open_views,
        services.links,
    )
    for service in remembering:
        service.forget(user.ref)
    for forget in services.hooks.forget:
        forget(user.ref)

    names = {user.name, safe_name(user.name)}
    telling = {name for name in names if not await asyncio.to_thread(is_said, name)}
    messages = await chat.forget_person(user.ref, telling)
    await services.outbox.repair(messages)
    await services.privacy.scrub()
