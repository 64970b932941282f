"""Engines that run JavaScript in the tests: node if it's installed, otherwise Chromium with playwright.

Without either, the tests are skipped, or fail if REQUIRE_PROGRAMS=1.
"""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from tests.programs import need_program

STATIC = Path(__file__).parents[2] / "api" / "static" / "verify"
HARNESS = Path(__file__).parent / "harness.js"
HERE = "http://localhost:9/"  # a secure context, so browsers have WebCrypto; no request leaves the machine
PATIENCE_MS = 60_000  # for slow, busy machines
TYPES = {".js": "text/javascript", ".json": "application/json", ".html": "text/html"}
RUN = """
const { createInterface } = await import("node:readline");
const { webcrypto } = await import("node:crypto");
globalThis.crypto ??= webcrypto;
const { answer } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const [base, job] = JSON.parse(line);
  const said = await answer(base, job).then((right) => ({ right }), (error) => ({ wrong: String(error.stack) }));
  process.stdout.write(`${JSON.stringify(said)}\\n`);
}
"""


class Engine(Protocol):
    """A program that runs one job of the harness on the modules of a folder."""

    def run(self, folder: Path, job: Mapping[str, Any]) -> Any:
        """Return the answer as JSON values."""


class Node:
    """node: one process for all jobs, with a line for each."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def run(self, folder: Path, job: Mapping[str, Any]) -> Any:
        """Return the answer. Raise AssertionError for an error of the JavaScript."""
        ask, told = self.process.stdin, self.process.stdout
        assert ask is not None
        assert told is not None
        ask.write(json.dumps([folder.as_uri(), job]) + "\n")
        ask.flush()
        said = json.loads(told.readline())
        assert "wrong" not in said, said["wrong"]
        return said["right"]


@contextmanager
def nodes(program: str) -> Iterator[Node]:
    """Run node until the end of its input."""
    command = [program, "--input-type=module", "-e", RUN, HARNESS.as_uri()]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    with process:
        yield Node(process)


class Chromium:
    """A real browser, with a page for each job. The test serves its files."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def run(self, folder: Path, job: Mapping[str, Any]) -> Any:
        """Return the answer. An error of the page is playwright's Error."""
        page = new_page(self.browser)
        try:
            page.route("**/*", lambda route: _give(route, folder))
            page.goto(HERE)
            return page.evaluate(
                "([base, job]) => import('/harness.js').then(({ answer }) => answer(base, job))", [HERE + "m", job]
            )
        finally:
            page.close()


def new_page(browser: Browser) -> Page:
    """Return a page with long timeouts."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    return page


def note_complaints(page: Page, note: Callable[[str], None]) -> None:
    """Call `note` with each line that the page writes to its console, and with each error that nothing catches."""
    page.on("console", lambda message: note(message.text))
    page.on("pageerror", lambda error: note(str(error)))


def _give(route: Route, folder: Path) -> None:
    path = unquote(urlsplit(route.request.url).path)
    if path == "/":
        return route.fulfill(body="<!doctype html>", content_type="text/html")
    file = HARNESS if path == "/harness.js" else folder / path.removeprefix("/m/")
    return route.fulfill(body=file.read_text(encoding="utf-8"), content_type=TYPES[file.suffix])


def node() -> str | None:
    return shutil.which("node")


@contextmanager
def launched(*switches: str) -> Iterator[Browser]:
    """Start a browser with switches. Without a browser, skip the test, or fail if one is required."""
    program = need_program("chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", *switches], timeout=PATIENCE_MS
        )
        yield browser
        browser.close()
