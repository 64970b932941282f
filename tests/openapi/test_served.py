"""The page about the interface that the server sends."""

from pathlib import Path

import pytest

from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import Caller, MakeApp, check_problem


@pytest.fixture
def stranger(make_app: MakeApp, tmp_path: Path) -> Caller:
    return Caller(make_app(Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS)).test_client())


def test_the_page_loads_only_files_of_this_server_and_takes_no_address(stranger: Caller) -> None:
    page = stranger.get("/docs")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "connect-src 'self'" in page.headers["Content-Security-Policy"]
    assert "://" not in page.text
    check_problem(stranger.get("/docs?url=https://example.com/openapi.json"), 400, "malformed")
    check_problem(stranger.get("/docs/swagger-ui.js"), 404, "not-found")
    for file in ("docs.js", "swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"):
        assert stranger.get(f"/docs/{file}").status_code == 200
