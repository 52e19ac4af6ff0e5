"""The neutral vocabulary between the bot and the chats.

A chat adapter implements `Adapter`; the bot implements `Inbox`. No code here depends on a platform; names of
platforms appear only as examples. What a chat cannot do is declared in its `Limits` or returned as an
outcome, never a special case in the bot.
"""

from adapters.port.answering import (
    WAITS_IN_PRIVATE,
    PressVerbs,
    ReplyVerbs,
    answer_command,
    answer_press,
    answer_private_chat_opened,
)
from adapters.port.backoff import Backoff
from adapters.port.badges import BadgeProblem, Badges, BadgeTrouble, OfferedBadge
from adapters.port.boards import (
    Board,
    BoardIdle,
    BoardMove,
    BoardPair,
    BoardSeat,
    Figure,
    GameResult,
    GameSign,
    Guide,
    GuideLine,
    GuidePicture,
    GuideWay,
    HandBoard,
    LobbyBoard,
    LobbySeat,
    LobbyView,
    MoveKind,
    OwnResult,
    PlayerCard,
    PuzzleBoard,
    Role,
    RuleGuide,
    ScreenFacts,
    SeatWords,
    SettingGroup,
    SettingLine,
    SettingList,
)
from adapters.port.chat import (
    AccessDeniedError,
    Account,
    Adapter,
    Chat,
    ChatPort,
    Inbox,
    Multilingual,
    PinTrouble,
    UnreachableError,
)
from adapters.port.events import (
    COMMAND_SIGN,
    ArgumentChoice,
    ArgumentKind,
    ArgumentSpec,
    Attachment,
    Command,
    CommandScope,
    CommandSpec,
    MemberLeft,
    Offer,
    Press,
    PrivateChatOpened,
    Reply,
    Suggestion,
    Translated,
    Typing,
)
from adapters.port.limiter import (
    UNLIMITED,
    Admission,
    Budget,
    Budgets,
    CallLimiter,
    Rank,
    TokenBucket,
    limiter_of,
)
from adapters.port.limits import MAX_PORTRAIT, Limits, PrivateChat
from adapters.port.order import AnswerOrder
from adapters.port.outages import why_answered_so, why_unreachable
from adapters.port.outcomes import (
    NOT_SENT,
    Delivered,
    Delivery,
    Gone,
    Lost,
    NeedsOptIn,
    Throttled,
    code_location,
    is_refused,
    unknown_recipient,
)
from adapters.port.outside import NO_POSTS, OutsideChat, limits_outside
from adapters.port.pages import (
    GameSummary,
    MovesForgottenError,
    Pages,
    PlayerTally,
    Replay,
    ReplayStep,
    ReviewState,
    RuleSetCard,
    RuleSketch,
)
from adapters.port.refs import MessageRef, RoomRef, ServerRef, User, UserRef
from adapters.port.screens import (
    Accent,
    AddToGroupButton,
    Audience,
    Button,
    CallbackButton,
    Document,
    Everyone,
    Form,
    FormChoice,
    FormField,
    GameRef,
    LinkButton,
    Only,
    Picture,
    PrivateChatButton,
    Question,
    Screen,
    ShareButton,
    Tone,
    ViewButton,
)
from adapters.port.text import Mark, Span, gettext_noop
from adapters.port.views import Door, ProofProblem, ProofRefusedError, View, Views, Visit
