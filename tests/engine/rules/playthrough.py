"""A whole game written out: after every move the public view and each seat's view."""

from dataclasses import fields
from pathlib import Path
from typing import Any

from engine import CardSet, Event, Outcome, Pair, PublicView, Record, State

FILES = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))
_MOVE = "> "
_NOTHING: tuple[object, ...] = (None, (), frozenset())
_RARE = frozenset({"unseen"})  # fields that are left out where they are empty


def record_of(text: str) -> Record:
    """Returns the game of a playthrough: its first line, and the lines that begin with `> `."""
    opening, *lines = text.splitlines()
    moves = [line.removeprefix(_MOVE) for line in lines if line.startswith(_MOVE)]
    return Record.from_text("\n".join([opening, *moves]))


def regenerated(text: str) -> str:
    """Returns the playthrough written out again, by the same opening and moves."""
    record = record_of(text)
    state = record.opening.deal()
    parts = [f"{record.opening}\n", *_seen(state)]

    for (seat, action), (after, events) in zip(record.actions, record.steps(), strict=True):
        parts.append(f"\n{_MOVE}{seat} {action}")
        parts += _happened(events, after.players)
        parts += _seen(after)
        state = after

    assert state.outcome() is not None, "a playthrough goes on to the end of its game"
    return "\n".join(parts) + "\n"


def _happened(events: tuple[Event, ...], players: int) -> list[str]:
    """Returns the public events, and under each the views of the seats that see more of it."""
    lines = []
    for event in events:
        public = event.seen_by(None)
        lines.append(f"  {_written(public)}")
        for seat in range(players):
            own = event.seen_by(seat)
            if own != public:
                lines.append(f"    {seat} sees {_written(own)}")

    return lines


def _seen(state: State) -> list[str]:
    """Returns the public view, a line for every two or three facts, then each seat's hand and moves."""
    public = state.public_view()
    assert all(state.view_for(seat).public == public for seat in range(state.players))

    lines = [f"  {' | '.join(facts)}" for facts in _facts(public) if facts]
    for seat in range(state.players):
        moves = ", ".join(map(str, state.legal_moves(seat)))
        line = f"  {seat} holds {state.view_for(seat).hand or '-'}"
        if moves:
            line += f"; may {moves}"
        lines.append(line)

    return lines


def _facts(public: PublicView) -> list[list[str]]:
    """Returns every field but the rules and the empty ones."""
    shown = [
        f"{field.name} {_written(getattr(public, field.name))}"
        for field in fields(public)
        if field.name != "rules" and getattr(public, field.name) not in _NOTHING
    ]
    half = (len(shown) + 1) // 2
    return [shown[:half], shown[half:]]


def _written(value: Any) -> str:
    """Returns a value as a person would write it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Pair(attack, beat, by):
            return f"{attack}{f'/{beat}' if beat else ''}@{by}"
        case tuple() | frozenset() | CardSet():
            items = sorted(value) if isinstance(value, frozenset) else value
            return " ".join(map(_written, items)) or "-"
        case Event() | Outcome():
            parts = [
                f"{field.name}={_written(getattr(value, field.name))}"
                for field in fields(value)
                if getattr(value, field.name) is not None
                and (getattr(value, field.name) or field.name not in _RARE)
            ]
            return " ".join([type(value).__name__, *parts])

    return str(value)
