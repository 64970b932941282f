"""The keys that sign receipts (docs/trust.md): created at the first start, stored, rotated, lost, and never printed."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from click.testing import Result

from api.accounts.accounts import open_accounts
from api.config import Config, ConfigError
from api.container import open_games, open_services
from api.evidence.services.keys import SigningKeys
from domain.protocols.signed_notes import Checkpoint, parse_key, parse_note
from replay.history.signatures import read_rotation, signing_keys
from tests.api.conftest import Caller, MakeApp, config_for, services_of
from tests.commands import run as program
from tests.conftest import Database

HEAD = Checkpoint("cards.example/game/x", 1, bytes(32))


@contextmanager
def keys_of(config: Config) -> Iterator[SigningKeys]:
    """Open the keys as a process of its own would."""
    with closing(open_accounts(config)) as accounts:
        yield SigningKeys(accounts.database, accounts.secrets.folder)


@pytest.fixture
def named(database: Database) -> Config:
    """Return a configuration with an origin."""
    return replace(config_for(database), origin="cards.example")


def run(database: Database, *arguments: str) -> Result:
    """Run the program on these stores."""
    return program(*arguments, at=config_for(database))


def test_the_first_start_creates_a_key_and_later_starts_keep_it(named: Config) -> None:
    texts = []
    for _ in range(2):
        with keys_of(named) as keys:
            keys.start(named.origin)
            texts.append([key.text for key in keys.public_keys()])
            assert signing_keys(parse_note(keys.sign(HEAD)), keys.public_keys()) == keys.public_keys()
    assert texts[0] == texts[1]
    assert texts[0][0].startswith("cards.example+")


def test_the_key_is_a_private_file_beside_sqlite_and_no_file_on_postgres(named: Config) -> None:
    with keys_of(named) as keys:
        keys.start(named.origin)
        label, name = keys.current().label, f"receipts-{keys.current().id.hex()}.key"
    files = sorted(path.name for path in (named.data / "keys").glob("*"))
    assert files == ([] if named.database_url else [name])
    for path in (named.data / "keys").glob("*"):
        assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o077) == (0o600, 0)
        assert path.read_text().startswith(f"PRIVATE+KEY+{label}+")


def test_without_an_origin_a_random_one_is_created(database: Database) -> None:
    with keys_of(config_for(database)) as keys:
        keys.start(None)
        assert keys.current().name.startswith("trickbook.invalid/")
        keys.start(keys.current().name)


def test_a_name_takes_the_place_of_a_made_up_one_until_there_is_a_game(database: Database) -> None:
    made_up = replace(config_for(database), origin=None)
    with closing(open_services(made_up)) as here:
        before = here.receipts.keys.current()
    with closing(open_services(replace(made_up, origin="cards.example"))) as here:
        keys = here.receipts.keys
        assert [key.name for key in keys.public_keys()] == ["cards.example"]
        assert signing_keys(parse_note(keys.sign(HEAD)), keys.public_keys()) == keys.public_keys()
        assert before.public != keys.current().public
        assert len(list((made_up.data / "keys").glob("receipts-*.key"))) == (0 if made_up.database_url else 1)
    with pytest.raises(ConfigError, match=r"name cards\.example"):  # a name that was chosen stays
        open_services(replace(made_up, origin="other.example"))


@pytest.mark.both_stores
def test_a_made_up_name_stays_once_there_is_a_game(database: Database) -> None:
    made_up = replace(config_for(database), origin=None)
    with closing(open_services(made_up)) as here:
        before = here.receipts.keys.current()
        here.accounts.boards.reserve("6f1d0c1e-0000-4000-8000-000000000001", "ann")
    with pytest.raises(ConfigError, match=f"name {before.name}; set it to {before.name}"):
        open_services(replace(made_up, origin="cards.example"))
    with closing(open_services(made_up)) as here:
        assert here.receipts.keys.current() == before
    assert len(list((made_up.data / "keys").glob("receipts-*.key"))) == (0 if made_up.database_url else 1)


def test_a_changed_origin_stops_the_start(named: Config) -> None:
    with closing(open_services(named)):
        pass
    with pytest.raises(ConfigError, match=r"TRICKBOOK_ORIGIN is other\.example, but .* name cards\.example"):
        open_services(replace(named, origin="other.example"))
    with closing(open_services(replace(named, origin=None))) as here:
        assert here.receipts.keys.current().name == "cards.example"


def start(config: Config) -> str:
    """Start as another server does, and return the key in use."""
    with keys_of(config) as keys:
        keys.start(config.origin)
        return keys.current().text


@pytest.mark.both_stores
def test_servers_that_start_together_use_one_key(named: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them has seen that there is no key."""
    with closing(open_accounts(named)):
        pass
    add, together = SigningKeys._add, Barrier(3, timeout=60)

    def add_together(keys: SigningKeys, *values: Any) -> None:
        together.wait()
        add(keys, *values)

    monkeypatch.setattr(SigningKeys, "_add", add_together)
    with ThreadPoolExecutor(3) as pool:
        assert len(set(pool.map(start, [named] * 3))) == 1
    assert len(list((named.data / "keys").glob("*.key"))) == (0 if named.database_url else 1)


def test_a_missing_or_changed_key_file_stops_the_start(tmp_path: Path) -> None:
    config = Config(data=tmp_path, hashing="cheapest")
    open_services(config).close()
    (path,) = (tmp_path / "keys").glob("*.key")
    right = path.read_text()
    for wrong in ("", "garbage\n", right[:-3], right.replace("PRIVATE", "PUBLIC"), right[:-10] + "AAAAAAAAA\n", "\xff"):
        path.write_text(wrong, encoding="latin-1")
        with pytest.raises(ConfigError, match="key"):
            open_services(config)
    path.unlink()
    with pytest.raises(ConfigError, match=rf"{path.name}.*No such file.*rotate --lost"):
        open_services(config)
    path.write_text(right)
    open_services(config).close()


def test_a_key_is_rotated_while_servers_run(make_app: MakeApp, named: Config, database: Database) -> None:
    app = make_app(named)
    ann = Caller(app.test_client()).join("ann")
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["id"]
    before = ann.get("/.well-known/trickbook/keys").get_json()
    old = services_of(app).receipts.issue(game, 3).note
    unsure = run(database, "keys", "rotate")
    assert (unsure.exit_code, "Nothing has changed. Answer y, or add --yes." in unsure.stderr) == (2, True)
    assert ann.get("/.well-known/trickbook/keys").get_json() == before
    done = run(database, "keys", "rotate", "--yes")
    assert done.exit_code == 0, done.output
    assert "Publish the note beside the new key" in done.stderr
    after = ann.get("/.well-known/trickbook/keys").get_json()
    assert after["keys"] == [*before["keys"], after["current"]]
    assert (before["rotations"], after["rotations"]) == ([], [done.stdout])
    assert [key.text for key in read_rotation(done.stdout)] == after["keys"]
    first, second = map(parse_key, after["keys"])
    assert ann.get(f"/games/{game}/receipt?size=3").get_json()["note"] == old
    assert signing_keys(parse_note(old), [first, second]) == [first]
    new = services_of(app).receipts.issue(game, 4).note
    assert signing_keys(parse_note(new), [first, second]) == [second]
    ann.post(f"/games/{game}/moves", {"type": "resign"})
    report = ann.get(f"/games/{game}/audit").get_json()
    assert [each["state"] for each in report["log"]["receipts"]] == ["good"] * 3
    assert {each["key"] for each in report["log"]["receipts"]} == {first.label, second.label}
    assert report["verdict"]["code"] == 0


def test_a_lost_key_is_replaced_without_a_rotation_note(tmp_path: Path) -> None:
    config, database = Config(data=tmp_path, hashing="cheapest"), Database(None, tmp_path)
    open_services(config).close()
    (path,) = (tmp_path / "keys").glob("*.key")
    path.unlink()
    assert run(database, "keys", "rotate", "--yes").exit_code == 2
    done = run(database, "keys", "rotate", "--yes", "--lost")
    assert done.exit_code == 0
    with closing(open_services(config)) as here:
        assert here.receipts.keys.current().text == done.stdout.strip()
        known = [key.text for key in here.receipts.keys.public_keys()]
    shown = run(database, "keys", "show")
    assert shown.stdout.splitlines() == known
    assert "not signed by the previous key" in shown.output


def test_a_key_can_be_rotated_repeatedly(named: Config) -> None:
    with keys_of(named) as one, keys_of(named) as two:
        one.start(named.origin)
        one.rotate()
        two.rotate()
        published = one.published_keys()
        assert [each.number for each in published] == [1, 2, 3]
        assert all(read_rotation(each.note)[1] == each.key for each in published if each.note)


def test_keys_show_prints_the_published_keys_in_the_form_that_key_accepts(
    named: Config, database: Database, make_app: MakeApp
) -> None:
    app = make_app(named)
    shown = run(database, "keys", "show")
    assert shown.stdout == Caller(app.test_client()).get("/.well-known/trickbook/keys").get_json()["current"] + "\n"
    published = Caller(app.test_client()).get("/.well-known/trickbook/keys").get_json()
    assert json.loads(run(database, "keys", "show", "--json").stdout) == published


def test_no_command_creates_a_key_before_the_first_start(database: Database) -> None:
    with closing(open_accounts(config_for(database))), closing(open_games(config_for(database))):
        pass
    for command in (("keys", "show"), ("keys", "rotate", "--yes"), ("keys", "rotate", "--lost")):
        done = run(database, *command)
        assert (done.exit_code, "no signing key yet" in done.output) == (2, True)
    with keys_of(config_for(database)) as keys:
        assert keys.published_keys() == []


def test_no_private_key_is_printed(named: Config, database: Database, make_app: MakeApp) -> None:
    ann = Caller(make_app(named).test_client()).join("ann")
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["id"]
    with keys_of(named) as keys:
        secret = keys._secret(keys.current()).rstrip("\n").split("+", 4)[4]
        assert len(secret) == 44
        assert secret not in repr(keys) + repr(vars(keys))
    assert ann.post(f"/games/{game}/receipts", {}).status_code == 201
    paths = f"/games/{game}/receipt", f"/games/{game}/export", "/.well-known/trickbook/keys"
    answers = [ann.get(path).text for path in paths]
    answers += [run(database, "keys", "show", "--json").output, run(database, "keys", "rotate", "--yes").output]
    assert not any(secret in answer for answer in answers)
