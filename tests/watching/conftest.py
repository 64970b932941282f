"""A server on each store in turn."""

from tests.people.conftest import server

__all__ = ["server"]
