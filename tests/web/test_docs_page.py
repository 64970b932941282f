"""The page at /docs in a real browser: it shows the description of its own server, and loads nothing else."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from api.http.openapi.operations import OPERATIONS, TAGS
from tests.web.engines import PATIENCE_MS, new_page, note_complaints


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page. It must not log anything, break the policy, or call another host."""
    opened, complaints = new_page(browser), list[str]()
    note_complaints(opened, complaints.append)
    opened.on("request", lambda asked: complaints.extend([asked.url] * (not asked.url.startswith((address, "data:")))))
    opened.goto(f"{address}/docs")
    yield opened
    opened.close()
    assert complaints == []


def test_the_page_shows_every_route_and_sends_a_request_to_this_server(page: Page) -> None:
    expect(page.locator(".opblock-tag")).to_have_count(len(TAGS), timeout=PATIENCE_MS)
    others = page.locator(".opblock").count()  # the messages to webhooks
    shown = 0
    for heading in page.locator(".opblock-tag").all():
        heading.click()
        expect(page.locator(".opblock")).not_to_have_count(others)
        shown += page.locator(".opblock").count() - others
        heading.click()
        expect(page.locator(".opblock")).to_have_count(others)
    assert shown == len(OPERATIONS)
    page.locator(".opblock-tag").last.click()
    route = page.locator("#operations-server-health_live")
    route.locator(".opblock-summary-control").click()
    route.get_by_role("button", name="Try it out").click()
    route.get_by_role("button", name="Execute").click()
    expect(route.locator(".live-responses-table .response .response-col_status")).to_contain_text("200")
