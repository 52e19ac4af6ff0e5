"""The end of a bout in a world: who gets its cards, who draws, who is out, and who attacks next."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.players.search.simulation import World


def end_bout(world: "World") -> None:
    """Moves the cards, lets people draw and leave, and gives the roles of the next bout or ends the game."""
    customs, taken, loser = world.customs, world.taking, world.defender
    if taken:
        world.hands[loser] |= world.table
    else:
        world.limit = customs.limit
    if customs.leave_with_talon:
        _let_go(world)
    if world.talon and not customs.draws_by_round:
        _refill(world)
    world.table = world.ranks = world.unbeaten = world.travelled = world.attacks = world.declined = 0
    world.taking = False
    if not world.talon:
        _let_go(world)
    if _is_decided(world):
        _end_game(world, loser)
        return
    world.attacker = loser if not taken and loser in world.left else world.next_to(loser)
    world.defender = world.next_opponent(world.attacker)
    world.mover = world.attacker
    world.move_on(loser, world.attacker, 1)
    if customs.draws_by_round and world.moved >= len(world.hands):
        _draw_one_each(world)


def _let_go(world: "World") -> None:
    world.left = [seat for seat in world.left if world.hands[seat]]


def _refill(world: "World") -> None:
    """Refills the hands: attacker, others clockwise, defender last."""
    order = world.clockwise(world.attacker)
    if world.defender in order:
        order.remove(world.defender)
        order.append(world.defender)
    for seat in order:
        _draw(world, seat, world.customs.hand_size - world.hands[seat].bit_count())


def _draw_one_each(world: "World") -> None:
    for seat in world.clockwise(world.round_start):
        if world.hands[seat].bit_count() < world.customs.hand_size:
            _draw(world, seat, 1)
    world.moved, world.round_start = 0, world.attacker


def _draw(world: "World", seat: int, count: int) -> None:
    for _ in range(min(count, len(world.talon))):
        world.hands[seat] |= world.talon.pop()


def _is_decided(world: "World") -> bool:
    places, left = world.customs.places, world.left
    if places:
        return len(world.hands) - len(left) >= places
    return not left or world.customs.partners[left[0]].issuperset(left)


def _end_game(world: "World", defender: int) -> None:
    customs = world.customs
    world.over = True
    if customs.places:
        world.losers = frozenset(world.left)
    elif world.left:
        world.losers = customs.partners[world.left[0]]
    elif customs.defender_loses_all_empty:
        world.losers = customs.partners[defender]
