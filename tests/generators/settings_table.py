"""The table of docs/operations.md with every setting: `python -m tests.generators.settings_table` writes it.

Names, defaults and values are those of `api/config.py`; what a setting means stands here.
"""

import re
from collections.abc import Iterator

from api.config import PREFIX, SETTINGS, Config
from tests.docs.markdown import ROOT
from tests.generators.events_page import table

PAGE = ROOT / "docs" / "operations.md"
BEGIN, END = "<!-- python -m tests.generators.settings_table writes from here -->\n", "<!-- to here -->\n"
CHOICES = re.compile(r"expected one of (.+), got ")
RANGE = re.compile(r"expected a whole number from (\d+) to (\d+), got ")
UNBOUNDED = "1000000"
"""The upper bound of a number that needs none."""

MEANINGS = {
    "DATA": "the folder that holds everything: SQLite files and keys. `--data` overrides it",
    "DATABASE_URL": "`postgresql://user:password@host:port/name`: [PostgreSQL](postgresql.md), not SQLite",
    "SERVERS": "[other servers](postgresql.md#several-postgresql-servers) that may hold shards: `NAME=URL` each",
    "SHARDS": "[shards](postgresql.md#shards) of a new log; unset, 1 for SQLite, 8 for PostgreSQL",
    "ORIGIN": "your server's name in [receipts](#receipts-and-their-keys), fixed with the first game",
    "REGISTRATION": "`closed`: only `trickbook user add` registers players",
    "GUESTS": "`off`: nobody plays [without registering](#people)",
    "WEBHOOKS": "`off`: no [webhooks](http.md#webhooks); `local`, for developers: also to loopback",
    "SMTP_URL": "`smtps://user:password@host:465`: the server through which [mails](mail.md#set-it-up) go out",
    "MAIL_FROM": "the sender of mails; unset, `cards@` and the domain of mails or the mail server",
    "MAIL_DOMAIN": "the domain of reply addresses: people [play by mail](mail.md)",
    "MAIL_AUTHSERV": "the name in your mail server's Authentication-Results; unset, no password in a mail counts",
    "MAIL_DELAY_S": "seconds that a mail about a turn waits, in case the player moves on the page",
    "WITNESSES": "keys of [witnesses](receipts.md#for-hosts), each with the address at which to ask it",
    "BEACON_URL": "a relay of drand for the [beacon](fairness.md#what-a-host-sets-up), such as `https://api.drand.sh`",
    "URL": "the address of the pages, with `https://`, also [below a path](#below-a-path)",
    "SEATING": "whether a named player is [asked](#people) before the deal",
    "TRUSTED_PROXIES": "the number of your proxies, 0 to 9, whose `X-Forwarded-For` counts",
    "LOG": "the lowest level that is [logged](#logs)",
    "CIPHER_KEY": "16, 24 or 32 bytes in base64: facts are stored encrypted",
    "HEAVY_PROCESSES": "processes for heavy requests",
    "EXPORT_TIMEOUT_S": "seconds that one bulk export may take",
    "STREAMS": "[event streams](http.md#follow-a-game-live) at a time",
    "STREAMS_BY_ADDRESS": "of them for a client address. A school may share one",
    "STREAMS_BY_PLAYER": "of them for a player; each tab counts",
    "GAME_EVENTS": "events after which a game [ends](rules/common.md#limits) instead of another deal",
    "HAND_PROPOSALS": "proposals of a seat in a hand",
    "UNFINISHED_GAMES": "games that a player has opened and that aren't over",
    "HOURLY_GAMES": "games that a player may open in any hour",
    "FORMING_TABLES": "tables of a player that wait for others",
    "HOURLY_QUESTIONS": "others that a player may ask to sit down in any hour",
    "TABLE_INVITATIONS": "invitations to a table that aren't revoked",
    "GAME_DISPUTES": "disputes of a player in a game",
    "TEXT_LENGTH": "characters of a message, or of the text of a dispute",
    "LIMITS": "`off`, for tests: no [limits](#limits) on rates, games and disputes",
    "CLOCK_JUMP_S": "seconds by which the [clock](#the-clock) must jump to be in doubt",
    "CLOCK_GAP_S": "seconds without a worker after which it's in doubt",
    "CONNECT_TIMEOUT_S": "seconds to wait for a [connection](postgresql.md#when-the-database-hangs)",
    "LOCK_TIMEOUT_S": "seconds to wait for a lock, also of an SQLite file",
    "STATEMENT_TIMEOUT_S": "seconds that a statement of PostgreSQL may take",
    "LONG_STATEMENT_TIMEOUT_S": "the same for `rebuild`, `check`, `backup`, `restore` and `reshard`",
    "METRICS_TOKEN": "16 to 200 characters: the bearer token for [metrics](#metrics)",
    "INSECURE_LAN": "`yes`: sign in to the pages over plain HTTP on a private network",
    "CORS_ORIGINS": "[origins](http.md#what-applies-to-every-request) whose pages may call this server, or `*`",
    "ALLOW_UNSAFE_DATABASE": "`yes`: start although PostgreSQL may [lose moves](#durability) in a crash",
}
"""The meaning of each setting, by its name without the prefix."""


def settings_table() -> Iterator[str]:
    """Yield the lines of the table, in the order of `api/config.py`."""
    defaults = dict(line.split("=", 1) for line in Config().to_lines())
    yield from table(
        ("variable", "default", "values", "is"),
        (
            (f"`{name}`", f"`{defaults[name]}`" if defaults[name] else "", values(name), meaning)
            for name, meaning in ((name, MEANINGS[name.removeprefix(PREFIX)]) for name in SETTINGS)
        ),
    )


def values(name: str) -> str:
    """Return the values that a setting takes, if they can be listed: its parser names them when it refuses one."""
    try:
        SETTINGS[name].parse("?")
    except ValueError as error:
        if found := CHOICES.match(str(error)):
            return ", ".join(f"`{choice}`" for choice in found[1].split(", "))
        if found := RANGE.match(str(error)):
            return f"from {found[1]}" if found[2] == UNBOUNDED else f"{found[1]} to {found[2]}"
    return ""


def page() -> str:
    """Return the page with a new table."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join((before + BEGIN, *settings_table(), END + after))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
