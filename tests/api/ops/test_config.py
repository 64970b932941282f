"""Settings from the environment: accepted values, values that stop the start, and secrets that are never printed."""

from dataclasses import replace
from pathlib import Path

import pytest

from api.config import NO_LIMITS, SETTINGS, Config, ConfigError, Limits, redact_url
from tests.replay.signing import WITNESS

METRICS_TOKEN = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
KEY = "MDEyMzQ1Njc4OWFiY2RlZg=="


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Config.from_environment({"HOME": "/root", "CIPHER_KEY": "stray"}) == Config()


def test_every_setting_is_read() -> None:
    given = {
        "TRICKBOOK_DATA": "here",
        "TRICKBOOK_DATABASE_URL": "postgresql://ann:pw@db/games",
        "TRICKBOOK_SERVERS": "east=postgresql://e:secret@db2/cards west=postgresql://w@db3/cards",
        "TRICKBOOK_SHARDS": "16",
        "TRICKBOOK_ORIGIN": "cards.example/pitch",
        "TRICKBOOK_REGISTRATION": "closed",
        "TRICKBOOK_GUESTS": "off",
        "TRICKBOOK_WEBHOOKS": "off",
        "TRICKBOOK_SMTP_URL": "smtps://ann:pw@mail.example:465",
        "TRICKBOOK_MAIL_FROM": "cards@example.com",
        "TRICKBOOK_MAIL_DOMAIN": "cards.example.com",
        "TRICKBOOK_MAIL_AUTHSERV": "mx.example.com",
        "TRICKBOOK_MAIL_DELAY_S": "5",
        "TRICKBOOK_WITNESSES": WITNESS.key.text,
        "TRICKBOOK_BEACON_URL": "https://api.drand.sh/",
        "TRICKBOOK_URL": "https://cards.example.com",
        "TRICKBOOK_SEATING": "at-once",
        "TRICKBOOK_TRUSTED_PROXIES": "1",
        "TRICKBOOK_LOG": "debug",
        "TRICKBOOK_CIPHER_KEY": KEY,
        "TRICKBOOK_HEAVY_PROCESSES": "2",
        "TRICKBOOK_EXPORT_TIMEOUT_S": "60",
        "TRICKBOOK_STREAMS": "100",
        "TRICKBOOK_STREAMS_BY_ADDRESS": "50",
        "TRICKBOOK_STREAMS_BY_PLAYER": "5",
        "TRICKBOOK_GAME_EVENTS": "9000",
        "TRICKBOOK_HAND_PROPOSALS": "7",
        "TRICKBOOK_UNFINISHED_GAMES": "8",
        "TRICKBOOK_HOURLY_GAMES": "9",
        "TRICKBOOK_FORMING_TABLES": "10",
        "TRICKBOOK_HOURLY_QUESTIONS": "11",
        "TRICKBOOK_TABLE_INVITATIONS": "12",
        "TRICKBOOK_GAME_DISPUTES": "3",
        "TRICKBOOK_TEXT_LENGTH": "500",
        "TRICKBOOK_LIMITS": "off",
        "TRICKBOOK_CLOCK_JUMP_S": "600",
        "TRICKBOOK_CLOCK_GAP_S": "86400",
        "TRICKBOOK_CONNECT_TIMEOUT_S": "4",
        "TRICKBOOK_LOCK_TIMEOUT_S": "5",
        "TRICKBOOK_STATEMENT_TIMEOUT_S": "6",
        "TRICKBOOK_LONG_STATEMENT_TIMEOUT_S": "700",
        "TRICKBOOK_METRICS_TOKEN": METRICS_TOKEN,
        "TRICKBOOK_CORS_ORIGINS": "https://cards.example.com, http://localhost:5173",
        "TRICKBOOK_ALLOW_UNSAFE_DATABASE": "yes",
        "TRICKBOOK_INSECURE_LAN": "yes",
    }
    assert given.keys() == SETTINGS.keys()
    assert Config.from_environment(given) == Config(
        data=Path("here"),
        database_url="postgresql://ann:pw@db/games",
        origin="cards.example/pitch",
        registration="closed",
        guests="off",
        webhooks="off",
        smtp_url="smtps://ann:pw@mail.example:465",
        mail_from="cards@example.com",
        mail_domain="cards.example.com",
        mail_authserv="mx.example.com",
        mail_delay_s=5,
        url="https://cards.example.com",
        seating="at-once",
        trusted_proxies=1,
        log="debug",
        cipher_key=KEY,
        heavy_processes=2,
        export_timeout_s=60,
        streams=100,
        streams_by_address=50,
        streams_by_player=5,
        game_events=9000,
        hand_proposals=7,
        unfinished_games=8,
        hourly_games=9,
        forming_tables=10,
        hourly_questions=11,
        table_invitations=12,
        game_disputes=3,
        text_length=500,
        limits=NO_LIMITS,
        clock_jump_s=600,
        clock_gap_s=86_400,
        connect_timeout_s=4,
        lock_timeout_s=5,
        statement_timeout_s=6,
        long_statement_timeout_s=700,
        allow_unsafe_database=True,
        insecure_lan=True,
        servers=(("east", "postgresql://e:secret@db2/cards"), ("west", "postgresql://w@db3/cards")),
        shards=16,
        metrics_token=METRICS_TOKEN,
        witnesses=(WITNESS.key,),
        beacon_url="https://api.drand.sh",
        cors_origins=("https://cards.example.com", "http://localhost:5173"),
    )


def test_an_empty_setting_counts_as_unset() -> None:
    assert Config.from_environment(dict.fromkeys(SETTINGS, "")) == Config()


def test_an_unknown_setting_stops_the_start_and_is_named() -> None:
    with pytest.raises(ConfigError, match=r"TRICKBOOK_REGISTRATOIN is not a setting .* are TRICKBOOK_REGISTRATION, T"):
        Config.from_environment({"TRICKBOOK_REGISTRATOIN": "closed"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DATABASE_URL", "mysql://ann:secret@db/games"),
        ("DATABASE_URL", "postgresql://ann:secret@db:port=1/games?nonsense=1"),
        ("SHARDS", "0"),
        ("SHARDS", "65"),
        ("ORIGIN", "https://cards.example"),
        ("ORIGIN", "cards.example/"),
        ("ORIGIN", "Cards.example"),
        ("ORIGIN", "cards+example"),
        ("ORIGIN", "cards example"),
        ("ORIGIN", "cards.example\n"),
        ("ORIGIN", "c" * 201),
        ("CLOCK_JUMP_S", "0"),
        ("CLOCK_GAP_S", "3 days"),
        ("CLOCK_GAP_S", "1000001"),
        ("REGISTRATION", "invite"),
        ("REGISTRATION", "OPEN"),
        ("GUESTS", "yes"),
        ("WEBHOOKS", "yes"),
        ("SMTP_URL", "mail.example"),
        ("SMTP_URL", "http://ann:secret@mail.example"),
        ("SMTP_URL", "smtp://ann:secret@mail.example:port"),
        ("MAIL_FROM", "cards"),
        ("MAIL_DOMAIN", "Cards example"),
        ("MAIL_AUTHSERV", "a b"),
        ("MAIL_DELAY_S", "-1"),
        ("URL", "cards.example.com"),
        ("SEATING", "at once"),
        ("FORMING_TABLES", "0"),
        ("HOURLY_QUESTIONS", "0"),
        ("TABLE_INVITATIONS", "1001"),
        ("TRUSTED_PROXIES", "-1"),
        ("TRUSTED_PROXIES", "10"),
        ("TRUSTED_PROXIES", "٣"),
        ("LOG", "loud"),
        ("CIPHER_KEY", "secret"),
        ("CIPHER_KEY", "c2hvcnQ="),
        ("LIMITS", "none"),
        ("CONNECT_TIMEOUT_S", "0"),
        ("LOCK_TIMEOUT_S", "1.5"),
        ("STATEMENT_TIMEOUT_S", "-1"),
        ("ALLOW_UNSAFE_DATABASE", "true"),
        ("INSECURE_LAN", "on"),
        ("GAME_EVENTS", "99"),
        ("GAME_EVENTS", "1000001"),
        ("HAND_PROPOSALS", "-1"),
        ("UNFINISHED_GAMES", "0"),
        ("HOURLY_GAMES", "many"),
        ("GAME_DISPUTES", "1001"),
        ("TEXT_LENGTH", "10001"),
        ("METRICS_TOKEN", "a secret"),
        ("METRICS_TOKEN", "a secret with spaces"),
        ("CORS_ORIGINS", "cards.example.com"),
        ("CORS_ORIGINS", "https://cards.example.com/"),
        ("CORS_ORIGINS", "https://*.example.com"),
        ("CORS_ORIGINS", "*, https://cards.example.com"),
        ("WITNESSES", "secret"),
        ("WITNESSES", " ".join(replace(WITNESS, seed=number).key.text for number in range(16))),
        ("BEACON_URL", "ftp://api.drand.sh"),
        ("BEACON_URL", "https://ann:pw@api.drand.sh"),
        ("BEACON_URL", "https://api.drand.sh/?chain=1"),
        ("CORS_ORIGINS", "null"),
    ],
)
def test_an_invalid_value_stops_the_start_without_showing_a_secret(name: str, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_environment({f"TRICKBOOK_{name}": text})
    assert str(caught.value).startswith(f"TRICKBOOK_{name}: ")
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
    assert Config().to_lines() == [
        "TRICKBOOK_DATA=data",
        "TRICKBOOK_DATABASE_URL=",
        "TRICKBOOK_SERVERS=",
        "TRICKBOOK_SHARDS=",
        "TRICKBOOK_ORIGIN=",
        "TRICKBOOK_REGISTRATION=open",
        "TRICKBOOK_GUESTS=on",
        "TRICKBOOK_WEBHOOKS=on",
        "TRICKBOOK_SMTP_URL=",
        "TRICKBOOK_MAIL_FROM=",
        "TRICKBOOK_MAIL_DOMAIN=",
        "TRICKBOOK_MAIL_AUTHSERV=",
        "TRICKBOOK_MAIL_DELAY_S=60",
        "TRICKBOOK_WITNESSES=",
        "TRICKBOOK_BEACON_URL=",
        "TRICKBOOK_URL=",
        "TRICKBOOK_SEATING=asked",
        "TRICKBOOK_TRUSTED_PROXIES=0",
        "TRICKBOOK_LOG=info",
        "TRICKBOOK_CIPHER_KEY=",
        "TRICKBOOK_HEAVY_PROCESSES=1",
        "TRICKBOOK_EXPORT_TIMEOUT_S=3600",
        "TRICKBOOK_STREAMS=2000",
        "TRICKBOOK_STREAMS_BY_ADDRESS=200",
        "TRICKBOOK_STREAMS_BY_PLAYER=20",
        "TRICKBOOK_GAME_EVENTS=20000",
        "TRICKBOOK_HAND_PROPOSALS=20",
        "TRICKBOOK_UNFINISHED_GAMES=100",
        "TRICKBOOK_HOURLY_GAMES=60",
        "TRICKBOOK_FORMING_TABLES=20",
        "TRICKBOOK_HOURLY_QUESTIONS=60",
        "TRICKBOOK_TABLE_INVITATIONS=20",
        "TRICKBOOK_GAME_DISPUTES=10",
        "TRICKBOOK_TEXT_LENGTH=2000",
        "TRICKBOOK_LIMITS=on",
        "TRICKBOOK_CLOCK_JUMP_S=3600",
        "TRICKBOOK_CLOCK_GAP_S=259200",
        "TRICKBOOK_CONNECT_TIMEOUT_S=2",
        "TRICKBOOK_LOCK_TIMEOUT_S=2",
        "TRICKBOOK_STATEMENT_TIMEOUT_S=3",
        "TRICKBOOK_LONG_STATEMENT_TIMEOUT_S=600",
        "TRICKBOOK_METRICS_TOKEN=",
        "TRICKBOOK_INSECURE_LAN=no",
        "TRICKBOOK_CORS_ORIGINS=",
        "TRICKBOOK_ALLOW_UNSAFE_DATABASE=no",
    ]
    assert Limits() != NO_LIMITS


def test_an_invalid_url_is_hidden_whole() -> None:
    assert redact_url("postgresql://ann:s3cret@db:5432/games?what=s3cret") == "(hidden)"
