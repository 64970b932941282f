"""Users, tokens and one's own account."""

from typing import Any

from marshmallow import INCLUDE, fields

from api.description.answers.disputes import DisputeDetailsSchema
from api.description.answers.fields import (
    TIME,
    UUID,
    AnswerSchema,
    Keywords,
    choice,
    flag,
    numbers,
    of_schema,
    part,
    several,
    string,
    whole_number,
)
from api.mail.stored.levels import LEVELS
from projections.lists.inbox_entries import KINDS

DAY: Keywords = {"format": "date"}
PLAYER: Keywords = {"pattern": "^p_[0-9a-f]+$"}


class NightSchema(AnswerSchema):
    """A night by the player's own clock."""

    start = string()
    end = string()


class VacationSchema(AnswerSchema):
    """The first and the last day of a vacation."""

    first = string(**DAY)
    last = string(**DAY)


class HoursSchema(AnswerSchema):
    """When the caller's clock stands still."""

    zone = string("The name of a time zone.")
    night = part(NightSchema, null=True)
    weekends = flag("Whether it stands still on Saturdays and Sundays.")
    vacation = several(VacationSchema, "The days of vacation from today on.")
    vacation_days_left = whole_number("The days of vacation that can still be taken after them.")


class SessionPlayerSchema(AnswerSchema):
    """The player of a session."""

    id = string(**PLAYER)
    name = string()
    guest = flag()


class BegunSessionSchema(AnswerSchema):
    """A session that has begun."""

    player = part(SessionPlayerSchema)


class SessionSchema(AnswerSchema):
    """The session of a browser, and what the server offers to begin one."""

    player = part(SessionPlayerSchema, "Null without a session.", null=True)
    address = choice("encrypted", "loopback", "network", "refused", says="Whether and why a cookie is safe here.")
    guests = flag("Whether the server accepts guests.")
    registration = flag("Whether the server accepts new users.")
    mail = flag("Whether the server sends mail.")


class NewUserSchema(AnswerSchema):
    """A new user, with recovery codes that are shown only once."""

    id = string(**PLAYER)
    name = string()
    recovery_codes = several(string())


class GuestSchema(AnswerSchema):
    """A new guest, with a token."""

    id = string(**PLAYER)
    name = string()
    token = string()


class IssuedTokenSchema(AnswerSchema):
    """A new token. The server shows it only once."""

    token = string("Send it as `Authorization: Bearer TOKEN`.")
    id = string("The token's id in lists; it isn't the token.")
    label = string(null=True)
    scope = string("`play`, `read`, `moderate`, or `play:` and the id of a game.")
    days = whole_number("For how many days it's valid.")


class RenewedTokenSchema(IssuedTokenSchema):
    """A token that replaces the request's. If that one was in a cookie, so is this one."""

    token = string("Send it as `Authorization: Bearer TOKEN`.", required=False)


class ThisTokenSchema(AnswerSchema):
    """The token of the request."""

    id = string()
    label = string(null=True)
    scope = string()
    expires = string(null=True, **TIME)


class StoredTokenSchema(AnswerSchema):
    """A token, without the token itself."""

    id = string()
    label = string(null=True)
    scope = string()
    created = string(null=True, **TIME)
    used = string("The day of the last use.", null=True, **DAY)
    expires = string(null=True, **TIME)
    revoked = string(null=True, **TIME)


class OwnTokenSchema(StoredTokenSchema):
    """A token of the caller."""

    current = flag("Whether it's the token of the request.")


class TokenListSchema(AnswerSchema):
    """The caller's valid tokens, the newest first."""

    items = several(OwnTokenSchema)


class EndedTokensSchema(AnswerSchema):
    """How many tokens ended."""

    ended = whole_number()


class AddressSchema(AnswerSchema):
    """An e-mail address."""

    address = string()
    confirmed = flag()


class StoppedMailSchema(AnswerSchema):
    """An address to which no mail goes, since mail came back."""

    address = string()
    at = string(**TIME)
    reason = string()


class MailSchema(AnswerSchema):
    """Which mails about boards the caller gets."""

    level = choice(*LEVELS)
    games = of_schema({"type": "object", "additionalProperties": {"enum": list(LEVELS)}})
    stopped = part(StoppedMailSchema, null=True)


class AccountSchema(AnswerSchema):
    """The caller's account; the last four fields only for a token of the scope `play`."""

    id = string(**PLAYER)
    name = string()
    guest = flag()
    token = part(ThisTokenSchema)
    roles = several(string(), required=False)
    email = part(AddressSchema, null=True, required=False)
    mail = part(MailSchema, required=False)
    recovery_codes = whole_number("How many haven't been used.", required=False)


class RecoveryCodesSchema(AnswerSchema):
    """New recovery codes; the earlier ones are invalid."""

    recovery_codes = several(string())


class LeavingSchema(AnswerSchema):
    """When the account will be deleted."""

    deleted_at = string(**TIME)


class StoredUserSchema(AnswerSchema):
    """A user as the server stores them."""

    id = string(**PLAYER)
    name = string()
    created = string(**TIME)
    guest = flag()


class StoredAddressSchema(AnswerSchema):
    """A stored e-mail address."""

    address = string()
    asked = string(**TIME)
    confirmed = string(null=True, **TIME)


class StoredCodeSchema(AnswerSchema):
    """A recovery code, without the code."""

    created = string(**TIME)
    used = string(null=True, **TIME)


class StoredOpeningSchema(AnswerSchema):
    """A game that the caller opened."""

    game = string(**UUID)
    opened = string(**TIME)


class StoredTextSchema(AnswerSchema):
    """A text of the caller in a dispute."""

    game = string(**UUID)
    text = string(null=True)
    details = part(DisputeDetailsSchema, required=False)
    written = string(**TIME)


class StoredTablesSchema(AnswerSchema):
    """The tables that the caller opened or has to do with, by id, and the caller's friends and blocks."""

    opened_tables = several(string(**UUID))
    seats = several(string(**UUID))
    questions = several(string(**UUID))
    friends = several(string())
    seated_at_once = flag()


class StoredBlockSchema(AnswerSchema):
    """A player whom the caller blocks, or blocked until a time."""

    player = string(**PLAYER)
    since = string(**TIME)
    until = string(null=True, **TIME)


STORED_MESSAGE: dict[str, fields.Field[Any]] = {
    "id": string(),
    "written": string(**TIME),
    "to": string(),
    "event": whole_number(null=True),
    "text": string(null=True),
}
StoredMessageSchema = AnswerSchema.from_dict(STORED_MESSAGE, name="StoredMessage")


class StoredReportSchema(AnswerSchema):
    """A report that the caller sent."""

    id = string()
    written = string(**TIME)
    about = string(**PLAYER)
    kind = string()
    text = string(null=True)


class StoredStepSchema(AnswerSchema):
    """A moderator's step against the caller."""

    id = string()
    kind = string()
    since = string(**TIME)
    until = string(null=True, **TIME)
    reason = string(null=True)
    appeal = string(null=True)
    decision = string(null=True)
    decision_reason = string(null=True)


class StoredNoteSchema(AnswerSchema):
    """A note for the caller's inbox, with the fields of its kind."""

    class Meta:
        unknown = INCLUDE

    kind = choice(*KINDS)
    about = string("The id of the game or table.", null=True)
    at = string(**TIME)


class StoredWebhookSchema(AnswerSchema):
    """A webhook of the caller."""

    id = string()
    url = string()
    kinds = several(choice(*KINDS), "Empty for all.")
    game = string(null=True, **UUID)


class OwnGameSchema(AnswerSchema):
    """A game in which the caller has seats."""

    game = string(**UUID)
    board = whole_number()
    variant = string()
    seats = numbers()


class OwnDataSchema(AnswerSchema):
    """All that the server stores about the caller."""

    user = several(StoredUserSchema)
    tokens = several(StoredTokenSchema)
    roles = several(choice("arbiter", "moderator", "operator"))
    email = several(StoredAddressSchema)
    recovery_codes = several(StoredCodeSchema)
    hours = of_schema({"type": "object"})
    opened_games = several(StoredOpeningSchema)
    dispute_texts = several(StoredTextSchema)
    tables = part(StoredTablesSchema)
    handover_offers = several(of_schema({"type": "object"}))
    blocks = several(StoredBlockSchema)
    messages = several(StoredMessageSchema)
    reports = several(StoredReportSchema)
    steps = several(StoredStepSchema)
    inbox_notes = several(StoredNoteSchema)
    webhooks = several(StoredWebhookSchema)
    private_messages = several(of_schema({"type": "object"}))
    held_moves = several(of_schema({"type": "object"}))
    command_settings = of_schema({"type": "object"})
    mail_levels = of_schema({"type": "object"})
    board_mails = of_schema({"type": "object"})
    mail_answers = several(of_schema({"type": "object"}))
    games = several(OwnGameSchema)
