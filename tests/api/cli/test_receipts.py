"""Receipts on the command line: issued, verified and compared (docs/trust.md, questions 8 and 9)."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from flask import Flask

from api.container import Services
from domain.protocols.signed_notes import parse_consistency, parse_inclusion, parse_note
from tests.api.conftest import Caller, MakeApp, config_for, services_of
from tests.api.forgery import forge, run_accounts_sql
from tests.api.receipts.test_receipts import open_game, play_hand
from tests.commands import run
from tests.conftest import Database
from tests.replay.signing import THIEF, WITNESS


@dataclass(frozen=True)
class Table:
    """A game with a receipt of its first hand, and the files that a player keeps of it."""

    database: Database
    ann: Caller
    game: str
    answer: dict[str, Any]
    folder: Path

    def keep(self, name: str, text: str | bytes) -> str:
        """Write a file, and return its path."""
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    def get(self, path: str, name: str, **headers: str) -> str:
        """Save the server's answer to a file."""
        answer = self.ann.get(path if path.startswith("/.") else f"/games/{self.game}/{path}", **headers)
        assert answer.status_code == 200, answer.text
        return self.keep(name, answer.data)

    def run(self, *arguments: str) -> Result:
        """Run the program on the server's stores."""
        return run(*arguments, at=config_for(self.database))

    @property
    def services(self) -> Services:
        """The services of the server."""
        app = self.ann.client.application
        assert isinstance(app, Flask)
        return services_of(app)

    @property
    def receipt(self) -> str:
        """The receipt of the first hand."""
        return self.keep("hand.txt", self.answer["receipt"])

    @property
    def keys(self) -> str:
        """The published keys."""
        return self.get("/.well-known/trickbook/keys", "keys.json")

    @property
    def export(self) -> str:
        """The current export."""
        return self.get("export", "game.ndjson")


@pytest.fixture
def table(make_app: MakeApp, database: Database, tmp_path: Path) -> Table:
    """A game with a receipt, and an empty folder beside it."""
    ann = Caller(make_app(config_for(database)).test_client()).join("ann")
    game = open_game(ann)
    (tmp_path / "kept").mkdir()
    return Table(database, ann, game, play_hand(ann, game), tmp_path / "kept")


def test_verify_and_audit_check_a_receipt(table: Table) -> None:
    table.ann.post(f"/games/{table.game}/moves", {"type": "resign"})
    for checked in (
        table.run("game", "verify", table.export, "--receipt", table.receipt, "--key", table.keys),
        table.run("game", "audit", "1", "--receipt", table.receipt, "--key", table.keys),
        table.run("game", "audit", table.export, "--receipt", table.receipt, "--key", table.keys),
        table.run("game", "audit", "1", "--receipt", table.keep("answer.json", json.dumps(table.answer))),
    ):
        assert (checked.exit_code, "verdict: all green" in checked.output) == (0, True), checked.output
        assert f"receipt of {table.answer['version']} events" in checked.output
    forged = table.keep("forged.txt", table.answer["receipt"].replace("\n", "\n1", 1))
    assert table.run("game", "audit", "1", "--receipt", forged).exit_code == 1
    told = json.loads(table.run("game", "audit", "1", "--json").stdout)["log"]["receipts"]
    assert [(each["source"], each["state"], each["trust"]) for each in told] == [("kept", "good", "store")] * len(told)
    assert len(told) >= 2


def test_trust_3_8_a_rewritten_history_is_exit_1_and_an_event_is_named(table: Table) -> None:
    receipt, keys = table.receipt, table.keys
    forge(table.database, table.game, 3)
    audited = table.run("game", "audit", "1", "--receipt", receipt, "--key", keys)
    assert (audited.exit_code, "event 1: " in audited.output) == (1, True)
    assert "changed after the fact" in audited.output
    exported = table.keep("forged.ndjson", table.run("game", "export", "1").stdout_bytes)
    assert table.run("game", "verify", exported, "--receipt", receipt, "--key", keys).exit_code == 1
    assert table.run("game", "verify", exported).exit_code == 1  # the receipt in the export contradicts it


def test_a_players_receipt_is_checked_if_the_servers_receipts_are_deleted(table: Table) -> None:
    receipt, keys = table.receipt, table.keys
    forge(table.database, table.game, 3)
    run_accounts_sql(table.services, "DELETE FROM receipts")
    assert "verdict: cannot decide" in table.run("game", "audit", "1").output  # only the running hand is undecided
    assert table.run("game", "audit", "1", "--receipt", receipt, "--key", keys).exit_code == 1


def test_a_missing_or_unreadable_receipt_is_exit_2(table: Table) -> None:
    note = table.answer["receipt"]
    for kept, text in {
        "empty.txt": b"", "cut.txt": note.encode()[:-30], "null.json": b'{"receipt":null}', "list.json": b'{"note":[]}',
        "broken.json": b'{"note":', "binary.txt": b"\xff\xfe",
    }.items():  # fmt: skip
        table.keep(kept, text)
    for name in ("nowhere.txt", *(file.name for file in table.folder.iterdir())):
        done = table.run("game", "verify", table.export, "--receipt", str(table.folder / name))
        if name != "game.ndjson":
            assert (done.exit_code, name in done.output, "Traceback" in done.output) == (2, True, False)


def test_an_invalid_key_is_exit_2(table: Table) -> None:
    published = json.loads(Path(table.keys).read_text())
    kept = [
        table.keep("empty.txt", "\n"),
        table.keep("none.json", json.dumps({"keys": [], "rotations": []})),
        table.keep("half.json", json.dumps({"keys": published["keys"]})),
        table.keep("notes.json", json.dumps(published | {"rotations": [table.answer["receipt"]]})),
    ]
    for key in ("nowhere", "a+b+c", "cards.example+00000000+AA==", *kept):
        done = table.run("game", "verify", table.export, "--key", key)
        assert (done.exit_code, "Traceback" in done.output) == (2, False), done.output


def test_a_key_is_accepted_in_every_form_that_the_server_shows(table: Table) -> None:
    shown = table.run("keys", "show").stdout
    for key in (shown.strip(), table.keep("keys.txt", shown), table.keys):
        done = table.run("game", "verify", table.export, "--key", key)
        assert (done.exit_code, "a key that was given" in done.output) == (0, True), done.output
    assert table.run("game", "verify", table.export, "--key", THIEF.key.text).exit_code == 1
    assert "which is not cards.example" in table.run("game", "verify", table.export, "--key", THIEF.key.text).output
    assert "a key that only this file names" in table.run("game", "verify", table.export).output


def test_a_replaced_key_leads_to_the_new_one_through_the_rotation_note(table: Table) -> None:
    old = table.run("keys", "show").stdout.strip()
    assert table.run("keys", "rotate", "--yes").exit_code == 0
    table.ann.post(f"/games/{table.game}/moves", {"type": "resign"})
    keys = table.keep("keys.json", table.run("keys", "show", "--json").stdout)
    receipt = table.keep("new.txt", table.run("receipt", "print", "1").stdout)
    done = table.run("game", "verify", table.export, "--receipt", receipt, "--key", old)
    assert (done.exit_code, "/.well-known/trickbook/keys has a note signed by both" in done.output) == (1, True)
    for given in (("--key", keys), ("--key", old, "--key", keys)):
        done = table.run("game", "verify", table.export, "--receipt", receipt, *given)
        assert (done.exit_code, "a key that was given" in done.output) == (0, True), done.output
    added = table.keep("added.json", json.dumps(json.loads(Path(keys).read_text()) | {"rotations": []}))
    assert table.run("game", "verify", table.export, "--receipt", receipt, "--key", old, "--key", added).exit_code == 1


def test_the_receipt_in_the_last_line_of_an_export_is_used(table: Table) -> None:
    early = table.keep("early.ndjson", Path(table.export).read_bytes())
    table.ann.post(f"/games/{table.game}/moves", {"type": "resign"})
    done = table.run("game", "verify", table.export, "--receipt", early, "--key", table.keys)
    assert (done.exit_code, f"({early}): good" in done.output) == (0, True), done.output
    assert table.run("game", "verify", early, "--receipt", table.export, "--key", table.keys).exit_code == 1
    unsigned = Path(early).read_text().replace('"receipt":"', '"receipt":null,"x":"')
    for name, text in {"unsigned.ndjson": unsigned, "many.ndjson": Path(early).read_text() * 2}.items():
        done = table.run("game", "verify", table.export, "--receipt", table.keep(name, text))
        assert (done.exit_code, "`trickbook game compare FILE FILE`" in done.output) == (2, True), done.output


def test_the_receipt_command_takes_a_game_or_a_file(table: Table) -> None:
    printed = table.run("receipt", "print", "1", "--size", str(table.answer["version"]))
    assert (printed.exit_code, printed.stdout) == (0, table.answer["receipt"])
    told = json.loads(table.run("receipt", "print", "1", "--size", "4", "--json").stdout)
    assert (told["size"], told["origin"].endswith(f"/game/{table.game}")) == (4, True)
    assert table.run("receipt", "print", table.export).stdout == table.run("receipt", "print", "1").stdout
    for wrong in (
        ("receipt", "print", "1", "--size", "999"),
        ("receipt", "print", "9"),
        ("receipt", "print", table.export, "--size", "3"),
    ):
        assert table.run(*wrong).exit_code == 2
    bare = table.keep("bare.ndjson", Path(table.export).read_bytes().replace(b'"receipt":"', b'"receipt":null,"x":"'))
    assert table.run("receipt", "print", bare).exit_code == 2


def test_a_proof_is_verified_with_the_key_alone(table: Table) -> None:
    keys = table.keys
    for file in (
        table.get("proofs/inclusion?version=1", "http.tlog-proof", Accept="text/plain"),
        table.keep("stored.tlog-proof", table.run("receipt", "proof", "1", "--version", "1").stdout),
        table.keep("file.tlog-proof", table.run("receipt", "proof", table.export, "--version", "1").stdout),
    ):
        done = table.run("game", "verify", "--proof", file, "--key", keys)
        assert (done.exit_code, '"fact":"GameOpened"' in done.output, "proved" in done.output) == (0, True, True)
        told = json.loads(table.run("game", "verify", "--proof", file, "--key", keys, "--json").stdout)
        assert (told["version"], told["holds"], told["code"]) == (1, True, 0)
        without = table.run("game", "verify", "--proof", file)
        assert (without.exit_code, "give its key with --key" in without.output) == (2, True)
        assert table.run("game", "verify", "--proof", file, "--key", THIEF.key.text).exit_code == 1
    first, extra, _, *rest = Path(file).read_text().split("\n")
    for code, lines in ((1, [first, extra, "index 1", *rest]), (2, [first, *rest]), (2, [])):
        forged = table.keep("forged.tlog-proof", "\n".join(lines))
        assert table.run("game", "verify", "--proof", forged, "--key", keys).exit_code == code, lines


def test_attack_165_a_proof_without_the_line_of_a_known_witness_is_undecided(table: Table) -> None:
    text = table.run("receipt", "proof", "1", "--version", "1").stdout
    proof = parse_inclusion(text)
    signed = replace(proof, note=parse_note(WITNESS.cosign(proof.note.text))).text
    keys = "--key", table.keys, "--key", WITNESS.key.text
    for proved, told, code in ((text, "not checked: no witness", 2), (signed, "cosigned by ann.example", 0)):
        file = table.keep("witnessed.tlog-proof", proved)
        done = table.run("game", "verify", "--proof", file, *keys)
        assert (done.exit_code, told in done.output) == (code, True), done.output
        assert json.loads(table.run("game", "verify", "--proof", file, *keys, "--json").stdout)["code"] == code


def test_a_proof_of_a_withheld_event_is_verified_with_its_leaf(table: Table) -> None:
    log = table.ann.get(f"/games/{table.game}/events").get_json()["items"]
    hidden = next(item for item in log if "event" not in item)
    file = table.keep("p", table.run("receipt", "proof", "1", "--version", str(hidden["version"])).stdout)
    assert parse_inclusion(Path(file).read_text()).extra is None
    assert table.run("game", "verify", "--proof", file, "--key", table.keys).exit_code == 2
    assert table.run("game", "verify", "--proof", file, "--key", table.keys, "--leaf", hidden["leaf"]).exit_code == 0
    assert table.run("game", "verify", "--proof", file, "--key", table.keys, "--leaf", log[0]["leaf"]).exit_code == 1
    assert table.run("game", "verify", "--proof", file, "--key", table.keys, "--leaf", "xyz").exit_code == 2


def test_proof_and_verify_explain_their_arguments(table: Table) -> None:
    for wrong in (
        ("receipt", "proof", "1"), ("receipt", "proof", "1", "--version", "1", "--first", "1"),
        ("receipt", "proof", "1", "--version", "9999"), ("receipt", "proof", "1", "--first", "9999"),
        ("game", "verify"), ("game", "verify", table.export, "--proof", "p"),
    ):  # fmt: skip
        done = table.run(*wrong)
        assert (done.exit_code, "Error" in done.output) == (2, True)


def test_trust_3_9_one_history_by_log_and_by_proof(table: Table) -> None:
    one, keys = table.receipt, table.keys
    two = table.keep("now.txt", table.run("receipt", "print", "1").stdout)
    proof = table.keep("grown.txt", table.run("receipt", "proof", "1", "--first", str(table.answer["version"])).stdout)
    assert parse_consistency(Path(proof).read_text()).old == table.answer["version"]
    assert table.run("receipt", "compare", one, one, "--key", keys).exit_code == 0
    later = table.ann.post(f"/games/{table.game}/moves", {"type": "resign"}).get_json()
    three = table.keep("end.txt", later["receipt"])
    assert table.run("receipt", "compare", one, three, "--key", keys).exit_code == 2
    for log in ("1", table.export):
        done = table.run("receipt", "compare", one, two, three, "--log", log, "--key", keys)
        assert (done.exit_code, "PROOF OF FORGERY" in done.output) == (0, False), done.output
    grown = table.get(f"proofs/consistency?first={table.answer['version']}", "grown.txt", Accept="text/plain")
    assert table.run("receipt", "compare", one, three, "--proof", grown, "--key", keys).exit_code == 0
    assert table.run("receipt", "compare", one).exit_code == 2


def test_a_file_of_several_games_takes_a_receipt_of_a_named_game(table: Table) -> None:
    open_game(table.ann)
    everything = table.keep("all.ndjson", table.ann.get("/exports/games").data)
    counted = "2 games: 1 all green, 0 a check failed, 1 cannot decide"
    said = table.run("game", "verify", everything)
    assert (said.exit_code, counted in said.output) == (2, True), "the second one has no receipt yet"
    assert "not checked: the file is unsigned" in said.output
    asked = table.run("game", "verify", everything, "--receipt", table.receipt)
    assert (asked.exit_code, "name the game with --game" in asked.output) == (2, True)
    assert table.run("game", "verify", everything, "--game", "1", "--receipt", table.receipt).exit_code == 0
    assert table.run("game", "verify", everything, "--game", "2", "--receipt", table.receipt).exit_code == 1
