"""Receipts and proofs over HTTP, and the keys that sign them. Everybody may have them: they show hashes.

An event stands in a proof of inclusion only where the asker may see it; of one that is withheld the leaf is told.
"""

from flask import Blueprint, Response, request

from api.http.context import current_player, current_services, reader
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
from projections.views.audience import event_line, revealed_in, visible

proofs = Blueprint("proofs", __name__)
well_known = Blueprint("well_known", __name__)


@well_known.get("/.well-known/trickbook/keys")
def keys() -> Response:
    """200 `{"origin", "current", "keys", "rotations"}`: verifier keys, the first one first, and the notes between."""
    return json_response(keys_json(current_services().receipts.keys.published_keys()))


@proofs.get("/games/<game_ref:reference>/receipt")
@query(RECEIPT_QUERY)
def receipt(reference: str) -> Response:
    """200 `{"game", "size", "root", "note"}`, or the note as text: a receipt over the first `size` events, now all."""
    kind, services = negotiate(request, JSON, TEXT), current_services()
    game = reader().resolve(reference)
    kept = _receipt(services, game, query_args()["size"])
    if kind == TEXT:
        return _text_response(kept.note)
    return json_response({"game": game, "size": kept.size, "root": kept.root, "note": kept.note})


def _receipt(services: Services, game: str, size: int | None) -> StoredReceipt:
    try:
        return services.receipts.issue(game, size)
    except ValueError as error:
        raise Problem("malformed", str(error)) from None


@proofs.get("/games/<game_ref:reference>/proofs/inclusion")
@query(INCLUSION_QUERY)
def inclusion_proof(reference: str) -> Response:
    """200: that event `version` is in the log of `size` events that the receipt is of; as text a tlog-proof (C2SP)."""
    kind, services, args = negotiate(request, JSON, TEXT), current_services(), query_args()
    game = reader().resolve(reference)
    kept = _receipt(services, game, args["size"])
    if args["version"] > kept.size:
        raise Problem("malformed", f"version must be one of 1 to {kept.size}")
    entries = services.games.entries(game, upto=kept.size)
    entry, index = entries[args["version"] - 1], args["version"] - 1
    path = inclusion([each.leaf for each in entries], index, kept.size)
    shown = _is_visible(services, game, entry)
    if kind == TEXT:
        extra = entry.raw if shown else None
        return _text_response(InclusionProof(index, tuple(path), parse_note(kept.note), extra).text)
    told = {"game": game, "index": index, "size": kept.size, "root": kept.root, "leaf": entry.leaf.hex()}
    told |= {"path": [each.hex() for each in path], "receipt": kept.note}
    return json_response(told | {"event": raw_json([event_line(entry, shown)])[0]})


def _is_visible(services: Services, game: str, entry: Entry) -> bool:
    """Whether the asker may see it now."""
    state = services.games.state(game)
    return visible(entry.event, seat_of(state, current_player()), revealed_in(state))


@proofs.get("/games/<game_ref:reference>/proofs/consistency")
@query(CONSISTENCY_QUERY)
def consistency_proof(reference: str) -> Response:
    """200: that the log of `second` events begins with the log of `first`; as text what a C2SP witness takes."""
    kind, services, args = negotiate(request, JSON, TEXT), current_services(), query_args()
    game = reader().resolve(reference)
    first, kept = args["first"], _receipt(services, game, args["second"])
    if first > kept.size:
        raise Problem("malformed", f"first must be one of 1 to {kept.size}")
    leaves = [each.leaf for each in services.games.entries(game, upto=kept.size)]
    path = consistency(leaves, first, kept.size)
    if kind == TEXT:
        return _text_response(ConsistencyProof(first, tuple(path), parse_note(kept.note)).text)
    told = {"game": game, "first": first, "second": kept.size, "first_root": _receipt(services, game, first).root}
    return json_response(told | {"second_root": kept.root, "path": [each.hex() for each in path], "receipt": kept.note})


def _text_response(body: str) -> Response:
    return Response(body, content_type=f"{TEXT}; charset=utf-8")
