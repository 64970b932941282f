"""An address on the own network without encryption: the page warns, and plays without checks and seals."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.api.server_process import start_server
from tests.conftest import Database
from tests.programs import need_program
from tests.web.pages.visitors import visitor

HOST = "cards.local"


def test_a_page_on_the_own_network_warns_and_plays(browser: Browser, tmp_path: Path) -> None:
    found = browser.browser_type.launch(
        executable_path=need_program("chromium"), args=["--no-sandbox", f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
    )
    with start_server(Database(None, tmp_path), INSECURE_LAN="yes") as serving, found as local:
        port = serving.url.rsplit(":", 1)[1]
        with visitor(local, f"http://{HOST}:{port}") as guest:
            page = guest.page()
            expect(page.locator("#banner")).to_contain_text("This address isn't encrypted")
            page.get_by_role("button", name="Play now").click()
            expect(page.locator(".zone-alerts")).to_contain_text("Without https, this browser can't check the record")
            expect(page.locator(".ask.cut")).to_contain_text("the browser can't seal a cut")
            expect(page.get_by_role("button", name="Pass")).to_be_visible()
        assert serving.stop() == 0
