"""The lists of docs/operations.md with every setting: `python -m tests.generators.settings_table` writes them.

Names, defaults, values and meanings are those of `api/config`; links are added here.
"""

import re
from collections.abc import Iterator

from api.config import Config
from api.config.limits import NUMBERS, PROFILES
from api.config.settings import PREFIX, SETTINGS
from tests.docs.markdown import ROOT
from tests.generators.events_page import wrap

PAGE = ROOT / "docs" / "operations.md"
BEGIN, END = "<!-- python -m tests.generators.settings_table writes from here -->\n", "<!-- to here -->\n"
LINKS = {
    "DATABASE_URL": ("PostgreSQL", "postgresql.md"),
    "SERVERS": ("other PostgreSQL servers", "postgresql.md#several-postgresql-servers"),
    "ORIGIN": ("receipts", "#receipts-and-their-keys"),
    "URL": ("address of the pages", "#below-a-path"),
    "REGISTRATION": ("guest", "#people"),
    "SEATING": ("before they're seated", "#people"),
    "WEBHOOKS": ("webhooks", "http.md#webhooks"),
    "LIMITS": ("may do", "#limits"),
    "SMTP_URL": ("mails", "mail.md#set-it-up"),
    "MAIL_DOMAIN": ("play by mail", "mail.md"),
    "WITNESSES": ("witnesses", "receipts.md#for-hosts"),
    "BEACON_URL": ("public draws", "fairness.md#what-a-host-sets-up"),
    "METRICS_TOKEN": ("metrics", "#metrics"),
    "LOG": ("logged", "#logs"),
    "ALLOW_UNSAFE_DATABASE": ("lose moves", "#durability"),
}
"""The words in the meaning of a setting that are a link, and their target."""


def settings_lists() -> Iterator[str]:
    """Yield the lines of the lists, in the order of `api/config`."""
    defaults = dict(line.split("=", 1) for line in Config().to_lines())
    shown = ((name, defaults[name], meaning(name.removeprefix(PREFIX))) for name in SETTINGS)
    for name, usual, says in shown:
        yield from wrap(f"* `{name}`{code(usual)}: {says}")
    yield from ("", "A file of `TRICKBOOK_LIMITS` is TOML with these numbers, and the `profile` that they change:", "")
    for name in NUMBERS:
        yield from wrap(f"* `{name}` {numbers(name)}: {NUMBERS[name].meaning}")
    yield ""


def code(text: str) -> str:
    """Return a default in brackets, and nothing for nothing."""
    return f" (`{text}`)" if text else ""


def meaning(name: str) -> str:
    """Return the meaning of a setting with its link."""
    says = SETTINGS[PREFIX + name].meaning
    if name not in LINKS:
        return says
    words, target = LINKS[name]
    assert words in says, f"{name} doesn't say {words!r} any more"
    return re.sub(re.escape(words), f"[{words}]({target})", says, count=1)


def numbers(name: str) -> str:
    """Return the default of a number, and those of two profiles if they differ."""
    others = [f"{profile} {PROFILES[profile][name]}" for profile in ("small", "large") if name in PROFILES[profile]]
    return f"{getattr(Config(), name)}" + (f" ({', '.join(others)})" if others else "")


def page() -> str:
    """Return the page with new lists."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join((before + BEGIN, *settings_lists(), END + after))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
