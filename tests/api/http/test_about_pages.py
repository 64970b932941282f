"""The pages of contact and privacy say what the settings make true."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from api.config import Config
from api.config.limits import NO_LIMITS
from api.pages.about import privacy_text
from tests.api.conftest import MakeApp

CLUB = Config(operator="Ann & <Bob>", contact="cards@example.com")


@pytest.fixture
def page(make_app: MakeApp, tmp_path: Path) -> Callable[[Config, str], str]:
    """Return the HTML of a page of a server with these settings."""

    def read(config: Config, path: str) -> str:
        client = make_app(replace(config, data=tmp_path, hashing="cheapest")).test_client()
        return client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)

    return read


def test_contact_names_the_operator_and_links_the_address(page: Callable[[Config, str], str]) -> None:
    html = page(CLUB, "/contact")
    assert "Ann &amp; &lt;Bob&gt; runs this server." in html
    assert '<a href="mailto:cards@example.com">cards@example.com</a>' in html
    assert "\ue000" not in html
    assert "\ue001" not in html


def test_contact_may_be_the_address_of_a_page(page: Callable[[Config, str], str]) -> None:
    html = page(Config(contact="https://club.example.com/about"), "/contact")
    assert '<a href="https://club.example.com/about">https://club.example.com/about</a>' in html
    assert "hasn't said who they are" in html.replace("&#x27;", "'")


def test_privacy_is_a_page_that_leads_to_contact_and_to_the_account(page: Callable[[Config, str], str]) -> None:
    html = page(CLUB, "/privacy")
    assert '<a href="/contact">contact</a>' in html
    assert '<a href="/me">Your account</a>' in html


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"smtp_url": "smtp://mail.example.com"}, "Your mail address"),
        ({"registration": "open"}, "Guests"),
        ({"webhooks": "on"}, "webhook"),
        ({"log": "info"}, "in the server's log"),
        ({"profile": "default"}, "for at most an hour"),
    ],
)
def test_privacy_says_only_what_the_settings_make_true(setting: dict[str, str], words: str) -> None:
    silent = Config(registration="closed", webhooks="off", log="error", limits=NO_LIMITS)
    assert words not in privacy_text(silent)
    assert words in privacy_text(Config(**setting))  # type: ignore[arg-type]
