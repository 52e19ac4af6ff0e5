"""The game of Durak: the public interface of the engine."""

from engine.players import STRENGTHS, Absent, Adviser, Beginner, HousePlayer, Memory, strength_by
from engine.players.adviser import Decision, Regret, dearest, suspects, weighed
from engine.players.cheating import sly_move
from engine.puzzles import Puzzle, line_text, puzzle_at, puzzle_of, puzzles_in
from engine.rules.cards import Card, CardSet, Pair, Rank, RankOrder, Suit, beats, cards_of, full_deck
from engine.rules.cheating import is_honest
from engine.rules.deal import EDITION, deck_order, seed_hash, short_seal, shuffled
from engine.rules.declarations import Panel
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
    AccusedWrongly,
    Attacked,
    BeatenOff,
    BoutOpened,
    Caught,
    Cheat,
    Declined,
    Defended,
    Drew,
    Event,
    Exchanged,
    GameOver,
    Kept,
    LaidAway,
    Outcome,
    Redealt,
    Resigned,
    Seat,
    TakeDeclared,
    TakenUp,
    Transferred,
    TrumpShown,
    WentOut,
    seen_by,
)
from engine.rules.match import Match
from engine.rules.moves import (
    Accuse,
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
    cards_needed_for,
    parse_action,
)
from engine.rules.opening import Opening
from engine.rules.play import place_points
from engine.rules.position_text import Problem
from engine.rules.record import LineKind, Record, SealCheck, Stop, Verification, lines_of, replay, verify
from engine.rules.settings import (
    DECLARATIONS,
    MAX_QUIET_BOUTS,
    PRESETS,
    SETTINGS,
    Clash,
    ClashReason,
    Rules,
    value_text,
)
from engine.rules.state import State, Step
from engine.rules.views import PublicView, SeatView
