"""Mails about boards: which ones a player gets, and the page of the link that ends them."""

import re
from contextlib import closing

from playwright.sync_api import Page, expect

from api.config import Config
from api.container import open_services
from api.mail.services.addresses import MailAddresses
from tests.mail.post_office import DOMAIN
from tests.waiting import wait_for
from tests.web.conftest import Village
from tests.web.pages.visitors import Visitor

ADDRESS = "pia@example.net"


def level_of(made: Visitor) -> str:
    return str(made.ask("GET", "/me")["mail"]["level"])


def open_part(page: Page) -> None:
    """Open the part of the account's page about e-mail."""
    page.locator("summary", has_text="E-mail").click()


def test_a_player_chooses_their_mails_and_ends_them_by_the_link(stranger: Visitor, village: Village) -> None:
    stranger.expected.add("404")
    page = stranger.sign_up("pia").page("/me")
    open_part(page)
    page.get_by_label("Address").fill(ADDRESS)
    page.get_by_role("button", name="Send a code there").click()
    field = page.get_by_label("Code from the mail")
    expect(field).to_be_visible()
    (mail,) = wait_for(lambda: [mail for to, mail in village.relay.mails if to == ADDRESS], bool)
    field.fill(re.findall(r"\b[0-9]{8}\b", mail.get_content())[0])
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Your address is confirmed.")).to_be_visible()
    page.reload()
    open_part(page)
    expect(page.get_by_role("radio", name="When it's my turn")).to_be_checked()
    page.get_by_label("Once a day").check()
    page.get_by_role("button", name="Keep this choice").click()
    expect(page.get_by_text("Your choice is kept.")).to_be_visible()
    assert level_of(stranger) == "digest"
    page.reload()
    open_part(page)
    expect(page.get_by_label("Once a day")).to_be_checked()
    with closing(open_services(Config(data=village.data, mail_domain=DOMAIN))) as services:
        key = MailAddresses(services).key_of("unsubscribe", stranger.ask("GET", "/me")["id"], ADDRESS)
    page.goto(f"/mail/unsubscribe/{key}")
    button = page.get_by_role("button", name="Send me no more mails")
    expect(button).to_be_visible()
    assert level_of(stranger) == "digest"  # the link changes nothing by itself
    button.click()
    expect(page.get_by_role("status")).to_have_text("You get no more mails about boards.")
    assert level_of(stranger) == "none"
    page.goto(f"/mail/unsubscribe/{key[:-1]}{'a' if key[-1] != 'a' else 'b'}")
    page.get_by_role("button", name="Send me no more mails").click()
    expect(page.get_by_role("status")).to_contain_text("This link isn't valid any more.")
