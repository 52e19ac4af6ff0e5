"""Settings that expose more than the owner may expect are reported."""

from ipaddress import IPv4Address, ip_network
from pathlib import Path

import pytest
from pydantic_core import Url

from bot.process.exposure import exposed_cluster, gateway_of_container, lacking_proxy

ORIGIN = "https://durak.example"
GATEWAY = IPv4Address("172.18.0.1")
ROUTES = """Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask
eth0\t000012AC\t00000000\t0001\t0\t0\t0\t0000FFFF
eth0\t00000000\t010012AC\t0003\t0\t0\t0\t00000000
"""


def test_requests_reach_a_container_from_its_gateway(tmp_path: Path) -> None:
    mark = tmp_path / ".dockerenv"
    routes = tmp_path / "route"
    routes.write_text(ROUTES)
    assert gateway_of_container([mark], routes) is None, "outside of one there is no such thing"
    mark.touch()
    assert gateway_of_container([mark], routes) == IPv4Address("172.18.0.1")
    assert gateway_of_container([mark], tmp_path / "none") is None


def test_a_proxy_behind_the_gateway_has_to_be_trusted() -> None:
    assert str(GATEWAY) in lacking_proxy(ORIGIN, (), GATEWAY)
    assert str(GATEWAY) in lacking_proxy(ORIGIN, (ip_network("172.17.0.0/16"),), GATEWAY)
    assert lacking_proxy(ORIGIN, (ip_network("172.18.0.0/16"),), GATEWAY) == ""
    assert lacking_proxy("", (), GATEWAY) == "", "no proxy is expected"
    assert lacking_proxy(ORIGIN, (), None) == ""


@pytest.mark.parametrize(
    ("address", "is_exposed"),
    [
        ("tcp://8.8.8.8:8786", True),
        ("tcp://[2001:4860:4860::8888]:8786", True),
        ("tls://8.8.8.8:8786", False),
        ("tcp://10.1.2.3:8786", False),
        ("tcp://127.0.0.1:8786", False),
        ("tcp://no-such-host.invalid:8786", False),
    ],
)
def test_thoughts_do_not_travel_openly_beyond_a_private_network(address: str, *, is_exposed: bool) -> None:
    assert ("tls://" in exposed_cluster(Url(address))) is is_exposed


def test_without_a_cluster_nothing_is_exposed() -> None:
    assert exposed_cluster(None) == ""
