"""Disputes and rulings that are refused: malformed, impossible or missing; nothing is stored."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from api.app import create_app
from api.config import NO_LIMITS, Config
from tests.api.conftest import check_problem, services_of
from tests.api.disputed_table import HASH, TEXT, DisputedTable, open_disputed_table


@pytest.fixture
def here(app: Flask) -> DisputedTable:
    """A disputed table on each store in turn."""
    return open_disputed_table(app)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DisputedTable]:
    """A disputed table on SQLite with an open dispute, for requests that change nothing."""
    app = create_app(
        Config(data=tmp_path_factory.mktemp("court"), hashing="cheapest", limits=NO_LIMITS, seating="at-once")
    )
    made = open_disputed_table(app)
    made.contest()
    yield made
    services_of(app).close()


REFUSED: list[Any] = [
    pytest.param({"kind": "cheating"}, 400, id="an unknown kind"),
    pytest.param({"kind": ["deal"]}, 400, id="a list of kinds"),
    pytest.param({"text": ""}, 400, id="an empty text"),
    pytest.param({"text": "   "}, 400, id="a text of blanks"),
    pytest.param({"text": "x" * 2001}, 400, id="a text of 2001 characters"),
    pytest.param({"text": "line\nbreak"}, 400, id="a control character"),
    pytest.param({"text": None}, 400, id="a null text"),
    pytest.param({"text": {"a": 1}}, 400, id="an object as the text"),
    pytest.param({"hand": "1"}, 400, id="a hand in a string"),
    pytest.param({"hand": 0}, 400, id="hand 0"),
    pytest.param({"hand": -1}, 400, id="a negative hand"),
    pytest.param({"hand": 1.0}, 400, id="a hand with a point"),
    pytest.param({"hand": True}, 400, id="a hand that is true"),
    pytest.param({"hand": 2**53}, 400, id="hand 2^53"),
    pytest.param({"hand": 2**53 - 1}, 409, id="hand 2^53 - 1"),
    pytest.param({"at_version": 2**63}, 400, id="version 2^63"),
    pytest.param({"at_version": 10**9}, 409, id="a future version"),
    pytest.param({"at_version": 1}, 409, id="a version before the hand"),
    pytest.param({"at_version": None}, 400, id="a null version"),
    pytest.param({"by": 0, "seats": [0]}, 400, id="mass assignment of a seat"),
    pytest.param({"note": HASH}, 400, id="mass assignment of a note"),
    pytest.param({"dispute": 7}, 400, id="mass assignment of a number"),
    pytest.param({"role": "arbiter"}, 400, id="mass assignment of a role"),
]


@pytest.mark.parametrize(("more", "status"), REFUSED)
def test_an_invalid_dispute_is_refused_and_stores_nothing(
    one: DisputedTable, more: dict[str, Any], status: int
) -> None:
    log = one.log
    check_problem(one.contest(2, **more), status, "malformed" if status == 400 else "not-a-dispute")
    assert one.log == log


NO_RULING: list[Any] = [
    pytest.param({"decision": "guilty"}, 400, "malformed", id="another decision"),
    pytest.param({"standard": "sure"}, 400, "malformed", id="another standard"),
    *[
        pytest.param({"decision": each}, 400, "malformed", id=f"the decision {each!r}")
        for each in ("Void", "upheld", "", None)
    ],
    pytest.param({"changes": [1, 2]}, 409, "not-a-ruling", id="changes of two seats"),
    pytest.param({"changes": [1, 2, 3, 4]}, 409, "not-a-ruling", id="changes of four seats"),
    pytest.param({"changes": []}, 409, "not-a-ruling", id="changes of no seat"),
    pytest.param({"changes": None}, 400, "malformed", id="null changes"),
    pytest.param({"changes": [1001, 0, 0]}, 409, "not-a-ruling", id="1001 points"),
    pytest.param({"changes": [0, -1001, 0]}, 409, "not-a-ruling", id="-1001 points"),
    pytest.param({"changes": [2**53, 0, 0]}, 400, "malformed", id="2^53 points"),
    pytest.param({"text": ""}, 400, "malformed", id="an empty text"),
    pytest.param({"text": "x" * 2001}, 400, "malformed", id="a text of 2001 characters"),
    pytest.param({"cards": ["AS"]}, 400, "malformed", id="cards"),
    pytest.param({"evidence": {"size": -1, "root": HASH}}, 400, "malformed", id="evidence of a negative size"),
    pytest.param({"evidence": {"size": 0, "root": HASH}}, 400, "malformed", id="evidence of the empty log"),
    pytest.param({"basis": "bob is a cheat"}, 400, "malformed", id="an accusation as the clause"),
    pytest.param({"changes": [0, 0, 0]}, 409, "not-a-ruling", id="no change"),
    pytest.param({"changes": [10**6, 0, 0]}, 409, "not-a-ruling", id="a million points"),
    pytest.param({"changes": [2**60, 0, 0]}, 400, "malformed", id="2^60 points"),
    pytest.param({"changes": [1.5, 0, 0]}, 400, "malformed", id="half a point"),
    pytest.param({"changes": [True, 0, 0]}, 400, "malformed", id="true as points"),
    pytest.param({"changes": ["1", 0, 0]}, 400, "malformed", id="points in a string"),
    pytest.param({"changes": [1] * 17}, 400, "malformed", id="changes of seventeen"),
    pytest.param({"changes": {"0": 1}}, 400, "malformed", id="changes by name"),
    pytest.param({"decision": "none", "changes": [1, 0, 0]}, 409, "not-a-ruling", id="changes without adjusting"),
    pytest.param({"decision": "void", "changes": [1, 0, 0]}, 409, "not-a-ruling", id="changes of a void"),
    pytest.param({"basis": "because"}, 409, "not-a-ruling", id="an invalid clause"),
    pytest.param({"basis": "x" * 99}, 400, "malformed", id="a long clause"),
    pytest.param({"basis": 34}, 400, "malformed", id="a clause that is a number"),
    pytest.param({"evidence": {"size": 10**6, "root": HASH}}, 409, "not-a-ruling", id="evidence of a future log"),
    pytest.param({"evidence": {"size": 1, "root": HASH}}, 409, "not-a-ruling", id="evidence from before"),
    pytest.param({"evidence": {"size": 1}}, 400, "malformed", id="evidence without a root"),
    pytest.param({"evidence": {"size": 1, "root": "x"}}, 400, "malformed", id="an invalid root"),
    pytest.param({"evidence": HASH}, 400, "malformed", id="evidence that is a string"),
    pytest.param(
        {"evidence": {"size": 1, "root": HASH, "more": 1}}, 400, "malformed", id="evidence with another field"
    ),
    pytest.param({"voids": 1}, 400, "malformed", id="mass assignment of a ceremony"),
    pytest.param({"ruled": {"scores": [9, 9, 9], "winners": [0]}}, 400, "malformed", id="mass assignment of scores"),
    pytest.param({"arbiter": "ben"}, 400, "malformed", id="mass assignment of an arbiter"),
]


@pytest.mark.parametrize(("more", "status", "slug"), NO_RULING)
def test_an_invalid_ruling_is_refused_and_stores_nothing(
    one: DisputedTable, more: dict[str, Any], status: int, slug: str
) -> None:
    log = one.log
    check_problem(one.rule(**{"decision": "adjust"} | more), status, slug)
    assert one.log == log


def test_a_ruling_with_evidence_from_another_log_is_refused(here: DisputedTable) -> None:
    here.contest()
    size, log = here.state.version, here.log
    check_problem(here.rule(evidence={"size": size, "root": HASH}), 409, "wrong-evidence")
    assert here.log == log
    root = here.table.games.entries(here.table.game, size - 1)[0].prev.hex()
    check_problem(here.rule(evidence={"size": size, "root": root}), 409, "wrong-evidence")
    assert here.rule(evidence={"size": size - 1, "root": root}).status_code == 201


@pytest.mark.parametrize("number", ["0", "2", "9" * 15, "9" * 40])
def test_a_missing_dispute_is_not_found(here: DisputedTable, number: str) -> None:
    here.contest()
    slugs = ("no-such-dispute", "not-found")
    for answer in (
        here.ann.post(f"{here.path}/{number}/ruling", {"decision": "none", "standard": "likely", "text": "x"}),
        here.table.by(0).post(f"{here.path}/{number}/appeal", {}),
        here.ben.post(f"{here.path}/{number}/decision", {"decision": "upheld"}),
        here.mod.delete(f"{here.path}/{number}/texts"),
    ):
        assert answer.status_code == 404
        assert answer.get_json(force=True)["type"].removeprefix("/problems/") in slugs


def test_disputes_of_a_missing_game_are_not_found(here: DisputedTable) -> None:
    missing = "/games/00000000-0000-4000-8000-000000000000/disputes"
    ruling = {"decision": "none", "standard": "likely", "text": "x"}
    for answer in (
        here.nobody.get(missing),
        here.table.by(0).post(missing, {"hand": 1, "kind": "deal", "text": TEXT}),
        here.ann.post(missing + "/1/ruling", ruling),
        here.table.by(0).post(missing + "/1/appeal", {}),
        here.ben.post(missing + "/1/decision", {"decision": "upheld"}),
        here.mod.delete(missing + "/1/texts"),
    ):
        check_problem(answer, 404, "not-found")


def test_invalid_cursors_and_limits_of_the_queue_are_malformed(here: DisputedTable) -> None:
    for query in ("cursor=x", "cursor=%00", "limit=0", "limit=501", "cursor=YSBiIGM=", "cursor=YSBiIDA=", "wait=99999"):
        check_problem(here.ann.get(f"/disputes?{query}"), 400, "malformed")
