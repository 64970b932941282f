"""The link in every mail: a person sees a page with a button, and a mail program ends mails by POST (RFC 8058)."""

from flask import Blueprint, Response

from api.routes.pages.html import page_response
from api.routes.people.mail import end_mails

mail_links = Blueprint("mail_links", __name__)


@mail_links.get("/mail/unsubscribe/<key>")
def page(key: str) -> Response:
    """Return 200: the page that asks before it ends mails, whether or not the key is valid. It changes nothing."""
    return page_response("unsubscribe")


@mail_links.post("/mail/unsubscribe/<key>")
def one_click(key: str) -> tuple[str, int]:
    """Return 204; the player gets no more mails about boards. 404 for a key that isn't one, or of an older address."""
    return end_mails(key)
