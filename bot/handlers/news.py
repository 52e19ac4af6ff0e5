"""Posts news such as the weekly report, in the room in which an admin enabled them."""

from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256

from adapters.port import Delivered, Everyone, Gone, Lost, RoomRef, Screen, Throttled, UserRef
from bot.handlers.event import Services, tell_admin
from bot.model.calendar import Appointment
from bot.model.server_choices import ON
from bot.screens.server import home_closed_screen

MAX_KEY_LENGTH = 25  # characters of a key that every chat accepts


async def post_news(
    due: Appointment,
    screen: Screen,
    name: str,
    services: Services,
    *,
    on_posted: Callable[[], Awaitable[None]] | None = None,
) -> float | None:
    """Posts news to a room; if the room refuses them, notifies the admin once.

    Args:
        due: The appointment, with the room.
        screen: The post.
        name: A name unique among posts of this kind in the room, so that a retry does not post twice.
        services: The bot.
        on_posted: Called after the post has arrived.

    Returns:
        The seconds until a retry; None if none is needed.
    """
    assert due.room is not None
    key = post_key(due.kind, name, due.room)
    delivery = await services.announcements.post(Everyone(due.room), screen, key)
    choices = await services.servers.choices(due.server)

    match delivery:
        case Throttled(retry_after):
            return retry_after
        case Delivered():
            if choices.home_closed:
                await services.servers.choose(due.server, home_closed="")
            if on_posted is not None:
                await on_posted()
        case Gone(Lost.ROOM) if choices.home_by and not choices.home_closed:
            await services.servers.choose(due.server, home_closed=ON)
            admin = UserRef(due.server.platform, choices.home_by)
            setting = services.registry.settings[due.kind]
            await tell_admin(admin, due.room, partial(home_closed_screen, setting), services)

    return None


def post_key(kind: str, name: str, room: RoomRef) -> str:
    """Returns the key by which a chat recognizes a retry of a post in a room."""
    return sha256(f"{kind} {name} {room}".encode()).hexdigest()[:MAX_KEY_LENGTH]
