"""Pages that show recorded moments, without a server: the test gives them their files."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, Page, Route

from api.pages.languages import ENGLISH, OTHERS, messages
from api.pages.static_files import FILES
from tests.web.engines import new_page, note_complaints
from tests.web.table.recorded import Moment

STATIC = Path(__file__).parents[3] / "api" / "static"
OWN = {"/gallery.js": Path(__file__).parent / "gallery.js", "/watch.js": Path(__file__).parent / "watch.js"}
HERE = "http://localhost:9/"
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json"}
WORDS = re.compile(r"/words\.(\w\w)\.js")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_SHELL = (STATIC / "base" / "shell.html").read_text(encoding="utf-8")
_HEADER = re.sub(r"<img[^>]*>", "", _SHELL[_SHELL.index("<header") : _SHELL.index("</header>")]) + "</header>"
HTML = f"""<!doctype html><html lang="LANGUAGE" data-page="table"><head><meta charset="utf-8"><title>Table</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/base/base.css"><link rel="stylesheet" href="/static/table/table.css">
<link rel="stylesheet" href="/static/house-rules/learn.css">
<script src="/words.LANGUAGE.js"></script><script type="module" src="/static/table/zones.js"></script></head>
<body>{_HEADER}<main id="main"></main></body></html>"""
SHOW = """(sent) => import("/gallery.js").then(({ show }) => {
  const { moment, more } = JSON.parse(sent);
  show(document.querySelector("#main"), moment, more);
})"""


def gallery(browser: Browser, width: int = 1280, language: str = ENGLISH) -> tuple[Page, list[str]]:
    """Return a page for moments in a language, and the list of what it complains about."""
    page, complaints = new_page(browser), list[str]()
    page.set_viewport_size({"width": width, "height": 800})
    note_complaints(page, complaints.append)
    page.route("**/*", _give)
    page.goto(HERE + language)
    return page, complaints


def show(page: Page, moment: Moment, **more: Any) -> None:
    """Draw a moment; `more` is what this browser alone knows."""
    page.evaluate(SHOW, json.dumps({"moment": vars(moment), "more": more}))


def _give(route: Route) -> None:
    path = unquote(urlsplit(route.request.url).path)
    if path.removeprefix("/") in (ENGLISH, *OTHERS):
        html = HTML.replace("LANGUAGE", path.removeprefix("/"))
        return route.fulfill(body=html, content_type="text/html", headers={"Content-Security-Policy": POLICY})
    if found := WORDS.fullmatch(path):
        words = json.dumps(dict(messages(found[1])))
        return route.fulfill(body=f"globalThis.trickbookMessages = {words};", content_type=TYPES[".js"])
    if path.startswith("/api/"):
        return route.fulfill(status=404, json={"detail": "There is no server here."})
    if path.endswith(".css"):
        return route.fulfill(body=FILES[path.removeprefix("/static/")].body, content_type=TYPES[".css"])
    file = OWN.get(path, STATIC / path.removeprefix("/static/"))
    if not file.exists():
        file = STATIC / "verify" / file.name
    return route.fulfill(body=file.read_text(encoding="utf-8"), content_type=TYPES[file.suffix])
