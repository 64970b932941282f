"""Idempotency-Key: a repeated request gets the first answer again."""

from typing import Any

import pytest

from api.config import Config
from api.play.services import games
from api.play.services.games import _mac as mac
from api.play.services.games import command_id
from tests.api.conftest import Caller, MakeApp, check_problem
from tests.api.given_http import Table, given_http
from tests.given import deal, game_opened

HANDS = ["AC KC 2D 3D 4D 5D", "2C 3C 6D 7D 8D 9D", "AH KH QH JH 10H 9H", "AS KS QS JS 10S 9S"]
BID = {"type": "bid", "bid": 3}
OPENING = {"variant": "pitch", "seats": ["ann", "bot:random", "bot:random"]}
SECRET = bytes(range(32))
GAME_ID = "0f8fad5b-d9cb-469f-a165-70867728950e"


def test_the_command_id_of_a_known_request() -> None:
    """OpenSSL computed these ids. Another id for the same request would let a retry across an upgrade move twice."""
    known = command_id(SECRET, "p7", "key-1", f"/api/v1/games/{GAME_ID}/moves", BID)
    assert str(known) == "1edad573e328914b-528dc11ce7583c67"
    assert known.earlier == "b77ec09834cacbe8", "what version 0.2 stored"


def test_equal_bodies_of_two_players_or_under_two_keys_have_nothing_in_common() -> None:
    path = f"/games/{GAME_ID}/moves"
    sent = [command_id(SECRET, player, key, path, BID) for player in ("p1", "p2") for key in ("k1", "k2")]
    assert len({half for each in sent for half in (each.sender, each.request)}) == 8
    assert command_id(SECRET, "p1", "k1", path, BID) == sent[0]


class Before:
    """The server before the upgrade: it stores ids by the formula of version 0.2, until `over`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        patch.setattr(games, "_request_mac", lambda secret, _player, _key, asked: mac(secret, f"what\n{asked}"))

    def over(self) -> None:
        """Upgrade."""
        self._patch.undo()


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> Before:
    return Before(monkeypatch)


@pytest.mark.both_stores
def test_a_move_stored_before_an_upgrade_is_recognized_after_it(table: Table, before: Before) -> None:
    first = table.when(0, BID, Idempotency_Key="k1").answer
    before.over()
    log = table.log
    again = table.when(0, BID, Idempotency_Key="k1").answer
    assert (again.status_code, again.data) == (201, first.data)
    table.when(0, BID | {"bid": 4}, Idempotency_Key="k1").refused(422, "key-reused")
    assert table.log == log


@pytest.mark.both_stores
def test_after_an_upgrade_equal_bodies_in_one_game_have_different_ids(table: Table, before: Before) -> None:
    ids = []
    for seat, is_over in enumerate((False, False, True, True)):
        if is_over:
            before.over()
        made = table.when(seat, {"type": "pass"}, Idempotency_Key=f"k{seat}")
        made.happens()
        ids.append(made.new[0].event.command.split("-")[1])
    assert ids[0] == ids[1], "what everybody could compare"
    assert len({ids[0], *ids[2:]}) == 3


REPEATED: dict[str, Any] = {
    "games": OPENING,
    "games/1/disputes": {"hand": 1, "kind": "revoke", "text": "a club was missing"},
    "games/1/handovers": {"to": "bot:simple"},
    "games/1/chat": {"to": "table", "text": "hello"},
}
"""Other requests that are repeated after an upgrade."""


@pytest.mark.both_stores
@pytest.mark.parametrize("path", REPEATED)
def test_what_was_stored_before_an_upgrade_is_recognized_after_it(ann: Caller, before: Before, path: str) -> None:
    ann.post("/games", OPENING)
    first = ann.post(f"/{path}", REPEATED[path], Idempotency_Key="k1")
    assert first.status_code == 201, first.text
    before.over()
    again = ann.post(f"/{path}", REPEATED[path], Idempotency_Key="k1")
    assert (again.status_code, again.data) == (201, first.data)


@pytest.fixture
def table(make_app: MakeApp, config: Config) -> Table:
    return given_http(make_app(config), game_opened(4), *deal(HANDS))


def test_a_move_sent_twice_is_made_once_and_gets_the_first_answer_after_later_moves(table: Table) -> None:
    seen = {"Idempotency_Key": "k1", "If_Match": f'"{len(table.log)}"'}
    first = table.when(0, BID, **seen)
    first.happens()
    log = table.log
    again = table.when(0, BID, **seen).answer
    assert (again.status_code, again.data) == (201, first.answer.data)
    assert again.headers["ETag"] == first.answer.headers["ETag"]
    assert table.log == log
    table.when(1, {"type": "bid", "bid": 4}, Idempotency_Key="k1").happens()  # another player's key
    table.when(0, BID | {"bid": 4}, Idempotency_Key="k1").refused(422, "key-reused")
    log, later = table.log, table.when(0, BID, **seen)
    assert (later.answer.status_code, later.answer.data) == (201, first.answer.data)
    assert (later.before, later.new) == (log, [])


def test_a_refused_move_leaves_its_key_free(table: Table) -> None:
    table.when(0, {"type": "bid", "bid": 9}, Idempotency_Key="k1").refused(409, "not-a-bid")
    table.when(0, BID, Idempotency_Key="k1").happens()


def test_the_parsed_body_is_compared_not_its_bytes(table: Table) -> None:
    first = table.when(0, BID, Idempotency_Key="k1").answer
    seat = table.by(0)
    again = seat.client.post(
        "/api/v1/games/1/moves",
        data=b'{ "bid" : 3,\n"type":"b\\u0069d"}',
        headers={"Authorization": f"Bearer {seat.token}", "Content-Type": "application/json", "Idempotency-Key": "k1"},
    )
    assert (again.status_code, again.data) == (201, first.data)


def test_any_printable_key_is_accepted_and_an_invalid_one_is_malformed(table: Table) -> None:
    for invalid in ("", "x" * 256, "tab\there", "caf\xe9"):
        table.when(0, BID, Idempotency_Key=invalid).refused(400, "malformed")
    for bid, key in enumerate(("x" * 255, " ", "~!\"'{}")):
        table.when(bid, {"type": "bid", "bid": 2 + bid}, Idempotency_Key=key).happens()


def test_a_game_opened_twice_is_one_game(ann: Caller) -> None:
    first = ann.post("/games", OPENING, Idempotency_Key="g1")
    again = ann.post("/games", OPENING, Idempotency_Key="g1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data == again.data
    assert first.headers["Location"] == again.headers["Location"]
    other = ann.post("/games", OPENING, Idempotency_Key="g2").get_json()
    assert (other["board"], other["id"] != first.get_json()["id"]) == (2, True)


def test_the_key_of_one_game_opens_no_other(ann: Caller) -> None:
    ann.post("/games", OPENING, Idempotency_Key="g1")
    for win in (7, 8):
        other = ann.post("/games", OPENING | {"options": {"win": win}}, Idempotency_Key="g1")
        check_problem(other, 422, "key-reused")


def test_one_key_in_two_games_makes_a_move_in_each(ann: Caller) -> None:
    """A key counts for one address; the key of the opening counts in the game that it opened."""
    boards = [ann.post("/games", OPENING, Idempotency_Key=f"open{n}").get_json()["board"] for n in range(2)]
    move = {"type": "resign"}
    made = [ann.post(f"/games/{board}/moves", move, Idempotency_Key="k1") for board in boards]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].get_json()["view"]["id"] != made[1].get_json()["view"]["id"]
    assert ann.post(f"/games/{boards[0]}/moves", move, Idempotency_Key="k1").data == made[0].data
    check_problem(ann.post(f"/games/{boards[0]}/moves", move, Idempotency_Key="open0"), 422, "key-reused")
