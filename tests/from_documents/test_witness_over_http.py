"""A witness as docs/witnesses.md and c2sp.org/tlog-witness say, by requests made here."""

import time
from pathlib import Path

import pytest

from api.receipts.witness_server import WitnessServer
from tests.api.log_reference import roots
from tests.from_documents.notes import (
    FORK,
    LEAVES,
    LOG,
    LOG_NAME,
    WITNESS_TYPE,
    Signer,
    base64,
    check_cosignature,
    create,
    growth,
    head,
    request,
    send,
    send_at_once,
    serving,
)  # fmt: skip

Shown = tuple[WitnessServer, str]


@pytest.fixture(scope="module")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """A witness for all tests: its address and its key. Each test shows it a game of its own."""
    folder = tmp_path_factory.mktemp("witness") / "bob"
    vkey = create(folder)
    return serving(folder, LOG.vkey), vkey


def test_the_answer_is_one_cosignature_over_the_exact_text_at_the_present_time(witness: Shown) -> None:
    server, vkey = witness
    for old, size in ((0, 1), (1, 6), (6, 7), (7, 7), (7, 16), (16, 20)):
        before = int(time.time())
        answer = send(server, growth("exact", old, size))
        assert answer.status_code == 200, answer.text
        assert before <= check_cosignature(answer.text, vkey, head("exact", LEAVES[:size])) <= time.time()


MALFORMED = {
    "an old size with a leading zero": ("old 0\n", "old 00\n"),
    "an old size below zero": ("old 0\n", "old -1\n"),
    "an old size with a space behind": ("old 0\n", "old 0 \n"),
    "an old size in other digits": ("old 0\n", "old \uff10\n"),
    "another word": ("old 0\n", "Old 0\n"),
    "no old size": ("old 0\n", ""),
    "an old size beyond the head's": ("old 0\n", "old 99999999999999999999\n"),
    "lines that end with a carriage return": ("\n", "\r\n"),
    "no empty line before the head": ("old 0\n\n", "old 0\n"),
    "a hash of 31 bytes": ("old 0\n", f"old 0\n{base64(bytes(31))}\n"),
    "a hash in hex": ("old 0\n", f"old 0\n{'00' * 32}\n"),
    "a size with a leading zero": ("\n3\n", "\n03\n"),
    "a root of 31 bytes": (base64(roots(LEAVES[:3])[-1]), base64(bytes(31))),
    "a signature line with two spaces": ("— cards", "—  cards"),
}


def test_a_malformed_request_is_400_and_is_not_remembered(witness: Shown) -> None:
    for game, (name, change) in enumerate(MALFORMED.items()):
        body = growth(str(game), 0, 3)
        assert send(witness[0], body.replace(*change)).status_code == 400, name
        assert send(witness[0], body).status_code == 200, "its next request is the first one"


def test_signatures_of_unknown_keys_are_ignored_and_an_invalid_one_of_a_known_key_is_403(
    witness: Shown,
) -> None:
    server, vkey = witness
    text = head("keys", LEAVES[:3])
    strangers = Signer(drawn_from="2"), Signer("else.example"), Signer("else.example/w", WITNESS_TYPE)
    signed = request(0, [], text, *strangers)
    assert send(server, signed).status_code == 403
    forged = LOG.line(head("keys", FORK[:7]))
    for lines in (forged, forged + LOG.line(text), LOG.line(text) + forged):
        assert send(server, f"old 0\n\n{text}\n{lines}").status_code == 403
    answer = send(server, signed + LOG.line(text))
    assert answer.status_code == 200
    check_cosignature(answer.text, vkey, text)


def test_only_heads_of_games_of_the_key_s_own_name_are_signed(witness: Shown) -> None:
    rest = head("x", LEAVES[:3]).partition("\n")[2]
    for origin in (LOG_NAME, f"{LOG_NAME}/x", f"x/{LOG_NAME}/game/x", f"{LOG_NAME}.org/game/x", "else.example/game/x"):
        assert send(witness[0], request(0, [], f"{origin}\n{rest}")).status_code == 404, origin


def test_the_empty_log_has_one_head_and_a_proof_from_it_is_empty(witness: Shown) -> None:
    server, vkey = witness
    wrong = head("empty", []).replace(base64(roots([])[-1]), base64(bytes(32)))
    assert send(server, request(0, [], wrong)).status_code == 422
    assert send(server, request(0, [LEAVES[0]], head("empty", LEAVES[:3]))).status_code == 422
    first = send(server, growth("empty", 0, 0))
    assert first.status_code == 200, first.text
    check_cosignature(first.text, vkey, head("empty", []))
    assert send(server, growth("empty", 0, 3)).status_code == 200


def test_a_head_with_extension_lines_is_not_signed(witness: Shown) -> None:
    text = head("extended", LEAVES[:3], "an extension line\n")
    assert send(witness[0], request(0, [], text)).status_code == 400
    assert send(witness[0], growth("extended", 0, 3)).status_code == 200


def test_of_two_histories_that_come_at_once_it_signs_one(witness: Shown) -> None:
    server, vkey = witness
    for round_of in range(5):
        game = f"race {round_of}".replace(" ", "-")
        assert send(server, growth(game, 0, 4)).status_code == 200
        bodies = {name: growth(game, 4, 9, leaves) for name, leaves in (("log", LEAVES), ("fork", FORK))}
        names = [*bodies] * 4
        answers = list(zip(names, send_at_once(server, [bodies[name] for name in names]), strict=True))
        signed = [(name, answer.text) for name, answer in answers if answer.status_code == 200]
        assert len({name for name, _ in signed}) == 1
        assert {answer.status_code for _, answer in answers} <= {200, 409, 422}
        assert {answer.text for _, answer in answers if answer.status_code == 409} <= {"9\n"}
        check_cosignature(signed[0][1], vkey, head(game, (LEAVES if signed[0][0] == "log" else FORK)[:9]))


def test_a_witness_that_starts_again_has_the_head_and_its_key(tmp_path: Path) -> None:
    vkey = create(tmp_path / "w")
    assert send(serving(tmp_path / "w", LOG.vkey), growth("again", 0, 7)).status_code == 200
    server = serving(tmp_path / "w", LOG.vkey)
    told = send(server, growth("again", 0, 9))
    assert (told.status_code, told.headers["Content-Type"], told.text) == (409, "text/x.tlog.size", "7\n")
    assert send(server, growth("again", 7, 7, FORK)).status_code == 422
    assert send(server, growth("again", 7, 9, FORK)).status_code == 422
    check_cosignature(send(server, growth("again", 7, 9)).text, vkey, head("again", LEAVES[:9]))
