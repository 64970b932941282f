"""Exports, links and Merkle proofs, checked with independent hashes (docs/trust.md, RFC 9162)."""

from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import pytest
import rfc8785

from tests.api.conftest import Caller, check_problem, services_of
from tests.api.live_server import GameServer, ServedGame, open_server
from tests.api.log_reference import Export, Key, Receipt, check_export, leaf, verify_consistency, verify_inclusion

KEYS = "/.well-known/trickbook/keys"
KEPT_SIZES = (1, 2, 3, 7, 8, 9, 20, 21)
ODD = ("0", "-1", "x", "", "9" * 30, "100000")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games."""
    with open_server(tmp_path_factory.mktemp("log")) as found:
        yield found


@pytest.fixture(scope="module")
def live(server: GameServer) -> ServedGame:
    """A game with hand 1 scored and hand 2 in play."""
    game = server.open(["ann", "bob", "cat", "bot:simple"], options={"win": 21})
    game.play_hand()
    game.play(lambda view: view["phase"] == "play")
    for size in (*KEPT_SIZES, None):
        services_of(server.app).receipts.issue(game.id, size)
    return game


@pytest.fixture(scope="module")
def key(server: GameServer) -> Key:
    """The key that signs."""
    told = server.nobody.get(KEYS).get_json()
    assert told["keys"][-1] == told["current"]
    found = Key.read(told["current"])
    assert found.name == told["origin"]
    return found


def test_all_exports_of_a_running_game_have_one_chain_and_differ_in_their_events(live: ServedGame) -> None:
    public, seats = live.read(), {seat: live.read(caller) for seat, caller in live.seats.items()}
    assert live.export(live.server["eve"]) == live.export()
    for found in (public, *seats.values()):
        assert found.leaves == public.leaves
        assert found.trailer["root"] == live.log[1]
    for seat, found in seats.items():
        own = [event for event in found.events if event["version"] in public.withheld]
        told = [(event["fact"], event["data"]["seat"], event["seen_by"]) for event in own]
        assert told == [("CardsDealt", seat, [seat])], "each seat sees its own cards, and nothing else that is withheld"
    assert {e["fact"] for e in public.events if e["seen_by"] is not None} == {"CardsDealt", "StockLaid", "SeedKept"}
    assert len(public.withheld) == 6, "a seed, four seats' cards, a stock"


def test_bytes_are_canonical_and_every_salt_is_its_own(live: ServedGame) -> None:
    """Check canonical JSON (RFC 8785) with the rfc8785 package, and 16 random bytes in every event."""
    found = live.read(live.seats[0])
    for event, raw in zip(found.events, filter(None, found.raw), strict=True):
        assert rfc8785.dumps(event) == raw
        assert len(bytes.fromhex(event["salt"])) == 16
        assert set(event) == {"at", "by", "command", "data", "fact", "game", "salt", "seen_by", "v", "version"}
    assert len({event["salt"] for event in found.events}) == len(found.events)
    assert sorted(event["at"] for event in found.events) == [event["at"] for event in found.events]


def test_a_withheld_event_is_shown_later_with_the_same_leaf(server: GameServer) -> None:
    game = server.open(["ann", "bob"])
    before, mine = game.read(), game.read(game.seats[0])
    game.finish()
    after = game.read()
    assert before.withheld
    assert not after.withheld
    for version in before.withheld:
        raw = after.raw[version - 1]
        assert raw is not None
        assert leaf(raw).hex() == before.lines[version - 1]["leaf"]
    assert [raw for raw in mine.raw if raw] == [after.raw[e["version"] - 1] for e in mine.events]
    assert after.roots[len(before.lines)].hex() == before.trailer["root"]


def test_every_answer_to_a_move_has_the_root_at_its_version(server: GameServer, key: Key) -> None:
    game = server.open(["ann", "bob", "bot:simple"], options={"win": 7})
    answers = game.play(lambda view: view["status"] == "finished")
    whole = game.read()
    for answer in answers:
        assert whole.roots[answer["version"]].hex() == answer["root"] == answer["view"]["root"]
        for line in answer["events"]:
            kept = whole.lines[line["version"] - 1]
            assert (kept["leaf"], kept["prev"]) == (line["leaf"], line["prev"])
            assert line.get("event", kept["event"]) == kept["event"]
    signed = [answer for answer in answers if answer["receipt"]]
    assert signed[-1] is answers[-1], "the end of the game"
    assert len(signed) == len([e for e in whole.events if e["fact"] in {"HandScored", "HandThrownIn"}])
    for answer in signed:
        head = Receipt(f"{key.name}/game/{game.id}", answer["version"], whole.roots[answer["version"]])
        assert (key.signed(answer["receipt"]), Receipt.read(answer["receipt"])) == (True, head)
    assert whole.trailer["receipt"] == signed[-1]["receipt"]


def test_events_are_the_lines_of_the_export(live: ServedGame) -> None:
    for caller in (live.server.nobody, live.seats[1]):
        lines = live.export(caller).split(b"\n")[1:-2]
        told = caller.get(f"{live.path}/events", Accept="application/x-ndjson").data
        assert told.split(b"\n")[:-1] == lines
        whole = caller.get(f"{live.path}/events", Accept="application/json").data
        assert whole == b'{"items":[' + b",".join(lines) + b'],"next":null}\n'
        paged: list[Any] = []
        page: dict[str, Any] = {"next": 0}
        while page["next"] is not None:
            page = caller.get(f"{live.path}/events?after={page['next']}&limit=7").get_json()
            paged += page["items"]
        assert paged == check_export(live.export(caller)).lines


def check_inclusion(
    caller: Caller, game: ServedGame, found: Export, key: Key, version: int, size: int | None
) -> dict[str, object]:
    """Get an inclusion proof, check it, and return it."""
    query = f"version={version}" + (f"&size={size}" if size else "")
    told = caller.get(f"{game.path}/proofs/inclusion?{query}").get_json()
    n, path = size or len(found.lines), [bytes.fromhex(each) for each in told["path"]]
    assert (told["game"], told["index"], told["size"]) == (game.id, version - 1, n)
    assert told["leaf"] == found.lines[version - 1]["leaf"]
    assert verify_inclusion(version - 1, n, found.leaves[version - 1], path, found.roots[n])
    assert key.signed(told["receipt"])
    assert Receipt.read(told["receipt"]) == Receipt(f"{key.name}/game/{game.id}", n, found.roots[n])
    assert told["root"] == found.roots[n].hex()
    seen: dict[str, object] = told
    return seen


def test_every_event_is_proved_to_be_in_the_log(live: ServedGame, key: Key) -> None:
    found = live.read()
    for version in range(1, len(found.lines) + 1):
        told = check_inclusion(live.server.nobody, live, found, key, version, None)
        assert told["event"] == found.lines[version - 1]
    mine = live.read(live.seats[0])
    own = next(version for version in found.withheld if version not in mine.withheld)
    assert check_inclusion(live.seats[0], live, found, key, own, None)["event"] == mine.lines[own - 1]
    for size in KEPT_SIZES:
        check_inclusion(live.server.nobody, live, found, key, size, size)
        check_inclusion(live.seats[0], live, found, key, 1, size)


def test_every_log_is_proved_to_extend_every_shorter_one(live: ServedGame, key: Key) -> None:
    found = live.read()
    pairs = [(a, b) for b in (2, 3, 8, 21, len(found.lines)) for a in range(1, b)]
    for a, b in pairs:
        told = live.server.nobody.get(f"{live.path}/proofs/consistency?first={a}&second={b}").get_json()
        path = [bytes.fromhex(each) for each in told["path"]]
        assert verify_consistency(a, b, (found.roots[a], found.roots[b]), path), (a, b)
        assert (told["first_root"], told["second_root"]) == (found.roots[a].hex(), found.roots[b].hex())
        assert key.signed(told["receipt"])
        assert Receipt.read(told["receipt"]).size == b
    same = live.server.nobody.get(f"{live.path}/proofs/consistency?first=8&second=8").get_json()
    assert (same["path"], same["first_root"]) == ([], same["second_root"])


def test_the_texts_of_proofs_follow_c2sp(live: ServedGame, key: Key) -> None:
    """A tlog-proof is a header, an index, hashes in base64, an empty line and the checkpoint."""
    found, hidden = live.read(), live.read().withheld[0]
    for version in (2, hidden):
        text = live.server.nobody.get(f"{live.path}/proofs/inclusion?version={version}", Accept="text/plain").text
        head, _, note = text.partition("\n\n")
        first, *rest = head.split("\n")
        extra = [line.removeprefix("extra ") for line in rest if line.startswith("extra ")]
        told = [line for line in rest if not line.startswith("extra ")]
        assert first == "c2sp.org/tlog-proof@v1"
        assert told[0] == f"index {version - 1}"
        path = [b64decode(line, validate=True) for line in told[1:]]
        assert verify_inclusion(version - 1, len(found.lines), found.leaves[version - 1], path, found.roots[-1])
        assert [b64decode(each) for each in extra] == [raw for raw in [found.raw[version - 1]] if raw]
        assert key.signed(note)
    text = live.server.nobody.get(f"{live.path}/proofs/consistency?first=5", Accept="text/plain").text
    head, _, note = text.partition("\n\n")
    first, *hashes = head.split("\n")
    assert first == "old 5"
    tops = found.roots[5], found.roots[-1]
    assert verify_consistency(5, len(found.lines), tops, [b64decode(line, validate=True) for line in hashes])
    assert key.signed(note)


INVALID = [
    *[f"/proofs/inclusion?version={each}" for each in (*ODD, "01", "1e2", "\uff11", "1&size=0", "1&size=x")],
    *[f"/proofs/inclusion?version={each}" for each in ("9&size=5", "1&size=100000", "1&version=2", "1&seat=0")],
    "/proofs/inclusion",
    *[f"/proofs/consistency?first={each}" for each in (*ODD, "9&second=5", "1&second=100000")],
    "/proofs/consistency",
    *[f"/receipt?size={each}" for each in (*ODD, "01", "1&size=2", "\u0660")],
    *[f"/compare?root={'0' * 64}&size={each}" for each in ("-1", "x", "9" * 30, "")],
    *[f"/compare?size=1&root={each}" for each in ("", "0", "g" * 64, "0" * 63, "0" * 64 + "x")],
]


def test_an_invalid_query_for_a_proof_is_a_problem(live: ServedGame) -> None:
    for path in INVALID:
        check_problem(live.server.nobody.get(live.path + path), 400, "malformed")
