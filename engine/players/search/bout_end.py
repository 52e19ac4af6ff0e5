"""The end of a bout in a simulated game: who gets its cards, who draws, who is out, and who attacks next."""

from engine.players.search.simulated_position import SimulatedPosition


def end_bout(game: SimulatedPosition) -> None:
    """Move the cards, let people draw and leave, and give the roles of the next bout or end the game."""
    rules, taken, loser = game.rules, game.taking, game.defender
    if taken:
        game.hands[loser] |= game.table
    else:
        game.limit = rules.limit
    if rules.leave_with_talon:
        _let_go(game)
    if game.talon and not rules.draws_by_round:
        _refill(game)
    game.table = game.ranks = game.unbeaten = game.shown_trumps = game.attacks = game.declined = 0
    game.taking = False
    if not game.talon:
        _let_go(game)
    if _is_decided(game):
        _end_game(game, loser)
        return
    game.attacker = loser if not taken and loser in game.in_game else game.next_to(loser)
    game.defender = game.next_opponent(game.attacker)
    game.mover = game.attacker
    game.move_on(loser, game.attacker, 1)
    if rules.draws_by_round and game.moved >= len(game.hands):
        _draw_one_each(game)


def _let_go(game: SimulatedPosition) -> None:
    game.in_game = [seat for seat in game.in_game if game.hands[seat]]


def _refill(game: SimulatedPosition) -> None:
    """Refill the hands: attacker, others clockwise, defender last."""
    order = game.clockwise(game.attacker)
    if game.defender in order:
        order.remove(game.defender)
        order.append(game.defender)
    for seat in order:
        _draw(game, seat, game.rules.hand_size - game.hands[seat].bit_count())


def _draw_one_each(game: SimulatedPosition) -> None:
    for seat in game.clockwise(game.round_start):
        if game.hands[seat].bit_count() < game.rules.hand_size:
            _draw(game, seat, 1)
    game.moved, game.round_start = 0, game.attacker


def _draw(game: SimulatedPosition, seat: int, count: int) -> None:
    for _ in range(min(count, len(game.talon))):
        game.hands[seat] |= game.talon.pop()


def _is_decided(game: SimulatedPosition) -> bool:
    places, in_game = game.rules.places, game.in_game
    if places:
        return len(game.hands) - len(in_game) >= places
    return not in_game or game.rules.partners[in_game[0]].issuperset(in_game)


def _end_game(game: SimulatedPosition, defender: int) -> None:
    rules = game.rules
    game.over = True
    if rules.places:
        game.losers = frozenset(game.in_game)
    elif game.in_game:
        game.losers = rules.partners[game.in_game[0]]
    elif rules.defender_loses_all_empty:
        game.losers = rules.partners[defender]
