"""Which mails about boards the caller gets, and the end of all of them by one request of a mail program (RFC 8058)."""

from typing import TypedDict

from flask import Response, jsonify, request

from api.mail.services.addresses import MailAddresses
from api.mail.stored.levels import ALL_GAMES, USUAL_LEVEL, MailLevel, StoppedMail
from api.pages.html import page_response
from api.people.services.schemas import MAIL_LEVEL
from api.problem import Problem
from api.web.context import current_services, require_player
from api.web.route import TaggedBlueprint, page_route, route
from api.web.strict_json import read_json


class MailSettings(TypedDict):
    """Which mails about boards the caller gets."""

    level: MailLevel
    games: dict[str, MailLevel]
    stopped: StoppedMail | None


own_mail = TaggedBlueprint("own_mail", __name__, "people")


@own_mail.put("/me/mail")
@route(
    "choose which mails about boards you get",
    answer=MailSettings,
    token="needed",
    body=MAIL_LEVEL,
    example={"level": "digest"},
    problems=("not-found",),
)
def set_level() -> Response:
    """Return 200 and what `GET /me` has under `mail`; with `game` (an id or a board number), set it for one game."""
    wanted, player = MAIL_LEVEL.load(read_json(request)), require_player()
    game = ALL_GAMES if wanted["game"] is None else current_services().reader.resolve(wanted["game"])
    if game != ALL_GAMES:
        current_services().gate.seat_of(game, player.id)  # 404 for a game that they may not know of
    current_services().accounts.mail_levels.set(player.id, wanted["level"], game)
    return jsonify(mail_json(player.id))


@own_mail.post("/mail/unsubscribe/<key>")
@route(
    "end all mails, by the key in the link of a mail",
    says="The player gets no more mails about boards.",
    token="none",
    problems=("not-found",),
)
def unsubscribe(key: str) -> tuple[str, int]:
    """Return 204; the player gets no more mails about boards. 404 for a key that isn't one, or of an older address."""
    return end_mails(key)


def end_mails(key: str) -> tuple[str, int]:
    """End the mails to the player of a link. Raise Problem for a key that isn't one, or of an older address."""
    services = current_services()
    found = None if services.config.mail_domain is None else MailAddresses(services).read_about(f"unsubscribe+{key}")
    if found is None:
        raise Problem("not-found", "There is no such link. Set which mails you get on the page, or with PUT /me/mail.")
    services.accounts.mail_levels.end_all(found.player)
    return "", 204


def mail_json(player: str) -> MailSettings:
    """Return a player's level, those for single games, and the address to which no mail goes."""
    levels = current_services().accounts.mail_levels
    found, stop = levels.all_of(player), levels.stop_of(player)
    return {
        "level": found.get(ALL_GAMES, USUAL_LEVEL),
        "games": {game: level for game, level in found.items() if game != ALL_GAMES},
        "stopped": None if stop is None else stop.to_json(),
    }


mail_links = TaggedBlueprint("mail_links", __name__, "pages")


@mail_links.get("/mail/unsubscribe/<key>")
@page_route("the page that asks before it ends all mails")
def page(key: str) -> Response:
    """Return 200: the page that asks before it ends mails, whether or not the key is valid. It changes nothing."""
    return page_response("unsubscribe")


@mail_links.post("/mail/unsubscribe/<key>")
@route(
    "end all mails, by the header `List-Unsubscribe` of a mail",
    says="The player gets no more mails about boards.",
    token="none",
    problems=("not-found",),
)
def one_click(key: str) -> tuple[str, int]:
    """Return 204; the player gets no more mails about boards. 404 for a key that isn't one, or of an older address."""
    return end_mails(key)
