"""REST: the bot itself, its commands, and the members of its guilds."""

from typing import Any

from tests.wire.discord.errors import ApiError, Refusal
from tests.wire.discord.payloads import account_json, channel_json, member_json, roles_json
from tests.wire.discord.state import ENTRY_POINT, Call, DiscordState
from tests.wire.discord.world import Guild, Right, Role, snowflake

MAX_ROLES = 250

GIVEN = (
    "name",
    "description",
    "options",
    "type",
    "nsfw",
    "contexts",
    "integration_types",
    "dm_permission",
    "handler",
)
LOCALISED = ("name_localizations", "description_localizations")


async def get_me(state: DiscordState, call: Call) -> dict[str, Any]:
    account = call.person or state.bot
    return account_json(account) | {"mfa_enabled": False, "locale": "en-US", "premium_type": 0}


async def get_user(state: DiscordState, call: Call) -> dict[str, Any]:
    account = state.accounts.get(int(call.params["user_id"]))
    if account is None:
        raise ApiError(Refusal.UNKNOWN_USER)
    return account_json(account)


async def get_instance(state: DiscordState, call: Call) -> dict[str, Any]:
    found = state.activities.instances.get(call.params["instance_id"])
    if found is None:
        raise ApiError(Refusal.NOT_FOUND)

    channel, people = found
    kind = "pc" if channel.guild is None else "gc"
    location: dict[str, Any] = {"id": f"{kind}-{channel.id}", "kind": kind, "channel_id": str(channel.id)}

    if channel.guild is not None:
        location["guild_id"] = str(channel.guild.id)

    return {
        "application_id": str(state.application),
        "instance_id": call.params["instance_id"],
        "launch_id": call.params["instance_id"],
        "location": location,
        "users": [str(person.id) for person in people],
    }


async def get_application(state: DiscordState, call: Call) -> dict[str, Any]:
    del call
    return {
        "id": str(state.application),
        "name": state.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "max_participants": None,
        "approximate_guild_count": 1,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "tags": [],
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "integration_types_config": {"0": {}, **({"1": {}} if state.can_be_installed else {})},
        "role_connections_verification_url": None,
        "owner": account_json(next(iter(state.accounts.values()), state.bot)),
        "team": None,
        "bot": account_json(state.bot),
    }


async def get_commands(state: DiscordState, call: Call) -> list[dict[str, Any]]:
    """Returns the registered commands, with their translations on request only."""
    state.own_application(call)
    if call.query.get("with_localizations") in {"true", "1"}:
        return state.commands
    return [
        {key: part for key, part in command.items() if key not in LOCALISED} for command in state.commands
    ]


async def put_commands(state: DiscordState, call: Call) -> list[dict[str, Any]]:
    """Replaces the commands; a command that keeps its name keeps its id."""
    state.own_application(call)
    ids = {command["name"]: command["id"] for command in state.commands}
    names = [command["name"] for command in call.body]
    if len(set(names)) < len(names):
        raise ApiError(Refusal.INVALID_FORM, "names are duplicated")
    if not {command["name"] for command in state.commands if command["type"] == ENTRY_POINT} <= set(names):
        raise ApiError(Refusal.ENTRY_POINT_REMOVED)

    state.commands = [_registered(state, command, ids) for command in call.body]
    state.registrations += 1
    return state.commands


def _registered(state: DiscordState, command: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    given = {key: command[key] for key in GIVEN if command.get(key) is not None}
    if not given.get("options"):
        given.pop("options", None)

    rights = command.get("default_member_permissions")
    return given | {
        "id": ids.get(command["name"], str(snowflake())),
        "application_id": str(state.application),
        "version": str(snowflake()),
        "description": command.get("description", ""),
        "default_member_permissions": None if rights is None else str(rights),
        "name_localizations": command.get("name_localizations") or None,
        "description_localizations": command.get("description_localizations") or None,
    }


async def get_member(state: DiscordState, call: Call) -> dict[str, Any]:
    guild = _guild(state, call)
    number = int(call.params["user_id"])
    account = state.bot if number == state.bot.id else state.accounts.get(number)
    if account is None:
        raise ApiError(Refusal.UNKNOWN_USER)
    if account.id not in guild.members:
        raise ApiError(Refusal.UNKNOWN_MEMBER)
    return member_json(guild, account)


async def get_thread_member(state: DiscordState, call: Call) -> dict[str, Any]:
    thread = state.readable_channel(call.params["channel_id"])
    number = int(call.params["user_id"])
    if number not in thread.insiders:
        raise ApiError(Refusal.UNKNOWN_MEMBER)
    return {
        "id": str(thread.id),
        "user_id": str(number),
        "join_timestamp": "2024-01-01T00:00:00+00:00",
        "flags": 0,
    }


async def get_roles(state: DiscordState, call: Call) -> list[dict[str, Any]]:
    return roles_json(_guild(state, call))


async def create_role(state: DiscordState, call: Call) -> dict[str, Any]:
    """Creates a role at the bottom of the list, as Discord does."""
    guild = _guild(state, call)
    if not _top(guild):
        raise ApiError(Refusal.MISSING_PERMISSIONS)
    if len(guild.roles) >= MAX_ROLES:
        raise ApiError(Refusal.TOO_MANY_ROLES)
    role = Role(call.body["name"], rights=Right(int(call.body["permissions"])))
    guild.roles.append(role)
    return next(listed for listed in roles_json(guild) if listed["id"] == str(role.id))


async def give_role(state: DiscordState, call: Call) -> None:
    role, user = _role_and_member(state, call)
    role.holders.add(user)


async def take_role(state: DiscordState, call: Call) -> None:
    role, user = _role_and_member(state, call)
    role.holders.discard(user)


def _role_and_member(state: DiscordState, call: Call) -> tuple[Role, int]:
    guild = _guild(state, call)
    user = int(call.params["user_id"])
    if user not in guild.members:
        raise ApiError(Refusal.UNKNOWN_MEMBER)

    role = next((known for known in guild.roles if str(known.id) == call.params["role_id"]), None)
    if role is None:
        raise ApiError(Refusal.UNKNOWN_ROLE)
    if role.is_managed or role.position >= _top(guild):
        raise ApiError(Refusal.MISSING_PERMISSIONS)

    return role, user


def _top(guild: Guild) -> int:
    """Returns the position below which the bot may give roles; 0: it may give none."""
    mine = guild.bot_role
    return mine.position if mine is not None and Right.MANAGE_ROLES in mine.rights else 0


async def get_channels(state: DiscordState, call: Call) -> list[dict[str, Any]]:
    guild = _guild(state, call)
    return [channel_json(channel, state.bot) for channel in guild.channels if channel.parent is None]


def _guild(state: DiscordState, call: Call) -> Guild:
    guild = state.guilds.get(int(call.params["guild_id"]))
    if guild is None or not guild.has_bot:
        raise ApiError(Refusal.UNKNOWN_GUILD)
    return guild
