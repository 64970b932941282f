"""The icons of the app as pictures of pixels, drawn from api/static/icons/icon.svg by the browser of the tests.

python -m tests.web.icons
"""

from pathlib import Path

from playwright.sync_api import Browser

from tests.web.engines import launched

ICONS = Path(__file__).parents[2] / "api" / "static" / "icons"
SIZES = {"icon-180.png": 180, "icon-192.png": 192, "icon-512.png": 512}
MASKABLE = "maskable-512.png"
BACKGROUND = "#0a6449"
SAFE_PART = 0.8
"""How much of a maskable icon every device shows."""


def main() -> None:
    drawing = (ICONS / "icon.svg").read_text(encoding="utf-8")
    with launched() as browser:
        for name, size in SIZES.items():
            draw(browser, drawing, size, size, ICONS / name)
        draw(browser, drawing, 512, int(512 * SAFE_PART), ICONS / MASKABLE, BACKGROUND)


def draw(browser: Browser, drawing: str, size: int, inner: int, path: Path, background: str = "transparent") -> None:
    """Draw an SVG of `inner` pixels in the middle of a square of `size` pixels."""
    page = browser.new_page(viewport={"width": size, "height": size})
    style = f"margin:0;height:{size}px;display:grid;place-items:center;background:{background}"
    page.set_content(f"<style>svg{{width:{inner}px;height:{inner}px}}</style><body style='{style}'>{drawing}</body>")
    page.screenshot(path=path, omit_background=True)
    page.close()


if __name__ == "__main__":
    main()
