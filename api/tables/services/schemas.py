"""Schemas for bodies about forming tables, invitations and seating."""

from marshmallow import ValidationError, fields, validate

from api.conduct.stored.chat_messages import CHAT_SETTINGS
from api.play.services.game_schemas import MAX_SEATS, is_autopilot
from api.schemas import IS_GAME, StrictSchema, boolean_field, name_field
from api.tables.services.forming import LONGEST_S, SHORTEST_S, USUAL_S
from api.tables.services.open_game import BOT_PREFIX
from projections.bots import BOTS

MAX_USES, MAX_FRIENDS = 100, 200
TOKEN_CHARACTERS = (1, 64)


def expiry_field() -> fields.Integer:
    """Return a field for the seconds until a table or an invitation expires; a week if it's missing."""
    return fields.Integer(load_default=USUAL_S, strict=True, validate=validate.Range(SHORTEST_S, LONGEST_S))


def setting_object() -> fields.Dict:
    """Return a field for a JSON object that may be missing."""
    return fields.Dict(keys=fields.String(), error_messages={"invalid": "Must be an object."})


def _is_bot(text: str) -> None:
    if text.removeprefix(BOT_PREFIX) not in BOTS or not text.startswith(BOT_PREFIX):
        raise ValidationError(f"Must be one of the bots {', '.join(BOT_PREFIX + name for name in BOTS)}.")


class Rematch(StrictSchema):
    """`POST /games/{game}/rematch`: settings that differ from those of the game."""

    options = setting_object()
    timing = setting_object()
    fairness = setting_object()
    reveal = fields.String()
    watch = setting_object()
    undo = fields.String()
    autopilot = fields.String(validate=is_autopilot)
    chat = fields.String(validate=validate.OneOf(CHAT_SETTINGS, error="Must be one of: {choices}."))
    expires_s = expiry_field()


class RematchGame(Rematch):
    """`POST /games` with `rematch_of`: the game's board number or id, as text."""

    rematch_of = fields.String(required=True, validate=IS_GAME)


class Claim(StrictSchema):
    """`POST /games/{game}/seats`"""

    seat = fields.Integer(load_default=None, strict=True, validate=validate.Range(0, MAX_SEATS - 1))
    invitation = fields.String(load_default=None, validate=validate.Length(*TOKEN_CHARACTERS))


class Start(StrictSchema):
    """`POST /games/{game}/start`"""

    bots = fields.String(load_default=None, validate=_is_bot, metadata={"enum": [BOT_PREFIX + name for name in BOTS]})


class NewInvitation(StrictSchema):
    """`POST /games/{game}/invitations`"""

    uses = fields.Integer(load_default=1, strict=True, validate=validate.Range(1, MAX_USES))
    expires_s = expiry_field()


class NewSeating(StrictSchema):
    """`PUT /me/seating`"""

    at_once = boolean_field(required=False)
    friends = fields.List(name_field(), load_default=list, validate=validate.Length(0, MAX_FRIENDS))


REMATCH, REMATCH_GAME, CLAIM, START = Rematch(), RematchGame(), Claim(), Start()
NEW_INVITATION, NEW_SEATING = NewInvitation(), NewSeating()
