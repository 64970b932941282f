"""Disputes and roles from the command line."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from click.testing import Result

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import config_for, services_of
from tests.api.disputed_table import TEXT, DisputedTable, give_role, open_disputed_table
from tests.commands import run as program
from tests.conftest import Database


@pytest.fixture
def place(database: Database) -> Config:
    """A server's configuration."""
    return replace(config_for(database), limits=NO_LIMITS, seating="at-once")


@pytest.fixture
def here(place: Config) -> Iterator[DisputedTable]:
    """A disputed table on that server."""
    app = create_app(place)
    yield open_disputed_table(app)
    services_of(app).close()


def run(place: Config, *words: str) -> Result:
    """Run the program with these arguments."""
    return program(*words, at=place)


@pytest.mark.both_stores
def test_an_appointed_arbiter_rules_on_a_dispute_of_the_queue(place: Config, here: DisputedTable) -> None:
    assert "No dispute waits" in run(place, "dispute", "list").output
    here.contest()
    listed = run(place, "dispute", "list")
    assert "revoke" in listed.output
    assert here.table.game in listed.output
    assert json.loads(run(place, "dispute", "list", "--json").output)[0]["dispute"] == 1
    refused = run(place, "dispute", "rule", "1", "1", "void", "--by", "mod", "--text", "so")
    assert (refused.exit_code, "mod isn't an arbiter" in refused.output) == (2, True)
    assert run(place, "user", "role", "mod", "arbiter").output == "mod is now an arbiter\n"
    assert "mod\tarbiter,moderator\n" in run(place, "user", "list").output
    grounds = ("--changes=-1,2,-1", "--basis", "S34", "--text", "so")
    done = run(place, "dispute", "rule", "1", "1", "adjust", "--by", "mod", *grounds)
    assert (done.exit_code, "RulingGiven" in done.output) == (0, True), done.output
    shown = run(place, "dispute", "show", "1", "1")
    assert done.output.split("\n", 1)[1] == shown.output
    assert "S34, by the log: p0 -1, p1 +2, p2 -1" in shown.output
    assert "as played: p0 2, p1 1, p2 1\nas ruled: p0 1, p1 3, p2 0\n" in shown.output
    assert shown.exit_code == 0, shown.output
    assert f"text: {TEXT}" in shown.output
    assert "evidence is this log: ok" in shown.output
    assert "opened: event" in shown.output
    assert "by mod" in shown.output
    for python in ("{", "(", "None", "p_"):
        assert python not in shown.output.replace("(dispute 1)", "").replace(TEXT, ""), shown.output
    here.follow()
    like = run(place, "dispute", "list", "--clause", "S34").output
    assert "board 1, dispute 1 on hand 1 (revoke): score changed by S34, by mod\n  so\n" in like
    assert run(place, "dispute", "list", "--kind", "deal").output == "No ruling is like this yet.\n"
    here.appeal()
    assert "RulingDecided" in run(place, "dispute", "rule", "1", "1", "reversed", "--by", "ann").output
    assert ": reversed" in run(place, "dispute", "show", "1", "1").output
    assert run(place, "user", "role", "mod", "arbiter", "--remove").output == "mod is no longer an arbiter\n"


def test_an_operator_enters_a_dispute_and_an_appeal_of_a_player(place: Config, here: DisputedTable) -> None:
    opening = ("dispute", "open", "1", "1", "revoke", "--by", "p1", "--text", "p0 had a club")
    opened = run(place, *opening, "--seat", "0", "--trick", "2", "--card", "td")
    assert (opened.exit_code, "DisputeOpened" in opened.output) == (0, True), opened.output
    shown = run(place, "dispute", "show", "1", "1").output
    assert "accused: p0, trick 2, card 10D" in shown
    assert "text of the opened part: ok" in shown
    assert "DisputeWithdrawn" in run(place, "dispute", "withdraw", "1", "1", "--by", "p1").output
    refused = run(place, "dispute", "withdraw", "1", "1", "--by", "p1")
    assert (refused.exit_code, "Dispute 1 was withdrawn" in refused.output) == (2, True)
    assert run(place, *opening).exit_code == 0
    again = run(place, *opening)
    assert (again.exit_code, "already contested" in again.output) == (2, True)
    here.rule("none", 2)
    assert "RulingAppealed" in run(place, "dispute", "appeal", "1", "2", "--by", "p0").output
    assert [each["status"] for each in here.items()] == ["withdrawn", "appealed"]


def test_texts_are_erased_by_a_command(place: Config, here: DisputedTable) -> None:
    here.contest()
    unnamed, seated = (run(place, "dispute", "show", "1", "1", "--erase", *by) for by in ((), ("--by", "p0")))
    assert (unnamed.exit_code, "Name the moderator who acts with --by NAME." in unnamed.stderr) == (2, True)
    assert (seated.exit_code, "p0 isn't a moderator." in seated.stderr) == (2, True)
    give_role(here.table.app, "p0", "operator")
    seated = run(place, "dispute", "show", "1", "1", "--erase", "--by", "p0")
    assert (seated.exit_code, "You have a part in this game" in seated.stderr) == (2, True)
    assert run(place, "dispute", "show", "1", "1", "--erase", "--by", "mod").output == "1 texts erased\n"
    assert '"act": "erase"' in run(place, "moderation", "log").output
    shown = run(place, "dispute", "show", "1", "1")
    assert (shown.exit_code, TEXT in shown.output, "text: erased" in shown.output) == (0, False, True)
    told = json.loads(run(place, "dispute", "show", "1", "1", "--json").output)
    assert (told["opened"]["text"], told["checks"]) == (None, {})


def test_the_audit_finds_a_text_that_was_changed_in_the_database(place: Config, here: DisputedTable) -> None:
    here.contest()
    services_of(here.table.app).accounts.database.run("UPDATE texts SET text = 'seat 1 is innocent'")
    shown = run(place, "dispute", "show", "1", "1")
    assert (shown.exit_code, "text of the opened part: WRONG" in shown.output) == (1, True)


RULE, OPEN = ("dispute", "rule", "1", "1"), ("dispute", "open", "1", "1")
BY_ANN, SO = ("--by", "ann"), ("--text", "so")
IMPOSSIBLE: list[tuple[tuple[str, ...], str]] = [
    (("dispute", "show", "1", "2"), "There is no dispute 2"),
    (("dispute", "show", "7", "1"), "There is no board 7"),
    ((*RULE, "none", "--by", "eve", *SO), "eve isn't an arbiter"),
    (("dispute", "rule", "1", "9", "none", *BY_ANN, *SO), "There's no dispute 9"),
    ((*RULE, "upheld", *BY_ANN), "No appeal"),
    ((*RULE, "adjust", *BY_ANN, "--changes", "a,b", *SO), "whole numbers"),
    ((*RULE, "none", *BY_ANN), "give them with --text"),
    (("dispute", "show", "game.ndjson", "1"), "number or id of a stored game"),
    ((*RULE, "none", *BY_ANN, "--text", " "), "A text is"),
    ((*RULE, "none", *BY_ANN, "--text", "x" * 10_001), "A text is"),
    ((*RULE, "none", *BY_ANN, "--text", "\udcff"), "A text is"),
    ((*RULE, "upheld", *BY_ANN, "--changes", "1,0"), "has neither"),
    ((*OPEN, "score", *SO), "with --by"),
    ((*OPEN, "score", *BY_ANN, *SO), "ann has no seat"),
    ((*OPEN, "revoke", *BY_ANN, *SO, "--trick", "2"), "need --seat"),
    ((*OPEN, "revoke", *BY_ANN, *SO, "--seat", "1", "--card", "1C"), "isn't a card"),
    (("dispute", "appeal", "1", "1", "--by", "eve"), "There is no player eve"),
    (("user", "role", "eve", "arbiter"), "There is no user eve"),
    (("user", "role", "ann", "king"), "king"),
]


def test_an_impossible_command_is_explained(place: Config, here: DisputedTable) -> None:
    here.contest()
    log = here.log
    for words, says in IMPOSSIBLE:
        said = run(place, *words)
        assert (said.exit_code, says in said.output) == (2, True), said.output
    assert here.log == log
