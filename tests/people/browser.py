"""A browser's requests without a browser: its cookie, and the headers that it adds by itself."""

from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

HOME = "http://localhost"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}


@dataclass
class Browser:
    """Sends requests to one address as an own page does, unless other headers are given."""

    app: Flask
    home: str = HOME
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Send a request with the cookies, and keep those of the answer. Headers replace those of an own page."""
        sent = {name.replace("_", "-"): text for name, text in headers.items()} or OWN_PAGE
        if self.cookies:
            sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} | sent
        client = self.app.test_client(use_cookies=False)
        answer = client.open(path, method=method, base_url=self.home, json=body, headers=sent)
        for header in answer.headers.getlist("Set-Cookie"):
            self._keep(header)
        return answer

    def sign_in(self, name: str, password: str) -> TestResponse:
        """Begin a session."""
        answer = self.send("POST", "/session", {"name": name, "password": password})
        assert answer.status_code == 201, answer.text
        return answer

    def player(self) -> str | None:
        """Return the name of the session's player, if there is a session."""
        found = self.send("GET", "/session").get_json()["player"]
        return None if found is None else str(found["name"])

    def _keep(self, header: str) -> None:
        for name, morsel in SimpleCookie(header).items():
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value
