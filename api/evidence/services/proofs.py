"""Receipts and proofs of a game's log, for a caller who may see the game. They contain only hashes.

A proof of inclusion contains its event if the caller may see it, and otherwise only the leaf.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

import msgspec

from api.caller import Caller, require_player
from api.container import Services
from api.evidence.services.receipts import NO_SUCH_RECEIPT, NoCosignature
from api.evidence.stored.receipts import StoredReceipt
from api.play.services.game_schemas import COSIGNATURES, NO_FIELDS
from api.play.services.games import require_present_seat, visible_game
from api.play.services.gate import GameAccess
from api.problem import Problem
from api.schemas import Read
from domain.json_fields import Hash, Uuid, says
from domain.protocols.proofs import consistency, inclusion
from domain.protocols.signed_notes import ConsistencyProof, InclusionProof, NotANote, parse_note, parse_signatures
from projections.views.audience import EventItem, ceremonies_revealed_in, event_line, visible

ProofPath = Annotated[list[Hash], says("Hashes in the order of RFC 6962.")]
NO_RECEIPT = "There is no receipt for this yet. A player of the game can make one: POST {} to /games/{game}/receipts."


class Receipt(TypedDict):
    """A signed receipt of the log."""

    game: Uuid
    size: Annotated[int, says("How many events it covers.")]
    root: Annotated[Hash, says("The root over them.")]
    note: Annotated[str, says("The signed note.")]


def newest_receipt(services: Services, caller: Caller, reference: str, size: int | None) -> Receipt:
    """Return the newest receipt of at most `size` events, None for all. Raise Problem before the first receipt."""
    access = visible_game(services, caller, reference)
    return _receipt_json(access.game, _find_receipt(services, access, size))


def make_receipt(services: Services, caller: Caller, reference: str, read: Read) -> Receipt:
    """Return a receipt over the whole log. Raise NotSeated unless the caller plays the game."""
    player = require_player(services, caller)
    read(NO_FIELDS)
    game, _ = require_present_seat(services, reference, player)
    services.receipt_requests.take(player.id)
    return _receipt_json(game, services.receipts.issue(game))


def add_cosignatures(services: Services, caller: Caller, reference: str, read: Read) -> Receipt:
    """Keep cosignatures of a receipt, and return it with all that it has.

    Only those of the witnesses that the server's host has chosen count. Raise Problem for others.
    """
    access = visible_game(services, caller, reference)
    fields = read(COSIGNATURES).fields
    try:
        lines = parse_signatures("".join(f"{line}\n" for line in fields["lines"]))
        kept = services.receipts.add_cosignatures(access.game, fields["size"], lines, access.version)
    except (NoCosignature, NotANote) as error:
        raise Problem("malformed", f"lines: {error}") from None
    except LookupError:
        raise Problem("not-found", NO_SUCH_RECEIPT) from None
    return _receipt_json(access.game, kept)


def _receipt_json(game: str, kept: StoredReceipt) -> Receipt:
    return {"game": game, "size": kept.size, "root": kept.root, "note": kept.note}


def _find_receipt(services: Services, access: GameAccess, size: int | None) -> StoredReceipt:
    """Return the newest receipt of at most `size` events (None: all that the caller may see); 404 without one."""
    _require_at_most("size", size, access.version)
    found = services.receipts.find(access.game, access.version if size is None else size)
    if found is None:
        raise Problem("not-found", NO_RECEIPT)
    return found


def _require_at_most(name: str, number: int | None, most: int) -> None:
    if number is not None and number > most:
        raise Problem("malformed", f"{name} must be 1 to {most}.")


class ProofOfInclusion(TypedDict):
    """A proof that an event is in the log of a receipt."""

    game: Uuid
    index: Annotated[int, says("The event's version less one.")]
    size: int
    root: Hash
    leaf: Hash
    path: ProofPath
    receipt: Annotated[str, says("The signed note.")]
    event: EventItem


def prove_inclusion(
    services: Services, caller: Caller, reference: str, args: Mapping[str, Any]
) -> tuple[ProofOfInclusion, str]:
    """Return the proof that an event is in the log of the newest receipt, also as the text of a tlog-proof (C2SP)."""
    access = visible_game(services, caller, reference)
    kept = _receipt_covering(services, access, {"version": args["version"]}, args["size"])
    entries = services.gate.entries(access, upto=kept.size)
    entry, index = entries[args["version"] - 1], args["version"] - 1
    path = inclusion([each.leaf for each in entries], index, kept.size)
    is_visible = visible(entry.event, access.viewer, ceremonies_revealed_in(access.state))
    body: ProofOfInclusion = {
        "game": access.game,
        "index": index,
        "size": kept.size,
        "root": kept.root,
        "leaf": entry.leaf.hex(),
        "path": [each.hex() for each in path],
        "receipt": kept.note,
        "event": msgspec.Raw(event_line(entry, is_visible)),
    }
    return body, InclusionProof(index, tuple(path), parse_note(kept.note), entry.raw if is_visible else None).text


class ProofOfConsistency(TypedDict):
    """A proof that a longer log begins with a shorter one."""

    game: Uuid
    first: int
    second: int
    first_root: Hash
    second_root: Hash
    path: ProofPath
    receipt: Annotated[str, says("The signed note over `second` events.")]


def prove_consistency(
    services: Services, caller: Caller, reference: str, args: Mapping[str, Any]
) -> tuple[ProofOfConsistency, str]:
    """Return the proof that the first `first` of `second` events are the same, also as text for a C2SP witness."""
    access, first = visible_game(services, caller, reference), args["first"]
    kept = _receipt_covering(services, access, {"first": first}, args["second"])
    entries = services.gate.entries(access, upto=kept.size)
    path = consistency([each.leaf for each in entries], first, kept.size)
    body: ProofOfConsistency = {
        "game": access.game,
        "first": first,
        "second": kept.size,
        "first_root": kept.root if first == kept.size else entries[first].prev.hex(),
        "second_root": kept.root,
        "path": [each.hex() for each in path],
        "receipt": kept.note,
    }
    return body, ConsistencyProof(first, tuple(path), parse_note(kept.note)).text


def _receipt_covering(services: Services, access: GameAccess, query: dict[str, int], size: int | None) -> StoredReceipt:
    """Return the newest receipt of at most `size` events; 404 if it doesn't cover the version in `query`."""
    [(name, version)] = query.items()
    _require_at_most(name, version, access.version if size is None else size)
    kept = _find_receipt(services, access, size)
    if version > kept.size:
        raise Problem("not-found", NO_RECEIPT)
    return kept
