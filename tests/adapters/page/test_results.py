"""The pages of results and finished games."""

from dataclasses import replace

import pytest

from adapters.port import CallbackButton, GameRef, Mark, Reply, ReviewState, Screen, Span
from tests.adapters.boards import board, screen
from tests.adapters.contract import eventually
from tests.adapters.page.accessibility import violations
from tests.adapters.page.test_page import overflows
from tests.adapters.web.pages import ANNAS
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, tap

TINY_AND_DARK = Device(320, 640, has_touch=True, is_dark=True, locale="ru-RU")


@pytest.mark.parametrize("device", [PHONE, DESKTOP, TINY_AND_DARK])
async def test_results_are_looked_at_and_lead_to_people_and_games(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.stranger(device)
    await anna.page.goto(f"{site.url.removesuffix('r/main')}results")
    rows = anna.page.locator("#best li")
    await soon(rows.count)
    point = "," if device.locale == "ru-RU" else "."
    assert [text.strip().split("\n") for text in await rows.all_inner_texts()] == [
        ["1", "A", "Anna", f"0{point}60"],
        ["2", "B", "Boris", f"1{point}40"],
        ["C", "Clara", "1 of 5 games"],  # below the others, without a place
    ]
    assert not await anna.page.locator(".podium > *").count(), "two players with a place fill no podium"
    marks = await anna.page.eval_on_selector_all(
        "#best .scale", "scales => scales.map(scale => Number(scale.style.getPropertyValue('--at')))"
    )
    assert marks == pytest.approx([0.3, 0.7]), "the average is in the middle"
    assert "Boris" in await anna.page.inner_text(".first-fool")
    assert not await violations(anna)
    await anna.page.click("#best button:has-text('Anna')")
    await anna.page.wait_for_selector("#player[open]:has-text('fool 1 in 9 games')")
    figure = anna.page.locator("#player .figures > div")
    assert sorted((await figure.inner_text()).split()) == ["9", "Games"]
    form = anna.page.locator("#player .last-games")
    assert await form.locator("li").all_inner_texts() == ["✅ safe", "🃏 fool", "✅ safe"]
    assert not await violations(anna)
    await anna.page.keyboard.press("Escape")
    assert not await violations(anna)
    assert not await overflows(anna)
    await anna.page.click("[data-period=week]")
    await anna.page.wait_for_selector("#best", state="hidden")
    assert await anna.page.get_attribute("#nothing a", "href") == "/", "a week without games offers to play"
    assert not await violations(anna)
    await anna.page.click("#games a")
    await anna.page.wait_for_selector("#replay:not([hidden])")
    assert not anna.complaints


async def test_a_link_to_a_game_has_its_fool_and_a_picture_for_messengers(
    site: Site, browser: Browser
) -> None:
    boris = await browser.stranger()
    game = f"{site.url.removesuffix('r/main')}games/7-2"
    await boris.page.goto(game)
    meta = "meta[property='og:{}']"
    assert await boris.page.get_attribute(meta.format("title"), "content") == "Boris is the fool!"
    picture = await boris.page.get_attribute(meta.format("image"), "content")
    assert picture == f"{game}/picture"
    answer = await boris.page.request.get(picture)
    assert answer.headers["content-type"] == "image/png"
    assert (await boris.page.request.get(picture.replace("7-2", "7-99"))).status == 404
    await boris.page.click("#play-here")
    await boris.page.wait_for_selector("#sign-in:visible")


@pytest.mark.parametrize("has_sheet", [True, False])
async def test_the_players_of_a_game_share_its_end(site: Site, browser: Browser, *, has_sheet: bool) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.evaluate(
        """has_sheet => {
            window.shared = [];
            navigator.clipboard.writeText = async text => { window.shared.push(text); };
            navigator.canShare = () => has_sheet;
            const sheet = async ({url, files}) => { window.shared.push(url, files[0].type); };
            Object.defineProperty(navigator, "share", { value: has_sheet ? sheet : undefined });
        }""",
        has_sheet,
    )
    user = (await site.store.guests())[0].id
    over = board("Anna", user, is_over=True, losers=(1,), step=9)
    await posted(site, screen(over))
    result = replace(screen(over, "Rematch"), body=(Span("Ada is the fool!", Mark.BOLD),))
    await posted(site, replace(result, finished_game=GameRef(7, 2)))
    await tap(anna.page.locator(".share"))
    game = f"{site.url.removesuffix('r/main')}games/7-2"
    expected = [game, "image/png"] if has_sheet else [f"Ada is the fool!\n{game}"]

    async def is_shared() -> bool:
        return bool(await anna.page.evaluate("shared") == expected)

    await soon(is_shared)
    assert not anna.complaints


async def test_a_message_about_a_games_end_leads_to_the_game(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, Screen((Span("An admin has stopped the game."),), finished_game=GameRef(7, 2)))
    await tap(anna.page.locator("#public").get_by_role("link", name="Replay"))
    await anna.page.wait_for_selector("#replay:not([hidden])")
    assert anna.page.url.endswith("/games/7-2")


@pytest.mark.parametrize("device", [PHONE, DESKTOP, TINY_AND_DARK])
async def test_a_game_is_looked_at_move_by_move_and_shared_at_any_of_them(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    game = f"{site.url.removesuffix('r/main')}games/7-2"
    await anna.page.goto(f"{game}#0")
    await anna.page.wait_for_selector("#replay:not([hidden])")
    hands = anna.page.locator("#hands dd")
    assert await hands.first.locator(".face").count() == 2
    await anna.page.click("#bouts .costly")
    assert "6" in await anna.page.inner_text("#mark")
    card = "шестёрка пик" if device.locale == "ru-RU" else "six of spades"
    heard = (
        f"1. Boris takes {card}. 💡 An expert would play: {card}"  # the next move, which the finding is about
    )
    assert await anna.page.text_content("#news[role=status]") == heard
    marked = anna.page.locator(".bout .pair.better")
    assert await marked.get_attribute("data-attack") == "TH", "the better card is marked where it would lie"
    assert await anna.page.locator(".bout .pair").count() == 2
    assert await anna.page.input_value("#step") == "1"
    await anna.page.wait_for_url(f"{game}#1")
    assert not await violations(anna)
    assert not await overflows(anna)
    await anna.page.keyboard.press("End")
    assert await anna.page.is_disabled("#forward")
    assert await anna.page.locator(".bout .pair").count() == 1, (
        "the step that ends a round has all of its cards"
    )
    await anna.page.click("#back")
    await anna.page.wait_for_url(f"{game}#1")
    await anna.page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    await anna.page.evaluate("delete Navigator.prototype.share")
    await anna.page.click("#share")
    await anna.page.wait_for_selector("#toasts .toast")
    assert await anna.page.evaluate("copied") == f"Boris is the fool!\n{game}#1"

    boris = await browser.stranger()
    await boris.page.goto(anna.page.url)
    await boris.page.wait_for_selector("#replay:not([hidden])")
    assert await boris.page.input_value("#step") == "1"
    assert await boris.page.is_hidden("#mark")
    assert await boris.page.locator("#checks li").count() == 2
    assert not anna.complaints


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
async def test_a_replay_is_shared_like_a_result(site: Site, browser: Browser, device: Device) -> None:
    anna = await browser.stranger(device)
    game = f"{site.url.removesuffix('r/main')}games/7-2"
    await anna.page.goto(game)
    share = anna.page.get_by_role("button", name="Share", exact=True)
    await share.wait_for()
    sign = await anna.page.inner_text("#share")
    assert sign.split() == (["📤"] if device is PHONE else ["📤", "Share"])

    await anna.page.evaluate(
        """() => {
            window.shared = [];
            navigator.clipboard.writeText = async text => { window.shared.push(text); };
            Object.defineProperty(navigator, "share", { value: undefined, configurable: true });
        }"""
    )
    await share.click()
    await anna.page.wait_for_selector("#toasts:has-text('The link to the replay is copied.')")
    assert await anna.page.evaluate("shared") == [f"Boris is the fool!\n{game}"]
    assert not await violations(anna)

    await anna.page.evaluate(
        """() => {
            navigator.canShare = () => true;
            const sheet = async ({url, files}) => { window.shared = [url, files[0].type]; };
            Object.defineProperty(navigator, "share", { value: sheet });
        }"""
    )
    await anna.page.click("#back")
    await share.click()
    await anna.page.wait_for_function("() => shared[1] === 'image/png'")
    assert await anna.page.evaluate("shared[0]") == f"{game}#1"
    assert not anna.complaints


async def test_a_shared_game_says_first_how_it_ended(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2")
    await anna.page.wait_for_selector("#verdict:text-is('Boris is the fool!')")
    assert await anna.page.input_value("#step") == "2", "at its end"
    assert "Boris is the fool!" in await anna.page.inner_text("#step-text")
    await anna.page.click(".watch")
    assert await anna.page.input_value("#step") == "0"
    assert await anna.page.is_hidden(".watch")
    await anna.page.wait_for_url("**/games/7-2#1")

    await anna.page.click("#first")
    await anna.page.wait_for_url("**/games/7-2#0")
    await anna.page.reload()
    await anna.page.wait_for_selector("#replay:not([hidden])")
    assert await anna.page.input_value("#step") == "0", "an address can name the beginning"


async def test_a_review_that_found_nothing_says_so_beside_the_table(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    site.pages.costly = ()
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2?review")
    await anna.page.wait_for_selector("#mark-title:has-text('None of your moves cost you much.')")
    assert await anna.page.is_hidden("#other-mark")


async def test_a_game_plays_by_itself_until_its_end_or_until_somebody_steps(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2")
    assert await anna.page.inner_text("#autoplay") == "▶"
    await anna.page.click("#autoplay")
    await anna.page.wait_for_selector("#forward[disabled]")
    await anna.page.wait_for_selector("#autoplay[aria-pressed=false]")
    await anna.page.click("#first")
    await anna.page.click("#autoplay")
    await anna.page.click("#bouts [data-place]")
    assert await anna.page.get_attribute("#autoplay", "aria-pressed") == "false"
    assert await anna.page.input_value("#step") == "1"
    assert "Anna → Boris" in await anna.page.inner_text("#bouts [aria-current]")


async def test_many_steps_at_once_change_the_address_once(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2")
    await anna.page.wait_for_selector("#replay:not([hidden])")
    changes = await anna.page.evaluate(
        """async () => {
            let changes = 0;
            const real = history.replaceState.bind(history);
            history.replaceState = (...to) => { changes++; real(...to); };
            for (let n = 0; n < 200; n++) document.querySelector(n % 2 ? "#back" : "#forward").click();
            document.querySelector("#last").click();
            await new Promise(resolve => setTimeout(resolve, 1000));
            return changes;
        }"""
    )
    assert changes == 1
    assert await anna.page.is_disabled("#forward")


async def test_ones_own_hand_comes_first_and_everybody_sits_at_the_table(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna")
    site.pages.own = 1
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2")
    await anna.page.wait_for_selector("#replay:not([hidden])")
    assert await anna.page.locator(".seat .name").all_inner_texts() == ["Anna", "Boris"]
    assert await anna.page.locator("#hands dt").all_inner_texts() == ["Boris", "Anna"]


async def test_the_moves_that_cost_most_are_asked_for_and_marked_when_they_are_known(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    site.pages.review = ReviewState.OFFERED
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2")
    await anna.page.click("#review")
    await eventually(lambda: site.pages.review is ReviewState.UNDERWAY)
    site.pages.review = ReviewState.DONE
    await anna.page.click("#bouts .costly")
    assert await anna.page.is_hidden("#review")
    assert "An expert would play" in await anna.page.inner_text("#mark")
    assert not anna.complaints


async def test_what_a_review_found_leads_on_to_the_rest_of_it(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    site.pages.costly = {1, 2}
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2")
    await anna.page.click("#bouts .costly >> nth=0")
    assert await anna.page.input_value("#step") == "1"
    await anna.page.wait_for_selector("#mark-title:has-text('1 of 2')")

    await anna.page.click("#other-mark:has-text('Next mistake')")
    assert await anna.page.input_value("#step") == "2"
    await anna.page.wait_for_selector("#mark-title:has-text('2 of 2')")

    await anna.page.click("#other-mark:has-text('First mistake')")
    assert await anna.page.input_value("#step") == "1"


async def test_a_review_that_is_asked_for_in_the_room_is_played_on_the_board_and_leads_back(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    site.pages.review = ReviewState.OFFERED
    site.inbox.reply = Reply(review=GameRef(7, 2))
    await anna.page.fill("#line", "/review")
    await anna.page.press("#line", "Enter")
    await anna.page.wait_for_selector("#replay:not([hidden])")
    await eventually(lambda: site.pages.review is ReviewState.UNDERWAY)
    site.pages.review = ReviewState.DONE
    await anna.page.wait_for_selector("#mark:has-text('An expert would play')")
    await anna.page.click("#way-back")
    await anna.page.wait_for_url(site.url)


async def test_a_replay_leads_back_to_the_results_or_the_room_where_it_was_opened(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    results = f"{site.url.removesuffix('r/main')}results"
    await anna.page.goto(results)
    await anna.page.click("#games a")
    await anna.page.wait_for_selector("#replay:not([hidden])")
    await anna.page.click("#way-back")
    await anna.page.wait_for_url(results)
    await anna.page.click("#way-back")
    await anna.page.wait_for_url(site.url)

    await posted(site, Screen((Span("An admin has stopped the game."),), finished_game=GameRef(7, 2)))
    await tap(anna.page.locator("#public").get_by_role("link", name="Replay"))
    await anna.page.wait_for_selector("#replay:not([hidden])")
    await anna.page.click("#way-back")
    await anna.page.wait_for_url(site.url)


async def test_a_game_that_is_not_over_is_not_shown(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-3")
    await anna.page.wait_for_selector("#refused:text('There’s no finished game')")


async def test_a_game_whose_moves_are_gone_is_said_to_be_no_more(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/9-1")
    await anna.page.wait_for_selector("#refused:has-text('moves aren')")
    assert await anna.page.locator("#replay").is_hidden()
    assert not await overflows(anna)


async def test_on_a_small_phone_the_finding_of_a_review_and_the_hands_are_read_beside_the_table(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", replace(PHONE, width=360, height=640))
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2?review")
    await anna.page.wait_for_selector("#mark:not([hidden])")
    hands = await anna.page.locator("#hands").bounding_box()
    steps = await anna.page.locator("#steps").bounding_box()
    assert hands is not None
    assert steps is not None
    assert hands["y"] + hands["height"] <= steps["y"]


async def test_on_a_phone_the_table_stays_in_sight_and_a_round_is_chosen_beside_it(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.goto(f"{site.url.removesuffix('r/main')}games/7-2")
    await anna.page.wait_for_selector("#replay:not([hidden])")
    await anna.page.locator("#checks").scroll_into_view_if_needed()
    box = await anna.page.locator("#table").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    await anna.page.select_option("#round", index=0)
    assert await anna.page.input_value("#step") == "1"


async def test_a_card_higher_than_a_small_phone_opens_at_its_name_which_stays_in_sight(
    site: Site, browser: Browser
) -> None:
    site.pages.card = replace(ANNAS, text=(Span("Zuerst raus: 2\n" * 20),))
    anna = await browser.stranger(Device(360, 640, has_touch=True, locale="de-DE"))
    await anna.page.goto(f"{site.url.removesuffix('r/main')}results")
    await anna.page.click("#best button:has-text('Anna')")
    await anna.page.wait_for_selector("#player[open].goes-on")
    assert await anna.page.evaluate("document.getElementById('player').scrollTop") == 0

    await anna.page.evaluate("document.getElementById('player').scrollTop = 9999")
    await anna.page.wait_for_selector("#player:not(.goes-on)")
    name = await anna.page.locator("#player .player-head bdi").bounding_box()
    dialog = await anna.page.locator("#player").bounding_box()
    assert name is not None
    assert dialog is not None
    assert dialog["y"] < name["y"] < dialog["y"] + 100


async def test_each_earlier_game_is_one_folded_line_in_the_chat(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", DESKTOP)
    over = board("Anna", "nobody", is_over=True, losers=(1,), step=9)
    for game in (1, 2, 3):
        ended = replace(over, id=f"7:{game}")
        headline = (Span(f"Boris is the fool of game {game}!"),)
        await posted(site, screen(ended))
        await posted(site, Screen(headline, finished_game=GameRef(7, game), board=ended))
        await anna.types(f"Well played in game {game}")

        await posted(site, Screen((Span(f"The evening after {game} games\nBoris 1"),)))
        await posted(site, Screen((Span("Clara is here."),)))
        offer = CallbackButton("x:", "I'm in")
        await posted(site, Screen((Span("A table for tonight\nBoris is in"),), rows=((offer,),)))

    past = anna.page.locator("#public .past")
    await soon(past.count)
    lines = [await each.locator("summary").inner_text() for each in await past.all()]
    report = "The evening after 1 games"
    assert lines == ["Boris is the fool of game 1!", report, "Boris is the fool of game 2!"]
    assert await anna.page.locator("#public .post:has-text('of game 3')").count() == 1
    assert await anna.page.locator("#public .chat").count() == 3, "people's lines stay in sight"
    assert await anna.page.locator("#public .past .button").count() == 0
    assert await anna.page.get_by_role("button", name="I'm in").count() == 3, "what can be pressed stays"

    await past.first.locator("summary").click()
    link = past.first.get_by_role("link", name="Replay")
    assert await link.get_attribute("href") == "/games/7-1"
    assert not await violations(anna)
