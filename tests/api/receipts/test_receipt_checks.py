"""Receipts and key rotation, checked as C2SP signed notes with Ed25519 (docs/trust.md)."""

import json
import shutil
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import services_of
from tests.api.live_server import GameServer, ServedGame, first_move, last_move, open_server
from tests.api.log_reference import Key, Receipt


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games."""
    with open_server(tmp_path_factory.mktemp("receipts")) as found:
        yield found


def keys(server: GameServer) -> dict[str, Any]:
    """Return the published keys."""
    found: dict[str, Any] = server.nobody.get("/.well-known/trickbook/keys").get_json()
    return found


def receipt(game: ServedGame, size: int | None = None) -> str:
    """Make a receipt of the first `size` events, by default of all, and return it as everybody gets it."""
    services_of(game.server.app).receipts.issue(game.id, size)
    query = "" if size is None else f"?size={size}"
    answer = game.server.nobody.get(f"{game.path}/receipt{query}", Accept="text/plain")
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def format_key(name: str, public: bytes) -> str:
    """Return a verifier key in the format of C2SP."""
    raw = b"\x01" + public
    return f"{name}+{sha256(name.encode() + bytes([10]) + raw).hexdigest()[:8]}+{b64encode(raw).decode()}"


def write_files(folder: Path, **texts: str | bytes) -> dict[str, str]:
    """Write files, and return their paths by name."""
    for name, text in texts.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return {name: str(folder / name) for name in texts}


def test_a_receipt_comes_after_each_hand_after_the_game_and_on_demand(server: GameServer) -> None:
    key = Key.read(keys(server)["current"])
    game = server.open(["ann", "bob"], options={"win": 7})
    answers = game.play(lambda view: view["status"] == "finished")
    whole = game.read()
    signed = [answer for answer in answers if answer["receipt"]]
    assert signed[-1] is answers[-1], "the end of the game"
    assert len(signed) == len([e for e in whole.events if e["fact"] in {"HandScored", "HandThrownIn"}])
    for answer in signed:
        told = Receipt.read(answer["receipt"])
        assert key.signed(answer["receipt"])
        assert told == Receipt(f"{key.name}/game/{game.id}", answer["version"], whole.roots[answer["version"]])
    asked = receipt(game)
    assert asked == signed[-1]["receipt"] == whole.trailer["receipt"] == receipt(game), "for one size always the same"
    for size in (1, 2, 20):
        note = receipt(game, size)
        assert key.signed(note)
        assert Receipt.read(note) == Receipt(f"{key.name}/game/{game.id}", size, whole.roots[size])
        told = server.nobody.get(f"{game.path}/receipt?size={size}").get_json()
        assert told == {"game": game.id, "size": size, "root": whole.roots[size].hex(), "note": note}


def test_a_signature_is_over_every_byte_of_the_text(server: GameServer) -> None:
    key = Key.read(keys(server)["current"])
    note = receipt(server.open(["ann", "bob"]))
    text, signatures = note.split("\n\n")
    for i in range(0, len(text), 7):
        changed = text[:i] + chr(ord(text[i]) ^ 1) + text[i + 1 :]
        assert not key.signed(changed + "\n\n" + signatures)
    assert not Key(key.name, key.id, bytes(32)).signed(note)


def test_verify_checks_receipts(server: GameServer, tmp_path: Path) -> None:
    """Receipts are good, forged, of another key, cut off, or of another game; exit codes 0, 1 and 2 (docs/trust.md)."""
    game, other = server.open(["ann", "bob"], options={"win": 7}), server.open(["ann", "bob"])
    early = game.export()
    game.play_hand()
    hand, told = receipt(game), keys(server)
    game.finish()
    forged = hand.replace("\n", "\n1", 1)
    stranger = format_key(told["origin"], sha256(b"another").digest())
    at = write_files(
        tmp_path,
        early=early,
        late=game.export(),
        hand=hand,
        forged=forged,
        cut=hand[:-21] + "\n",
        stranger=stranger,
        other=receipt(other),
        keys=json.dumps(told),
        current=told["current"],
    )
    for key in (at["keys"], at["current"], told["current"]):
        assert server.command("game", "verify", at["late"], "--receipt", at["hand"], "--key", key).exit_code == 0
    for log, kept, code in (
        ("early", "hand", 1),
        ("late", "forged", 1),
        ("late", "cut", 1),
        ("late", "other", 1),
        ("late", "missing", 2),
    ):
        found = server.command(
            "game", "verify", at[log], "--receipt", at.get(kept, str(tmp_path / kept)), "--key", at["keys"]
        )
        assert found.exit_code == code, (log, kept, found.output)
    assert server.command("game", "verify", at["late"], "--receipt", at["hand"], "--key", at["stranger"]).exit_code == 1
    assert server.command("game", "verify", at["late"]).exit_code == 0, "no receipt asked for"
    assert server.command("game", "audit", game.id, "--receipt", at["hand"]).exit_code == 0
    assert server.command("game", "audit", game.id, "--receipt", at["forged"]).exit_code == 1
    assert server.command("game", "audit", game.id, "--receipt", at["other"]).exit_code == 1
    assert server.command("game", "verify", at["late"], "--root", "0" * 64).exit_code == 1


def test_a_proof_is_checked_without_the_log(server: GameServer, tmp_path: Path) -> None:
    game = server.open(["ann", "bob"])
    assert receipt(game)
    shown = server.nobody.get(f"{game.path}/proofs/inclusion?version=1", Accept="text/plain").text
    hidden = game.read().withheld[0]
    bare = server.nobody.get(f"{game.path}/proofs/inclusion?version={hidden}", Accept="text/plain").text
    leaves = game.read().leaves
    swapped = shown.split("\n")
    hashes = [i for i, line in enumerate(swapped) if i > 2 and len(line) == 44]
    swapped[hashes[0]], swapped[hashes[1]] = swapped[hashes[1]], swapped[hashes[0]]
    at = write_files(
        tmp_path,
        shown=shown,
        bare=bare,
        swapped="\n".join(swapped),
        moved=shown.replace("index 0", "index 1"),
        keys=json.dumps(keys(server)),
    )
    check = ("game", "verify", "--key", at["keys"], "--proof")
    assert server.command(*check, at["shown"]).exit_code == 0
    assert server.command(*check, at["bare"], "--leaf", leaves[hidden - 1].hex()).exit_code == 0
    assert server.command(*check, at["bare"], "--leaf", leaves[0].hex()).exit_code == 1
    assert server.command(*check, at["bare"]).exit_code == 2, "which event it is cannot be told"
    assert server.command(*check, at["swapped"]).exit_code == 1
    assert server.command(*check, at["moved"]).exit_code == 1


def test_old_receipts_stay_valid_after_a_rotation_that_both_keys_sign(server: GameServer, tmp_path: Path) -> None:
    """See the rotation of keys in docs/trust.md."""
    game = server.open(["ann", "bob"])
    before, old = receipt(game), keys(server)["current"]
    assert server.command("keys", "rotate").exit_code == 0
    game.finish()
    told = keys(server)
    assert told["keys"][-2:] == [old, told["current"]]
    both = [Key.read(old), Key.read(told["current"])]
    assert sum(all(key.signed(note) for key in both) for note in told["rotations"]) == 1
    after = receipt(game)
    assert Key.read(told["current"]).signed(after)
    assert Key.read(old).signed(receipt(game, Receipt.read(before).size))
    at = write_files(
        tmp_path, log=game.export(), before=before, after=after, keys=json.dumps(told), new=told["current"]
    )
    for kept in ("before", "after"):
        assert server.command("game", "verify", at["log"], "--receipt", at[kept], "--key", at["keys"]).exit_code == 0
    assert server.command("game", "verify", at["log"], "--receipt", at["after"], "--key", at["new"]).exit_code == 0
    files = sorted((server.config.data / "keys").iterdir())
    assert len([each for each in files if each.name.startswith("receipts-")]) >= 2
    assert {each.stat().st_mode & 0o777 for each in files} == {0o600}


def test_two_heads_of_one_size_are_proof_of_forgery(tmp_path: Path) -> None:
    """Two servers with one key sign two histories of one game (docs/trust.md)."""
    with open_server(tmp_path / "one") as one:
        game = one.open(["ann", "bob"], options={"win": 7})
        same, game_size = receipt(game), game.log[0]
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    told, notes, logs = {}, {}, {}
    for name, by in (("one", first_move), ("two", last_move)):
        with open_server(tmp_path / name) as here:
            seats = {seat: replace(here.nobody, token=each.token) for seat, each in game.seats.items()}
            there = ServedGame(here, game.id, seats)
            for _ in range(2):
                seat = there.public["turn"]["seats"][0]
                assert there.move(seat, by(there.view(seat))).status_code == 201
            notes[name], logs[name], told = receipt(there, 1 + game_size), there.export(), keys(here)
            kept = Receipt.read(notes[name])
            answer = here.nobody.get(f"{there.path}/compare?size={kept.size}&root={kept.root.hex()}").get_json()
            assert answer["code"] == 0
    at = write_files(
        tmp_path, a=notes["one"], b=notes["two"], same=same, keys=json.dumps(told), log_a=logs["one"], log_b=logs["two"]
    )
    assert one.command("receipt", "compare", at["a"], at["a"], "--key", at["keys"]).exit_code == 0
    proof = one.command("receipt", "compare", at["a"], at["b"], "--key", at["keys"])
    assert (proof.exit_code, "PROOF OF FORGERY" in proof.output) == (1, True), proof.output
    assert notes["one"].strip() in proof.output
    assert notes["two"].strip() in proof.output
    assert one.command("receipt", "compare", at["a"], at["b"]).exit_code == 2, "anybody might have signed them"
    for log, note, code in (("log_a", "a", 0), ("log_a", "b", 1), ("log_b", "a", 1), ("log_b", "same", 0)):
        assert one.command("game", "verify", at[log], "--receipt", at[note], "--key", at["keys"]).exit_code == code, (
            log,
            note,
        )
    parted = one.command("game", "compare", at["log_a"], at["log_b"])
    assert parted.exit_code == 1, parted.output
    assert one.command("game", "compare", at["log_a"], at["log_a"]).exit_code == 0
