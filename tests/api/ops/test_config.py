"""Settings from the environment: accepted values, values that stop the start, and secrets that are never printed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.config import NO_LIMITS, SETTINGS, ChosenWitness, Config, ConfigError, Limits, redact_url
from tests.replay.signing import WITNESS

METRICS_TOKEN = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
KEY = "MDEyMzQ1Njc4OWFiY2RlZg=="
EAST, WEST = "postgresql://e:secret@db2/cards", "postgresql://w@db3/cards"
ROWS: list[tuple[str, str, str, object]] = [
    ("DATA", "data", "here", Path("here")),
    ("DATABASE_URL", "", "postgresql://ann:pw@db/games", "postgresql://ann:pw@db/games"),
    ("SERVERS", "", f"east={EAST} west={WEST}", (("east", EAST), ("west", WEST))),
    ("SHARDS", "", "16", 16),
    ("ORIGIN", "", "cards.example/pitch", "cards.example/pitch"),
    ("REGISTRATION", "open", "closed", "closed"),
    ("GUESTS", "on", "off", "off"),
    ("WEBHOOKS", "on", "off", "off"),
    ("SMTP_URL", "", "smtps://ann:pw@mail.example:465", "smtps://ann:pw@mail.example:465"),
    ("MAIL_FROM", "", "cards@example.com", "cards@example.com"),
    ("MAIL_DOMAIN", "", "cards.example.com", "cards.example.com"),
    ("MAIL_AUTHSERV", "", "mx.example.com", "mx.example.com"),
    ("MAIL_DELAY_S", "60", "5", 5),
    ("WITNESSES", "", f"{WITNESS.key.text} https://w.example/", (ChosenWitness(WITNESS.key, "https://w.example"),)),
    ("BEACON_URL", "", "https://api.drand.sh/", "https://api.drand.sh"),
    ("URL", "", "https://example.com/cards/", "https://example.com/cards"),
    ("SEATING", "asked", "at-once", "at-once"),
    ("TRUSTED_PROXIES", "0", "1", 1),
    ("LOG", "info", "debug", "debug"),
    ("CIPHER_KEY", "", KEY, KEY),
    ("HEAVY_PROCESSES", "1", "2", 2),
    ("EXPORT_TIMEOUT_S", "3600", "60", 60),
    ("STREAMS", "2000", "100", 100),
    ("STREAMS_BY_ADDRESS", "200", "50", 50),
    ("STREAMS_BY_PLAYER", "20", "5", 5),
    ("GAME_EVENTS", "20000", "9000", 9000),
    ("HAND_PROPOSALS", "20", "7", 7),
    ("UNFINISHED_GAMES", "100", "8", 8),
    ("HOURLY_GAMES", "60", "9", 9),
    ("FORMING_TABLES", "20", "10", 10),
    ("HOURLY_QUESTIONS", "60", "11", 11),
    ("TABLE_INVITATIONS", "20", "12", 12),
    ("GAME_DISPUTES", "10", "3", 3),
    ("TEXT_LENGTH", "2000", "500", 500),
    ("LIMITS", "on", "off", NO_LIMITS),
    ("CLOCK_JUMP_S", "1800", "600", 600),
    ("CLOCK_GAP_S", "259200", "86400", 86_400),
    ("CONNECT_TIMEOUT_S", "2", "4", 4),
    ("LOCK_TIMEOUT_S", "2", "5", 5),
    ("STATEMENT_TIMEOUT_S", "3", "6", 6),
    ("LONG_STATEMENT_TIMEOUT_S", "600", "700", 700),
    ("METRICS_TOKEN", "", METRICS_TOKEN, METRICS_TOKEN),
    ("INSECURE_LAN", "no", "yes", True),
    ("CORS_ORIGINS", "", "https://cards.example.com, http://localhost:5173", ("https://cards.example.com", "http://localhost:5173")),
    ("ALLOW_UNSAFE_DATABASE", "no", "yes", True),
]  # fmt: skip
"""Each setting, its default as it is printed, another text, and the value of that text."""


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Config.from_environment({"HOME": "/root", "CIPHER_KEY": "stray"}) == Config()


def test_every_setting_is_read() -> None:
    assert {name for name, *_ in ROWS} == {name.removeprefix("TRICKBOOK_") for name in SETTINGS}
    values: dict[str, Any] = {name.lower(): value for name, _, _, value in ROWS}
    assert Config.from_environment({f"TRICKBOOK_{name}": text for name, _, text, _ in ROWS}) == Config(**values)


def test_an_empty_setting_counts_as_unset() -> None:
    assert Config.from_environment(dict.fromkeys(SETTINGS, "")) == Config()


def test_an_unknown_setting_stops_the_start_and_is_named() -> None:
    with pytest.raises(ConfigError, match=r"TRICKBOOK_REGISTRATOIN is not a setting .* are TRICKBOOK_REGISTRATION, T"):
        Config.from_environment({"TRICKBOOK_REGISTRATOIN": "closed"})


INVALID: dict[str, tuple[str, ...]] = {
    "DATABASE_URL": ("mysql://ann:secret@db/games", "postgresql://ann:secret@db:port=1/games?nonsense=1"),
    "SERVERS": ("east", "east=mysql://x", "home=postgresql://x", "east=http://u:secret@x/y"),
    "SHARDS": ("0", "65"),
    "ORIGIN": (
        "https://cards.example", "cards.example/", "Cards.example", "cards+example", "cards example",
        "cards.example\n", "c" * 201,
    ),
    "CLOCK_JUMP_S": ("0",),
    "CLOCK_GAP_S": ("3 days", "1000001"),
    "REGISTRATION": ("invite", "OPEN"),
    "GUESTS": ("yes",),
    "WEBHOOKS": ("yes",),
    "SMTP_URL": ("mail.example", "http://ann:secret@mail.example", "smtp://ann:secret@mail.example:port"),
    "MAIL_FROM": ("cards",),
    "MAIL_DOMAIN": ("Cards example",),
    "MAIL_AUTHSERV": ("a b",),
    "MAIL_DELAY_S": ("-1",),
    "URL": (
        "cards.example.com", "https://example.com//cards", "https://example.com/cards?x", "https://example.com/../cards",
        "https://example.com/a b", 'https://example.com/"', "https://example.com/games", "https://example.com/api/cards",
    ),
    "SEATING": ("at once",),
    "FORMING_TABLES": ("0",),
    "HOURLY_QUESTIONS": ("0",),
    "TABLE_INVITATIONS": ("1001",),
    "TRUSTED_PROXIES": ("-1", "10", "٣"),
    "LOG": ("loud",),
    "CIPHER_KEY": ("secret", "c2hvcnQ="),
    "LIMITS": ("none",),
    "CONNECT_TIMEOUT_S": ("0",),
    "LOCK_TIMEOUT_S": ("1.5",),
    "STATEMENT_TIMEOUT_S": ("-1",),
    "ALLOW_UNSAFE_DATABASE": ("true",),
    "INSECURE_LAN": ("on",),
    "GAME_EVENTS": ("99", "1000001"),
    "HAND_PROPOSALS": ("-1",),
    "UNFINISHED_GAMES": ("0",),
    "HOURLY_GAMES": ("many",),
    "GAME_DISPUTES": ("1001",),
    "TEXT_LENGTH": ("10001",),
    "METRICS_TOKEN": ("a secret", "a secret with spaces"),
    "CORS_ORIGINS": (
        "cards.example.com", "https://cards.example.com/", "https://*.example.com", "*, https://cards.example.com",
        "null",
    ),
    "WITNESSES": (
        "https://w.example", f"{WITNESS.key.text} https://w.example/?q", "secret",
        " ".join(replace(WITNESS, seed=number).key.text for number in range(16)),
    ),
    "BEACON_URL": ("ftp://api.drand.sh", "https://ann:pw@api.drand.sh", "https://api.drand.sh/?chain=1"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_value_stops_the_start_without_showing_a_secret(name: str) -> None:
    for text in INVALID[name]:
        with pytest.raises(ConfigError) as caught:
            Config.from_environment({f"TRICKBOOK_{name}": text})
        assert str(caught.value).startswith(f"TRICKBOOK_{name}: "), text
        assert "secret" not in str(caught.value)


def test_printing_the_settings_hides_the_secrets() -> None:
    config = Config(
        database_url="postgresql://ann:s3cret@db:5432/games?sslpassword=s3cret",
        cipher_key=KEY,
        metrics_token=METRICS_TOKEN,
        smtp_url="smtps://ann:s3cret@mail.example:465",
    )
    lines = config.to_lines()
    assert [line.partition("=")[0] for line in lines] == list(SETTINGS)
    assert "TRICKBOOK_CIPHER_KEY=(hidden)" in lines
    assert "TRICKBOOK_METRICS_TOKEN=(hidden)" in lines
    assert "TRICKBOOK_SMTP_URL=smtps://mail.example:465" in lines
    url = "dbname=games host=db password=(hidden) port=5432 sslpassword=(hidden) user=ann"
    assert f"TRICKBOOK_DATABASE_URL={url}" in lines
    for told in (*lines, repr(config)):
        assert "s3cret" not in told
        assert KEY not in told
        assert METRICS_TOKEN not in told


def test_the_defaults_are_printed() -> None:
    assert Config().to_lines() == [f"TRICKBOOK_{name}={default}" for name, default, _, _ in ROWS]
    assert Limits() != NO_LIMITS


def test_an_invalid_url_is_hidden_whole() -> None:
    assert redact_url("postgresql://ann:s3cret@db:5432/games?what=s3cret") == "(hidden)"
