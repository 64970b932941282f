"""The pages of contact and privacy: their words follow from the settings, so that they say what this server does."""

from functools import lru_cache
from html import escape

from flask import Response, request
from markdown_it import MarkdownIt

from api.config import Config
from api.pages.html import RenderedPage, rendered_response
from api.pages.languages import language_of, translate
from api.pages.rules import render_sheet
from api.web.context import current_services
from api.web.responses import not_modified
from api.web.route import TaggedBlueprint, page_route

OPERATOR, CONTACT = "\ue000", "\ue001"
"""The characters that stand for settings in a text, so that no name is read as Markdown."""
WRITES_ADDRESSES = ("debug", "info")
"""The levels of the log at which requests are logged, with the addresses of clients."""
FOR_WHAT = """
## {{about.what|What to do yourself}}

* {{about.what.hand|**A hand went wrong:** open a dispute on the page of its game. [Disputes](/disputes) lists those
  that wait for an arbiter.}}
* {{about.what.people|**Somebody behaves badly:** block or report them on the page of the game. Moderators see the
  report.}}
* {{about.what.password|**You forgot your password:** [choose another one](/recover) with one of your recovery codes.}}
* {{about.what.data|**Your data:** [your account](/me) shows, gives and deletes it. [Privacy](/privacy) says what
  the server keeps.}}
"""
KEPT = """
* {{about.kept.account|**Your account:** your name, a password that can't be read back, your settings, and whom you
  blocked.}}
* {{about.kept.sign-ins|**Sign-ins:** when each began, and its last day of use. They're deleted 30 days after they
  end.}}
* {{about.kept.games|**Games:** each deal, bid and card, with its time, under a random id in place of your name.
  They stay, so that everybody can check them.}}
* {{about.kept.texts|**What you write:** messages, texts of disputes, and reports.}}
"""
KEPT_MAIL = (
    "* {{about.kept.mail|**Your mail address**, if you give one. Nobody else sees it, and only this server writes"
    " to it.}}"
)
KEPT_GUESTS = (
    "* {{about.kept.guests|**Guests:** those who never played are deleted after a day without use, others after"
    " 30 days.}}"
)
KEPT_ADDRESS = "* {{about.kept.address|**The address of your connection:**}} "
COUNTED = "{{about.kept.counted|to count requests, for at most an hour}}"
LOGGED = "{{about.kept.logged|in the server's log, beside what you changed or were refused}}"
OTHERS = "{{about.others.text|Your name, your games and their results. Your cards are hidden until the hand is over.}}"
SENT = (
    "* {{about.sent.none|Pages load nothing from other servers: no ads, no trackers. The only cookies keep your sign-in"
    " and language.}}"
)
SENT_HOOKS = "* {{about.sent.webhook|If you set up a webhook, the server tells it about your games.}}"
SENT_PUSH = (
    "* {{about.sent.push|If you switch on messages, your browser's push service passes them on and can't read them.}}"
)
SENT_WITNESSES = "* {{about.sent.witnesses|Witnesses get the hashes of games, and no names or cards.}}"
YOURS = """
* {{about.yours.see|[Your account](/me) shows what the server knows of you, and gives it to you as a file.}}
* {{about.yours.delete|You can delete your account there. You can come back for a day. Then your name, password,
  address and
  texts are deleted; the games keep the id. Backups have them until the host deletes the backups.}}
"""

about = TaggedBlueprint("about", __name__, "pages")


@about.get("/contact")
@page_route("the page that says who runs the server")
def contact() -> Response:
    """Return 200: the person who runs the server, and how to reach them."""
    return _page("{{about.contact|Contact}}", contact_text(current_services().config))


@about.get("/privacy")
@page_route("the page that says what the server keeps")
def privacy() -> Response:
    """Return 200: what the server keeps of people, by its settings, and what they can do about it."""
    return _page("{{about.privacy|Privacy}}", privacy_text(current_services().config))


def contact_text(config: Config) -> str:
    """Return the page of contact in Markdown, with `OPERATOR` and `CONTACT` in it if the host has set them."""
    by = (
        "{{about.nobody|The host of this server hasn't said who they are.}}"
        if config.operator is None
        else OPERATOR + " {{about.runs|runs this server.}}"
    )
    reach = (
        "{{about.no-address|They gave no address.}}"
        if config.contact is None
        else "{{about.reach|You reach them at}} " + CONTACT + "."
    )
    return f"# {{{{about.contact|Contact}}}}\n\n{by} {reach}\n{FOR_WHAT}"


def privacy_text(config: Config) -> str:
    """Return the page of privacy in Markdown."""
    kept = [KEPT.strip()]
    if config.smtp_url is not None:
        kept.append(KEPT_MAIL)
    if config.registration == "open":
        kept.append(KEPT_GUESTS)
    uses = [COUNTED] * config.is_limited + [LOGGED] * (config.log in WRITES_ADDRESSES)
    if uses:
        kept.append(KEPT_ADDRESS + "{{about.and|, and}} ".join(uses) + ".")
    sent = [SENT]
    if config.webhooks != "off":
        sent += [SENT_HOOKS, SENT_PUSH]
    if config.witnesses:
        sent.append(SENT_WITNESSES)
    by = "{{about.host|The host of this server}}" if config.operator is None else OPERATOR
    parts = {
        "{{about.kept|What the server keeps}}": "\n".join(kept),
        "{{about.others|What others see}}": OTHERS,
        "{{about.sent|What leaves the server}}": "\n".join(sent),
        "{{about.yours|See it, take it, delete it}}": YOURS.strip(),
    }
    body = "\n\n".join(f"## {heading}\n\n{part}" for heading, part in parts.items())
    answers = "{{about.answers|answers for what this server keeps of you: see [contact](/contact).}}"
    return f"# {{{{about.privacy|Privacy}}}}\n\n{by} {answers}\n\n{body}\n"


def _page(title: str, text: str) -> Response:
    config = current_services().config
    page = _rendered(title, text, config.operator or "", config.contact or "", request.root_path, language_of(request))
    return not_modified(rendered_response(page), request)


@lru_cache(48)
def _rendered(title: str, text: str, operator: str, address: str, root: str, language: str) -> RenderedPage:
    html: str = MarkdownIt("commonmark").render(translate(text, language))
    href = escape(address if address.startswith("http") else f"mailto:{address}")
    html = html.replace(OPERATOR, escape(operator)).replace(CONTACT, f'<a href="{href}">{escape(address)}</a>')
    return render_sheet(translate(title, language), html, root, language, language)
