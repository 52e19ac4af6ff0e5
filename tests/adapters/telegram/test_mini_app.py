"""The identity of a Mini App's reader, as signed by Telegram."""

import hmac
import json
import random
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adapters.port import (
    CallbackButton,
    ProofProblem,
    ProofRefusedError,
    Screen,
    ServerRef,
    UserRef,
    ViewButton,
)
from adapters.telegram.mini_app import MAX_AGE_SECONDS, MAX_SKEW_SECONDS, MiniApp
from adapters.telegram.refs import table_behind
from adapters.telegram.render import render

TOKEN = "123456:AAEwire"
NOW = 1_800_000_000.0
USER = {
    "id": 77,
    "first_name": "Anna",
    "last_name": "Žemaitė & <b>",
    "username": "Anna",
    "language_code": "lt",
}
PAGE = "https://durak.example"
NETWORK = "198.51.100.7"


def mini_app(page: str = PAGE, app: str = "") -> MiniApp:
    return MiniApp(TOKEN, page, app, lambda: NOW)


def signed(token: str = TOKEN, **fields: str) -> str:
    """Returns the init data that Telegram signs for a bot with this token."""
    shown = {
        "auth_date": str(int(NOW)),
        "query_id": "AA",
        "signature": "x_y",
        "user": json.dumps(USER, ensure_ascii=False),
    } | fields
    told = "\n".join(f"{name}={value}" for name, value in sorted(shown.items()))
    secret = hmac.digest(b"WebAppData", token.encode(), "sha256")

    return urlencode({**shown, "hash": hmac.new(secret, told.encode(), "sha256").hexdigest()})


async def problem_of(proof: str, wanted: str = "7") -> ProofProblem | None:
    try:
        await mini_app().visit(proof, wanted, NETWORK)
    except ProofRefusedError as refused:
        return refused.problem
    return None


async def test_whoever_telegram_has_signed_is_that_person() -> None:
    visit = await mini_app().visit(signed(), "7", NETWORK)
    assert visit.user.ref == UserRef("telegram", "77")
    assert (visit.user.name, visit.user.locale, visit.user.handle) == ("Anna Žemaitė & <b>", "lt", "anna")
    assert (visit.table_id, visit.door, visit.is_seen_there) == (7, "telegram", False)


async def test_a_direct_link_opens_the_table_that_telegram_has_signed() -> None:
    visit = await mini_app().visit(signed(start_param="8", chat_type="supergroup"), "7", NETWORK)
    assert visit.table_id == 8


async def test_the_group_that_telegram_has_signed_is_the_place_of_the_visit() -> None:
    chat = json.dumps({"id": -1009, "type": "supergroup", "title": "Players"})
    visit = await mini_app().visit(signed(chat=chat, chat_type="supergroup"), "7", NETWORK)
    assert visit.place == ServerRef("telegram", "-1009")
    assert (await mini_app().visit(signed(), "7", NETWORK)).place is None, "it does not always say so"


async def uses(app: MiniApp, proof: str, network: str = NETWORK) -> ProofProblem | None:
    """Comes in by a proof as the page does."""
    try:
        await app.visit(proof, "7", network)
        app.use(proof, network)
    except ProofRefusedError as refused:
        return refused.problem
    return None


async def test_a_proof_that_comes_again_is_good_where_it_was_used_and_nowhere_else() -> None:
    """Telegram's desktop and Apple apps hand out the same data whenever they show the page."""
    app = mini_app()
    proof = signed()
    assert await uses(app, proof) is None
    assert await uses(app, proof) is None
    assert await uses(app, proof, "203.0.113.9") is ProofProblem.USED


@pytest.mark.parametrize("seed", range(5))
async def test_the_same_data_in_another_order_is_the_same_proof(seed: int) -> None:
    app = mini_app()
    pairs = parse_qsl(signed())
    assert await uses(app, signed()) is None
    random.Random(seed).shuffle(pairs)
    assert await uses(app, urlencode(pairs), "203.0.113.9") is ProofProblem.USED


async def test_a_proof_is_good_for_a_day() -> None:
    day = 24 * 60 * 60
    assert await problem_of(signed(auth_date=str(int(NOW) - day + 60))) is None
    assert await problem_of(signed(auth_date=str(int(NOW) - day - 60))) is ProofProblem.OLD


async def test_who_is_refused_is_led_to_the_private_chat_for_a_link() -> None:
    app = mini_app()
    assert app.way(signed(), "7") == "", "the bot does not know its name yet"
    app.bot_name = "durak_bot"
    assert app.way(signed(), "7") == "https://t.me/durak_bot?start=t7"
    assert app.way(signed(start_param="8"), "7") == "https://t.me/durak_bot?start=t8"
    assert app.way("nothing", "x") == ""
    assert table_behind("t7") == 7
    assert table_behind("-100_7") is None


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"auth_date": str(int(NOW - MAX_AGE_SECONDS - 1))}, ProofProblem.OLD),
        ({"auth_date": str(int(NOW + MAX_SKEW_SECONDS + 1))}, ProofProblem.FORGED),
        ({"auth_date": "soon"}, ProofProblem.UNREADABLE),
        ({"auth_date": ""}, ProofProblem.UNREADABLE),
        ({"chat_type": "channel"}, ProofProblem.STRANGER),
        ({"user": ""}, ProofProblem.UNREADABLE),
        ({"user": "[7]"}, ProofProblem.UNREADABLE),
        ({"user": '{"id": "77"}'}, ProofProblem.UNREADABLE),
        ({"user": '{"id": -77}'}, ProofProblem.UNREADABLE),
        ({"chat": "[]"}, ProofProblem.UNREADABLE),
        ({"start_param": "here"}, ProofProblem.NO_TABLE),
        ({"start_param": "7" * 30}, ProofProblem.NO_TABLE),
    ],
)
async def test_what_is_signed_may_still_open_nothing(
    fields: Mapping[str, str], problem: ProofProblem
) -> None:
    assert await problem_of(signed(**fields)) is problem


async def test_another_bots_proof_opens_nothing() -> None:
    assert await problem_of(signed("654321:BBEwire")) is ProofProblem.FORGED


@pytest.mark.parametrize("place", range(0, len(signed()), 3))
async def test_a_proof_with_one_byte_changed_opens_nothing(place: int) -> None:
    proof = signed()
    changed = proof[:place] + ("0" if proof[place] != "0" else "1") + proof[place + 1 :]
    assert await problem_of(changed) is not None


@pytest.mark.parametrize("more", ["&user=%7B%22id%22%3A78%7D", "&auth_date=1", "&hash=0", "&x=1", "&x"])
async def test_a_proof_with_something_more_in_it_opens_nothing(more: str) -> None:
    assert await problem_of(signed() + more) is not None


async def test_bytes_that_are_no_text_are_not_repaired_into_what_was_signed() -> None:
    proof = signed(start_param="7").replace(quote("Ž"), "%C5")
    assert await problem_of(proof) is ProofProblem.FORGED


@settings(max_examples=500)
@given(st.text(max_size=200))
async def test_nothing_invented_opens_a_table(proof: str) -> None:
    assert await problem_of(proof) is not None


@settings(max_examples=500)
@given(st.permutations(parse_qsl(signed())), st.integers(0, 3), st.integers(1, 9), st.text(max_size=9))
async def test_500_proofs_made_of_what_telegram_has_signed_open_nothing(
    pairs: list[tuple[str, str]], left_out: int, place: int, text: str
) -> None:
    name, value = pairs[left_out]
    another = value[:place] + text + value[place:]
    assume(another != value)
    others = [pair for pair in pairs if pair[0] != name]
    for forged in (others, [*others, (name, another)], [*pairs, (name, another)], [(name, another), *pairs]):
        assert await problem_of(urlencode(forged)) is not None


def action_of(app: MiniApp, *, is_private: bool) -> Mapping[str, object]:
    screen = Screen((), ((ViewButton("v:7", "Open", table_id=7), CallbackButton("x", "Other")),))

    def action(table_id: int) -> Mapping[str, object] | None:
        return app.button(table_id, is_private=is_private, bot_name="durak_bot")

    keyboard = render(screen, "durak_bot", table_action=action).keyboard
    assert keyboard is not None
    return keyboard["inline_keyboard"][0][0]


def test_in_private_the_button_opens_the_page_inside_telegram() -> None:
    url = f"{PAGE}/in/telegram?table=7"
    assert action_of(mini_app(), is_private=True) == {"text": "Open", "web_app": {"url": url}}


def test_in_a_group_it_is_a_direct_link_if_the_owner_has_named_the_app() -> None:
    link = "https://t.me/durak_bot/table?startapp=7"
    assert action_of(mini_app(app="table"), is_private=False) == {"text": "Open", "url": link}


@pytest.mark.parametrize(
    ("app", "is_private"), [(mini_app("http://durak.example"), True), (mini_app(), False)]
)
def test_elsewhere_it_is_pressed_for_a_personal_link(app: MiniApp, is_private: bool) -> None:
    assert action_of(app, is_private=is_private) == {"text": "Open", "callback_data": "v:7"}
