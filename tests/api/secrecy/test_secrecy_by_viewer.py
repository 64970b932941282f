"""The secrecy table of docs/trust.md: what each viewer sees through every route that reads."""

import json
import logging
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.api.conftest import Caller, services_of
from tests.api.live_server import PEOPLE, GameServer, ServedGame, open_server
from tests.api.log_reference import check_export
from tests.api.secrecy.read_routes import GAME, HAND, SHOWS_NO_GAME, addresses

CARD = re.compile(r"(?<![\w+/=-])(?:10|[2-9JQKA])[CDHS](?![\w+/=-])|(?<![\w+/=-])X[12](?![\w+/=-])")
PUBLIC = ["stranger", "eve", "an-arbiter", "a-moderator", "an-operator"]  # callers without a seat


ROLES = PUBLIC[2:]
QUERIES = {
    GAME: ("",),
    f"{GAME}/events": ("", "?limit=3"),
    f"{GAME}/disputes/<strictint:dispute>": ("",),
    **{f"{GAME}/{name}": ("",) for name in ("export", "scoreboard", "disputes", "audit", "receipt", "handovers")},
    f"{GAME}/replay": ("", "?at={hidden}", "?seat=1"),
    f"{GAME}/legal": ("", "?seat=1", "?seat=1&move=as"),
    f"{GAME}/hint": ("",),
    f"{GAME}/presence": ("",),
    **{f"{GAME}/{name}": ("", "?hand={hand}") for name in ("revokes", "draws", "score", "clock", "sight")},
    f"{GAME}/commits": ("", "?from=1&to=9"),
    f"{GAME}/compare": ("?size=3&root=" + "0" * 64,),
    f"{GAME}/proofs/inclusion": ("?version={hidden}",),
    f"{GAME}/proofs/consistency": ("?first=2",),
    f"{GAME}/seats/<strictint:seat>": ("",),
    **{f"{HAND}{path}": ("",) for path in ("", "/transcript", "/audit", "/deal")},
    f"{HAND}/choices": ("", "?seat=1"),
    f"{HAND}/replay": ("", "?seat=1"),
}
"""How to read each route about one game."""
ELSEWHERE = [
    "/games",
    "/me/handovers",
    "/exports/games",
    "/variants",
    "/disputes",
    "/",
    "/.well-known/trickbook/keys",
    "/health/ready",
]
"""Other routes that the tests read."""
NOT_ABOUT_ONE_GAME = SHOWS_NO_GAME | dict.fromkeys(ELSEWHERE, "read as it is")


@contextmanager
def open_with_roles(data: Path) -> Iterator[GameServer]:
    """Open a server with a stranger, a player and each role besides the players."""
    with open_server(data) as found:
        found.people["eve"] = found["eve"]
        for name in ROLES:
            found.role(name, name.split("-")[1])
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    with open_with_roles(tmp_path_factory.mktemp("secrecy")) as found:
        yield found


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[GameServer]:
    """A server without games of other tests, whose cards the exports of all games would show."""
    with open_with_roles(tmp_path) as found:
        yield found


def caller_named(server: GameServer, name: str) -> Caller:
    """Return the caller with this name or role."""
    return server.nobody if name == "stranger" else server[name]


def paths(game: ServedGame, hand: int) -> list[str]:
    """Return every address about the game, for seats 0, 1 and one that isn't there, with a receipt of the whole log."""
    game.server.follow()
    services_of(game.server.app).receipts.issue(game.id)
    values = {"reference": game.id, "hand": hand, "dispute": 1, "hidden": game.read().withheld[0]}
    app = game.server.app
    every = (addresses(app, QUERIES, NOT_ABOUT_ONE_GAME, seat=seat, **values) for seat in (0, 1, 9))
    return list(dict.fromkeys(chain.from_iterable(every)))


CHANGING_HEADERS = {"Date", "Trickbook-Position", "X-Request-Id"}


def full_response(caller: Caller, path: str, **headers: str) -> str:
    """Return the status, headers and body of an answer."""
    answer = caller.get(path, **headers)
    assert answer.status_code < 500, (path, answer.text)
    lines = [f"{name}: {value}" for name, value in answer.headers if name not in CHANGING_HEADERS]
    return "\n".join([answer.status, *lines, "", re.sub(r'"(?:deck|removed)":\[[^]]*\]', "", answer.text)])


def test_a_live_hand_shows_cards_only_to_their_own_seat(new_server: GameServer) -> None:
    """Before the first bid no other card is known; `deck` of GameOpened lists the whole deck."""
    game = new_server.open(["ann", "bob", "cat", "bot:simple"])
    own = {seat: set(game.view(seat)["you"]["cards"]) for seat in game.seats}
    for path in [*paths(game, 1), *ELSEWHERE]:
        for accept in ("application/json", "text/plain", "application/x-ndjson"):
            for name in PUBLIC:
                answer = full_response(caller_named(new_server, name), path, Accept=accept)
                assert not CARD.findall(answer), (path, name)
            for seat, caller in game.seats.items():
                seen = set(CARD.findall(full_response(caller, path, Accept=accept)))
                assert seen <= own[seat] | ({"AS"} if "as" in path else set()), (path, seat)
    assert [len(cards) for cards in own.values()] == [6, 6, 6]


def test_no_role_sees_more_of_a_live_hand_than_a_stranger(server: GameServer) -> None:
    game = server.open(["ann", "bob", "cat"], options={"win": 21})
    game.play_hand()
    game.play(lambda view: view["phase"] == "play" and view["status"] == "active")
    hand = game.public["hand"]["number"]
    for path in paths(game, hand):
        if path.endswith("/disputes"):
            continue
        needs_token = "/seats/" in path or path.endswith(("/handovers", "/hint", "/presence"))
        without = PUBLIC[1:] if needs_token else PUBLIC
        spectator = full_response(caller_named(server, without[0]), path)
        for name in without:
            assert full_response(caller_named(server, name), path) == spectator, (path, name)


def forms(secret: str) -> set[str]:
    """Return a secret in hex, base64, decimal and as Python and JSON print its bytes."""
    raw = bytes.fromhex(secret)
    plain, safe = b64encode(raw).decode().rstrip("="), urlsafe_b64encode(raw).decode().rstrip("=")
    return {secret, secret.upper(), plain, safe, str(int.from_bytes(raw)), repr(raw)[2:-1], str(list(raw))}


def test_no_answer_and_no_log_line_shows_the_seed_or_salt_of_a_withheld_event(
    server: GameServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Search for the seeds and the salts that the finished game shows."""
    caplog.set_level(logging.DEBUG)
    game = server.open(["ann", "bob"], options={"win": 21}, reveal="game")
    game.play_hand()
    everything = ""
    for path in [*paths(game, 1), *paths(game, 2), *ELSEWHERE]:
        for caller in (server.nobody, *game.seats.values(), server["an-operator"]):
            everything += full_response(caller, path) + full_response(caller, path, Accept="text/plain")
    hidden = game.read().withheld
    seen = {v for caller in game.seats.values() for v in hidden if "event" in game.read(caller).lines[v - 1]}
    for command in (
        *("game show", "game audit", "game audit --json", "game export", "game transcript"),
        *("ask commits", "ask sight", "hand deal --hand 1"),
    ):
        group, name, *options = command.split()
        everything += server.command(group, name, game.id, *options).output
    everything += "".join(game.move(seat, {"type": "play", "card": "X9"}).text for seat in game.seats)
    assert caplog.records
    everything += "".join(str(vars(record)) for record in caplog.records)
    game.finish()
    facts = game.facts
    for version in hidden:
        event = facts[version - 1]
        secrets = [event["data"]["seed"]] if event["fact"] == "SeedKept" else []
        secrets += [event["salt"]] if version not in seen else []
        for secret in secrets:
            for text in forms(secret):
                assert text not in everything, (version, event["fact"])


def test_a_table_that_reveals_at_the_end_hides_finished_hands(server: GameServer) -> None:
    game = server.open(["ann", "bob"], options={"win": 21}, reveal="game")
    game.play_hand()
    first = game.read().withheld[0]
    for caller in (server.nobody, server["an-arbiter"], game.seats[0]):
        assert caller.get(f"{game.path}/hands/1/replay?seat=1").status_code == 404
        assert caller.get(f"{game.path}/hands/1").get_json()["revealed"] is False
        assert caller.get(f"{game.path}/audit").get_json()["verdict"]["code"] == 2
        assert caller.post(f"{game.path}/branches", {"at": first + 5}).status_code == 409
    assert server.command("game", "audit", game.id).exit_code == 2
    assert server.command("game", "show", game.id, "--at", str(first + 4), "--seat", "0").exit_code == 2
    game.finish()
    assert not game.read().withheld
    for caller in (server.nobody, server["an-arbiter"], game.seats[0]):
        assert caller.get(f"{game.path}/hands/1/replay?seat=1").status_code == 200
        assert caller.get(f"{game.path}/audit").get_json()["verdict"]["code"] == 0
    assert server.command("game", "audit", game.id).exit_code == 0


def test_a_finished_game_is_the_same_for_everybody(server: GameServer) -> None:
    game = server.open(["ann", "bob"], options={"win": 7})
    game.play(lambda view: view["status"] == "finished")
    whole = game.export()
    assert not check_export(whole).withheld
    for caller in (*game.seats.values(), *(caller_named(server, name) for name in PUBLIC)):
        assert game.export(caller) == whole
        for path in ("/receipt", "/audit", "/hands/1/deal", "/hands/1/transcript", "/replay?at=9&seat=1"):
            assert full_response(caller, game.path + path) == full_response(server.nobody, game.path + path), path
            assert caller.get(game.path + path).status_code == 200
    assert server.command("game", "export", game.id).stdout_bytes == whole


def test_blackout_hand_1_shows_each_seat_the_cards_of_the_others(server: GameServer) -> None:
    game = server.open(["ann", "bob", "cat", "dan"], "blackout")
    views = {seat: game.view(seat)["you"] for seat in range(4)}
    cards = {seat: views[(seat + 1) % 4]["sees"][str(seat)][0] for seat in range(4)}
    tried = next(
        card for card in ("AS", "KS", "QS", "JS", "9S") if card not in cards.values()
    )  # an answer repeats the tried card
    asked = [path.replace("move=as", f"move={tried.lower()}") for path in paths(game, 1)]
    for seat in range(4):
        assert views[seat]["cards"] is None
        assert views[seat]["sees"] == {str(other): [cards[other]] for other in range(4) if other != seat}
        upcard = game.public["hand"]["upcard"]
        for path in asked:
            assert cards[seat] not in CARD.findall(full_response(game.seats[seat], path)), (path, upcard)
    known = {game.public["hand"]["upcard"], tried} - set(cards.values())
    for name in PUBLIC:
        for path in asked:
            assert set(CARD.findall(full_response(caller_named(server, name), path))) <= known, (path, name)


@pytest.mark.parametrize("variant", ["pitch", "blackout"])
def test_a_card_not_in_hand_gets_the_same_answer_wherever_it_lies(server: GameServer, variant: str) -> None:
    """Both in turn and out of turn, for cards that were played, too, and in hand 1 of Blackout for the own card."""
    game = server.open(PEOPLE, variant)
    deck = game.read().events[0]["data"]["deck"]
    if variant == "pitch":
        game.play(lambda view: view["phase"] == "play" and view["hand"]["trick"]["number"] == 2)
    at = game.public["version"]
    for seat in (game.public["turn"]["seats"][0], (game.public["turn"]["seats"][0] + 1) % 4):
        own_cards = game.view(seat)["you"]["cards"] or []
        told = set()
        for card in set(deck) - set(own_cards):
            move = quote(json.dumps({"type": "play", "card": card}))
            answer = game.seats[seat].get(f"{game.path}/legal?at={at}&move={move}")
            assert answer.status_code == 200
            posted = game.move(seat, {"type": "play", "card": card})
            assert posted.status_code == 409
            told.add((answer.text.replace(card, "?"), posted.text.replace(card, "?")))
        assert len(told) == 1
    assert game.public["version"] == at
