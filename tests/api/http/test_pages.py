"""The pages' HTML and files as they're sent: their headers, their versions, and that nothing is missing."""

import gzip
import json
import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from api.config import Config
from api.config.limits import NO_LIMITS
from api.pages.html import PAGES
from api.pages.joined_scripts import CannotJoin, joined_scripts
from api.pages.rules import SHEETS
from api.pages.static_files import FILES, FOREVER, VERSION, address_of, script_of, scripts_of
from tests.api.conftest import MakeApp

HTML = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}
FOR_PROGRAMS = re.compile(r"HTTP|POST|GET /|/api/|If-Match|\{\"type\"|<pre|make clauses|For programs|decision\s+0")
"""Words that no sheet says to players."""


@pytest.fixture
def client(make_app: MakeApp, tmp_path: Path) -> FlaskClient:
    """Return a client of a server on SQLite, as no store changes a file."""
    return make_app(Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS)).test_client()


def test_a_file_of_this_version_is_kept_forever_and_any_other_is_asked_for_again(client: FlaskClient) -> None:
    for path, found in FILES.items():
        answer = client.get(address_of(path))
        assert (answer.status_code, answer.data, answer.headers["Cache-Control"]) == (200, found.body, FOREVER)
    assert client.get("/static/000000000000/base/dom.js").headers["Cache-Control"] == "no-cache"
    for missing in (
        "base/worker.js.bak",
        "base/shell.html",
        "verify/verify.mjs",
        "base/..%2f..%2fconfig.py",
        "x/dom.js",
    ):
        assert client.get(f"/static/{VERSION}/{missing}").status_code == 404


def test_texts_are_compressed_if_the_browser_takes_it(client: FlaskClient) -> None:
    for address, headers in (
        (address_of("base/base.css"), {}),
        ("/", HTML),
        ("/rules/pitch", {}),
        ("/api/v1/variants", {}),
    ):
        plain = client.get(address, headers=headers)
        answer = client.get(address, headers=headers | {"Accept-Encoding": "gzip, br"})
        assert (plain.headers.get("Content-Encoding"), answer.headers["Content-Encoding"]) == (None, "gzip")
        assert gzip.decompress(answer.data) == plain.data
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert len(answer.data) < len(plain.data)


def test_a_page_names_its_scripts_and_no_file_that_is_missing(client: FlaskClient) -> None:
    for page in PAGES.values():
        scripts = scripts_of(page.script)
        assert scripts[:2] == [script_of(page.script), "joined/base.js"]
        for script in scripts:
            for relative in re.findall(rb"""from ["'](\.[^"']+)["']""", FILES[script].body):
                target = str((Path("/") / Path(script).parent / relative.decode()).resolve()).lstrip("/")
                assert target in scripts, (script, target)
    html = client.get("/", headers=HTML).text
    for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', html):
        assert client.get(address).status_code == 200, address


def test_a_joined_script_has_modules_after_what_they_need_and_says_what_it_cant_join() -> None:
    sources = {
        "base/dom.js": "export const h = 1;\nexport { h as tag };\n",
        "pages/a.js": 'import { h as made } from "../base/dom.js";\nimport * as b from "./b.js";\nimport "./c.js";\n'
        "export function start() {\n  return [made, b.two];\n}\n",
        "pages/b.js": 'export { h as two } from "../base/dom.js";\n',
        "pages/c.js": 'const sums = () => import("../verify/sums.js");\n',
    }
    assert joined_scripts(sources, {"a": "pages/a.js"}) == {
        "joined/base.js": "const $base_dom = (() => {\nconst h = 1;\nreturn { h, tag: h };\n})();\n"
        "export { $base_dom };\n",
        "joined/a.js": 'import { $base_dom } from "./base.js";\n'
        "const $pages_b = (() => {\nreturn { two: $base_dom.h };\n})();\n"
        'const $pages_c = (() => {\nconst sums = () => import("../verify/sums.js");\nreturn {  };\n})();\n'
        "const $pages_a = (() => {\nconst { h: made } = $base_dom;\nconst b = $pages_b;\n"
        "function start() {\n  return [made, b.two];\n}\nreturn { start };\n})();\n"
        "export const { start } = $pages_a;\n",
    }
    circle = {"pages/a.js": 'import "./b.js";\n', "pages/b.js": 'import "./a.js";\n'}
    for wrong, says in (
        (circle, "import each other: pages/a.js, pages/b.js"),
        ({"pages/a.js": "export let n = 1;\n"}, "export let"),
    ):
        with pytest.raises(CannotJoin, match=says):
            joined_scripts(wrong, {"a": "pages/a.js"})


def test_the_icons_of_the_app_are_there_in_their_sizes(client: FlaskClient) -> None:
    icons = json.loads(client.get("/manifest.webmanifest").data)["icons"]
    assert len(icons) == 4
    for icon in icons:
        body = client.get(icon["src"]).data
        if icon["type"] == "image/png":
            size = int.from_bytes(body[16:20], "big")
            assert icon["sizes"] == f"{size}x{size}"
    for count in range(1, 10):
        assert f">{count}</text>".encode() in client.get(address_of(f"icons/waiting-{count}.svg")).data


def test_a_rule_sheet_has_every_clause_and_links_only_to_pages(client: FlaskClient) -> None:
    for sheet, path in SHEETS.items():
        html = client.get("/rules" if sheet == "README" else f"/rules/{sheet}").text
        clauses = re.findall(r'<a id="([^"]+)"', path.read_text(encoding="utf-8"))
        assert all(f'<a id="{clause}"></a>' in html for clause in clauses)
        for address in re.findall(r'href="(/[^"#]*)', html.partition("<article")[2]):
            assert client.get(address, headers=HTML).status_code == 200, address
        assert ".md" not in "".join(re.findall(r'href="([^"]*)"', html))
    assert client.get("/rules/README").status_code == client.get("/rules/..%2fdesign").status_code == 404


def test_a_rule_sheet_for_players_leaves_out_what_is_for_programs(client: FlaskClient) -> None:
    for sheet in SHEETS:
        html = client.get("/rules" if sheet == "README" else f"/rules/{sheet}").text
        text = unescape(html.partition("<article")[2])
        assert FOR_PROGRAMS.findall(text) == [], sheet


def test_only_the_pages_of_the_app_and_of_settings_may_start_the_worker(client: FlaskClient) -> None:
    policies = {
        path: client.get(path).headers["Content-Security-Policy"] for path in ("/new", "/me", "/app", "/offline")
    }
    allowed = [path for path, policy in policies.items() if "trusted-types trickbook-worker" in policy]
    assert allowed == ["/me", "/app"]
    assert all("require-trusted-types-for 'script'" in policy for policy in policies.values())
    assert "/api/" not in client.get("/worker.js").text


@pytest.mark.parametrize(
    ("chosen", "asked", "language"),
    [
        (None, None, "en"),
        (None, "de-AT,de;q=0.9,en;q=0.5", "de"),
        (None, "en;q=0.1, ES-mx;q=0.2", "es"),
        (None, "fr, de;q=0.3", "de"),
        (None, "de;q=0, es", "es"),
        (None, "fr, *", "en"),
        ("es", "de", "es"),
        ("en", "de", "en"),
        ("fr", "de", "de"),
    ],
)
def test_a_page_is_in_the_language_that_its_reader_chose_or_that_the_browser_likes_best(
    client: FlaskClient, chosen: str | None, asked: str | None, language: str
) -> None:
    if chosen is not None:
        client.set_cookie("language", chosen)
    answer = client.get("/", headers=HTML | ({} if asked is None else {"Accept-Language": asked}))
    assert f'<html lang="{language}"' in answer.text
    assert {"Accept-Language", "Cookie"} <= set(answer.headers["Vary"].split(", "))
    again = client.get("/", headers=HTML | {"Accept-Language": "xx", "If-None-Match": answer.headers["ETag"]})
    assert (again.status_code == 304) == (language == (chosen if chosen in ("es", "en") else "en"))


@pytest.mark.parametrize(
    ("path", "written_in"), [("/contact", "de"), ("/privacy", "de"), ("/rules", "de"), ("/rules/pitch", "en")]
)
def test_a_text_says_its_language_which_is_english_for_rule_sheets(
    client: FlaskClient, path: str, written_in: str
) -> None:
    html = client.get(path, headers=HTML | {"Accept-Language": "de"}).text
    assert '<html lang="de"' in html
    assert f'<article class="sheet" lang="{written_in}">' in html
    for address in re.findall(r'href="(/[^"#]*)', html.partition("<article")[2]):
        assert client.get(address, headers=HTML).status_code == 200, address
