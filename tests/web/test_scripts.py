"""No script of the pages turns text into code or markup, whatever policy the browser enforces."""

import re

from tests.docs.markdown import ROOT

STATIC = ROOT / "api" / "static"
SCRIPTS = sorted([*STATIC.rglob("*.js"), *STATIC.rglob("*.mjs")])
MARKUP = sorted([*STATIC.rglob("*.html"), *STATIC.rglob("*.svg")])
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
