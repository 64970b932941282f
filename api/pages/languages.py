"""The languages of the pages: which one a browser gets, and its texts.

English stands beside the code that shows it: in `define` of a script, or as `{{key|text}}` in HTML. Another language
is a file of texts by the same keys, and a text that it lacks stays English. A page loads the texts that its scripts can
show.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from flask import Request

LANGUAGES = Path(__file__).parents[1] / "static" / "languages"
ENGLISH = "en"
OTHERS = tuple(sorted(path.stem for path in LANGUAGES.glob("*.json")))
"""The codes of the languages beside English."""
COOKIE = "language"
"""The cookie with the code of the language that a person chose in the settings."""
TEXT = re.compile(r"\{\{([\w.-]+)\|([^}]*)\}\}")
DEFINED = re.compile(
    r"^(?:define\(|(?:export )?const (?P<table>TABLE_TEXTS) = )\{\n(?P<body>(?:  .*\n|\n)*)\}",
    re.MULTILINE,
)
KEY = re.compile(r"""^  "?(?P<key>[\w.\[\]-]+)"?:""", re.MULTILINE)
TABLE = "table."
"""The beginning of the keys of the table's texts (table/texts.js)."""

NAMED = ("variant.", "refusal.")
"""The beginnings of the keys of texts that the server gives in English, which any page may show."""
SAID = ("fault.", "sent.")
"""The beginnings of keys that go on with an English sentence of the server, for pages whose scripts name them.

They say why rules can't be played, and what is wrong with a field that was sent.
"""

Message = str | dict[str, Any]
"""A text, or its forms by the plural rules of Intl."""


def language_of(request: Request) -> str:
    """Return the language for a request: the one that was chosen, or the one that the browser likes best."""
    chosen = request.cookies.get(COOKIE, "")
    asked = (tag.lower().partition("-")[0] for tag, quality in request.accept_languages if quality > 0)
    return next((each for each in (chosen, *asked) if each in (ENGLISH, *OTHERS)), ENGLISH)


@lru_cache
def messages(language: str) -> Mapping[str, Message]:
    """Return the texts of a language by their keys; none of English."""
    if language == ENGLISH:
        return {}
    found: dict[str, Message] = json.loads((LANGUAGES / f"{language}.json").read_text(encoding="utf-8"))
    return found


def translate(html: str, language: str) -> str:
    """Return HTML with its texts, `{{key|English text}}`, in a language."""

    def text(found: re.Match[str]) -> str:
        message = messages(language).get(found[1])
        return escape(message, quote=True) if isinstance(message, str) else found[2]

    return TEXT.sub(text, html)


def defined_in(script: str) -> Iterator[str]:
    """Yield the keys of the texts that a script defines, or a file of scripts joined."""
    for block in DEFINED.finditer(script):
        prefix = TABLE if block["table"] else ""
        yield from (prefix + found["key"] for found in KEY.finditer(block["body"]))


def words_script(language: str, script: str) -> str:
    """Return the script that gives a page the texts of a language which `script` can show (base/messages.js)."""
    shown, begin = set(defined_in(script)), NAMED + tuple(each for each in SAID if f'"{each}"' in script)
    words = {key: message for key, message in messages(language).items() if key in shown or key.startswith(begin)}
    return f"globalThis.trickbookMessages = {json.dumps(words, ensure_ascii=False, separators=(',', ':'))};\n"
