"""Attacks with addresses and headers: SQL, other spellings of paths and numbers, and too many headers."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from api.app import API
from tests.attacks.running import Target, problem_type, routes, running, send_raw
from tests.attacks.server.test_bodies import VALID_BODIES

SQL = [
    "' OR '1'='1",
    "'; DROP TABLE games; --",
    '" OR ""="',
    "1); DELETE FROM office.users; --",
    "1 UNION SELECT password FROM users",
    "%' OR name LIKE '%",
    "\\'; SELECT pg_sleep(9); --",
    "$$; ATTACH 'x.db' AS x; $$",
    "?1 :name %s %(name)s {0}",
]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """One server for all these requests."""
    with running(tmp_path_factory.mktemp("data")) as found:
        yield found


def get(target: Target, path: str) -> tuple[int, str]:
    """Return the status and the type of problem of a GET, with the path as it is written."""
    answer = target.send("GET", path, {"Authorization": f"Bearer {target.ann.token}"})
    return answer.status_code, problem_type(answer)


@pytest.mark.parametrize("text", SQL)
def test_attack_91_sql_in_every_string_and_id_is_inert(target: Target, text: str) -> None:
    before, listed = target.export(), target.ann.get("/games?wait=0").data
    encoded = quote(text, safe="")
    for path in (f"/games/{encoded}", f"/games/1/seats/{encoded}", f"/games/{encoded}/moves", f"/problems/{encoded}"):
        assert get(target, (API if path.startswith("/games") else "") + path) == (404, "not-found"), path
    for query in ("games?player=", "games?waiting=", "exports/games?player="):
        assert get(target, f"{API}/{query}{encoded}") == (200, ""), query
    for query in ("games?variant=", "games?status=", "games?since=", "games?cursor=", "games/1/events?after="):
        assert get(target, f"{API}/{query}{encoded}") == (400, "malformed"), query
    for path, valid in VALID_BODIES.items():
        for key in (key for key, value in valid.items() if isinstance(value, str) and key not in {"text", "password"}):
            answer = target.post(path, json.dumps(valid | {key: text}).encode())
            is_refused = path.endswith("/commands") and not answer.get_json()["ok"]
            assert is_refused or 400 <= answer.status_code < 500, (path, key, answer.data)
    answer = target.post(f"{API}/games/1/moves", b'{"type":"resign","x":1}', Idempotency_Key=text)
    assert answer.status_code == 400
    assert (target.export(), target.ann.get("/games?wait=0").data) == (before, listed)


@pytest.mark.parametrize(
    "spelling",
    ["%2e%2e%2f", "..%2f..%2fetc%2fpasswd", "../../etc/passwd", "..;/", "%00", "1%00", "1;x=1", "1%3b", "//1", "1//",
     "1/", "1%2f", "./1", "1%20", "%201", "1.json", "1%0d%0aX:y", "%5c..%5c", "%c0%ae%c0%ae%c0%af", "%ff", "%u0031"],
)  # fmt: skip
def test_attack_92_another_spelling_of_a_path_is_404(target: Target, spelling: str) -> None:
    for path in (f"{API}/games/{spelling}", f"/static/{spelling}", f"/problems/{spelling}", f"{API}/{spelling}"):
        assert get(target, path) in {(404, "not-found"), (400, "malformed")}, path


@pytest.mark.parametrize(
    "number",
    ["\uff11", "\u0661", "01", "001", "1" + "0" * 26, "2147483648", "-1", "+1", "1.0", "1e0", "0x1", "1_0", " 1", "1 "],
)
def test_attack_93_another_spelling_of_a_number_is_404(target: Target, number: str) -> None:
    encoded = quote(number, safe="")
    for path in ("/games/{}", "/games/{}/export", "/games/1/seats/{}", "/games/1/hands/{}", "/games/{}/hands/1/audit"):
        assert get(target, API + path.format(encoded)) == (404, "not-found"), path
    answer = target.post(f"{API}/games/1/disputes/{encoded}/appeal", b"{}")
    assert (answer.status_code, problem_type(answer)) == (404, "not-found")


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("".join(f"X-{n}: y\r\n" for n in range(10_000)), id="10000 headers"),
        pytest.param("X: " + "y" * 65_536 + "\r\n", id="a header of 64 KiB"),
        pytest.param("Y" * 65_536 + ": y\r\n", id="a name of 64 KiB"),
        pytest.param("Accept: a/b\r\n" * 500, id="500 times the same header"),
    ],
)
def test_attack_94_too_many_headers_are_refused_and_others_are_served(target: Target, lines: str) -> None:
    request = f"GET {API}/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{lines}\r\n"
    answer = send_raw(target.url, request.encode())
    status = int(answer.split()[1]) if answer else None
    assert status in {None, 400, 431}, answer[:200]
    assert target.ann.get("/games").status_code == 200


def test_every_route_is_still_served(target: Target) -> None:
    assert [path for path in routes("GET") if get(target, path)[0] >= 500] == []
