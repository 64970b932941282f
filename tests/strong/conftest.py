"""The fixtures of the app."""

from tests.api.conftest import (
    ann,
    app,
    caller,
    config,
    make_app,
    pytest_fixture_setup,
    pytest_generate_tests,
    pytest_runtest_call,
    wait_patiently,
)

__all__ = [
    "ann",
    "app",
    "caller",
    "config",
    "make_app",
    "pytest_fixture_setup",
    "pytest_generate_tests",
    "pytest_runtest_call",
    "wait_patiently",
]
