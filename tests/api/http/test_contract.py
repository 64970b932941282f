"""The HTTP contract, from the documents alone: shapes, statuses and headers that hold for every deal."""

import json
from pathlib import Path

import pytest
from flask import Flask

from api.config import NO_LIMITS, Config
from tests.api.conftest import PASSWORD, check_problem
from tests.api.room import Room
from tests.step_limit import steps


def keys(names: str) -> set[str]:
    """Return the names as a set."""
    return set(names.split())


VIEW = keys(
    "id board variant version root status phase rules seats sides hand ceremony turn last_hand proposal handover delay"
    " disputes ruled result"
)
HAND = keys(
    "number redeal dealer eldest bids passed pitcher bid trump marker upcard called trick last_trick commit grade"
)
EVENT = keys("at by command data fact game salt seen_by v version")
YOU = {"seat", "cards", "sees", "legal", "choose", "may"}
ANSWER = {"version", "root", "events", "view", "names", "receipt"}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """The contract is the same on both stores; SQLite is enough."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once")


@pytest.fixture
def room(app: Flask) -> Room:
    """A Pitch game of ann and bob, in its first auction."""
    return Room(app, ["ann", "bob"])


def test_a_seat_sees_the_documented_keys_and_a_spectator_the_same_without_you(room: Room) -> None:
    own, open_to_all = room.view(0), room.view()
    assert set(own) == VIEW | {"you", "names"}
    assert set(open_to_all) == VIEW | {"names"}
    assert set(own["you"]) == YOU
    assert set(own["hand"]) == HAND
    assert set(own["turn"]) == {"seats", "since", "deadline"}
    assert set(own["seats"][0]) == {"seat", "player", "kind", "score", "count", "tricks", "state", "earlier"}
    assert {key: own[key] for key in open_to_all} == open_to_all
    assert own["you"]["cards"] == [card for card in DECK if card in own["you"]["cards"]]
    assert len(own["you"]["cards"]) == own["seats"][0]["count"] == 6


def test_a_view_that_you_get_ends_with_names_and_answers_have_them_beside_the_view(room: Room) -> None:
    view, opened = room.view(0), room.opened.get_json()
    names = {line["player"]: name for line, name in zip(view["seats"], ["ann", "bob"], strict=True)}
    assert list(view)[-1] == "names"
    assert view["names"] == opened["names"] == names
    assert set(opened) == ANSWER | {"id", "board"}
    assert "names" not in opened["view"]
    answer = room.move_at_turn({"type": "bid", "bid": 3})
    assert set(answer.get_json()) == ANSWER
    assert answer.get_json()["names"] == names
    assert set(answer.get_json()["view"]) == VIEW | {"you"}


def test_a_discard_of_corellian_pitch_is_a_choice_and_cards_taken_from_it_are_accepted(app: Flask) -> None:
    room = Room(app, ["ann", "bob", "cyd", "dee"], variant="corellian", options={"randomizer": None})
    pitcher = room.win_auction_with_highest_bid()
    you = room.view(pitcher)["you"]
    assert you["legal"] == [{"type": "name_trump", "suit": suit} for suit in "CDHS"]
    assert room.move(pitcher, you["legal"][0]).status_code == 201
    assert room.view()["phase"] == "discarding"
    you = room.view(room.turn())["you"]
    choose, legal = you["choose"], you["legal"]
    assert set(choose) == {"type", "from", "must", "min", "max"}
    assert (choose["type"], legal) == ("discard", [])
    assert set(choose["from"]) | set(choose["must"]) <= set(you["cards"])
    rest = [card for card in choose["from"] if card not in choose["must"]]
    cards = (choose["must"] + rest)[: max(choose["min"], len(choose["must"]))]
    answer = room.move_at_turn({"type": "discard", "cards": cards})
    assert answer.status_code == 201, answer.text


def test_the_call_of_a_partner_is_a_choice_from_any_card(app: Flask) -> None:
    room = Room(
        app, ["ann", "bob", "cyd", "dee"], variant="corellian", options={"randomizer": None, "host_changes": True}
    )
    assert "change_rules" in room.view(0)["you"]["may"]
    assert room.move(0, {"type": "change_rules", "change": "partners:call"}).status_code == 201
    pitcher = room.win_auction_with_highest_bid()
    spent = steps(1000)
    while room.view()["phase"] == "naming":
        next(spent)
        assert room.move(pitcher, {"type": "name_trump", "suit": "H"}).status_code == 201
    assert room.view()["phase"] == "calling"
    assert room.view(pitcher)["you"]["choose"] == {"type": "call_partner", "from": "any"}


def test_a_malformed_move_is_400(room: Room) -> None:
    bid = {"type": "bid", "bid": 3}
    bodies: list[object] = [bid | {"seat": 0}, bid | {"text": "3"}, bid | {"bid": "3"}, {"type": "fold"}, {}, []]
    for body in [*bodies, {"type": "play", "card": "TC"}, {"type": "play", "card": "ad"}, {"text": "xyzzy"}]:
        check_problem(room.move_at_turn(body), 400, "malformed")


def test_a_401_says_how_to_send_a_token_and_if_only_the_word_bearer_is_missing(room: Room) -> None:
    token = str(room.players[0].token)
    for header, says in (
        (token, "doesn't begin with the word Bearer. Send `Authorization: Bearer TOKEN`."),
        (f"Token {token}", "doesn't begin with the word Bearer."),
        ("Bearer tb_wrong", "contains no valid token of this server."),
    ):
        problem = check_problem(room.stranger.get(room.path, Authorization=header), 401, "unauthorized")
        assert says in str(problem["detail"])
        assert token not in str(problem)
    without = check_problem(room.stranger.post("/games", {}), 401, "unauthorized")
    assert "Send `Authorization: Bearer TOKEN`. POST /tokens returns a token." in str(without["detail"])


def test_requests_outside_the_rules_of_http_get_their_own_statuses(room: Room) -> None:
    ann, moves = room.players[0], f"{room.path}/moves"
    bid: dict[str, object] = {"type": "bid", "bid": 3}
    check_problem(ann.get("/games?colour=red"), 400, "malformed")
    check_problem(ann.get(f"/games?cursor={ann.token}"), 400, "token-in-url")
    check_problem(room.stranger.get(room.path, Authorization="Bearer tb_wrong"), 401, "unauthorized")
    check_problem(room.stranger.post(moves, bid), 401, "unauthorized")
    check_problem(room.stranger.post("/tokens", {"name": "ann", "password": "wrong-horse"}), 401, "bad-login")
    check_problem(room.stranger.join("eve").post(moves, bid), 403, "not-seated")
    check_problem(ann.get("/games/4711"), 404, "not-found")
    check_problem(ann.delete("/games"), 405, "method-not-allowed")
    check_problem(ann.get(f"{room.path}/receipt", Accept="image/png"), 406, "not-acceptable")
    check_problem(room.stranger.post("/users", {"name": "ANN", "password": PASSWORD}), 409, "name-taken")
    check_problem(ann.post(moves, {"text": "x" * 70_000}), 413, "too-large")
    plain = {"Authorization": f"Bearer {ann.token}", "Content-Type": "text/plain"}
    text = ann.client.post(f"/api/v1{moves}", data=json.dumps(bid), headers=plain)
    check_problem(text, 415, "unsupported-media-type")


def test_moves_that_the_rules_refuse_are_409_with_legal_only_at_your_turn(room: Room) -> None:
    seat = room.turn()
    before, legal = room.view(), room.view(seat)["you"]["legal"]
    assert "legal" not in check_problem(room.move(1 - seat, {"type": "pass"}), 409, "out-of-turn")
    early = check_problem(room.move(seat, {"type": "play", "card": "AD"}), 409, "wrong-phase")
    assert early["legal"] == legal
    check_problem(room.move(seat, {"type": "accept"}), 409, "no-proposal")
    assert room.view() == before
    room.win_auction_with_highest_bid()
    you = room.view(seat)["you"]
    other = next(card for card in DECK if card not in you["cards"])
    refusal = check_problem(room.move(seat, {"type": "play", "card": other}), 409, "not-in-hand")
    assert refusal["legal"] == you["legal"]
    assert room.move(seat, {"type": "resign"}).status_code == 201
    check_problem(room.move(1 - seat, {"type": "pass"}), 409, "game-over")
    check_problem(room.players[0].post("/games", {"variant": "pitch", "seats": ["ann", "zoe"]}), 409, "no-such-player")
    check_problem(room.players[0].post("/games", {"variant": "whist", "seats": ["ann", "bob"]}), 409, "not-offered")


def test_the_seat_of_another_is_404_with_the_bytes_of_a_missing_seat(room: Room) -> None:
    check_problem(room.stranger.get(f"{room.path}/seats/1"), 401, "unauthorized")
    for reader in (room.players[0], room.stranger.join("eve")):
        other, missing = reader.get(f"{room.path}/seats/1"), reader.get(f"{room.path}/seats/3")
        check_problem(other, 404, "not-found")
        assert (other.status, other.data) == (missing.status, missing.data)


def test_if_match_holds_until_the_turn_has_changed(room: Room) -> None:
    seen = room.view()["version"]
    answer = room.move_at_turn({"type": "bid", "bid": 2}, If_Match=f'"{seen}"')
    version = answer.get_json()["version"]
    assert (answer.status_code, answer.headers["ETag"]) == (201, f'"{version}"')
    stale = check_problem(room.move_at_turn({"type": "pass"}, If_Match=f'"{seen}"'), 412, "stale-version")
    assert stale["version"] == room.view()["version"] == version
    assert room.move_at_turn({"type": "pass"}, If_Match="*").status_code == 201


def test_an_export_is_a_header_then_whole_or_withheld_events_and_a_trailer(room: Room) -> None:
    shown = []
    for reader in (room.stranger, room.players[0]):
        head, *events, trailer = map(json.loads, reader.get(f"{room.path}/export").text.splitlines())
        view = room.view()
        assert set(head) == {"format", "game", "board", "variant", "players", "keys"}
        assert (head["format"], head["game"], head["players"]) == ("trickbook-export/1", view["id"], view["names"])
        assert (set(trailer), trailer["size"]) == ({"header", "size", "root", "receipt"}, len(events))
        assert (trailer["size"], trailer["root"]) == (view["version"], view["root"])
        assert [line["version"] for line in events] == list(range(1, len(events) + 1))
        withheld = {"leaf", "prev", "version"}
        assert all(set(line) in (withheld, withheld | {"event"}) for line in events)
        assert events == reader.get(f"{room.path}/events").get_json()["items"]
        shown.append([line["event"] for line in events if "event" in line])
    assert all(set(event) == EVENT for event in shown[1])
    assert all(event["seen_by"] is None for event in shown[0])
    assert {event["fact"] for event in shown[1]} - {event["fact"] for event in shown[0]} == {"CardsDealt"}


def test_text_moves_are_read_by_their_form_in_either_case(room: Room) -> None:
    for card in ("ad", "AD", " tc ", "10C"):
        check_problem(room.move_at_turn({"text": card}), 409, "wrong-phase")
    smudge = room.move_at_turn({"text": " Smudge "})
    assert smudge.status_code == 201, smudge.text
    assert 5 in smudge.get_json()["view"]["hand"]["bids"]
    assert room.move_at_turn({"text": "PASS"}).status_code == 201
    check_problem(room.move_at_turn({"text": "pass"}), 409, "wrong-phase")
    seat = room.turn()
    card = room.view(seat)["you"]["legal"][0]["card"]
    assert room.move(seat, {"text": card.lower().replace("10", "t")}).status_code == 201
