"""The rule sheets as pages: the same files as in the documentation, with an address for each clause."""

import re
from functools import lru_cache
from pathlib import Path

from flask import Response, request
from markdown_it import MarkdownIt
from markdown_it.token import Token

from api.pages.game_pages import not_found
from api.pages.html import Page, RenderedPage, render, rendered_response
from api.pages.languages import ENGLISH, LANGUAGES, OTHERS, language_of
from api.pages.static_files import STATIC
from api.web.responses import not_modified
from api.web.route import TaggedBlueprint, page_route
from domain.rules.variants import VARIANTS

INSTALLED, CHECKOUT = STATIC / "rules", Path(__file__).parents[2] / "docs" / "rules"
SHEETS = {path.stem: path for path in sorted((INSTALLED if INSTALLED.is_dir() else CHECKOUT).glob("*.md"))}
OVERVIEW = "README"
IN_LANGUAGES = {language: LANGUAGES / f"rules.{language}.md" for language in OTHERS}
"""The overview in the languages beside English. The sheets are English alone."""
FOR_PROGRAMS = "\n## For programs\n"
"""The heading of the last part of a sheet, which no player needs: requests, JSON to copy, names in the code."""
SHEET_LINK = re.compile(r"([A-Za-z-]{1,40})\.md(#.*)?")
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
ACCESSIBLE = {
    "<table>": '<div class="scroll" tabindex="0"><table>',
    "</table>": "</table></div>",
    "<th></th>": "<td></td>",
    "<pre>": '<pre tabindex="0">',
}
"""Tables and programs can be scrolled with the keyboard, and no heading of a column is empty."""

rules = TaggedBlueprint("rules", __name__, "pages")


@rules.get("/rules")
@page_route("the games side by side")
def overview() -> Response:
    """Return 200: the games side by side, and links to their sheets."""
    return not_modified(rendered_response(_rendered(OVERVIEW, request.root_path, language_of(request))), request)


@rules.get("/rules/<sheet>")
@page_route("a rule sheet, with a clause at its number: `/rules/pitch#S34`", "not-found")
def rule_sheet(sheet: str) -> Response:
    """Return 200: the rule sheet of this name or variant; a clause is at its number, as `#S34`. 404 without one."""
    sheet = VARIANTS[sheet].sheet.page if sheet in VARIANTS else sheet
    if sheet not in SHEETS or sheet == OVERVIEW:
        return not_found("There is no such rule sheet. /rules lists them.")
    return not_modified(rendered_response(_rendered(sheet, request.root_path, language_of(request))), request)


@lru_cache(48)
def _rendered(sheet: str, root: str, language: str) -> RenderedPage:
    own = IN_LANGUAGES.get(language) if sheet == OVERVIEW else None
    text = (own or SHEETS[sheet]).read_text(encoding="utf-8").partition(FOR_PROGRAMS)[0]
    found = TITLE.search(text)
    title = "Rules" if found is None else found[1]
    return render_sheet(title, to_html(text), root, language, ENGLISH if own is None else language)


def render_sheet(title: str, html: str, root: str, language: str, written_in: str = ENGLISH) -> RenderedPage:
    """Return a page of a server below `root` that is a text to read, which may be in another language."""
    page = Page(title, "pages/rules.js", ("pages/pages.css", "pages/rules.css"))
    return render("rules", page, f'<article class="sheet" lang="{written_in}">{html}</article>', root, language)


def to_html(text: str) -> str:
    """Return a sheet as HTML: links between sheets become addresses of pages, and links to other documents texts."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = markdown.parse(text)
    for token in tokens:
        token.children = None if token.children is None else _linked(token.children)
        if token.type == "heading_open":
            following = tokens[tokens.index(token) + 1]
            token.attrSet("id", re.sub(r"[^a-z0-9]+", "-", following.content.lower()).strip("-"))
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    for markup, accessible in ACCESSIBLE.items():
        html = html.replace(markup, accessible)
    return html


def _linked(tokens: list[Token]) -> list[Token]:
    kept, dropped = list[Token](), 0
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrGet("href")))
            if target is None:
                dropped += 1
                continue
            token.attrSet("href", target)
        elif token.type == "link_close" and dropped:
            dropped -= 1
            continue
        kept.append(token)
    return kept


def _target(href: str) -> str | None:
    if href.startswith(("#", "/")):
        return href
    found = SHEET_LINK.fullmatch(href)
    if found is None or found[1] not in SHEETS:
        return None
    return ("/rules" if found[1] == OVERVIEW else f"/rules/{found[1]}") + (found[2] or "")
