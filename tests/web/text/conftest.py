"""The server and the browsers of the tests of pages."""

from tests.web.pages.conftest import friend, home, stranger

__all__ = ["friend", "home", "stranger"]
