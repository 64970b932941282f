"""Rulebooks over HTTP: posting, the check by a process of its own, opening a table, and erasing their author."""

import json
import threading
from contextlib import closing
from dataclasses import replace
from typing import Any

import httpx
import pytest
from flask import Flask

from api.accounts.accounts import open_accounts
from api.config import Config
from api.config.limits import Limits, Rate
from api.tables.services.rulebook_checks import RulebookChecker
from api.tables.services.rulebook_document import read_document
from api.tables.stored.rulebooks import LEASE_US, Rulebooks, RulebookStatus
from domain.state import require
from replay import rulebook_check
from replay.audit import GREEN, audit
from replay.history import export_bytes, read_export
from replay.rejudge import rejudge
from tests.api.conftest import Caller, MakeApp, app, caller, check_problem, config, make_app, services_of
from tests.api.thread_server import serve_in_thread
from tests.commands import run
from tests.conduct.conftest import moderator
from tests.replay.playing import long

__all__ = ["app", "caller", "config", "make_app"]
OURS = {"name": "Ours", "text": "As at the club.", "from": "setback", "rules": {"goal": 2, "hand_sizes": [3]}}
EQUAL = {"name": "Theirs", "from": "setback", "rules": {"hand_sizes": [3], "goal": 2}}


def post(player: Caller, body: dict[str, Any]) -> dict[str, Any]:
    answer = player.post("/rulebooks", body)
    assert answer.status_code == 202, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def check_all(app: Flask) -> None:
    """Let a worker check what waits."""
    checker = RulebookChecker(services_of(app))
    while checker.run_once(threading.Event()):
        pass


@pytest.mark.both_stores
def test_a_rulebook_is_checked_by_playing_and_then_opens_tables_that_verify(app: Flask, caller: Caller) -> None:
    ann = caller.join("ann")
    posted = post(ann, OURS)
    address = posted["rulebook"]
    assert (posted["status"], posted["games"], posted["of"]) == ("waiting", 0, rulebook_check.GAMES)
    assert post(ann, EQUAL)["rulebook"] == address, "the address is of the rules alone"
    early = ann.post("/games", {"rulebook": address, "seats": ["ann", "bot:simple", "bot:simple"]})
    assert "isn't over yet" in str(check_problem(early, 409, "not-offered")["detail"])
    check_all(app)
    shown = caller.get(f"/rulebooks/{address}").get_json()
    assert (shown["status"], shown["games"], shown["says"]) == ("green", rulebook_check.GAMES, None)
    assert (shown["name"], shown["text"]) == ("Ours", "As at the club.")
    assert [each["rulebook"] for each in caller.get("/rulebooks").get_json()["items"]] == [address]
    opened = ann.post("/games", {"rulebook": address[:8], "seats": ["ann", "bot:simple", "bot:simple"]}).get_json()
    fact = opened["events"][0]["event"]["data"]
    assert (fact["variant"], fact["options"]) == ("house", {"rulebook": address})
    assert (fact["rules"]["goal"], fact["rules"]["hand_sizes"], fact["rules"]["seats"]) == (2, [3], [3])
    assert ann.post(f"/games/{opened['id']}/moves", {"type": "resign"}).status_code == 201
    history = read_export(ann.get(f"/games/{opened['id']}/export").data)
    assert audit(history, rejudge(history)).code() == GREEN


@pytest.mark.both_stores
def test_what_goes_wrong_is_kept_as_an_export_and_a_sentence_and_can_be_tried_again(app: Flask, caller: Caller) -> None:
    ann, books = caller.join("ann"), services_of(app).accounts.rulebooks
    address = post(ann, OURS)["rulebook"]
    check_problem(caller.get(f"/rulebooks/{address}/game"), 404, "not-found")
    export = export_bytes(long(1))
    books.finish(address, RulebookStatus.REFUSED, 3, "Seat 0 has no legal move.", export.decode())
    shown = caller.get(f"/rulebooks/{address}").get_json()
    assert (shown["status"], shown["games"], shown["says"]) == ("refused", 3, "Seat 0 has no legal move.")
    assert caller.get(f"/rulebooks/{address}/game").data == export
    refused = ann.post("/games", {"rulebook": address, "seats": ["ann", "bot:simple", "bot:simple"]})
    assert "Seat 0 has no legal move." in str(check_problem(refused, 409, "not-offered")["detail"])
    assert post(ann, OURS)["status"] == "waiting"


@pytest.mark.both_stores
def test_a_worker_that_dies_leaves_the_check_to_another_one_a_minute_later(app: Flask, caller: Caller) -> None:
    services = services_of(app)
    books, address = services.accounts.rulebooks, post(caller.join("ann"), OURS)["rulebook"]
    taken = books.take_waiting()
    assert taken is not None
    assert taken.address == address
    assert books.take_waiting() is None
    books.note_progress(address, 7)
    services.accounts.database.run("UPDATE rulebooks SET leased = leased - ?", LEASE_US)
    again = books.take_waiting()
    assert again is not None
    assert again.games == 7


@pytest.mark.both_stores
@pytest.mark.process
def test_a_stream_says_how_far_a_check_is_and_ends_with_it(config: Config) -> None:
    book = read_document(OURS).rulebook
    with closing(open_accounts(config)) as accounts:
        books = accounts.rulebooks
        books.add(book.address, book.canonical.decode(), "Ours", "", "ann")
        accounts.database.run(
            "UPDATE rulebooks SET leased = ?", 2 * accounts.clock.kept_us()
        )  # the server's worker waits
        with serve_in_thread(config) as server:
            url = f"{server.url}/api/v1/rulebooks/{book.address}"
            headers = {"Accept": "text/event-stream"}
            with httpx.stream("GET", url, headers=headers, timeout=60, trust_env=False) as answer:
                assert answer.headers["Content-Type"] == "text/event-stream"
                frames = (json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: "))
                assert next(frames) == httpx.get(url, trust_env=False).json()
                books.note_progress(book.address, 7)
                assert next(frames)["games"] == 7
                books.finish(book.address, RulebookStatus.GREEN, rulebook_check.GAMES, None, None)
                assert [each["status"] for each in frames] == ["green"]
            missing = httpx.get(f"{server.url}/api/v1/rulebooks/{'0' * 64}", headers=headers, trust_env=False)
            assert missing.status_code == 404


def test_five_checks_an_hour(make_app: MakeApp, config: Config) -> None:
    app = make_app(replace(config, limits=replace(config.limits, rulebooks=Rate(5, 3600))))
    ann = Caller(app.test_client()).join("ann")
    for goal in range(5, 10):
        post(ann, OURS | {"rules": {"goal": goal}})
    assert post(ann, OURS | {"rules": {"goal": 5}})["status"] == "waiting", "one that is there already costs nothing"
    check_problem(ann.post("/rulebooks", OURS | {"rules": {"goal": 10}}), 429, "too-many-requests")
    assert Limits().rulebooks == Rate(5, 3600)


@pytest.mark.both_stores
def test_attack_187_rulebooks_of_many_guests_do_not_keep_others_waiting(make_app: MakeApp, config: Config) -> None:
    """To check one takes minutes. An address has a limit, however many guests it makes, and authors take turns."""
    app = make_app(replace(config, limits=replace(config.limits, rulebooks_by_address=Rate(4, 3600))))
    nobody, books = Caller(app.test_client()), services_of(app).accounts.rulebooks
    ann, bob, cat = (nobody.join(name) for name in ("ann", "bob", "cat"))
    first, second, third = (post(ann, OURS | {"rules": {"goal": goal}})["rulebook"] for goal in (5, 6, 7))
    bobs = post(bob, OURS | {"rules": {"goal": 8}})["rulebook"]
    check_problem(cat.post("/rulebooks", OURS | {"rules": {"goal": 9}}), 429, "too-many-requests")
    taken = [found.address for _ in range(4) if (found := books.take_waiting()) is not None]
    assert taken == [first, bobs, second, third]
    assert Limits().rulebooks_by_address == Rate(20, 3600)


@pytest.mark.both_stores
def test_an_author_sees_and_takes_along_what_they_wrote_and_it_is_erased_with_them(app: Flask, caller: Caller) -> None:
    ann, services = caller.join("ann"), services_of(app)
    address = post(ann, OURS)["rulebook"]
    assert [each["name"] for each in ann.get("/me/rulebooks").get_json()["items"]] == ["Ours"]
    (stored,) = ann.get("/me/export").get_json()["rulebooks"]
    assert (stored["rulebook"], stored["name"], stored["text"]) == (address, "Ours", "As at the club.")
    services.accounts.erasures.erase(require(services.accounts.users.by_name("ann")).id)
    shown = caller.get(f"/rulebooks/{address}").get_json()
    assert (shown["name"], shown["text"], shown["author"]) == (None, None, None)
    assert shown["rules"]["goal"] == 2


@pytest.mark.both_stores
def test_tables_play_by_the_rulebooks_that_the_host_allows_and_by_every_game(
    app: Flask, caller: Caller, config: Config
) -> None:
    ann, books = caller.join("ann"), services_of(app).accounts.rulebooks
    ours, theirs = (post(ann, OURS | {"rules": {"goal": goal}})["rulebook"] for goal in (2, 3))
    for address in (ours, theirs):
        books.finish(address, RulebookStatus.GREEN, 200, None, None)
    seats = ["ann", "bot:simple", "bot:simple"]
    forming = ann.post("/games", {"rulebook": theirs, "seats": ["ann", "open", "bot:simple"]}).get_json()["id"]

    def listed() -> tuple[set[str], bool]:
        found = caller.get("/rulebooks").get_json()
        return {each["rulebook"] for each in found["items"]}, found["restricted"]

    def command(*words: str) -> str:
        done = run("rulebook", *words, at=config)
        assert done.exit_code == 0, done.output
        return done.stdout

    assert listed() == ({ours, theirs}, False)
    assert command("allow", ours[:8]) == f"{ours} is allowed. The list has 1 now.\n"
    assert command("allow", ours) == f"{ours} is allowed. The list has 1 now.\n", "once more changes nothing"
    assert listed() == ({ours}, True)
    assert [caller.get(f"/rulebooks/{each}").get_json()["allowed"] for each in (ours, theirs)] == [True, False]
    assert ann.post("/games", {"rulebook": ours, "seats": seats}).status_code == 201
    assert ann.post("/games", {"rulebook": "setback-21", "seats": [*seats, "bot:simple"]}).status_code == 201
    for named in ({"rulebook": theirs}, {"variant": "house", "options": {"rulebook": theirs}}):
        refused = ann.post("/games", {**named, "seats": seats})
        assert "doesn't allow" in str(check_problem(refused, 409, "not-offered")["detail"])
    assert caller.join("bob").post(f"/games/{forming}/seats", {}).status_code == 201, "a table that forms deals"
    assert command("forbid", theirs) == f"{theirs} isn't on the list. The list has 1 now.\n"
    assert "The list is empty" in command("forbid", ours)
    assert listed() == ({ours, theirs}, False)
    for digits, says in (("0" * 64, "Copy it from the rulebook's link."), ("", "Write more of its digits.")):
        wrong = run("rulebook", "allow", digits, at=config)
        assert (wrong.exit_code, says in wrong.stderr) == (2, True)


WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("no name", {"name": ""}, "name"),
    ("a game that isn't there", {"from": "whist"}, "from"),
    ("a field that isn't there", {"rules": {"gaol": 5}}, "gaol"),
    ("a text for a number", {"rules": {"goal": "5"}}, "goal"),
    ("an unknown choice", {"rules": {"trump": "bought"}}, "trump"),
    ("a nested field", {"rules": {"auction": {"least": 1.5}}}, "least"),
    ("an option that isn't offered", {"options": {"low": 3}}, "low"),
    ("more cards than the deck has", {"rules": {"hand_sizes": [20]}}, "deck has 52"),
    ("players of no number", {"by_players": {"1": {}}}, "by_players"),
    ("quirks", {"rules": {"quirks": ["low_joker"]}}, "quirks"),
)


@pytest.mark.parametrize(("body", "says"), [(body, says) for _, body, says in WRONG], ids=[each[0] for each in WRONG])
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_stored(
    app: Flask, caller: Caller, body: dict[str, Any], says: str
) -> None:
    ann = caller.join("ann")
    problem = check_problem(ann.post("/rulebooks", OURS | body), 400, "malformed")
    assert says in str(problem["errors"])
    assert ann.get("/me/rulebooks").get_json()["items"] == []


def test_a_rulebook_may_differ_by_the_number_of_players(app: Flask, caller: Caller) -> None:
    ann = caller.join("ann")
    body = OURS | {"rules": {"seats": [3, 4]}, "by_players": {"4": {"hand_sizes": [9], "goal": 7}}}
    address = post(ann, body)["rulebook"]
    services_of(app).accounts.rulebooks.finish(address, RulebookStatus.GREEN, 200, None, None)
    for bots, sizes, goal in ((2, [6], 11), (3, [9], 7)):
        opened = ann.post("/games", {"rulebook": address, "seats": ["ann", *["bot:simple"] * bots]}).get_json()
        rules = opened["events"][0]["event"]["data"]["rules"]
        assert (rules["hand_sizes"], rules["goal"], rules["seats"]) == (sizes, goal, [bots + 1])


@pytest.mark.both_stores
def test_games_by_a_rulebook_have_standings_and_ratings_of_their_own(
    app: Flask, caller: Caller, config: Config
) -> None:
    ann, bob, services = caller.join("ann"), caller.join("bob"), services_of(app)
    address = post(ann, OURS | {"rules": {"goal": 2, "seats": [2, 3], "partners": "alone"}})["rulebook"]
    services.accounts.rulebooks.finish(address, RulebookStatus.GREEN, 200, None, None)
    opened = ann.post("/games", {"rulebook": address, "seats": ["ann", "bob"]}).get_json()
    assert bob.post(f"/games/{opened['id']}/moves", {"type": "resign"}).status_code == 201
    services.followers.catch_up()
    kind = f"house:{address[:16]}"
    assert len(caller.get(f"/standings?variant={kind}").get_json()["items"]) == 2
    assert caller.get("/standings?variant=setback").get_json()["items"] == []
    assert caller.get(f"/ratings?variant={kind}").status_code == 200
    for command in (f"results standings {kind}", "game list --variant house"):
        assert "bob" in run(*command.split(), at=config).stdout
    assert run("results", "ratings", kind, at=config).stdout == "Nobody has met five opponents yet.\n"
    assert run("results", "standings", "house", at=config).exit_code == 2
    check_problem(caller.get("/ratings?variant=house"), 400, "malformed")


@pytest.mark.both_stores
def test_authors_erase_what_they_wrote_beside_the_rules_and_moderators_any(app: Flask, caller: Caller) -> None:
    ann, bob, moira = (caller.join(name) for name in ("ann", "bob", "moira"))
    moira = moderator(app, "moira")
    address = post(ann, OURS)["rulebook"]
    other = post(bob, OURS | {"rules": {"goal": 3}})["rulebook"]
    check_problem(ann.delete(f"/rulebooks/{other}"), 403, "forbidden")
    check_problem(ann.delete(f"/rulebooks/{'0' * 64}"), 404, "not-found")
    check_problem(caller.delete(f"/rulebooks/{other}"), 401, "unauthorized")
    assert ann.delete(f"/rulebooks/{address}").status_code == 204
    assert ann.delete(f"/rulebooks/{address}").status_code == 204, "nothing is left to erase"
    assert moira.delete(f"/rulebooks/{other}").status_code == 204
    for each in (address, other):
        shown = caller.get(f"/rulebooks/{each}").get_json()
        assert (shown["name"], shown["text"], shown["author"], shown["status"]) == (None, None, None, "waiting")
        assert shown["rules"]["hand_sizes"]
    assert ann.get("/me/rulebooks").get_json()["items"] == []
    log = caller.get("/moderation/log").get_json()["items"]
    assert [(each["entry"]["act"], each["entry"]["rulebook"]) for each in log] == [("erase", other)]


def listed_by(rulebooks: Rulebooks, author: str, goals: range) -> list[str]:
    """Store rulebooks that are green, and return their addresses."""
    books = [read_document(OURS | {"name": f"To {goal}", "rules": {"goal": goal}}).rulebook for goal in goals]
    for book, goal in zip(books, goals, strict=True):
        rulebooks.add(book.address, book.canonical.decode(), f"To {goal}", "", author)
        rulebooks.finish(book.address, RulebookStatus.GREEN, rulebook_check.GAMES, None, None)
    return [book.address for book in books]


def test_the_host_s_list_is_shown_though_a_hundred_newer_rulebooks_are_not_on_it(
    app: Flask, caller: Caller, config: Config
) -> None:
    accounts = services_of(app).accounts
    caller.join("ann")
    addresses = listed_by(accounts.rulebooks, require(accounts.users.by_name("ann")).id, range(2, 103))
    shown = [each["rulebook"] for each in caller.get("/rulebooks").get_json()["items"]]
    assert shown == addresses[:0:-1], "the newest hundred"
    assert run("rulebook", "allow", addresses[0], at=config).exit_code == 0
    assert [each["rulebook"] for each in caller.get("/rulebooks").get_json()["items"]] == addresses[:1]
    rows = [line.split() for line in run("rulebook", "list", at=config).stdout.splitlines()]
    assert rows[0] == ["address", "name", "author", "check", "allowed"]
    assert rows[1] == [addresses[-1], "To", "102", "ann", "green", "no"]
    assert rows[-1] == [addresses[0], "To", "2", "ann", "green", "yes"]


@pytest.mark.both_stores
def test_the_host_hears_of_a_rulebook_that_is_not_green(app: Flask, caller: Caller, config: Config) -> None:
    ann, books = caller.join("ann"), services_of(app).accounts.rulebooks
    waits, faulty, right = (post(ann, OURS | {"rules": {"goal": goal}})["rulebook"] for goal in (2, 3, 4))
    books.finish(faulty, RulebookStatus.REFUSED, 3, "Seat 0 has no legal move.", None)
    books.finish(right, RulebookStatus.GREEN, 200, None, None)
    refused = run("rulebook", "allow", faulty, at=config)
    assert (refused.exit_code, books.count_allowed()) == (2, 0)
    assert "its check found a fault. Seat 0 has no legal move. Correct it, and post it again." in refused.stderr
    allowed = run("rulebook", "allow", waits, at=config)
    assert (allowed.exit_code, allowed.stdout) == (0, f"{waits} is allowed. The list has 1 now.\n")
    assert allowed.stderr.startswith("It isn't checked yet.")
    listed = json.loads(run("rulebook", "list", "--json", at=config).stdout)
    assert {each["rulebook"]: (each["status"], each["allowed"]) for each in listed} == {
        right: ("green", False),
        waits: ("waiting", True),
    }


def test_no_rematch_plays_by_a_rulebook_that_the_host_took_off_the_list(
    app: Flask, caller: Caller, config: Config
) -> None:
    ann, accounts = caller.join("ann"), services_of(app).accounts
    ours, theirs = listed_by(accounts.rulebooks, require(accounts.users.by_name("ann")).id, range(2, 4))
    game = ann.post("/games", {"rulebook": theirs, "seats": ["ann", "bot:simple", "bot:simple"]}).get_json()["id"]
    assert run("rulebook", "allow", ours, at=config).exit_code == 0
    assert ann.post(f"/games/{game}/moves", {"type": "resign"}).status_code == 201, "a running game goes on"
    check_problem(ann.post(f"/games/{game}/rematch", {}), 409, "not-offered")
