"""A hook of MkDocs: the site's `llms.txt`, which lists the pages with their first sentences (llmstxt.org)."""

import re
from pathlib import Path
from typing import Any

FIRST = re.compile(r"^# (?P<title>.+?)\n+(?P<says>[^#\n`<|*-].*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def on_post_build(config: Any) -> None:
    """Write `llms.txt` beside the pages."""
    text = "".join(_lines(config["site_name"], config["site_description"], config["nav"], Path(config["docs_dir"])))
    Path(config["site_dir"], "llms.txt").write_text(text, encoding="utf-8")


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
