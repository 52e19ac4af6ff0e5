"""The handlers of bets on the fool, for servers that enable them."""

from adapters.port import Reply, Screen, Span
from bot.features.bets import screens
from bot.features.bets.buttons import AskBet, PlaceBet
from bot.features.bets.model import accepts_bets, seats_to_bet_on
from bot.features.bets.part import SETTING, Bets
from bot.handlers.event import PressEvent, RoomEvent, RoomPressEvent, Services, button
from bot.model.table import Table
from bot.screens.directions import answer_elsewhere_screen


@button(AskBet)
async def ask_bet(event: PressEvent, button: AskBet, services: Services) -> Reply:
    """Asks for a bet, in secret, unless the asker has already placed one."""
    table = event.table
    if not await _accepts_bets_now(table, services):
        return event.toast(screens.CLOSED)

    earlier = await services.part(Bets).store.of(event.user.ref, table.id, table.game)
    if earlier is not None:
        return _placed_already(table, earlier, event)

    return Reply(
        secret=screens.bet_screen(table, event.seat, event.limits, event.translator),
        invitation=answer_elsewhere_screen(event.user, event.room, event.translator),
    )


@button(PlaceBet)
async def place_bet(event: RoomPressEvent, button: PlaceBet, services: Services) -> Reply:
    """Places the asker's bet; only the first one counts."""
    table = await services.tables.table(button.table_id)
    own_seat = table.seat_of(event.user.ref)
    offered = seats_to_bet_on(table.rules, len(table.players), own_seat)

    is_offered = table.game == button.game and button.seat in offered
    if not is_offered or not await _accepts_bets_now(table, services):
        return event.toast(screens.CLOSED)

    earlier = await services.part(Bets).store.place(event.user, table.id, table.game, button.seat)
    if earlier is not None:
        return _placed_already(table, earlier, event)

    notice = screens.placed_text(table, button.seat, event.translator)
    if not event.press.on_private_message:
        return Reply(toast=notice)

    return Reply(replacement=Screen((Span(notice),)))


def _placed_already(table: Table, seat: int, event: RoomEvent) -> Reply:
    name = screens.name_of_bet(table, seat, event.translator)
    return event.toast(screens.PLACED_ALREADY, name=name)


async def _accepts_bets_now(table: Table, services: Services) -> bool:
    choices = await services.servers.choices(table.room.server)
    if not choices.wants(SETTING):
        return False

    game = (await services.tables.session(table.id)).newest
    return game is not None and accepts_bets(table, game.state.public_view(), game.public_events)
