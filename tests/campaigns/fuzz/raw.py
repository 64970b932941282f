"""Fuzzed bytes for a socket: HTTP requests that are cut, doubled, flipped, glued together or far too long."""

from random import Random

from tests.campaigns.fuzz.values import BYTE_MUTATIONS, mutate_bytes

MOVE = b'{"type":"play","card":"AS"}'
LOGIN = b'{"name":"fay","password":"wrong-horse"}'


def _post(path: bytes, body: bytes, *headers: bytes) -> bytes:
    lines = (b"POST " + path + b" HTTP/1.1", b"Host: x", b"Content-Type: application/json", *headers,
             b"Content-Length: %d" % len(body))  # fmt: skip
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _get(path: bytes, *headers: bytes, version: bytes = b"HTTP/1.1") -> bytes:
    return b"\r\n".join((b"GET " + path + b" " + version, b"Host: x", *headers)) + b"\r\n\r\n"


WHOLE = (
    _get(b"/"), _get(b"/health/live"), _get(b"/api/v1/games/1"), _get(b"/api/v1/games?limit=500"),
    _get(b"/api/v1/games/1/audit", b"Accept: text/plain"), _get(b"/api/v1/games/1", version=b"HTTP/1.0"),
    _get(b"/api/v1/games/1/events", b"Accept: text/event-stream"), _get(b"http://x/api/v1/variants"),
    _get(b"/api/v1/variants", b"Connection: close"), _post(b"/api/v1/games/1/moves", MOVE),
    _post(b"/api/v1/tokens", LOGIN), _post(b"/api/v1/games/1/moves", MOVE, b"Expect: 100-continue"),
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n",
)  # fmt: skip
STRANGE = (
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + b"\0" * 500,
    b"\r\n" * 300,
    b"GET /\r\n\r\n", b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", b"GET  / HTTP/1.1\r\n\r\n",
    b"PROXY TCP4 1.1.1.1 1.1.1.1 1 1\r\n",
    b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", b"\0" * 2_000,
    b"SSH-2.0-x\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: \xff\r\n\r\n", b"GET / HTTP/1.1\nHost: x\n\n", b"G" * 70_000,
    b"*1\r\n$4\r\nPING\r\n",
)  # fmt: skip
LENGTHS = (
    b"0", b"1", b"5", b"99999", b"-1", b"+5", b"0x5", b"5, 5", b"5, 6", b"9" * 30, b"", b"5 5", b"1e3", b"65536",
    b"4294967297",
)  # fmt: skip
CHUNKED = (
    b"0\r\n\r\n", b"5\r\nhello\r\n0\r\n\r\n", b"5\r\nhel", b"ffffffffffffffff\r\n", b"-1\r\n",
    b"5;x=" + b"y" * 9_000 + b"\r\nhello\r\n",
    b"zz\r\n", b"0\r\nX: y\r\n\r\n", b"1\r\na\r\n" * 2_000 + b"0\r\n\r\n",
)  # fmt: skip


def raw_case(seed: int, number: int) -> bytes:
    """Return the bytes of one case; they are the same in every run."""
    chance = Random(f"raw {seed} {number}")
    whole = chance.choice(WHOLE)
    kind = chance.randrange(10)
    if kind < 4:
        return mutate_bytes(whole, chance)
    if kind == 4:
        return b"".join(chance.choices(WHOLE, k=chance.randint(2, 6)))
    if kind == 5:
        return mutate_bytes(b"".join(chance.choices(WHOLE, k=2)), chance)
    return (_wrong_length, _transfer_encoded, _huge, _strange)[kind - 6](chance)


def _wrong_length(chance: Random) -> bytes:
    lengths = b"".join(b"Content-Length: " + chance.choice(LENGTHS) + b"\r\n" for _ in range(chance.choice((1, 1, 2))))
    head = b"POST /api/v1/games/1/moves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return head + lengths + b"\r\n" + MOVE * chance.randint(0, 3)


def _transfer_encoded(chance: Random) -> bytes:
    coding = chance.choice(
        (b"chunked", b"gzip, chunked", b"chunked, identity", b"xchunked", b"chunked\0", b"\tchunked")
    )
    also = chance.choice((b"", b"", b"Content-Length: 5\r\n"))
    head = b"POST /api/v1/games/1/moves HTTP/1.1\r\nHost: x\r\n" + also + b"Transfer-Encoding: " + coding + b"\r\n\r\n"
    return head + chance.choice(CHUNKED)


def _huge(chance: Random) -> bytes:
    size = chance.choice((9_000, 33_000, 66_000, 300_000))
    return chance.choice((
        _get(b"/" + b"x" * size), _get(b"/", b"X: " + b"x" * size), _get(b"/",
        *[b"X%d: y" % n for n in range(size // 8)]),
        _get(b"/?" + b"&" * size), _post(b"/api/v1/games", b"{" * size), _get(b"/",
        b"Cookie: " + b"a=b;" * (size // 4)),
        _get(b"/", b"x" * size + b": y"), b"GET " * size,
    ))  # fmt: skip


def _strange(chance: Random) -> bytes:
    found = chance.choice(STRANGE) if chance.random() < 0.7 else chance.randbytes(chance.randint(1, 3_000))
    return chance.choice(BYTE_MUTATIONS)(found, chance) if chance.random() < 0.4 else found
