"""Disputes and rulings that are refused: malformed, impossible or missing; nothing is stored."""

from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import check_problem, services_of
from tests.api.disputed_table import HASH, TEXT, DisputedTable, open_disputed_table


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


REFUSED: dict[tuple[int, str], list[dict[str, Any]]] = {
    (400, "malformed"): [
        *({"kind": kind} for kind in ("cheating", ["deal"])),
        *({"text": text} for text in ("", "   ", "x" * 2001, "line\nbreak", None, {"a": 1})),
        *({"hand": hand} for hand in ("1", 0, -1, 1.0, True, 2**53)),
        *({"at_version": version} for version in (2**63, None)),
        *({"by": 0, "seats": [0]}, {"note": HASH}, {"dispute": 7}, {"role": "arbiter"}),
    ],
    (409, "not-a-dispute"): [{"hand": 2**53 - 1}, {"at_version": 10**9}, {"at_version": 1}],
}
NO_RULING: dict[tuple[int, str], list[dict[str, Any]]] = {
    (400, "malformed"): [
        *({"decision": decision} for decision in ("guilty", "Void", "upheld", "", None)),
        *({"standard": "sure"}, {"text": ""}, {"text": "x" * 2001}, {"cards": ["AS"]}),
        *({"changes": [points, 0, 0]} for points in (2**53, 2**60, 1.5, True, "1")),
        *({"changes": changes} for changes in (None, [1] * 17, {"0": 1})),
        *({"basis": basis} for basis in ("bob is a cheat", "x" * 99, 34)),
        *({"evidence": {"size": size, "root": HASH}} for size in (-1, 0)),
        *({"evidence": told} for told in ({"size": 1}, {"size": 1, "root": "x"}, HASH)),
        {"evidence": {"size": 1, "root": HASH, "more": 1}},
        *({"voids": 1}, {"ruled": {"scores": [9, 9, 9], "winners": [0]}}, {"arbiter": "ben"}),
    ],
    (409, "not-a-ruling"): [
        *({"changes": changes} for changes in ([1, 2], [1, 2, 3, 4], [], [1001, 0, 0], [0, -1001, 0], [0, 0, 0])),
        *({"decision": decision, "changes": [1, 0, 0]} for decision in ("none", "void")),
        *({"basis": basis} for basis in ("because", "S48", "S99", "S034", "R-S23", "T1", "R-P19", "P1")),
        *({"evidence": {"size": size, "root": HASH}} for size in (10**6, 1)),
    ],
}


@pytest.mark.parametrize("refusal", REFUSED, ids=str)
def test_an_invalid_dispute_is_refused_and_stores_nothing(one: DisputedTable, refusal: tuple[int, str]) -> None:
    log = one.log
    for more in REFUSED[refusal]:
        check_problem(one.contest(2, **more), *refusal)
    assert one.log == log


@pytest.mark.parametrize("refusal", NO_RULING, ids=str)
def test_an_invalid_ruling_is_refused_and_stores_nothing(one: DisputedTable, refusal: tuple[int, str]) -> None:
    log = one.log
    for more in NO_RULING[refusal]:
        check_problem(one.rule(**{"decision": "adjust"} | more), *refusal)
    assert one.log == log


def test_a_ruling_rests_on_a_clause_of_the_rules_of_this_game(one: DisputedTable) -> None:
    said = one.rule("none", basis="S99").get_json()["detail"]
    assert said == (
        "The rules of this game have no clause S99. There are S1 to S47, R-S1 to R-S22, and R-P1 to R-P18 of every "
        "game: read them on the page /rules/pitch."
    )


def test_a_ruling_with_evidence_from_another_log_is_refused(here: DisputedTable) -> None:
    here.contest()
    size, log = here.state.version, here.log
    check_problem(here.rule(evidence={"size": size, "root": HASH}), 409, "wrong-evidence")
    assert here.log == log
    root = here.table.games.entries(here.table.game, size - 1)[0].prev.hex()
    check_problem(here.rule(evidence={"size": size, "root": root}), 409, "wrong-evidence")
    assert here.rule(evidence={"size": size - 1, "root": root}).status_code == 201


def acts_on(here: DisputedTable, path: str) -> list[TestResponse]:
    """Return the answers to every act on the dispute at a path."""
    return [
        here.ann.post(f"{path}/ruling", {"decision": "none", "standard": "likely", "text": "x"}),
        here.table.by(0).post(f"{path}/appeal", {}),
        here.ben.post(f"{path}/decision", {"decision": "upheld"}),
        here.mod.delete(f"{path}/texts"),
    ]


def test_a_missing_dispute_or_game_is_not_found(here: DisputedTable) -> None:
    here.contest()
    for number in ("0", "2", "9" * 15, "9" * 40):
        for answer in acts_on(here, f"{here.path}/{number}"):
            assert answer.status_code == 404
            assert answer.get_json(force=True)["type"] in ("/problems/no-such-dispute", "/problems/not-found")
    missing = "/games/00000000-0000-4000-8000-000000000000/disputes"
    contested = here.table.by(0).post(missing, {"hand": 1, "kind": "deal", "text": TEXT})
    for answer in (here.nobody.get(missing), contested, *acts_on(here, f"{missing}/1")):
        check_problem(answer, 404, "not-found")


def test_invalid_cursors_and_limits_of_the_queue_are_malformed(here: DisputedTable) -> None:
    for query in ("cursor=x", "cursor=%00", "limit=0", "limit=501", "cursor=YSBiIGM=", "cursor=YSBiIDA=", "wait=99999"):
        check_problem(here.ann.get(f"/disputes?{query}"), 400, "malformed")
