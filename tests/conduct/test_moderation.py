"""Moderators: one claims a report, nobody judges their own case, and another one decides the appeal."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from api.conduct.stored import conduct_reports
from api.conduct.stored.conduct_steps import STEP_KINDS
from api.evidence.stored.dispute_texts import note_of
from tests.api.conftest import check_problem, services_of
from tests.api.disputed_table import give_role
from tests.conduct.conftest import LATER, Court, moderator
from tests.simultaneous import at_once

CASE = "/moderation/reports/{}"


def queue(court: Court, name: str = "moira") -> list[dict[str, Any]]:
    """Return the reports that somebody may judge."""
    items: list[dict[str, Any]] = court[name].get("/moderation/reports").get_json()["items"]
    return items


def test_a_report_goes_from_arrival_to_appeal(court: Court) -> None:
    report = court.case()
    step = court.rule(report, "suspend").get_json()["step"]
    assert queue(court) == []
    check_problem(court["bob"].post(f"/games/{court.game}/moves", {"type": "resign"}), 403, "suspended")
    assert court["bob"].post("/me/appeals", {"step": step, "text": "a joke"}).status_code == 201
    (item,) = court["mateo"].get("/moderation/appeals").get_json()["items"]
    assert (item["step"], item["player"], item["report"]["report"]) == (step, court.id_of("bob"), report)
    assert item["appeal"]["text"] == "a joke"
    body = {"decision": "reversed", "reason": "It was a joke."}
    decided = court["mateo"].post(f"/moderation/appeals/{step}/decision", body)
    assert decided.get_json() == {"step": step, "decision": "reversed"}
    assert court.standing("bob") == "good"
    assert court["bob"].post(f"/games/{court.game}/moves", {"type": "resign"}).status_code == 201
    assert court["mateo"].get("/moderation/appeals").get_json()["items"] == []


def test_the_player_gets_the_reasons_and_the_salts_that_prove_them(court: Court) -> None:
    step = court.judge("mute")
    court["bob"].post("/me/appeals", {"step": step, "text": "no"})
    court["mateo"].post(f"/moderation/appeals/{step}/decision", {"decision": "upheld", "reason": "The log shows it."})
    shown = court["bob"].get("/me/standing").get_json()
    (item,) = shown["steps"]
    assert (shown["standing"], shown["until"]) == ("muted", "2035-01-01T00:00:00.000000Z")
    assert (item["kind"], item["reason"], item["appeal"]["decision"]) == ("mute", "Insults aren't welcome.", "upheld")
    entries = {
        each["entry"]["act"]: each["entry"] for each in court["nobody"].get("/moderation/log").get_json()["items"]
    }
    assert entries["rule"]["reason"] == note_of(item["salt"], item["reason"])
    assert entries["decide"]["reason"] == note_of(item["appeal"]["salt"], "The log shows it.")
    assert all(court.id_of(name) not in court["bob"].get("/me/standing").text for name in ("moira", "mateo", "ann"))


def test_only_moderators_with_a_token_for_it_see_the_queue_and_the_appeals(court: Court) -> None:
    report = court.report().get_json()["report"]
    give_role(court.app, "cat", "arbiter")
    give_role(court.app, "dan", "moderator")
    for name in ("ann", "bob", "cat", "dan"):
        for path in ("/moderation/reports", "/moderation/appeals"):
            answer = court[name].get(path)
            check_problem(answer, 403, "token-scope")
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="trickbook", error="insufficient_scope"'
        check_problem(court[name].post(CASE.format(report) + "/claim", {}), 403, "token-scope")
        check_problem(court.rule(report, "ban", by=name), 403, "token-scope")
    services_of(court.app).accounts.roles.withdraw(court.id_of("moira"), "moderator")
    check_problem(court["moira"].get("/moderation/reports"), 403, "forbidden")
    check_problem(court.rule(report, "ban"), 403, "forbidden")
    check_problem(court["nobody"].get("/moderation/reports"), 401, "unauthorized")


@pytest.mark.parametrize("role", ["reporter", "reported", "player"])
def test_nobody_judges_their_own_case(court: Court, role: str) -> None:
    name = {"reporter": "ann", "reported": "bob", "player": "bob"}[role]
    own = replace(court, people=court.people | {name: moderator(court.app, name)})
    about = "eve" if role == "player" else "bob"
    report = court.report(about=about, game=court.game).get_json()["report"]
    assert queue(own, name) == []
    assert [each["report"] for each in queue(court)] == [report]
    for path, body in (("/claim", {}), ("/ruling", {"step": "none", "reason": "x"})):
        check_problem(own[name].post(CASE.format(report) + path, body), 404, "not-found")
    court["moira"].post(CASE.format(report) + "/claim", {})
    step = court.rule(report, "warn").get_json()["step"]
    court[about].post("/me/appeals", {"step": step, "text": "no"})
    assert own[name].get("/moderation/appeals").get_json()["items"] == []
    body = {"decision": "reversed", "reason": "x"}
    check_problem(own[name].post(f"/moderation/appeals/{step}/decision", body), 404, "not-found")


def test_the_moderator_who_ruled_does_not_decide_the_appeal(court: Court) -> None:
    step = court.judge("warn")
    body = {"decision": "upheld", "reason": "x"}
    check_problem(court["mateo"].post(f"/moderation/appeals/{step}/decision", body), 404, "not-found")
    court["bob"].post("/me/appeals", {"step": step, "text": "no"})
    assert court["moira"].get("/moderation/appeals").get_json()["items"] == []
    check_problem(court["moira"].post(f"/moderation/appeals/{step}/decision", body), 404, "not-found")
    assert court["mateo"].post(f"/moderation/appeals/{step}/decision", body).status_code == 201
    again = court["mateo"].post(f"/moderation/appeals/{step}/decision", body | {"decision": "reversed"})
    check_problem(again, 409, "already-judged")
    assert len(court["bob"].get("/me/standing").get_json()["steps"]) == 1


def test_one_moderator_claims_a_report_and_the_others_see_it(court: Court) -> None:
    report = court.case()
    assert court["moira"].post(CASE.format(report) + "/claim", {}).status_code == 200
    check_problem(court["mateo"].post(CASE.format(report) + "/claim", {}), 409, "already-claimed")
    check_problem(court.rule(report, "ban", by="mateo"), 409, "not-claimed")
    (seen,) = queue(court, "mateo")
    assert (seen["status"], seen["claimed_by"]) == ("claimed", court.id_of("moira"))
    log = court["nobody"].get("/moderation/log").get_json()["items"]
    assert [each["entry"]["act"] for each in log] == ["claim"], "a repeated claim is no entry"


def test_of_two_moderators_at_once_one_claims(court: Court) -> None:
    report = court.report().get_json()["report"]
    claim = CASE.format(report) + "/claim"
    answers = at_once(*(partial(court[name].post, claim, {}) for name in ("moira", "mateo") * 4))
    assert sorted(answer.status_code for answer in answers) == [200] * 4 + [409] * 4


def test_a_claim_lapses_after_a_day(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    report = court.case()
    monkeypatch.setattr(conduct_reports, "CLAIM_US", 0)
    assert queue(court, "mateo")[0]["status"] == "open"
    monkeypatch.undo()
    check_problem(court["mateo"].post(CASE.format(report) + "/claim", {}), 409, "already-claimed")
    services_of(court.app).accounts.database.run("UPDATE conduct_reports SET claimed = claimed - ?", 86_400_000_000)
    check_problem(court.rule(report, "none"), 409, "not-claimed")
    assert court["mateo"].post(CASE.format(report) + "/claim", {}).status_code == 200
    assert court.rule(report, "none", by="mateo").status_code == 201


def test_a_report_has_one_ruling(court: Court) -> None:
    report = court.case()
    assert court.rule(report, "none").get_json() == {"report": report, "step": None}
    check_problem(court.rule(report, "ban"), 409, "already-judged")
    check_problem(court["moira"].post(CASE.format(report) + "/claim", {}), 409, "already-judged")
    assert court.standing("bob") == "good"


def test_of_two_rulings_at_once_one_counts(court: Court) -> None:
    report = court.case()
    answers = at_once(*[partial(court.rule, report, "warn")] * 8)
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    assert len(court["bob"].get("/me/standing").get_json()["steps"]) == 1


def test_only_a_mute_and_a_suspension_have_an_end(court: Court) -> None:
    times = (None, "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "tomorrow", "2035-02-31T00:00:00Z", LATER[:-1])
    for step, about in zip(STEP_KINDS, ("bob", "cat", "dan", "eve", "fay"), strict=True):
        report, has_end = court.case(about=about), step in ("mute", "suspend")
        wrong: list[dict[str, Any]] = [{"until": time} for time in (times if has_end else (LATER,))]
        for body in [*wrong, {"reason": " "}, {"reason": "x" * 2001}, {"step": "kick"}, {"player": "eve"}]:
            good = {"step": step, "reason": "x", "until": LATER if has_end else None}
            check_problem(court["moira"].post(CASE.format(report) + "/ruling", good | body), 400, "malformed")
        assert court.rule(report, step).status_code == 201


def test_a_step_is_appealed_once_and_only_by_its_player(court: Court) -> None:
    step = court.judge("warn")
    for name, named in (("ann", step), ("fay", step), ("bob", "s_" + "0" * 24)):
        check_problem(court[name].post("/me/appeals", {"step": named, "text": "no"}), 404, "not-found")
    check_problem(court["bob"].post("/me/appeals", {"step": step, "text": "x" * 2001}), 400, "malformed")
    assert court["bob"].post("/me/appeals", {"step": step, "text": "no"}).status_code == 201
    check_problem(court["bob"].post("/me/appeals", {"step": step, "text": "no"}), 409, "already-judged")


def test_an_unknown_case_is_not_found(court: Court) -> None:
    for case in ("r_" + "0" * 24, "x", "%00", "r_" + "0" * 25):
        check_problem(court["moira"].post(CASE.format(case) + "/claim", {}), 404, "not-found")
        check_problem(court.rule(case, "ban"), 404, "not-found")
        body = {"decision": "upheld", "reason": "x"}
        check_problem(court["moira"].post(f"/moderation/appeals/{case}/decision", body), 404, "not-found")


def test_long_queues_say_that_there_is_more(court: Court) -> None:
    reports = [court.report(about=name).get_json()["report"] for name in ("bob", "cat", "dan")]
    page = court["moira"].get("/moderation/reports?limit=2").get_json()
    assert ([each["report"] for each in page["items"]], page["more"]) == (reports[:2], True)
