"""Pages for people, their files, and the sessions of browsers."""

from collections.abc import Mapping

from api.description.answers import people
from api.description.model import TEXT_SCHEMA, Content, DescribedAnswer, Operation, empty_answer, json_answer
from api.description.operations.server import ASKS, PAGE, UNCHANGED
from api.people.services import schemas

NAMED = {"name": "ann", "password": "correct-horse"}
SIGNED_IN = (json_answer(people.BegunSessionSchema, "Set-Cookie", status=201, says="The cookie holds a token."),)
SIGN_IN = ("insecure-address", "unauthorized", "user-disabled", "too-many-requests")
SCRIPT = "text/javascript"
FILES = tuple(Content(media, TEXT_SCHEMA) for media in ("text/css", SCRIPT, "image/png", "image/svg+xml"))


def _page(summary: str, *problems: str) -> Operation:
    return Operation(summary, (PAGE, UNCHANGED), token="none", problems=problems, asks=ASKS)


def _file(summary: str, *contents: Content, problems: tuple[str, ...] = ()) -> Operation:
    return Operation(summary, (DescribedAnswer(200, "The file.", contents),), token="none", problems=problems)


OPERATIONS: Mapping[str, Operation] = {
    "session.show": Operation("the session of a browser", (json_answer(people.SessionSchema),), token="none"),
    "session.log_in": Operation(
        "begin a session with name and password",
        SIGNED_IN,
        token="none",
        bodies=(schemas.NameAndPassword,),
        example=NAMED,
        problems=(*SIGN_IN, "bad-login", "user-leaving"),
    ),
    "session.log_out": Operation("end it", (empty_answer("The browser forgets the token, which is invalid."),), "none"),
    "session.begin_as_guest": Operation(
        "begin a session as a guest",
        SIGNED_IN,
        token="none",
        bodies=(type(schemas.NO_FIELDS),),
        example={},
        problems=(*SIGN_IN, "guests-closed"),
    ),
    "session.recover": Operation(
        "begin a session with a recovery code",
        SIGNED_IN,
        token="none",
        bodies=(schemas.Recovery,),
        example={"name": "ann", "code": "abcd-efgh-jkmn-pqrs", "new_password": "violet-otter-lantern"},
        problems=(*SIGN_IN, "bad-login", "user-leaving"),
    ),
    "session.restore": Operation(
        "begin a session with an account that was being deleted",
        SIGNED_IN,
        token="none",
        bodies=(schemas.NameAndPassword,),
        example=NAMED,
        problems=(*SIGN_IN, "bad-login"),
    ),
    "pages.new": _page("the page of a new table"),
    "pages.table": _page("the page of a table"),
    "game_pages.replay": _page("the page that shows any moment of a game"),
    "game_pages.score": _page("the page with the scores of a game"),
    "game_pages.audit": _page("the page that checks a game"),
    "game_pages.game_disputes": _page("the page with the disputes of a game"),
    "game_pages.text": _page("the page of a table as text"),
    "game_pages.disputes": _page("the page with the disputes that wait for an arbiter"),
    "game_pages.standings": _page("the page with the standings"),
    "game_pages.embed": _page("the page of a finished hand, which other sites may show in a frame", "not-found"),
    "pages.join": _page("the page of an invitation"),
    "pages.player": _page("the page of a player"),
    "pages.me": _page("the page of your account"),
    "pages.sign_in": _page("the page to sign in"),
    "pages.sign_up": _page("the page to sign up"),
    "pages.recover": _page("the page to choose a new password"),
    "mail_links.page": _page("the page that asks before it ends all mails"),
    "mail_links.one_click": Operation(
        "end all mails, by the header `List-Unsubscribe` of a mail",
        (empty_answer("The player gets no more mails about boards."),),
        token="none",
        problems=("not-found",),
    ),
    "pages.app": _page("the page about installing"),
    "pages.offline": _page("the page without a network"),
    "rules.overview": _page("the games side by side"),
    "rules.rule_sheet": _page("a rule sheet, with a clause at its number: `/rules/pitch#S34`", "not-found"),
    "pages.manifest": _file("the manifest of the pages", Content("application/manifest+json", {"type": "object"})),
    "pages.worker": _file("the worker of the pages", Content(SCRIPT, TEXT_SCHEMA)),
    "static_files.static_file": _file("a file of the pages", *FILES, problems=("not-found",)),
}
