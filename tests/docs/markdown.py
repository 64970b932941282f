"""The pages of the documentation, their links and code blocks."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^(`{3,})(\w*)( like)?\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: the language behind the fence ("" for none), `like` behind that, and the lines in it."""

    language: str
    like: bool
    text: str


def pages() -> list[Path]:
    """Return every page."""
    return sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))


def blocks(page: Path, *languages: str) -> list[Block]:
    """Return the fenced blocks of `page` in order, of some languages or of all."""
    matches = BLOCK.findall(page.read_text(encoding="utf-8"))
    found = [Block(language, bool(like), text) for _, language, like, text in matches]
    return [block for block in found if not languages or block.language in languages]


def anchors(page: Path) -> list[str]:
    """Return the targets in `page` for links: its anchors, and its headings as GitHub spells them."""
    text = page.read_text(encoding="utf-8")
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in HEADING.findall(text)]
    return ANCHOR.findall(text) + slugs


def links(page: Path) -> list[str]:
    """Return the targets of the links of `page`, without code blocks."""
    return LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))
