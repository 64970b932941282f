"""One server in this process, with a person for each kind of caller."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.config.settings import ChosenWitness
from tests.api.conftest import PASSWORD, services_of
from tests.api.disputed_table import give_role
from tests.replay.signing import WITNESS

THIS, OTHER = "play:this", "play:other"
CALLERS: Mapping[str, tuple[str, str]] = {
    "none": ("", ""),
    "guest": ("guest", "play"),
    "player": ("eve", "play"),
    "opener": ("olga", "play"),
    "holder": ("hana", "play"),
    "game": ("hana", THIS),
    "another": ("hana", OTHER),
    "read": ("hana", "read"),
    "opponent": ("otto", "play"),
    "former": ("fred", "play"),
    "asked": ("asta", "play"),
    "suspended": ("sven", "play"),
    "arbiter": ("ada", "play"),
    "moderator": ("moira", "play"),
    "moderate": ("moira", "moderate"),
    "operator": ("omar", "moderate"),
}
"""The kinds of callers, which tests/generators/rights_tables.py explains: a name, and the scope of the token."""
ROLES = {"ada": "arbiter", "arno": "arbiter", "moira": "moderator", "mateo": "moderator", "omar": "operator"}
SEATED = ("olga", "fred", "otto", "sven")
SUSPENSION = {"step": "suspend", "until": "2035-01-01T00:00:00Z"}
SETTINGS = {
    "hashing": "cheapest", "limits": NO_LIMITS, "player_webhooks": 99, "witnesses": (ChosenWitness(WITNESS.key),),
    "smtp_url": "smtp://127.0.0.1:9", "mail_from": "cards@example.org", "mail_domain": "cards.example.org",
}  # fmt: skip


class World:
    """The server, and its people with their tokens. Only olga, fred, otto and sven are seated without being asked."""

    def __init__(self, data: Path) -> None:
        """Register everybody, and suspend sven."""
        settings: dict[str, Any] = SETTINGS
        self.app = create_app(Config(data=data, **settings))
        self.services = services_of(self.app)
        self.client = FlaskClient(self.app, self.app.response_class, use_cookies=False)
        self.tokens: dict[tuple[str, str], str] = {}
        self.newcomers, self.other = 0, ""
        for name in sorted({name for name, _ in CALLERS.values()} - {"", "guest"} | ROLES.keys()):
            self.join(name)
            if name in ROLES:
                give_role(self.app, name, ROLES[name])
        for name in SEATED:
            self.want(name, "PUT", "/me/seating", {"at_once": True, "friends": []})
        self.other = self.open("olga", "bot:simple")["id"]
        self.step = self.judge("sven", SUSPENSION)
        self.style = re.findall(r"/static/(\w{12})/(\w+)/([\w-]+\.css)", self.client.get("/app").text)[0]

    def send(self, token: str | None, method: str, path: str, body: object = None) -> TestResponse:
        """Send a request as a page of the server would."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self.client.open(path, method=method, json=body, headers=headers | {"Sec-Fetch-Site": "same-origin"})

    def want(self, name: str, method: str, path: str, body: object = None, scope: str = "play") -> Any:
        """Send a request of the API that must be accepted, and return the body."""
        answer = self.send(self.token(name, scope), method, f"/api/v1{path}", body)
        assert answer.status_code < 300, f"{name} {method} {path}: {answer.text}"
        return answer.get_json(silent=True)

    def new_name(self) -> str:
        """Return a name that nobody has."""
        self.newcomers += 1
        return f"newcomer-{self.newcomers}"

    def join(self, name: str | None = None) -> str:
        """Register somebody, and return the name."""
        name = name or self.new_name()
        self.want("", "POST", "/users", {"name": name, "password": PASSWORD})
        return name

    def token(self, name: str, scope: str, game: str | None = None) -> str | None:
        """Return a token of somebody; `game` is the one that it's for if the scope says so. None without a name."""
        if not name:
            return None
        scope = {THIS: f"play:{game}", OTHER: f"play:{self.other}"}.get(scope, scope)
        if (name, scope) not in self.tokens:
            body = {"name": name, "password": PASSWORD, "scope": scope}
            made = self.want("", "POST", *(("/guests", {}) if name == "guest" else ("/tokens", body)))
            self.tokens[name, scope] = made["token"]
        return self.tokens[name, scope]

    def renew(self, name: str, sent: Mapping[str, Any]) -> None:
        """Undo a request that ended tokens: change the password back, and come back. `token` logs in again."""
        if "new_password" in sent:
            changed = sent["new_password"]
            token = self.want("", "POST", "/tokens", {"name": name, "password": changed})["token"]
            self.send(token, "POST", "/api/v1/me/password", {"password": changed, "new_password": PASSWORD})
        if name not in ("", "guest"):
            self.send(None, "POST", "/api/v1/me/restore", {"name": name, "password": PASSWORD})
        self.tokens = {key: token for key, token in self.tokens.items() if key[0] != name}

    @contextmanager
    def pardon(self) -> Iterator[None]:
        """Let sven play for a moment."""
        self._turn_suspension()
        yield
        self._turn_suspension()

    def _turn_suspension(self) -> None:
        self.services.accounts.database.run("UPDATE conduct_steps SET until = -until WHERE kind = 'suspend'")
        self.services.accounts.steps.forget()

    def open(self, opener: str, *others: str, **more: Any) -> Any:
        """Open a game, and return the answer."""
        return self.want(opener, "POST", "/games", {"variant": "pitch", "seats": [opener, *others], **more})

    def report(self, about: str, claimed_by: str | None = None) -> str:
        """Report somebody as a newcomer, and return the report's id."""
        body = {"about": about, "kind": "abuse", "text": "Insults."}
        report = str(self.want(self.join(), "POST", "/reports", body)["report"])
        if claimed_by is not None:
            self.want(claimed_by, "POST", f"/moderation/reports/{report}/claim", {}, "moderate")
        return report

    def judge(self, about: str, ruling: Mapping[str, Any]) -> str:
        """Report somebody, rule on it as mateo, and return the id of the step."""
        path = f"/moderation/reports/{self.report(about, 'mateo')}/ruling"
        return str(self.want("mateo", "POST", path, {"reason": "Insults.", **ruling}, "moderate")["step"])
