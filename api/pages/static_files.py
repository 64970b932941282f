"""The files of the pages: scripts, styles and pictures, at addresses that name their version.

A browser keeps a file of a version forever, since another version has another address. Modules import each other by
relative addresses, so all files of a page have the version that the page names. A page loads its modules joined.
"""

import gzip
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

from flask import Response, request

from api.pages.joined_scripts import FOLDER, SHARED, absolute_path, joined_scripts
from api.pages.languages import LANGUAGES, OTHERS, words_script
from api.problem import Problem
from api.web.route import Content, TaggedBlueprint, route

STATIC = Path(__file__).parents[1] / "static"
FOLDERS = (
    *("base", "pages", "account", "table", "live", "replay", "embed", "score"),
    *("audit", "check", "receipts", "verify", "disputes", "text", "icons", "house-rules", "lesson"),
)
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
JOINED = {
    "table/table.css": (
        *("colors", "layout", "summary", "controls", "cards", "headline", "notices", "felt", "seats"),
        *("trick", "last", "hand", "now", "side", "menu", "dialogs"),
    )
}
"""Files that are others of their folder, one after another: a page loads them at once."""
FOREVER = "public, max-age=31536000, immutable"
ENTRIES = (
    *("account/me", "account/recover", "account/sign-in", "account/sign-up", "account/unsubscribe"),
    *("audit/audit-page", "audit/verify-page", "disputes/game-page", "disputes/queue-page", "embed/embed-page"),
    *(
        "house-rules/house-rules-page",
        "lesson/first-hand",
        "pages/app",
        "pages/forming",
        "pages/game",
        "pages/join",
        "pages/lobby",
    ),
    *("pages/new", "pages/offline", "pages/player", "pages/rules", "replay/replay-page", "score/score-page"),
    *("score/standings-page", "text/text-page"),
)
"""The modules that pages begin with, or load only if they need them. Each is joined with what it imports."""
LATER = re.compile(rb'^const \w+ = "\./([\w-]+\.js)";', re.MULTILINE)
"""A script that another loads by a name that its import doesn't say."""
IMPORT = re.compile(rb"""(?:^(?:import|export)\s[^;]*?|\bimport\()["'](\.{1,2}/[^"']+)["']\)?""", re.MULTILINE)
COMMENT = re.compile(rb"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
"""Lines of a script that are a comment: a seventh of what the pages would load, types included."""
VERSION_LENGTH = 12
MOST_WAITING = 9
"""The highest number that the picture of the page's tab shows."""


@dataclass(frozen=True)
class StaticFile:
    """A file as it's sent, also compressed unless it's a picture of pixels."""

    body: bytes
    content_type: str

    @cached_property
    def compressed(self) -> bytes | None:
        """The compressed body, made when it's first asked for: a program that serves no page never needs it."""
        return None if self.content_type == TYPES[".png"] else gzip.compress(self.body, 9, mtime=0)


def _read() -> Iterator[tuple[str, bytes]]:
    for folder in FOLDERS:
        for path in sorted((STATIC / folder).glob("*")):
            if path.suffix in TYPES:
                body = path.read_bytes()
                yield f"{folder}/{path.name}", COMMENT.sub(b"", body) if _is_script_of_pages(folder, path) else body
    for name, parts in JOINED.items():
        whole = STATIC / name
        yield name, b"\n".join(whole.with_stem(part).read_bytes() for part in parts)
    icon = (STATIC / "icons" / "icon.svg").read_bytes()
    for count in range(1, MOST_WAITING + 1):
        yield f"icons/waiting-{count}.svg", _with_badge(icon, count)


def _is_script_of_pages(folder: str, path: Path) -> bool:
    """Return whether a browser gets a script without its comments. Scripts that verify games stay as they are."""
    return path.suffix == ".js" and folder != "verify"


def _with_badge(icon: bytes, count: int) -> bytes:
    """Return the icon with a number in a corner, for a tab with games that wait."""
    badge = (
        '<circle cx="360" cy="152" r="152" fill="#b3261e"/><text x="360" y="240" font-family="sans-serif" '
        f'font-size="248" font-weight="700" fill="#fff" text-anchor="middle">{count}</text></svg>'
    )
    return icon.rstrip().removesuffix(b"</svg>") + badge.encode()


def _served(path: str, body: bytes) -> StaticFile:
    return StaticFile(body, TYPES[PurePosixPath(path).suffix])


def _joined(bodies: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    sources = {path: body.decode() for path, body in bodies.items() if path.endswith(".js")}
    entries = {entry.split("/")[1]: f"{entry}.js" for entry in ENTRIES}
    for path, text in joined_scripts(sources, entries).items():
        yield path, text.encode()


_bodies = dict(_read())
_bodies.update(_joined(_bodies))
FILES = {path: _served(path, body) for path, body in _bodies.items()}
_WORDS = {f"{FOLDER}/{entry.split('/')[1]}.{language}.js" for entry in ENTRIES for language in OTHERS}
"""The texts of each page's scripts in each language, by their paths."""
_hashed = _bodies | {path.name: path.read_bytes() for path in LANGUAGES.iterdir()}
VERSION = sha256(b"".join(path.encode() + sha256(_hashed[path]).digest() for path in sorted(_hashed))).hexdigest()[
    :VERSION_LENGTH
]

SENT = tuple(Content(media.partition(";")[0], str) for media in TYPES.values())

static_files = TaggedBlueprint("static_files", __name__, "pages")


@static_files.get("/static/<version>/<folder>/<asset>")
@route("a file of the pages", answer=SENT, says="The file.", token="none", problems=("not-found",))
def static_file(version: str, folder: str, asset: str) -> Response:
    """Return 200: a file of the pages, to be kept forever if the address names this version."""
    path = f"{folder}/{asset}"
    found = FILES.get(path) or (_words(path) if path in _WORDS else None)
    if found is None:
        raise Problem("not-found", "There is no such file. The pages name the files that there are.")
    return file_response(found, FOREVER if version == VERSION else "no-cache")


@cache
def _words(path: str) -> StaticFile:
    """Return the texts of a page's scripts in a language, made when a browser first asks for them."""
    script, language, _ = path.split(".")
    shown = [f"{script}.js", f"{FOLDER}/{SHARED}.js"]
    shown += [f"{FOLDER}/{later.decode()}" for later in LATER.findall(_bodies[shown[0]])]
    return _served(path, words_script(language, "".join(_bodies[each].decode() for each in shown)).encode())


def file_response(found: StaticFile, caching: str) -> Response:
    """Return a file, compressed if the browser takes it."""
    if found.compressed is not None and request.accept_encodings.quality("gzip") > 0:
        response = Response(found.compressed, content_type=found.content_type)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = Response(found.body, content_type=found.content_type)
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = "Accept-Encoding"
    return response


def address_of(path: str) -> str:
    """Return the address of a file, such as `base/dom.js`."""
    return f"/static/{VERSION}/{path}"


def script_of(module: str) -> str:
    """Return the joined file that begins with a module."""
    return f"{FOLDER}/{PurePosixPath(module).name}"


def words_of(module: str, language: str) -> list[str]:
    """Return the script with the texts of a language for a page that begins with a module; none of English."""
    return [f"{script_of(module).removesuffix('.js')}.{language}.js"] if language in OTHERS else []


def scripts_of(module: str) -> list[str]:
    """Return the joined file of a page's module and all that it imports, so that a browser loads them at once."""
    found: dict[str, None] = {}
    waiting = [script_of(module)]
    while waiting:
        script = waiting.pop(0)
        if script not in found:
            found[script] = None
            imported = (absolute_path(script, match[1].decode()) for match in IMPORT.finditer(_bodies[script]))
            waiting.extend(path for path in imported if path in FILES)
    return list(found)
