"""Receipts and proofs, cosignatures, and the keys that sign receipts; and the page that checks an export.

They are public: they contain only hashes.

`GET` shows receipts that the server has kept, and writes none. The server makes one when a hand or game ends, and when
a player asks for one with `POST`.

The page may load only files of the server, and can't send anything anywhere (CSP level 3, Trusted Types): unlike the
other pages it may not even ask its own server. The same implementation runs under node, without a server:
docs/verify-a-hand.md.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Response, request

from api.evidence.services import proofs as services_of_proofs
from api.evidence.services.keys import Keys, keys_json
from api.evidence.services.proofs import (
    ProofOfConsistency,
    ProofOfInclusion,
    Receipt,
    prove_consistency,
    prove_inclusion,
)
from api.pages.html import POLICY, page_response
from api.play.services.game_schemas import CONSISTENCY_QUERY, COSIGNATURES, INCLUSION_QUERY, NO_FIELDS, RECEIPT_QUERY
from api.problem import Problem
from api.web.context import current_caller, current_services
from api.web.problems import READING
from api.web.request_input import sent_body
from api.web.responses import JSON, TEXT, TYPES, file_response, json_response, negotiate
from api.web.route import ASSETS, TaggedBlueprint, file_route, or_text, page_route, query_args, route

proofs = TaggedBlueprint("proofs", __name__, "log")
COSIGNED = "\N{EM DASH} ann.example/witness fdly9wAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWX"

well_known = TaggedBlueprint("well_known", __name__, "log")


@well_known.get("/.well-known/trickbook/keys")
@route("the keys that sign receipts", answer=Keys, token="none")
def keys() -> Response:
    """Return 200 `{"origin", "current", "keys", "rotations"}`: verifier keys, oldest first, and notes."""
    return json_response(keys_json(current_services().receipts.keys.published_keys()))


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
    kind = negotiate(request, JSON, TEXT)
    shown = services_of_proofs.newest_receipt(current_services(), current_caller(), reference, query_args()["size"])
    return _response(kind, shown, shown["note"])


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
    kind = negotiate(request, JSON, TEXT)
    shown = services_of_proofs.make_receipt(current_services(), current_caller(), reference, sent_body())
    return _response(kind, shown, shown["note"], 201)


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
    kind = negotiate(request, JSON, TEXT)
    shown = services_of_proofs.add_cosignatures(current_services(), current_caller(), reference, sent_body())
    return _response(kind, shown, shown["note"], 201)


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
    kind = negotiate(request, JSON, TEXT)
    return _response(kind, *prove_inclusion(current_services(), current_caller(), reference, query_args()))


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
    kind = negotiate(request, JSON, TEXT)
    return _response(kind, *prove_consistency(current_services(), current_caller(), reference, query_args()))


def _response(kind: str, body: Mapping[str, Any], text: str, status: int = 200) -> Response:
    if kind == TEXT:
        return Response(text, status, content_type=f"{TEXT}; charset=utf-8")
    return json_response(body, status)


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
