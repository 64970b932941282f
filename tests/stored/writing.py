"""Writing the files of a storage format: exports, a SQLite log, and the expected content of each."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.evidence.services.keys import public_key
from domain.protocols.signed_notes import Checkpoint, Note, Signature, game_origin
from domain.state import require
from domain.store import Games
from replay.history import History, export_bytes
from replay.history.receipts import with_receipt
from replay.history.steps import view_of
from tests.replay.playing import Table
from tests.stored.stories import all_tables

PRIVATE = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"tests/stored").digest())
KEY = public_key(PRIVATE, "stored.example")
"""The key of the receipts in the exports; it isn't a secret."""
SEAT = 1
IN_LOG = ("pitch-drawn", "pitch-contested", "pitch-running", "setback-forgotten", "blackout-cut-open",
          "blackout-running", "corellian-misdealt")  # fmt: skip
"""The games of the SQLite file: small ones of all four variants."""
SAYS, LOG = "says.json", "log.db"


def write(folder: Path) -> None:
    """Write all files into a new folder; raise FileExistsError if it exists."""
    folder.mkdir(parents=True)
    games = dict(all_tables())
    says = {}
    for name, history in exports(games):
        data = export_bytes(history)
        (folder / name).write_bytes(data)
        says[name] = {"sha256": hashlib.sha256(data).hexdigest(), **expected_content(history)}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(say, sort_keys=True)}" for name, say in sorted(says.items()))
    (folder / SAYS).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    write_log(folder, [games[name] for name in IN_LOG])


def exports(games: dict[str, Table]) -> Iterator[tuple[str, History]]:
    """Return each game's export by file name: the public one, and for a running game also one of a seat."""
    for name, table in games.items():
        yield f"{name}.ndjson", sealed(table.seen_by(None))
        if table.game.state.result is None:
            yield f"{name}.seat-{SEAT}.ndjson", sealed(table.seen_by(SEAT))


def sealed(history: History) -> History:
    """Return the history with the key and a receipt over all of it."""
    assert history.trailer is not None
    root = bytes.fromhex(history.trailer.root)
    head = Checkpoint(game_origin(KEY.name, history.header.game), len(history.lines), root)
    signature = Signature(KEY.name, KEY.id, PRIVATE.sign(head.body.encode()))
    return with_receipt(history, [KEY.text], Note(head.body, (signature,)).text)


def expected_content(history: History) -> dict[str, object]:
    """Return the content that every reader must find in the history."""
    view = view_of(history, None)
    assert history.trailer is not None
    return {
        "size": len(history.lines),
        "root": history.trailer.root,
        "withheld": history.withheld,
        "facts": [None if line.event is None else f"{line.event.fact}/{line.event.v}" for line in history.lines],
        "scores": [seat["score"] for seat in view["seats"]],
        "bids": require(view["hand"])["bids"],
        "trump": require(view["hand"])["trump"],
        "turn": view["turn"]["seats"],
        "result": view["result"],
    }


def write_log(folder: Path, tables: list[Table]) -> None:
    """Write the games into a new SQLite file."""
    with Games(folder) as games:
        for table in tables:
            games.log.application_of(table.game.id).save(*table.entries)
