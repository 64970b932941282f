"""Users, tokens, board numbers and the server's secret, on each store."""

import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import psycopg
import pytest

from api.accounts.accounts import Accounts, open_accounts
from api.config import Config
from api.people.stored.tokens import MAX_AGE_S, token_sha256
from api.people.stored.users import BadLogin, NameTaken, User, UserDisabled
from api.tables.stored.boards import OpenedTooOften, OpeningLimits, TooManyUnfinished
from api.web.exception_handlers import SLUGS
from tests.api.conftest import PASSWORD, config_for
from tests.conftest import Database
from tests.simultaneous import at_once

GAME, OTHER = "6fa459ea-ee8a-4ca4-894e-db77e160355e", "16fd2706-8baf-433b-82eb-8c7fada847da"


@pytest.fixture
def config(database: Database) -> Config:
    """Wait up to a minute for a connection too, since these tests write from eight threads."""
    return replace(config_for(database), connect_timeout_s=60)


@pytest.fixture
def accounts(config: Config) -> Iterator[Accounts]:
    with closing(open_accounts(config)) as opened:
        yield opened


@pytest.fixture
def neighbour(config: Config, accounts: Accounts) -> Iterator[Accounts]:
    """The accounts of a second server on the same store."""
    assert accounts.users.names_of([]) == {}
    with closing(open_accounts(config)) as opened:
        yield opened


T = TypeVar("T")


def eight(act: Callable[[int], T]) -> list[T]:
    """Do this eight times at once, and return the results."""
    return at_once(*(partial(act, index) for index in range(8)))


def can_recover(accounts: Accounts, code: str) -> bool:
    """Return whether a recovery code of ann is valid, and use it up."""
    with suppress(BadLogin):
        return accounts.recovery_codes.recover("ann", code, "a hash") != ""
    return False


def refusal_of(act: Callable[[], object]) -> tuple[str, str]:
    """Return the slug and the detail of the problem that `act` raises."""
    with pytest.raises((BadLogin, NameTaken)) as caught:
        act()
    return SLUGS[caught.type], str(caught.value)


def test_a_token_revoked_on_another_server_is_invalid_within_a_second(accounts: Accounts, neighbour: Accounts) -> None:
    time_s = 100.0
    accounts.tokens.timer = lambda: time_s
    ann = accounts.users.register("ann", PASSWORD)
    token = neighbour.login("ann", PASSWORD)
    assert accounts.tokens.user_of(token) == ann
    time_s += 0.1
    assert accounts.tokens.user_of(token) == ann, "which doesn't make its last look-up younger"
    neighbour.tokens.revoke(token)
    assert neighbour.tokens.user_of(token) is None
    time_s = 100.0 + MAX_AGE_S
    assert accounts.tokens.user_of(token) is None
    assert MAX_AGE_S < 1


def test_a_token_that_a_check_finds_invalid_is_no_longer_remembered(accounts: Accounts, neighbour: Accounts) -> None:
    accounts.tokens.timer = lambda: 100.0
    ann = accounts.users.register("ann", PASSWORD)
    first, second = accounts.login("ann", PASSWORD), accounts.login("ann", PASSWORD)
    assert [accounts.tokens.user_of(token) for token in (first, second)] == [ann, ann]
    neighbour.tokens.revoke(first)
    assert accounts.tokens.valid_among([token_sha256(first), token_sha256(second)]) == {token_sha256(second)}
    assert [accounts.tokens.user_of(token) for token in (first, second)] == [None, ann]


def test_one_query_reads_the_tokens_that_are_in_use(
    accounts: Accounts, neighbour: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    time_s, queries, run = 100.0, list[str](), accounts.database.run

    def count(statement: str, *values: object) -> object:
        queries.append(statement)
        return run(statement, *values)

    users = [accounts.users.register(name, PASSWORD) for name in ("ann", "bob", "cat", "dan")]
    tokens = [accounts.login(user.name, PASSWORD) for user in users]
    accounts.tokens.timer = lambda: time_s
    monkeypatch.setattr(accounts.database, "run", count)
    for _ in range(2):
        assert [accounts.tokens.user_of(token) for token in tokens] == users
    assert len(queries) == 4
    neighbour.tokens.revoke(tokens[1])
    neighbour.admin.disable(users[2])
    time_s += MAX_AGE_S
    assert accounts.tokens.user_of(tokens[0]) == users[0]
    assert accounts.tokens.user_of(tokens[3]) == users[3]
    assert len(queries) == 5, "the first query read both"
    assert accounts.tokens.user_of(tokens[1]) is None
    with pytest.raises(UserDisabled):
        accounts.tokens.user_of(tokens[2])


def test_an_act_of_the_host_ends_a_token_within_a_second(accounts: Accounts, neighbour: Accounts) -> None:
    time_s = 100.0
    accounts.tokens.timer = lambda: time_s
    users = [accounts.users.register(name, PASSWORD) for name in ("ann", "bob", "cat")]
    tokens = [accounts.login(user.name, PASSWORD) for user in users]
    assert [accounts.tokens.user_of(token) for token in tokens] == users
    neighbour.admin.disable(users[0])
    neighbour.admin.sign_out(users[1])
    neighbour.erasures.erase(users[2].id)
    time_s += MAX_AGE_S
    with pytest.raises(UserDisabled):
        accounts.tokens.user_of(tokens[0])
    assert [accounts.tokens.user_of(token) for token in tokens[1:]] == [None, None]


def test_R_P12_a_name_differing_only_by_case_is_taken(accounts: Accounts) -> None:
    accounts.users.register("ann", PASSWORD)
    for name in ("ann", "ANN", "Ann"):
        but = "" if name == "ann" else f", and {name} differs from it only in upper and lower case"
        says = f"the name ann is taken{but}; choose another one"
        assert refusal_of(partial(accounts.users.register, name, PASSWORD)) == ("name-taken", says)


def test_of_many_simultaneous_registrations_of_a_name_one_succeeds(accounts: Accounts) -> None:
    def register(index: int) -> User | str:
        try:
            return accounts.users.register("ann" if index % 2 else "Ann", PASSWORD)
        except NameTaken:
            return SLUGS[NameTaken]

    got = eight(register)
    assert got.count("name-taken") == 7


def test_the_password_fits_in_either_normal_form(accounts: Accounts) -> None:
    accounts.users.register("ann", "caf\u00e9-noir")
    assert accounts.tokens.user_of(accounts.login("ann", "cafe\u0301-noir"))


def test_neither_password_nor_token_is_stored_as_text(accounts: Accounts, config: Config) -> None:
    accounts.users.register("ann", PASSWORD)
    token = accounts.login("ann", PASSWORD)
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


def test_names_are_found_only_for_users(accounts: Accounts) -> None:
    ann, bob = accounts.users.register("ann", PASSWORD), accounts.users.register("bob", PASSWORD)
    gone = "p_" + "0" * 24
    wanted = [ann.id, bob.id, ann.id, "bot:random:2", "p_unknown", gone]
    assert accounts.users.names_of(wanted) == {ann.id: "ann", bob.id: "bob", gone: "deleted"}
    assert accounts.users.names_of([]) == accounts.users.names_of(["server"]) == {}


def test_boards_are_numbered_from_1_and_a_game_keeps_its_number(accounts: Accounts) -> None:
    assert [accounts.boards.reserve(game, "p0") for game in (OTHER, "third", GAME, OTHER)] == [1, 2, 3, 1]
    assert (accounts.boards.game_of(3), accounts.boards.number_of(GAME)) == (GAME, 3)
    assert [accounts.boards.game_of(number) for number in (4, 2**31 - 1)] == [None, None]
    assert accounts.boards.number_of("fourth") is None


def test_boards_taken_at_once_on_two_servers_are_all_different(accounts: Accounts, neighbour: Accounts) -> None:
    def take(index: int) -> list[int]:
        here = (accounts, neighbour)[index % 2]
        return [here.boards.reserve(f"game {index} {each}", "p0") for each in range(10)]

    assert sorted(number for numbers in eight(take) for number in numbers) == list(range(1, 81))


def test_one_game_bound_at_once_on_two_servers_has_one_number(accounts: Accounts, neighbour: Accounts) -> None:
    bound = eight(lambda index: (accounts, neighbour)[index % 2].boards.reserve(GAME, "p0"))
    assert set(bound) == {accounts.boards.number_of(GAME)}


def test_codes_renewed_at_once_on_two_servers_are_those_of_one(accounts: Accounts, neighbour: Accounts) -> None:
    ann = accounts.users.register("ann", PASSWORD).id
    renewed = eight(lambda index: [(accounts, neighbour)[index % 2].recovery_codes.renew(ann) for _ in range(4)][-1])
    assert accounts.recovery_codes.unused(ann) == len(renewed)
    valid = [all(can_recover(accounts, code) for code in codes) for codes in renewed]
    assert sorted(valid) == [False] * 7 + [True]


LIMITS = (
    (OpeningLimits(unfinished=5), TooManyUnfinished),
    (OpeningLimits(per_hour=5), OpenedTooOften),
)


@pytest.mark.parametrize(("limits", "refusal"), LIMITS, ids=["unfinished", "an hour"])
def test_a_limit_on_openings_holds_for_two_servers_asked_at_once(
    accounts: Accounts, neighbour: Accounts, limits: OpeningLimits, refusal: type[Exception]
) -> None:
    def take(index: int) -> int:
        here, taken = (accounts, neighbour)[index % 2], 0
        for each in range(4):
            with suppress(refusal):
                taken += here.boards.reserve(f"game {index} {each}", "p0", limits) > 0
        return taken

    assert sum(eight(take)) == 5
    assert accounts.boards.reserve("of another player", "p1", limits) > 0
    with pytest.raises(refusal):
        neighbour.boards.reserve("one more", "p0", limits)


def test_a_refused_opening_uses_up_no_number_and_games_that_are_over_make_room(accounts: Accounts) -> None:
    limits = OpeningLimits(unfinished=1)
    assert accounts.boards.reserve(GAME, "p0", limits) == 1
    with pytest.raises(TooManyUnfinished, match="1 games aren't over"):
        accounts.boards.reserve(OTHER, "p0", limits)
    assert accounts.boards.reserve(GAME, "p0", limits) == 1
    accounts.boards.finish([GAME])
    assert accounts.boards.unfinished("p0") == []
    assert accounts.boards.reserve(OTHER, "p0", limits) == 2


def test_the_hourly_limit_says_when_the_oldest_opening_is_an_hour_ago(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = 1_800_000_000 * 1_000_000
    monkeypatch.setattr(accounts.database, "clock", lambda: moment)
    limits = OpeningLimits(per_hour=2)
    for game in (GAME, OTHER):
        accounts.boards.reserve(game, "p0", limits)
        moment += 600 * 1_000_000
    with pytest.raises(OpenedTooOften) as refused:
        accounts.boards.reserve("third", "p0", limits)
    assert (refused.value.count, refused.value.wait_s) == (2, 2400)
    moment += 2400 * 1_000_000
    assert accounts.boards.reserve("third", "p0", limits) == 3


def test_the_secret_is_made_once_for_all_servers_on_the_store(accounts: Accounts, neighbour: Accounts) -> None:
    made = eight(lambda index: (accounts, neighbour)[index % 2].secrets.server_secret())
    assert len(set(made)) == 1
    assert len(made[0]) == 32


def test_only_the_owner_can_read_the_file_with_the_secret(tmp_path: Path) -> None:
    data = tmp_path / "new"
    with closing(open_accounts(Config(data=data, hashing="cheapest"))) as accounts:
        secret = accounts.secrets.server_secret()
    assert [file.name for file in (data / "keys").iterdir()] == ["server.secret"]
    assert (data / "keys" / "server.secret").read_bytes() == secret
    modes = [stat.S_IMODE(at.stat().st_mode) for at in (data, data / "keys", data / "keys" / "server.secret")]
    assert modes == [0o700, 0o700, 0o600]


def test_servers_that_start_at_once_on_a_new_store_all_start(config: Config) -> None:
    servers = at_once(*[partial(open_accounts, config)] * 6)
    names = [accounts.users.register(f"p{index}", PASSWORD).name for index, accounts in enumerate(servers)]
    for accounts in servers:
        accounts.close()
    assert names == [f"p{index}" for index in range(6)]


def test_the_file_is_power_safe(tmp_path: Path) -> None:
    with closing(open_accounts(Config(data=tmp_path, hashing="cheapest"))) as accounts:
        asked = [accounts.database.run(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")]
    assert asked == ["wal", 2]
