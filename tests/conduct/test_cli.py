"""`trickbook moderation` beside a running server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.accounts import roles
from tests.api.conftest import check_problem, services_of
from tests.api.live_server import GameServer, open_server
from tests.commands import run
from tests.conftest import Database


@pytest.fixture
def server(database: Database) -> Iterator[GameServer]:
    """A server with two moderators and a report of ann about bob."""
    with open_server(database.data, database.url) as opened:
        for name in ("moira", "mateo"):
            opened.role(name, roles.MODERATOR)
        assert opened["bob"].token
        body = {"about": "bob", "kind": "abuse", "text": "insults"}
        assert opened["ann"].post("/reports", body).status_code == 201
        yield opened


def moderate(server: GameServer, *arguments: str) -> str:
    """Run `trickbook moderation` and return what it prints."""
    answer = run("moderation", *arguments, at=server.config)
    assert answer.exit_code == 0, answer.output
    return str(answer.stdout)


def refusal(server: GameServer, *arguments: str, code: int = 2) -> str:
    answer = run("moderation", *arguments, at=server.config)
    assert answer.exit_code == code, answer.output
    return str(answer.stderr if code == 2 else answer.stdout)


def report_id(server: GameServer) -> str:
    (report,) = json.loads(moderate(server, "reports", "--by", "moira", "--json"))
    return str(report["report"])


def test_a_report_goes_from_arrival_to_appeal_by_command_line(server: GameServer, tmp_path: Path) -> None:
    line = moderate(server, "reports", "--by", "moira")
    report = report_id(server)
    assert line.startswith(f"{report}\t2")
    assert line.endswith("\topen\tbob: abuse\tby ann\tinsults\n")
    assert moderate(server, "claim", report, "--by", "moira") == f"moira has claimed {report}\n"
    until = ("--until", "2035-01-01T00:00:00Z")
    ruled = moderate(server, "rule", report, "suspend", *until, "--reason", "Insults", "--by", "moira")
    step = ruled.strip().rpartition(" ")[2]
    assert ruled == f"{report}: suspend, step {step}\n"
    services_of(server.app).accounts.steps.timer = lambda: 1e9
    check_problem(server["bob"].post("/games", {}), 403, "suspended")
    assert server["bob"].post("/me/appeals", {"step": step, "text": "a joke"}).status_code == 201
    assert moderate(server, "appeals", "--by", "moira") == ""
    assert moderate(server, "appeals", "--by", "mateo") == f"{step}\tbob\tsuspend: Insults\ta joke\n"
    (appeal,) = json.loads(moderate(server, "appeals", "--by", "mateo", "--json"))
    assert (appeal["step"], appeal["appeal"]["text"]) == (step, "a joke")
    assert (
        moderate(server, "decide", step, "reversed", "--reason", "So be it.", "--by", "mateo") == f"{step}: reversed\n"
    )
    copy = tmp_path / "copy"
    copy.write_text(moderate(server, "log"), encoding="utf-8")
    acts = [json.loads(each)["entry"]["act"] for each in copy.read_text(encoding="utf-8").splitlines()]
    assert acts == ["claim", "rule", "appeal", "decide"]
    right = "The moderation log is right: 4 entries, each signed by this server.\n"
    assert moderate(server, "verify") == moderate(server, "verify", "--copy", str(copy)) == right
    copy.write_bytes(server.nobody.get("/moderation/log").data)
    assert moderate(server, "verify", "--copy", str(copy)) == right


def test_a_changed_log_is_found(server: GameServer, tmp_path: Path) -> None:
    moderate(server, "claim", report_id(server), "--by", "moira")
    copy = tmp_path / "copy"
    copy.write_text(moderate(server, "log"), encoding="utf-8")
    services_of(server.app).accounts.database.run("DELETE FROM moderation_log")
    assert moderate(server, "verify") == "The moderation log is right: 0 entries, each signed by this server.\n"
    found = refusal(server, "verify", "--copy", str(copy), code=1)
    assert found == "entry 1 of the copy is missing in the log\n"
    copy.write_text("{}", encoding="utf-8")
    assert "isn't a copy of a moderation log" in refusal(server, "verify", "--copy", str(copy))


def test_a_refusal_is_a_sentence(server: GameServer) -> None:
    report = report_id(server)
    by = ("--by", "moira")
    assert "bob isn't a moderator" in refusal(server, "reports", "--by", "bob")
    assert "nobody isn't a moderator" in refusal(server, "reports", "--by", "nobody")
    rule = ("rule", report, "mute", "--reason", "x", *by)
    assert "until: A mute and a suspension need a time" in refusal(server, *rule)
    assert "until: Must be a time in UTC" in refusal(server, *rule, "--until", "2020-01-01T00:00:00Z")
    assert "Claim the report first" in refusal(server, *rule, "--until", "2035-01-01T00:00:00Z")
    assert "reason: Must not be blank." in refusal(server, "rule", report, "warn", "--reason", " ", *by)
    assert "There is no such report" in refusal(server, "claim", "r_0", *by)
    assert "There is no such appeal" in refusal(server, "decide", "s_0", "upheld", "--reason", "x", *by)
