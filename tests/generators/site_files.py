"""A hook of ProperDocs: `llms.txt`, which lists pages with their first sentences (llmstxt.org), and colors."""

import re
from pathlib import Path
from typing import Any

from pygments.formatters import HtmlFormatter

FIRST = re.compile(r"^# (?P<title>.+?)\n+(?P<says>[^#\n`<|*-].*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
STYLES = """
:root { --bs-link-color: #1a5fa8; --bs-link-color-rgb: 26, 95, 168; }
[data-bs-theme="dark"] { --bs-link-color: #8cc8f5; --bs-link-color-rgb: 140, 200, 245; }
.bs-sidebar .nav-link, .headerlink { color: var(--bs-link-color) !important; }
[data-bs-theme="dark"] .highlight { background: none; }
"""
"""Links with the contrast that WCAG 2 asks for, AA: the theme's own have 2.8 on white."""
SPY = ("z.findOne(decodeURI(e.hash),this._element)", "document.getElementById(decodeURI(e.hash).slice(1))")
"""How the theme's Bootstrap finds a heading, and a way that also finds one that begins with a digit."""
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def on_post_build(config: Any) -> None:
    """Write `llms.txt` and colors beside the pages, and let numbered headings be found."""
    site = Path(config["site_dir"])
    text = "".join(_lines(config["site_name"], config["site_description"], config["nav"], Path(config["docs_dir"])))
    (site / "llms.txt").write_text(text, encoding="utf-8")
    code = HtmlFormatter().get_style_defs(".highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs('[data-bs-theme="dark"] .highlight')
    (site / "css" / "site.css").write_text("\n".join((code, dark, STYLES)), encoding="utf-8")
    script = site / "js" / "bootstrap.bundle.min.js"
    before, found, after = script.read_text(encoding="utf-8").partition(SPY[0])
    if not found:
        raise ValueError("this Bootstrap finds headings in another way: see whether it still needs SPY")
    script.write_text(before + SPY[1] + after, encoding="utf-8")


def _lines(name: str, says: str, nav: list[dict[str, Any]], docs: Path) -> list[str]:
    lines = [f"# {name}\n\n> {says}\n"]
    for section in nav:
        for title, pages in section.items():
            lines += [f"\n## {title}\n\n", *_pages(title, pages, docs)]
    return lines


def _pages(title: str, pages: str | list[dict[str, Any]], docs: Path) -> list[str]:
    if isinstance(pages, list):
        return [line for page in pages for each, inner in page.items() for line in _pages(each, inner, docs)]
    address = pages.removesuffix(".md").replace("README", "index") + ".html"
    found = FIRST.search((docs / pages).read_text(encoding="utf-8"))
    says = " ".join(LINK.sub(r"\1", found["says"]).split()) if found else ""
    return [f"- [{title}]({address}){': ' * bool(says)}{says}\n"]
