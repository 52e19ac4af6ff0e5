"""The live table and hand in a real browser: they show the game, and no move is lost or made by accident."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest
from playwright.async_api import Route

from adapters.port import (
    BoardIdle,
    CallbackButton,
    GameRef,
    GameResult,
    Mark,
    OwnResult,
    Reply,
    Screen,
    Span,
    Tone,
    UserRef,
)
from tests.adapters.boards import board, hand, lobby, move, screen
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.page.live_table import BOUT, TWO_TO_BEAT, Player, card, pair, seated
from tests.adapters.page.test_page import overflows
from tests.adapters.web.site import Site
from tests.adapters.web.steps import DRAWN, posted, posted_privately, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, tap

SMALL = Device(320, 640, has_touch=True)
ZOOMED = Device(640, 400)


@pytest.mark.parametrize("device", [PHONE, SMALL, DESKTOP, ZOOMED, replace(PHONE, width=844, height=390)])
async def test_the_table_and_the_hand_find_room_and_are_not_repeated_in_the_chat(
    site: Site, browser: Browser, device: Device
) -> None:
    others = ("Boris the Magnificent", "Clara", "Дмитрий", "Elena", "🤖 Ada")
    long = hand("6D 7D 8D 9D TD JD QD KD AD 6C 7C 8C 9C TC JC QC KC AC", "D 9D TD", "T")
    bout = [*BOUT, ("TS", "QS"), ("6S", None), ("7S", None)]
    for names, holding in ((("Boris",), TWO_TO_BEAT), (others, long)):
        user = {guest.name: guest.id for guest in await site.store.guests()}.get("Anna")
        if user is None:
            anna = await seated(site, browser, holding, device, bout=bout)
        else:
            await anna.holds(holding)
            await anna.site.adapter.edit(
                anna.table, screen(board("Anna", user, *names, bout=bout, step=9, discard=8), "My hand")
            )
            await anna.page.wait_for_selector(".seat:nth-child(5)")
        await anna.guest.sees_nothing_move()
        assert not await overflows(anna.guest)
        cut_off = await anna.page.evaluate(
            """shown => [...document.querySelectorAll(shown)].filter(each => {
                const {left, right, top, bottom} = each.getBoundingClientRect();
                return left < -4 || top < 0 || right > innerWidth + 4 || bottom > innerHeight + 1;
            }).map(each => each.className)""",
            ".held, .laid .face, .avatar, .big .move, .tool",
        )
        assert not cut_off
        assert await anna.page.evaluate("document.scrollingElement.scrollTop") == 0
    assert not await anna.page.locator("#public > li, #private > li").filter(visible=True).count()
    assert not anna.guest.complaints


async def test_a_card_is_played_by_its_second_tap_and_by_none_that_it_cannot_mean(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.taps(card("TD"))
    await anna.page.wait_for_selector(f"{card('TD')}.chosen")
    await anna.page.wait_for_selector(f"{pair('9D')}.target")
    assert await anna.page.locator(".pair.target").count() == 1
    assert anna.pressed == []
    await anna.taps(card("TD"))
    await anna.plays("D 9D TD")


async def test_a_card_with_several_meanings_is_sent_to_its_target(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.taps(card("KH"), card("KH"))
    assert await anna.page.locator(".pair.target").count() == 2
    assert anna.pressed == []
    await anna.taps(pair("JD"))
    await anna.plays("D JD KH")


async def test_the_attack_card_can_be_tapped_first(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.taps(pair("JD"))
    await anna.page.wait_for_selector(f"{pair('JD')}.aimed")
    assert await anna.page.locator(".held.playable").count() == 2
    await anna.taps(card("QD"))
    await anna.plays("D JD QD")


async def test_equal_cards_are_laid_together_in_two_taps(site: Site, browser: Browser) -> None:
    anna = await seated(
        site, browser, hand("6D 6H 8C", "A 6D", "A 6H", "A 6D 6H", "A 8C"), bout=(), attacker=0
    )
    await anna.taps(card("6D"), '.choices [data-move="attack 6D 6H "]')
    await anna.plays("A 6D 6H")


async def test_equal_cards_are_chosen_one_by_one_and_put_back(site: Site, browser: Browser) -> None:
    anna = await seated(
        site, browser, hand("6D 6H 8C", "A 6D", "A 6H", "A 6D 6H", "A 8C"), bout=(), attacker=0
    )
    await anna.taps(card("6D"), card("6H"), card("6H"))
    assert await anna.page.locator(".held.chosen").count() == 1
    assert anna.pressed == []
    await anna.taps(card("6H"), "#table")
    await anna.plays("A 6D 6H")


@pytest.mark.parametrize(
    ("move", "selector"), [("P", ".big .done"), ("E", ".choices .exchange"), ("K", ".choices .keep")]
)
async def test_a_move_without_cards_needs_one_tap(
    site: Site, browser: Browser, move: str, selector: str
) -> None:
    anna = await seated(site, browser, hand("6D", "A 6D", move))
    await anna.taps(selector)
    await anna.plays(move)


async def test_taking_can_be_undone_and_a_second_tap_takes_at_once(site: Site, browser: Browser) -> None:
    anna = await seated(
        site, browser, replace(TWO_TO_BEAT, moves=(*TWO_TO_BEAT.moves, *hand("6D", "T").moves))
    )
    await anna.page.clock.install()  # time passes only as told, so only a tap can send it
    await anna.taps(".big .take")
    await anna.page.clock.run_for(450)
    await anna.taps("#undo")
    await anna.page.wait_for_selector("#mine:not(.busy)")
    assert anna.pressed == []

    await anna.taps(".big .take", "#undo")  # in the same place
    await anna.plays("T")


async def test_a_hidden_page_takes_at_once(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, hand("6D", "D 9D 6D", "T"))
    await anna.page.clock.install()
    await anna.taps(".big .take")
    await anna.page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", {value: true, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    await anna.plays("T")


@pytest.mark.parametrize(("move", "selector"), [("T", ".big .take"), ("P", ".big .done")])
async def test_a_move_that_is_the_only_one_needs_no_second_tap_and_a_habitual_one_is_not_kept(
    site: Site, browser: Browser, move: str, selector: str
) -> None:
    anna = await seated(site, browser, hand("6D", move))
    await anna.taps(selector, selector)
    await anna.plays(move)
    await anna.holds(hand("6D", "A 6D", move, version=2, step=2))
    await anna.sees(bout=BOUT[:1], attacker=1, step=2)
    await anna.page.wait_for_selector("#mine.turn:not(.busy) .held.playable")
    assert anna.pressed == [move]


async def test_who_plays_reads_what_was_done_to_them_as_done_to_them(site: Site, browser: Browser) -> None:
    holding = replace(TWO_TO_BEAT, latest=(Span("Boris transfers to you."),))
    anna = await seated(site, browser, holding, latest=(Span("Boris transfers to Anna."),))
    await anna.page.wait_for_selector(".says .latest:has-text('Boris transfers to you.')")

    boris = await browser.guest(site.url, "Boris", PHONE)
    await boris.page.wait_for_selector(".says .latest:has-text('Boris transfers to Anna.')")


async def test_a_card_is_dragged_onto_the_card_that_it_beats(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    await anna.page.locator(card("KH")).drag_to(anna.page.locator(pair("JD")))
    await anna.plays("D JD KH")
    await anna.page.wait_for_selector(f"{pair('JD')}.beaten")


SLY = replace(
    hand("KH 7C", "D 9D KH", "T", idle=(BoardIdle("7C", "ch:1:c:7C"),)),
    cheats=tuple(move(text) for text in ("D 9D 7C", "D JD 7C", "D JD KH", "X KH", "X 7C")),
)
DARE = "#cheat[open]"


async def test_a_card_that_is_dragged_where_it_does_not_belong_cheats_after_one_question_on_each_device(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, SLY, DESKTOP)
    wrong = anna.page.locator(card("7C"))
    await wrong.drag_to(anna.page.locator(pair("JD")))
    await anna.page.locator(f"{DARE} >> text=Close").click()
    await anna.page.wait_for_selector(DARE, state="detached")
    assert anna.pressed == []

    await wrong.drag_to(anna.page.locator(pair("JD")))
    await anna.page.locator("#cheat-yes").click()
    await anna.plays("D JD 7C")

    await anna.holds(replace(SLY, step=2, cards=("KH", "7C", "8C")))
    await anna.sees(bout=BOUT, attacker=1, step=2)
    await anna.page.reload()
    await anna.page.wait_for_selector(card("8C"))
    await anna.page.locator(card("7C")).drag_to(anna.page.locator(pair("9D")))
    await anna.plays("D JD 7C", "D 9D 7C")
    assert not await anna.page.locator(DARE).count()


async def test_no_tap_and_no_drop_beside_its_target_cheats(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, SLY, DESKTOP)
    await anna.page.evaluate(
        "localStorage.setItem('durak-wishes', JSON.stringify({cheats: true, undo: true}))"
    )
    await anna.page.reload()
    await anna.page.wait_for_selector(card("7C"))

    await anna.taps(card("7C"), card("7C"), pair("JD"), "#table")
    await anna.guest.sees_nothing_move()
    asks_which = "ch:1:c:7C"
    assert {press.token for press in site.inbox.pressed} == {asks_which}

    await anna.page.locator(card("KH")).drag_to(anna.page.locator("#table"), target_position={"x": 8, "y": 8})
    await anna.guest.sees_nothing_move()
    assert {press.token for press in site.inbox.pressed} == {asks_which, "m:1:1:D 9D KH"}


async def test_a_card_that_is_dropped_beside_the_table_is_not_played(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    lying = await anna.page.locator(card("KH")).bounding_box()
    await anna.page.locator(card("KH")).drag_to(anna.page.locator("header"))
    await anna.page.wait_for_selector(".dragged", state="detached")
    assert anna.pressed == []

    await anna.page.keyboard.press("Escape")  # it is no longer chosen
    await anna.page.mouse.move(0, 0)
    await anna.guest.sees_nothing_move()
    assert await anna.page.locator(card("KH")).bounding_box() == lying


async def test_a_hand_is_played_by_keys_alone(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    await anna.page.keyboard.press("1")
    await anna.page.wait_for_selector(f"{card('TD')}.chosen")
    await anna.page.keyboard.press("Enter")
    await anna.plays("D 9D TD")
    await anna.holds(hand("QD KH 9C", "D JD QD", "D JD KH", "T", version=2))
    await anna.sees(bout=[("9S", "JS"), ("9D", "TD"), ("JD", None)], attacker=1, step=2)
    await anna.page.wait_for_selector(f"{card('QD')}.playable")  # the first move is over
    for key in ("1", "ArrowRight", "Enter", "Escape", "t", "Enter"):
        await anna.page.keyboard.press(key)
    await anna.plays("D 9D TD", "T")


async def test_a_press_outlives_whatever_is_shown_meanwhile_and_means_what_is_offered_now(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, hand("TD 9C", "D 9D TD", "T"), DESKTOP)
    version = 1

    async def much_happens() -> None:
        nonlocal version
        for _ in range(3):
            version += 1
            cards = "TD 9C" if version % 2 else "8C TD 9C"
            await anna.holds(hand(cards, "D 9D TD", "T", version=version))
            told = (Span(f"Moment {version}."),)
            await anna.sees(bout=BOUT if version % 2 else BOUT[:2], attacker=1, step=version, latest=told)
        await anna.page.wait_for_selector(f"text=Moment {version}.")

    async def presses(selector: str) -> None:
        await anna.guest.sees_nothing_move()
        box = await anna.page.locator(selector).bounding_box()
        assert box is not None
        await anna.page.mouse.move(box["x"] + 20, box["y"] + 20)
        await anna.page.mouse.down()
        await much_happens()
        await anna.page.mouse.up()

    for selector, presses_needed, played in ((".big .take", 1, "T"), (card("TD"), 2, "D 9D TD")):
        for _ in range(presses_needed):
            await presses(selector)
        await soon(lambda played=played: _is_last(anna, f"m:1:{version}:{played}"))  # type: ignore[misc] # lambda defaults
        await much_happens()
    assert anna.pressed == ["T", "D 9D TD"]


async def _is_last(player: Player, token: str) -> bool:
    return bool(player.site.inbox.pressed) and player.site.inbox.pressed[-1].token == token


async def test_cards_that_stay_are_the_same_elements_in_the_same_place(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    await anna.page.locator(card("KH")).focus()
    await anna.guest.sees_nothing_move()
    where = """() => [...document.querySelectorAll(".laid, .held")].map(each => {
        const {x, y} = each.getBoundingClientRect();
        return [each.dataset.card, Math.round(x), Math.round(y)];
    })"""
    await anna.page.evaluate("window.before = [...document.querySelectorAll('.laid, .held')]")
    before = await anna.page.evaluate(where)
    await anna.taps(card("QD"))
    await anna.taps(card("QD"))
    await anna.page.keyboard.press("Escape")
    await anna.page.locator(card("KH")).focus()
    await anna.sees(bout=BOUT, attacker=1, step=2, latest=(Span("Something happened."),))
    await anna.page.wait_for_selector("text=Something happened.")
    await anna.page.mouse.move(0, 0)
    await anna.guest.sees_nothing_move()
    assert await anna.page.evaluate(where) == before

    await anna.holds(replace(TWO_TO_BEAT, note=(Span("A note that needs some room."),)))
    await anna.page.wait_for_selector(".note:visible")
    await anna.guest.sees_nothing_move()
    in_hand = slice(-len(TWO_TO_BEAT.cards), None)
    assert (await anna.page.evaluate(where))[in_hand] == before[in_hand], "those on the table may make room"
    assert await anna.page.evaluate("window.before.every(each => each.isConnected)")
    assert await anna.page.evaluate("document.activeElement.dataset.key") == "KH"


async def test_one_tap_plays_for_who_chose_that_and_can_be_undone_for_two_seconds(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, replace(TWO_TO_BEAT, one_tap=True))
    await anna.taps("[data-menu]")
    assert not await anna.page.is_visible('[data-preference="undo"]'), "it is one of the guest's settings"
    await anna.page.click("#menu button[type=submit]")
    await anna.taps(card("TD"))
    await anna.page.wait_for_selector(f"{pair('9D')}.beaten")
    await anna.page.click("#undo")
    await anna.page.wait_for_selector(card("TD"))
    assert anna.pressed == []
    await anna.taps(card("TD"))
    await anna.plays("D 9D TD")


async def test_a_refused_move_is_taken_back(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    site.inbox.reply = Reply(toast="That cannot be played.")
    await anna.taps(card("TD"), card("TD"))
    await anna.page.wait_for_selector("text=That cannot be played.")
    await anna.page.wait_for_selector(card("TD"))
    assert await anna.page.locator(f"{pair('9D')}.beaten").count() == 0


async def test_cards_are_named_in_words_and_what_happens_is_said_once(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, replace(PHONE, locale="de-DE"))
    labels = [await each.get_attribute("aria-label") for each in await anna.page.locator(".held").all()]
    assert labels == ["Karo-Zehn, 10♦", "Karo-Dame, D♦", "Herz-König, K♥", "Kreuz-Neun, 9♣"]
    await anna.sees(bout=BOUT, attacker=1, step=2, latest=(Span("Ada schlägt 9♠ mit B♠."),))
    await anna.page.wait_for_selector(
        "#news:has-text('Ada schlägt Pik-Neun mit Pik-Bube.')", state="attached"
    )
    assert await anna.page.locator("[aria-live], [role=status]").filter(has_text="Ada schlägt").count() == 1


async def test_ones_own_table_is_shown_and_a_newer_one_of_others_is_not(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    boris = await browser.guest(site.url, "Boris", PHONE)
    await posted(site, screen(board("Clara", "clara", "Dima", id="2:1", title="another")))
    await boris.page.wait_for_selector(".seat .name:has-text('Dima')")
    assert await anna.page.locator(".seat .name").all_inner_texts() == ["Ada"]
    assert await boris.page.locator(".held").count() == 0
    bytes_of_boris = "".join(received.text for received in boris.received)
    assert '"9S"' in bytes_of_boris
    assert '"KH"' not in bytes_of_boris


@pytest.mark.parametrize("device", [SMALL, ZOOMED])
async def test_a_finished_game_offers_the_next_one_under_the_thumb_and_gives_its_place_to_the_next_lobby(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, device)
    await anna.sees(is_over=True, losers=(1,), step=9)
    await anna.site.adapter.delete(anna.mine)
    user = (await site.store.guests())[0].id
    ended = screen(board("Anna", user, is_over=True, losers=(1,), step=9), "Leaderboard")
    rematch = CallbackButton("m:1:1:rematch", "Rematch", Tone.GOOD)
    body = (Span("Ada is the fool!\n", Mark.BOLD), Span("a long story\n" * 40))
    rows = ((rematch, *ended.rows[0]),)
    await posted(site, replace(ended, body=body, rows=rows, picture=DRAWN.picture))
    again = anna.page.locator(".bar").get_by_role("button", name="Rematch")
    await again.wait_for()
    await anna.page.wait_for_selector("#news:text-is('Ada is the fool!')", state="attached")
    assert not await anna.page.is_visible("#table"), "the result has the room of a table without cards"
    await anna.page.wait_for_selector(".outcome .places .loser:has-text('Ada')")
    await anna.page.wait_for_selector(".moment", state="detached")
    assert not await overflows(anna.guest)
    box = await again.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= device.width
    assert box["y"] + box["height"] <= device.height
    await (tap(again) if device.has_touch else anna.page.keyboard.press("Enter"))
    assert await anna.page.locator(".fools .winner .hat").count() == 1, "the winner wears a crown"
    await anna.plays("rematch")
    await posted(site, screen(lobby("Anna", "🤖 Ada", user=user), "Join"))
    await anna.page.wait_for_selector(".lobby-seat:has(.hat):has-text('Ada')")
    assert await anna.page.locator(".lobby-seat .hat").count() == 1, (
        "the fool wears the cap until they play again"
    )


async def test_after_a_stopped_rematch_the_room_welcomes_instead_of_celebrating_the_game_before(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    await anna.sees(is_over=True, losers=(1,), step=9)
    await anna.site.adapter.delete(anna.mine)
    user = (await site.store.guests())[0].id
    await posted(site, screen(board("Anna", user, is_over=True, losers=(1,), step=9)))
    await anna.page.wait_for_selector(".outcome:visible")
    await anna.page.wait_for_selector(".confetti", state="detached")

    rematch = await posted(site, screen(board("Anna", user, id="1:2")))
    await anna.page.wait_for_selector(".outcome", state="hidden")
    await posted(site, says("\n".join(["a long message"] * 60)))
    await site.adapter.edit(rematch, STOPPED)
    await welcomes_at_the_top(anna)
    await anna.page.reload()
    await welcomes_at_the_top(anna)


STOPPED = Screen((Span("Durak\n\n"), Span("All players agreed to stop.")), finished_game=GameRef(1, 2))


async def welcomes_at_the_top(anna: Player) -> None:
    """Checks that the room shows its welcome from the top, with the reason of the stop and no result."""
    await anna.page.wait_for_selector("#hello:visible")
    await anna.guest.sees_nothing_move()
    assert "All players agreed to stop." in await anna.page.inner_text("#last-result")
    assert await anna.page.evaluate("document.querySelector('#chat-scroll').scrollTop") == 0
    assert await anna.page.locator(".outcome:visible, .confetti").count() == 0


async def test_a_result_of_hours_ago_is_a_line_above_the_welcome(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    await anna.sees(is_over=True, losers=(1,), step=9)
    await site.adapter.delete(anna.mine)
    user = (await site.store.guests())[0].id
    ended = screen(board("Anna", user, is_over=True, losers=(1,), step=9))
    await posted(site, replace(ended, body=(Span("Ada is the fool!", Mark.BOLD),)))
    await anna.page.wait_for_selector(".outcome:visible")
    await anna.page.reload()
    await anna.page.wait_for_selector(".outcome:visible")

    site.store.make_older(2 * 3600)
    await anna.page.reload()
    await anna.page.wait_for_selector("#last-result:has-text('Ada is the fool!')")
    assert await anna.page.locator(".outcome:visible").count() == 0


async def test_a_draw_shows_side_by_side_those_who_are_even_and_nobody_in_a_hat(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    await anna.sees(is_over=True, step=9)
    user = (await site.store.guests())[0].id
    result = GameResult((Span("🤝 A draw!"),), (Span("Nobody is the fool."),), (), "", "3 bouts · 2 min")
    await posted(site, screen(board("Anna", user, is_over=True, step=9, result=result)))
    await anna.page.wait_for_selector(".outcome:visible")
    assert await anna.page.locator(".outcome .even .avatar").count() == 2
    assert await anna.page.inner_text(".outcome .verdict") == "A draw!"
    assert await anna.page.text_content(".outcome .caption") == "Nobody is the fool."
    assert await anna.page.locator(".outcome .hat").count() == 0
    assert await anna.page.locator(".places .name").all_inner_texts() == ["Anna", "Ada"]
    assert not await anna.page.locator(".places .place").filter(visible=True).count()


async def test_of_two_teams_the_winners_shine_in_crowns_and_losers_see_themselves_in_hats(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    user = (await site.store.guests())[0].id
    for loser, crowns in ((1, 1), (0, 0)):
        await anna.sees(is_over=True, losers=(loser,), step=9)
        ended = board("Anna", user, is_over=True, losers=(loser,), step=9)
        seats = [replace(seat, team=team) for seat, team in zip(ended.seats, "🔴🔵", strict=True)]
        result = await posted(site, screen(replace(ended, seats=tuple(seats))))
        await anna.page.wait_for_selector(".outcome:visible")
        assert await anna.page.locator(".fools .avatar").evaluate_all(
            "faces => faces.map(face => face.firstChild.textContent)"
        ) == ["A"]
        assert await anna.page.locator(".fools.even .hat").count() == crowns
        headings = ["Red team", "Blue team"] if loser else ["Blue team", "Red team"]
        assert await anna.page.locator(".places h3").all_inner_texts() == headings
        await site.adapter.delete(result)
        await anna.page.wait_for_selector(".outcome", state="hidden")


HAS_REMARKS_IN_REACH = """() => [...document.querySelectorAll(".remarks .tool")].every(each => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
})"""


async def test_the_fools_last_cards_are_drawn_once_beside_their_name(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    await anna.sees(is_over=True, losers=(1,), step=9)
    user = (await site.store.guests())[0].id
    ended = board("Anna", user, is_over=True, losers=(1,), step=9, fools_hand=("9H", "TD"))
    result = GameResult((Span("🃏 Ada is the fool!"),), (), (), "Still in hand: 9♥ 10♦", "3 rounds · 1 min")
    await posted(site, screen(replace(ended, result=result)))
    await anna.page.wait_for_selector(".places .loser:has-text('Ada') .held-to-the-end .face")
    assert await anna.page.locator(".held-to-the-end .face").count() == 2
    assert await anna.page.inner_text(".places .foot") == "3 rounds · 1 min"
    assert not await anna.page.locator(".outcome .note-line").count()
    assert "9♥" in await anna.page.inner_text(".held-to-the-end .unseen"), "for screen readers"


async def test_the_fool_sees_their_last_cards_behind_their_own_head(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    await anna.sees(is_over=True, losers=(0,), step=9)
    user = (await site.store.guests())[0].id
    ended = board("Anna", user, is_over=True, losers=(0,), step=9, fools_hand=("9H", "TD"))
    result = GameResult((Span("🃏 Anna is the fool!"),), (), (), "Still in hand: 9♥ 10♦", "3 rounds · 1 min")
    await posted(site, screen(replace(ended, result=result)))
    await anna.page.wait_for_selector(".fools .last-cards .face")
    assert await anna.page.locator(".outcome .face").count() == 2, "only there"
    assert "9♥" in await anna.page.inner_text(".loser .unseen:has-text('Still')"), "for screen readers"


async def test_who_is_neither_first_nor_the_fool_is_in_the_middle_of_both(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    user = (await site.store.guests())[0].id
    ended = board("Anna", user, "Boris", "Clara", is_over=True, losers=(2,), step=9)
    seats = [replace(seat, place=place) for seat, place in zip(ended.seats, (2, 1, 0), strict=True)]
    ended = replace(ended, seats=tuple(seats))
    await site.adapter.edit(anna.table, screen(ended))
    await site.adapter.delete(anna.mine)
    await posted(site, screen(ended))
    await anna.page.wait_for_selector(".fools .saved:has-text('A')")
    boxes = [await face.bounding_box() for face in await anna.page.locator(".fools .avatar").all()]
    widths = [box["width"] for box in boxes if box is not None]
    assert round(widths[0]) == round(widths[2]) < round(widths[1])
    faces = anna.page.locator(".fools .avatar")
    assert await faces.evaluate_all("all => all.map(face => face.firstChild.textContent)") == ["B", "A", "C"]


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
async def test_a_result_is_told_once_with_how_its_reader_fared_and_answers_come_over_it(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, device)
    await anna.sees(is_over=True, losers=(1,), step=9)
    user = (await site.store.guests())[0].id
    ended = screen(board("Anna", user, is_over=True, losers=(1,), step=9), "My mistakes", "Leaderboard")
    rows = ((CallbackButton("m:1:1:rematch", "Rematch", Tone.GOOD), *ended.rows[0]),)
    result = replace(ended, body=(Span("Ada is the fool!", Mark.BOLD),), rows=rows)
    await posted(site, replace(result, finished_game=GameRef(1, 1)))
    own = OwnResult((Span("✅ Place 1 of 2."),), (Span("The fool: 🤖 Ada"),), (), "+0.8")
    fared = Screen((Span("Place 1 of 2. Rating +0.8. The fool: 🤖 Ada."),), board=own)
    await site.adapter.edit(anna.mine, replace(fared, finished_game=GameRef(1, 1)))
    change = anna.page.locator(".outcome .places .mine .change")
    await change.filter(has_text="Rating +0.8").wait_for()
    assert await change.inner_text() == "Rating +0.8"
    assert await anna.page.inner_text(".outcome .caption") == "The fool: 🤖 Ada"
    for each in ("Place 1 of 2.", "The fool: 🤖 Ada"):
        assert (
            await anna.page.locator("main :is(p:not(.unseen), h2), main .body")
            .get_by_text(each)
            .filter(visible=True)
            .count()
            == 1
        )
    assert not await overflows(anna.guest)
    assert not await anna.page.locator(".outcome .own").count()
    boxes = [await anna.guest.button(label).bounding_box() for label in ("Rematch", "My mistakes")]
    assert all(box is not None and box["width"] > 90 for box in boxes)
    await anna.page.click(".remark")
    assert await anna.page.evaluate(HAS_REMARKS_IN_REACH)
    await anna.page.click(".remark")
    assert not await anna.page.get_by_role("button", name="Leaderboard").is_visible()
    site.inbox.reply = Reply(public=says("Anna leads"))
    await anna.page.click("[data-menu]")
    await anna.page.click("#menu button:has-text('Leaderboard')")
    await anna.page.wait_for_selector("#panel[open]:has-text('Anna leads')")
    await posted_privately(site, "Anna", says("what followed"))
    await anna.page.wait_for_selector("#panel[open]:has-text('what followed')")


async def test_an_answer_opens_over_a_game_and_never_in_the_chat(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    site.inbox.reply = Reply(ephemeral=says("paused"))
    await anna.guest.touches("t:⇅ By suit")
    await anna.page.wait_for_selector("#panel[open]:has-text('paused')")
    await anna.page.keyboard.press("Escape")
    await posted(site, says("words of others"))
    await anna.page.wait_for_selector("#chat-news:visible")
    assert not await anna.page.is_visible("#side")


async def test_a_call_to_the_table_in_sight_is_no_news_of_the_chat(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    call = await posted(site, Screen((Span("your move!", link=anna.table),)))
    await anna.page.wait_for_selector("#public :text('your move!')", state="attached")
    assert not await anna.page.is_visible("#chat-news")
    await site.adapter.delete(call)
    await posted(site, says("words of others"))
    await anna.page.wait_for_selector("#chat-news:visible")


async def test_how_a_game_ended_for_one_opens_nothing_once_they_ask_for_another(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    user = (await site.store.guests())[0].id
    over = board("Anna", user, is_over=True, losers=(0,), step=9)
    ending = Screen((Span("You're the fool!"),), finished_game=GameRef(1, 1))
    await site.adapter.edit(anna.table, screen(over))
    await site.adapter.edit(anna.mine, replace(ending, rows=((CallbackButton("m:1:1:again", "Rematch"),),)))
    await posted(site, screen(over, "Rematch"))
    await anna.page.wait_for_selector(".outcome:visible")
    await anna.guest.touches("Rematch")
    await site.adapter.edit(anna.mine, ending)
    await posted(site, screen(lobby("Anna", user=user), "Start"))
    await anna.page.wait_for_selector(".lobby:visible")
    assert not await anna.page.is_visible("#panel")


async def test_the_round_before_can_be_looked_at_again(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    last = board(bout=BOUT).bout
    await anna.sees(bout=(), last_bout=last, step=2, latest=(Span("Anna takes."),))
    await anna.holds(replace(hand("6D 7C", step=2), latest=(Span("You take."),)))
    await anna.page.wait_for_selector("#table .pair", state="detached")
    await anna.page.click("[data-menu]")
    await anna.page.click("#open-last-bout")
    await anna.page.wait_for_selector("#last-bout[open]:has-text('You take.')")
    assert await anna.page.locator("#last-bout .pair").count() == len(BOUT)


async def test_the_menu_begins_with_what_can_be_done_at_the_table_in_lines_that_open(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.page.click("[data-menu]")
    lines = anna.page.locator("#menu .settings").first.locator(".opens:visible")
    assert await lines.all_inner_texts() == ["My hand", "Table", "Leave", "How to play"]


async def test_ones_statistics_are_offered_once_there_are_some_and_move_nothing_in_an_open_menu(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.page.click("[data-menu]")
    assert not await anna.page.is_visible("#open-statistics")

    site.pages.players = [UserRef("web", guest.id) for guest in await site.store.guests()]
    async with anna.page.expect_response("**/own"):
        ending = Screen((Span("You're the fool!"),), finished_game=GameRef(1, 1))
        await site.adapter.edit(anna.mine, ending)
    await anna.guest.sees_nothing_move()
    assert not await anna.page.is_visible("#open-statistics"), "the menu is open"

    await anna.page.click("#menu [type=submit]")
    await anna.page.click("[data-menu]")
    assert await anna.page.is_visible("#open-statistics"), "at once"
    await anna.page.get_by_role("button", name="My statistics").click()
    await eventually(lambda: site.inbox.commands)
    assert site.inbox.commands[-1].name == "stats"


async def test_whoever_has_played_finds_statistics_and_results(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    site.pages.players = [UserRef("web", guest.id) for guest in await site.store.guests()]
    async with anna.page.expect_response("**/own"):
        await anna.page.reload()
    await anna.page.click("[data-menu]")
    assert await anna.page.is_visible("#open-statistics")
    assert await anna.page.get_attribute("#open-results", "href") == "/results"
    await anna.page.click("#menu [type=submit]")

    await anna.page.set_viewport_size({"width": 1280, "height": 800})
    await anna.page.click("#to-standings")
    await anna.page.wait_for_url("**/results")


async def test_suits_have_four_colours_or_two_as_their_reader_wishes(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    colours = "cards => new Set(cards.map(card => getComputedStyle(card).color)).size"
    faces = ".fan .face:not(.idle *)"
    assert await anna.page.eval_on_selector_all(faces, colours) == 3
    await anna.page.click("[data-menu]")
    await anna.page.click("[data-preference=colours]")
    assert await anna.page.eval_on_selector_all(faces, colours) == 2


# Keeps what the status line said together with how many pairs lay on the table.
_WATCH = """() => {
    window.seen = new Set();
    const look = () => {
        const status = document.querySelector(".status");
        const isVisible = !status || status.checkVisibility({ opacityProperty: true });
        if (isVisible) window.seen.add(`${status?.textContent} ${document.querySelectorAll(".pair").length}`);
        requestAnimationFrame(look);
    };
    look();
}"""


def _has_heard_more(player: Player, than: int) -> bool:
    return len(player.guest.received) > than


@pytest.mark.parametrize("is_hand_first", [True, False])
async def test_the_table_and_the_hand_never_show_two_moments(
    site: Site, browser: Browser, *, is_hand_first: bool
) -> None:
    anna = await seated(site, browser, hand("6D 7C", says=(Span("before"),)), bout=(), attacker=0)
    await anna.page.clock.set_fixed_time(1)  # however slow the machine is: the page does not give up
    await anna.page.evaluate(_WATCH)
    after = {"status": (Span("after"),), "step": 2, "bout": [("9S", None)]}

    async def the_hand() -> None:
        await anna.holds(hand("6D 7C", "T", step=2, says=(Span("after"),)))

    async def the_table() -> None:
        await anna.sees(**after)

    for comes in (the_hand, the_table) if is_hand_first else (the_table, the_hand):
        heard = len(anna.guest.received)
        await comes()
        await eventually(partial(_has_heard_more, anna, heard))
    await anna.page.wait_for_selector(".status:has-text('after')")
    assert set(await anna.page.evaluate("[...window.seen]")) <= {"before 0", "after 1"}


async def test_who_waits_reads_what_for_and_never_their_own_name(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.sees(status=(Span("Anna and Ada can still throw in."),), step=2)
    await anna.holds(hand("6D 7C", step=2, says=(Span("You’ve passed. Ada can still throw in."),)))
    status = anna.page.locator(".status")
    await status.filter(has_text="You’ve passed.").wait_for()
    assert await status.inner_text() == "You’ve passed. Ada can still throw in."


async def _has_come(player: Player, words: str) -> None:
    """Waits until the page has received everything that was sent, in the same order."""
    await posted(player.site, says(words))
    await player.page.wait_for_selector(f"#public:has-text('{words}')", state="attached")


async def test_half_of_a_moment_is_not_shown_to_who_has_just_loaded_the_page_or_begins_a_game(
    site: Site, browser: Browser
) -> None:
    before = hand("6D 7C", "A 6D", says=(Span("before"),))
    anna = await seated(site, browser, before, bout=(), attacker=0)
    status = anna.page.locator(".status")
    await anna.page.clock.set_fixed_time(1)
    await anna.sees(status=(Span("after"),), step=2, bout=[("9S", None)])
    await anna.page.add_init_script(f"({_WATCH})()")
    await anna.page.reload()
    await _has_come(anna, "a word")
    await anna.holds(replace(before, step=2, says=(Span("after"),)))
    await status.filter(has_text="after").wait_for()
    assert set(await anna.page.evaluate("[...window.seen]")) <= {"undefined 0", " 0", "after 1"}
    user = (await site.store.guests())[0].id
    await posted(site, screen(board("Anna", user, id="1:2", status=(Span("next"),))))
    await _has_come(anna, "another word")
    assert await status.inner_text() == "after"
    await posted_privately(site, "Anna", screen(hand("6S", "A 6S", id="1:2", says=(Span("mine"),))))
    await status.filter(has_text="mine").wait_for()


async def test_what_comes_before_a_frame_is_drawn_in_it(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.page.evaluate("""() => {
        const [next, held] = [window.requestAnimationFrame, []];
        window.requestAnimationFrame = draw => held.push(draw);
        window.goOn = () => {
            window.requestAnimationFrame = next;
            held.forEach(draw => next(draw));
        };
    }""")
    for count in (2, 1):
        await anna.sees(bout=BOUT[:count], attacker=1)
    await _has_come(anna, "a word")
    assert await anna.page.locator(".pair").count() == 3
    await anna.page.evaluate("window.goOn()")
    await anna.page.wait_for_selector(".pair:only-child")


async def test_what_is_tapped_while_a_move_is_on_its_way_counts_afterwards(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    is_answered = asyncio.Event()

    async def later(route: Route) -> None:
        await is_answered.wait()
        await route.continue_()

    await anna.page.route("**/presses", later)
    await anna.taps(card("TD"), card("TD"), card("KH"))
    is_answered.set()
    await anna.plays("D 9D TD")
    await anna.holds(hand("QD KH 9C", "D JD QD", "D JD KH", "T", version=2, step=2))
    await anna.sees(step=2, bout=(("9S", "JS"), ("9D", "TD"), ("JD", None)), attacker=1)
    await anna.page.wait_for_selector(f"{card('KH')}.chosen")


async def test_a_move_that_counted_is_not_refused_when_it_is_sent_again(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    is_answered = asyncio.Event()

    async def later(route: Route) -> None:
        await is_answered.wait()
        await route.fulfill(json={"toast": "The table has moved on."})

    await anna.page.route("**/presses", later)
    await anna.taps(card("TD"), card("TD"))
    await anna.holds(hand("QD KH 9C", "D JD QD", "D JD KH", "T", version=2, step=2))
    await anna.sees(step=2, bout=(("9S", "JS"), ("9D", "TD"), ("JD", None)), attacker=1)
    await anna.page.wait_for_selector(card("TD"), state="detached")
    async with anna.page.expect_response("**/presses"):
        is_answered.set()
    await anna.guest.types("hello")
    assert await anna.page.inner_text("#toasts") == ""


async def test_who_has_closed_the_page_is_dimmed_until_they_are_back(site: Site, browser: Browser) -> None:
    boris = await browser.guest(site.url, "Boris")
    of_boris = UserRef("web", (await site.store.guests())[0].id)
    anna = await browser.guest(site.url, "Anna", PHONE)
    user = next(guest.id for guest in await site.store.guests() if guest.name == "Anna")
    table = board("Anna", user, "Boris", attacker=1, since=site.now, until=site.now + 120)
    seats = (table.seats[0], replace(table.seats[1], user=of_boris))
    await posted(site, screen(replace(table, seats=seats)))
    await anna.page.wait_for_selector(".seat:not(.absent)")
    await boris.page.close()
    await anna.page.wait_for_selector(".seat.absent .clock:text-matches('^[12]:')")
    assert "has closed the page" in await anna.page.locator(".seat .unseen").inner_text()
    await browser.guest(boris.secret_link)
    await anna.page.wait_for_selector(".seat:not(.absent)")


async def test_the_chat_is_a_column_in_company_and_can_be_closed_for_good(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    assert not await anna.page.is_visible("#side"), "nobody is there to talk to"
    await browser.guest(site.url, "Boris")
    await anna.page.wait_for_selector("#people:has-text('Boris')")
    assert not await anna.page.is_visible("#side"), "the table must not move"
    await anna.page.reload()
    await anna.page.wait_for_selector("#side:visible")
    await anna.page.click("#open-chat")
    assert not await anna.page.is_visible("#side")
    await anna.page.reload()
    await anna.page.wait_for_selector(".held")
    assert not await anna.page.is_visible("#side")
    await anna.page.set_viewport_size({"width": 900, "height": 800})
    assert not await anna.page.is_visible("#side")
    await anna.page.click("#open-chat")
    await anna.page.wait_for_selector("#side:visible")


async def test_the_game_goes_on_above_a_chat_on_a_phone(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, Device(360, 640, has_touch=True))
    assert await anna.page.is_visible(".tip")
    await anna.page.click("#open-chat")
    assert await anna.page.get_attribute("#open-chat", "aria-expanded") == "true"

    await anna.guest.sees_nothing_move()
    assert not await anna.page.is_visible(".tip")
    talon = await anna.page.locator(".talon").bounding_box()
    heap = await anna.page.locator(".heap").bounding_box()
    assert talon is not None
    assert heap is not None
    assert heap["x"] + heap["width"] == pytest.approx(360 - talon["x"], abs=2), "it lies at the edge"
    assert not await anna.page.is_visible(".tools [data-menu]"), "the chat needs its room"

    held = await anna.page.locator(".held").first.bounding_box()
    chat = await anna.page.locator("#side").bounding_box()
    assert held is not None
    assert chat is not None
    assert held["y"] + held["height"] <= chat["y"] + 8  # cards lie at a slight angle

    take = await anna.page.locator(".big .take").bounding_box()
    assert take is not None, "the turn needs it"
    assert take["y"] + take["height"] <= chat["y"]
    assert chat["height"] == pytest.approx(190, abs=1), "nobody has said anything"

    await tap(anna.page.locator(card("KH")))
    assert await anna.page.locator(".held.chosen").count() == 1

    await tap(anna.page.locator("#close-chat"))
    await anna.page.wait_for_selector("#side", state="hidden")
    assert await anna.page.get_attribute("#open-chat", "aria-expanded") == "false"
    await anna.page.keyboard.press("Escape")  # puts the chosen card back
    assert await anna.page.is_visible(".tip")


async def test_a_long_line_is_told_whole(site: Site, browser: Browser) -> None:
    said = "Wilhelmina Katharina has to beat the ten of hearts, or take it with everything else"
    anna = await seated(
        site, browser, hand("6D", "A 6D", says=(Span(said),)), Device(360, 640, has_touch=True)
    )
    status = anna.page.locator(".status")
    await status.filter(has_text=said).wait_for()
    assert await status.evaluate("line => line.scrollWidth <= line.clientWidth + 1")
    assert await status.evaluate("line => line.getBoundingClientRect().height > 30")


async def test_cards_are_grey_when_none_can_be_played_and_a_tap_says_why(
    site: Site, browser: Browser
) -> None:
    idle = tuple(BoardIdle(each, f"m:1:1:D 9D {each}") for each in ("6D", "7C"))
    anna = await seated(site, browser, hand("6D 7C", "T", idle=idle))
    assert await anna.page.locator(".held.idle").count() == 2
    site.inbox.reply = Reply(toast="That card doesn’t beat it.")
    await anna.taps(card("7C"))
    await anna.page.wait_for_selector("#toasts:has-text('That card doesn’t beat it.')")
    await anna.plays("D 9D 7C")


async def test_everything_grows_on_a_large_screen(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, Device(1920, 1080))
    await anna.guest.sees_nothing_move()
    widths = {
        each: await anna.page.locator(each).first.evaluate("card => card.getBoundingClientRect().width")
        for each in (".held .face", ".laid .face", "#table .avatar")
    }
    assert widths[".held .face"] > 140
    assert widths[".laid .face"] > 110
    assert widths["#table .avatar"] > 69
    status, fan = anna.page.locator(".status"), anna.page.locator(".fan")
    above = await status.bounding_box()
    below = await fan.bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] >= above["y"] + above["height"] - 1


async def test_a_player_of_a_team_is_told_with_whom_they_play(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    assert await anna.page.is_hidden(".team")
    user = (await site.store.guests())[0].id
    seats = board("Anna", user, "Boris", "Clara", "Dima").seats
    of_teams = tuple(replace(seat, team=("🔴", "🔵")[n % 2]) for n, seat in enumerate(seats))
    await anna.sees(seats=of_teams)
    await anna.page.wait_for_selector(".team:has-text('🔴 Your team: Clara')")


async def test_a_question_asked_in_ones_turn_leaves_the_turn_in_sight(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    user = (await site.store.guests())[0].id
    first, *others = board("Anna", user, bout=BOUT, attacker=1).seats
    await anna.sees(seats=(replace(first, is_awaited=True), *others), status=(Span("Anna defends."),))
    await anna.holds(hand("TD QD KH 9C", note=(Span("Leave?"),)))
    await anna.page.wait_for_selector(".note:has-text('Leave?')")
    assert await anna.page.inner_text(".status") == "Your turn"


async def test_a_game_that_is_stopped_says_why(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    words = (Span("Durak\n"), Span("All players agreed to stop."))
    await site.adapter.edit(anna.table, Screen(words, finished_game=GameRef(1, 1)))
    await anna.page.wait_for_selector("#hello:visible #last-result:has-text('All players agreed to stop.')")
    assert await anna.page.inner_text("#news") == "All players agreed to stop.", "for screen readers"
    assert not await anna.page.locator(".toast").count(), "the welcome says it"
