"""Where the players of a table are: those who sit there see it, and nobody else sees anything of it."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event

import pytest

from api.accounts.server_nodes import StreamRecords, erase_player
from api.config import Config
from api.container import open_services
from api.people.stored.settings import BROADCASTS, PRESENCE
from api.play.services.presence import AGAIN_S, AWAY_S, BEAT_S, GRACE_S, INBOX, Presence
from domain.store.sql.database import Transaction
from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.api.live_server import GameServer, ServedGame, open_server

ELSEWHERE = ("/games", "/players/bob/standings", "/players/bob/history", "/disputes", "/health/ready")


class Clock:
    """The time of two processes, and of the database between them."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def micros(self, _tables: Transaction) -> int:
        return int(self.seconds * 1_000_000)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    with open_server(tmp_path) as found:
        yield found


def player_at(game: ServedGame, seat: int) -> str:
    player: str = game.public["seats"][seat]["player"]
    return player


def test_players_of_a_table_see_where_the_others_are(server: GameServer) -> None:
    game = server.open(["ann", "bob", "cat", "bot:simple"])
    presence, path = services_of(server.app).presence, f"{game.path}/presence"
    seat = {name: seat for seat, caller in game.seats.items() for name in server.people if server[name] is caller}
    with ExitStack() as open_streams:
        open_streams.enter_context(presence.follows(player_at(game, seat["bob"]), game.id))
        open_streams.enter_context(presence.follows(player_at(game, seat["ann"]), game.id))
        open_streams.enter_context(presence.follows(player_at(game, seat["cat"]), INBOX))
        expected = dict[int, str | None](enumerate([None] * 4)) | {seat["bob"]: "table", seat["cat"]: "away"}
        assert server["ann"].get(path).get_json() == {"seats": [expected[at] for at in range(4)]}
    assert server["ann"].get(path).get_json()["seats"][seat["bob"]] == "table", "a page may be loading again"


def test_after_the_game_players_see_who_is_still_at_its_table_and_nothing_else(server: GameServer) -> None:
    game = server.open(["ann", "bob"])
    presence, path = services_of(server.app).presence, f"{game.path}/presence"
    game.move(0, {"type": "propose_draw"})
    game.move(1, {"type": "accept"})
    with presence.follows(player_at(game, 1), INBOX):
        assert game.seats[0].get(path).get_json()["seats"] == [None, None]
    with presence.follows(player_at(game, 1), game.id):
        assert game.seats[0].get(path).get_json()["seats"] == [None, "table"]


def test_a_player_can_hide_and_blocks_hide_as_well(server: GameServer) -> None:
    game = server.open(["ann", "bob"])
    path = f"{game.path}/presence"
    assert server["ann"].get(path).get_json()["seats"] == [None, None], "a server without streams doesn't know"
    with services_of(server.app).presence.follows("somebody", INBOX):
        assert set(server["ann"].get(path).get_json()["seats"]) == {None, "offline"}
        answer = server["bob"].post("/commands", {"line": "set presence off"})
        assert answer.get_json()["data"]["presence"] == "off"
        assert server["ann"].get(path).get_json()["seats"] == [None, None]
        server["bob"].post("/commands", {"line": "set presence on"})
        assert server["ann"].ask("PUT", "/me/blocks/bob").status_code == 204
        assert [server[name].get(path).get_json()["seats"] for name in ("ann", "bob")] == [[None, None]] * 2


def test_nobody_else_sees_anything_of_it(server: GameServer) -> None:
    """A stranger, a player of another table, the lobby, players' pages, exports and events stay the same."""
    game = server.open(["ann", "bob"])
    others = [server.nobody, server["eve"]]
    addresses = [game.path, f"{game.path}/events", f"{game.path}/export", f"{game.path}/chat", *ELSEWHERE]

    def seen() -> list[bytes]:
        return [caller.get(path).data for path in addresses for caller in (*others, *game.seats.values())]

    before = seen()
    with services_of(server.app).presence.follows(player_at(game, 0), game.id):
        assert seen() == before
        check_problem(server["eve"].get(f"{game.path}/presence"), 403, "not-seated")
        check_problem(server.nobody.get(f"{game.path}/presence"), 401, "unauthorized")


def test_a_table_that_others_may_not_watch_is_not_there_for_them(server: GameServer) -> None:
    game = server.open(["ann", "bob"], watch={"public": False, "delay": 0})
    check_problem(server["eve"].get(f"{game.path}/presence"), 404, "not-found")


@pytest.mark.both_stores
def test_a_node_learns_what_players_of_another_one_follow(config: Config) -> None:
    clock = Clock()
    with closing(open_services(config)) as services:
        records = StreamRecords(services.accounts.database, clock.micros)
        one, other = Presence("one", records, clock), Presence("other", records, clock)
        one.beat()
        with one.follows("p_bob", "game"), one.follows(None, "game"):
            clock.seconds += BEAT_S
            one.beat()
            assert other.of("game", ["p_bob", "p_cat"]) == {"p_bob": "table", "p_cat": "offline"}
            assert other.of("another", ["p_bob"]) == {"p_bob": "away"}
        clock.seconds += BEAT_S
        one.beat()
        assert other.of("game", ["p_bob"]) == {"p_bob": "table"}
        clock.seconds += GRACE_S
        assert one.of("game", ["p_bob"]) == other.of("game", ["p_bob"]) == {"p_bob": "away"}
        clock.seconds += AWAY_S
        one.beat()
        assert one.of("game", ["p_bob"]) == other.of("game", ["p_bob"]) == {}, "no streams are known at all"
        with other.follows("p_cat", "game"):
            assert other.of("game", ["p_bob"]) == {"p_bob": "offline"}
        assert records.of_others("other", AWAY_S) == [{}], "the row of a node names nobody whose streams are long over"


@pytest.mark.both_stores
def test_nobody_is_called_offline_beside_a_process_that_sends_no_streams(config: Config) -> None:
    clock = Clock()
    with closing(open_services(config)) as services:
        records = StreamRecords(services.accounts.database, clock.micros)
        one, silent = Presence("one", records, clock), Presence("silent", records, clock)
        silent.sends_none()
        with one.follows("p_bob", "game"):
            assert one.of("game", ["p_bob", "p_cat"]) == {"p_bob": "table", "p_cat": "offline"}
            silent.beat()
            clock.seconds += BEAT_S
            one.beat()
            assert silent.of("game", ["p_bob", "p_cat"]) == one.of("game", ["p_bob", "p_cat"]) == {"p_bob": "table"}
            clock.seconds += AGAIN_S
            silent.beat()
            assert one.of("game", ["p_cat"]) == {}
            clock.seconds += AGAIN_S + 2 * BEAT_S + 1
            one.beat()
            assert one.of("game", ["p_cat"]) == {"p_cat": "offline"}, "the other one is gone"


def test_players_stay_at_the_table_while_the_process_with_their_streams_is_replaced(config: Config) -> None:
    clock, stop = Clock(), Event()
    with closing(open_services(config)) as services:
        records = StreamRecords(services.accounts.database, clock.micros)
        old, new = Presence("old", records, clock), Presence("new", records, clock)
        with old.follows("p_bob", "game"):
            clock.seconds += BEAT_S
            old.beat()
        stop.set()
        old.run(stop)
        assert new.of("game", ["p_bob"]) == {"p_bob": "table"}
        clock.seconds += GRACE_S
        assert new.of("game", ["p_bob"]) == {"p_bob": "away"}


@pytest.mark.both_stores
def test_an_erased_player_is_in_no_row(config: Config) -> None:
    clock = Clock()
    with closing(open_services(config)) as services:
        accounts = services.accounts
        records = StreamRecords(accounts.database, clock.micros)
        records.write("one", {"p_bob": {"game": 0.0}, "p_cat": {"game": 0.0}})
        records.write("other", {"p_cat": {"game": 0.0}})
        with accounts.database.transaction(writes=True) as transaction:
            erase_player(transaction, "p_bob")
        assert records.of_others("third", 60) == [{"p_cat": {"game": 0.0}}]


@pytest.mark.both_stores
def test_only_who_switched_presence_off_is_hidden(config: Config) -> None:
    with closing(open_services(config)) as services:
        settings = services.accounts.command_settings
        settings.set("p_bob", PRESENCE, "off")
        settings.set("p_cat", BROADCASTS, "off")
        assert settings.switched_off(["p_bob", "p_cat", "p_dee"], PRESENCE) == {"p_bob"}


def test_a_process_without_streams_writes_nothing(config: Config) -> None:
    clock = Clock()
    with closing(open_services(config)) as services:
        records = StreamRecords(services.accounts.database, clock.micros)
        quiet = Presence("quiet", records, clock)
        for _ in range(30):
            clock.seconds += BEAT_S
            quiet.beat()
        assert services.accounts.database.run("SELECT COUNT(*) FROM open_streams") == [(0,)]


def test_seats_that_were_left_or_lent_are_nowhere_and_a_lender_does_not_look(server: GameServer) -> None:
    game = server.open(["ann", "bob", "cat"])
    path = f"{game.path}/presence"
    assert server["bob"].post(f"{game.path}/handovers", {"to": "bot:simple"}).status_code == 201
    for name in ("ann", "cat"):
        assert server[name].post(game.moves, {"type": "answer_handover", "accept": True}).status_code == 201
    with services_of(server.app).presence.follows(player_at(game, 2), game.id):
        assert server["ann"].get(path).get_json()["seats"] == [None, None, "table"]
        check_problem(server["bob"].get(path), 403, "not-seated")
        assert server["bob"].post(f"{game.path}/handovers/return", {}).status_code == 201
        assert server["ann"].get(path).get_json()["seats"] == [None, "offline", "table"]
        assert server["cat"].post(game.moves, {"type": "resign"}).status_code == 201
        assert server["ann"].get(path).get_json()["seats"] == [None, "offline", None]


@pytest.mark.parametrize("scope", ["play:{game}", "read"])
def test_a_token_for_one_game_or_for_reading_shows_it(server: GameServer, scope: str) -> None:
    game = server.open(["ann", "bob"])
    asked = {"name": "ann", "password": PASSWORD, "scope": scope.format(game=game.id)}
    token = server["ann"].post("/tokens", asked).get_json()["token"]
    assert Caller(server.app.test_client(), token).get(f"{game.path}/presence").status_code == 200
