"""What runs JavaScript in the tests: node where there is one, else Chromium through playwright. Picked here alone.

Without either the tests are skipped, and fail where REQUIRE_BROWSER=1.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Route, sync_playwright

STATIC = Path(__file__).parents[2] / "api" / "static"
HARNESS = Path(__file__).parent / "harness.js"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HERE = "http://localhost:9/"  # a secure context, where browsers have WebCrypto; nothing is asked of the network
TYPES = {".js": "text/javascript", ".json": "application/json", ".html": "text/html"}
RUN = """
const [harness, base] = process.argv.slice(1);
const { webcrypto } = await import("node:crypto");
globalThis.crypto ??= webcrypto;
const { text } = await import("node:stream/consumers");
const { answer } = await import(harness);
console.log(JSON.stringify(await answer(base, JSON.parse(await text(process.stdin)))));
"""


class Engine(Protocol):
    """Runs one job of the harness on the modules of a folder."""

    def run(self, folder: Path, job: Mapping[str, Any]) -> Any:
        """The answer, as JSON has it."""


class Node:
    """node, a process for each job."""

    def __init__(self, program: str) -> None:
        self.program = program

    def run(self, folder: Path, job: Mapping[str, Any]) -> Any:
        """The answer; what node has to complain of is an AssertionError."""
        command = [self.program, "--input-type=module", "-e", RUN, HARNESS.as_uri(), folder.as_uri()]
        ran = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True, check=False, timeout=200)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)


class Chromium:
    """A page of a real browser for each job, its files given to it by the test."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def run(self, folder: Path, job: Mapping[str, Any]) -> Any:
        """The answer; what the page throws is playwright's Error."""
        page = self.browser.new_page()
        try:
            page.route("**/*", lambda route: _give(route, folder))
            page.goto(HERE)
            return page.evaluate(
                "([base, job]) => import('/harness.js').then(({ answer }) => answer(base, job))", [HERE + "m", job]
            )
        finally:
            page.close()


def _give(route: Route, folder: Path) -> None:
    path = unquote(urlsplit(route.request.url).path)
    if path == "/":
        return route.fulfill(body="<!doctype html>", content_type="text/html")
    file = HARNESS if path == "/harness.js" else folder / path.removeprefix("/m/")
    return route.fulfill(body=file.read_text(encoding="utf-8"), content_type=TYPES[file.suffix])


def node() -> str | None:
    """The path of node."""
    return shutil.which("node")


def chromium() -> str | None:
    """The path of a Chromium."""
    return next((found for name in CHROMIUM if (found := shutil.which(name))), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser; without one the test is skipped, or fails where it is required."""
    program = chromium()
    if program is None:
        missing("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def missing(what: str) -> None:
    """Skip, or fail where REQUIRE_BROWSER=1."""
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(what)
    pytest.skip(what)
