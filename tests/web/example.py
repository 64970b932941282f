"""docs/examples/small-game.ndjson, an export to try a verifier on. Write it with `python -m tests.web.example`.

Two hands of a game of two that cuts: open cuts with sealed ones for the next deal, an undo, and a seat that resigns.
Its key has a public secret, so the file is the same each time.
"""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.commands import AnswerProposal, AskUndo, CutDeck, Resign
from domain.events import Fairness
from domain.protocols import fairdeal
from domain.protocols.signed_notes import Checkpoint, Key, Note, Signature, game_origin
from domain.rules.choices import Phase
from replay.history import History, export_bytes, from_entries
from tests.docs.markdown import ROOT
from tests.games.tables import Table
from tests.given import GAME

PATH = ROOT / "docs" / "examples" / "small-game.ndjson"
NAMES = {"p0": "ann", "p1": "D\u00f6rte", "p2": "cat", "p3": "dan"}
ORIGIN = "cards.example.org"
SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = Key(ORIGIN, SECRET.public_key().public_bytes_raw())


def signed(body: str, secret: Ed25519PrivateKey = SECRET, key: Key = KEY) -> str:
    return Note(body, (Signature(key.name, key.id, secret.sign(body.encode())),)).text


def receipt(history: History, size: int | None = None, root: bytes | None = None, game: str = "") -> str:
    """Return a receipt for the log of `history`, or for another size or root."""
    trailer = history.trailer
    assert trailer is not None
    head = bytes.fromhex(trailer.root) if root is None else root
    body = Checkpoint(game_origin(ORIGIN, game or history.header.game), size or trailer.size, head).body
    return signed(body)


def with_receipt(history: History) -> History:
    """Return the history with the key in its first line and a receipt in its last."""
    assert history.trailer is not None
    header = msgspec.structs.replace(history.header, keys=(KEY.text,))
    trailer = msgspec.structs.replace(history.trailer, receipt=receipt(history), header="")
    return replace(history, header=header, trailer=trailer)


def own(seat: int, n: int) -> bytes:
    """Return a seat's cut for a ceremony."""
    return sha256(f"cut of seat {seat} for ceremony {n}".encode()).digest()


def cut_all(table: Table, seats: Iterable[int] | None = None) -> None:
    """Cut for all seats or the given ones, and seal their next cuts."""
    for seat in range(len(table.state.seats)) if seats is None else seats:
        (ceremony,) = (each for each in table.state.ceremonies if not each.dealt)
        seal = fairdeal.seal(GAME, str(seat), own(seat, ceremony.n + 1)).hex()
        table.says(CutDeck(seat, ceremony.n, ceremony.commit, own(seat, ceremony.n).hex(), seal))


def play_hand(table: Table) -> None:
    """Play a hand: the eldest hand bids two, the dealer passes, then any cards."""
    scored = len(table.hands_scored)
    while len(table.hands_scored) == scored:
        hand = table.state.hand
        opens = table.state.phase is Phase.AUCTION and hand is not None and hand.auction_turns == 0
        table.moves(1 if opens else 0)


def played() -> Table:
    table = Table(2, seed=5, fairness=Fairness("sealed", 60))
    cut_all(table)
    play_hand(table)
    cut_all(table)
    table.moves(1)
    asker = next(event.data.seat for event in reversed(table.events) if event.fact == "BidMade")
    table.says(AskUndo(asker))
    table.says(AnswerProposal(1 - asker, accept=True))
    play_hand(table)
    cut_all(table)
    table.moves(0)
    table.says(Resign(1))
    return table


def example() -> History:
    entries = [entry for commit in played().commits for entry in commit]
    return with_receipt(from_entries(entries, NAMES))


if __name__ == "__main__":
    PATH.write_bytes(export_bytes(example()))
