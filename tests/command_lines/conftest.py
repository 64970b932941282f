"""Fixtures of HTTP tests, on SQLite: command lines are requests to routes, which have tests on each store."""

from tests.api.conftest import (
    app,
    config,
    make_app,
    pytest_fixture_setup,
    pytest_generate_tests,
    pytest_runtest_call,
    wait_patiently,
)

__all__ = [
    "app",
    "config",
    "make_app",
    "pytest_fixture_setup",
    "pytest_generate_tests",
    "pytest_runtest_call",
    "wait_patiently",
]
