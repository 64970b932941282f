"""No script of the pages turns text into code or markup, or leads off the site."""

import re
from urllib.parse import quote, urlsplit

import pytest

from tests.docs.markdown import ROOT
from tests.web.engines import Engine

STATIC = ROOT / "api" / "static"
SCRIPTS = sorted([*STATIC.rglob("*.js"), *STATIC.rglob("*.mjs")])
MARKUP = sorted([*STATIC.rglob("*.html"), *STATIC.rglob("*.svg")])
HELPER = STATIC / "base" / "address.js"
OWN_ADDRESS = ["location.origin", "location.pathname"]
"""The parts of a link to the page itself."""
FORBIDDEN = {
    "code from text": r"\beval\b\s*[(?]|\bFunction\s*\(|\bimportScripts\b",
    "a timer with a text": r"\bset(?:Timeout|Interval|Immediate)\s*\(\s*[\"'`]",
    "markup from text": r"\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bsrcdoc\s*=|\bDOMParser\b"
    r"|\bcreateContextualFragment\b|\bsetHTML(?:Unsafe)?\b|\bparseHTMLUnsafe\b|\bdocument\s*\.\s*write(?:ln)?\b",
    "a listener as text": r"setAttribute\(\s*[\"'`]on|\.on[a-z]+\s*=\s*[\"'`]",
    "an address that is code": r"javascript:",
}
IN_MARKUP = r"<script(?![^>]*\bsrc=)[^>]*>|<[^>]*\son[a-z]+\s*=|javascript:|<[^>]*\sstyle\s*="


def offences(text: str) -> list[str]:
    """Return the kinds of what a script mustn't do."""
    return [kind for kind, pattern in FORBIDDEN.items() if re.search(pattern, text)]


def test_no_script_makes_code_or_markup_of_text() -> None:
    assert len(SCRIPTS) > 100
    found = {str(path.relative_to(STATIC)): offences(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    assert {path: kinds for path, kinds in found.items() if kinds} == {}


def test_no_file_of_markup_holds_code_or_styles() -> None:
    assert MARKUP
    found = {path.name: re.findall(IN_MARKUP, path.read_text(encoding="utf-8")) for path in MARKUP}
    assert {name: lines for name, lines in found.items() if lines} == {}


OWN = "https://own.example:8443"
ELSEWHERE = [
    "https://evil.example", "//evil.example", "/.//evil.example", "/x/..//evil.example", "\\\\evil.example",
    "/\\evil.example", "/./\\evil.example", "/%2e//evil.example", "/\t/evil.example", "javascript:alert(1)",
    "data:text/html,x", f"blob:{OWN}/evil", f"{OWN}@evil.example", f"{OWN}.evil.example", "http://own.example:8443/",
    "http://[", "%", "%zz",
]  # fmt: skip
INSIDE = {
    "": "/", "/games/7": "/games/7", "/games/7?at=3#x": "/games/7?at=3#x", "/join#token": "/join#token", "new": "/new",
    "/me//evil.example": "/me//evil.example", f"{OWN}/me": "/me",
}  # fmt: skip


def pages_after(engine: Engine, targets: list[str]) -> list[str]:
    """Return where the pages lead after signing in, for each text after `#`."""
    asked = [{"name": "nextPage", "args": [f"#{target}", OWN]} for target in targets]
    found: list[str] = engine.run(STATIC, {"do": "refusals", "module": "account/account.js", "asked": asked})
    return found


@pytest.mark.parametrize("encoded", [False, True])
def test_no_target_behind_sign_in_leads_off_the_site(engine: Engine, encoded: bool) -> None:
    targets = [quote(each) if encoded else each for each in ELSEWHERE]
    for target, page in zip(targets, pages_after(engine, targets), strict=True):
        there = urlsplit(page)
        assert (f"{there.scheme}://{there.netloc}", there.path[:2] == "//") == (OWN, False), target


def test_a_target_behind_sign_in_is_a_page_of_the_site(engine: Engine) -> None:
    assert pages_after(engine, list(INSIDE)) == [OWN + page for page in INSIDE.values()]


def test_scripts_go_only_to_addresses_that_begin_with_a_path_of_the_site() -> None:
    """`location.assign(path)` with a path that somebody else chooses could be `//evil.example`."""
    goes = r"(?:location\.(?:assign|replace)\(|location\.href\s*=|window\.open\(|location\s*=[^=]|\bvisit\()([^;]*)"
    game = r"`/games/\$\{(?:game\.board|body\.board|game)\}(?:\$\{(?:hash|part)\})?`"
    safe = rf'(?:addressOf\()?(?:"/["?#a-z]|{game}|nextPage\(\))'
    found = {goal for path in SCRIPTS if path != HELPER for goal in re.findall(goes, path.read_text(encoding="utf-8"))}
    assert len(found) > 5
    assert {goal for goal in found if not re.match(safe, goal)} == set()


def test_only_one_script_knows_the_path_that_the_server_is_below() -> None:
    """All others ask base/address.js: for each address of this server, and for the path of the page."""
    asks = (
        r"""location\.(?:pathname|origin)|(?:fetch|EventSource|import|location\.\w+)\((?:["'`]/|API)|\.href = [`"]/"""
    )
    found = {path: re.findall(asks, path.read_text(encoding="utf-8")) for path in SCRIPTS if path != HELPER}
    whole = {STATIC / "account" / "account.js": ["location.origin"], STATIC / "replay" / "address.js": OWN_ADDRESS}
    assert {path: each for path, each in found.items() if each} == whole
