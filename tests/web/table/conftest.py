"""A page without a server, on which tests show recorded moments."""

from collections.abc import Callable, Iterator
from functools import cache

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


@pytest.fixture(scope="module")
def page_in(browser: Browser) -> Iterator[Callable[[str], Page]]:
    """The same page in a language."""
    opened = list[tuple[Page, list[str]]]()

    @cache
    def page_of(language: str) -> Page:
        opened.append(gallery(browser, language=language))
        return opened[-1][0]

    yield page_of
    for page, complaints in opened:
        page.close()
        assert complaints == []
