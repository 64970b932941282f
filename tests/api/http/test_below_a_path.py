"""TRICKBOOK_URL with a path: the server is below it, whether or not the proxy takes the path off each request."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.config.settings import OWN_PATHS
from api.pages.html import below
from tests.api.conftest import PASSWORD, Caller, MakeApp, services_of
from tests.api.server.fronts import open_front
from tests.event_loop import in_loop

URL, ROOT = "https://example.com/cards", "/cards"
KINDS = {"the proxy keeps the path": ROOT, "the proxy takes the path off": ""}
SOME_PAGES = ("/", "/new", "/games/1", "/rules/pitch", "/verify", "/docs", "/nothing", "/embed/games/1/hands/1")
HTML = {"Accept": "text/html"}
OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "X-Forwarded-Proto": "https"}
ADDRESS = re.compile(r'\b(?:href|src)="([^"#][^"]*)"')
ANN = {"name": "ann", "password": PASSWORD}
COOKIE = re.compile(r"__Secure-trickbook=([\w-]*); .*Secure; HttpOnly; Path=/cards; SameSite=Strict")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The app of a server below a path, behind a proxy and with the player ann; on SQLite, as no store knows of it."""
    usual = Config(hashing="cheapest", limits=NO_LIMITS, seating="at-once")
    made = create_app(replace(usual, data=tmp_path_factory.mktemp("data"), url=URL, trusted_proxies=1))
    Caller(made.test_client()).join("ann")
    yield made
    services_of(made).close()


@pytest.fixture(params=[*KINDS.values()], ids=[*KINDS])
def sent(request: pytest.FixtureRequest) -> str:
    """Return what of the path each kind of proxy passes on."""
    assert isinstance(request.param, str)
    return request.param


@in_loop
async def test_every_address_in_a_page_is_below_the_path_and_scripts_find_it(app: Flask, sent: str) -> None:
    async with open_front(app) as client:
        for path in SOME_PAGES:
            html = (await client.get(sent + path, headers=HTML)).text
            addresses = ADDRESS.findall(html)
            assert [each for each in addresses if not each.startswith(f"{ROOT}/")] == [], path
            assert len(addresses) >= 4
            assert html.startswith(f'<!doctype html>\n<html data-root="{ROOT}" lang="en"')
            for each in addresses:
                if "/static/" in each or "/docs/" in each:
                    assert (await client.get(sent + each.removeprefix(ROOT))).status_code == 200, each
        manifest = (await client.get(f"{sent}/manifest.webmanifest")).json()
        assert [manifest[name] for name in ("id", "start_url", "scope")] == [f"{ROOT}/"] * 3
        assert all(icon["src"].startswith(f"{ROOT}/static/") for icon in manifest["icons"])
        assert '"/' not in (await client.get(f"{sent}/docs/docs.js")).text, "addresses are relative"
        worker = (await client.get(f"{sent}/worker.js")).text
        assert f'const KEPT = ["{ROOT}/offline", "{ROOT}/static/' in worker
        assert f'const NAME = "trickbook-offline{ROOT}-";' in worker


@in_loop
async def test_every_address_that_a_program_gets_is_below_the_path(app: Flask, sent: str) -> None:
    api = f"{ROOT}/api/v1"
    async with open_front(app) as client:
        links = (await client.get(f"{sent}/")).json()
        assert (links["games"], links["ready"]) == (f"{api}/games", f"{ROOT}/health/ready")
        assert (await client.get(f"{sent}/openapi.json")).json()["servers"] == [{"url": ROOT}]
        token = (await client.post(f"{sent}/api/v1/tokens", json=ANN)).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        table = ""
        for seats in (["ann", "bot:simple"], ["ann", "open", "invite"]):
            made = await client.post(f"{sent}/api/v1/games", json={"variant": "pitch", "seats": seats})
            table = made.headers["Location"]
            assert table == f"{api}/games/{made.json()['id']}"
        invitation = (await client.post(f"{sent}{table.removeprefix(ROOT)}/invitations", json={})).json()
        assert invitation["path"] == f"{api}/invitations/{invitation['token']}"
        assert (await client.get(sent + invitation["path"].removeprefix(ROOT))).status_code == 200


@in_loop
async def test_the_cookie_of_a_session_goes_to_this_server_only_and_only_its_pages_use_it(
    app: Flask, sent: str
) -> None:
    async with open_front(app) as client:
        begun = await client.post(f"{sent}/session", json=ANN, headers=OWN_PAGE)
        found = COOKIE.fullmatch(begun.headers["Set-Cookie"])
        assert found is not None, begun.headers["Set-Cookie"]
        cookie = {"Cookie": f"__Secure-trickbook={found[1]}"}
        for headers, name in (
            (cookie | OWN_PAGE, "ann"),
            ({"Cookie": f"__Host-trickbook={found[1]}"} | OWN_PAGE, None),
        ):
            player = (await client.get(f"{sent}/session", headers=headers)).json()["player"]
            assert (player and player["name"]) == name
        elsewhere = cookie | OWN_PAGE | {"Sec-Fetch-Site": "cross-site"}
        for method, path in (("POST", "/session"), ("DELETE", "/session"), ("DELETE", "/api/v1/me/tokens")):
            refused = await client.request(method, sent + path, headers=elsewhere)
            assert (refused.status_code, refused.json()["type"]) == (403, "/problems/cross-site")
        ended = await client.delete(f"{sent}/session", headers=cookie | OWN_PAGE)
        assert ended.status_code == 204
        assert COOKIE.fullmatch(re.sub(r"Expires=[^;]*; Max-Age=0; ", "", ended.headers["Set-Cookie"]))
        assert (await client.get(f"{sent}/session", headers=cookie | OWN_PAGE)).json()["player"] is None


@in_loop
async def test_other_paths_lead_to_nothing_and_probes_need_no_path(app: Flask) -> None:
    async with open_front(app) as client:
        for path in ("/health/live", "/health/ready"):
            assert (await client.get(path)).status_code == (await client.get(ROOT + path)).status_code == 200
        assert (await client.get(ROOT, headers=HTML)).status_code == 200
        for path in (
            "/other/new",
            "/cardsnew",
            "/cards/cards/new",
            "/Cards/new",
            "/%63ards/new",
            "/cards//new",
            "/cards/",
        ):
            answer = await client.get(f"{path}x", headers={"Accept": "application/json"})
            assert (answer.status_code, answer.json()["type"]) == (404, "/problems/not-found"), path


@in_loop
async def test_without_a_path_no_page_knows_of_one(make_app: MakeApp, tmp_path: Path) -> None:
    async with open_front(make_app(Config(data=tmp_path, hashing="cheapest"))) as client:
        html = (await client.get("/new", headers=HTML)).text
        assert html.startswith('<!doctype html>\n<html lang="en" data-page="new">')
        assert 'const NAME = "trickbook-offline-";' in (await client.get("/worker.js")).text
        assert (await client.get(f"{ROOT}/new", headers=HTML)).status_code == 404


def test_the_path_begins_as_no_address_of_the_server(app: Flask) -> None:
    assert {rule.rule.split("/")[1] for rule in app.url_map.iter_rules()} - {""} == OWN_PATHS


def test_a_path_that_is_no_plain_text_stays_a_text_in_html() -> None:
    page = '<html lang="en"><a href="/games" src="/x">'
    assert below("", page) == page
    assert below("/cards", page) == '<html data-root="/cards" lang="en"><a href="/cards/games" src="/cards/x">'
    assert below('/"><b>\\1', page) == (
        r'<html data-root="/&quot;&gt;&lt;b&gt;\1" lang="en"><a href="/&quot;&gt;&lt;b&gt;\1/games" '
        r'src="/&quot;&gt;&lt;b&gt;\1/x">'
    )
