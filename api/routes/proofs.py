"""Receipts and proofs, and the keys that sign them. They are public: they contain only hashes.

A proof of inclusion contains its event if the caller may see it, and otherwise only the leaf.
"""

from flask import Blueprint, Response, request

from api.http.context import current_player, current_reader, current_services
from api.http.game_reader import seat_of
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import JSON, TEXT, json_response, negotiate, raw_json
from api.http.schemas_games import CONSISTENCY_QUERY, INCLUSION_QUERY, RECEIPT_QUERY
from api.receipts.issue import StoredReceipt
from api.receipts.keys import keys_json
from api.services.container import Services
from domain.protocols.proofs import consistency, inclusion
from domain.protocols.signed_notes import ConsistencyProof, InclusionProof, parse_note
from domain.store.aggregate import Entry
from projections.views.audience import ceremonies_revealed_in, event_line, visible

proofs = Blueprint("proofs", __name__)
well_known = Blueprint("well_known", __name__)


@well_known.get("/.well-known/trickbook/keys")
def keys() -> Response:
    """Return 200 `{"origin", "current", "keys", "rotations"}`: verifier keys, oldest first, and notes."""
    return json_response(keys_json(current_services().receipts.keys.published_keys()))


@proofs.get("/games/<game_ref:reference>/receipt")
@query(RECEIPT_QUERY)
def receipt(reference: str) -> Response:
    """Return 200 `{"game", "size", "root", "note"}`, or the note as text: a receipt for the first `size` events."""
    kind, services = negotiate(request, JSON, TEXT), current_services()
    game = current_reader().resolve(reference)
    issued = _receipt(services, game, query_args()["size"])
    if kind == TEXT:
        return _text_response(issued.note)
    return json_response({"game": game, "size": issued.size, "root": issued.root, "note": issued.note})


def _receipt(services: Services, game: str, size: int | None) -> StoredReceipt:
    try:
        return services.receipts.issue(game, size)
    except ValueError as error:
        raise Problem("malformed", str(error)) from None


@proofs.get("/games/<game_ref:reference>/proofs/inclusion")
@query(INCLUSION_QUERY)
def inclusion_proof(reference: str) -> Response:
    """Return 200: a proof that event `version` is in the log of the receipt; as text a tlog-proof (C2SP)."""
    kind, services, args = negotiate(request, JSON, TEXT), current_services(), query_args()
    game = current_reader().resolve(reference)
    kept = _receipt(services, game, args["size"])
    if args["version"] > kept.size:
        raise Problem("malformed", f"version must be 1 to {kept.size}.")
    entries = services.games.entries(game, upto=kept.size)
    entry, index = entries[args["version"] - 1], args["version"] - 1
    path = inclusion([each.leaf for each in entries], index, kept.size)
    is_visible = _is_visible(services, game, entry)
    if kind == TEXT:
        extra = entry.raw if is_visible else None
        return _text_response(InclusionProof(index, tuple(path), parse_note(kept.note), extra).text)
    body = {"game": game, "index": index, "size": kept.size, "root": kept.root, "leaf": entry.leaf.hex()}
    body |= {"path": [each.hex() for each in path], "receipt": kept.note}
    return json_response(body | {"event": raw_json([event_line(entry, is_visible)])[0]})


def _is_visible(services: Services, game: str, entry: Entry) -> bool:
    """Return whether the caller may see the event now."""
    state = services.games.state(game)
    return visible(entry.event, seat_of(state, current_player()), ceremonies_revealed_in(state))


@proofs.get("/games/<game_ref:reference>/proofs/consistency")
@query(CONSISTENCY_QUERY)
def consistency_proof(reference: str) -> Response:
    """Return 200: a proof that the first `first` of `second` events are the same; as text for a C2SP witness."""
    kind, services, args = negotiate(request, JSON, TEXT), current_services(), query_args()
    game = current_reader().resolve(reference)
    first, kept = args["first"], _receipt(services, game, args["second"])
    if first > kept.size:
        raise Problem("malformed", f"first must be 1 to {kept.size}.")
    leaves = [each.leaf for each in services.games.entries(game, upto=kept.size)]
    path = consistency(leaves, first, kept.size)
    if kind == TEXT:
        return _text_response(ConsistencyProof(first, tuple(path), parse_note(kept.note)).text)
    body = {"game": game, "first": first, "second": kept.size, "first_root": _receipt(services, game, first).root}
    return json_response(body | {"second_root": kept.root, "path": [each.hex() for each in path], "receipt": kept.note})


def _text_response(body: str) -> Response:
    return Response(body, content_type=f"{TEXT}; charset=utf-8")
