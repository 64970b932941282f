"""Users, tokens, board numbers and the server's secret, on each store."""

import re
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import psycopg
import pytest

from api.accounts.office import BadLogin, NameTaken, Office, Player, open_office
from api.config import Config
from api.http.raised_problems import SLUGS
from tests.api.conftest import PASSWORD, config_for
from tests.conftest import Database

GAME, OTHER = "6fa459ea-ee8a-4ca4-894e-db77e160355e", "16fd2706-8baf-433b-82eb-8c7fada847da"
HOSTILE = ["'", "' OR 1=1 --", "x'); DROP TABLE users; --", "%s", "?", "%(a)s", "{}", "\\", '"']


@pytest.fixture
def config(database: Database, monkeypatch: pytest.MonkeyPatch) -> Config:
    """Whoever waits for a connection has a minute too: these tests write from eight threads at once."""
    monkeypatch.setattr("api.accounts.sql.POOL_PATIENCE_S", 60.0)
    return config_for(database)


@pytest.fixture
def office(config: Config) -> Iterator[Office]:
    with closing(open_office(config)) as opened:
        yield opened


@pytest.fixture
def neighbour(config: Config, office: Office) -> Iterator[Office]:
    """A second server's office on the same store."""
    assert office.names_of([]) == {}
    with closing(open_office(config)) as opened:
        yield opened


T = TypeVar("T")


def at_once(count: int, act: Callable[[int], T]) -> list[T]:
    """What `count` threads get who all start together."""
    barrier = threading.Barrier(count)

    def run(index: int) -> T:
        barrier.wait()
        return act(index)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def refused(act: Callable[[], object]) -> tuple[str, str]:
    """The slug of the problem that `act` ends in, and its sentence."""
    with pytest.raises((BadLogin, NameTaken)) as caught:
        act()
    return SLUGS[caught.type], str(caught.value)


def test_a_registered_player_is_found_by_name_and_by_token(office: Office) -> None:
    ann = office.register("ann", PASSWORD)
    assert re.fullmatch("p_[0-9a-f]{24}", ann.id)
    token = office.login("ann", PASSWORD)
    assert re.fullmatch("tb_[A-Za-z0-9_-]{43}", token)
    assert office.player_of_token(token) == office.player_by_name("ann") == ann == Player(ann.id, "ann")


def test_every_login_gives_another_token_and_revoking_one_leaves_the_other(office: Office) -> None:
    ann = office.register("ann", PASSWORD)
    first, second = office.login("ann", PASSWORD), office.login("ann", PASSWORD)
    assert first != second
    office.revoke(first)
    office.revoke(first)
    office.revoke("tb_unknown")
    assert (office.player_of_token(first), office.player_of_token(second)) == (None, ann)


def test_a_revoked_token_is_worthless_at_another_server_at_once(office: Office, neighbour: Office) -> None:
    ann = office.register("ann", PASSWORD)
    token = neighbour.login("ann", PASSWORD)
    assert office.player_of_token(token) == ann
    neighbour.revoke(token)
    assert office.player_of_token(token) is None


@pytest.mark.parametrize("name", [pytest.param(name, id=f"R-P12 {name}") for name in ("ann", "ANN", "Ann")])
def test_a_name_differing_only_by_case_is_taken(office: Office, name: str) -> None:
    office.register("ann", PASSWORD)
    but = "" if name == "ann" else f", and {name} differs from it only in upper and lower case"
    assert refused(lambda: office.register(name, PASSWORD)) == ("name-taken", f"the name ann is taken{but}")


def test_names_are_compared_as_they_are_written(office: Office) -> None:  # R-P12
    office.register("Ann", PASSWORD)
    assert office.player_by_name("ann") is None
    assert refused(lambda: office.login("ann", PASSWORD))[0] == "bad-login"


def test_of_many_who_register_one_name_at_once_exactly_one_gets_it(office: Office) -> None:
    def register(index: int) -> Player | str:
        try:
            return office.register("ann" if index % 2 else "Ann", PASSWORD)
        except NameTaken:
            return SLUGS[NameTaken]

    got = at_once(8, register)
    assert got.count("name-taken") == 7


def test_a_wrong_name_and_a_wrong_password_are_refused_alike(office: Office) -> None:
    office.register("ann", PASSWORD)
    assert refused(lambda: office.login("bob", PASSWORD)) == refused(lambda: office.login("ann", PASSWORD + "x"))


def test_the_password_fits_in_either_normal_form(office: Office) -> None:
    office.register("ann", "caf\u00e9-noir")
    assert office.player_of_token(office.login("ann", "cafe\u0301-noir"))


def test_neither_password_nor_token_is_stored_as_text(office: Office, config: Config) -> None:
    office.register("ann", PASSWORD)
    token = office.login("ann", PASSWORD)
    stored = everything_stored(config)
    assert "ann" in stored
    assert "$argon2id$" in stored
    assert PASSWORD not in stored
    assert token not in stored


def everything_stored(config: Config) -> str:
    rows: list[tuple[object, ...]] = []
    for table in ("users", "tokens"):
        if config.database_url is None:
            with closing(sqlite3.connect(config.data / "office.db")) as file:
                rows += file.execute(f"SELECT * FROM {table}").fetchall()
        else:
            with psycopg.connect(config.database_url) as connection:
                rows += connection.execute(f"SELECT * FROM office.{table}".encode()).fetchall()
    return repr(rows)


def test_names_are_joined_for_users_alone(office: Office) -> None:
    ann, bob = office.register("ann", PASSWORD), office.register("bob", PASSWORD)
    wanted = [ann.id, bob.id, ann.id, "bot:random:2", "p_unknown"]
    assert office.names_of(wanted) == {ann.id: "ann", bob.id: "bob"}
    assert office.names_of([]) == office.names_of(["server"]) == {}


def test_boards_are_numbered_from_1_and_gaps_are_fine(office: Office) -> None:
    assert [office.new_board() for _ in range(3)] == [1, 2, 3]
    assert office.bind_board(3, GAME) == 3
    assert (office.game_of_board(3), office.board_of_game(GAME)) == (GAME, 3)
    assert (office.game_of_board(1), office.game_of_board(2**31 - 1), office.board_of_game(OTHER)) == (None, None, None)


def test_a_game_keeps_the_number_it_was_given_first(office: Office) -> None:
    assert office.bind_board(office.new_board(), GAME) == 1
    assert office.bind_board(office.new_board(), GAME) == 1
    assert office.game_of_board(2) is None


def test_a_number_is_never_given_to_a_second_game(office: Office) -> None:
    office.bind_board(1, GAME)
    with pytest.raises(ValueError, match="board 1 belongs to another game"):
        office.bind_board(1, OTHER)


def test_boards_taken_at_once_at_two_servers_are_all_different(office: Office, neighbour: Office) -> None:
    taken = at_once(8, lambda index: [(office, neighbour)[index % 2].new_board() for _ in range(10)])
    assert sorted(number for numbers in taken for number in numbers) == list(range(1, 81))


def test_one_game_bound_at_once_at_two_servers_has_one_number(office: Office, neighbour: Office) -> None:
    bound = at_once(8, lambda index: (office, neighbour)[index % 2].bind_board(index + 1, GAME))
    assert set(bound) == {office.board_of_game(GAME)}


def test_the_secret_is_made_once_for_all_servers_on_the_store(office: Office, neighbour: Office) -> None:
    made = at_once(8, lambda index: (office, neighbour)[index % 2].server_secret())
    assert len(set(made)) == 1
    assert len(made[0]) == 32


def test_the_secret_stands_in_a_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    data = tmp_path / "new"
    with closing(open_office(Config(data=data, hashing="cheapest"))) as office:
        secret = office.server_secret()
    assert [file.name for file in (data / "keys").iterdir()] == ["server.secret"]
    assert (data / "keys" / "server.secret").read_bytes() == secret
    modes = [stat.S_IMODE(at.stat().st_mode) for at in (data, data / "keys", data / "keys" / "server.secret")]
    assert modes == [0o700, 0o700, 0o600]


def test_everything_is_there_after_a_restart(config: Config) -> None:
    with closing(open_office(config)) as before:
        ann = before.register("ann", PASSWORD)
        token, secret = before.login("ann", PASSWORD), before.server_secret()
        before.bind_board(before.new_board(), GAME)
    with closing(open_office(config)) as after:
        assert after.player_of_token(token) == ann
        assert (after.server_secret(), after.game_of_board(1), after.new_board()) == (secret, GAME, 2)


def test_servers_that_start_at_once_on_a_new_store_all_start(config: Config) -> None:
    offices = at_once(6, lambda _: open_office(config))
    names = [office.register(f"p{index}", PASSWORD).name for index, office in enumerate(offices)]
    for office in offices:
        office.close()
    assert names == [f"p{index}" for index in range(6)]


@pytest.mark.parametrize("text", HOSTILE)
def test_sql_in_any_text_is_only_text(office: Office, text: str) -> None:
    ann = office.register("ann", PASSWORD)
    hostile = office.register(text, PASSWORD + text)
    assert office.player_of_token(office.login(text, PASSWORD + text)) == office.player_by_name(text) == hostile
    assert office.player_of_token(text) is None
    assert office.names_of([text, ann.id]) == {ann.id: "ann"}
    assert office.board_of_game(text) is None


def test_the_file_is_power_safe(tmp_path: Path) -> None:
    with closing(open_office(Config(data=tmp_path, hashing="cheapest"))) as office:
        asked = [office._sql.run(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")]
    assert asked == ["wal", 2]


def test_a_closed_office_answers_nothing(config: Config) -> None:
    office = open_office(config)
    office.ping()
    office.close()
    with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError)):
        office.ping()


def test_a_database_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(psycopg.OperationalError):
        open_office(Config(database_url=f"postgresql://nobody@/none?host={tmp_path}", hashing="cheapest"))
