"""The answers to the twelve questions of docs/trust.md, recomputed from the log."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.api import fairdeal_reference as fair
from tests.api.conftest import check_problem
from tests.api.live_server import PEOPLE, GameServer, ServedGame, data_of, get_json, open_server, write_export

OF_A_HAND = ["revokes", "draws", "score", "clock", "sight"]
NO_HAND = ["0", "-1", "x", "01", "\uff11", "9" * 30, "99", "1&hand=2"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games."""
    with open_server(tmp_path_factory.mktemp("questions")) as found:
        yield found


@pytest.fixture(scope="module")
def over(server: GameServer) -> ServedGame:
    """A finished game of Corellian Pitch with rule changes: one whole hand and a part of another."""
    game = server.open(PEOPLE, "corellian", options={"randomizer": {"when": [1, 5], "end": None}})
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] >= 1)
    game.finish()
    return game


@pytest.fixture(scope="module")
def live(server: GameServer) -> ServedGame:
    """A game of Setback with hand 1 scored and hand 2 in play."""
    game = server.open(PEOPLE, "setback")
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] >= 1)
    game.play(lambda view: view["phase"] == "play")
    return game


@pytest.mark.parametrize("question", [*OF_A_HAND, "commits"])
def test_a_command_gives_the_answer_of_the_address_for_a_file_and_a_stored_game(
    server: GameServer, over: ServedGame, live: ServedGame, tmp_path: Path, question: str
) -> None:
    for game in (over, live):
        name = write_export(game, tmp_path)
        options = ("--from", "3", "--to", "20") if question == "commits" else ("--hand", "1")
        query = "?from=3&to=20" if question == "commits" else "?hand=1"
        for asked, whole in ((options, query), ((), "")):
            told = get_json(game, f"/{question}{whole}")
            assert {"question", "game", "board", "variant", "findings", "cannot_tell", "code"} <= set(told)
            assert (told["question"], told["game"], told["findings"]) == (question, game.id, [])
            text = server.nobody.get(f"{game.path}/{question}{whole}", Accept="text/plain").text
            for where in (game.id, str(told["board"]), name):
                said, as_json = (server.command(question, where, *asked, *more) for more in ((), ("--json",)))
                assert said.exit_code == as_json.exit_code == told["code"], said.output
                assert json.loads(as_json.stdout) == told
                assert said.stdout.rstrip("\n") == text.rstrip("\n")


def test_1_and_2_views_and_legal_moves_of_a_past_moment(server: GameServer, live: ServedGame) -> None:
    """The card played was legal; another seat's card, or a play out of turn, wasn't."""
    events = live.read().events
    shown = min(e["version"] for e in events if e["fact"] == "CeremonyRevealed" and e["data"]["n"] == 1)
    plays = [e for e in events if e["fact"] == "CardPlayed" and e["version"] < shown]
    hands = first_deal(events)
    for event in plays[::5]:
        seat, card, at = event["data"]["seat"], event["data"]["card"], event["version"] - 1
        if events[at - 1]["fact"] == "TrumpPitched":
            at -= 1
        told = get_json(live, f"/legal?at={at}&seat={seat}&move={card.lower()}")
        assert (told["tried"]["legal"], told["code"]) == (True, 0)
        view = get_json(live, f"/replay?at={at}&seat={seat}")
        assert {"type": "play", "card": card} in view["you"]["legal"]
        other = next(iter(hands[(seat + 1) % 4]))
        posted = quote(json.dumps({"type": "play", "card": other}))
        refused = get_json(live, f"/legal?at={at}&seat={seat}&move={posted}")["tried"]
        assert (refused["legal"], refused["code"]) == (False, "not-in-hand")
        assert refused["clauses"]
        late = get_json(live, f"/legal?at={at}&seat={(seat + 1) % 4}&move={other}")["tried"]
        assert (late["legal"], late["code"]) == (False, "out-of-turn")
        said = server.command("game", "legal", live.id, "--at", str(at), "--seat", str(seat), "--move", card, "--json")
        assert said.exit_code == 0
        assert json.loads(said.stdout)["tried"]["legal"] is True


def test_3_plays_that_did_not_follow_suit(live: ServedGame) -> None:
    events = live.read().events
    deal = first_deal(events)
    expected, led, trump = set(), "", data_of(events, "TrumpPitched")[0]["suit"]
    for event in events[: next(i for i, e in enumerate(events) if e["fact"] == "HandScored")]:
        if event["fact"] == "TrickTaken":
            led = ""
        if event["fact"] == "CardPlayed":
            seat, card = event["data"]["seat"], event["data"]["card"]
            led = led or card[-1]
            if card[-1] != led:
                expected.add(event["version"])
                assert card[-1] == trump or not any(each[-1] == led for each in deal[seat]), "no revoke"
            deal[seat].discard(card)
    told = get_json(live, "/revokes?hand=1")
    assert {row["version"] for row in versioned_rows(told)} == expected
    assert told["code"] == 0
    assert get_json(live, "/revokes?hand=2")["code"] == 2


def first_deal(events: fair.Facts) -> dict[int, set[str]]:
    """Return the cards of ceremony 1, by seat."""
    return {data["seat"]: set(data["cards"]) for data in fair.ceremony_data(events, 1, "CardsDealt")}


def versioned_rows(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of an answer that have a version."""
    lists = [value for key, value in told.items() if isinstance(value, list) and key not in {"findings", "cannot_tell"}]
    return [row for each in lists for row in each if isinstance(row, dict) and "version" in row]


def test_4_the_deal_is_recomputed(server: GameServer, over: ServedGame, live: ServedGame) -> None:
    """Compare commitment, key and deck with the reference; a live hand is exit code 2."""
    facts = over.facts
    for dealt in data_of(facts, "HandDealt"):
        fair.check_deal(facts, dealt["n"])
        told = next(each for each in get_json(over, f"/hands/{dealt['hand']}/deal")["deals"] if each["n"] == dealt["n"])
        subject, promised, seed = fair.revealed_secret(facts, dealt["n"])
        key, canonical_deck = fair.key_of(facts, dealt["n"]), facts[0]["data"]["deck"]
        deck = [canonical_deck[i] for i in fair.shuffle(key, "deck", len(canonical_deck))]
        assert (told["subject"], told["commit"], told["seed"]) == (subject, promised, seed.hex())
        assert (told["commit_recomputed"], told["key"], told["deck"]) == (promised, key.hex(), deck)
        assert (told["grade"], told["missing"], told["cuts"]) == ("F0", [], [])
        assert server.command("hand", "deal", over.id, "--hand", str(dealt["hand"])).exit_code == 0
    assert get_json(live, "/hands/2/deal")["code"] == 2
    assert server.command("hand", "deal", live.id, "--hand", "2").exit_code == 2
    assert get_json(live, "/hands/3/deal", 404)["type"] == "/problems/not-found"
    assert server.command("hand", "deal", live.id, "--hand", "3").exit_code == 2


def test_5_each_draw_is_recomputed(over: ServedGame) -> None:
    """Each turn of the hand has a draw with the number that the reference computes."""
    facts, told = over.facts, get_json(over, "/draws?hand=1")
    dealt = [each for each in data_of(facts, "HandDealt") if each["hand"] == 1][-1]
    key = fair.key_of(facts, dealt["n"])
    text = json.dumps(told)
    for label in (f"randomizer {t} when" for t in range(12)):
        assert f'"{label}"' in text
        (row,) = [
            row for row in versioned_rows(told) if row.get("label") == label and row.get("n", dealt["n"]) == dealt["n"]
        ]
        assert fair.pick(key, label, 5) in row.values()


def test_6_the_score_as_recorded_and_recomputed(over: ServedGame) -> None:
    recorded, told = data_of(over.facts, "HandScored")[0], get_json(over, "/score")
    (hand,) = get_json(over, "/score?hand=1")["hands"]
    for part in ("pegs", "counts", "made", "changes"):
        assert hand["recorded"][part] == hand["recomputed"][part] == recorded[part]
    (ended,) = data_of(over.facts, "GameEnded")
    assert told["as_played"] == {"scores": ended["scores"], "winners": ended["winners"]}
    assert (told["as_ruled"], told["code"]) == (None, 0)


def test_7_the_time_of_each_turn(live: ServedGame) -> None:
    """From the fact whose `next` names the seat to the seat's own fact, by the times in the log."""
    events, expected = live.read().events, []
    since: dict[int, dict[str, Any]] = {}
    shown = min(e["version"] for e in events if e["fact"] == "HandScored")
    for event in (each for each in events if each["version"] < shown):
        if event["fact"] in {"BidMade", "BidPassed", "CardPlayed"}:
            began = since[event["data"]["seat"]]
            took = datetime.fromisoformat(event["at"]) - datetime.fromisoformat(began["at"])
            expected.append((event["version"], began["version"], took // timedelta(milliseconds=1)))
        if event["data"].get("next"):
            since = dict.fromkeys(event["data"]["next"], event)
    told = get_json(live, "/clock?hand=1")
    assert [(row["version"], row["since"], row["took_ms"]) for row in told["turns"]] == expected
    assert all(row["over_ms"] is None for row in told["turns"])


def test_10_the_version_at_which_each_seat_could_see_an_event(over: ServedGame) -> None:
    """Computed from seen_by and the versions of the reveals."""
    facts = over.facts
    shown = {e["data"]["n"]: e["version"] for e in facts if e["fact"] in {"CeremonyRevealed", "CeremonyVoided"}}
    told = {row["version"]: row for row in versioned_rows(get_json(over, "/sight"))}
    assert set(told) == {event["version"] for event in facts}
    for event in facts:
        row, version, whose = told[event["version"]], event["version"], event["seen_by"]
        public = version if whose is None else shown[event["data"]["n"]]
        assert (row["seen_by"], row["public"]["version"]) == (whose, public)
        expected = [version if seat in (whose or ()) else public for seat in range(4)]
        assert [at["version"] for at in row["seats"]] == expected


def test_11_the_commands_between_two_versions(over: ServedGame) -> None:
    events = over.facts
    told = [
        (each["command"], each["first"], each["last"], each["facts"]) for each in get_json(over, "/commits")["commits"]
    ]
    commits = [list(group) for _, group in groupby(events, key=lambda e: (e["at"], e["command"]))]
    assert told == [(g[0]["command"], g[0]["version"], g[-1]["version"], [e["fact"] for e in g]) for g in commits]


def test_12_a_branch_plays_on_and_stores_nothing(server: GameServer, over: ServedGame, live: ServedGame) -> None:
    before, plays = over.export(), [e for e in over.facts if e["fact"] == "CardPlayed"]
    at = plays[3]["version"] - 1
    seat = plays[3]["data"]["seat"]
    legal = get_json(over, f"/replay?at={at}&seat={seat}")["you"]["legal"]
    made = server.nobody.post(f"{over.path}/branches", {"at": at, "moves": [legal[-1]], "bots": "simple"})
    assert made.status_code == 200, made.text
    told = made.get_json()
    assert {"facts", "views", "score", "as_played", "stopped"} <= set(told)
    assert sha256(before).digest() == sha256(over.export()).digest()
    refused = server.nobody.post(f"{over.path}/branches", {"at": at, "moves": [{"type": "bid", "bid": 4}]})
    assert (refused.status_code, refused.get_json(force=True)["type"]) == (409, "/problems/wrong-phase")
    assert server.nobody.post(f"{live.path}/branches", {"at": live.log[0]}).status_code == 409
    said = server.command("hand", "branch", over.id, "--at", str(at), "--bots", "simple", legal[-1]["card"])
    assert said.exit_code == 0, said.output
    assert server.command("hand", "branch", live.id, "--at", str(live.log[0])).exit_code == 2
    assert over.export() == before


MALFORMED = [
    *(f"/{name}?hand={hand}" for name in OF_A_HAND for hand in NO_HAND if hand != "99"),
    *(f"/replay?{query}" for query in ("at=-1", "at=0", "at=100000", "at=1e2", "seat=-1")),
    *(f"/legal?seat=1&at=20&move={move}" for move in ("x" * 5000, "%7B", "%00")),
    *("/hands/1/replay?at=99999", "/hands/1/deal?seed=00", "/commits?from=x", "/commits?to=-1", "/audit?x=1"),
]
MISSING = [
    *(f"/{name}?hand=99" for name in OF_A_HAND),
    *(f"/hands/{hand}" for hand in ("0", "99/audit", "x/deal", "01/deal")),
]


def test_an_invalid_query_is_malformed_and_a_missing_hand_not_found(over: ServedGame) -> None:
    for path in MALFORMED:
        check_problem(over.server.nobody.get(over.path + path), 400, "malformed")
    for path in MISSING:
        check_problem(over.server.nobody.get(over.path + path), 404, "not-found")
