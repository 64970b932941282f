"""Attacks that try to learn what a seat may not know: other views, sizes, times, ids, hashes."""

import re
import secrets
import sys
import uuid
from collections import Counter
from types import FrameType

import pytest

from tests.api.live_server import GameServer, ServedGame, open_game
from tests.api.log_reference import canonical, leaf
from tests.attacks.playing import same_bytes
from tests.attacks.running import problem_type

DECK = [f"{rank}{suit}" for suit in "CDHS" for rank in (*range(2, 11), "J", "Q", "K", "A")]
HIDDEN_METHODS = ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")
INTERNALS = re.compile(
    rb"Traceback|File \"|\.py\b|line \d+, in|werkzeug|flask|sqlite|psycopg|0x[0-9a-f]{8}|<class|domain\.|object at",
    re.IGNORECASE,
)
DATABASE = ("projections.storage.", "domain.store.sql.")
"""The modules that read what a server remembers for half a second, such as standings: on a slow machine more often."""
CLOCK = ("domain.store.held_clock", "domain.engine.timestamps")
"""The modules that read the time and spell it, once for each second."""
BY_TIME = DATABASE + CLOCK
LEAKY = ("notification_id", "originator_id", "originator_version", "rowid", "topic", "seed", "password")


@pytest.fixture(scope="module")
def game(attacked: GameServer) -> ServedGame:
    """A game of Pitch of four whose second trick has begun."""
    found = open_game(attacked)
    found.play(lambda view: view["phase"] == "play" and view["hand"]["trick"]["number"] == 2)
    return found


def test_attack_15_override_headers_and_other_methods_do_nothing(game: ServedGame) -> None:
    turn, own = game.turn, f"{game.path}/seats/0"
    with game.unchanged():
        for header in HIDDEN_METHODS:
            answer = game.seats[turn].ask("GET", game.path, None, **{header: "POST"})
            assert (answer.status_code, answer.get_json()["version"]) == (200, game.version)
            deleted = game.seats[turn].ask("POST", "/tokens/current", {}, **{header: "DELETE"})
            assert deleted.status_code == 405
        for method in ("TRACE", "PUT", "PATCH", "DELETE", "PROPFIND"):
            refused = game.seats[0].ask(method, own)
            assert refused.status_code == 405, method
            assert str(game.seats[0].token).encode() not in refused.data
        assert (game.seats[0].ask("HEAD", own).data, game.server.nobody.ask("HEAD", own).status_code) == (b"", 401)
        options = game.seats[0].ask("OPTIONS", own)
        assert b"cards" not in options.data
        assert options.status_code in {200, 204, 405}


def test_attack_60_the_etag_of_another_seat_opens_no_view(game: ServedGame) -> None:
    etag = game.seats[1].get(f"{game.path}/seats/1").headers["ETag"]
    for caller, status in ((game.seats[0], 404), (game.server["eve"], 404), (game.server.nobody, 401)):
        for tag in (etag, "*", f"{etag}, W/{etag}"):
            answer = caller.get(f"{game.path}/seats/1", If_None_Match=tag)
            assert answer.status_code == status
            assert "ETag" not in answer.headers


def test_attack_61_the_view_of_another_seat_is_the_same_404_as_a_seat_that_does_not_exist(game: ServedGame) -> None:
    for suffix in ("/seats/{}", "/replay?seat={}", "/hands/1/replay?seat={}", "/legal?seat={}"):
        for caller in (game.seats[0], game.server["eve"]):
            answers = [caller.get(game.path + suffix.format(seat)) for seat in (1, 2, 3, 4, 99)]
            assert answers[0].status_code == 404
            assert same_bytes(*answers), suffix


def test_attack_66_no_error_shows_anything_of_the_program(game: ServedGame) -> None:
    ann = game.seats[0]
    bodies: list[object] = [{}, [], {"type": "play"}, {"type": None}, {"type": "\ud800"}, {"x": {"y": [1]}}]
    asked = [ann.post(game.moves, body) for body in (*bodies, {"text": "{{7*7}}%s%n"})]
    asked += [ann.ask(method, game.path) for method in ("PUT", "TRACE", "BREW")]
    asked += [ann.get(path) for path in (f"{game.path}/hands/999", "/games/x", "/games?limit=x", "/console", "/debug")]
    asked += [ann.get(game.path, Accept="image/png"), ann.get(f"{game.path}/export", Accept="image/png")]
    for answer in asked:
        assert 400 <= answer.status_code < 500 or answer.status_code == 200
        assert not INTERNALS.search(answer.data), answer.text
        told = answer.get_json()
        assert answer.status_code == 200 or {"type", "title", "status", "detail"} <= set(told)
        assert (
            set(told) <= {"type", "title", "status", "detail", "errors", "legal", "choose"} or answer.status_code == 200
        )


def places_of_cards(game: ServedGame) -> list[list[str]]:
    """Return cards that the seat to move doesn't hold: those of others, of the stock, and those that were played."""
    seat = game.turn
    others = {card for other in range(4) if other != seat for card in game.view(other)["you"]["cards"]}
    played = {each["card"] for each in game.public["hand"]["last_trick"]["plays"]}
    stock = set(DECK) - others - played - set(game.view(seat)["you"]["cards"])
    return [sorted(card for card in cards if len(card) == 2) or ["2C"] for cards in (others, stock, played)]


def test_attack_67_the_steps_of_a_refusal_do_not_depend_on_where_the_card_lies(game: ServedGame) -> None:
    """The rules call the same functions as often, whichever card is refused."""
    seat, places = game.turn, places_of_cards(game)

    def calls(card: str) -> Counter[str]:
        made = Counter[str]()

        def count(frame: FrameType, event: str, _: object) -> None:
            name = frame.f_globals["__name__"]
            if event == "call" and name.startswith(("domain.", "projections.")) and not name.startswith(BY_TIME):
                made[frame.f_code.co_qualname] += 1

        sys.setprofile(count)
        try:
            answer = game.move(seat, {"type": "play", "card": card})
        finally:
            sys.setprofile(None)
        assert answer.status_code == 409
        return made

    assert calls(places[0][0]), "the first refusal fills caches"
    counted = [calls(card) for cards in places for card in cards[:4]]
    assert counted[0].total() > 20
    assert [each for each in counted if each != counted[0]] == []


def test_attack_68_no_answer_of_a_token_is_compressed(game: ServedGame) -> None:
    """One answer is, but it's the same without a token and reflects nothing."""
    for coding in ("gzip", "deflate", "br", "zstd", "*", "gzip;q=1, identity;q=0"):
        for path in (f"{game.path}/seats/0", f"{game.path}/events", f"{game.path}/export"):
            answer = game.seats[0].get(path, Accept_Encoding=coding)
            assert answer.status_code == 200
            assert "Content-Encoding" not in answer.headers
        public = [
            caller.get("/variants", Accept_Encoding=coding).data for caller in (game.seats[0], game.server.nobody)
        ]
        assert public[0] == public[1]
        refused = game.move(0, {"text": "a" * 500}, Accept_Encoding=coding)
        assert "Content-Encoding" not in refused.headers


def leaf_of(event: dict[str, object]) -> str:
    return leaf(canonical(event)).hex()


def test_attack_69_no_guess_of_one_card_of_52_has_the_leaf_of_the_withheld_event(attacked: GameServer) -> None:
    """In the first hand of Blackout a withheld event has one card. Its salt makes the guess useless."""
    game = open_game(attacked, variant="blackout")
    items = game.items(0)
    shown = [item["event"] for item in items if "event" in item and item["event"]["fact"] == "CardsDealt"]
    hidden = {item["version"]: item["leaf"] for item in items if "event" not in item}
    assert (len(shown), len(hidden) >= 2) == (3, True)
    salts = ["", "00" * 16, *(item["event"]["salt"] for item in items if "event" in item)]
    versions = [event["version"] for event in shown]
    own = next(version for version in range(min(versions) - 1, max(versions) + 2) if version in hidden)
    template = shown[0] | {"version": own, "seen_by": [1, 2, 3]}
    guesses = {
        leaf_of(template | {"data": template["data"] | {"seat": 0, "cards": [card]}, "salt": salt})
        for card in DECK
        for salt in salts
    }
    assert not guesses & set(hidden.values())
    game.play(lambda view: view["hand"]["number"] == 2)
    later = next(item for item in game.items(0) if item["version"] == own)
    assert leaf_of(later["event"]) == hidden[own], "with its salt the event has this leaf"
    assert later["event"] | {"salt": "", "data": ""} == template | {"salt": "", "data": ""}, "the guess was near"


def test_attack_71_ids_are_random_and_no_number_of_the_store_is_shown(attacked: GameServer) -> None:
    games = [open_game(attacked, ("ann", "bob")) for _ in range(3)]
    for game in games:
        assert uuid.UUID(game.id).version == 4
    players = [line["player"] for game in games for line in game.public["seats"]]
    assert all(re.fullmatch("p_[0-9a-f]{24}", player) for player in players)
    made = attacked["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]})
    position = made.headers["Trickbook-Position"]
    assert not position.isdigit()
    texts = [made.text, attacked.nobody.get("/games").text, repr(games[0].public), str(games[0].items())]
    assert not [(name, text[:80]) for name in LEAKY for text in texts if f'"{name}"' in text]


def test_attack_72_ids_that_do_not_exist_are_the_same_404_and_no_list_names_users(
    attacked: GameServer, game: ServedGame
) -> None:
    ann = game.seats[0]
    missing = [ann.get(f"/games/{each}") for each in (10**6, 10**8, uuid.UUID(int=secrets.randbits(128), version=4))]
    assert missing[0].status_code == 404
    assert same_bytes(*missing)
    for path in ("/users/1", "/users/ann", "/players", "/players/1"):
        assert ann.get(path).status_code == 404
    assert (ann.get("/users").status_code, problem_type(ann.get("/users"))) == (405, "method-not-allowed")
    assert ann.post("/games", {"variant": "pitch", "seats": ["ann", "bob"]}).status_code == 201
    attacked.follow()
    page = ann.get("/games?limit=1").get_json()
    assert len(page["items"]) == 1
    assert page["next"] is not None
    strangers = [ann.get(f"/games?player={name}") for name in ("nobody-here", "somebody-else")]
    assert {answer.status_code for answer in strangers} <= {200, 404}
    assert same_bytes(*strangers)
