"""The pictures of the pages in docs/images/pages: each page at two widths, drawn by the browser of the tests.

    python -m tests.web.pictures [PAGE ...]

The server's chance is seeded, so the games are always the same. A page is added by a row in `PAGES`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.api.live_server import last_move
from tests.api.server_process import CHECKOUT, server_environment
from tests.step_limit import steps
from tests.web.engines import launched
from tests.web.pages.visitors import Visitor, visitor

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "pages"
WIDTHS = {"wide": (1280, 800), "phone": (360, 740)}
SHORTER = {"rules": 400, "new-table": 640, "audit": 640}
"""The heights of pictures of pages full of text, which would be the largest files."""
SEEDED = """
import random, secrets, sys
games, names = random.Random(14), random.Random(15)
secrets.token_bytes = lambda count=32: games.randbytes(count)
secrets.token_hex = lambda count=32: names.randbytes(count).hex()
from api.cli.main import main
sys.argv[1:] = sys.argv[2:]
main()
"""
PAGES: Mapping[str, str] = {
    "lobby": "/",
    "table": "/games/{pitch}",
    "table-blind": "/games/{blackout}",
    "table-rules-change": "/games/{corellian}",
    "table-over": "/games/{over}",
    "table-forming": "/games/{forming}",
    "replay": "/games/{over}/replay?at=57&seat=0",
    "score": "/games/{over}/score",
    "audit": "/games/{over}/audit",
    "text": "/games/{pitch}/text",
    "game-disputes": "/games/{over}/disputes",
    "disputes": "/disputes",
    "standings": "/standings",
    "new-table": "/new",
    "account": "/me",
    "player": "/players/ann",
    "rules": "/rules/pitch",
    "sign-in": "/sign-in",
    "sign-up": "/sign-up",
    "new-password": "/recover",
    "invitation-over": "/join#x",
    "app": "/app",
    "offline": "/offline",
    "no-such-game": "/games/999999",
    "verify": "/verify",
}
"""Each page's address; the names in braces are the boards of `games_of`."""
STRANGERS = {"sign-in", "sign-up", "new-password"}
"""Pages for people who aren't signed in."""
QUIET = """() => new Promise((resolve) => {
  let timer = setTimeout(resolve, 2000);
  const again = () => { clearTimeout(timer); timer = setTimeout(resolve, 2000); };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(again).observe(document, all);
})"""
"""Wait until a page has shown nothing new for two seconds: the story and the scores come after the table."""
MOST_MS = 300_000
STEADY = ("--disable-partial-raster", "--disable-skia-runtime-opts")
"""Switches with which the browser draws the same pixels again."""
BOTS = ["bot:simple", "bot:simple", "bot:simple"]
View = dict[str, Any]


@contextmanager
def seeded_server(data: Path) -> Iterator[str]:
    """Start a server whose chance is always the same, and yield its address."""
    command = [sys.executable, "-c", SEEDED, "trickbook", "serve", "--port", "0", "--data", str(data)]
    environ = server_environment(LIMITS="off", LOG="error")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ, cwd=CHECKOUT) as process:
        try:
            lines = iter(process.stdout or ())
            yield next(line for line in lines if line.startswith("listening on ")).split()[-1]
        finally:
            process.terminate()


def games_of(ann: Visitor) -> dict[str, int]:
    """Play games up to the moments that the pictures show, and return their boards."""
    boards = dict[str, int]()
    seats: View = {"seats": ["ann", *BOTS], "fairness": {"cuts": "none"}}
    bodies: dict[str, View] = {
        "pitch": {"variant": "pitch"},
        "blackout": {"variant": "blackout"},
        "corellian": {"variant": "corellian", "options": {"randomizer": {"when": [1, 3], "end": None}}},
        "over": {"variant": "pitch", "options": {"win": 7}},
        "forming": {"variant": "setback", "seats": ["ann", "open", "invite", "bot:simple"]},
    }
    for name, body in bodies.items():
        boards[name] = ann.ask("POST", "/games", seats | body)["board"]
    play(ann, boards["pitch"], lambda view: view["hand"]["number"] > 1 and _is_third(view))
    play(ann, boards["corellian"], _is_third)
    play(ann, boards["over"], lambda _: False)
    return boards


def _is_third(view: View) -> bool:
    trick = view["hand"]["trick"]
    return bool(trick) and trick["number"] >= 2 and len(trick["plays"]) >= 2


def play(ann: Visitor, board: int, is_there: Any) -> None:
    """Make moves of the first seat until a moment, or to the end of the game."""
    spent = steps(600)
    while (view := ann.ask("GET", f"/games/{board}/seats/0"))["status"] == "active" and not is_there(view):
        next(spent)
        ann.ask("POST", f"/games/{board}/moves", last_move(view))


def size_of(name: str, width: str) -> tuple[int, int]:
    """Return the width and the height of a page's picture."""
    wide, high = WIDTHS[width]
    return wide, SHORTER.get(name, high)


def draw(ann: Visitor, path: str, size: tuple[int, int], file: Path) -> None:
    """Draw one page of one width."""
    page: Page = ann.context.new_page()
    page.set_default_timeout(MOST_MS)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(path)
    page.wait_for_load_state("load")
    page.wait_for_function("() => document.querySelector('h1') && !document.querySelector('.loading')")
    page.evaluate(QUIET)
    page.screenshot(path=file, animations="disabled", caret="hide")
    page.close()


def draw_all(browser: Browser, home: str, names: Sequence[str]) -> None:
    """Draw the named pages at all widths."""
    with (
        visitor(browser, home, reduced_motion="reduce", color_scheme="light") as ann,
        visitor(browser, home, reduced_motion="reduce", color_scheme="light") as stranger,
    ):
        ann.sign_up("ann")
        ann.page()
        boards = games_of(ann)
        for name in names:
            viewer = stranger if name in STRANGERS else ann
            for width in WIDTHS:
                draw(viewer, PAGES[name].format(**boards), size_of(name, width), FOLDER / f"{name}-{width}.png")


def main() -> None:
    """Draw the pages that are named, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    os.environ["REQUIRE_PROGRAMS"] = "1"
    with tempfile.TemporaryDirectory() as data, seeded_server(Path(data)) as home, launched(*STEADY) as browser:
        draw_all(browser, home, sys.argv[1:] or list(PAGES))


if __name__ == "__main__":
    main()
