"""Types of fields that several JSON objects have.

Each answer is a `typing.TypedDict` beside the function that makes it. Its fields' types hold what a JSON schema says of
them, which msgspec derives. A builder's literal is checked by mypy, and encoded as it stands.
"""

from typing import Annotated, Any, TypedDict

from msgspec import Meta

NAMED = "x-named"
"""The keyword for the name of an object that no type describes: a table does, in the API's description."""


def says(text: str = "", **keywords: Any) -> Meta:
    """Return a field's description; `keywords` of JSON schema are what its type can't say, such as `examples`."""
    return Meta(description=text or None, extra_json_schema=keywords or None)


def refers_to(name: str) -> Meta:
    """Return the name of an object that no type describes, such as `Move`."""
    return says(**{NAMED: name})


def one_of(*values: str, text: str = "") -> Meta:
    """Return the description of a text that is one of `values`, if its type isn't an enum or a `Literal`."""
    return says(text, enum=[str(value) for value in values])


HASH_PATTERN = "^[0-9a-f]{64}$"
Hash = Annotated[str, Meta(pattern=HASH_PATTERN)]
"""32 bytes as lower-case hex digits."""
Time = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""A time in UTC with microseconds (RFC 3339)."""
Day = Annotated[str, Meta(extra_json_schema={"format": "date"})]
Uuid = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
PlayerId = Annotated[str, Meta(pattern="^p_[0-9a-f]+$")]
CARD_PATTERN = "^(X[12]|(10|[2-9JQKA])[CDHS])$"
CardText = Annotated[str, Meta(pattern=CARD_PATTERN, examples=["AD"])]
PlayerKind = Annotated[str, one_of("human", "bot")]
SeatState = Annotated[str, one_of("in", "resigned", "forfeited")]
Sides = Annotated[list[list[int]], says("The seats that score together.")]
Names = Annotated[dict[str, str], says("The name to show for each player id.")]
Cursor = Annotated[str | None, says("The cursor of the next page, or null.")]
DisputeStatus = Annotated[str, one_of("open", "withdrawn", "ruled", "appealed", "upheld", "reversed")]


class Outcome(TypedDict):
    """Scores, and the seats that won."""

    scores: list[int]
    winners: list[int]
