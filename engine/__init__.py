"""The game of Durak: the public door of the engine."""

from engine.players import STRENGTHS, Absent, Adviser, Beginner, HousePlayer, Memory
from engine.players.review import Decision, Regret, dearest, suspects, weighed
from engine.rules.bout import Pair
from engine.rules.cards import Card, CardSet, Rank, Suit, beats
from engine.rules.clashes import Clash, ClashReason
from engine.rules.deal import deck_order, seed_hash, short_seal
from engine.rules.deck import full_deck
from engine.rules.errors import (
    IllegalMoveError,
    InvalidRulesError,
    InvalidSettingError,
    InvalidTextError,
    Reason,
    SettingProblem,
    nearest,
)
from engine.rules.events import (
    Attacked,
    BeatenOff,
    BoutOpened,
    Declined,
    Defended,
    Drew,
    Event,
    Exchanged,
    GameOver,
    Kept,
    LaidAway,
    Redealt,
    Resigned,
    TakeDeclared,
    TakenUp,
    Transferred,
    TrumpShown,
    WentOut,
    seen_by,
)
from engine.rules.match import Match
from engine.rules.moves import (
    Attack,
    Defend,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    Redeal,
    Resign,
    ShowTrump,
    Take,
    Transfer,
    parse_action,
    parse_move,
)
from engine.rules.opening import EDITION, Opening
from engine.rules.outcome import Outcome, Seat
from engine.rules.presets import PRESETS
from engine.rules.problems import Problem
from engine.rules.record import LineKind, Record, Stop, lines_of, replay
from engine.rules.rules import Rules
from engine.rules.scoring import place_points
from engine.rules.seating import team_of
from engine.rules.settings import MOST_QUIET_BOUTS, SETTINGS, value_text
from engine.rules.state import State, Step
from engine.rules.verification import SealCheck, Verification, verify
from engine.rules.views import PublicView, SeatView

__all__ = [
    "EDITION",
    "MOST_QUIET_BOUTS",
    "PRESETS",
    "SETTINGS",
    "STRENGTHS",
    "Absent",
    "Adviser",
    "Attack",
    "Attacked",
    "BeatenOff",
    "Beginner",
    "BoutOpened",
    "Card",
    "CardSet",
    "Clash",
    "ClashReason",
    "Decision",
    "Declined",
    "Defend",
    "Defended",
    "Done",
    "Drew",
    "Event",
    "Exchange",
    "Exchanged",
    "GameOver",
    "HousePlayer",
    "IllegalMoveError",
    "InvalidRulesError",
    "InvalidSettingError",
    "InvalidTextError",
    "Keep",
    "Kept",
    "LaidAway",
    "LayAway",
    "LineKind",
    "Match",
    "Memory",
    "Move",
    "Opening",
    "Outcome",
    "Pair",
    "Problem",
    "PublicView",
    "Rank",
    "Reason",
    "Record",
    "Redeal",
    "Redealt",
    "Regret",
    "Resign",
    "Resigned",
    "Rules",
    "SealCheck",
    "Seat",
    "SeatView",
    "SettingProblem",
    "ShowTrump",
    "State",
    "Step",
    "Stop",
    "Suit",
    "Take",
    "TakeDeclared",
    "TakenUp",
    "Transfer",
    "Transferred",
    "TrumpShown",
    "Verification",
    "WentOut",
    "beats",
    "dearest",
    "deck_order",
    "full_deck",
    "lines_of",
    "nearest",
    "parse_action",
    "parse_move",
    "place_points",
    "replay",
    "seed_hash",
    "seen_by",
    "short_seal",
    "suspects",
    "team_of",
    "value_text",
    "verify",
    "weighed",
]
