"""Attacks with addresses and headers: SQL, other spellings of paths and numbers, too many headers, other sites."""

import json
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from urllib.parse import quote, urlsplit

import pytest
from werkzeug.datastructures import Headers

from api.app import API
from tests.api.remote_server import RemoteCaller, RemoteResponse
from tests.api.server_process import ServerProcess
from tests.attacks.running import Target, problem_type, send_raw
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


@dataclass(frozen=True)
class Served:
    """A game on a real server, which receives addresses as they are written."""

    url: str
    board: int
    ann: RemoteCaller

    def get(self, path: str) -> tuple[int, str]:
        """Return the status and the type of problem of a GET."""
        answer = self.ask("GET", path)
        return answer.status_code, problem_type(answer)

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> RemoteResponse:
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=60)
        try:
            sent = {"Authorization": f"Bearer {self.ann.token}", "Content-Type": "application/json"}
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, sent | named)
            got = connection.getresponse()
            return RemoteResponse(got.status, Headers(got.getheaders()), got.read())
        finally:
            connection.close()


@pytest.fixture(scope="module")
def served(shared_server: ServerProcess) -> Served:
    """A game of two on the shared server."""
    nobody = RemoteCaller(shared_server.url)
    guest = nobody.post("/guests", {}).get_json()
    ann = replace(nobody, token=guest["token"])
    game = ann.post("/games", {"variant": "pitch", "seats": [guest["name"], "bot:simple"]}).get_json()
    return Served(shared_server.url, game["board"], ann)


def get(target: Target, path: str) -> tuple[int, str]:
    """Return the status and the type of problem of a GET in this process."""
    answer = target.send("GET", path, {"Authorization": f"Bearer {target.server['ann'].token}"})
    return answer.status_code, problem_type(answer)


def listed(target: Target) -> bytes:
    return bytes(target.server["ann"].get("/games").data)


@pytest.mark.parametrize("text", SQL)
def test_attack_91_sql_in_every_string_and_id_is_inert(target: Target, text: str) -> None:
    before = target.export(), listed(target)
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
            is_taken = path.endswith("/commands") and not answer.get_json()["ok"]
            if (path, key) == (f"{API}/rulebooks", "name"):  # any text, which is kept as it is
                is_taken = answer.get_json()["name"] is not None
            assert is_taken or 400 <= answer.status_code < 500, (path, key, answer.data)
    answer = target.post(f"{API}/games/1/moves", b'{"type":"resign","x":1}', Idempotency_Key=text)
    assert answer.status_code == 400
    assert (target.export(), listed(target)) == before


SPELLINGS = (
    "%2e%2e%2f", "..%2f..%2fetc%2fpasswd", "../../etc/passwd", "..;/", "%00", "1%00", "1;x=1", "1%3b", "//1", "1//",
    "1/", "1%2f", "./1", "1%20", "%201", "1.json", "1%0d%0aX:y", "%5c..%5c", "%c0%ae%c0%ae%c0%af", "%ff", "%u0031",
)  # fmt: skip


def test_attack_92_another_spelling_of_a_path_is_404(served: Served) -> None:
    for spelling in (each.replace("1", str(served.board)) for each in SPELLINGS):
        for path in (f"{API}/games/{spelling}", f"/static/{spelling}", f"/problems/{spelling}", f"{API}/{spelling}"):
            assert served.get(path) in {(404, "not-found"), (400, "malformed")}, path


TOO_MANY = {
    "10000 headers": "".join(f"X-{n}: y\r\n" for n in range(10_000)),
    "a header of 64 KiB": "X: " + "y" * 65_536 + "\r\n",
    "a name of 64 KiB": "Y" * 65_536 + ": y\r\n",
    "500 times the same header": "Accept: a/b\r\n" * 500,
}


def test_attack_94_too_many_headers_are_refused_and_others_are_served(served: Served) -> None:
    for name, lines in TOO_MANY.items():
        request = f"GET {API}/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{lines}\r\n"
        answer = send_raw(served.url, request.encode())
        status = int(answer.split()[1]) if answer else None
        assert status in {None, 400, 431}, (name, answer[:200])
        assert served.ann.get("/games").status_code == 200


def test_a_body_that_is_cut_off_by_the_end_of_the_connection_is_not_carried_out(served: Served) -> None:
    """The part that has arrived is a valid body, but shorter than its Content-Length."""
    body = json.dumps({"variant": "pitch", "seats": ["bot:simple", "bot:simple"]}).encode()
    lines = (f"POST {API}/games HTTP/1.1", "Host: x", "Content-Type: application/json",
             f"Content-Length: {len(body) + 5}", f"Authorization: Bearer {served.ann.token}", "", "")  # fmt: skip
    answer = send_raw(served.url, "\r\n".join(lines).encode() + body, half=True)
    assert answer.startswith(b"HTTP/1.1 400 "), answer
    assert b"before the end of the body" in answer
