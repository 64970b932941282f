"""URLs that would lead a webhook to this machine or a private network: none is reached, which a listener shows."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

import pytest

from api.inbox.services.guarded_post import (
    BadUrl,
    GuardedPoster,
    NotSent,
    WebhookTarget,
    is_own,
    is_public,
    parse_url,
    resolve_host,
)
from tests.inbox.receivers import HOST, Trap, guarded_poster, open_receiver, open_trap

NAMES = {
    "loop.cards.net": ["127.0.0.1"],
    "loop6.cards.net": ["::1"],
    "both.cards.net": ["8.8.8.8", "127.0.0.1"],
    "both6.cards.net": ["2606:4700:4700::1111", "::1"],
    "mapped.cards.net": ["::ffff:127.0.0.1"],
    "nat64.cards.net": ["64:ff9b::7f00:1"],
    "sixtofour.cards.net": ["2002:7f00:1::1"],
    "teredo.cards.net": ["2001:0:7f00:1::1"],
    "compatible.cards.net": ["::127.0.0.1"],
    "any.cards.net": ["0.0.0.0"],
    "any6.cards.net": ["::"],
    "link.cards.net": ["169.254.169.254"],
    "link6.cards.net": ["fe80::1%1"],
    "site6.cards.net": ["fec0::1"],
    "unique6.cards.net": ["fd00:ec2::254"],
    "shared.cards.net": ["100.64.0.1"],
    "broadcast.cards.net": ["255.255.255.255"],
    "multicast6.cards.net": ["ff02::1"],
    "sixtofour2.cards.net": ["2002:a9fe:a9fe::"],
    "nat64local.cards.net": ["64:ff9b:1::a00:1"],
    "translated.cards.net": ["::ffff:0:7f00:1"],
    "benchmark6.cards.net": ["2001:2::1"],
    "scoped6.cards.net": ["2606:4700:4700::1111%1"],
    "this.cards.net": ["0.1.2.3"],
    "benchmark.cards.net": ["198.18.0.1"],
    "many.cards.net": ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "10.0.0.1"],
    "nothing.cards.net": [],
}
"""The answers of a hostile DNS server."""
HOSTILE = [
    "https://127.0.0.1:{port}/", "https://127.1:{port}/", "https://127.9.9.9:{port}/", "https://2130706433:{port}/",
    "https://0x7f000001:{port}/", "https://0x7f.1:{port}/", "https://0177.0.0.1:{port}/", "https://0:{port}/",
    "https://0.0.0.0:{port}/", "https://localhost:{port}/", "https://LOCALHOST:{port}/", "https://localhost.:{port}/",
    "https://bot.localhost:{port}/", "https://[::1]:{port}/", "https://[::]:{port}/",
    "https://[::ffff:127.0.0.1]:{port}/", "https://[::ffff:7f00:1]:{port}/", "https://[0:0:0:0:0:ffff:7f00:0001]:{port}/",
    "https://[64:ff9b::7f00:1]:{port}/", "https://[2002:7f00:1::]:{port}/", "https://[fe80::1%25lo]:{port}/",
    "https://10.0.0.1:{port}/", "https://172.16.0.1:{port}/", "https://192.168.0.1:{port}/",
    "https://169.254.169.254:{port}/latest/meta-data", "https://100.100.100.200:{port}/",
    "https://metadata.google.internal:{port}/", "http://127.0.0.1:{port}/", "http://cards.net:{port}/",
    "file:///etc/passwd", "gopher://127.0.0.1:{port}/_x", "https:127.0.0.1:{port}", "//127.0.0.1:{port}/",
    "https://cards.net@127.0.0.1:{port}/", "https://127.0.0.1:{port}#@cards.net/", "https://cards.net\\@127.0.0.1:{port}/",
    "https://127.0.0.1:{port}\\.cards.net/", "https://127.0.0.1%00.cards.net:{port}/", "https://%31%32%37.0.0.1:{port}/",
    "https://①②⑦.⓪.⓪.①:{port}/", "https://127。0。0。1:{port}/", "https://cards.net:{port}\r\nHost: 127.0.0.1/",
    "https://cards.net\t@127.0.0.1:{port}/", " https://127.0.0.1:{port}/", "https://:{port}/", "https://[127.0.0.1]:{port}/",
    "https://[8.8.8.8]:{port}/", "https://[::1]cards.net:{port}/", "https://[2606:4700::1]127.0.0.1:{port}/",
    "https://127.0.0.1.:{port}/", "https://0177.0x0.0.1:{port}/", "https://127.0.0.1:{port}:443/", "https://0x7f000001.:{port}/",
    "https://cards.net:+{port}/", "https://cards.net:{port}@127.0.0.1/", "https://\uff43ards.net:{port}/", "https://[::1]:{port}@cards.net/",
    "https://[v1.127.0.0.1]:{port}/", "https://[::127.0.0.1]:{port}/", "https://intranet:{port}/", "https://cards_net.net:{port}/",
    "https://-x.cards.net:{port}/", "https://metadata.local:{port}/", "https://cards.net;@127.0.0.1:{port}/",
    "https://cards.net:22/", "https://cards.net:0/", "https://cards.net:99999/",
    *(f"https://{name}:{{port}}/" for name in NAMES),
]  # fmt: skip


def resolve(host: str, port: int) -> list[str]:
    """Answer as the hostile DNS server, or as this machine does for other names and forms of addresses."""
    return NAMES[host] if host in NAMES else resolve_host(host, port)


@pytest.fixture
def trap() -> Iterator[Trap]:
    """A listener on every address of this machine."""
    with open_trap("0.0.0.0", "::") as opened:
        yield opened


def attempt(poster: GuardedPoster, url: str) -> str:
    """Send to a URL as the worker does, and return why that failed."""
    with pytest.raises((BadUrl, NotSent)) as refused:
        poster.post(parse_url(url), b"{}", {})
    return str(refused.value)


def test_no_hostile_url_reaches_this_machine_or_a_private_network(trap: Trap) -> None:
    connected = list[object]()
    connect = socket.create_connection

    def note(address: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(address)
        return connect(address, timeout)

    assert len(HOSTILE) >= 40
    with closing(GuardedPoster(resolve=resolve)) as poster, pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "create_connection", note)
        for url in HOSTILE:
            assert attempt(poster, url.format(port=trap.port))
    assert (connected, trap.visitors) == ([], [])


def own_address() -> str | None:
    """Return an address of this machine that isn't loopback, if there is one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return None


def test_an_address_of_this_machine_is_not_reached_even_if_it_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.inbox.services.guarded_post.is_public", lambda _: True)
    addresses = [address for address in ("127.0.0.1", own_address()) if address is not None]
    with open_trap("0.0.0.0") as trap, closing(GuardedPoster(resolve=lambda host, _: [host.split("x")[1]])) as poster:
        for address in addresses:
            assert is_own(address)
            target = WebhookTarget(f"x{address}x", trap.port, "/")
            with pytest.raises(NotSent, match="isn't public"):
                poster.post(target, b"{}", {})
        assert trap.visitors == []
    assert not is_own("8.8.8.8")
    assert not is_own("2606:4700:4700::1111")


def test_nobody_learns_which_names_a_network_has_inside() -> None:
    with closing(GuardedPoster(resolve=resolve)) as poster:
        said = {attempt(poster, f"https://{name}.cards.net/") for name in ("nothing", "loop", "unknown-name")}
    assert len(said) == 1


def test_a_host_with_an_address_that_does_not_answer_is_reached_at_another(tmp_path: Path) -> None:
    with socket.socket() as full, open_receiver(tmp_path) as receiver:
        full.bind(("127.0.0.2", receiver.port))
        full.listen(0)
        waiting = [socket.socket() for _ in range(3)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(("127.0.0.2", receiver.port))
        opened = GuardedPoster(4, lambda *_: ["127.0.0.2", "127.0.0.1"], lambda _: True, receiver.context, 4.0)
        with closing(opened) as poster:
            assert poster.post(parse_url(receiver.url), b"{}", {}) == 204
        for each in waiting:
            each.close()


def test_the_listener_would_notice_a_connection(trap: Trap) -> None:
    with closing(GuardedPoster(resolve=resolve, is_allowed=lambda _: True)) as poster:
        for name in ("loop.cards.net", "mapped.cards.net"):
            assert "connection" in attempt(poster, f"https://{name}:{trap.port}/")
    assert len(trap.visitors) == 2


def test_a_name_that_changes_after_the_check_changes_nothing() -> None:
    asked = list[str]()

    def rebind(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.2"] if len(asked) == 1 else ["127.0.0.1"]

    with (
        open_trap("127.0.0.1") as trap,
        closing(GuardedPoster(resolve=rebind, is_allowed=lambda address: address == "127.0.0.2")) as poster,
    ):
        assert attempt(poster, f"https://rebind.cards.net:{trap.port}/") == "the connection failed"
        assert (asked, trap.visitors) == (["rebind.cards.net"], [])
        assert "isn't public" in attempt(poster, f"https://rebind.cards.net:{trap.port}/")
        assert trap.visitors == []


def test_redirects_are_not_followed(tmp_path: Path) -> None:
    statuses = [301, 302, 303, 307, 308]
    with open_receiver(tmp_path) as receiver, open_trap("127.0.0.1") as trap:
        receiver.answers, receiver.location = [*statuses], f"https://127.0.0.1:{trap.port}/"
        with closing(guarded_poster(receiver.context)) as poster:
            assert [poster.post(parse_url(receiver.url), b"{}", {}) for _ in statuses] == statuses
        assert (len(receiver.messages), trap.visitors) == (len(statuses), [])


def test_a_receiver_needs_a_certificate_for_its_name(tmp_path: Path) -> None:
    with open_receiver(tmp_path) as receiver:
        for context, host in ((None, HOST), (receiver.context, "other.cards.net")):
            with closing(guarded_poster(context)) as poster:
                assert "TLS" in attempt(poster, f"https://{host}:{receiver.port}/")
        assert receiver.messages == []


def test_a_receiver_that_answers_slowly_is_cut_off() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    held = list[socket.socket]()
    thread = threading.Thread(target=lambda: held.append(listener.accept()[0]), daemon=True)
    thread.start()
    begun = monotonic()
    with closing(guarded_poster(timeout_s=0.3)) as poster:
        assert attempt(poster, f"https://{HOST}:{listener.getsockname()[1]}/")
    assert monotonic() - begun < 10
    thread.join()
    for each in (*held, listener):
        each.close()


def test_addresses_of_the_internet_are_public_and_plain_urls_accepted() -> None:
    for address in ("8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.1.1", "2606:4700:4700::1111"):
        assert is_public(address)
    for url in ("https://bot.cards.net/inbox?x=1", "https://bot.cards.net:8443", "https://8.8.8.8/"):
        assert parse_url(url).path.startswith("/")
