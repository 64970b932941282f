"""Mails about boards: which ones a player gets, and the page of the link that ends them."""

import re
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from api.config import Config
from api.services.container import open_services
from api.services.mail.addresses import MailAddresses
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.mail.post_office import Relay, open_relay
from tests.web.pages.visitors import Visitor, visitor

DOMAIN, ADDRESS = "cards.example.org", "pia@example.net"


def test_a_player_chooses_their_mails_and_ends_them_by_the_link(browser: Browser, tmp_path: Path) -> None:
    settings = {"MAIL_DOMAIN": DOMAIN}
    with (
        open_relay() as relay,
        start_server(Database(None, tmp_path), stderr=None, SMTP_URL=relay.url, **settings) as serving,
    ):
        with visitor(browser, serving.url) as made:
            made.sign_up("pia")
            check_levels(made, relay)
            check_link(made, key_of(tmp_path, made.ask("GET", "/api/v1/me")["id"]))
        assert serving.stop() == 0


def check_levels(made: Visitor, relay: Relay) -> None:
    """Confirm an address, and choose a level."""
    page = made.page("/me")
    open_part(page)
    page.get_by_label("Address").fill(ADDRESS)
    page.get_by_role("button", name="Send a code there").click()
    field = page.get_by_label("Code from the mail")
    expect(field).to_be_visible()
    while not relay.mails:  # the test has a time limit
        page.wait_for_timeout(50)
    field.fill(re.findall(r"\b[0-9]{8}\b", relay.mails[0][1].get_content())[0])
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Your address is confirmed.")).to_be_visible()
    page.reload()
    open_part(page)
    expect(page.get_by_role("radio", name="When it's my turn")).to_be_checked()
    page.get_by_label("Once a day").check()
    page.get_by_role("button", name="Keep this choice").click()
    expect(page.get_by_text("Your choice is kept.")).to_be_visible()
    assert made.ask("GET", "/api/v1/me")["mail"]["level"] == "digest"
    page.reload()
    open_part(page)
    expect(page.get_by_label("Once a day")).to_be_checked()


def open_part(page: Page) -> None:
    """Open the part of the account's page about e-mail."""
    page.locator("summary", has_text="E-mail").click()


def key_of(data: Path, player: str) -> str:
    """Return the key of the link in a player's mails."""
    with closing(open_services(Config(data=data, mail_domain=DOMAIN))) as services:
        return MailAddresses(services).key_of("unsubscribe", player, ADDRESS)


def check_link(made: Visitor, key: str) -> None:
    """Open the link, which changes nothing by itself, and click."""
    page = made.page(f"/mail/unsubscribe/{key}")
    button = page.get_by_role("button", name="Send me no more mails")
    expect(button).to_be_visible()
    assert made.ask("GET", "/api/v1/me")["mail"]["level"] == "digest"
    button.click()
    expect(page.get_by_role("status")).to_have_text("You get no more mails about boards.")
    assert made.ask("GET", "/api/v1/me")["mail"]["level"] == "none"
    page.goto(f"/mail/unsubscribe/{key[:-1]}{'a' if key[-1] != 'a' else 'b'}")
    page.get_by_role("button", name="Send me no more mails").click()
    expect(page.get_by_role("status")).to_contain_text("This link isn't valid any more.")
