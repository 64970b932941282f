"""Users, tokens, guests and one's own account."""

from collections.abc import Mapping

from api.description.answers import people, standings
from api.description.model import Operation, empty_answer, json_answer
from api.description.problem_groups import PASSWORD, WAIT
from api.people.services import schemas
from api.people.services.own_hours import NewHours
from api.schemas import Registration

PASSWORD_EXAMPLE, NEW_PASSWORD = "correct-horse", "violet-otter-lantern"
NAMED = {"name": "ann", "password": PASSWORD_EXAMPLE}
SIGNED_UP = json_answer(people.NewUserSchema, status=201)
TOKEN_MADE = json_answer(people.IssuedTokenSchema, status=201)

OPERATIONS: Mapping[str, Operation] = {
    "users.register": Operation(
        "register",
        (SIGNED_UP,),
        bodies=(Registration,),
        example=NAMED,
        problems=("name-taken", "registration-closed"),
    ),
    "users.log_in": Operation(
        "log in",
        (TOKEN_MADE,),
        bodies=(schemas.NewToken,),
        example=NAMED | {"label": "my bot", "scope": "play", "days": 30},
        problems=("bad-login", "user-leaving", "forbidden"),
    ),
    "users.log_out": Operation("log out", (empty_answer("The token is invalid from now on."),), token="needed"),
    "recovery.recover": Operation(
        "choose a new password with a recovery code",
        (TOKEN_MADE,),
        bodies=(schemas.Recovery,),
        example={"name": "ann", "code": "abcd-efgh-jkmn-pqrs", "new_password": NEW_PASSWORD},
        problems=("bad-login", "user-leaving"),
    ),
    "guests.create": Operation(
        "play without registering",
        (json_answer(people.GuestSchema, status=201),),
        bodies=(type(schemas.NO_FIELDS),),
        example={},
        problems=("guests-closed",),
    ),
    "hours.show_hours": Operation("when your clock stands still", (json_answer(people.HoursSchema),), token="needed"),
    "hours.set_hours": Operation(
        "set it",
        (json_answer(people.HoursSchema),),
        token="needed",
        bodies=(NewHours,),
        example={
            "zone": "Europe/Berlin",
            "night": {"start": "22:00", "end": "07:00"},
            "weekends": True,
            "vacation": [],
        },
        problems=("too-many",),
    ),
    "own_account.show": Operation("your account and this token", (json_answer(people.AccountSchema),), token="needed"),
    "leaving.leave": Operation(
        "delete your account, in a day",
        (json_answer(people.LeavingSchema, status=202, says="From now on your tokens are invalid."),),
        token="needed",
        bodies=(schemas.Leave,),
        example={"password": PASSWORD_EXAMPLE},
        problems=PASSWORD,
    ),
    "leaving.come_back": Operation(
        "keep it after all",
        (TOKEN_MADE,),
        bodies=(schemas.NameAndPassword,),
        example=NAMED,
        problems=("bad-login",),
    ),
    "guests.take_name": Operation(
        "take a name and a password, as a guest",
        (SIGNED_UP,),
        token="needed",
        bodies=(Registration,),
        example=NAMED,
        problems=("name-taken", "not-a-guest", "registration-closed"),
    ),
    "own_tokens.change_password": Operation(
        "change your password",
        (json_answer(people.RenewedTokenSchema, says="All your other tokens are invalid from now on."),),
        token="needed",
        bodies=(schemas.PasswordChange,),
        example={"password": PASSWORD_EXAMPLE, "new_password": NEW_PASSWORD},
        problems=PASSWORD,
    ),
    "recovery.renew": Operation(
        "get new recovery codes",
        (json_answer(people.RecoveryCodesSchema, status=201),),
        token="needed",
        bodies=(schemas.OwnPassword,),
        example={"password": PASSWORD_EXAMPLE},
        problems=PASSWORD,
    ),
    "own_tokens.list_own": Operation("list your tokens", (json_answer(people.TokenListSchema),), token="needed"),
    "own_tokens.end_others": Operation(
        "end all but this one", (json_answer(people.EndedTokensSchema),), token="needed"
    ),
    "own_tokens.end_token": Operation(
        "end one of them",
        (empty_answer("The token is invalid from now on."),),
        token="needed",
        problems=("not-found",),
    ),
    "own_email.set_address": Operation(
        "give the server your address",
        (json_answer(people.AddressSchema, status=202, says="A mail with a code is on its way."),),
        token="needed",
        bodies=(schemas.OwnAddress,),
        example={"email": "ann@example.com"},
        problems=("no-mail", "not-for-guests"),
    ),
    "own_email.remove": Operation(
        "take it back", (empty_answer("The server doesn't have your address any more."),), token="needed"
    ),
    "own_email.confirm": Operation(
        "confirm it with the code from the mail",
        (json_answer(people.AddressSchema),),
        token="needed",
        bodies=(schemas.Confirmation,),
        example={"code": "12345678"},
        problems=("wrong-code",),
    ),
    "own_mail.set_level": Operation(
        "choose which mails about boards you get",
        (json_answer(people.MailSchema),),
        token="needed",
        bodies=(schemas.MailLevelChange,),
        example={"level": "digest"},
        problems=("not-found",),
    ),
    "own_mail.unsubscribe": Operation(
        "end all mails, by the key in the link of a mail",
        (empty_answer("The player gets no more mails about boards."),),
        token="none",
        problems=("not-found",),
    ),
    "own_account.export": Operation(
        "all that the server stores about you, as one file",
        (json_answer(people.OwnDataSchema, "Content-Disposition"),),
        token="needed",
    ),
    "standings.list_standings": Operation(
        "the standings of a variant, for all time, a year or a month",
        (json_answer(standings.StandingsSchema, "Trickbook-Position"),),
        problems=WAIT,
    ),
    "standings.player_standings": Operation(
        "a player's figures by variant",
        (json_answer(standings.PlayerFiguresSchema, "Trickbook-Position"),),
        problems=("not-found", *WAIT),
    ),
    "standings.player_history": Operation(
        "a player's finished games",
        (json_answer(standings.HistorySchema, "Trickbook-Position"),),
        problems=("not-found", *WAIT),
    ),
    "standings.against": Operation(
        "the games of two players against each other, by variant",
        (json_answer(standings.HeadToHeadSchema, "Trickbook-Position"),),
        problems=("not-found", *WAIT),
    ),
    "ratings.list_ratings": Operation(
        "the ratings of a variant, over all tables or at one kind of table",
        (json_answer(standings.RatingsSchema, "Trickbook-Position"),),
        problems=WAIT,
    ),
    "ratings.list_changes": Operation(
        "the players whom rulings on finished games moved",
        (json_answer(standings.RatingChangesSchema, "Trickbook-Position"),),
        problems=WAIT,
    ),
    "ratings.show_ratings": Operation(
        "a player's ratings, and what each game did to them",
        (json_answer(standings.PlayerRatingsSchema, "Trickbook-Position"),),
        problems=("not-found", *WAIT),
    ),
}
