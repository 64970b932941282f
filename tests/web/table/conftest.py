"""A page without a server, on which tests show recorded moments."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web.table.pages import gallery


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page that complains about nothing."""
    opened, complaints = gallery(browser)
    yield opened
    opened.close()
    assert complaints == []
