"""The files of the page: sent compressed, and once."""

import gzip
import json
import re
from typing import Any

import pytest

from adapters.web.server import PAGE, PAGE_FILES, page_file, version
from tests.adapters.web.client import Company
from tests.adapters.web.site import Site

MAX_BYTES = 170_000  # of the whole page in all languages, as it is sent
FILES = {*PAGE_FILES, *(path.name for path in PAGE.glob("*.html"))}


NAMED_SCRIPT = r'<(?:script|link)\b[^>]*"/page/\w{12}/([\w-]+\.js)"'


def html_of(page: str) -> str:
    return gzip.decompress(page_file(PAGE / page).content).decode()


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'id="texts">(.*?)</script>', html)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_whole_page_is_small_as_it_is_sent() -> None:
    assert sum(len(page_file(PAGE / name).content) for name in FILES) < MAX_BYTES
    assert {path.name for path in PAGE.iterdir()} == FILES


@pytest.mark.parametrize("path", ["r/main", "page/main.js", "page/icon-192.png", "page/durak.webmanifest"])
async def test_a_file_is_sent_compressed_and_only_when_it_changed(
    site: Site, company: Company, path: str
) -> None:
    address = f"{site.url.removesuffix('r/main')}{path}"
    async with company.session.get(address, headers={"Accept-Encoding": "gzip"}) as response:
        content = await response.read()
        tag = response.headers["ETag"]
        assert response.headers.get("Content-Encoding") == (None if path.endswith("png") else "gzip")
        assert response.headers["Cache-Control"] == "no-cache"

    async with company.session.get(address, headers={"Accept-Encoding": "identity"}) as response:
        assert "Content-Encoding" not in response.headers
        assert await response.read() == content

    async with company.session.get(address, headers={"If-None-Match": tag}) as response:
        assert (response.status, await response.read()) == (304, b"")


def test_a_browser_learns_of_all_scripts_at_once_and_first_of_those_of_the_door() -> None:
    door, room = (re.findall(NAMED_SCRIPT, part) for part in html_of("index.html").split("<template"))
    assert {"main.js", "notices.js", "texts.js"} <= set(door)
    assert {"room.js", "live.js", "moves.js"} <= set(room)
    assert not set(door) & set(room)


@pytest.mark.parametrize("page", ["game.html", "index.html", "lost.html", "offline.html", "results.html"])
def test_a_page_names_all_scripts_that_its_own_import(page: str) -> None:
    named = re.findall(NAMED_SCRIPT, html_of(page))
    assert len(named) == len(set(named))
    for name in named:
        imported = re.findall(r'^(?:import|\}) .*"\./([^"]+)";$', (PAGE / name).read_text(), re.MULTILINE)
        assert set(imported) <= set(named)


async def test_a_page_holds_its_sentences_in_the_reader_s_language(site: Site, company: Company) -> None:
    german = {"Accept-Language": "de-AT"}
    async with company.session.get(site.url, headers=german) as response:
        found = data_of(await response.text())
        assert "Cookie" in response.headers["Vary"]

    assert found["language"] == "de"
    assert found["texts"]["Come in"] == "Reinkommen"

    async with company.session.get(site.url, headers={**german, "Cookie": "durak-language=ru"}) as response:
        assert data_of(await response.text())["language"] == "ru"


def test_no_sentence_ends_the_data_of_a_page() -> None:
    texts = json.dumps({"texts": {"Come in": "</script><script>"}})
    html = gzip.decompress(page_file(PAGE / "index.html", texts).content).decode()
    assert data_of(html) == json.loads(texts)


async def test_what_a_page_names_is_kept_for_good_until_a_new_version(site: Site, company: Company) -> None:
    home = site.url.removesuffix("r/main")
    async with company.session.get(site.url) as response:
        named = set(re.findall(r'"(/page/[^"]+)"', await response.text()))

    assert {f"/page/{version()}/main.js", "/page/durak.webmanifest"} <= named
    for path in named:
        async with company.session.get(home.rstrip("/") + path) as response:
            assert response.status == 200
            is_for_good = "immutable" in response.headers["Cache-Control"]
            assert is_for_good is (path != "/page/durak.webmanifest")

    async with company.session.get(f"{home}page/{'0' * 12}/main.js") as response:
        assert response.headers["Cache-Control"] == "no-cache"


def test_the_manifest_names_icons_that_are_there() -> None:
    manifest = json.loads((PAGE / "durak.webmanifest").read_text())
    icons = [icon["src"].removeprefix("/page/") for icon in manifest["icons"]]
    assert set(icons) <= set(PAGE_FILES)
    assert {icon["sizes"] for icon in manifest["icons"]} == {"any", "192x192", "512x512"}


async def test_one_script_may_care_for_all_rooms_and_no_other(site: Site, company: Company) -> None:
    for name in PAGE_FILES:
        async with company.session.get(f"{site.url.removesuffix('r/main')}page/{name}") as response:
            assert ("Service-Worker-Allowed" in response.headers) is (name == "worker.js")


def test_no_two_pages_have_a_script_in_common_unless_all_are() -> None:
    """Rejects scripts shared by two pages, which their bundles would contain twice."""
    pages = [re.findall(r'"/page/([\w-]+\.js)"', path.read_text()) for path in PAGE.glob("*.html")]
    for one in map(set, pages):
        assert all(one == set(other) or not one & set(other) for other in pages)
