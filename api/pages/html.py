"""The pages for people. Each is the same HTML with another script, which fills it from the API.

A page may load only its own files and call only its own server. It can't turn text into code or markup: the policy
demands Trusted Types and allows none (CSP level 3).
"""

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from html import escape

from flask import Response, request

from api.pages.languages import language_of, translate
from api.pages.static_files import FILES, STATIC, VERSION, address_of, script_of, scripts_of, words_of
from api.web.responses import not_modified, own_address
from api.web.route import Content, TaggedBlueprint, page_route, route

RULES = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
)
POLICY = "; ".join((*RULES, "trusted-types 'none'"))
WORKER_POLICY = "; ".join((*RULES, "trusted-types trickbook-worker"))
"""The policy of the pages that start the service worker, which takes a Trusted Type."""
EMBED_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""The policy of the one page that other sites may frame."""
SHELL = (STATIC / "base" / "shell.html").read_text(encoding="utf-8")
WORKER = (STATIC / "base" / "worker.js").read_text(encoding="utf-8")
STYLES = ("base/base.css",)
OWN_ADDRESS = re.compile(r'\b(href|src)="/')
MOST_RENDERED = 500
READ = "/{{read}}"
LOADING = '<div class="loading"><span class="spinner" aria-hidden="true"></span>{{page.loading|Loading…}}</div>'


@dataclass(frozen=True)
class Page:
    """A page: its title, its script, styles beside those of every page, and what its script asks the server first."""

    title: str
    script: str
    styles: tuple[str, ...] = ()
    reads: tuple[str, ...] = ("/session",)


@dataclass(frozen=True)
class RenderedPage:
    """A page as it's sent."""

    html: bytes
    compressed: bytes
    etag: str


LEARN = "house-rules/learn.css"
"""The style of words that explain themselves, and of rules with pictures."""
TABLE = Page("Table", "pages/game.js", ("pages/pages.css", "table/table.css", LEARN))
PAGES: Mapping[str, Page] = {
    "lobby": Page("Play cards", "pages/lobby.js", ("pages/pages.css",)),
    "new": Page("New table", "pages/new.js", ("pages/pages.css",)),
    "house-rules": Page(
        "House rules",
        "house-rules/house-rules-page.js",
        ("pages/pages.css", "table/table.css", LEARN, "house-rules/house-rules.css"),
    ),
    "first-hand": Page(
        "A first hand",
        "lesson/first-hand.js",
        ("pages/pages.css", "table/table.css", LEARN, "replay/replay.css", "lesson/lesson.css"),
    ),
    "join": Page("Invitation", "pages/join.js", ("pages/pages.css",)),
    "me": Page("Your account", "account/me.js", ("pages/pages.css",)),
    "player": Page("Player", "pages/player.js", ("pages/pages.css", "score/score.css")),
    "sign-in": Page("Sign in", "account/sign-in.js", ("pages/pages.css",)),
    "sign-up": Page("Sign up", "account/sign-up.js", ("pages/pages.css",)),
    "recover": Page("New password", "account/recover.js", ("pages/pages.css",)),
    "unsubscribe": Page("Mails about boards", "account/unsubscribe.js", ("pages/pages.css",)),
    "app": Page("Use as an app", "pages/app.js", ("pages/pages.css",)),
    "offline": Page("Offline", "pages/offline.js", ("pages/pages.css",), reads=()),
    "table": TABLE,
    "replay": Page(
        "Replay", "replay/replay-page.js", ("pages/pages.css", "table/table.css", LEARN, "replay/replay.css")
    ),
    "score": Page("Scores", "score/score-page.js", ("pages/pages.css", "score/score.css")),
    "audit": Page("Check a board", "audit/audit-page.js", ("pages/pages.css", "audit/audit.css")),
    "verify": Page("Check a game", "audit/verify-page.js", ("pages/pages.css", "audit/audit.css"), reads=()),
    "game-disputes": Page(
        "Disputes of a game",
        "disputes/game-page.js",
        ("pages/pages.css", "table/table.css", LEARN, "disputes/disputes.css"),
    ),
    "disputes": Page("Disputes", "disputes/queue-page.js", ("pages/pages.css", "disputes/disputes.css")),
    "text": Page("Table as text", "text/text-page.js", ("pages/pages.css", "text/text.css")),
    "standings": Page("Standings", "score/standings-page.js", ("pages/pages.css", "score/score.css")),
    "embed": Page("A hand", "embed/embed-page.js", ("table/table.css", LEARN, "replay/replay.css"), reads=()),
}

pages = TaggedBlueprint("pages", __name__, "pages")


@pages.get("/new")
@page_route("the page of a new table")
def new() -> Response:
    """Return 200: the page that opens a table."""
    return page_response("new")


@pages.get("/house-rules")
@page_route("the page of house rules")
def house_rules() -> Response:
    """Return 200: the page that writes house rules; a rulebook's address is in the fragment."""
    return page_response("house-rules")


@pages.get("/first-hand")
@page_route("the page of a first hand, for newcomers")
def first_hand() -> Response:
    """Return 200: the page on which a newcomer plays a recorded hand, step by step."""
    return page_response("first-hand")


@pages.get("/join")
@page_route("the page of an invitation")
def join() -> Response:
    """Return 200: the page of an invitation, whose token is in the fragment and so in no log."""
    return page_response("join")


@pages.get("/me")
@page_route("the page of your account")
def me() -> Response:
    """Return 200: the page about one's own account and settings."""
    response = page_response("me")
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    return response


@pages.get("/sign-in")
@page_route("the page to sign in")
def sign_in() -> Response:
    """Return 200: the page to sign in."""
    return page_response("sign-in")


@pages.get("/sign-up")
@page_route("the page to sign up")
def sign_up() -> Response:
    """Return 200: the page to register, or to keep a guest's games under a name."""
    return page_response("sign-up")


@pages.get("/recover")
@page_route("the page to choose a new password")
def recover() -> Response:
    """Return 200: the page for people who forgot their password."""
    return page_response("recover")


@pages.get("/app")
@page_route("the page about installing")
def app() -> Response:
    """Return 200: the page that installs the pages as an app, and keeps one for times without a network."""
    response = page_response("app")
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    return response


@pages.get("/offline")
@page_route("the page without a network")
def offline() -> Response:
    """Return 200: the page that a browser keeps to show without a network."""
    return page_response("offline")


@pages.get("/players/<name>")
@page_route("the page of a player")
def player(name: str) -> Response:
    """Return 200: the page about a player, whether or not there is one; its script asks the API."""
    return page_response("player")


@pages.get("/games/<game_ref:reference>")
@page_route("the page of a table")
def table(reference: str) -> Response:
    """Return 200: the page of a table, whether or not there is one; its script asks the API."""
    return page_response("table", f"/api/v1/games/{reference}")


def embedded_response(name: str) -> Response:
    """Return a page that pages of other servers may show in a frame. Its script asks without the session's cookie."""
    response = page_response(name)
    response.headers["Content-Security-Policy"] = EMBED_POLICY
    return response


def page_response(name: str, reads: str | None = None) -> Response:
    """Return a page, which browsers ask for each time: it names the version of all files, and what it `reads` first."""
    page = _rendered(name, reads, request.root_path, language_of(request))
    return not_modified(rendered_response(page), request)


def rendered_response(page: RenderedPage) -> Response:
    """Return HTML with its policy, compressed if the browser takes it."""
    is_compressed = request.accept_encodings.quality("gzip") > 0
    response = Response(page.compressed if is_compressed else page.html, content_type="text/html; charset=utf-8")
    response.set_etag(page.etag + "-gzip" * is_compressed)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Vary"] = "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie"
    if is_compressed:
        response.headers["Content-Encoding"] = "gzip"
    return response


@lru_cache(MOST_RENDERED)
def _rendered(name: str, reads: str | None, root: str, language: str) -> RenderedPage:
    html = _loading(name, reads is not None, root, language)
    return _sent(html if reads is None else html.replace(READ, reads))


@lru_cache(MOST_RENDERED)
def _loading(name: str, reads: bool, root: str, language: str) -> str:
    """Return a page with `READ` in place of what it reads: anybody can think up addresses of tables."""
    page = PAGES[name]
    page = replace(page, reads=(*page.reads, READ)) if reads else page
    return below(root, _html(name, page, translate(LOADING, language), language))


def render(name: str, page: Page, main: str, root: str, language: str) -> RenderedPage:
    """Return a page of a server below `root`, with `main`, which is HTML, until the script replaces it."""
    return _sent(below(root, _html(name, page, main, language)))


def _sent(html: str) -> RenderedPage:
    body = html.encode()
    return RenderedPage(body, gzip.compress(body, 9, mtime=0), sha256(body).hexdigest()[:32])


def below(root: str, html: str) -> str:
    """Return HTML of a server below the path `root`, with that in its addresses and for scripts (base/address.js)."""
    if not root:
        return html
    path = escape(root)  # other WSGI servers may take SCRIPT_NAME from anywhere
    html = OWN_ADDRESS.sub(lambda found: f'{found[1]}="{path}/', html)
    return html.replace("<html ", f'<html data-root="{path}" ', 1)


def _html(name: str, page: Page, main: str, language: str) -> str:
    lines = [f'<link rel="preload" href="{path}" as="fetch" crossorigin>' for path in page.reads]
    lines += [f'<link rel="stylesheet" href="{address_of(path)}">' for path in (*STYLES, *page.styles) if path in FILES]
    # a plain script, which runs before all modules
    lines += [f'<script src="{address_of(path)}"></script>' for path in words_of(page.script, language)]
    lines += [f'<link rel="modulepreload" href="{address_of(path)}">' for path in scripts_of(page.script)]
    lines.append(f'<script type="module" src="{address_of(script_of(page.script))}"></script>')
    parts = {
        "page": name,
        "language": language,
        "title": translate(f"{{{{title.{name}|{escape(page.title)}}}}}", language),
        "head": "\n    ".join(lines),
        "theme": address_of("base/theme.js"),
        "icon": address_of("icons/icon.svg"),
        "touch": address_of("icons/icon-180.png"),
        "main": main,
    }
    return _filled(translate(SHELL, language), parts)


def _filled(template: str, parts: Mapping[str, str]) -> str:
    for key, text in parts.items():
        template = template.replace("{{" + key + "}}", text)
    return template


@pages.get("/worker.js")
@route("the worker of the pages", answer=(Content("text/javascript", str),), says="The file.", token="none")
def worker() -> Response:
    """Return 200: the service worker, which keeps the page shown without a network, and shows pushed messages."""
    page, language = PAGES["offline"], language_of(request)
    files = [*STYLES, *page.styles, *scripts_of(page.script), *words_of(page.script, language)]
    files += ["base/theme.js", "icons/icon.svg"]
    kept = [own_address(path) for path in ("/offline", *map(address_of, files))]
    script = _filled(WORKER, {"root": request.root_path, "version": VERSION}).replace('["{{kept}}"]', json.dumps(kept))
    response = Response(script, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = "default-src 'none'; connect-src 'self'"
    return response


@pages.get("/manifest.webmanifest")
@route(
    "the manifest of the pages",
    answer=(Content("application/manifest+json", {"type": "object"}),),
    says="The file.",
    token="none",
)
def manifest() -> Response:
    """Return 200: what a device needs to install the pages as an app."""
    icons = [
        {"src": own_address(address_of("icons/icon.svg")), "sizes": "any", "type": "image/svg+xml"},
        *(
            {"src": own_address(address_of(f"icons/icon-{size}.png")), "sizes": f"{size}x{size}", "type": "image/png"}
            for size in (192, 512)
        ),
        {
            "src": own_address(address_of("icons/maskable-512.png")),
            "sizes": "512x512",
            "type": "image/png",
            "purpose": "maskable",
        },
    ]
    body = {
        "name": "trickbook",
        "short_name": "trickbook",
        "description": "Trick-taking card games with friends and bots.",
        "id": own_address("/"),
        "start_url": own_address("/"),
        "scope": own_address("/"),
        "display": "standalone",
        "background_color": "#f7f6f3",
        "theme_color": "#0a6449",
        "icons": icons,
    }
    response = Response(json.dumps(body), content_type="application/manifest+json")
    response.headers["Cache-Control"] = "no-cache"
    return response
