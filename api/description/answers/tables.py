"""Tables that form, invitations, and offers of seats."""

from typing import Any

from marshmallow import fields

from api.conduct.stored.chat_messages import CHAT_SETTINGS
from api.description.answers.fields import (
    TIME,
    UUID,
    AnswerSchema,
    choice,
    flag,
    name_map,
    of_schema,
    part,
    several,
    string,
    whole_number,
)
from api.description.answers.lists import WatchSettingSchema
from api.tables.stored.seats import TableStatus


class FormingSeatSchema(AnswerSchema):
    """A seat before the deal."""

    seat = whole_number()
    kind = choice("human", "bot", "open", "invite")
    player = string("The player's id, or a bot's; null for an empty seat.", null=True)
    state = choice("claimed", "asked", "open", "invite")


class ListedTableSchema(AnswerSchema):
    """A table before the deal."""

    id = string(**UUID)
    board = whole_number()
    version = whole_number("0 until the deal.")
    status = choice(*TableStatus, says="`dealt` once the game has started, which only an invitation shows.")
    variant = string()
    options = of_schema({"type": "object"})
    timing = of_schema({"type": "object"})
    fairness = of_schema({"type": "object"})
    reveal = string()
    chat = choice(*CHAT_SETTINGS)
    undo = string()
    autopilot = string("What becomes of a seat that is out of time.")
    watch = part(WatchSettingSchema)
    opener = string("The id of the player who opened it.")
    rematch_of = string(null=True, **UUID)
    seats = several(FormingSeatSchema)
    created = string(**TIME)
    expires = string(**TIME)


class TableSchema(ListedTableSchema):
    """A table before the deal, with the names of its players."""

    names = name_map()


class TablesSchema(AnswerSchema):
    """Tables before the deal, the newest first."""

    items = several(ListedTableSchema)
    names = name_map()


class TablePageSchema(TablesSchema):
    """A page of tables that form."""

    next = string("The cursor of the next page, or null.", null=True)


class InvitationSchema(AnswerSchema):
    """An invitation to a table, without its token."""

    id = string()
    uses = whole_number("How many players can use it.")
    used = whole_number()
    created = string(**TIME)
    expires = string(**TIME)
    revoked = string(null=True, **TIME)


class InvitationsSchema(AnswerSchema):
    """The invitations to a table, the oldest first."""

    items = several(InvitationSchema)


class IssuedInvitationSchema(AnswerSchema):
    """A new invitation. The server shows its token only once."""

    id = string()
    token = string()
    path = string("The address at which anybody with the token sees the table.")
    uses = whole_number()
    expires = string(**TIME)


class SeatingAllowanceSchema(AnswerSchema):
    """The players who may seat the caller at once."""

    at_once = flag("Whether everybody may.")
    friends = several(string(), "The names of those who may.")


class SeatOfferSchema(AnswerSchema):
    """An offer of a seat to a person."""

    id = string()
    game = string(**UUID)
    seat = whole_number()
    to = string("The id of the player who got it.")
    made = string(**TIME)
    expires = string(**TIME)


FROM: dict[str, fields.Field[Any]] = {"from": string("The id of the player who made it.")}
ListedOfferSchema = SeatOfferSchema.from_dict(FROM, name="ListedOffer")
NewOfferSchema = SeatOfferSchema.from_dict({**FROM, "names": name_map()}, name="NewOffer")


class OffersSchema(AnswerSchema):
    """The open offers that the caller made or got."""

    items = several(ListedOfferSchema)
    names = name_map()
