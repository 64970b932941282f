"""Which mails about boards the caller gets, and the end of all of them by one request of a mail program (RFC 8058)."""

from flask import Response, jsonify

from api.mail.services.addresses import MailAddresses
from api.pages.html import page_response
from api.people.services.own_account import MailSettings, set_mail_level
from api.people.services.schemas import MAIL_LEVEL
from api.problem import Problem
from api.web.context import current_caller, current_services
from api.web.request_input import sent_body
from api.web.route import TaggedBlueprint, page_route, route

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
    return jsonify(set_mail_level(current_services(), current_caller(), sent_body()))


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
