"""Rights that a muted, suspended or banned player still has, on every route of the application."""

import re
from dataclasses import replace

from werkzeug.routing import Rule

from api.conduct.stored.conduct_steps import ConductSteps
from tests.api.conftest import PASSWORD, check_problem, services_of
from tests.conduct.conftest import Court

VALUES = {"seat": "0", "hand": "1", "name": "eve", "message": "m_" + "0" * 24, "step": "s_" + "0" * 24,
          "report": "r_" + "0" * 24, "dispute": "1", "id": "x", "token": "x"}  # fmt: skip


def requests(court: Court) -> list[tuple[str, str]]:
    """Return the method and path of each route of the API, in the court's game."""

    def path(rule: Rule) -> str:
        values = VALUES | {"reference": court.game}
        return re.sub("<(?:[a-z_]+:)?([a-z]+)>", lambda part: values.get(part[1], "1"), rule.rule)

    rules = [rule for rule in court.app.url_map.iter_rules() if rule.rule.startswith("/api/v1/")]
    methods = ("GET", "POST", "PUT", "PATCH", "DELETE")
    return [(method, path(rule)) for rule in rules for method in methods if method in (rule.methods or ())]


def is_own(path: str) -> bool:
    """Return whether an address is about the caller's own account."""
    return re.fullmatch("/api/v1/(me(/.*)?|tokens/current)", path) is not None


def refusals(court: Court, slug: str) -> set[tuple[str, str]]:
    """Return the requests that get this problem; logging out isn't tried."""
    tried = [each for each in requests(court) if each != ("DELETE", "/api/v1/tokens/current")]
    answers = {each: court["bob"].ask(*each, {} if each[0] in ("POST", "PUT") else None) for each in tried}
    return {each for each, answer in answers.items() if f"/problems/{slug}" in answer.text}


def test_a_muted_player_writes_in_no_chat_and_does_everything_else(court: Court) -> None:
    court.judge("mute")
    body = check_problem(court.write("bob"), 403, "muted")
    assert body["until"] == "2035-01-01T00:00:00.000000Z"
    assert body["detail"] == (
        "You can't write in chats until 2035-01-01T00:00:00.000000Z. GET /me/standing says why, and how to appeal."
    )
    assert court.standing("bob") == "muted"
    court.wrote("ann")
    assert court.texts("bob") == ["hello"]
    assert court.report("bob", "ann").status_code == 201
    assert court["bob"].post(f"/games/{court.game}/moves", {"type": "resign"}).status_code == 201


def test_a_suspended_player_reads_uses_their_account_and_appeals(court: Court) -> None:
    before = services_of(court.app).games.snapshot(court.game)
    step = court.judge("suspend")
    writes = {(method, path) for method, path in requests(court) if method != "GET" and not is_own(path)}
    assert refusals(court, "suspended") == writes
    body = check_problem(court["bob"].post("/games", {}), 403, "suspended")
    assert body["until"] == "2035-01-01T00:00:00.000000Z"
    assert court["bob"].get(f"/games/{court.game}/seats/1").status_code == 200
    assert court["bob"].post("/me/appeals", {"step": step, "text": "no"}).status_code == 201
    assert services_of(court.app).games.snapshot(court.game) == before


def test_a_banned_player_is_signed_out_and_logs_in_only_for_their_account_and_an_appeal(court: Court) -> None:
    step = court.judge("ban")
    services_of(court.app).accounts.tokens.timer = lambda: 1e9
    check_problem(court["bob"].get("/games"), 401, "unauthorized")
    token = court["nobody"].post("/tokens", {"name": "bob", "password": PASSWORD}).get_json()["token"]
    court.people["bob"] = replace(court["bob"], token=token)
    others = {(method, path) for method, path in requests(court) if not is_own(path)}
    assert refusals(court, "banned") == others
    assert check_problem(court["bob"].get("/games"), 403, "banned")["until"] is None
    assert court.standing("bob") == "banned"
    assert court["bob"].post("/me/appeals", {"step": step, "text": "no"}).status_code == 201
    assert court["bob"].delete("/tokens/current").status_code == 204
    assert court["nobody"].get(f"/games/{court.game}").status_code == 200


def test_a_step_ends_at_its_time(court: Court) -> None:
    for count, step in enumerate(("mute", "suspend"), 1):
        court.judge(step)
        services_of(court.app).accounts.database.run("UPDATE conduct_steps SET until = since + 1")
        services_of(court.app).accounts.steps.forget()
        assert court.standing("bob") == "good"
        assert court.write("bob").status_code == 201
        assert len(court["bob"].get("/me/standing").get_json()["steps"]) == count


def test_the_gravest_and_the_longest_step_counts(court: Court) -> None:
    for name, step, until in (
        ("ann", "suspend", "2034-01-01T00:00:00Z"), ("cat", "mute", "2035-06-01T00:00:00Z"),
        ("dan", "suspend", "2035-01-01T00:00:00Z"), ("eve", "warn", None),
    ):  # fmt: skip
        court.judge(step, name=name, until=until)
    shown = court["bob"].get("/me/standing").get_json()
    assert (shown["standing"], shown["until"]) == ("suspended", "2035-01-01T00:00:00.000000Z")
    assert len(shown["steps"]) == 4
    check_problem(court.write("bob"), 403, "suspended")


def test_another_server_learns_of_a_step_within_half_a_second(court: Court) -> None:
    now, bob = [1000.0], court.id_of("bob")
    elsewhere = ConductSteps(services_of(court.app).accounts.database, lambda: now[0])
    assert elsewhere.status(bob).word == "good"
    court.judge("suspend")
    assert court.standing("bob") == "suspended"
    assert elsewhere.status(bob).word == "good"
    now[0] += 0.5
    assert elsewhere.status(bob).word == "suspended"
