"""Reports: what a player can report, and what they hear of it."""

from dataclasses import replace
from typing import Any

from api.conduct.stored.conduct_reports import REPORT_KINDS
from api.config import Config
from api.config.limits import Limits, Rate
from tests.api.conftest import MakeApp, check_problem, services_of
from tests.conduct.conftest import Court, open_court


def own(court: Court, name: str = "ann") -> list[dict[str, Any]]:
    """Return somebody's own reports."""
    items: list[dict[str, Any]] = court[name].get("/me/reports").get_json()["items"]
    return items


def test_a_report_reaches_the_moderators_with_the_message_it_is_about(court: Court) -> None:
    message = court.wrote("bob", "you fool")
    report = court.report(game=court.game, message=message).get_json()["report"]
    body = court["moira"].get("/moderation/reports").get_json()
    (item,) = body["items"]
    assert item.pop("at").endswith("Z")
    assert item == {
        "report": report, "about": court.id_of("bob"), "kind": "abuse", "game": court.game, "message": message,
        "status": "open", "reporter": court.id_of("ann"), "text": "insults", "quoted": "you fool", "claimed_by": None,
    }  # fmt: skip
    assert body["names"] == {court.id_of("bob"): "bob", court.id_of("ann"): "ann"}
    assert body["more"] is False


def test_the_quotation_outlives_the_erasing_of_the_message(court: Court) -> None:
    message = court.wrote("bob", "you fool")
    court.report(game=court.game, message=message)
    assert court["bob"].delete(f"{court.chat}/{message}").status_code == 204
    assert court["moira"].get("/moderation/reports").get_json()["items"][0]["quoted"] == "you fool"


def test_the_reporter_hears_what_came_of_it_but_not_who_judged(court: Court) -> None:
    report = court.case()
    (claimed,) = own(court)
    assert (claimed["status"], claimed["step"], claimed["ruled"]) == ("claimed", None, None)
    assert court.rule(report, "warn").status_code == 201
    (ruled,) = own(court)
    assert (ruled["status"], ruled["step"], ruled["appeal"]) == ("ruled", "warn", None)
    assert court.id_of("moira") not in court["ann"].get("/me/reports").text
    assert own(court, "bob") == []
    (step,) = court["bob"].get("/me/standing").get_json()["steps"]
    court["bob"].post("/me/appeals", {"step": step["step"], "text": "no"})
    court["mateo"].post(f"/moderation/appeals/{step['step']}/decision", {"decision": "reversed", "reason": "ok"})
    assert own(court)[0]["appeal"] == "reversed"


def test_every_kind_of_report_is_accepted(court: Court) -> None:
    for number, kind in enumerate(REPORT_KINDS):
        game = {"game": court.game} if number % 2 else {}
        assert court.report(about=("bob", "cat", "dan", "eve")[number // 2], kind=kind, **game).status_code == 201
    assert {each["kind"] for each in own(court)} == set(REPORT_KINDS)


def test_a_report_of_what_the_reporter_may_not_see_is_not_found(court: Court) -> None:
    hidden = court.wrote("eve", "ann bluffs", to="watchers")
    theirs = court.wrote("bob")
    for more in (
        {"game": court.game, "message": hidden},  # ann sits at the table
        {"game": court.game, "message": "m_" + "0" * 24},
        {"game": "9"},
        {"game": "0f8fad5b-d9cb-469f-a165-70867728950e"},
    ):
        check_problem(court.report(about="eve", **more), 404, "not-found")
    check_problem(court.report(about="cat", game=court.game, message=theirs), 404, "not-found")
    check_problem(court.report(about="nobody-of-this-name"), 404, "not-found")
    assert court.report(about="eve", name="cat", game=court.game, message=hidden).status_code == 201


def test_a_malformed_report_is_refused(court: Court) -> None:
    for more in (
        {"kind": "ugly"}, {"text": " "}, {"text": "x" * 2001}, {"about": "a b"}, {"game": "x"}, {"game": "0"},
        {"message": "m_" + "0" * 24}, {"game": court.game, "message": "x"}, {"step": "ban"},
    ):  # fmt: skip
        check_problem(court.report(**more), 400, "malformed")
    check_problem(court.report(about="ann"), 409, "about-yourself")
    check_problem(court.report(name="nobody"), 401, "unauthorized")
    assert own(court) == []


def test_the_same_report_waits_once_and_may_come_again_after_the_ruling(court: Court) -> None:
    report = court.case()
    check_problem(court.report(), 409, "already-reported")
    assert court.report(game=court.game).status_code == court.report(name="cat").status_code == 201
    assert court.rule(report, "none").status_code == 201
    assert court.report().status_code == 201


def test_reports_are_limited_for_each_player_and_hour(make_app: MakeApp, config: Config) -> None:
    court = open_court(make_app(replace(config, limits=Limits(conduct_reports=Rate(2, 3600)))))
    assert [court.report(about=name).status_code for name in ("bob", "cat")] == [201, 201]
    refused = court.report(about="dan")
    check_problem(refused, 429, "too-many-requests")
    assert int(refused.headers["Retry-After"]) > 0
    assert court.report(name="bob", about="dan").status_code == 201
    assert len(services_of(court.app).accounts.reports.by(court.id_of("ann"))) == 2
