"""Attacks 141 to 143: learn of private games by histories and standings, of cards by disputes, or act by a frame."""

from tests.api.live_server import GameServer, open_game
from tests.attacks.playing import same_bytes

LISTS = (
    "/players/ann/history", "/players/ann/standings", "/players/bob/history", "/players/ann/against/bob",
    "/standings?variant=pitch", "/ratings?variant=pitch", "/ratings?variant=pitch&kind=two", "/players/ann/ratings",
)  # fmt: skip
MISSING = "00000000-0000-4000-8000-000000000000"
PAGES = ("/replay", "/score", "/audit", "/disputes", "/text")


def test_attack_141_no_history_and_no_count_tells_strangers_of_a_private_game(attacked: GameServer) -> None:
    strangers = attacked.nobody, attacked["eve"]
    assert attacked["ann"].token
    assert attacked["bob"].token
    before = [[caller.get(path).data for path in LISTS] for caller in strangers]
    game = open_game(attacked, ("ann", "bob"), watch={"public": False, "delay": 0})
    live = open_game(attacked, ("ann", "bob"), watch={"public": True, "delay": 5})
    assert game.move(0, {"type": "resign"}).status_code == 201
    attacked.follow()
    own = attacked["bob"].get("/players/ann/history").text
    assert (game.id in own, live.id in own) == (True, False)
    assert [[caller.get(path).data for path in LISTS] for caller in strangers] == before


def test_attack_143_pages_are_the_same_for_every_game_and_only_the_embedded_one_is_framed(
    attacked: GameServer,
) -> None:
    game = open_game(attacked, ("ann", "bob"), watch={"public": False, "delay": 0})
    client = attacked.app.test_client()
    for path in (*(f"/games/{{}}{page}" for page in PAGES), "/embed/games/{}/hands/1"):
        hidden, absent = (client.get(path.format(each)) for each in (game.id, MISSING))
        assert same_bytes(hidden, absent), path
        assert "Set-Cookie" not in hidden.headers
        policy = hidden.headers["Content-Security-Policy"]
        assert ("frame-ancestors *" in policy) == path.startswith("/embed/")
        assert ("frame-ancestors 'none'" in policy) != path.startswith("/embed/")
