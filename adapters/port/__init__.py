"""The neutral vocabulary between the bot and the chats.

A chat adapter implements `Adapter`; the bot implements `Inbox`. Nothing here names a platform: what one chat
cannot do is an outcome (`NeedsOptIn`, `Gone`), never a special case in the bot.
"""

from adapters.port.answering import (
    WAITS_IN_PRIVATE,
    PressVerbs,
    ReplyVerbs,
    answer_command,
    answer_press,
    answer_private_chat_opened,
)
from adapters.port.boards import (
    Board,
    BoardMove,
    BoardPair,
    BoardSeat,
    HandBoard,
    LobbyBoard,
    LobbySeat,
    MoveKind,
    Role,
)
from adapters.port.commands import ArgumentKind, ArgumentSpec, CommandSpec, Suggestion
from adapters.port.events import Command, Press, PrivateChatOpened, Reply, Typing
from adapters.port.forms import Form, FormChoice, FormField
from adapters.port.limits import Budget, Budgets, Limits
from adapters.port.outcomes import (
    Delivered,
    Delivery,
    Gone,
    Lost,
    NeedsOptIn,
    Throttled,
    is_refused,
    is_refused_picture,
    unknown_recipient,
)
from adapters.port.pages import GameSummary, Pages, PlayerTally, Replay, ReplayStep, ReviewState
from adapters.port.protocols import AccessDeniedError, Adapter, ChatPort, Inbox
from adapters.port.refs import MessageRef, RoomRef, ServerRef, User, UserRef
from adapters.port.rule_sets import RuleSetCard, RuleSketch, RuleTrait
from adapters.port.screens import (
    Audience,
    Button,
    CallbackButton,
    Document,
    Everyone,
    FinishedGame,
    Only,
    Picture,
    PrivateChatButton,
    Screen,
    Tone,
)
from adapters.port.spans import Mark, Span
from adapters.port.token_bucket import TokenBucket

__all__ = [
    "WAITS_IN_PRIVATE",
    "AccessDeniedError",
    "Adapter",
    "ArgumentKind",
    "ArgumentSpec",
    "Audience",
    "Board",
    "BoardMove",
    "BoardPair",
    "BoardSeat",
    "Budget",
    "Budgets",
    "Button",
    "CallbackButton",
    "ChatPort",
    "Command",
    "CommandSpec",
    "Delivered",
    "Delivery",
    "Document",
    "Everyone",
    "FinishedGame",
    "Form",
    "FormChoice",
    "FormField",
    "GameSummary",
    "Gone",
    "HandBoard",
    "Inbox",
    "Limits",
    "LobbyBoard",
    "LobbySeat",
    "Lost",
    "Mark",
    "MessageRef",
    "MoveKind",
    "NeedsOptIn",
    "Only",
    "Pages",
    "Picture",
    "PlayerTally",
    "Press",
    "PressVerbs",
    "PrivateChatButton",
    "PrivateChatOpened",
    "Replay",
    "ReplayStep",
    "Reply",
    "ReplyVerbs",
    "ReviewState",
    "Role",
    "RoomRef",
    "RuleSetCard",
    "RuleSketch",
    "RuleTrait",
    "Screen",
    "ServerRef",
    "Span",
    "Suggestion",
    "Throttled",
    "TokenBucket",
    "Tone",
    "Typing",
    "User",
    "UserRef",
    "answer_command",
    "answer_press",
    "answer_private_chat_opened",
    "is_refused",
    "is_refused_picture",
    "unknown_recipient",
]
