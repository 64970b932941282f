"""Witnesses: what they sign and refuse, on the command line and over HTTP, and what a server shows of it."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from itertools import repeat
from pathlib import Path
from threading import Event, Thread
from typing import Any, LiteralString

import httpx
import pytest
from click.testing import Result

from api.config.settings import ChosenWitness
from api.delivery.stored.queue import WITNESSES, add
from api.evidence.services.keys import NoSigningKey
from api.evidence.services.witness import HEADS_FILE, KEY_FILE, HeadsUnavailable, Witness, WitnessRefuses, WitnessServer
from api.evidence.services.witness_sender import NotAWitness, WitnessSender, ask_witness
from api.monitoring.exposition import queue_states
from api.ops.doctor import look_at_queues
from api.worker import Worker
from domain.protocols.merkle_log import EMPTY, roots
from domain.protocols.proofs import consistency
from domain.protocols.signed_notes import (
    COSIGNATURE,
    Checkpoint,
    ConsistencyProof,
    Key,
    NotANote,
    Note,
    parse_checkpoint,
    parse_key,
    parse_note,
    parse_signatures,
)
from replay.history.receipt_comparison import FORGERY
from replay.history.signatures import cosignatures
from tests.api.conftest import Caller, MakeApp, check_problem, config_for, services_of
from tests.api.forgery import run_accounts_sql
from tests.api.receipts.test_receipts import TEXT, open_game, play_hand
from tests.commands import run as program
from tests.conftest import Database
from tests.event_loop import run_coroutine
from tests.http_server import body_of, http_server
from tests.ports import free_port
from tests.replay.signing import SERVER, THIEF, WITNESS

NOW = 1_800_000_000
NAME = "ann.example/witness"
LEAVES = [bytes([number]) * 32 for number in range(12)]
FORK = [*LEAVES[:4], b"x" * 32, *LEAVES[5:]]
ORIGIN = "cards.example/game/g"
CANNOT_SIGN = "The witness can't sign at the moment. Try again later.\n"


def head_of(leaves: list[bytes], size: int) -> str:
    """Return a head of a log, signed by its server."""
    return SERVER.sign(Checkpoint(ORIGIN, size, list(roots(leaves))[size - 1]))


def request(leaves: list[bytes], old: int, size: int) -> ConsistencyProof:
    """Return a request to sign the head of `size` leaves, which continues `old`."""
    return ConsistencyProof(old, tuple(consistency(leaves, old, size)), parse_note(head_of(leaves, size)))


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    """A new witness."""
    return Witness.create(tmp_path / "witness", NAME)


def refused(witness: Witness, asked: ConsistencyProof, status: int) -> WitnessRefuses:
    """Check that a witness refuses a request, and return why."""
    with pytest.raises(WitnessRefuses) as caught:
        witness.cosign(asked, [SERVER.key], NOW)
    assert caught.value.status == status
    return caught.value


def test_a_witness_signs_what_continues_the_last_head(witness: Witness) -> None:
    for old, size in ((0, 3), (3, 7), (7, 7), (7, 12)):
        asked = request(LEAVES, old, size)
        line = witness.cosign(asked, [SERVER.key], NOW)
        (signed,) = cosignatures(Note(asked.note.body, (*asked.note.signatures, line)), [witness.key])
        assert (signed.key, signed.seconds) == (witness.key, NOW)
        last = witness.last_head(ORIGIN)
        assert last is not None
        assert last.head.size == size


def test_a_witness_remembers_after_it_starts_again(witness: Witness, tmp_path: Path) -> None:
    witness.cosign(request(LEAVES, 0, 7), [SERVER.key], NOW)
    again = Witness(tmp_path / "witness")
    assert again.key == witness.key
    assert refused(again, request(LEAVES, 0, 9), 409).earlier is not None
    refused(again, request(FORK, 7, 9), 422)


@pytest.mark.parametrize(("old", "size"), [(7, 7), (7, 9), (7, 12)])
def test_a_witness_signs_no_fork(witness: Witness, old: int, size: int) -> None:
    witness.cosign(request(LEAVES, 0, 7), [SERVER.key], NOW)
    refusal = refused(witness, request(FORK, old, size), 422)
    assert refusal.earlier is not None
    assert refusal.earlier.note == head_of(LEAVES, 7)
    assert witness.last_head(ORIGIN) == refusal.earlier, "the last head stays"
    assert witness.cosign(request(LEAVES, 7, 9), [SERVER.key], NOW).name == NAME


def test_a_witness_refuses_as_the_specification_says(witness: Witness) -> None:
    refused(witness, replace(request(LEAVES, 0, 3), old=4), 400)
    refused(witness, request(LEAVES, 2, 3), 409)
    refused(witness, replace(request(LEAVES, 0, 3), path=(LEAVES[0],)), 422)
    other = parse_note(THIEF.sign(Checkpoint(ORIGIN, 3, LEAVES[0])))
    refused(witness, ConsistencyProof(0, (), other), 403)
    stranger = parse_note(SERVER.sign(Checkpoint("else.example/game/g", 3, LEAVES[0])))
    refused(witness, ConsistencyProof(0, (), stranger), 404)
    forged = parse_note(head_of(LEAVES, 3).replace("\n3\n", "\n4\n"))
    refused(witness, ConsistencyProof(0, (), forged), 403)
    assert witness.last_head(ORIGIN) is None


def test_a_witness_signs_no_log_without_an_id_and_no_other_root_of_an_empty_one(witness: Witness) -> None:
    nameless = parse_note(SERVER.sign(Checkpoint("cards.example/game/", 3, LEAVES[0])))
    refused(witness, ConsistencyProof(0, (), nameless), 404)
    wrong = parse_note(SERVER.sign(Checkpoint(ORIGIN, 0, bytes(32))))
    refused(witness, ConsistencyProof(0, (), wrong), 422)
    empty = parse_note(SERVER.sign(Checkpoint(ORIGIN, 0, EMPTY.root())))
    assert witness.cosign(ConsistencyProof(0, (), empty), [SERVER.key], NOW).name == NAME


def damage_row(file: Path) -> None:
    """Write something else into each row of a file."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE heads SET body = 'damaged'")


CHANGES: dict[str, Callable[[Path], object]] = {
    "lost": Path.unlink,
    "emptied": lambda file: file.write_bytes(b""),
    "damaged": lambda file: file.write_bytes(b"damaged " * 1000),
    "a row damaged": damage_row,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_witness_that_has_lost_its_heads_signs_nothing(witness: Witness, tmp_path: Path, change: str) -> None:
    witness.cosign(request(LEAVES, 0, 7), [SERVER.key], NOW)
    CHANGES[change](tmp_path / "witness" / HEADS_FILE)
    with pytest.raises(HeadsUnavailable, match=r"heads\.db.* might sign a second history"):
        witness.cosign(request(FORK, 0, 9), [SERVER.key], NOW)
    answer = WitnessServer(witness, [SERVER.key]).add_checkpoint(request(FORK, 0, 9).text.encode())
    assert (answer.status, dict(answer.headers)[b"retry-after"]) == (503, b"10")
    if change != "a row damaged":
        with pytest.raises(HeadsUnavailable):
            Witness(tmp_path / "witness")


def test_a_witness_whose_heads_another_program_uses_asks_to_try_again(
    witness: Witness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.evidence.services.witness.TIMEOUT_S", 0.0)
    with closing(sqlite3.connect(tmp_path / "witness" / HEADS_FILE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(HeadsUnavailable, match="Try again"):
            witness.cosign(request(LEAVES, 0, 7), [SERVER.key], NOW)
    assert witness.cosign(request(LEAVES, 0, 7), [SERVER.key], NOW).name == NAME


@pytest.mark.parametrize("name", ["b\udcffb", "two words", "a+b", "", "x" * 256])
def test_a_folder_stays_empty_if_a_witness_cannot_have_the_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotANote, match="a key's name is"):
        Witness.create(tmp_path / "b", name)
    assert not (tmp_path / "b").exists()


def test_a_name_outside_of_ascii_can_sign(tmp_path: Path) -> None:
    made = Witness.create(tmp_path / "w", "bób.example/w")
    assert made.key.name == "bób.example/w"
    assert made.cosign(request(LEAVES, 0, 7), [SERVER.key], NOW).name == made.key.name


def test_the_key_of_a_witness_is_made_once_and_only_its_owner_reads_it(witness: Witness, tmp_path: Path) -> None:
    assert (tmp_path / "witness" / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert witness.key.name == NAME
    with pytest.raises(FileExistsError):
        Witness.create(tmp_path / "witness", NAME)
    with pytest.raises(NoSigningKey, match="trickbook witness init"):
        Witness(tmp_path)
    (tmp_path / "witness" / KEY_FILE).write_text("damaged")
    with pytest.raises(NoSigningKey):
        Witness(tmp_path / "witness")


@contextmanager
def serving(folder: Path, key: str) -> Iterator[str]:
    """Run a witness over HTTP; yield its address."""
    port = free_port()
    command = [sys.executable, "-m", "api.cli", "witness", "serve", "--folder", str(folder), "--key", key]
    with subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"listening on http://127.0.0.1:{port}\n"
        yield f"http://127.0.0.1:{port}"
        process.terminate()
        assert process.wait(60) == 0


def send(url: str, body: str) -> tuple[int, str, str]:
    """Send a request, and return the status, the content type and the text of the answer."""
    answer = httpx.post(url, content=body.encode(), timeout=60)
    return answer.status_code, answer.headers["Content-Type"], answer.text


def run(database: Database, *arguments: str, witnesses: str = "") -> Result:
    """Run the program on the server's store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRICKBOOK_WITNESSES", witnesses)
        return program(*arguments, at=config_for(database))


@pytest.mark.timeout(900)
def test_a_witness_answers_over_http(witness: Witness, tmp_path: Path) -> None:
    with serving(tmp_path / "witness", SERVER.key.text) as address:
        url = f"{address}/add-checkpoint"
        status, _, text = send(url, request(LEAVES, 0, 7).text)
        assert status == 200
        assert parse_signatures(text)[0].key_id == witness.key.id
        assert send(url, request(LEAVES, 3, 9).text) == (409, "text/x.tlog.size", "7\n")
        assert send(url, request(FORK, 7, 9).text)[0] == 422
        assert send(url, "old 0\n")[0] == 400
        assert send(address, "")[0] == 404
        assert send(url, "x" * 70_000)[0] == 413
        assert httpx.get(url, timeout=60).status_code == 405
        assert send(url, request(LEAVES, 7, 9).text)[0] == 200
        (tmp_path / "witness" / HEADS_FILE).unlink()
        assert send(url, request(FORK, 0, 9).text) == (503, "text/plain; charset=utf-8", CANNOT_SIGN)


def test_a_request_whose_body_does_not_arrive_is_answered(witness: Witness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.evidence.services.witness.BODY_TIMEOUT_S", 0.0)
    sent: list[Any] = []

    async def receive_nothing() -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    async def keep(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/add-checkpoint", "method": "POST"}
    run_coroutine(WitnessServer(witness, [SERVER.key])(scope, receive_nothing, keep))
    assert (sent[0]["status"], dict(sent[0]["headers"])[b"connection"]) == (408, b"close")


Answer = tuple[int, str, Iterable[bytes]]


@contextmanager
def answering(respond: Callable[[bytes], Answer]) -> Iterator[str]:
    """Answer each request in this process with the status, content type and parts of a body; yield the address."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        status, kind, parts = respond(body_of(request))
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.end_headers()
        with suppress(ConnectionError):
            for part in parts:
                request.wfile.write(part)

    with http_server(answer) as port:
        yield f"http://127.0.0.1:{port}"


def test_a_receipt_is_taken_to_a_witness_and_back(database: Database, make_app: MakeApp, tmp_path: Path) -> None:
    theirs = Witness.create(tmp_path / "theirs", NAME)
    key = theirs.key
    app = make_app(replace(config_for(database), witnesses=(ChosenWitness(key),)))
    ann = Caller(app.test_client()).join("ann")
    game = open_game(ann)
    served = WitnessServer(theirs, services_of(app).receipts.keys.public_keys())

    def add_checkpoint(body: bytes) -> Answer:
        answer = served.add_checkpoint(body)
        return answer.status, answer.kind, [answer.text.encode()]

    with answering(add_checkpoint) as address:
        for _ in range(2):  # the second receipt continues the first one
            plain = play_hand(ann, game)["receipt"]
            signed = run(database, "receipt", "cosign", game, address, witnesses=key.text)
            assert signed.exit_code == 0, signed.output
            assert parse_note(signed.output).body == parse_note(plain).body
            assert cosignatures(parse_note(signed.output), [key])
            assert ann.get(f"/games/{game}/receipt", **TEXT).text == signed.output
        stranger = run(database, "receipt", "cosign", game, address)
        assert (stranger.exit_code, "TRICKBOOK_WITNESSES" in stranger.output) == (2, True)
    nobody = run(database, "receipt", "cosign", game, address, witnesses=key.text)
    assert (nobody.exit_code, "It doesn't answer" in nobody.output) == (2, True)


@pytest.mark.both_stores
def test_the_server_takes_receipts_to_a_witness_with_an_address(
    database: Database, make_app: MakeApp, tmp_path: Path
) -> None:
    theirs, is_down = Witness.create(tmp_path / "theirs", NAME), True
    server_keys = list[Key]()

    def add_checkpoint(body: bytes) -> Answer:
        if is_down:
            return 503, "text/plain", [b"later"]
        answer = WitnessServer(theirs, server_keys).add_checkpoint(body)
        return answer.status, answer.kind, [answer.text.encode()]

    with answering(add_checkpoint) as address:
        app = make_app(replace(config_for(database), witnesses=(ChosenWitness(theirs.key, address),)))
        services = services_of(app)
        server_keys += services.receipts.keys.public_keys()
        ann = Caller(app.test_client()).join("ann")
        game = open_game(ann)
        play_hand(ann, game)
        # when the worker finds the end of the hand, and the witness is down
        services.receipts.issue_missing(services.games.log.last_numbers())
        sender = WitnessSender(services)
        assert sender.run_once() == 0
        state = queue_states(services)[WITNESSES]
        assert (state.waiting, state.failing, state.why) == (1, 1, "503: later")
        told = [(each.level, each.text) for each in look_at_queues(services) if WITNESSES in each.text]
        assert told == [("note", "witnesses: 1 waiting, 1 failing; the last failure: 503: later")]
        # then it signs at the next try
        is_down = False
        services.accounts.database.run("UPDATE deliveries SET free = 0")
        assert (sender.run_once(), sender.run_once()) == (1, 0)
    assert cosignatures(parse_note(ann.get(f"/games/{game}/receipt", **TEXT).text), [theirs.key])
    assert queue_states(services)[WITNESSES][:2] == (0, 0)


@pytest.mark.both_stores
def test_attack_160_a_hand_that_ends_while_a_witness_signs_is_signed_next(
    database: Database, make_app: MakeApp, tmp_path: Path
) -> None:
    theirs, asked, server_keys = Witness.create(tmp_path / "theirs", NAME), list[bytes](), list[Key]()

    def add_checkpoint(body: bytes) -> Answer:
        asked.append(body)
        if len(asked) == 1:  # when the next hand ends before the first answer, also for the worker
            play_hand(ann, game)
            services.receipts.issue_missing(services.games.log.last_numbers())
        answer = WitnessServer(theirs, server_keys).add_checkpoint(body)
        return answer.status, answer.kind, [answer.text.encode()]

    with answering(add_checkpoint) as address:
        app = make_app(replace(config_for(database), witnesses=(ChosenWitness(theirs.key, address),)))
        services = services_of(app)
        server_keys += services.receipts.keys.public_keys()
        ann = Caller(app.test_client()).join("ann")
        game = open_game(ann)
        play_hand(ann, game)
        services.receipts.issue_missing(services.games.log.last_numbers())
        sender = WitnessSender(services)
        signed = sum(sender.run_once() for _ in range(3))
        # then both receipts are signed, and a log that is read again asks for nothing
        requests = len(asked)
        services.accounts.database.run("DELETE FROM reader_places WHERE reader = 'receipts'")
        services.receipts.issue_missing(services.games.log.last_numbers())
        sender.run_once()
    newest = parse_note(ann.get(f"/games/{game}/receipt", **TEXT).text)
    assert (signed, bool(cosignatures(newest, [theirs.key]))) == (2, True)
    assert (len(asked) - requests, queue_states(services)[WITNESSES][:2]) == (0, (0, 0))


def test_the_worker_of_a_server_asks_its_witnesses(database: Database, make_app: MakeApp, tmp_path: Path) -> None:
    theirs, is_asked, stop = Witness.create(tmp_path / "theirs", NAME), Event(), Event()

    def add_checkpoint(_body: bytes) -> Answer:
        is_asked.set()
        return 503, "text/plain", [b"later"]

    with answering(add_checkpoint) as address:
        app = make_app(replace(config_for(database), witnesses=(ChosenWitness(theirs.key, address),)))
        ann = Caller(app.test_client()).join("ann")
        play_hand(ann, open_game(ann))
        services = services_of(app)
        services.receipts.issue_missing(services.games.log.last_numbers())
        worker = Thread(target=Worker(services).run, args=(stop,))
        worker.start()
        try:
            assert is_asked.wait(30)
        finally:
            stop.set()
            worker.join()


def test_attack_163_a_witness_that_fails_is_asked_once_and_delays_no_other(
    database: Database, make_app: MakeApp, tmp_path: Path
) -> None:
    good, bad = Witness.create(tmp_path / "good", NAME), Witness.create(tmp_path / "bad", "bad.example/witness")
    server_keys, asked = list[Key](), list[bytes]()

    def fail(body: bytes) -> Answer:
        asked.append(body)
        return 503, "text/plain", [b"later"]

    def sign(body: bytes) -> Answer:
        answer = WitnessServer(good, server_keys).add_checkpoint(body)
        return answer.status, answer.kind, [answer.text.encode()]

    with answering(fail) as silent, answering(sign) as address:
        chosen = ChosenWitness(bad.key, silent), ChosenWitness(good.key, address)
        app = make_app(replace(config_for(database), witnesses=chosen))
        services = services_of(app)
        server_keys += services.receipts.keys.public_keys()
        ann = Caller(app.test_client()).join("ann")
        games = [open_game(ann) for _ in range(3)]
        for game in games:
            assert ann.post(f"/games/{game}/moves", {"type": "resign"}).status_code == 201
        services.receipts.issue_missing(services.games.log.last_numbers())
        assert WitnessSender(services).run_once() == len(games)
    assert len(asked) == 1
    assert queue_states(services)[WITNESSES][:2] == (3, 3)


def test_attack_171_a_witness_is_asked_for_what_a_receipt_covers_and_must_sign_itself(
    database: Database, make_app: MakeApp, tmp_path: Path
) -> None:
    """The signatures of others are public. A witness that answers one of them has signed nothing."""
    good, lazy = Witness.create(tmp_path / "good", NAME), Witness.create(tmp_path / "lazy", "lazy.example/witness")
    server_keys, asked = list[Key](), list[bytes]()

    def sign(body: bytes) -> Answer:
        asked.append(body)
        answer = WitnessServer(good, server_keys).add_checkpoint(body)
        return answer.status, answer.kind, [answer.text.encode()]

    with answering(sign) as address, answering(sign) as copied:
        chosen = ChosenWitness(good.key, address), ChosenWitness(lazy.key, copied)
        app = make_app(replace(config_for(database), witnesses=chosen))
        services = services_of(app)
        server_keys += services.receipts.keys.public_keys()
        ann = Caller(app.test_client()).join("ann")
        game = open_game(ann)
        play_hand(ann, game)
        services.receipts.issue_missing(services.games.log.last_numbers())
        sizes = [each.size for each in services.receipts.stored_receipts(game)]
        assert ann.post(f"/games/{game}/moves", {"type": "resign"}).status_code == 201
        run_accounts_sql(services, "DELETE FROM receipts WHERE size > ?", sizes[-1])
        assert WitnessSender(services).run_once() == 1
        # then no receipt was made for them, and the other one isn't said to have signed
        assert [each.size for each in services.receipts.stored_receipts(game)] == sizes
        assert f"\n{sizes[-1]}\n".encode() in asked[0]
    state = queue_states(services)[WITNESSES]
    assert (state.waiting, state.given_up, "of another witness" in str(state.why)) == (0, 1, True)


@pytest.mark.both_stores
def test_a_receipt_that_was_given_up_is_tried_as_often_again(database: Database, make_app: MakeApp) -> None:
    queue = services_of(make_app(config_for(database))).accounts.deliveries

    def fail_once() -> bool:
        with queue.database.transaction(writes=True) as transaction:
            add(transaction, WITNESSES, "game witness", "", transaction.now())
        item = queue.take(WITNESSES, "game witness")
        assert item is not None
        return queue.fail(item, "it's down")

    assert not fail_once()
    # given an item that has failed for a week
    queue.database.run("UPDATE deliveries SET free = 0, failing = failing - ?", 8 * 24 * 3600 * 1_000_000)
    assert fail_once()
    # then the next hand isn't given up with its first failure
    assert not fail_once()


WITNESS_LINE = parse_note(WITNESS.cosign(head_of(LEAVES, 9))).signatures[-1].line
"""A line as a witness answers it."""


@pytest.mark.parametrize(
    ("answers", "error", "says"),
    [
        ([(409, "7"), (422, "it has another root")], WitnessRefuses, "it has another root"),
        ([(409, "10")], WitnessRefuses, "it has signed 10 events of this game, and this receipt is of 9"),
        ([(409, "-1")], NotAWitness, "without the size"),
        ([(409, "")], NotAWitness, "without the size"),
        ([(404, "")], WitnessRefuses, "it answers 404"),
        ([(200, "welcome")], NotAWitness, "The answer isn't a signature"),
        ([(200, WITNESS_LINE * 16)], NotAWitness, "16 signatures, and this receipt has room for 15"),
        ([(200, "x" * 70_000)], NotAWitness, "too long"),
        ([(422, b"\xff")], NotAWitness, "isn't UTF-8"),
    ],
)
def test_an_answer_without_a_signature_is_told(
    answers: list[tuple[int, str | bytes]], error: type[Exception], says: str
) -> None:
    left = list(answers)

    def respond(_: bytes) -> Answer:
        status, text = left.pop(0)
        return status, "text/plain; charset=hex", [text if isinstance(text, bytes) else text.encode()]

    with answering(respond) as address, pytest.raises(error, match=says):
        ask_witness(address, parse_note(head_of(LEAVES, 9)), LEAVES)
    assert left == []


def test_an_answer_that_takes_too_long_is_not_awaited() -> None:
    drip = repeat(b"x")
    with answering(lambda _: (200, "text/plain", drip)) as address, pytest.raises(NotAWitness, match="took too long"):
        ask_witness(address, parse_note(head_of(LEAVES, 9)), LEAVES, 0.0)


def test_a_server_takes_cosignatures_of_its_witnesses_and_shows_them(
    database: Database, make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(replace(config_for(database), witnesses=(ChosenWitness(WITNESS.key),)))
    ann = Caller(app.test_client()).join("ann")
    game = open_game(ann)
    plain = play_hand(ann, game)["receipt"]
    path, cosigned = f"/games/{game}/cosignatures", WITNESS.cosign(plain)
    size = parse_checkpoint(parse_note(plain).body).size

    def body(note: str) -> dict[str, object]:
        return {"size": size, "lines": [each.line.rstrip("\n") for each in parse_note(note).signatures]}

    stranger, thief = replace(WITNESS, name="bob.example/witness"), replace(WITNESS, seed=2)
    (line,) = [each for each in parse_note(thief.cosign(plain)).signatures if each.name == NAME]
    forged = Note(parse_note(plain).body, (replace(line, key_id=WITNESS.key.id),)).text
    for note in (plain, stranger.cosign(plain), forged):
        check_problem(ann.post(path, body(note)), 400, "malformed")
    check_problem(ann.post(path, body(plain) | {"lines": ["x"]}), 400, "malformed")
    check_problem(ann.post(path, body(cosigned) | {"size": size - 1}), 404, "not-found")
    answer = replace(ann, token=None).post(path, body(stranger.cosign(cosigned)))
    assert (answer.status_code, answer.get_json()["note"]) == (201, cosigned), "only its witnesses' lines are kept"
    later = replace(WITNESS, seconds=NOW + 60).cosign(plain)
    assert ann.post(path, body(later), **TEXT).text == cosigned, "the first one stays"
    assert ann.get(f"/games/{game}/receipt", **TEXT).text == cosigned
    trailer = json.loads(ann.get(f"/games/{game}/export").text.splitlines()[-1])
    assert trailer["receipt"] == cosigned
    told = ann.get(f"/games/{game}/audit").get_json()["log"]["receipts"]
    assert [each["cosigned"] for each in told] == [[{"witness": WITNESS.key.label, "at": "2027-01-15T08:00:00Z"}]]
    file = tmp_path / "cosigned.txt"
    file.write_text(cosigned)
    assert run(database, "receipt", "submit", game, str(file), witnesses=WITNESS.key.text).output == cosigned
    refusal = run(database, "receipt", "submit", game, str(file))
    assert refusal.exit_code == 2
    assert "TRICKBOOK_WITNESSES" in refusal.output


TAMPERINGS: dict[LiteralString, str] = {
    "UPDATE cosignatures SET line = ?": "the cosignature isn't by",
    "UPDATE cosignatures SET line = substr(line, 1, 20) WHERE line <> ?": "receipt",
    "UPDATE cosignatures SET size = size - 1 WHERE line <> ?": "a witness signed a receipt of",
}


def test_the_check_of_the_store_reads_the_signatures_of_witnesses(database: Database, make_app: MakeApp) -> None:
    app = make_app(replace(config_for(database), witnesses=(ChosenWitness(WITNESS.key),)))
    ann = Caller(app.test_client()).join("ann")
    game = open_game(ann)
    plain = play_hand(ann, game)["receipt"]
    (line,) = [each for each in parse_note(WITNESS.cosign(plain)).signatures if each.name == NAME]
    size = parse_checkpoint(parse_note(plain).body).size
    assert ann.post(f"/games/{game}/cosignatures", {"size": size, "lines": [line.line.rstrip("\n")]}).status_code == 201
    (stored,) = run_accounts_sql(services_of(app), "SELECT line, size FROM cosignatures")
    (theirs,) = [
        replace(each, key_id=WITNESS.key.id)
        for each in parse_note(replace(WITNESS, seed=2).cosign(plain)).signatures
        if each.name == NAME
    ]
    for tampering, says in TAMPERINGS.items():
        sound = run(database, "store", "check", witnesses=WITNESS.key.text)
        assert sound.exit_code == 0, sound.output
        run_accounts_sql(services_of(app), tampering, theirs.line)
        changed = run(database, "store", "check", witnesses=WITNESS.key.text)
        assert (changed.exit_code, says in changed.output) == (1, True), changed.output
        run_accounts_sql(services_of(app), "UPDATE cosignatures SET line = ?, size = ?", *stored)


def test_a_person_cosigns_a_game_and_a_fork_of_it_is_proved(make_app: MakeApp, tmp_path: Path) -> None:
    database = Database(None, tmp_path / "data")
    ann = Caller(make_app(config_for(database)).test_client()).join("ann")
    game = open_game(ann)
    fork = replace(database, data=tmp_path / "fork")
    shutil.copytree(database.data, fork.data)
    keys = tmp_path / "keys.json"
    keys.write_bytes(ann.get("/.well-known/trickbook/keys").data)
    there = replace(ann, client=make_app(config_for(fork)).test_client())
    for caller, name in ((ann, "game"), (there, "fork")):
        assert caller.post(f"/games/{game}/moves", {"type": "resign"}).status_code == 201
        (tmp_path / f"{name}.ndjson").write_bytes(caller.get(f"/games/{game}/export").data)
    folder, trusted = str(tmp_path / "w"), ("--key", str(keys))
    public = run(database, "witness", "init", NAME, "--folder", folder).output.strip()
    key, export, receipt = parse_key(public, COSIGNATURE), str(tmp_path / "game.ndjson"), tmp_path / "cosigned.txt"
    signed = run(database, "witness", "cosign", export, "--folder", folder, *trusted)
    assert cosignatures(parse_note(signed.output), [key])
    receipt.write_text(signed.output)
    options = ("--receipt", str(receipt), *trusted, "--key", public)
    assert f"cosigned by {key.label}" in run(database, "game", "verify", export, *options).output
    assert run(database, "witness", "init", "not a name", "--folder", f"{folder}2").exit_code == 2
    assert run(database, "witness", "cosign", export, "--folder", f"{folder}2").exit_code == 2
    untrusted = run(database, "witness", "cosign", export, "--folder", folder)
    assert (untrusted.exit_code, "no trusted key" in untrusted.output) == (1, True)
    forged = str(tmp_path / "fork.ndjson")
    assert run(database, "game", "verify", forged, *trusted).exit_code == 0
    refusal = run(database, "witness", "cosign", forged, "--folder", folder, *trusted)
    assert (refusal.exit_code, FORGERY in refusal.output, "not signed" in refusal.output) == (1, True, True)
    proof = run(database, "receipt", "compare", str(receipt), forged, *trusted, "--key", public)
    assert (proof.exit_code, FORGERY in proof.output, "was cosigned by" in proof.output) == (1, True, True)
