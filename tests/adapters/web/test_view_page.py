"""Live tables of other chats over HTTP: proofs in, a secret out, the newest state after each change."""

from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web

from adapters.port import CallbackButton, Document, Picture, ProofProblem, Reply, Screen, Span
from adapters.web import view_page
from adapters.web.request_guard import HEADERS
from adapters.web.view_page import MAX_VIEWS, PORTRAITS, ViewPage
from adapters.web.visits import CHECK_SECONDS, FAILURES, MAX_OF_A_PERSON, PROBLEMS, PROOFS, SECRET_SECONDS
from tests.adapters.contract import ListeningInbox, eventually
from tests.adapters.contract.picturing import PNG
from tests.adapters.web.tables import ADDRESS, ANNA, BORIS, FRAMER, PROXY, ROOM, KnownViews, OneDoor


class Page:
    """The page of live tables, and a client that sends the requests of its scripts."""

    def __init__(self, url: str, http: ClientSession) -> None:
        self.url = url
        self.http = http
        self.views = KnownViews()
        self.inbox = ListeningInbox()
        self.monotonic = 1000.0
        self.door = OneDoor()

    async def post(
        self, what: str, body: object, secret: str = "", origin: str = ""
    ) -> tuple[int, dict[str, Any]]:
        headers = {"Origin": origin or self.url, "Authorization": f"Bearer {secret}"}
        async with self.http.post(f"{self.url}/{what}", json=body, headers=headers) as response:
            return response.status, await response.json()

    async def proves(self, proof: str, *, door: str = "key", wanted: str = "7") -> tuple[int, dict[str, Any]]:
        return await self.post("visits", {"door": door, "proof": proof, "wanted": wanted})

    async def secret(self, proof: str = ANNA.ref.id) -> str:
        status, answer = await self.proves(proof)
        assert status == 201, answer
        secret: str = answer["secret"]
        return secret

    async def presses(self, secret: str, token: str, message: str = "1") -> tuple[int, dict[str, Any]]:
        return await self.post("visits/presses", {"message": message, "token": token}, secret)

    @asynccontextmanager
    async def watching(self, secret: str) -> AsyncIterator[ClientWebSocketResponse]:
        headers = {"Origin": self.url}
        async with self.http.ws_connect(f"{self.url}/visits/stream", headers=headers) as socket:
            await socket.send_json({"secret": secret})
            yield socket


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    async with ClientSession() as http:
        made = Page("", http)
        site = ViewPage(made.views, made.inbox, [made.door], monotonic=lambda: made.monotonic)
        app = web.Application()
        site.attach(app, is_alone=True)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield made
        await runner.cleanup()


# --- coming in ---


async def test_a_proof_is_exchanged_for_a_secret_that_shows_the_table(page: Page) -> None:
    async with page.watching(await page.secret()) as socket:
        frame = await socket.receive_json()

    table, hand, _ = frame["messages"]
    assert [seat["user"] for seat in table["content"]["board"]["seats"]] == ["you", None]
    assert table["content"]["body"][0]["mention"] == "you"
    assert [button["label"] for button in table["content"]["rows"][0]] == ["⚙️ Table"]
    assert (table["private"], hand["private"]) == (False, True)
    assert ANNA.ref.id not in str(frame["messages"])


async def test_onlookers_get_the_table_without_a_hand_a_seat_or_a_replay(page: Page) -> None:
    async with page.watching(await page.secret(BORIS.ref.id)) as socket:
        frame = await socket.receive_json()

    assert [message["id"] for message in frame["messages"]] == ["1", "3"]
    assert {seat["user"] for seat in frame["messages"][0]["content"]["board"]["seats"]} == {None}
    assert "game" not in frame["messages"][1]["content"]


@pytest.mark.parametrize(
    ("proof", "door", "wanted", "status"),
    [
        ("", "key", "", 400),
        ("7", "nowhere", "", 400),
        ("7" * 5000, "key", "", 400),
        ("7", "key", "7" * 200, 400),
        ("9", "key", "", 403),
        ("\udc80".encode("utf-16", "surrogatepass").hex(), "key", "", 403),
    ],
)
async def test_what_is_no_proof_gets_a_sentence(
    page: Page, proof: str, door: str, wanted: str, status: int
) -> None:
    answered, answer = await page.proves(proof, door=door, wanted=wanted)
    assert (answered, set(answer)) == (status, {"error"})


@pytest.mark.parametrize("problem", ProofProblem)
async def test_whatever_is_wrong_with_a_proof_is_said_in_a_sentence_of_its_own(
    page: Page, problem: ProofProblem
) -> None:
    page.door.problem = problem
    _, answer = await page.proves(ANNA.ref.id)
    told = [sentence for _, sentence in PROBLEMS.values()]
    assert answer["error"] == PROBLEMS[problem][1]
    assert told.count(answer["error"]) == 1
    assert page.views.checks == 0


async def test_a_proof_opens_once(page: Page) -> None:
    await page.secret()
    status, answer = await page.proves(ANNA.ref.id)
    assert status == 403
    assert "opens once" in answer["error"]


async def test_who_may_not_see_the_table_does_not_come_in(page: Page) -> None:
    page.views.shut_out.add(ANNA.ref)
    status, answer = await page.proves(ANNA.ref.id)
    assert (status, set(answer)) == (403, {"error"})


async def test_many_wrong_proofs_are_answered_no_more_and_keep_no_right_one_out(page: Page) -> None:
    """A household, a company and the proxy of a chat are one address each."""
    page.door.origins = ()
    statuses = [(await page.proves("9"))[0] for _ in range(FAILURES.burst + 1)]
    assert statuses == [403] * FAILURES.burst + [429]
    await page.secret()


async def test_a_door_behind_the_proxy_of_its_chat_counts_wrong_proofs_by_itself(page: Page) -> None:
    page.door.origins = (PROXY,)
    for _ in range(FAILURES.burst + 1):
        assert (await page.proves("9"))[0] == 403


async def test_a_proof_that_is_refused_for_another_reason_is_not_used_up(page: Page) -> None:
    proof = ANNA.ref.id
    for number in range(PROOFS.burst):
        await page.secret(proof + "+" * (number + 1))
    assert (await page.proves(proof))[0] == 429

    page.monotonic += PROOFS.seconds
    page.views.shut_out.add(ANNA.ref)
    assert (await page.proves(proof))[0] == 403

    page.monotonic += PROOFS.seconds
    page.views.shut_out.clear()
    await page.secret(proof)


async def test_a_refusal_names_another_way(page: Page) -> None:
    page.door.other_way = "https://chat.example/table"
    page.door.problem = ProofProblem.OLD
    _, answer = await page.proves(ANNA.ref.id)
    assert answer["way"] == page.door.other_way


async def test_a_person_has_so_many_secrets_at_most_and_the_newest_are_good(page: Page) -> None:
    secrets = []
    for number in range(MAX_OF_A_PERSON + 2):
        secrets.append(await page.secret(ANNA.ref.id + "+" * number))
        page.monotonic += PROOFS.seconds

    others = await page.secret(BORIS.ref.id)
    page.inbox.reply = Reply()
    statuses = [(await page.presses(secret, "t:7:1:open"))[0] for secret in (*secrets, others)]
    assert statuses == [401, 401] + [200] * (MAX_OF_A_PERSON + 1)


async def test_a_stream_is_opened_for_nobody_who_has_left_meanwhile(page: Page) -> None:
    secret = await page.secret()
    page.views.shut_out.add(ANNA.ref)
    async with page.watching(secret) as socket:
        assert (await socket.receive()).type is WSMsgType.CLOSE
        assert socket.close_code == 4401
    assert page.views.watching == 0


async def test_a_person_proves_themselves_ten_times_a_minute_at_most(page: Page) -> None:
    statuses = [(await page.proves(ANNA.ref.id + "+" * n))[0] for n in range(PROOFS.burst + 1)]
    assert statuses == [201] * PROOFS.burst + [429]


async def test_a_secret_is_good_for_twelve_hours(page: Page) -> None:
    secret = await page.secret()
    page.monotonic += SECRET_SECONDS + 1
    status, _ = await page.presses(secret, "t:7:1:open")
    assert status == 401
    async with page.watching(secret) as socket:
        assert (await socket.receive()).type is WSMsgType.CLOSE
        assert socket.close_code == 4401


@pytest.mark.parametrize("greeting", [{}, [], {"secret": 7}, {"secret": "x" * 999}, {"secret": "nobody's"}])
async def test_a_stream_with_no_secret_that_is_good_is_closed(page: Page, greeting: object) -> None:
    async with page.http.ws_connect(f"{page.url}/visits/stream", headers={"Origin": page.url}) as socket:
        await socket.send_json(greeting)
        assert (await socket.receive()).type is WSMsgType.CLOSE
        assert socket.close_code == 4401


# --- frames ---


async def test_only_entry_pages_may_be_framed_and_by_their_own_chat_alone(page: Page) -> None:
    async def policy(path: str) -> str:
        async with page.http.get(f"{page.url}{path}") as response:
            return response.headers["Content-Security-Policy"].partition("frame-ancestors ")[2]

    assert await policy("/in/key") == FRAMER
    assert await policy("/in/key/games/7-1") == FRAMER

    for path in ("/in/nowhere", "/visits", "/page/view.js", "/nothing", "/robots.txt"):
        assert await policy(path) == "'none'"

    assert HEADERS["Content-Security-Policy"].endswith("frame-ancestors 'none'")


async def test_of_all_scripts_in_a_page_itself_the_policy_of_entry_pages_lets_one_run(page: Page) -> None:
    async def scripts(path: str) -> tuple[str, str]:
        async with page.http.get(f"{page.url}{path}") as response:
            policy = response.headers["Content-Security-Policy"].partition("script-src ")[2].partition(";")[0]
            return policy, await response.text()

    policy, html = await scripts("/in/key")
    first = html.partition('<script id="before-modules">')[2].partition("</script>")[0]
    assert "giveUp" in first

    digest = b64encode(sha256(first.encode()).digest()).decode()
    assert policy == f"'self' 'sha256-{digest}'"

    for path in ("/in/nowhere", "/page/view.js", "/nothing"):
        policy, _ = await scripts(path)
        assert policy == "'self'"


async def test_requests_come_from_the_page_itself_or_the_proxy_of_a_door(page: Page) -> None:
    body = {"door": "key", "proof": ANNA.ref.id, "wanted": ""}
    assert (await page.post("visits", body, origin="https://evil.example"))[0] == 403
    assert (await page.post("visits", body, origin=PROXY))[0] == 201


# --- the newest state ---


async def test_each_change_comes_as_one_frame_and_the_newest_wins(page: Page) -> None:
    async with page.watching(await page.secret()) as socket:
        await socket.receive_json()
        page.views.change()
        frame = await socket.receive_json()
    assert frame["messages"][0]["content"]["board"]["step"] == 2


async def test_a_page_that_asks_hears_that_somebody_is_there(page: Page) -> None:
    async with page.watching(await page.secret()) as socket:
        await socket.receive_json()
        await socket.send_str("?")
        assert (await socket.receive_json())["type"] == "here"


async def test_a_phone_that_sleeps_counts_as_closed(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1.5 * view_page.HEARTBEAT_SECONDS == 15.0
    monkeypatch.setattr(view_page, "HEARTBEAT_SECONDS", 0.2)
    address = f"{page.url}/visits/stream"
    secret = await page.secret()
    async with page.http.ws_connect(address, headers={"Origin": page.url}, autoping=False) as socket:
        await socket.send_json({"secret": secret})
        await eventually(lambda: page.views.watching == 1)
        await eventually(lambda: page.views.watching == 0)


async def test_a_person_has_three_views_at_most(page: Page) -> None:
    secret = await page.secret()
    async with page.watching(secret) as one, page.watching(secret) as two, page.watching(secret) as three:
        for socket in (one, two, three):
            await socket.receive_json()

        assert MAX_VIEWS == 3
        async with page.watching(secret) as fourth:
            await fourth.receive()
            assert fourth.close_code == 4429


async def test_a_view_ends_with_its_secret_for_who_may_not_see_it_any_more(page: Page) -> None:
    secret = await page.secret()
    async with page.watching(secret) as socket:
        await socket.receive_json()
        page.views.shut_out.add(ANNA.ref)
        page.views.change()
        assert (await socket.receive()).type is WSMsgType.CLOSE
        assert socket.close_code == 4401

    assert (await page.presses(secret, "t:7:1:open"))[0] == 401


async def test_a_forgotten_person_has_no_secret_any_more(page: Page) -> None:
    secret = await page.secret()
    for ended in page.views.on_ended:
        ended(lambda visit: visit.user.ref == ANNA.ref)
    assert (await page.presses(secret, "t:7:1:open"))[0] == 401


async def test_what_is_kept_is_told_with_a_link_to_the_owners_own_page(page: Page) -> None:
    headers = {"Authorization": f"Bearer {await page.secret()}"}
    async with page.http.get(f"{page.url}/visits/privacy", headers=headers) as response:
        told = await response.json()
    assert told["links"] == ["https://durak.example/privacy"]
    assert told["message"]["content"]["body"][0]["text"] == "Little is kept."


# --- presses ---


async def test_a_press_is_that_of_the_person_at_the_table_of_their_chat(page: Page) -> None:
    secret = await page.secret()
    page.inbox.reply = Reply(toast="Not yet.")
    async with page.watching(secret) as socket:
        await socket.receive_json()
        status, answer = await page.presses(secret, "s:7:suit", "2")

    [press] = page.inbox.pressed
    assert (status, answer) == (200, {"toast": "Not yet."})
    assert (press.user, press.room, press.token) == (ANNA, ROOM, "s:7:suit")
    assert press.on_private_message
    assert press.is_shown
    assert press.view is not None


async def test_a_button_that_the_view_does_not_show_is_no_shown_button(page: Page) -> None:
    secret = await page.secret()
    async with page.watching(secret) as socket:
        await socket.receive_json()
        await page.presses(secret, "k:stop")
    assert not page.inbox.pressed[0].is_shown


async def test_every_press_has_an_id_of_its_own(page: Page) -> None:
    secret = await page.secret()
    for _ in range(3):
        await page.presses(secret, "t:7:1:open")
    assert len({press.id for press in page.inbox.pressed}) == 3


async def test_a_press_that_is_sent_again_is_done_once(page: Page) -> None:
    secret = await page.secret()
    body = {"message": "1", "token": "t:7:1:open", "name": "0" * 16}
    for _ in range(2):
        assert (await page.post("visits/presses", body, secret))[0] == 200
    assert len(page.inbox.pressed) == 1


async def test_an_answer_for_the_presser_alone_has_buttons_that_can_be_pressed(page: Page) -> None:
    secret = await page.secret()
    page.inbox.reply = Reply(secret=Screen((Span("Sure?"),), ((CallbackButton("q:7:1:stay", "Stay"),),)))
    _, answer = await page.presses(secret, "t:7:1:open")
    assert answer["answer"]["content"]["rows"][0][0]["label"] == "Stay"
    await page.presses(secret, "q:7:1:stay", "4")
    assert page.inbox.pressed[-1].is_shown


async def test_the_public_part_of_an_answer_is_posted_to_the_room(page: Page) -> None:
    best = Screen((Span("Best: Anna"),))
    film = Document("end.gif", b"GIF", "No file.")
    page.inbox.reply = Reply(public=best, document=film)
    _, answer = await page.presses(await page.secret(), "g:7:1:leaderboard")
    assert page.views.posted == [(best, film)]
    assert answer["posted"]
    assert [span["text"] for span in answer["answer"]["content"]["body"]] == ["Best: Anna"]


async def test_an_answer_comes_in_words_where_the_room_has_a_picture(page: Page) -> None:
    drawn = Screen((Span("How is it counted?"),), picture=Picture(PNG, "Anna"), details=(Span("Best: Anna"),))
    page.inbox.reply = Reply(public=drawn)
    _, answer = await page.presses(await page.secret(), "g:7:1:leaderboard")
    assert page.views.posted == [(drawn, None)]
    content = answer["answer"]["content"]
    assert content["picture"] is None
    assert [span["text"] for span in content["body"]] == ["Best: Anna", "\n\n", "How is it counted?"]


async def test_a_person_who_was_banned_presses_nothing_after_a_while(page: Page) -> None:
    secret = await page.secret()
    checks = page.views.checks
    await page.presses(secret, "t:7:1:open")
    assert page.views.checks == checks  # which costs the chat a question
    page.views.shut_out.add(ANNA.ref)
    page.monotonic += CHECK_SECONDS + 1
    assert (await page.presses(secret, "t:7:1:open"))[0] == 403
    assert (await page.presses(secret, "t:7:1:open"))[0] == 401


async def test_no_secret_or_proof_reaches_a_log(page: Page, capfd: pytest.CaptureFixture[str]) -> None:
    secret = await page.secret()
    async with page.watching(secret) as socket:
        await socket.receive_json()

    await page.proves("9" * 30)
    await eventually(lambda: page.views.checks > 0)
    printed = "".join(capfd.readouterr())
    assert secret not in printed
    assert "9" * 30 not in printed
    assert "Anna <b>" not in printed


# --- throws ---


async def test_all_who_have_a_table_open_see_a_throw_there(page: Page) -> None:
    anna = await page.secret()
    boris = await page.secret(BORIS.ref.id)
    elsewhere = (await page.proves(BORIS.ref.id + "+", wanted="8"))[1]["secret"]
    async with page.watching(anna) as one, page.watching(boris) as two, page.watching(elsewhere) as three:
        for socket in (one, two, three):
            await socket.receive_json()

        assert await page.post("visits/throws", {"seat": 1}, anna) == (200, {})
        for socket in (one, two):
            thrown = await socket.receive_json()
            assert (thrown["type"], thrown["by"], thrown["seat"]) == ("throw", 0, 1)

        page.views.change()
        assert (await three.receive_json())["type"] == "all"
        assert not page.inbox.pressed


@pytest.mark.parametrize("seat", [0, 2, -1, True, "1", None])
async def test_a_forged_throw_in_a_view_does_nothing(page: Page, seat: object) -> None:
    anna = await page.secret()
    async with page.watching(anna) as socket:
        await socket.receive_json()
        assert await page.post("visits/throws", {"seat": seat}, anna) == (200, {})
        page.views.change()
        assert (await socket.receive_json())["type"] == "all"


async def test_a_person_throws_once_in_five_seconds_and_a_stranger_never(page: Page) -> None:
    anna = await page.secret()
    statuses = [(await page.post("visits/throws", {"seat": 1}, anna))[0] for _ in range(2)]
    page.monotonic += 5.0
    statuses.append((await page.post("visits/throws", {"seat": 1}, anna))[0])
    statuses.append((await page.post("visits/throws", {"seat": 1}, "nobody"))[0])
    assert statuses == [200, 429, 200, 401]


# --- portraits ---


KEY = "k" * 22
JPEG = b"\xff\xd8 a small portrait"


@pytest.fixture
def portrayed(page: Page) -> Page:
    """Gives Anna a portrait."""
    page.views.portraits[KEY] = JPEG
    page.views.annas_portrait = KEY
    return page


async def portrait(page: Page, key: str, secret: str) -> tuple[int, bytes]:
    headers = {"Authorization": f"Bearer {secret}"}
    async with page.http.get(f"{page.url}/visits/portraits/{key}", headers=headers) as response:
        return response.status, await response.read()


async def test_the_portrait_at_a_seat_is_for_those_who_see_the_table(portrayed: Page) -> None:
    secret = await portrayed.secret(BORIS.ref.id)
    async with portrayed.watching(secret) as socket:
        frame = await socket.receive_json()

    assert frame["messages"][0]["content"]["board"]["seats"][0]["portrait"] == KEY
    headers = {"Authorization": f"Bearer {secret}"}
    async with portrayed.http.get(f"{portrayed.url}/visits/portraits/{KEY}", headers=headers) as response:
        assert (response.status, response.content_type) == (200, "image/jpeg")
        assert await response.read() == JPEG
        assert response.headers["Cache-Control"].startswith("private, ")
        assert response.headers["Vary"] == "Authorization"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]


async def test_a_portrait_is_for_nobody_else(portrayed: Page) -> None:
    secret = await portrayed.secret()
    assert (await portrait(portrayed, KEY, secret))[0] == 404  # no view has shown it to Anna yet
    assert (await portrait(portrayed, KEY, ""))[0] == 401
    assert (await portrait(portrayed, KEY, "wrong"))[0] == 401

    async with portrayed.watching(secret) as socket:
        await socket.receive_json()
        assert (await portrait(portrayed, KEY, secret))[0] == 200
        assert (await portrait(portrayed, "o" * 22, secret))[0] == 404

        portrayed.views.annas_portrait = ""
        portrayed.views.change()
        await socket.receive_json()
        assert (await portrait(portrayed, KEY, secret))[0] == 404


async def test_a_portrait_that_is_gone_is_not_found(portrayed: Page) -> None:
    secret = await portrayed.secret()
    async with portrayed.watching(secret) as socket:
        await socket.receive_json()
        portrayed.views.portraits.clear()
        assert (await portrait(portrayed, KEY, secret))[0] == 404


async def test_portraits_are_fetched_so_often_at_most(portrayed: Page) -> None:
    secret = await portrayed.secret()
    async with portrayed.watching(secret) as socket:
        await socket.receive_json()
        statuses = [(await portrait(portrayed, KEY, secret))[0] for _ in range(PORTRAITS.burst + 1)]
    assert statuses == [200] * PORTRAITS.burst + [429]


async def test_a_player_gets_the_public_address_of_their_game_and_nobody_else(page: Page) -> None:
    asked = ((ANNA, "7-1", 200), (ANNA, "7-2", 404), (ANNA, "8-1", 404), (BORIS, "7-1", 404))
    for person, game, status in asked:
        secret = await page.secret(person.ref.id + "+" * len(page.door.used))
        headers = {"Authorization": f"Bearer {secret}"}
        async with page.http.get(f"{page.url}/visits/addresses/{game}", headers=headers) as response:
            assert response.status == status
            answer = await response.json()
            assert answer.get("address") == (ADDRESS if status == 200 else None)
