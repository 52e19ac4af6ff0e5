"""The pages around the rooms, as facts: results, statistics and finished games."""

from typing import Any

import pytest

from adapters.web.request_guard import MOVES_FORGOTTEN
from tests.adapters.web.client import Company, Visitor
from tests.adapters.web.pages import SECRET
from tests.adapters.web.site import Site


async def facts(company: Company, site: Site, what: str, **headers: str) -> tuple[int, Any]:
    address = f"{site.url.removesuffix('r/main')}facts/{what}"
    async with company.session.get(address, headers=headers) as response:
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        return response.status, await response.json()


async def test_results_of_a_period_are_told_to_whoever_looks(site: Site, company: Company) -> None:
    status, results = await facts(company, site, "results?period=all")
    assert status == 200

    assert [(result["name"], result["fools"], result["games"]) for result in results["best"]] == [
        ("Anna", 1, 9),
        ("Boris", 5, 9),
        ("Clara", 0, 1),
    ]
    assert [result["name"] for result in results["fools"]] == ["Boris", "Anna"]
    assert [(game["id"], game["losers"]) for game in results["games"]] == [("7-2", [1])]
    assert (await facts(company, site, "results?period=week"))[1]["best"] == []


async def test_somebody_s_statistics_are_told_and_nobody_s_are_not(site: Site, company: Company) -> None:
    status, player = await facts(company, site, "players/a0")
    assert status == 200
    assert player["name"] == "Anna"
    assert player["figures"] == [{"value": "9", "label": "Games", "hint": ""}]
    assert player["text"] == [{"text": "fool 1 in 9 games", "mark": "plain"}]
    status, answer = await facts(company, site, "players/b0")
    assert (status, answer["error"]) == (404, "Nobody here has this address.")


async def test_a_finished_game_is_told_step_by_step_and_a_review_to_its_reader_alone(
    site: Site, company: Company, anna: Visitor
) -> None:
    status, game = await facts(company, site, "games/7-2")
    assert status == 200
    assert [step["hands"] for step in game["steps"]] == [
        [["6S", "TH"], ["7D"]],
        [["TH"], ["7D"]],
        [[], ["7D"]],
    ]
    assert [check["holds"] for check in game["checks"]] == [True, False]
    assert not any(step["mark"] for step in game["steps"])

    _, own = await facts(company, site, "games/7-2", Authorization=f"Bearer {anna.secret}")
    assert [bool(step["mark"]) for step in own["steps"]] == [False, True, False]

    status, _ = await facts(company, site, "games/7-2", Authorization="Bearer unknown")
    assert status == 401


async def test_a_link_with_a_secret_leads_a_stranger_to_a_game_of_another_chat(
    site: Site, company: Company
) -> None:
    status, game = await facts(company, site, f"games/8-1-{SECRET}")
    assert (status, len(game["steps"])) == (200, 3)
    assert (await facts(company, site, "games/8-1"))[0] == 404
    assert (await facts(company, site, f"games/8-1-{SECRET[::-1]}"))[0] == 404
    async with company.session.get(f"{site.url.removesuffix('r/main')}games/8-1-{SECRET}") as page:
        assert page.status == 200


async def test_there_is_no_other_game(site: Site, company: Company) -> None:
    assert (await facts(company, site, "games/7-1"))[0] == 404


async def test_a_game_whose_moves_are_gone_is_said_to_be_no_more(site: Site, company: Company) -> None:
    status, answer = await facts(company, site, "games/9-1")
    assert (status, answer["error"]) == (410, MOVES_FORGOTTEN)


@pytest.mark.parametrize(
    "path", ["games/7", "games/7-x", "games/7-2-1", "facts/games/-1-1", "facts/players/%2e%2e"]
)
async def test_an_address_that_cannot_be_one_leads_nowhere(site: Site, company: Company, path: str) -> None:
    async with company.session.get(f"{site.url.removesuffix('r/main')}{path}") as response:
        assert response.status == 404


async def test_nobody_asks_too_much(site: Site, company: Company) -> None:
    site.monotonic = 0.0
    asked = [(await facts(company, site, "games/7-2"))[0] for _ in range(31)]
    assert asked == [200] * 30 + [429]
