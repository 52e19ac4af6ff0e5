"""Accounts, guilds, channels and messages in Discord's JSON."""

import mimetypes
from typing import Any

from tests.wire.discord.world import Account, Attachment, Channel, Guild, Kind, Message, Right

VERIFIED_BOT = 1 << 16  # a flag of accounts
SIZE_LIMIT = 10 * 1024 * 1024


def account_json(account: Account) -> dict[str, Any]:
    return {
        "id": str(account.id),
        "username": account.username,
        "global_name": None if account.bot else account.name,
        "discriminator": "0",
        "avatar": account.avatar_hash,
        "primary_guild": None,
        "bot": account.bot,
        "flags": 0,
        "public_flags": VERIFIED_BOT if account.is_verified else 0,
    }


def member_json(guild: Guild, account: Account) -> dict[str, Any]:
    """Returns a member with their computed rights, as in interactions."""
    return {
        "user": account_json(account),
        "nick": None,
        "avatar": None,
        "banner": None,
        "roles": _held(guild, account),
        "joined_at": "2024-01-01T00:00:00+00:00",
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
    }


def _held(guild: Guild, account: Account) -> list[str]:
    """Returns the ids of a member's roles, without everyone's role."""
    moderators = [guild.id + 1] if Right.MANAGE_MESSAGES in guild.members[account.id] else []
    own = [guild.bot_role.id] if account.bot and guild.bot_role is not None else []
    given = [role.id for role in guild.roles if account.id in role.holders]
    return [str(role) for role in (*moderators, *own, *given)]


def rights_of(guild: Guild, account: Account) -> Right:
    return ~Right(0) if account is guild.owner else guild.members[account.id]


def roles_json(guild: Guild) -> list[dict[str, Any]]:
    """Returns everyone's role, the moderators', and the guild's other roles."""
    return [
        _role_json(guild.id, "@everyone", guild.everyone, 0),
        _role_json(guild.id + 1, "Moderators", Right.MODERATOR, 1),
        *(
            _role_json(role.id, role.name, role.rights, role.position) | {"managed": role.is_managed}
            for role in guild.roles
        ),
    ]


def _role_json(role: int, name: str, rights: Right, position: int) -> dict[str, Any]:
    return {
        "id": str(role),
        "name": name,
        "permissions": str(rights.value),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def channel_json(channel: Channel, bot: Account) -> dict[str, Any]:
    if channel.kind is Kind.DIRECT:
        recipients = [account_json(channel.recipient)] if channel.recipient is not None else []
        return {
            "id": str(channel.id),
            "type": 1,
            "flags": 0,
            "recipients": recipients,
            "last_message_id": None,
        }

    if channel.kind is Kind.GROUP:
        return {
            "id": str(channel.id),
            "type": int(channel.kind),
            "flags": 0,
            "name": channel.name,
            "icon": None,
            "owner_id": str(channel.friends[0].id),
            "recipients": [account_json(friend) for friend in channel.friends],
            "last_message_id": None,
        }

    guild = channel.guild
    if guild is None:
        raise ValueError("a guild's channel without a guild")

    common = {
        "id": str(channel.id),
        "type": int(channel.kind),
        "guild_id": str(guild.id),
        "name": channel.name,
    }

    if channel.parent is not None:
        stamp = "2024-01-01T00:00:00+00:00"
        metadata = {"archived": channel.archived, "archive_timestamp": stamp, "auto_archive_duration": 1440}
        if channel.kind is Kind.PRIVATE_THREAD:
            metadata["invitable"] = True
        return common | {
            "parent_id": str(channel.parent.id),
            "owner_id": str(guild.owner.id),
            "message_count": 0,
            "total_message_sent": 0,
            "member_count": 1,
            "flags": 0,
            "thread_metadata": metadata | {"locked": channel.locked, "create_timestamp": stamp},
        }

    denied = (Right.ORDINARY | Right.PIN_MESSAGES) & ~channel.bot_rights
    overwrites = [{"id": str(bot.id), "type": 1, "allow": "0", "deny": str(denied.value)}] if denied else []
    more = {"position": 0, "permission_overwrites": overwrites, "parent_id": None, "topic": None}

    return common | more | {"nsfw": False, "flags": 0, "rate_limit_per_user": 0, "last_message_id": None}


def guild_json(guild: Guild, bot: Account) -> dict[str, Any]:
    """Returns a whole guild, as in GUILD_CREATE with the intent `guilds` alone."""
    channels = [channel for channel in guild.channels if channel.parent is None]
    threads = [
        channel
        for channel in guild.channels
        if channel.parent is not None and channel.has(bot) and not channel.archived
    ]
    guild.members.setdefault(bot.id, Right.ORDINARY)

    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner.id),
        "icon": None,
        "features": [],
        "roles": roles_json(guild),
        "emojis": [],
        "stickers": [],
        "channels": [channel_json(channel, bot) for channel in channels],
        "threads": [channel_json(thread, bot) for thread in threads],
        "members": [member_json(guild, bot)],
        "member_count": len(guild.members),
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "large": False,
        "unavailable": False,
        "joined_at": "2024-01-01T00:00:00+00:00",
        "preferred_locale": "en-US",
        "premium_tier": 0,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "system_channel_flags": 0,
        "afk_timeout": 300,
    }


def attachment_json(attachment: Attachment, channel: Channel) -> dict[str, Any]:
    address = f"https://cdn.discordapp.com/attachments/{channel.id}/{attachment.id}/{attachment.filename}"
    described = {} if attachment.description is None else {"description": attachment.description}
    return {
        "id": str(attachment.id),
        "filename": attachment.filename,
        "size": len(attachment.content),
        "url": address,
        "proxy_url": address,
        "content_type": mimetypes.guess_type(attachment.filename)[0] or "application/octet-stream",
        **described,
    }


def message_json(message: Message) -> dict[str, Any]:
    nonce = {} if message.nonce is None else {"nonce": message.nonce}
    source = {} if message.answers is None else {"interaction_metadata": _source_json(*message.answers)}
    return {
        "id": str(message.id),
        "type": 0,
        "channel_id": str(message.channel.id),
        "author": account_json(message.author),
        "content": message.content,
        "timestamp": message.created.isoformat(),
        "edited_timestamp": None if message.edited is None else message.edited.isoformat(),
        "tts": False,
        "mention_everyone": False,
        "mentions": [account_json(account) for account in message.mentioned],
        "mention_roles": [],
        "attachments": [attachment_json(attachment, message.channel) for attachment in message.attachments],
        "embeds": [],
        "components": message.components,
        "pinned": False,
        "flags": message.flags.value,
        **nonce,
        **source,
    }


def _source_json(interaction: int, person: Account) -> dict[str, Any]:
    """Returns the metadata of the interaction that a message answers."""
    return {
        "id": str(interaction),
        "type": 2,
        "user": account_json(person),
        "authorizing_integration_owners": {},
    }
