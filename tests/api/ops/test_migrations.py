"""The accounts of version 0.1, opened by this version on each store."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from api.accounts.accounts import open_accounts
from api.accounts.migrations import MIGRATIONS, NewerSchema
from api.app import create_app
from api.config import Config
from api.delivery.stored.log_reader import ReaderPlace, ReaderPlaces
from api.delivery.stored.queue import QUEUES
from api.people.stored.tokens import DAY_US
from api.people.stored.users import NameTaken
from domain.store.held_clock import machine_time
from domain.store.log import LogPosition
from tests.api.conftest import PASSWORD, Caller, config_for, services_of
from tests.api.live_server import GameServer, ServedGame, write_export
from tests.commands import run
from tests.conftest import Database

pytestmark = pytest.mark.no_tables
STORED = Path(__file__).parents[2] / "stored" / "office-0.1.sql"
DELIVERIES = STORED.with_name("deliveries-0.2.sql")
OLD_PASSWORD, TOKEN_OF_ANNL = "12345678", "tb_pQvPMBojUfLPq--TL6F_zmcnLAWxrXjHaB8dAwbL1WQ"


def execute(database: Database, statements: str) -> None:
    """Run statements on the accounts' tables, without the program."""
    if database.url is None:
        with closing(sqlite3.connect(database.data / "office.db")) as file:
            file.executescript(statements)
    else:
        with psycopg.connect(database.url) as connection:
            connection.execute("CREATE SCHEMA IF NOT EXISTS office")
            connection.execute("SET search_path = office")
            connection.execute(statements.encode())


@pytest.fixture
def old(database: Database) -> Config:
    """A store with the accounts of version 0.1."""
    execute(database, STORED.read_text())
    return config_for(database)


def test_users_tokens_and_roles_of_version_0_1_are_kept(old: Config) -> None:
    for _ in range(2):
        with closing(open_accounts(old)) as accounts:
            names = ["ann", "Ann1", "annl", "admin", "Corn"]
            users = [accounts.users.by_name(name) for name in names]
            assert [user.name for user in users if user is not None] == names
            assert accounts.tokens.user_of(TOKEN_OF_ANNL) == accounts.users.by_name("annl")
            assert accounts.tokens.user_of(accounts.login("admin", OLD_PASSWORD)) == accounts.users.by_name("admin")
            assert accounts.roles.holders() == [("ann", "arbiter")]
            assert accounts.boards.number_of("6fa459ea-ee8a-4ca4-894e-db77e160355e") == 1


def test_old_tokens_play_and_end_in_90_days(old: Config) -> None:
    for _ in range(2):  # the second start changes nothing
        with closing(open_accounts(old)) as accounts:
            found = accounts.tokens.find(TOKEN_OF_ANNL)
            assert found is not None
            assert (found.scope, found.guest, found.label) == ("play", False, None)
            assert 0 <= (found.expires or 0) - (machine_time() + 89 * DAY_US) < DAY_US


def test_a_store_of_version_0_1_plays_on_and_verifies(old: Config, tmp_path: Path) -> None:
    app = create_app(old)
    with closing(services_of(app)) as services:
        annl = Caller(app.test_client(), TOKEN_OF_ANNL)
        renewed = annl.post("/me/password", {"password": OLD_PASSWORD, "new_password": PASSWORD})
        annl = replace(annl, token=renewed.get_json()["token"])
        table = {"variant": "pitch", "seats": ["annl", "bot:simple"], "options": {"win": 7}}
        opened = annl.post("/games", table).get_json()
        assert opened["board"] == 2
        game = ServedGame(GameServer(app, old), opened["id"], {0: annl})
        game.play(lambda view: view["status"] == "finished")
        services.followers.catch_up()
        assert annl.ask("DELETE", "/me", {"password": PASSWORD}).status_code == 202
        assert run("game", "verify", write_export(game, tmp_path)).exit_code == 0
    assert run("game", "audit", game.id, at=old).exit_code == 0
    assert run("store", "check", at=old).exit_code == 0


@pytest.mark.parametrize(
    ("name", "other"), [("annI", "Ann1"), ("ANN", "ann"), ("anni", "Ann1"), ("Com", "Corn"), ("c-orn_", "Corn")]
)
def test_new_names_may_not_look_like_those_of_version_0_1(old: Config, name: str, other: str) -> None:
    with closing(open_accounts(old)) as accounts:
        with pytest.raises(NameTaken, match=f"the name {other} is taken, and {name} "):
            accounts.users.register(name, PASSWORD)
        assert accounts.users.register("bob", PASSWORD).name == "bob"


def test_names_of_before_that_look_alike_now_are_kept(database: Database) -> None:
    with closing(open_accounts(config_for(database))) as accounts:
        for name in ("dark", "anna"):
            accounts.users.register(name, PASSWORD)
    execute(
        database,
        """DELETE FROM schema_version WHERE number >= 4; DROP INDEX users_by_lookalike;
        UPDATE users SET lookalike = 'dark' WHERE name = 'dark'; UPDATE users SET lookalike = NULL WHERE name = 'anna';
        CREATE UNIQUE INDEX users_by_lookalike ON users (lookalike);
        INSERT INTO users (player, name, folded, lookalike, password, created)
        SELECT 'p_0', 'clark', 'clark', 'clark', password, 0 FROM users WHERE name = 'dark';""",
    )
    with closing(open_accounts(config_for(database))) as accounts:
        assert [accounts.login(name, PASSWORD)[:3] for name in ("dark", "clark", "anna")] == ["tb_"] * 3
        for name, other in (("c1ark", "clark"), ("Clark", "clark"), ("Dark", "dark"), ("an-na", "anna")):
            with pytest.raises(NameTaken, match=f"the name {other} is taken, and {name} "):
                accounts.users.register(name, PASSWORD)
        user = accounts.users.by_name("clark")
        assert user is not None
        accounts.erasures.erase(user.id)
        with pytest.raises(NameTaken, match="the name dark is taken, and clark looks like it"):
            accounts.users.register("clark", PASSWORD)


def test_several_processes_migrate_once(old: Config, query: Callable[[str], int]) -> None:
    with ThreadPoolExecutor(4) as pool:
        for accounts in pool.map(lambda _: open_accounts(old), range(4)):
            accounts.close()
    assert query("SELECT COUNT(*) FROM schema_version") == len(MIGRATIONS)
    assert query("SELECT COUNT(*) FROM users WHERE lookalike IS NULL") == 0


def test_the_accounts_of_a_newer_version_are_left_alone(database: Database) -> None:
    open_accounts(config_for(database)).close()
    execute(database, "INSERT INTO schema_version VALUES (1000)")
    with pytest.raises(NewerSchema, match="version 1000 and this program knows version"):
        open_accounts(config_for(database))


@pytest.fixture
def query(database: Database) -> Callable[[str], int]:
    """Return the number that a query of the accounts' tables selects."""

    def run(statement: str) -> int:
        if database.url is None:
            with closing(sqlite3.connect(database.data / "office.db")) as file:
                return int(file.execute(statement).fetchone()[0])
        with psycopg.connect(database.url, options="-c search_path=office") as connection:
            row = connection.execute(statement.encode()).fetchone()
            return int(row[0]) if row else -1

    return run


@pytest.mark.both_stores
def test_all_that_waited_in_version_0_2_is_in_the_queue(database: Database) -> None:
    open_accounts(config_for(database)).close()
    execute(database, DELIVERIES.read_text())
    for _ in range(2):  # the second start changes nothing
        with closing(open_accounts(config_for(database))) as accounts:
            queue, places = accounts.deliveries, ReaderPlaces(accounts.database)
            accounts.database.clock = lambda: 10_000
            states = {name: queue.state_of(name) for name in QUEUES}
            assert {name: (each.waiting, each.oldest, each.given_up) for name, each in states.items()} == {
                "account-mails": (1, 5000, 0),
                "mail-answers": (2, 4000, 0),
                "board-mails": (3, 7000, 0),
                "webhooks": (2, 100, 1),
                "witnesses": (0, None, 0),
            }
            assert queue.has("mail-answers", "reply2"), "a mail that was answered is answered once"
            shown = [
                (each.id, each.number, each.failing, each.failure, each.ended) for each in accounts.webhooks.of("p_1")
            ]
            assert shown == [
                ("w_1", 17, None, None, None),
                ("w_2", 15, 800, "the answer was 500", None),
                ("w_3", 2, 600, "the answer was 410", 700),
            ]
            assert places.of("board mails") == ReaderPlace((LogPosition(0, 120, "aa"),), 55)
            assert places.of("receipts") == ReaderPlace((LogPosition(0, 110, "bb"),), 0)
    with closing(open_accounts(config_for(database))) as accounts:
        # then what was handed over without an answer goes again as it was, and numbers go on
        accounts.database.clock = lambda: 10_000
        item = accounts.deliveries.take("board-mails", "p_1 g_1")
        assert item is not None
        assert (item.tries, item.message, item.version) == (3, "To: ann@example.net", 12)
        assert accounts.board_mails.read(item).rows == [(12, "turn"), (14, "over")]
        # and tries go on, a mail that a process of before is sending waits, and a stranger gets an answer
        last, sending, answer = (
            accounts.deliveries.take(*key)
            for key in (("board-mails", "p_2 g_1"), ("board-mails", "p_3 g_1"), ("mail-answers", "reply3"))
        )
        assert last is not None
        assert (last.message, accounts.deliveries.fail(last, "refused"), sending) == (None, True, None)
        assert answer is not None
        assert (answer.player, answer.message) == ("", "To: eve@example.net")
        mail = accounts.deliveries.take("account-mails", "7")
        assert mail is not None
        accounts.emails.finish(mail)
        accounts.emails.ask("p_1", "ann@example.net")
        assert accounts.deliveries.due("account-mails", 9) == ["8"]


@pytest.mark.both_stores
def test_a_store_of_version_0_2_that_sent_no_mail_begins_with_the_first_number(database: Database) -> None:
    open_accounts(config_for(database)).close()
    execute(database, DELIVERIES.read_text().partition("INSERT INTO mails")[0])
    with closing(open_accounts(config_for(database))) as accounts:
        assert [ReaderPlaces(accounts.database).of(name) for name in ("board mails", "receipts")] == [None, None]
        accounts.emails.ask("p_1", "ann@example.net")
        assert accounts.deliveries.due("account-mails", 9) == ["1"]
