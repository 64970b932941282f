"""Events, exports, receipts and proofs."""

from collections.abc import Mapping

from api.description.answers import log
from api.description.answers.fields import REFERENCES, AnswerSchema
from api.description.model import TEXT_SCHEMA, Content, DescribedAnswer, JsonSchema, Operation, json_answer
from api.description.problem_groups import GAME, NEGOTIATED
from api.play.services.game_schemas import COSIGNATURES, NO_FIELDS
from api.web.responses import EVENT_STREAM, JSON, NDJSON, TEXT

ITEM: JsonSchema = {"$ref": REFERENCES + "EventItem"}
FRAME: JsonSchema = {
    "type": "object",
    "description": "An event of the game, as the caller may see it.",
    "properties": {
        "id": {"type": "string", "pattern": "^[1-9][0-9]*$", "description": "The version of the event."},
        "data": {
            "type": "string",
            "contentMediaType": JSON,
            "contentSchema": ITEM,
            "description": "The item of the event, with the bytes of the list and the export.",
        },
        "retry": {"type": "integer", "description": "Milliseconds to wait before you connect again."},
    },
}
EXPORT = Content(NDJSON, TEXT_SCHEMA, (log.ExportHeaderSchema, ITEM, log.ExportTrailerSchema))
EVENT_LINES = Content(NDJSON, TEXT_SCHEMA, ITEM)
FRAMES = Content(EVENT_STREAM, TEXT_SCHEMA, FRAME)


def _or_text(schema: type[AnswerSchema], says: str, status: int = 200) -> tuple[DescribedAnswer, ...]:
    return (DescribedAnswer(status, says, (Content(JSON, schema), Content(TEXT, TEXT_SCHEMA))),)


COSIGNED = "\N{EM DASH} ann.example/witness fdly9wAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWX"
OPERATIONS: Mapping[str, Operation] = {
    "events.list_events": Operation(
        "the events after a version; live with `Accept: text/event-stream`",
        (
            DescribedAnswer(
                200, "The events, or a stream of them.", (Content(JSON, log.EventListSchema), EVENT_LINES, FRAMES)
            ),
            DescribedAnswer(204, "The stream has nothing to send up to `until`."),
        ),
        problems=(*GAME, *NEGOTIATED),
        asks=("Last-Event-ID",),
    ),
    "events.export": Operation(
        "the whole log, to keep and to verify elsewhere",
        (DescribedAnswer(200, "One JSON value on each line.", (EXPORT,), ("Content-Disposition",)),),
        problems=(*GAME, *NEGOTIATED),
    ),
    "bulk_export.export_games": Operation(
        "the logs of many games in one stream",
        (DescribedAnswer(200, "One export after another.", (EXPORT,), ("Content-Disposition", "Trickbook-Position")),),
        problems=NEGOTIATED,
    ),
    "proofs.receipt": Operation(
        "the newest signed receipt of the log",
        _or_text(log.ReceiptSchema, "The receipt, or its note as text."),
        problems=(*GAME, *NEGOTIATED),
    ),
    "proofs.make_receipt": Operation(
        "make a receipt of the whole log, as a player",
        _or_text(log.ReceiptSchema, "The receipt, or its note as text.", 201),
        token="needed",
        bodies=(type(NO_FIELDS),),
        example={},
        problems=(*GAME, *NEGOTIATED, "not-seated"),
    ),
    "proofs.add_cosignatures": Operation(
        "bring signatures of witnesses on a receipt",
        _or_text(log.ReceiptSchema, "The receipt with all its cosignatures, or its note as text.", 201),
        bodies=(type(COSIGNATURES),),
        example={"size": 48, "lines": [COSIGNED]},
        problems=(*GAME, *NEGOTIATED),
    ),
    "proofs.inclusion_proof": Operation(
        "a proof that an event is in the log of a receipt",
        _or_text(log.InclusionProofSchema, "The proof, or a tlog-proof as text."),
        problems=(*GAME, *NEGOTIATED),
    ),
    "proofs.consistency_proof": Operation(
        "a proof that a longer log begins with a shorter one",
        _or_text(log.ConsistencyProofSchema, "The proof, or its text for a witness."),
        problems=(*GAME, *NEGOTIATED),
    ),
    "well_known.keys": Operation("the keys that sign receipts", (json_answer(log.KeysSchema),), token="none"),
}
