"""`trickbook moderation` beside a running server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.people.stored import roles
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
    assert moderate(server, "verify") == right
    begins = right + "It begins with the 4 entries of the copy.\n"
    for answer in (copy.read_bytes(), server.nobody.get("/moderation/log").data, moderate(server, "log", "--json")):
        copy.write_bytes(answer if isinstance(answer, bytes) else answer.encode())
        assert moderate(server, "verify", "--copy", str(copy)) == begins


def test_a_changed_log_is_found(server: GameServer, tmp_path: Path) -> None:
    moderate(server, "claim", report_id(server), "--by", "moira")
    copy = tmp_path / "copy"
    copy.write_text(moderate(server, "log"), encoding="utf-8")
    services_of(server.app).accounts.database.run("DELETE FROM moderation_log")
    assert moderate(server, "verify") == "The moderation log is right: 0 entries, each signed by this server.\n"
    found = refusal(server, "verify", "--copy", str(copy), code=1)
    assert found == "entry 1 of the copy is missing in the log\n"
    for text, words in (
        ("{}", "This isn't a moderation log, or a copy of one"), ("[1]", "This isn't a moderation log"),
        ("\n", "This file is empty"), ("", "This file is empty"), ('{"items": []}', "There is no entry in this copy"),
    ):  # fmt: skip
        copy.write_text(text, encoding="utf-8")
        assert words in refusal(server, "verify", "--copy", str(copy))


def download(server: GameServer, folder: Path, pages: int) -> tuple[str, str]:
    """Download the moderation log in pages of one entry, and the server's keys; return the names of the files."""
    log, keys = folder / "log.json", folder / "keys.json"
    addresses = [f"/moderation/log?limit=1&after={after}" for after in range(pages)]
    log.write_bytes(b"".join(server.nobody.get(address).data for address in addresses))
    keys.write_bytes(server.nobody.get("/.well-known/trickbook/keys").data)
    return str(log), str(keys)


def test_anybody_verifies_a_downloaded_log_without_the_store(server: GameServer, tmp_path: Path) -> None:
    report = report_id(server)
    moderate(server, "claim", report, "--by", "moira")
    moderate(server, "rule", report, "warn", "--reason", "Insults", "--by", "moira")
    log, keys = download(server, tmp_path, 2)
    nowhere = ("--data", str(tmp_path / "nowhere"))
    checked = run("moderation", "verify", "--log", log, "--key", keys, "--copy", log, *nowhere)
    assert (checked.exit_code, checked.stdout) == (0, (
        "The moderation log is right: 2 entries, each signed with a key that you gave.\n"
        "It begins with the 2 entries of the copy.\n"
    ))  # fmt: skip
    without = run("moderation", "verify", "--log", log, *nowhere)
    assert (without.exit_code, "/.well-known/trickbook/keys" in without.stderr) == (2, True)
    text = Path(log).read_text(encoding="utf-8")
    Path(log).write_text(text.replace('"warn"', '"none"'), encoding="utf-8")
    changed = run("moderation", "verify", "--log", log, "--key", keys, *nowhere)
    assert (changed.exit_code, changed.stdout) == (
        1, "entry 2: the signed checkpoint isn't that of the log up to here\n",
    )  # fmt: skip
    Path(log).write_text(text.split("\n", 1)[1], encoding="utf-8")
    cut = run("moderation", "verify", "--log", log, "--key", keys, *nowhere)
    assert (cut.exit_code, cut.stdout) == (1, "entry 1 is missing: the next one has the number 2\n")
    assert not (tmp_path / "nowhere").exists()


def test_a_refusal_is_a_sentence(server: GameServer) -> None:
    report = report_id(server)
    by = ("--by", "moira")
    assert "bob isn't a moderator" in refusal(server, "reports", "--by", "bob")
    assert "nobody isn't a moderator" in refusal(server, "reports", "--by", "nobody")
    rule = ("rule", report, "mute", "--reason", "x", *by)
    assert "until: A mute and a suspension need a time" in refusal(server, *rule)
    assert "until must be a time in UTC" in refusal(server, *rule, "--until", "2020-01-01T00:00:00Z")
    assert "Claim the report first" in refusal(server, *rule, "--until", "2035-01-01T00:00:00Z")
    assert "reason must not be blank." in refusal(server, "rule", report, "warn", "--reason", " ", *by)
    assert "There is no such report" in refusal(server, "claim", "r_0", *by)
    assert "There is no such appeal" in refusal(server, "decide", "s_0", "upheld", "--reason", "x", *by)
