"""Attacks 141 to 143: learn of private games by histories and standings, of cards by disputes, or act by a frame."""

from tests.api.remote_server import RemoteServer
from tests.attacks.playing import open_game
from tests.attacks.running import send_raw

LISTS = (
    "/players/ann/history", "/players/ann/standings", "/players/bob/history", "/players/ann/against/bob",
    "/standings?variant=pitch", "/ratings?variant=pitch", "/ratings?variant=pitch&kind=two", "/players/ann/ratings",
)  # fmt: skip
MISSING = "00000000-0000-4000-8000-000000000000"
BAD_DETAILS: tuple[object, ...] = (
    {"accused": {"seat": 9}}, {"accused": {}}, {"revokes": [0]}, {"draws": [1] * 61}, {"x": 1}, [],
)  # fmt: skip
PAGES = ("/replay", "/score", "/audit", "/disputes", "/text")


def test_attack_141_no_history_and_no_count_tells_strangers_of_a_private_game(attacked: RemoteServer) -> None:
    strangers = attacked.nobody, attacked["eve"]
    assert attacked["ann"].token
    assert attacked["bob"].token
    before = [[caller.get(path).data for path in LISTS] for caller in strangers]
    game = open_game(attacked, ("ann", "bob"), watch={"public": False, "delay": 0})
    live = open_game(attacked, ("ann", "bob"), watch={"public": True, "delay": 5})
    position = game.post(0, {"type": "resign"}).headers["Trickbook-Position"]
    own = attacked["bob"].get(f"/players/ann/history?wait={position}").text
    assert (game.id in own, live.id in own) == (True, False)
    assert [[caller.get(path).data for path in LISTS] for caller in strangers] == before


def test_attack_142_the_evidence_of_a_dispute_stays_hidden_while_its_hand_is_played(attacked: RemoteServer) -> None:
    game = open_game(attacked, ("ann", "bob"))
    game.to_play()
    body = {"hand": 1, "kind": "revoke", "text": "look"}
    evidence = {"accused": {"seat": 1, "trick": 1, "card": "AS"}, "revokes": [7], "draws": [9]}
    author = game.seats[0]
    assert author.post(f"{game.path}/disputes", body | {"details": evidence}).status_code == 201
    assert author.get(f"{game.path}/disputes").get_json()["items"][0]["opened"]["details"] == evidence
    for caller in (game.seats[1], attacked["eve"], attacked.nobody):
        assert "details" not in caller.get(f"{game.path}/disputes").get_json()["items"][0]["opened"]
    with game.unchanged():
        for details in BAD_DETAILS:
            assert author.post(f"{game.path}/disputes", body | {"details": details}).status_code == 400, details


def test_attack_143_pages_are_the_same_for_every_game_and_only_the_embedded_one_is_framed(
    attacked: RemoteServer,
) -> None:
    game = open_game(attacked, ("ann", "bob"), watch={"public": False, "delay": 0})
    for path in (*(f"/games/{{}}{page}" for page in PAGES), "/embed/games/{}/hands/1"):
        hidden, absent = (_page(attacked, path.format(each)) for each in (game.id, MISSING))
        assert _without_ids(hidden) == _without_ids(absent), path
        assert b"set-cookie" not in hidden.lower()
        assert (b"frame-ancestors *" in hidden) == path.startswith("/embed/")
        assert (b"frame-ancestors 'none'" in hidden) != path.startswith("/embed/")


def _page(server: RemoteServer, path: str) -> bytes:
    return send_raw(server.url, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())


def _without_ids(answer: bytes) -> list[bytes]:
    return [line for line in answer.splitlines() if not line.lower().startswith((b"x-request-id", b"date"))]
