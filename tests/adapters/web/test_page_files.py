"""The files of the page: sent compressed, and once."""

import json
import re
from typing import Any

import brotli
import pytest

from adapters.web.server import PAGE, PAGE_FILES, page_file, version
from tests.adapters.web.client import Company
from tests.adapters.web.site import Site

MAX_BYTES = 84_700  # of what a browser fetches before it shows the room, without the heads of its requests
FILES = {*PAGE_FILES, *(path.name for path in PAGE.glob("*.html"))}


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'id="texts">(.*?)</script>', html)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


async def test_what_the_room_needs_is_small_as_it_is_sent(site: Site, company: Company) -> None:
    async with company.session.get(site.url) as response:
        html = await response.text()

    named = {name for name in re.findall(r'"/page/\w{12}/([^"]+)"', html) if not name.endswith("png")}
    assert {"main.js", "room.js", "room.css"} <= named
    assert len(named) == 5

    sent = [page_file(PAGE / name).compressed["br"] for name in named]
    assert len(brotli.compress(html.encode())) + sum(map(len, sent)) < MAX_BYTES


def test_all_that_the_page_s_folder_has_is_served() -> None:
    """Fails for a script or a style that nothing names."""
    parts = {path.name for path in PAGE.iterdir()} - FILES
    modules = {name for name in parts if name.endswith(".js") and name != "first.js"}
    styles = {name for name in parts if name.endswith(".css")}
    assert parts == {"first.js", *modules, *styles}

    sources = [path.read_text("utf-8") for path in PAGE.iterdir() if path.suffix in {".html", ".js"}]
    for name in modules:
        assert any(f'from "./{name}"' in source for source in sources)
    for name in styles:
        assert any(f'"/page/{name}"' in source for source in sources)


@pytest.mark.parametrize("path", ["r/main", "page/main.js", "page/icon-192.png", "page/durak.webmanifest"])
async def test_a_file_is_sent_compressed_and_only_when_it_changed(
    site: Site, company: Company, path: str
) -> None:
    address = f"{site.url.removesuffix('r/main')}{path}"
    content, tag = b"", ""
    for accepted, encoding in (("gzip, deflate, br", "br"), ("gzip", "gzip")):
        async with company.session.get(address, headers={"Accept-Encoding": accepted}) as response:
            content = await response.read()
            tag = response.headers["ETag"]
            assert response.headers.get("Content-Encoding") == (None if path.endswith("png") else encoding)
            assert response.headers["Cache-Control"] == "no-cache"

    async with company.session.get(address, headers={"Accept-Encoding": "identity"}) as response:
        assert "Content-Encoding" not in response.headers
        assert await response.read() == content

    async with company.session.get(address, headers={"If-None-Match": tag}) as response:
        assert (response.status, await response.read()) == (304, b"")


async def test_a_page_holds_its_sentences_in_the_reader_s_language(site: Site, company: Company) -> None:
    german = {"Accept-Language": "de-AT"}
    async with company.session.get(site.url, headers=german) as response:
        found = data_of(await response.text())
        assert "Cookie" in response.headers["Vary"]

    assert found["language"] == "de"
    assert found["texts"]["Come in"] == "Eintreten"

    async with company.session.get(site.url, headers={**german, "Cookie": "durak-language=ru"}) as response:
        assert data_of(await response.text())["language"] == "ru"


def test_no_sentence_ends_the_data_of_a_page() -> None:
    texts = json.dumps({"texts": {"Come in": "</script><script>"}})
    html = page_file(PAGE / "index.html", texts).content.decode()
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
