"""Receipts and proofs, cosignatures, and the keys that sign receipts; and the page that checks an export.

They are public: they contain only hashes.

`GET` shows receipts that the server has kept, and writes none. The server makes one when a hand or game ends, and when
a player asks for one with `POST`.
A proof of inclusion contains its event if the caller may see it, and otherwise only the leaf.

The page may load only files of the server, and can't send anything anywhere (CSP level 3, Trusted Types): unlike the
other pages it may not even ask its own server. The same implementation runs under node, without a server:
docs/verify-a-hand.md.
"""

from pathlib import Path
from typing import Annotated, TypedDict

from flask import Response, request

from api.evidence.services.keys import Keys, keys_json
from api.evidence.services.receipts import NO_SUCH_RECEIPT, NoCosignature
from api.evidence.stored.receipts import StoredReceipt
from api.pages.html import POLICY, page_response
from api.play.services.game_schemas import CONSISTENCY_QUERY, COSIGNATURES, INCLUSION_QUERY, NO_FIELDS, RECEIPT_QUERY
from api.play.services.games import require_present_seat, visible_game
from api.play.services.gate import GameAccess
from api.problem import Problem
from api.web.context import current_caller, current_services, require_player
from api.web.problem_groups import READING
from api.web.responses import JSON, TEXT, TYPES, file_response, json_response, negotiate, raw_json
from api.web.route import ASSETS, TaggedBlueprint, file_route, or_text, page_route, query_args, route
from api.web.strict_json import read_json
from domain.json_fields import Hash, Uuid, says
from domain.protocols.proofs import consistency, inclusion
from domain.protocols.signed_notes import ConsistencyProof, InclusionProof, NotANote, parse_note, parse_signatures
from projections.views.audience import EventItem, ceremonies_revealed_in, event_line, visible

proofs = TaggedBlueprint("proofs", __name__, "log")
COSIGNED = "\N{EM DASH} ann.example/witness fdly9wAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWX"
ProofPath = Annotated[list[Hash], says("Hashes in the order of RFC 6962.")]
NO_RECEIPT = "There is no receipt for this yet. A player of the game can make one: POST {} to /games/{game}/receipts."

well_known = TaggedBlueprint("well_known", __name__, "log")


@well_known.get("/.well-known/trickbook/keys")
@route("the keys that sign receipts", answer=Keys, token="none")
def keys() -> Response:
    """Return 200 `{"origin", "current", "keys", "rotations"}`: verifier keys, oldest first, and notes."""
    return json_response(keys_json(current_services().receipts.keys.published_keys()))


class Receipt(TypedDict):
    """A signed receipt of the log."""

    game: Uuid
    size: Annotated[int, says("How many events it covers.")]
    root: Annotated[Hash, says("The root over them.")]
    note: Annotated[str, says("The signed note.")]


@proofs.get("/games/<game_ref:reference>/receipt")
@route(
    "the newest signed receipt of the log",
    answer=or_text(Receipt),
    says="The receipt, or its note as text.",
    query=RECEIPT_QUERY,
    problems=READING,
)
def receipt(reference: str) -> Response:
    """Return 200 `{"game", "size", "root", "note"}`, or the note as text: the newest receipt of at most `size` events.

    Answers 404 before the first receipt.
    """
    kind, access = negotiate(request, JSON, TEXT), visible_game(current_services(), current_caller(), reference)
    return _receipt_response(access.game, _find_receipt(access, query_args()["size"]), kind, 200)


@proofs.post("/games/<game_ref:reference>/receipts")
@route(
    "make a receipt of the whole log, as a player",
    answer=or_text(Receipt),
    status=201,
    says="The receipt, or its note as text.",
    token="needed",
    body=NO_FIELDS,
    example={},
    problems=(*READING, "not-seated"),
    lane="heavy",
    passes=1,
    reads=1,
)
def make_receipt(reference: str) -> Response:
    """Return 201 and a receipt over the whole log, as GET does; for players of the game."""
    kind, services, player = negotiate(request, JSON, TEXT), current_services(), require_player()
    NO_FIELDS.load(read_json(request))
    game, _ = require_present_seat(current_services(), reference, player)
    services.receipt_requests.take(player.id)
    return _receipt_response(game, services.receipts.issue(game), kind, 201)


@proofs.post("/games/<game_ref:reference>/cosignatures")
@route(
    "bring signatures of witnesses on a receipt",
    answer=or_text(Receipt),
    status=201,
    says="The receipt with all its cosignatures, or its note as text.",
    body=COSIGNATURES,
    example={"size": 48, "lines": [COSIGNED]},
    problems=READING,
)
def add_cosignatures(reference: str) -> Response:
    """Return 201 and the receipt with all its cosignatures, as GET does.

    Anybody may bring cosignatures: only those of the witnesses that the server's host has chosen count.
    """
    kind, access = negotiate(request, JSON, TEXT), visible_game(current_services(), current_caller(), reference)
    body = COSIGNATURES.load(read_json(request))
    try:
        lines = parse_signatures("".join(f"{line}\n" for line in body["lines"]))
        kept = current_services().receipts.add_cosignatures(access.game, body["size"], lines, access.version)
    except (NoCosignature, NotANote) as error:
        raise Problem("malformed", f"lines: {error}") from None
    except LookupError:
        raise Problem("not-found", NO_SUCH_RECEIPT) from None
    return _receipt_response(access.game, kept, kind, 201)


def _receipt_response(game: str, kept: StoredReceipt, kind: str, status: int) -> Response:
    if kind == TEXT:
        return _text_response(kept.note, status)
    body: Receipt = {"game": game, "size": kept.size, "root": kept.root, "note": kept.note}
    return json_response(body, status)


def _find_receipt(access: GameAccess, size: int | None) -> StoredReceipt:
    """Return the newest receipt of at most `size` events (None: all that the caller may see); 404 without one."""
    _require_at_most("size", size, access.version)
    found = current_services().receipts.find(access.game, access.version if size is None else size)
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


@proofs.get("/games/<game_ref:reference>/proofs/inclusion")
@route(
    "a proof that an event is in the log of a receipt",
    answer=or_text(ProofOfInclusion),
    says="The proof, or a tlog-proof as text.",
    query=INCLUSION_QUERY,
    problems=READING,
    lane="heavy",
    passes=1,
    reads=1,
)
def inclusion_proof(reference: str) -> Response:
    """Return 200: a proof that event `version` is in the log of the newest receipt; as text a tlog-proof (C2SP)."""
    kind, access, args = (
        negotiate(request, JSON, TEXT),
        visible_game(current_services(), current_caller(), reference),
        query_args(),
    )
    kept = _receipt_covering(access, {"version": args["version"]}, args["size"])
    entries = current_services().gate.entries(access, upto=kept.size)
    entry, index = entries[args["version"] - 1], args["version"] - 1
    path = inclusion([each.leaf for each in entries], index, kept.size)
    is_visible = visible(entry.event, access.viewer, ceremonies_revealed_in(access.state))
    if kind == TEXT:
        extra = entry.raw if is_visible else None
        return _text_response(InclusionProof(index, tuple(path), parse_note(kept.note), extra).text)
    body: ProofOfInclusion = {
        "game": access.game,
        "index": index,
        "size": kept.size,
        "root": kept.root,
        "leaf": entry.leaf.hex(),
        "path": [each.hex() for each in path],
        "receipt": kept.note,
        "event": raw_json([event_line(entry, is_visible)])[0],
    }
    return json_response(body)


class ProofOfConsistency(TypedDict):
    """A proof that a longer log begins with a shorter one."""

    game: Uuid
    first: int
    second: int
    first_root: Hash
    second_root: Hash
    path: ProofPath
    receipt: Annotated[str, says("The signed note over `second` events.")]


@proofs.get("/games/<game_ref:reference>/proofs/consistency")
@route(
    "a proof that a longer log begins with a shorter one",
    answer=or_text(ProofOfConsistency),
    says="The proof, or its text for a witness.",
    query=CONSISTENCY_QUERY,
    problems=READING,
    lane="heavy",
    passes=1,
    reads=1,
)
def consistency_proof(reference: str) -> Response:
    """Return 200: a proof that the first `first` of `second` events are the same; as text for a C2SP witness."""
    kind, access, args = (
        negotiate(request, JSON, TEXT),
        visible_game(current_services(), current_caller(), reference),
        query_args(),
    )
    first = args["first"]
    kept = _receipt_covering(access, {"first": first}, args["second"])
    entries = current_services().gate.entries(access, upto=kept.size)
    path = consistency([each.leaf for each in entries], first, kept.size)
    if kind == TEXT:
        return _text_response(ConsistencyProof(first, tuple(path), parse_note(kept.note)).text)
    body: ProofOfConsistency = {
        "game": access.game,
        "first": first,
        "second": kept.size,
        "first_root": kept.root if first == kept.size else entries[first].prev.hex(),
        "second_root": kept.root,
        "path": [each.hex() for each in path],
        "receipt": kept.note,
    }
    return json_response(body)


def _receipt_covering(access: GameAccess, query: dict[str, int], size: int | None) -> StoredReceipt:
    """Return the newest receipt of at most `size` events; 404 if it doesn't cover the version in `query`."""
    [(name, version)] = query.items()
    _require_at_most(name, version, access.version if size is None else size)
    kept = _find_receipt(access, size)
    if version > kept.size:
        raise Problem("not-found", NO_RECEIPT)
    return kept


def _text_response(body: str, status: int = 200) -> Response:
    return Response(body, status, content_type=f"{TEXT}; charset=utf-8")


STATIC = Path(__file__).parents[2] / "static" / "verify"
NO_REQUESTS = POLICY.replace("connect-src 'self'; ", "")
FILES = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.suffix in TYPES}

verify_page = TaggedBlueprint("verify_page", __name__, "server")


@verify_page.get("/verify")
@page_route("a page that checks an export in the browser")
def page() -> Response:
    """Return 200: the page."""
    response = page_response("verify")
    response.headers["Content-Security-Policy"] = NO_REQUESTS
    return response


@verify_page.get("/static/<file>")
@file_route("the files of its program", *ASSETS, problems=("not-found",))
def static(file: str) -> Response:
    """Return 200: a file of the implementation; 404 for any other name."""
    if file not in FILES:
        raise Problem("not-found", "There is no such file. The page that checks a game is at /verify.")
    return file_response(file, FILES[file])
