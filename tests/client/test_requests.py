"""Requests of the client: sent until they're answered, never with effect twice, and refusals as exceptions."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from api import client
from api.client import NoAnswer, Refusal, Server, Table, UnexpectedAnswer
from api.client.table import Answer, Moves
from projections.moves.json_moves import MOVES, parse_move
from tests.api.thread_server import ThreadServer
from tests.client.conftest import PASSWORD
from tests.client.lossy import BUSY, LOST, keys, lose_answers
from tests.http_server import http_server, send
from trickbook import client as installed


def open_table(server: Server) -> Table:
    return Table.open(server, "pitch", [server.me()["name"], "bot:simple"], options={"win": 7})


def test_a_move_whose_answers_are_lost_is_made_once(ann: Server) -> None:
    table = open_table(ann)
    view = table.view()
    transport = lose_answers(ann, LOST, BUSY, LOST)
    answer = table.move(view["you"]["legal"][0], version=view["version"])
    assert len(transport.sent) == 4
    assert len(keys(transport.sent)) == 1
    mine = [moment for moment in table.events(view["version"]) if (moment.event or {}).get("by") == ann.player]
    assert len(mine) == 1
    assert answer["version"] == table.view()["version"]


def test_two_moves_have_two_keys(ann: Server) -> None:
    table = open_table(ann)
    transport = lose_answers(ann)
    for _ in range(2):
        table.move(table.view()["you"]["legal"][0])
    assert len(keys(request for request in transport.sent if request.method == "POST")) == 2


def test_a_game_whose_opening_is_not_answered_is_opened_once(ann: Server) -> None:
    name = ann.me()["name"]
    lose_answers(ann, LOST)
    Table.open(ann, "pitch", [name, "bot:simple"])
    assert len(list(ann.games(player=name, wait=ann.position))) == 1


def test_a_post_without_a_key_is_not_sent_again(serving: ThreadServer) -> None:
    with Server(serving.url) as server:
        transport = lose_answers(server, LOST)
        with pytest.raises(NoAnswer, match="can't be reached"):
            server.register("lost-once", PASSWORD)
        assert len(transport.sent) == 1
        with pytest.raises(Refusal) as refused:
            server.register("lost-once", PASSWORD)
        assert refused.value.type == "name-taken"


def test_without_patience_the_first_failure_counts(serving: ThreadServer) -> None:
    with Server(serving.url, patience_s=0) as server:
        lose_answers(server, BUSY, LOST)
        with pytest.raises(Refusal, match="503 busy"):
            server.variants()
        with pytest.raises(NoAnswer):
            server.variants()
        assert server.variants()


def test_a_refused_move_names_its_type_its_clause_and_the_legal_moves(ann: Server) -> None:
    table = open_table(ann)
    legal = table.view()["you"]["legal"]
    with pytest.raises(Refusal) as refused:
        table.bid(1)
    refusal = refused.value
    assert (refusal.status, refusal.type, refusal.legal) == (409, "not-a-bid", legal)
    assert refusal.clause == ", ".join(refusal.clauses) != ""
    assert refusal.detail in str(refusal)
    with pytest.raises(Refusal) as malformed:
        table.play("nothing")
    assert (malformed.value.type, malformed.value.clause, malformed.value.legal) == ("malformed", "", [])


def test_a_move_on_a_view_that_has_changed_is_refused(ann: Server) -> None:
    table = open_table(ann)
    view = table.view()
    table.move(view["you"]["legal"][0], version=view["version"])
    with pytest.raises(Refusal) as refused:
        table.move(view["you"]["legal"][0], version=view["version"])
    assert refused.value.type == "stale-version"


class MoveRecorder(Moves):
    """Keeps the moves that its methods post."""

    def __init__(self) -> None:
        self.posted: list[dict[str, Any]] = []

    def move(self, move: Mapping[str, Any], version: int | None = None, key: str | None = None) -> Answer:
        self.posted.append(dict(move))
        return {"version": version, "key": key}


def test_every_type_of_move_has_a_method_that_posts_it() -> None:
    table, seal = MoveRecorder(), "ab" * 32
    table.bid(3)
    table.pass_()
    table.name_trump("H")
    table.call_partner("KH")
    table.discard(["2C", "3D"])
    table.play("AD")
    table.call_delay(2)
    table.vote(guilty=True)
    asks = (table.undo, table.propose_draw, table.accept, table.reject, table.resign, table.return_seat)
    for ask in (*asks, table.claim_time):
        ask()
    table.cut(1, seal, seal)
    table.beacon(1, "drand/quicknet/1000", "ab" * 48)
    table.change_rules("points:7")
    table.answer_handover(accept=False)
    assert {move["type"] for move in table.posted} == set(MOVES)
    assert all(parse_move(move, 0) for move in table.posted)


@contextmanager
def answering(status: int, headers: dict[str, str], body: bytes) -> Iterator[str]:
    """Yield the URL of a server that isn't trickbook's, and always gives this answer."""
    with http_server(lambda request: send(request, body, status, headers)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize(
    ("status", "headers", "says"),
    [
        (200, {}, "something else than JSON"),
        (404, {"Content-Type": "text/html"}, "It answers 404 without saying why"),
        (301, {"Location": "https://cards.example.org/"}, "redirects to https://cards.example.org/"),
    ],
    ids=["a page", "a page of an error", "a redirect"],
)
def test_another_server_than_trickbook_is_noticed(status: int, headers: dict[str, str], says: str) -> None:
    with answering(status, headers, b"<p>hello</p>") as url, Server(url, patience_s=0) as server:
        with pytest.raises(UnexpectedAnswer, match=says):
            server.variants()
        with pytest.raises(UnexpectedAnswer):
            next(server.inbox())


def test_a_proxy_without_its_server_counts_as_no_answer() -> None:
    with answering(502, {"Content-Type": "text/html"}, b"<p>Bad Gateway</p>") as url:
        with Server(url, patience_s=0.2) as server, pytest.raises(NoAnswer, match="502"):
            server.variants()
        with Server(url, token="tb_unused", patience_s=0.2) as server, pytest.raises(NoAnswer, match="502"):
            next(server.inbox())


@pytest.mark.parametrize("url", ["cards.example.org", "ftp://cards.example.org", "http://[::1"])
def test_a_text_that_is_no_url_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL"):
        Server(url)


def test_the_wheel_installs_every_name_of_the_client() -> None:
    assert set(installed.__all__) == set(client.__all__)
    assert all(getattr(installed, name) is getattr(client, name) for name in client.__all__)
