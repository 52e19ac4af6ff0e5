"""Looks back at finished games: `/review`, `/verify`, and the buttons under a result."""

from collections.abc import Hashable
from dataclasses import replace

from adapters.port import Button, Document, GameRef, LinkButton, Only, Reply, Screen
from bot.handlers.event import CommandEvent, PressEvent, RoomEvent, Services, button, command
from bot.handlers.lobby import play_again
from bot.handlers.pages import replay_address, withdraw_link
from bot.handlers.statistics import ranking
from bot.locale import Translator, gettext_noop
from bot.model.buttons import AfterGame, EndAction
from bot.model.findings import NoFindings
from bot.model.messages import MessageKind, TableSlot
from bot.model.table import Phase
from bot.pictures.subjects import Film
from bot.screens import refusals
from bot.screens.directions import answer_elsewhere_screen
from bot.screens.keyboard import button_to
from bot.screens.names import names_of
from bot.screens.result import headline
from bot.screens.review import NOT_OF_GAME, looking_screen, review_screen, verification_screen
from bot.screens.table import seal_line
from bot.storage import GameToReview
from engine import short_seal


@command("review", rank=150, summary=gettext_noop("a review of my last game"), secret=True, people_only=True)
async def review(event: CommandEvent, services: Services) -> Reply:
    """Shows the asker the review of their newest game; if it is not done yet, starts it and says so."""
    user = event.user.ref
    room = event.room
    tables = services.tables
    game = await services.records.newest_of(user, near=room)
    plays_here = any(table.room == room for table in await tables.tables_of(user))
    if plays_here and (game is None or (await tables.table(game.table_id)).room != room):
        return event.toast(refusals.STILL_PLAYING)

    return _review_of(game, event, services)


def _review_of(game: GameToReview | None, event: RoomEvent, services: Services) -> Reply:
    """Shows the review of a game, or starts it."""
    if game is None:
        return event.toast(refusals.NO_GAME_OF_YOURS)
    if not game.has_moves:
        return event.toast(refusals.MOVES_FORGOTTEN)

    if event.limits.boards:  # the chat has pages of games, which show the review
        return Reply(review=GameRef(game.table_id, game.game))

    slot = TableSlot(game.table_id, game.game, MessageKind.REVIEW, event.user.ref)
    findings = services.reviews.findings(slot)
    if findings is None or findings is NoFindings.FAILED:
        services.reviews.request(slot, Only(event.user.ref, event.room), game, event=event.id)
        screen = looking_screen(event.translator)
    else:
        screen = review_screen(slot.game, findings, event.translator)

    return Reply(secret=screen, invitation=answer_elsewhere_screen(event.user, event.room, event.translator))


@command("verify", rank=160, summary=gettext_noop("check the deal of the last game"))
async def verify(event: CommandEvent, services: Services) -> Reply:
    """Proves that the last game's deal was fair, with its record; without one, shows the running seal."""
    table = event.table
    translator = event.translator
    record = await services.records.newest(event.room)
    if record is not None:
        has_file = event.limits.documents
        screen = verification_screen(record, translator, is_alone=event.is_in_private_chat, has_file=has_file)
        document = Document("durak.txt", record.to_text().encode(), translator.text(refusals.NO_FILE))
        return Reply(public=screen, document=document if has_file else None)

    if table is None or table.phase is not Phase.PLAYING:
        return event.toast(refusals.NO_FINISHED_GAME)

    return Reply(public=Screen(body=seal_line(short_seal(table.seed), translator)))


@button(AfterGame)
async def after_game(event: PressEvent, button: AfterGame, services: Services) -> Reply:
    """Performs a button under a result: rematch, review, leaderboard, film, or withdrawal of the link."""
    match button.action:
        case EndAction.REMATCH:
            return await play_again(event, services)

        case EndAction.MISTAKES:
            game = await services.records.played_by(event.user.ref, button.table_id, button.game)
            if game is None:
                return event.toast(NOT_OF_GAME)

            reply = _review_of(game, event, services)
            if event.press.on_private_message:  # so that the pressed result stays
                return replace(reply, secret=None, ephemeral=reply.secret)

            return reply

        case EndAction.LEADERBOARD:
            return await _leaderboard(event, services)

        case EndAction.FILM:
            return await _film(event, button, services)

        case EndAction.WITHDRAW:
            return await _withdraw(event, button, services)


async def _leaderboard(event: PressEvent, services: Services) -> Reply:
    """Posts the leaderboard to the room.

    Shows it to the asker where nothing can be posted, and on the page, where all read in their own languages.
    """
    server = event.table.room.server
    if event.chat.limits.only_answers or event.chat.limits.boards:
        return Reply(ephemeral=await ranking(server, event.reader, services))

    about = EndAction.LEADERBOARD, event.room
    if not services.recent_posts.is_new(about):
        return event.toast(refusals.JUST_SHOWN)

    refusal = event.refuse_post(services)
    if refusal is not None:
        services.recent_posts.forget(about)
        return refusal

    public = Translator(event.table.locale)
    return Reply(public=await ranking(server, public, services))


async def _film(event: PressEvent, button: AfterGame, services: Services) -> Reply:
    """Posts the film of how a game ended to the room, once for each game."""
    server = event.table.room.server
    public = Translator(event.table.locale)
    game = await services.records.finished(server, button.table_id, button.game)
    about = _about_film(button)

    if game is None:
        return event.toast(refusals.PAST_GAME)
    if not services.notices.is_new(about):
        return event.toast(refusals.FILM_SHOWN)

    refusal = event.refuse_post(services)
    if refusal is not None:
        services.notices.forget(about)
        return refusal

    past, record = game
    names = names_of([player for player, _ in past.seats])
    try:
        film = Film.of(record, names)
        content = await services.illustrator.picture(film, server, public)
    except Exception:
        services.notices.forget(about)  # another press may try again
        raise

    outcome = film.views[-1].outcome
    body = headline(names, outcome, record.opening.rules, public) if outcome is not None else ()
    apology = public.text(refusals.NO_FILE)
    address = await replay_address(past, record, services)
    rows: tuple[tuple[Button, ...], ...] = ()

    if address:
        withdrawal = AfterGame(past.table_id, past.game, EndAction.WITHDRAW)
        rows = (
            (LinkButton(public.text("Replay"), address),),
            (button_to(withdrawal, public.text("Withdraw the link")),),
        )

    screen = Screen(body, rows, finished_game=GameRef(past.table_id, past.game))

    return Reply(public=screen, document=Document("durak.gif", content, apology, is_animation=True))


async def _withdraw(event: PressEvent, button: AfterGame, services: Services) -> Reply:
    """Invalidates the link under a film, if the asker played in that game; the next film has a new one."""
    seat = await services.records.seat_of(event.user.ref, button.table_id, button.game)
    if seat is None:
        return event.toast(refusals.NOT_YOUR_LINK)

    await withdraw_link(button.table_id, button.game, services)
    services.notices.forget(_about_film(button))
    return event.toast(refusals.LINK_WITHDRAWN, button=event.translator.text("🎞 How it ended"))


def _about_film(button: AfterGame) -> Hashable:
    """Returns the key of the notice that a game's film was shown."""
    return EndAction.FILM, button.table_id, button.game
