"""The live table of a chat, opened by one of its people on a page."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace

import pytest
from prometheus_client import REGISTRY

from adapters.port import (
    GameRef,
    LinkButton,
    Only,
    PrivateChatOpened,
    ProofProblem,
    ProofRefusedError,
    RoomRef,
    Screen,
    ServerRef,
    Span,
    UserRef,
    ViewButton,
    Visit,
)
from adapters.web.view_messages import HAND
from bot.delivery.views import LINK_SECONDS
from bot.handlers.views import MEMBERSHIP_SECONDS
from bot.locale import Translator
from bot.model.table import Phase, Table
from tests.bot.chat import CELLAR, Chat, own_room, person
from tests.bot.running_bot import ANNA, BORIS, CLARA, REPLAYS, SHORT_GAME, RunningBot, running_bot
from tests.bot.views import Watcher, buttons_on

LINKS = "https://durak.example/in/link"
DORA = person("Dora")


@pytest.fixture
async def bot(database_url: str, chat: Chat) -> AsyncIterator[RunningBot]:
    """Yields a bot with a page for live tables."""
    async with running_bot(database_url, chat, links=LINKS) as bot:
        yield bot


@pytest.fixture
async def table(bot: RunningBot) -> Table:
    return await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)


def link_in(screen: Screen | None) -> str:
    assert screen is not None
    [[button]] = screen.rows
    assert isinstance(button, LinkButton)
    return button.url


async def proof_for(bot: RunningBot, user: UserRef | None = None) -> str:
    """Presses the button under the table, and takes the proof out of the link."""
    presser = {ANNA.ref: ANNA, BORIS.ref: BORIS, None: ANNA}.get(user, CLARA)
    reply = await bot.chat.presses(presser, bot.table_message().ref, "📱 Open the table")
    address, _, proof = link_in(reply.secret).partition("#")
    assert address == LINKS
    assert reply.later is not None
    assert not await reply.later()
    return proof


def spoken(text: Iterable[Span]) -> str:
    return "".join(span.text for span in text)


# --- content ----------------------------------------------------------------------------------------------


async def test_a_player_sees_the_table_and_their_own_hand_and_nobody_elses(
    bot: RunningBot, table: Table
) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    boris = await Watcher.opens(bot, table, BORIS)
    state = (await bot.session(table)).state
    assert state is not None

    for seat, watcher in enumerate((anna, boris)):
        assert set(watcher.hand.cards) == set(map(str, state.view_for(seat).hand))
        seen = {card for _, card in state.public_view().seen_cards} | {state.public_view().turn_up}
        for card in set(state.view_for(1 - seat).hand) - seen:
            assert repr(str(card)) not in repr(watcher.view)

    assert anna.board == boris.board


async def test_no_view_ever_shows_a_card_that_its_person_may_not_see(bot: RunningBot, table: Table) -> None:
    watchers = [await Watcher.opens(bot, table, user) for user in (ANNA, BORIS, CLARA)]

    while (state := (await bot.session(table)).state) is not None and state.ended is None:
        public = state.public_view()
        seen = {card for _, card in public.seen_cards} | {public.turn_up}
        for number, watcher in enumerate(watchers):
            others = [seat for seat in range(public.seats) if seat != number]
            hidden = {card for seat in others for card in state.view_for(seat).hand} - seen
            assert not any(repr(str(card)) in repr(watcher.view) for card in hidden)

        await next(each for each in watchers[:2] if each.hand.moves and each.hand.is_awaited).plays()


async def test_onlookers_see_the_table_alone(bot: RunningBot, table: Table) -> None:
    clara = await Watcher.opens(bot, table, CLARA)
    assert clara.view.hand is None
    assert [seat.name for seat in clara.board.seats] == ["Anna", "Boris"]


async def test_a_view_follows_every_move_from_the_chat(bot: RunningBot, table: Table) -> None:
    watcher = await Watcher.opens(bot, table, CLARA)
    before = watcher.board.step
    await bot.plays(table)
    await bot.settle()
    assert watcher.board.step > before


async def test_a_frame_that_was_opened_in_a_room_finds_the_table_that_the_room_shows(
    bot: RunningBot, table: Table
) -> None:
    assert bot.chat.inbox is not None
    assert await bot.chat.inbox.table_in(table.room) == table.id
    assert await bot.chat.inbox.table_in(CELLAR) is None
    await bot.plays_to_the_end(table)
    assert await bot.chat.inbox.table_in(table.room) == table.id, "to its result and to the rematch"


async def test_a_panel_that_is_open_in_the_chat_is_not_opened_in_a_view(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    await bot.app.tables.change(table.id, lambda now: now.open_panel(ANNA.ref, "rules"))
    watcher = await Watcher.opens(bot, table, BORIS)
    assert any(button.label == "Join" for button in buttons_on(watcher.view.table))


# --- actions ----------------------------------------------------------------------------------------------


async def test_a_whole_game_is_played_in_a_view_from_the_lobby_to_the_rematch(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, rules=SHORT_GAME)
    boris = await Watcher.opens(bot, table, BORIS)
    await boris.presses_label("Join")
    assert [player.name for player in boris.lobby.players] == ["Anna", "Boris"]

    anna = await Watcher.opens(bot, table, ANNA)
    await anna.presses_label("Start")
    table = await bot.app.tables.table(table.id)
    assert table.phase is Phase.PLAYING

    while not anna.board.is_over:
        await next(each for each in (anna, boris) if each.hand.moves and each.hand.is_awaited).plays()

    assert anna.view.result is not None
    assert anna.view.result.finished_game is not None
    await anna.presses_label("Rematch")

    assert [player.name for player in boris.lobby.players] == ["Anna"]


async def test_settings_open_as_a_form_and_leave_the_chats_lobby_alone(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    anna = await Watcher.opens(bot, table, ANNA)
    reply = await anna.presses_label("Settings")
    assert reply.form is not None
    assert (await bot.app.tables.table(table.id)).panel is None


async def awaited(bot: RunningBot, table: Table) -> Watcher:
    """Opens the table for the awaited player."""
    return await Watcher.opens(bot, table, await bot.waiting_for(table))


async def test_a_player_leaves_in_a_view_and_comes_back(bot: RunningBot, table: Table) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    await anna.presses_label("🚪 Leave")
    assert "Leave?" in spoken(anna.hand.note)
    assert not anna.hand.moves

    await anna.presses_label("Stay")
    assert not anna.hand.note

    await anna.presses_label("🚪 Leave")
    await anna.presses_label("Let a bot play on")
    assert (await bot.app.tables.table(table.id)).players[0].has_left
    assert "You have left" in spoken(anna.hand.note)

    await anna.presses_label("Come back")
    assert not (await bot.app.tables.table(table.id)).players[0].has_left
    assert not anna.hand.note


async def test_a_player_resigns_in_a_view(bot: RunningBot, table: Table) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    await anna.presses_label("🚪 Leave")
    await anna.presses_label("Resign")
    assert anna.board.losers == (0,)
    assert anna.view.result is not None


async def test_a_hint_in_a_view_stands_in_the_hand_of_who_asked(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    anna = await awaited(bot, table)
    opponent = BORIS if anna.visit.user == ANNA else ANNA
    other = await Watcher.opens(bot, table, opponent)
    await anna.presses_label("💡 Hint")

    assert anna.view.hand is not None
    assert "An expert would play" in spoken(anna.view.hand.body)
    assert "An expert would play" not in repr(other.view)


async def test_who_opened_the_table_takes_care_of_it_in_a_view(bot: RunningBot, table: Table) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    await anna.presses_label("⏸️ Pause or stop the game")
    await anna.presses_label("Pause")
    assert (await bot.app.tables.table(table.id)).options.is_paused

    await anna.presses_label("Go on")
    assert not (await bot.app.tables.table(table.id)).options.is_paused
    assert (await bot.app.tables.table(table.id)).panel is None, "the chat's table has no panel open"
    assert "Back" not in anna.labels, "the panel lies over the table, and can be closed"

    boris = await Watcher.opens(bot, table, BORIS)
    await boris.presses_label("⏸️ Pause or stop the game")
    assert set(boris.response) == {"toast"}


async def test_a_wish_to_stop_in_a_view_asks_the_others_in_the_chat_by_a_new_message(
    bot: RunningBot, table: Table
) -> None:
    await bot.plays(table)
    anna = await Watcher.opens(bot, table, ANNA)
    before = bot.table_message().ref

    await anna.presses_label("⏸️ Pause or stop the game")
    await anna.presses_label("Propose to stop")
    await bot.skip(5.0)

    assert bot.table_message().ref != before
    assert "Anna proposes to stop the game.\nBoris still has to agree." in bot.table_message().text

    boris = await Watcher.opens(bot, table, BORIS)
    await boris.presses_label("Yes, stop")
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED


async def test_after_the_game_a_view_leads_to_the_review_and_posts_the_film_to_the_room(
    bot: RunningBot, table: Table
) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    await bot.plays_to_the_end(table)
    await bot.settle()

    await anna.presses_label("My mistakes")
    assert anna.response == {"review": f"{table.id}-{table.game}"}

    await anna.presses_label("🎞 How it ended")
    assert anna.response == {"posted": True}

    shown = bot.chat.room_sees()[-1]
    assert bot.chat.documents[shown.ref].content.startswith(b"GIF89a")

    await anna.presses_label("🎞 How it ended")
    assert set(anna.response) == {"toast"}, "a film is shown once"

    await anna.presses_label("🏆 Leaderboard")
    assert "answer" in anna.response
    assert anna.response["posted"]


async def test_onlookers_in_a_view_ask_to_be_called_to_the_next_game(bot: RunningBot, table: Table) -> None:
    clara = await Watcher.opens(bot, table, CLARA)
    await clara.presses_label("🔔 Notify me")
    assert "toast" in clara.response


async def test_onlookers_in_a_view_have_no_button_that_is_a_players_and_players_none_that_is_theirs(
    bot: RunningBot, table: Table
) -> None:
    clara = await Watcher.opens(bot, table, CLARA)
    anna = await Watcher.opens(bot, table, ANNA)
    assert clara.labels == ["⏸️ Pause or stop the game", "🔔 Notify me"]
    assert "🔔 Notify me" not in anna.labels


async def test_a_lobby_is_joined_filled_with_bots_left_and_closed_in_a_view(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    boris = await Watcher.opens(bot, table, BORIS)
    await boris.presses_label("Join")
    await boris.presses_label("Leave")
    assert [player.name for player in boris.lobby.players] == ["Anna"]

    anna = await Watcher.opens(bot, table, ANNA)
    await anna.presses_label("Add bot")
    assert len(anna.lobby.players) == 2

    await anna.presses_label("Start")
    assert anna.hand.cards


async def test_a_live_table_and_its_cards_speak_their_readers_language(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.chat.types(BORIS, "/language uk", own_room(BORIS))
    boris = await Watcher.opens(bot, table, BORIS)
    assert await bot.app.views.language(boris.visit) == "uk"
    for_host = Translator("uk").text("⏸️ Pause or stop the game")
    assert for_host in [each.label for each in buttons_on(boris.view.table)]
    assert Translator("uk").text("🚪 Leave") in [each.label for each in buttons_on(boris.view.hand)]


async def test_a_press_in_a_view_makes_no_message_of_the_chat_a_hand(bot: RunningBot, table: Table) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    sent = len(bot.chat.sent)
    await anna.presses_label("⇅ By suit")
    await bot.settle()
    assert bot.chat.sent[sent:] == []


async def test_a_press_of_another_tables_button_does_nothing(bot: RunningBot, table: Table) -> None:
    other = await bot.dealt(CLARA, DORA, room=CELLAR, rules=SHORT_GAME)
    anna = await Watcher.opens(bot, table, ANNA)
    before = (await bot.session(other)).version
    reply = await anna.presses(f"m:{other.id}:{before}:T", HAND)
    assert reply.toast is not None
    assert (await bot.session(other)).version == before


async def test_a_command_behind_a_button_that_a_view_does_not_show_is_refused(
    bot: RunningBot, table: Table
) -> None:
    clara = await Watcher.opens(bot, table, CLARA)
    reply = await clara.presses("k:stop")
    assert reply.toast is not None
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING


# --- the hand in the chat, meanwhile ------------------------------------------------------------------------


async def test_the_hand_in_the_chat_neither_rings_nor_changes_while_a_view_of_it_is_open(
    bot: RunningBot, table: Table
) -> None:
    watchers = [await Watcher.opens(bot, table, user) for user in (ANNA, BORIS)]
    hands = {user.ref: bot.hand_message(user) for user in (ANNA, BORIS)}
    bot.chat.sent.clear()

    for _ in range(6):
        await bot.skip(120.0)
        await bot.plays(table)

    await bot.settle()

    private = [sent for sent in bot.chat.sent if sent.place in hands and sent.verb in {"post", "delete"}]
    assert private == []
    assert all(watcher.is_open for watcher in watchers)


async def test_the_chat_shows_the_newest_hand_at_once_when_the_view_is_closed(
    bot: RunningBot, table: Table
) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    boris = await Watcher.opens(bot, table, BORIS)
    for _ in range(4):
        await next(each for each in (anna, boris) if each.hand.moves and each.hand.is_awaited).plays()

    expected = anna.hand.cards
    await anna.closes()
    await bot.skip(2.0)

    text = bot.hand_message(ANNA).text
    assert f"Your {len(expected)} card" in text


async def test_a_turn_that_began_while_a_view_was_open_rings_once_it_is_closed(bot: RunningBot) -> None:
    people = (ANNA, BORIS, CLARA)
    dealt = await bot.dealt(*people, rules="podkidnoy-36 throw_in=attacker")
    table = await bot.chooses(dealt, clock=0)

    state = (await bot.session(table)).state
    assert state is not None
    attacker = people[state.attacker]
    defender = people[state.defender]
    third = people[3 - state.attacker - state.defender]

    watcher = await Watcher.opens(bot, table, third)
    await bot.plays(table)
    await bot.skip(120.0)
    await bot.presses_move(table, defender, "T")
    await bot.presses_move(table, attacker, "P")
    await bot.settle()
    assert watcher.hand.is_awaited

    bot.chat.sent.clear()
    await watcher.closes()
    assert [sent.place for sent in bot.chat.sent if sent.verb == "post"] == [third.ref]


async def test_a_table_nobody_views_is_drawn_for_nobody_besides(bot: RunningBot, table: Table) -> None:
    watcher = await Watcher.opens(bot, table, CLARA)
    await watcher.closes()
    seen = len(watcher.seen)
    await bot.plays(table)
    await bot.settle()
    assert len(watcher.seen) == seen
    assert not bot.app.open_views.is_open(table.id, CLARA.ref)


async def test_a_restart_with_a_view_open_brings_the_hand_in_the_chat_up_to_date(
    bot: RunningBot, table: Table
) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    boris = await Watcher.opens(bot, table, BORIS)
    for _ in range(4):
        await next(each for each in (anna, boris) if each.hand.moves and each.hand.is_awaited).plays()

    await bot.app.idle_tables.note()

    expected = len(anna.hand.cards)
    await bot.restart()
    await bot.settle()

    assert f"Your {expected} card" in bot.hand_message(ANNA).text


async def test_open_views_are_counted_by_chat_and_door(bot: RunningBot, table: Table) -> None:
    def counted() -> float:
        return (
            REGISTRY.get_sample_value("durak_open_views", {"platform": ANNA.ref.platform, "door": "link"})
            or 0.0
        )

    before = counted()
    anna = await Watcher.opens(bot, table, ANNA)
    assert counted() == before + 1

    await anna.closes()
    assert counted() == before


async def test_a_link_that_cannot_be_shown_in_the_room_waits_in_private_once(
    bot: RunningBot, table: Table
) -> None:
    screen = Screen(())
    bot.app.links.wait_in_private(ANNA.ref, screen)
    assert bot.chat.inbox is not None
    opened = PrivateChatOpened(ANNA, table.room)
    assert (await bot.chat.inbox.private_chat_opened(opened)).secret is screen
    assert (await bot.chat.inbox.private_chat_opened(opened)).secret is None


# --- access -----------------------------------------------------------------------------------------------


async def refused(bot: RunningBot, proof: str) -> ProofProblem:
    with pytest.raises(ProofRefusedError) as error:
        await bot.app.links.visit(proof, "", "")
    return error.value.problem


async def test_a_link_opens_the_table_for_its_presser_once(bot: RunningBot, table: Table) -> None:
    proof = await proof_for(bot)
    visit = await bot.app.links.visit(proof, "99", "")
    assert (visit.user.ref, visit.table_id) == (ANNA.ref, table.id)
    bot.app.links.use(proof, "")
    assert await refused(bot, proof) is ProofProblem.USED


async def test_a_link_is_good_for_ten_minutes(bot: RunningBot, table: Table) -> None:
    proof = await proof_for(bot)
    await bot.skip(LINK_SECONDS + 1)
    assert await refused(bot, proof) is ProofProblem.OLD


@pytest.mark.parametrize("proof", ["", "x", "0" * 32, "\udc80"])
async def test_invented_links_open_nothing(bot: RunningBot, table: Table, proof: str) -> None:
    assert await refused(bot, proof) is ProofProblem.FORGED


async def test_a_link_under_a_private_hand_leaves_the_hand_in_its_place(
    bot: RunningBot, table: Table
) -> None:
    hand = bot.hand_message(ANNA)
    reply = await bot.chat.presses(ANNA, hand.ref, "📱 Open the table")
    await bot.settle()
    assert reply.secret is None
    assert link_in(reply.ephemeral).startswith(f"{LINKS}#")
    assert "Your" in bot.chat.messages[hand.ref].text


async def test_whose_device_does_not_show_the_table_in_the_chat_gets_a_link_at_the_next_press(
    bot: RunningBot, table: Table
) -> None:
    async def press() -> int | None:
        reply = await bot.chat.presses(ANNA, bot.table_message().ref, "📱 Open the table")
        return reply.live_table

    assert await press() == table.id
    assert await press() is None, "the table was not shown, so the chat's own frame is left alone"

    anna = await Watcher.opens(bot, table, ANNA)
    await anna.closes()
    assert await press() == table.id

    await bot.skip(LINK_SECONDS + 1)
    assert await press() == table.id


async def test_without_a_public_address_no_table_has_the_button(bot: RunningBot) -> None:
    bot.links = ""
    await bot.restart()
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    messages = [bot.table_message(), bot.hand_message(ANNA)]
    assert table.phase is Phase.PLAYING
    assert not any(isinstance(button, ViewButton) for each in messages for button in each.buttons)


async def checked(bot: RunningBot, visit: Visit) -> ProofProblem | None:
    try:
        await bot.app.views.check(visit)
    except ProofRefusedError as error:
        return error.problem
    return None


async def test_strangers_see_no_table(bot: RunningBot, table: Table) -> None:
    bot.chat.strangers.add(DORA.ref)
    assert await checked(bot, Visit(DORA, table.id, "link", is_seen_there=True)) is ProofProblem.STRANGER
    assert await checked(bot, Visit(ANNA, table.id + 90, "link")) is ProofProblem.NO_TABLE
    foreigner = replace(DORA, ref=UserRef("elsewhere", DORA.ref.id))
    assert await checked(bot, Visit(foreigner, table.id, "link")) is ProofProblem.STRANGER


async def test_where_a_chat_hides_its_people_those_who_sat_there_or_were_just_seen_there_come_in(
    bot: RunningBot, table: Table
) -> None:
    bot.chat.hides_members = True
    assert await checked(bot, Visit(ANNA, table.id, "link")) is None
    assert await checked(bot, Visit(CLARA, table.id, "link", is_seen_there=True)) is None
    assert await checked(bot, Visit(CLARA, table.id, "link")) is ProofProblem.STRANGER


async def problem_of(bot: RunningBot, visit: Visit) -> ProofProblem | None:
    try:
        await bot.app.views.check(visit)
    except ProofRefusedError as refused:
        return refused.problem
    return None


async def test_a_table_is_open_at_its_own_place_alone_and_to_its_players_in_private(
    bot: RunningBot, table: Table
) -> None:
    visit = Visit(ANNA, table.id, "frame")
    onlooker = Visit(CLARA, table.id, "frame")
    allowed: list[RoomRef | ServerRef | None] = [table.room, table.room.server, own_room(ANNA), None]
    for place in allowed:
        assert await problem_of(bot, replace(visit, place=place)) is None
    for elsewhere in (CELLAR, own_room(BORIS), ServerRef(table.room.server.platform, "other")):
        assert await problem_of(bot, replace(visit, place=elsewhere)) is ProofProblem.NO_TABLE
    assert await problem_of(bot, replace(onlooker, place=own_room(CLARA))) is ProofProblem.NO_TABLE


async def test_where_the_chat_cannot_tell_who_was_reported_to_have_left_is_not_let_in(
    bot: RunningBot, table: Table
) -> None:
    bot.chat.hides_members = True
    visit = Visit(ANNA, table.id, "link", is_seen_there=True)
    assert await problem_of(bot, visit) is None
    await bot.chat.loses(ANNA)
    assert await problem_of(bot, visit) is ProofProblem.STRANGER
    await bot.chat.types(ANNA, "/help", table.room)
    assert await problem_of(bot, visit) is None, "she is there again"


async def test_a_view_ends_for_a_person_who_has_left_the_chat(bot: RunningBot, table: Table) -> None:
    clara = await Watcher.opens(bot, table, CLARA)
    bot.chat.strangers.add(CLARA.ref)
    await bot.skip(MEMBERSHIP_SECONDS + 1)
    assert not clara.is_open


async def test_a_view_ends_at_once_when_the_chat_reports_that_its_person_left(
    bot: RunningBot, table: Table
) -> None:
    clara = await Watcher.opens(bot, table, CLARA)
    dora = await Watcher.opens(bot, table, DORA)
    await bot.chat.loses(CLARA)
    await bot.settle()

    assert not clara.is_open
    assert dora.is_open


async def test_a_table_at_which_people_play_asks_by_the_clock_who_is_still_there(
    bot: RunningBot, table: Table
) -> None:
    clara = await Watcher.opens(bot, table, CLARA)
    bot.chat.strangers.add(CLARA.ref)
    waited = 0.0
    while waited <= MEMBERSHIP_SECONDS:
        await bot.skip(10.0)
        await bot.plays(table)
        waited += 10.0
    assert not clara.is_open


async def test_views_of_a_room_end_at_once_when_the_bot_is_removed_from_it(
    bot: RunningBot, table: Table
) -> None:
    anna = await Watcher.opens(bot, table, ANNA)
    assert bot.chat.inbox is not None
    await bot.chat.inbox.became_unreachable(table.room)
    await bot.settle()
    assert anna.is_open, "it may write there no more, and its people are still there"

    bot.chat.strangers.add(ANNA.ref)
    await bot.chat.inbox.became_unreachable(table.room)
    await bot.settle()
    assert not anna.is_open


async def test_the_newest_link_takes_the_place_of_those_before(bot: RunningBot, table: Table) -> None:
    proofs = [await proof_for(bot) for _ in range(6)]
    await bot.settle()
    assert [await problem_of_link(bot, proof) for proof in proofs] == [ProofProblem.FORGED] * 5 + [None]
    links = [message for message in bot.chat.messages.values() if "This link is yours" in message.text]
    assert len(links) == 1


async def test_links_that_are_shown_when_the_private_chat_opens_take_the_place_of_those_before(
    bot: RunningBot, table: Table
) -> None:
    """Where a room can hide nothing, each press leads to the private chat, and each has its link there."""
    inbox = bot.chat.inbox
    assert inbox is not None
    for _ in range(6):
        opened = PrivateChatOpened(ANNA, table.room, table.id)
        reply = await inbox.private_chat_opened(opened)
        assert reply.secret is not None
        assert reply.later is not None
        inbox.private_chat_answered(
            opened, reply, await bot.chat.post(Only(ANNA.ref, table.room), reply.secret)
        )
        await reply.later()

    links = [message for message in bot.chat.messages.values() if "This link is yours" in message.text]
    assert len(links) == 1


async def problem_of_link(bot: RunningBot, proof: str) -> ProofProblem | None:
    try:
        await bot.app.links.visit(proof, "", "")
    except ProofRefusedError as refused:
        return refused.problem
    return None


async def test_who_asks_for_a_link_in_private_gets_one_to_a_table_of_their_own_chat(
    bot: RunningBot, table: Table
) -> None:
    assert bot.chat.inbox is not None
    asked = PrivateChatOpened(ANNA, None, table.id)
    reply = await bot.chat.inbox.private_chat_opened(asked)
    _, _, proof = link_in(reply.secret).partition("#")
    visit = await bot.app.links.visit(proof, "", "")
    assert (visit.user.ref, visit.table_id) == (ANNA.ref, table.id)

    bot.chat.strangers.add(DORA.ref)
    refusal = await bot.chat.inbox.private_chat_opened(PrivateChatOpened(DORA, None, table.id))
    assert "#" not in repr(refusal)


async def test_a_link_that_opens_nothing_leads_back_to_its_chat(bot: RunningBot, table: Table) -> None:
    proof = await proof_for(bot)
    bot.app.links.use(proof, "")
    assert bot.app.links.way(proof, "") == f"https://chat.example/{table.id}"
    assert bot.app.links.way("nothing", "") == "https://chat.example/"


async def test_a_view_ends_at_forgetme_and_links_are_good_for_nothing(bot: RunningBot, table: Table) -> None:
    proof = await proof_for(bot)
    anna = await Watcher.opens(bot, table, ANNA)
    ended: list[bool] = []
    bot.app.views.on_ended.append(lambda is_over: ended.append(is_over(anna.visit)))
    await bot.chat.types(ANNA, "/forgetme yes", own_room(ANNA))
    await bot.settle()

    assert not anna.is_open
    assert ended == [True]
    assert await refused(bot, proof) is ProofProblem.FORGED


async def test_two_views_of_one_person_show_the_same(bot: RunningBot, table: Table) -> None:
    one = await Watcher.opens(bot, table, ANNA)
    other = await Watcher.opens(bot, table, ANNA)
    await bot.plays(table)
    await bot.settle()
    assert one.view == other.view
    await one.closes()
    assert bot.app.open_views.is_open(table.id, ANNA.ref)


# --- replays ------------------------------------------------------------------------------------------------


async def test_from_the_result_in_the_room_and_in_private_a_player_opens_the_table_with_the_replay(
    bot: RunningBot, table: Table
) -> None:
    await bot.plays_to_the_end(table)
    result = bot.chat.room_sees()[-1]
    for message in (result, bot.hand_message(ANNA)):
        assert any(isinstance(button, ViewButton) for button in message.buttons)

    reply = await bot.chat.presses(ANNA, result.ref, "📱 Open the table")
    _, _, proof = link_in(reply.secret).partition("#")
    visit = await bot.app.links.visit(proof, "", "")
    anna = await Watcher.opens(bot, table, visit.user)
    assert anna.view.result is not None
    assert anna.view.result.finished_game == GameRef(table.id, table.game)


async def test_only_who_sat_there_sees_the_replay(bot: RunningBot, table: Table) -> None:
    await bot.plays_to_the_end(table)
    views = bot.app.views
    replay = await views.replay(Visit(ANNA, table.id, "link"), table.game, "en", wants_review=False)
    assert replay is not None
    assert replay.own == 0
    assert await views.replay(Visit(CLARA, table.id, "link"), table.game, "en", wants_review=False) is None


async def test_only_who_sat_there_gets_the_public_address_of_the_replay(
    bot: RunningBot, table: Table
) -> None:
    await bot.plays_to_the_end(table)
    views = bot.app.views
    address = await views.address(Visit(ANNA, table.id, "link"), table.game)
    assert address.startswith(f"{REPLAYS}{table.id}-{table.game}-")
    assert await views.address(Visit(CLARA, table.id, "link"), table.game) == ""
    assert await views.address(Visit(ANNA, table.id, "link"), table.game + 1) == ""
