"""Deals by hand: card by card around the table, then the turn-up, then the search for the lowest trump."""

from engine import Card, Opening, Seat, State


def check_deal(opening: Opening, dealt: State) -> None:
    """Checks the engine's deal against a deal by hand; skips a deal that had to be repeated."""
    rules = opening.rules
    pile = list(opening.deck)
    hands: list[list[Card]] = [[] for _ in range(opening.players)]
    seats = [(opening.dealer + 1 + step) % opening.players for step in range(opening.players)]
    last = pile[-1]

    for _ in range(rules.hand_size):
        for seat in seats:
            last = pile.pop(0)
            hands[seat].append(last)

    turn_up, under = (pile[0], pile[:1]) if pile else (last, [])
    pile = pile[1:] + (under if rules.turn_up == "talon_bottom" else [])
    first = _first(opening, hands, seats, turn_up)
    if first is None:
        return

    assert [sorted(hand) for hand in hands] == [sorted(hand) for hand in dealt.hands]
    assert (dealt.trump, dealt.turn_up) == (turn_up.suit, turn_up)
    assert dealt.attacker == first
    assert list(dealt.talon) == pile

    is_asked = opening.edition > 1 and 0 < rules.redeal_same_suit <= rules.hand_size
    assert dealt.undecided == (set(seats) if is_asked else set())


def _first(opening: Opening, hands: list[list[Card]], seats: list[Seat], turn_up: Card) -> Seat | None:
    """Returns the holder of the lowest trump, or the player left of the dealer (rules 3.1 to 3.3)."""
    rules = opening.rules
    order = "23456789JQKTA" if rules.rank_order == "ten_high" else "23456789TJQKA"
    if rules.first_attacker_first_game == "left_of_dealer":
        return seats[0]

    for is_wanted in (
        lambda card: card.suit == turn_up.suit,
        lambda _: rules.no_trump_fallback == "lowest_card",
    ):
        found = [
            (order.index(str(card.rank)), number)
            for number, seat in enumerate(seats)
            for card in hands[seat]
            if is_wanted(card)
        ]
        if found:
            return seats[min(found)[1]]

    return None if rules.no_trump_fallback == "redeal" else seats[0]
