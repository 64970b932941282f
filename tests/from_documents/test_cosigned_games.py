"""Cosigned receipts of a server (docs/witnesses.md, docs/http.md): what it takes and shows, and who reads it."""

import json
import shutil
import subprocess
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from tests.api.conftest import check_problem
from tests.api.log_reference import Key, check_export
from tests.commands import run
from tests.docs.markdown import ROOT
from tests.from_documents.conftest import ANN, BOB, EVE, Place
from tests.from_documents.notes import LOG_TYPE, check_cosignature, create, send, serving


def with_another_time(line: str, text: str) -> str:
    """Return the line of BOB with the signature of one second and the time of another."""
    here, there = BOB.line(text, 1_800_000_000), BOB.line(text, 1_800_000_001)
    assert line == here
    return here[:48] + there[48:]


def test_refused_cosignatures_leave_receipt_export_and_log_as_they_were(place: Place) -> None:
    text, before = place.text, place.state()
    valid = ANN.line(text)
    other_head = text.replace(f"\n{place.size}\n", f"\n{place.size - 1}\n")
    refused = {
        "no line": [],
        "a stranger's line alone": [EVE.line(text)],
        "a line over another head, beside a valid one": [valid, BOB.line(other_head)],
        "a line whose time isn't the signed one": [valid, with_another_time(BOB.line(text), text)],
        "a time of zero": [valid, BOB.line(text, 0)],
        "a plain signature by the witness's key": [replace(BOB, kind=LOG_TYPE).line(text)],
        "another key under the name and the id": [
            valid.replace(valid.split()[2][8:], EVE.line(text).split()[2][8:]),
        ],
        "no signature line": [valid, "x"],
    }
    for what, lines in refused.items():
        assert place.post(*lines).status_code == 400, what
        check_problem(place.post(*lines), 400, "malformed")
    for other in ({"size": "3"}, {"size": -1}, {"size": True}, {"lines": None}, {"lines": valid}, {"more": 1}):
        check_problem(place.post(valid, **other), 400, "malformed")
    nobody = place.server.nobody
    check_problem(nobody.post(f"{place.game.path}/cosignatures", {"size": place.size}), 400, "malformed")
    check_problem(place.post(valid, size=place.size - 1), 404, "not-found")
    body = {"size": place.size, "lines": [valid.strip()]}
    check_problem(nobody.post("/games/99/cosignatures", body), 404, "not-found")
    assert place.state() == before


def test_cosignatures_are_shown_wherever_the_receipt_is_and_no_fact_is_written(place: Place) -> None:
    log, export = place.game.log, check_export(place.game.export())
    bob, ann = BOB.line(place.text), ANN.line(place.text, 1_800_000_500)
    assert place.post(EVE.line(place.text), bob).get_json()["note"] == place.plain + bob
    answer = place.post(ann)
    told = answer.get_json()
    note = told["note"]
    assert (answer.status_code, sorted(told)) == (201, ["game", "note", "root", "size"])
    assert (told["game"], told["size"], told["root"]) == (place.game.id, place.size, export.roots[place.size].hex())
    assert (note.startswith(place.plain), sorted(note[len(place.plain) :].splitlines(keepends=True))) == (
        True, sorted([ann, bob]),
    )  # fmt: skip
    assert place.post(BOB.line(place.text, 1_800_009_999)).get_json()["note"] == note, "of each the first"
    assert place.game.log == log
    after = check_export(place.game.export())
    assert (after.lines, after.header) == (export.lines, export.header)
    assert after.trailer == export.trailer | {"receipt": note}
    assert after.trailer["header"] == sha256(place.game.export().split(b"\n", 1)[0]).hexdigest()
    for path in ("receipt", f"receipt?size={place.size}"):
        assert place.shown(path) == note
    for path in ("proofs/inclusion?version=2", "proofs/consistency?first=3"):
        assert place.shown(path).partition("\n\n")[2] == note
        assert place.server.nobody.get(f"{place.game.path}/{path}").get_json()["receipt"] == note
    assert note in json.loads(place.server.nobody.get("/exports/games").text.splitlines()[-1])["receipt"]
    assert place.server.command("game", "export", place.game.id).stdout.encode() == place.game.export()
    (key,) = map(Key.read, after.header["keys"])
    assert key.signed(note)
    for signer, line in ((ANN, ann), (BOB, bob)):
        check_cosignature(line, signer.vkey, note.partition("\n\n")[0] + "\n")


def test_a_receipt_that_is_made_again_and_the_operator_s_have_the_cosignatures_too(place: Place) -> None:
    note = place.post(ANN.line(place.text)).get_json()["note"]
    size = str(place.size)
    shown = {
        "print": place.server.command("receipt", "print", place.game.id, "--size", size).stdout,
        "proof": place.server.command("receipt", "proof", place.game.id, "--first", "3", "--size", size).stdout,
    }
    made = place.game.seats[0].post(f"{place.game.path}/receipts", {}).get_json()
    if made["size"] == place.size:
        shown["POST"] = made["note"]
    assert {name: text.endswith(note) for name, text in shown.items()} == dict.fromkeys(shown, True)


def test_a_restored_backup_shows_the_cosignatures(place: Place, tmp_path: Path) -> None:
    note = place.post(ANN.line(place.text)).get_json()["note"]
    assert place.server.command("store", "backup", str(tmp_path / "copy")).exit_code == 0
    restored = replace(place.server.config, data=tmp_path / "restored")
    done = run("store", "restore", str(tmp_path / "copy"), at=restored)
    assert done.exit_code == 0, done.output
    exported = run("game", "export", place.game.id, at=restored).stdout
    assert json.loads(exported.splitlines()[-1])["receipt"] == note


def test_a_forged_time_of_a_known_witness_makes_a_receipt_forged_and_an_unknown_one_counts_for_nothing(
    place: Place, tmp_path: Path
) -> None:
    (tmp_path / "game.ndjson").write_bytes(place.game.export())
    (key,) = place.game.read().header["keys"]
    forged = with_another_time(BOB.line(place.text), place.text)
    for line, keys, code, word in (
        (BOB.line(place.text), [BOB.vkey], 0, f"cosigned by {BOB.name}+{BOB.id.hex()} at 2027-01-15T08:00:00Z"),
        (forged, [BOB.vkey], 1, "forged"),
        (forged, [ANN.vkey], 0, "good"),
        (BOB.line(place.text), [], 0, "good"),
    ):
        (tmp_path / "r.txt").write_text(place.plain + line)
        trusted = [part for each in (key, *keys) for part in ("--key", each)]
        done = run("game", "verify", str(tmp_path / "game.ndjson"), "--receipt", str(tmp_path / "r.txt"), *trusted)
        (said, *_) = [each for each in done.output.splitlines() if "r.txt): " in each]
        assert (done.exit_code, word in said) == (code, True), done.output
        assert ("cosigned by" in done.output) == ("cosigned by" in word), done.output


def test_the_programs_that_know_this_page_alone_read_a_cosigned_export(place: Place, tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine")
    place.post(ANN.line(place.text), BOB.line(place.text))
    (tmp_path / "game.ndjson").write_bytes(place.game.export())
    (tmp_path / "r.txt").write_text(place.shown("receipt"))
    program = ["node", str(ROOT / "api" / "static" / "verify" / "verify.mjs")]
    given = [str(tmp_path / "game.ndjson"), str(tmp_path / "r.txt")]
    done = subprocess.run([*program, *given], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "verdict: right"), done.stdout + done.stderr


def test_the_text_of_a_consistency_proof_is_a_request_and_an_older_receipt_is_not_signed(
    place: Place, tmp_path: Path
) -> None:
    vkey, game = create(tmp_path / "w"), place.game
    (key,) = game.read().header["keys"]
    (tmp_path / "early.ndjson").write_bytes(game.export())
    early = place.shown("receipt")
    witness = serving(tmp_path / "w", key)
    assert send(witness, f"old 0\n\n{early}").status_code == 200
    game.play_hand()
    grown = place.shown(f"proofs/consistency?first={place.size}")
    check_cosignature(send(witness, grown).text, vkey, grown.partition("\n\n")[2].partition("\n\n")[0] + "\n")
    done = run("witness", "cosign", str(tmp_path / "early.ndjson"), "--folder", str(tmp_path / "w"), "--key", key)
    assert (done.exit_code, "PROOF OF FORGERY" in done.output) == (1, False), done.output
    assert "early.ndjson: not signed: " in done.output
