"""`/mydata` and `/forgetme`: what is kept about a person, and its end."""

import json
from functools import partial

from adapters.port import ArgumentSpec, Document, Reply, Screen, User
from bot.handlers.event import CommandEvent, Services, command
from bot.locale import gettext_noop
from bot.screens import refusals
from bot.screens.help import SURE, forget_screen
from bot.screens.table import answer_elsewhere_screen
from bot.screens.words import safe_name


@command("mydata", summary=gettext_noop("everything that is kept about me"), personal=True, people_only=True)
async def my_data(event: CommandEvent, services: Services) -> Reply:
    """Give the asker a file with everything that is kept about them."""
    user, translator = event.user, event.translator
    found = await services.privacy.everything_about(user.ref, event.chat.private_server(user.ref))
    content = json.dumps(found, indent=2, ensure_ascii=False).encode()
    return Reply(
        private=Screen(body=translator.spans("Everything that is kept about you. /forgetme ends it.")),
        document=Document("mydata.json", content, translator.text(refusals.NO_FILE)),
        invitation=answer_elsewhere_screen(user, event.room, translator),
    )


@command(
    "forgetme",
    ArgumentSpec("sure", gettext_noop("yes, if you are sure")),
    summary=gettext_noop("forget me here"),
    personal=True,
    people_only=True,
)
async def forget_me(event: CommandEvent, services: Services) -> Reply:
    """Ask, and when they are sure, let a nameless player stand in their place everywhere."""
    if tuple(word.lower() for word in event.command.args) != (SURE,):
        return Reply(personal=forget_screen(event.translator, has_button=event.is_answered_privately))
    await _forget(event.user, services)
    return event.toast(gettext_noop("Done: nothing here knows you any more."))


async def _forget(user: User, services: Services) -> None:
    """Forget a person on disk, in memory, in their chat, and in what the disk keeps of older days."""
    chat = services.chats[user.ref.platform]
    private = chat.private_server(user.ref)
    with services.servers.changing(*(() if private is None else (private,))):
        erase = partial(services.privacy.forget, user.ref, private)
        await services.tables.forget(user.ref, private, erase)
    remembering = (
        services.people,
        services.reviews,
        services.presenter,
        services.outbox,
        services.reachability,
    )
    for each in remembering:
        each.forget(user.ref)
    changed = await chat.forget_person(user.ref, {user.name, safe_name(user.name)})
    await services.outbox.repair(changed)
    await services.privacy.scrub()
