"""Attacks on parsers: long headers, addresses, bodies and texts that a bad parser reads for seconds."""

import importlib
import pkgutil
import re
import sys
import time
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.app import API, bare_app
from api.config import Config
from api.web.application import MAX_ADDRESS_BYTES, MAX_BYTES, MAX_OTHER_BYTES
from tests.attacks.running import Target, problem_type, routes
from tests.layout.product import PACKAGES

KIB = 1024
HANGS_S = 0.5
PARSED_S = 3.0
"""Bounds of processor time, which doesn't depend on what else the machine does."""
UNITS = [
    " ", "\t", ";", ",", '"', "\\", "=", "q=", ";q=", ";q=0.1,", "a/b,", "a;", '"a",', "a=b;", "%zz", "[", ":", "*1",
]  # fmt: skip
PARSED = [*MAX_BYTES, "cookie", "idempotency-key", "x-request-id", "user-agent"]
LENGTHS_OF_OTHERS = {"transfer-encoding", "content-length", "expect", "host"}
"""Headers that the server itself reads. `tests/api/http/test_wire.py` sends it invalid ones."""


def fill(unit: str, size: int) -> str:
    """Return a value of `size` characters that begins and ends with a letter."""
    return ("a" + unit * size)[: size - 1] + "b"


def ask_quickly(target: Target, path: str, headers: dict[str, str]) -> TestResponse:
    """Return the answer, and check that the server needs little processor time for it."""
    began = time.process_time()
    answer = target.send("GET", path, headers)
    assert time.process_time() - began < HANGS_S, (path[:60], sorted(headers))
    return answer


def test_attack_109_a_long_accept_is_refused_on_every_route_before_it_is_parsed(target: Target) -> None:
    for path in set(routes("GET")) - {"/health/live"}:  # answered without reading any header
        for size in (8 * KIB, 63 * KIB):
            answer = ask_quickly(target, path, {"Accept": fill(" ", size)})
            assert (answer.status_code, problem_type(answer)) == (431, "headers-too-large"), path


@pytest.mark.parametrize("path", ["/api/v1/exports/games", "/api/v1/games/1/seats/0"])
def test_attack_109_no_header_keeps_the_server_busy(target: Target, path: str) -> None:
    for name in sorted(set(PARSED) - LENGTHS_OF_OTHERS):
        for unit in UNITS:
            answer = ask_quickly(target, path, {name: fill(unit, 30 * KIB)})
            assert answer.status_code in range(200, 500), (name, unit, answer.data)


def test_attack_109_an_accept_of_256_bytes_is_read(target: Target) -> None:
    for path in ("/api/v1/games/1/receipt", "/api/v1/games/1/events"):
        answer = target.send("GET", path, {"Accept": "text/html" + ";q=0.1," + "*/*;q=0.5".rjust(240)})
        assert answer.status_code in {200, 404}
        assert target.send("GET", path, {"Accept": "a/b," * 64}).status_code == 406
        assert target.send("GET", path, {"Accept": "a/b," * 64 + "c"}).status_code == 431


def test_attack_109_an_oversized_header_of_a_proxy_is_removed_before_it_is_parsed() -> None:
    client = bare_app(Config(trusted_proxies=2)).test_client()
    for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded"):
        answer = client.get("/nowhere", headers={name: fill(",", 60 * KIB)})
        assert (answer.status_code, answer.get_json(force=True)["type"]) == (431, "/problems/headers-too-large")
        assert client.get("/nowhere", headers={name: "192.0.2.1, 192.0.2.2"}).status_code == 404


def test_the_sizes_of_one_name_add_up_whatever_its_case() -> None:
    client = bare_app(Config()).test_client()
    assert client.get("/nowhere", headers=[("Accept", "a" * 256), ("Cookie", "c" * MAX_OTHER_BYTES)]).status_code == 404
    answer = client.get("/nowhere", headers=[("Cookie", "a"), ("Accept", "a" * 200), ("accept", "a" * 57)])
    assert answer.status_code == 431
    assert "The header accept has more than 256 bytes" in answer.get_json(force=True)["detail"]


def test_attack_97_a_long_address_is_refused(target: Target) -> None:
    for unit in ("/", "//", "../", "..;", "%2f", "%zz", "%25", "1", "a", ":", "&", "=", "a=b&", "a&"):
        long = (unit * MAX_ADDRESS_BYTES * 3)[: MAX_ADDRESS_BYTES * 3]
        for path in (f"/x{long}", f"{API}/games/{long}", f"{API}/games?{long}", f"{API}/games/1/legal?move={long}"):
            answer = ask_quickly(target, path, {})
            assert (answer.status_code, problem_type(answer)) == (414, "uri-too-long"), path[:40]


BODIES = (
    ("/moves", '{"text": "%s"}'), ("/moves", '{"type": "play", "card": "%s"}'),
    ("/branches", '{"at": 1, "moves": ["%s"]}'), ("/disputes", '{"hand": 1, "kind": "score", "text": "%s"}'),
)  # fmt: skip


def test_attack_97_a_long_text_in_any_field_is_answered(target: Target) -> None:
    for unit in (" ", "a ", "10s ", "throw ", "call ", "1", "-", "as", "(", "\\", '"', "x, "):
        text = fill(unit, 30 * KIB).replace("\\", "\\\\").replace('"', '\\"')
        for path, body in BODIES:
            began = time.process_time()
            answer = target.post(f"{API}/games/1{path}", (body % text).encode())
            assert answer.status_code in range(400, 500), answer.data
            assert time.process_time() - began < PARSED_S, (path, unit)


def patterns() -> set[Any]:
    """Return every compiled pattern of texts that the product's modules hold."""
    for package in PACKAGES:
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    names = tuple(f"{package}." for package in PACKAGES)
    modules = [vars(module) for name, module in list(sys.modules.items()) if name.startswith(names)]
    values = [value for held in modules for value in held.values()]
    return {value for value in values if isinstance(value, re.Pattern) and isinstance(value.pattern, str)}


def test_attack_97_every_pattern_reads_8_kib_in_linear_time() -> None:
    found = patterns()
    assert len(found) > 10
    for pattern in found:
        for unit in [*UNITS, "a", "1", "-", ".", "/", "tb_", "a-", "1.", "2126-11-21T", "AS ", "bot:"]:
            text = fill(unit, 8 * KIB)
            began = time.process_time()
            pattern.fullmatch(text)
            pattern.search(text)
            assert time.process_time() - began < HANGS_S, (pattern.pattern, unit)
