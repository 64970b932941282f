"""Schemas for bodies and queries about people, their ratings and their standings."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from api.config.settings import MAIL_ADDRESS
from api.mail.stored.levels import LEVELS
from api.people.stored.passwords import PASSWORD_MAX_LENGTH
from api.people.stored.token_scopes import MOST_DAYS, PLAY, SCOPE, USUAL_DAYS
from api.play.services.game_schemas import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, WaitQuery
from api.schemas import IS_GAME, Registration, StrictSchema, name_field, new_password_field, query_integer_field
from domain.rules.variants import HOUSE, VARIANTS
from projections.lists.seated_games import ADDRESS_DIGITS, RATED_HOUSE
from projections.lists.standings_results import ALL_TIME, BAD_PERIOD, PERIOD
from projections.ratings.places import EVERY_KIND, KINDS

MAX_LABEL, MAX_CODE, MAX_ADDRESS = 64, 64, 254


def _is_scope(text: str) -> None:
    if SCOPE.fullmatch(text) is None:
        raise ValidationError("Must be play, read, moderate, or play: and the id of a game.")


def _is_address(text: str) -> None:
    if MAIL_ADDRESS.fullmatch(text) is None or "." not in text.partition("@")[2]:
        raise ValidationError("Must be an e-mail address such as ann@example.com.")


def _password_field() -> fields.String:
    """Return a field for a password that exists. Any is valid, so that one that was allowed once still works."""
    return fields.String(required=True, validate=validate.Length(1, PASSWORD_MAX_LENGTH))


class NewToken(StrictSchema):
    """`POST /tokens`"""

    name = name_field()
    password = _password_field()
    label = fields.String(load_default=None, validate=validate.Length(1, MAX_LABEL))
    scope = fields.String(load_default=PLAY, validate=_is_scope, metadata={"pattern": f"^({SCOPE.pattern})$"})
    days = fields.Integer(strict=True, load_default=USUAL_DAYS, validate=validate.Range(1, MOST_DAYS))


class NameAndPassword(StrictSchema):
    """`POST /me/restore`"""

    name = name_field()
    password = _password_field()


class Recovery(StrictSchema):
    """`POST /tokens/recovery`"""

    name = name_field()
    code = fields.String(required=True, validate=validate.Length(1, MAX_CODE))
    new_password = new_password_field()


class OwnPassword(StrictSchema):
    """`POST /me/recovery-codes`"""

    password = _password_field()


class Leave(StrictSchema):
    """`DELETE /me`; a guest has no password."""

    password = fields.String(load_default=None, validate=validate.Length(1, PASSWORD_MAX_LENGTH))


class PasswordChange(StrictSchema):
    """`POST /me/password`"""

    password = _password_field()
    new_password = new_password_field()

    @validates_schema
    def _check_change(self, data: Mapping[str, Any], **_: Any) -> None:
        if unicodedata.normalize("NFC", data["new_password"]) == unicodedata.normalize("NFC", data["password"]):
            raise ValidationError({"new_password": ["Choose another password than the current one."]})


class OwnAddress(StrictSchema):
    """`PUT /me/email`"""

    email = fields.String(
        required=True, validate=[validate.Length(3, MAX_ADDRESS), _is_address], metadata={"format": "email"}
    )


class Confirmation(StrictSchema):
    """`POST /me/email/confirmation`"""

    code = fields.String(required=True, validate=validate.Regexp(re.compile(r"[0-9]{8}\Z"), error="Must be 8 digits."))


NEW_TOKEN, NAME_AND_PASSWORD, RECOVERY = NewToken(), NameAndPassword(), Recovery()
OWN_PASSWORD, PASSWORD_CHANGE, LEAVE, ADDRESS = OwnPassword(), PasswordChange(), Leave(), OwnAddress()
CONFIRMATION, GUEST_NAME, NO_FIELDS = Confirmation(), Registration(), StrictSchema()


class MailLevelChange(StrictSchema):
    """`PUT /me/mail`: which mails the caller gets, about all games or one."""

    level = fields.String(required=True, validate=validate.OneOf(LEVELS))
    game = fields.String(load_default=None, allow_none=True, validate=IS_GAME)


MAIL_LEVEL = MailLevelChange()


def _period_field() -> fields.String:
    return fields.String(load_default=ALL_TIME, validate=validate.Regexp(PERIOD, error=BAD_PERIOD))


class HistoryQuery(WaitQuery):
    """`GET /players/{name}/history`"""

    limit = query_integer_field(1, MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)
    cursor = fields.String()


def _is_rated(text: str) -> None:
    """Raise ValidationError unless games of this name are rated together: of a variant, or by a rulebook."""
    if text not in VARIANTS and RATED_HOUSE.fullmatch(text) is None:
        house = f"{HOUSE}: and {ADDRESS_DIGITS} digits of a rulebook's address"
        raise ValidationError(f"Must be one of: {', '.join(VARIANTS)}; or {house}.")


def _rated_field() -> fields.String:
    return fields.String(required=True, validate=_is_rated)


class StandingsQuery(HistoryQuery):
    """`GET /standings`"""

    variant = _rated_field()
    period = _period_field()


class FiguresQuery(WaitQuery):
    """`GET /players/{name}/standings`"""

    period = _period_field()


STANDINGS_QUERY, FIGURES_QUERY, HISTORY_QUERY = StandingsQuery(), FiguresQuery(), HistoryQuery()


CHOICES = "Must be one of: {choices}."


class RatingsQuery(HistoryQuery):
    """`GET /ratings` and `GET /ratings/changes`"""

    variant = _rated_field()
    kind = fields.String(load_default=EVERY_KIND, validate=validate.OneOf((EVERY_KIND, *KINDS), error=CHOICES))


RATINGS_QUERY, PLAYER_RATINGS_QUERY = RatingsQuery(), HistoryQuery()
