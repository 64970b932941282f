"""A game's log: events, exports, receipts and proofs."""

from api.description.answers.fields import (
    HASH,
    TIME,
    UUID,
    AnswerSchema,
    by_key,
    choice,
    of_schema,
    reference,
    several,
    string,
    whole_number,
)
from domain.events import FACTS
from replay.history import FORMAT


class EventSchema(AnswerSchema):
    """A fact in its envelope, as it's stored (docs/events.md). An older `v` of a fact can have other fields."""

    at = string("When it was stored, in UTC.", **TIME)
    by = string("A player's id, or server.")
    command = string("The id of the command that it follows from.")
    data = of_schema({"type": "object"}, "The fields of the fact.")
    fact = choice(*FACTS)
    game = string(**UUID)
    salt = string()
    seen_by = of_schema(
        {"type": ["array", "null"], "items": {"type": "integer"}}, "The seats that see it; null for everybody."
    )
    v = whole_number("The version of the fact's fields.")
    version = whole_number("The number of the event in the game.")


class WithheldItemSchema(AnswerSchema):
    """The item of an event that the caller may not see yet: only hashes."""

    leaf = string("The hash of the event.", **HASH)
    prev = string("The root over all events before it.", **HASH)
    version = whole_number()


class ShownItemSchema(WithheldItemSchema):
    """The item of an event that the caller may see."""

    event = reference("Event")


class EventListSchema(AnswerSchema):
    """Events, as the caller may see them."""

    items = several(reference("EventItem"))
    next = whole_number("The value of `after` for the next page, or null.", null=True)


class ExportHeaderSchema(AnswerSchema):
    """The first line of an export."""

    format = choice(FORMAT)
    game = string(**UUID)
    board = whole_number()
    variant = string()
    players = by_key(string(), "The name of each player by id.")
    keys = several(string(), "The server's public keys.")


class ExportTrailerSchema(AnswerSchema):
    """The last line of an export."""

    header = string("The hash of the header line.", **HASH)
    size = whole_number("How many events there are.")
    root = string("The root over all of them.", **HASH)
    receipt = string("The newest signed receipt.", null=True)


class ReceiptSchema(AnswerSchema):
    """A signed receipt of the log."""

    game = string(**UUID)
    size = whole_number("How many events it covers.")
    root = string("The root over them.", **HASH)
    note = string("The signed note.")


class InclusionProofSchema(AnswerSchema):
    """A proof that an event is in the log of a receipt."""

    game = string(**UUID)
    index = whole_number("The event's version less one.")
    size = whole_number()
    root = string(**HASH)
    leaf = string(**HASH)
    path = several(string(**HASH), "Hashes in the order of RFC 6962.")
    receipt = string("The signed note.")
    event = reference("EventItem")


class ConsistencyProofSchema(AnswerSchema):
    """A proof that a longer log begins with a shorter one."""

    game = string(**UUID)
    first = whole_number()
    second = whole_number()
    first_root = string(**HASH)
    second_root = string(**HASH)
    path = several(string(**HASH), "Hashes in the order of RFC 6962.")
    receipt = string("The signed note over `second` events.")


class KeysSchema(AnswerSchema):
    """The keys that sign receipts, as C2SP verifier keys."""

    origin = string("The name that receipts use for this server.")
    current = string("The key that signs now.")
    keys = several(string(), "Every key that ever signed, the first one first.")
    rotations = several(string(), "Notes in which an old and a new key say that the new one replaces the old one.")
