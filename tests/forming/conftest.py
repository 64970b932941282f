"""The fixtures of the app and its callers."""

from tests.api.conftest import ann, app, caller, config, make_app, pytest_generate_tests, wait_patiently

__all__ = ["ann", "app", "caller", "config", "make_app", "pytest_generate_tests", "wait_patiently"]
