"""The page at /docs in a real browser: it shows the description of its own server, and loads nothing else."""

import pytest
from playwright.sync_api import Page, expect

from api.description.document import TAGS
from tests.web.pages.visitors import Visitor


@pytest.fixture
def page(stranger: Visitor) -> Page:
    return stranger.page("/docs")


def test_the_page_shows_every_tag_and_sends_a_request_to_this_server(page: Page) -> None:
    expect(page.locator(".opblock-tag")).to_have_count(len(TAGS))
    page.locator(".opblock-tag").last.click()
    route = page.locator("#operations-server-health_live")
    route.locator(".opblock-summary-control").click()
    route.get_by_role("button", name="Try it out").click()
    route.get_by_role("button", name="Execute").click()
    expect(route.locator(".live-responses-table .response .response-col_status")).to_contain_text("200")
