"""`trickbook witness serve` as docs/witnesses.md and c2sp.org/tlog-witness say, by requests made here."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.api.log_reference import roots
from tests.from_documents.notes import (
    FORK,
    LEAVES,
    LOG,
    LOG_NAME,
    PATIENCE_S,
    WITNESS_TYPE,
    Signer,
    base64,
    check_cosignature,
    create,
    growth,
    head,
    request,
    send,
    serving,
)  # fmt: skip


@pytest.fixture(scope="module")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A witness for all tests: its address and its key. Each test shows it a game of its own."""
    folder = tmp_path_factory.mktemp("witness") / "bob"
    vkey = create(folder)
    with serving(folder, LOG.vkey) as (url, _):
        yield url, vkey


@pytest.mark.timeout(PATIENCE_S)
def test_the_answer_is_one_cosignature_over_the_exact_text_at_the_present_time(witness: tuple[str, str]) -> None:
    url, vkey = witness
    for old, size in ((0, 1), (1, 6), (6, 7), (7, 7), (7, 16), (16, 20)):
        before = int(time.time())
        answer = send(url, growth("exact", old, size))
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


@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_request_is_400_and_is_not_remembered(witness: tuple[str, str], name: str) -> None:
    game = str(list(MALFORMED).index(name))
    body = growth(game, 0, 3)
    assert send(witness[0], body.replace(*MALFORMED[name])).status_code == 400
    assert send(witness[0], body).status_code == 200, "its next request is the first one"


@pytest.mark.timeout(PATIENCE_S)
def test_signatures_of_unknown_keys_are_ignored_and_an_invalid_one_of_a_known_key_is_403(
    witness: tuple[str, str],
) -> None:
    url, vkey = witness
    text = head("keys", LEAVES[:3])
    strangers = Signer(drawn_from="2"), Signer("else.example"), Signer("else.example/w", WITNESS_TYPE)
    signed = request(0, [], text, *strangers)
    assert send(url, signed).status_code == 403
    forged = LOG.line(head("keys", FORK[:7]))
    for lines in (forged, forged + LOG.line(text), LOG.line(text) + forged):
        assert send(url, f"old 0\n\n{text}\n{lines}").status_code == 403
    answer = send(url, signed + LOG.line(text))
    assert answer.status_code == 200
    check_cosignature(answer.text, vkey, text)


@pytest.mark.timeout(PATIENCE_S)
def test_only_heads_of_games_of_the_key_s_own_name_are_signed(witness: tuple[str, str]) -> None:
    rest = head("x", LEAVES[:3]).partition("\n")[2]
    for origin in (LOG_NAME, f"{LOG_NAME}/x", f"x/{LOG_NAME}/game/x", f"{LOG_NAME}.org/game/x", "else.example/game/x"):
        assert send(witness[0], request(0, [], f"{origin}\n{rest}")).status_code == 404, origin


@pytest.mark.timeout(PATIENCE_S)
def test_the_empty_log_has_one_head_and_a_proof_from_it_is_empty(witness: tuple[str, str]) -> None:
    url, vkey = witness
    wrong = head("empty", []).replace(base64(roots([])[-1]), base64(bytes(32)))
    assert send(url, request(0, [], wrong)).status_code == 422
    assert send(url, request(0, [LEAVES[0]], head("empty", LEAVES[:3]))).status_code == 422
    first = send(url, growth("empty", 0, 0))
    assert first.status_code == 200, first.text
    check_cosignature(first.text, vkey, head("empty", []))
    assert send(url, growth("empty", 0, 3)).status_code == 200


@pytest.mark.timeout(PATIENCE_S)
def test_a_head_with_extension_lines_is_not_signed(witness: tuple[str, str]) -> None:
    text = head("extended", LEAVES[:3], "an extension line\n")
    assert send(witness[0], request(0, [], text)).status_code == 400
    assert send(witness[0], growth("extended", 0, 3)).status_code == 200


@pytest.mark.timeout(PATIENCE_S)
def test_of_two_histories_that_come_at_once_it_signs_one(witness: tuple[str, str]) -> None:
    url, vkey = witness
    for round_of in range(5):
        game = f"race {round_of}".replace(" ", "-")
        assert send(url, growth(game, 0, 4)).status_code == 200
        bodies = {name: growth(game, 4, 9, leaves) for name, leaves in (("log", LEAVES), ("fork", FORK))}
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda name, of=bodies: (name, send(url, of[name])), list(bodies) * 4))
        signed = [(name, answer.text) for name, answer in answers if answer.status_code == 200]
        assert len({name for name, _ in signed}) == 1
        assert {answer.status_code for _, answer in answers} <= {200, 409, 422}
        assert {answer.text for _, answer in answers if answer.status_code == 409} <= {"9\n"}
        check_cosignature(signed[0][1], vkey, head(game, (LEAVES if signed[0][0] == "log" else FORK)[:9]))


@pytest.mark.timeout(PATIENCE_S)
def test_a_witness_that_is_killed_after_its_answer_has_the_head_and_its_key(tmp_path: Path) -> None:
    vkey = create(tmp_path / "w")
    with serving(tmp_path / "w", LOG.vkey) as (url, process):
        assert send(url, growth("killed", 0, 7)).status_code == 200
        process.kill()
    with serving(tmp_path / "w", LOG.vkey) as (url, _):
        told = send(url, growth("killed", 0, 9))
        assert (told.status_code, told.headers["Content-Type"], told.text) == (409, "text/x.tlog.size", "7\n")
        assert send(url, growth("killed", 7, 7, FORK)).status_code == 422
        assert send(url, growth("killed", 7, 9, FORK)).status_code == 422
        check_cosignature(send(url, growth("killed", 7, 9)).text, vkey, head("killed", LEAVES[:9]))
