"""REST: answers to interactions, under Discord's rules of three seconds and fifteen minutes."""

from datetime import UTC, datetime
from typing import Any

from tests.wire.discord.errors import ApiError, Refusal
from tests.wire.discord.interaction import Asked, Callback, Interaction
from tests.wire.discord.messages import BY_BOTS, write
from tests.wire.discord.payloads import message_json
from tests.wire.discord.state import Call, DiscordState
from tests.wire.discord.world import Message, MessageFlag

MAX_CHOICES = 25
MAX_FOLLOW_UPS_OUTSIDE = 5
MAX_CHOICE_LENGTH = 100


async def answer(state: DiscordState, call: Call) -> dict[str, Any] | None:
    """Takes the first answer to an interaction."""
    interaction = state.interactions.get(call.params["interaction_token"])
    if interaction is None or str(interaction.id) != call.params["interaction_id"]:
        raise ApiError(Refusal.UNKNOWN_INTERACTION)
    if interaction.callback is not None:
        raise ApiError(Refusal.ALREADY_ANSWERED)
    if interaction.age > state.answer_within:
        raise ApiError(Refusal.UNKNOWN_INTERACTION)

    kind = Callback(call.body["type"])
    body = call.body.get("data") or {}
    _check_kind(state, interaction, kind)

    match kind:
        case Callback.BOX:
            interaction.box = body
        case Callback.CHOICES:
            interaction.choices = _choices(body)
        case Callback.MESSAGE | Callback.DEFERRED_MESSAGE:
            interaction.original = _new(
                state, interaction, call, body, loading=kind is Callback.DEFERRED_MESSAGE
            )
        case Callback.UPDATE | Callback.DEFERRED_UPDATE:
            if interaction.message is None:
                raise ApiError(Refusal.INVALID_FORM, "type: there is no message to update")
            interaction.original = interaction.message
            if kind is Callback.UPDATE:
                _change(state, interaction.message, call, body)

    interaction.callback = kind
    return _answered(interaction) if call.query.get("with_response") in {"true", "1"} else None


def _check_kind(state: DiscordState, interaction: Interaction, kind: Callback) -> None:
    """Raises ApiError for a kind of answer that doesn't fit this interaction."""
    if (kind is Callback.CHOICES) is not (interaction.asked is Asked.COMPLETION):
        raise ApiError(Refusal.INVALID_FORM, "type: this is no answer to such an interaction")
    if kind is Callback.BOX and interaction.asked is Asked.TYPED:
        raise ApiError(Refusal.INVALID_FORM, "type: a box cannot be answered with a box")
    if kind is Callback.LAUNCH and not state.activities.are_enabled:
        raise ApiError(Refusal.INVALID_FORM, "type: Activities are switched off")


async def follow_up(state: DiscordState, call: Call) -> dict[str, Any]:
    """Posts a further message; the first one after a deferred answer takes its place."""
    interaction = _live(state, call)
    original = interaction.original
    if original is not None and MessageFlag.LOADING in original.flags and not original.deleted:
        _change(state, original, call, call.body)
        return message_json(original)
    if interaction.channel.is_outside and len(interaction.followups) >= MAX_FOLLOW_UPS_OUTSIDE:
        raise ApiError(Refusal.TOO_MANY_FOLLOW_UPS)

    message = _new(state, interaction, call, call.body, loading=False)
    interaction.followups.append(message)
    return message_json(message)


async def get_answer(state: DiscordState, call: Call) -> dict[str, Any]:
    return message_json(_message(state, call))


async def edit_answer(state: DiscordState, call: Call) -> dict[str, Any]:
    message = _message(state, call)
    _change(state, message, call, call.body)
    return message_json(message)


async def delete_answer(state: DiscordState, call: Call) -> None:
    _message(state, call).deleted = True


def _live(state: DiscordState, call: Call) -> Interaction:
    interaction = state.interactions.get(call.params["webhook_token"])
    if (
        interaction is None
        or call.params["webhook_id"] != str(state.application)
        or interaction.callback is None
    ):
        raise ApiError(Refusal.UNKNOWN_WEBHOOK)

    if interaction.age > state.token_lives:
        raise ApiError(Refusal.INVALID_WEBHOOK_TOKEN)

    return interaction


def _message(state: DiscordState, call: Call) -> Message:
    """Finds `@original`, or a message that this interaction wrote or was pressed on."""
    interaction = _live(state, call)
    if interaction.channel.guild is not None and interaction.channel.id not in state.channels:
        raise ApiError(Refusal.UNKNOWN_CHANNEL)
    number = call.params.get("message_id", "@original")
    for message in (interaction.original, *interaction.followups):
        if message is not None and number in {"@original", str(message.id)} and not message.deleted:
            return message
    raise ApiError(Refusal.UNKNOWN_MESSAGE)


def _new(
    state: DiscordState, interaction: Interaction, call: Call, body: dict[str, Any], *, loading: bool
) -> Message:
    flags = MessageFlag(body.get("flags") or 0) & BY_BOTS
    only = interaction.person if MessageFlag.EPHEMERAL in flags else None
    source = (interaction.id, interaction.person) if interaction.asked is Asked.COMMAND else None
    message = Message(interaction.channel, state.bot, flags=flags, only=only, answers=source)

    if loading:
        message.flags |= MessageFlag.LOADING
    else:
        write(state, message, call, body)

    interaction.channel.messages[message.id] = message
    return message


def _choices(body: dict[str, Any]) -> list[tuple[str, str]]:
    choices = [(choice["name"], choice["value"]) for choice in body["choices"]]
    too_long = any(not 0 < len(text) <= MAX_CHOICE_LENGTH for choice in choices for text in choice)
    if too_long or len(choices) > MAX_CHOICES:
        raise ApiError(Refusal.INVALID_FORM, "choices: too many, or too long")
    return choices


def _change(state: DiscordState, message: Message, call: Call, body: dict[str, Any]) -> None:
    if message.deleted:
        raise ApiError(Refusal.UNKNOWN_MESSAGE)
    write(state, message, call, body)
    message.flags &= ~MessageFlag.LOADING
    message.edited = datetime.now(UTC)


def _answered(interaction: Interaction) -> dict[str, Any]:
    """Returns the response to a callback with `with_response`."""
    original = interaction.original
    kind = interaction.callback
    facts: dict[str, Any] = {"id": str(interaction.id), "type": int(interaction.asked)}

    if original is None or kind is None:
        return {"interaction": facts}

    facts["response_message_id"] = str(original.id)
    facts["response_message_loading"] = MessageFlag.LOADING in original.flags
    facts["response_message_ephemeral"] = original.only is not None
    facts["channel_id"] = str(original.channel.id)

    if interaction.channel.guild is not None:
        facts["guild_id"] = str(interaction.channel.guild.id)

    if kind in {Callback.DEFERRED_MESSAGE, Callback.DEFERRED_UPDATE}:
        return {"interaction": facts}

    return {"interaction": facts, "resource": {"type": int(kind), "message": message_json(original)}}
