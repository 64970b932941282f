"""Settings from the environment: accepted values, values that stop the start, and secrets that are never printed."""

from pathlib import Path

import pytest

from api.config import NO_LIMITS, SETTINGS, Config, ConfigError, Limits, redact_url

KEY = "MDEyMzQ1Njc4OWFiY2RlZg=="


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Config.from_environment({"HOME": "/root", "CIPHER_KEY": "stray"}) == Config()


def test_every_setting_is_read() -> None:
    given = {
        "TRICKBOOK_DATA": "here",
        "TRICKBOOK_DATABASE_URL": "postgresql://ann:pw@db/games",
        "TRICKBOOK_ORIGIN": "cards.example/pitch",
        "TRICKBOOK_REGISTRATION": "closed",
        "TRICKBOOK_TRUSTED_PROXIES": "1",
        "TRICKBOOK_LOG": "debug",
        "TRICKBOOK_CIPHER_KEY": KEY,
        "TRICKBOOK_LIMITS": "off",
    }
    assert given.keys() == SETTINGS.keys()
    assert Config.from_environment(given) == Config(
        data=Path("here"),
        database_url="postgresql://ann:pw@db/games",
        origin="cards.example/pitch",
        registration="closed",
        trusted_proxies=1,
        log="debug",
        cipher_key=KEY,
        limits=NO_LIMITS,
    )


def test_an_unknown_setting_stops_the_start_and_is_named() -> None:
    with pytest.raises(ConfigError, match="TRICKBOOK_REGISTRATOIN is not a setting of trickbook; the settings are T"):
        Config.from_environment({"TRICKBOOK_REGISTRATOIN": "closed"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DATA", ""),
        ("DATABASE_URL", "mysql://ann:secret@db/games"),
        ("DATABASE_URL", "postgresql://ann:secret@db:port=1/games?nonsense=1"),
        ("DATABASE_URL", ""),
        ("ORIGIN", ""),
        ("ORIGIN", "https://cards.example"),
        ("ORIGIN", "cards.example/"),
        ("ORIGIN", "Cards.example"),
        ("ORIGIN", "cards+example"),
        ("ORIGIN", "cards example"),
        ("ORIGIN", "cards.example\n"),
        ("ORIGIN", "c" * 201),
        ("REGISTRATION", "invite"),
        ("REGISTRATION", "OPEN"),
        ("TRUSTED_PROXIES", "-1"),
        ("TRUSTED_PROXIES", "10"),
        ("TRUSTED_PROXIES", "٣"),
        ("TRUSTED_PROXIES", ""),
        ("LOG", "loud"),
        ("CIPHER_KEY", "secret"),
        ("CIPHER_KEY", "c2hvcnQ="),
        ("CIPHER_KEY", ""),
        ("LIMITS", "none"),
    ],
)
def test_an_invalid_value_stops_the_start_without_showing_a_secret(name: str, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_environment({f"TRICKBOOK_{name}": text})
    assert str(caught.value).startswith(f"TRICKBOOK_{name}: ")
    assert "secret" not in str(caught.value)


def test_printing_the_settings_hides_the_secrets() -> None:
    config = Config(database_url="postgresql://ann:s3cret@db:5432/games?sslpassword=s3cret", cipher_key=KEY)
    lines = config.to_lines()
    assert [line.partition("=")[0] for line in lines] == list(SETTINGS)
    assert "TRICKBOOK_CIPHER_KEY=(hidden)" in lines
    url = "dbname=games host=db password=(hidden) port=5432 sslpassword=(hidden) user=ann"
    assert f"TRICKBOOK_DATABASE_URL={url}" in lines
    for told in (*lines, repr(config)):
        assert "s3cret" not in told
        assert KEY not in told


def test_the_defaults_are_printed() -> None:
    assert Config().to_lines() == [
        "TRICKBOOK_DATA=data",
        "TRICKBOOK_DATABASE_URL=",
        "TRICKBOOK_ORIGIN=",
        "TRICKBOOK_REGISTRATION=open",
        "TRICKBOOK_TRUSTED_PROXIES=0",
        "TRICKBOOK_LOG=info",
        "TRICKBOOK_CIPHER_KEY=",
        "TRICKBOOK_LIMITS=on",
    ]
    assert Limits() != NO_LIMITS


def test_an_invalid_url_is_hidden_whole() -> None:
    assert redact_url("postgresql://ann:s3cret@db:5432/games?what=s3cret") == "(hidden)"
