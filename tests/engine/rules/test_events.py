"""The others' view of events (chapter 12)."""

from engine import Attacked, Card, CardSet, Drew, Event, Move, Rules, State, TakenUp, seen_by

START = State.setup(
    Rules(), hands=["6S 7D", "7S 8D", "6C AD"], talon="9S TS JS QS AS KH", trump="H", attacker=0
)


def happened(state: State, moves: str) -> list[Event]:
    """Returns the events of the last of moves such as `0 A 6S, 1 T`."""
    events: list[Event] = []
    for words in moves.split(", "):
        seat, _, text = words.partition(" ")
        state, last = state.apply(int(seat), Move.parse(text))
        events = list(last)

    return events


def test_played_and_taken_cards_are_seen_by_everybody() -> None:
    (attacked,) = happened(START, "0 A 6S")
    assert attacked == Attacked(0, (Card.parse("6S"),))
    taken_up = happened(START, "0 A 6S, 1 T, 2 A 6C")[1]
    assert isinstance(taken_up, TakenUp)
    assert CardSet(taken_up.cards) == CardSet.parse("6S 6C")
    assert all(event.seen_by(seat) is event for event in (attacked, taken_up) for seat in (None, 0, 1, 2))


def test_a_drawn_card_is_seen_by_its_owner_and_the_turn_up_by_everybody() -> None:
    moves = "0 A 6S, 1 T, 2 A 6C"
    drew = [event for event in happened(START, moves) if isinstance(event, Drew)]
    assert [(event.seat, event.count) for event in drew] == [(0, 5), (2, 1)]

    first, last = drew
    assert first.seen_by(0).cards == first.cards

    for observer in (None, 1, 2):
        assert first.seen_by(observer).cards is None
        assert first.seen_by(observer).count == 5

    assert last.seen_by(0).cards is None
    assert last.seen_by(0).turn_up is Card.parse("KH")


def test_without_a_turn_up_the_last_card_is_drawn_unseen() -> None:
    rules = Rules(turn_up="removed", hand_size=2)
    state = State.setup(rules, hands=["6S 7D", "7S 8D"], talon="9S", trump="H", attacker=0, turn_up="AH")
    drew = [event for event in happened(state, "0 A 6S, 1 T, 0 P") if isinstance(event, Drew)]
    assert [(event.seat, event.count, event.turn_up) for event in drew] == [(0, 1, None)]
    for seat, text in ((0, "A 6S"), (1, "T"), (0, "P")):
        state = state.apply(seat, Move.parse(text)).state

    assert state.public_view().seen_cards == ()


def test_what_a_seat_has_seen_of_a_game_comes_in_its_order() -> None:
    events = happened(START, "0 A 6S, 1 T, 2 A 6C")
    assert seen_by(events, 0) == tuple(event.seen_by(0) for event in events)
    assert [event.cards is None for event in seen_by(events, None) if isinstance(event, Drew)] == [True, True]
