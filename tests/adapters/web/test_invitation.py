"""Where others can open the page, and links as pictures."""

from xml.etree import ElementTree as ET

import ifaddr
import pytest

from adapters.web.refs import room_ref
from tests.adapters.contract.steps import says
from tests.adapters.web.client import Company, Visitor
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import DRAWN, posted, posted_privately

PUBLIC = "https://durak.example"


async def addresses(visitor: Visitor, **headers: str) -> list[str]:
    async with visitor.session.get(f"{visitor.url}/addresses", headers=visitor.headers | headers) as response:
        assert response.status == 200
        found: list[str] = (await response.json())["addresses"]
        return found


async def test_a_page_for_this_machine_alone_can_be_opened_nowhere_else(anna: Visitor) -> None:
    assert await addresses(anna) == []


async def test_a_page_for_everybody_knows_the_addresses_of_its_machine(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    def address(ip: str) -> ifaddr.IP:
        notation = ip if "." in ip else (ip, 0, 0)
        return ifaddr.IP(notation, 24, "eth0")

    def adapter(*ips: str) -> ifaddr.Adapter:
        return ifaddr.Adapter("eth0", "eth0", [address(ip) for ip in ips])

    monkeypatch.setattr(
        ifaddr,
        "get_adapters",
        lambda: [adapter("127.0.0.1", "::1"), adapter("fd00::7", "192.168.1.7", "fe80::1")],
    )

    async with web_site(host="0.0.0.0") as site:
        anna = await company.newcomer(site.url, "Anna")
        assert await addresses(anna, Host="localhost:8080") == [
            "http://192.168.1.7:8080",
            "http://[fd00::7]:8080",
        ]
        assert (await addresses(anna, Host="192.168.1.9"))[0] == "http://192.168.1.9"


async def test_behind_a_proxy_the_public_address_is_the_only_one(company: Company) -> None:
    async with web_site(host="0.0.0.0", public_url=PUBLIC) as site:
        anna = await company.newcomer(site.url, "Anna")
        assert await addresses(anna) == [PUBLIC]


async def test_strangers_learn_nothing_of_the_machine(site: Site, company: Company) -> None:
    async with company.session.get(f"{site.url}/addresses") as response:
        assert response.status == 401


async def test_a_link_becomes_a_picture(anna: Visitor) -> None:
    async with anna.session.post(
        f"{anna.url}/qr-code", json={"link": anna.url + "#" + anna.secret}, headers=anna.headers
    ) as response:
        assert (response.status, response.content_type) == (200, "image/svg+xml")
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        drawn = await response.text()

    assert ET.fromstring(drawn).tag.endswith("svg")
    assert "style" not in drawn

    for link in ("", "x" * 401):
        status, answer = await anna.send("qr-code", {"link": link})
        assert (status, answer["error"]) == (400, "That isn't a link to this page.")


async def test_who_shows_no_secret_reads_what_everybody_reads(
    site: Site, company: Company, anna: Visitor
) -> None:
    for private in (False, True):
        await (posted_privately(site, "Anna", DRAWN) if private else posted(site, DRAWN))

    for message in (
        *await site.store.history("main", None, 1),
        *await site.store.history("main", anna.id, 1),
    ):
        address = f"{site.url}/files/{message.id}/{message.content['picture']['digest']}"
        async with company.session.get(address) as response:
            assert response.status == (200 if message.guest is None else 404)


async def test_a_stream_is_in_the_language_that_the_page_names(site: Site, company: Company) -> None:
    eve = Visitor(company.session, site.url)
    sent = {**eve.headers, "Accept-Language": "C"}
    async with company.session.ws_connect(f"{site.url}/stream?language=de", headers=sent) as stream:
        await stream.send_json({"looks": True})
        await stream.receive_json()
        assert site.adapter.languages_in(room_ref("main")) == {"de"}


async def test_a_spectator_s_stream_is_that_of_everybody(site: Site, company: Company, anna: Visitor) -> None:
    await posted_privately(site, "Anna", says("for Anna"))
    await posted(site, says("for all"))
    eve = Visitor(company.session, site.url)
    async with company.session.ws_connect(f"{site.url}/stream", headers=eve.headers) as stream:
        await stream.send_json({"looks": True})
        everything = await stream.receive_json()
        assert everything["you"] == {"id": "", "name": "", "owner": False}
        assert [message["private"] for message in everything["messages"]] == [False]
        assert (await stream.receive_json())["people"] == [{"id": anna.id, "name": "Anna"}]

        await posted_privately(site, "Anna", says("for Anna, too"))
        await posted(site, says("for all again"))
        assert "for all again" in (await stream.receive_str())

    for what, body in (("lines", {"text": "hi"}), ("presses", {"token": "t", "message": "1"})):
        async with company.session.post(
            f"{site.url}/{what}", json=body, headers={"Origin": eve.headers["Origin"]}
        ) as no:
            assert no.status == 401
