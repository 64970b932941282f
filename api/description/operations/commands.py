"""Command lines."""

from collections.abc import Mapping

from api.description.answers.server import CommandAnswerSchema
from api.description.model import TEXT_SCHEMA, Content, DescribedAnswer, JsonSchema, Operation
from api.description.problem_groups import NEGOTIATED
from api.web.responses import JSON, TEXT

BODY: JsonSchema = {
    "type": "object",
    "properties": {
        "line": {"type": "string", "minLength": 1, "maxLength": 1000},
        "text": {"type": "array", "items": {"type": "string", "maxLength": 1000}, "maxItems": 100},
    },
    "required": ["line"],
    "additionalProperties": False,
}

OPERATIONS: Mapping[str, Operation] = {
    "commands.run": Operation(
        "carry out a command line in the way of pbmserv",
        (
            DescribedAnswer(
                200,
                "The answer, also to a command that is refused.",
                (Content(JSON, CommandAnswerSchema), Content(TEXT, TEXT_SCHEMA)),
            ),
        ),
        bodies=(BODY,),
        example={"line": "pitch move 123 AD"},
        problems=NEGOTIATED,
        asks=("Idempotency-Key",),
    ),
}
