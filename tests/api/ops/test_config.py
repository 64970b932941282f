"""Settings from the environment: accepted values, values that stop the start, and secrets that are never printed."""

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.config import OF_COMMANDS, Config, ConfigError
from api.config.limits import CROWD, NO_LIMITS, NUMBERS, PROFILES, Limits, Rate
from api.config.settings import RENAMED, SETTINGS, ChosenWitness, redact_url
from domain.state import require
from tests.commands import run
from tests.docs.markdown import ROOT
from tests.replay.signing import WITNESS

METRICS_TOKEN = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
USUAL = Limits()
KEY = "MDEyMzQ1Njc4OWFiY2RlZg=="
EAST, WEST = "postgresql://e:secret@db2/cards", "postgresql://w@db3/cards"
ROWS: list[tuple[str, str, str, object]] = [
    ("DATA", "data", "here", Path("here")),
    ("DATABASE_URL", "", "postgresql://ann:pw@db/games", "postgresql://ann:pw@db/games"),
    ("SERVERS", "", f"east={EAST} west={WEST}", (("east", EAST), ("west", WEST))),
    ("ORIGIN", "", "cards.example/pitch", "cards.example/pitch"),
    ("URL", "", "https://example.com/cards/", "https://example.com/cards"),
    ("OPERATOR", "", "The card club", "The card club"),
    ("CONTACT", "", "cards@example.com", "cards@example.com"),
    ("REGISTRATION", "open", "closed", "closed"),
    ("SEATING", "asked", "at-once", "at-once"),
    ("WEBHOOKS", "on", "off", "off"),
    ("LIMITS", "default", "small", "small"),
    ("SMTP_URL", "", "smtps://ann:pw@mail.example:465", "smtps://ann:pw@mail.example:465"),
    ("MAIL_FROM", "", "cards@example.com", "cards@example.com"),
    ("MAIL_DOMAIN", "", "cards.example.com", "cards.example.com"),
    ("MAIL_AUTHSERV", "", "mx.example.com", "mx.example.com"),
    ("WITNESSES", "", f"{WITNESS.key.text} https://w.example/", (ChosenWitness(WITNESS.key, "https://w.example"),)),
    ("BEACON_URL", "", "https://api.drand.sh/", "https://api.drand.sh"),
    ("TRUSTED_PROXIES", "0", "1", 1),
    ("CORS_ORIGINS", "", "https://cards.example.com, http://localhost:5173", ("https://cards.example.com", "http://localhost:5173")),
    ("INSECURE_LAN", "no", "yes", True),
    ("METRICS_TOKEN", "", METRICS_TOKEN, METRICS_TOKEN),
    ("LOG", "info", "debug", "debug"),
    ("CIPHER_KEY", "", KEY, KEY),
    ("ALLOW_UNSAFE_DATABASE", "no", "yes", True),
]  # fmt: skip
"""Each setting, its default as it is printed, another text, and the value of that text."""


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Config.from_environment({"HOME": "/root", "CIPHER_KEY": "stray"}) == Config()


def test_every_setting_is_read() -> None:
    assert {name for name, *_ in ROWS} == {name.removeprefix("TRICKBOOK_") for name in SETTINGS}
    values: dict[str, Any] = {SETTINGS[f"TRICKBOOK_{name}"].field: value for name, _, _, value in ROWS}
    values |= PROFILES["small"]
    assert Config.from_environment({f"TRICKBOOK_{name}": text for name, _, text, _ in ROWS}) == Config(**values)


def test_an_empty_setting_counts_as_unset() -> None:
    assert Config.from_environment(dict.fromkeys(SETTINGS, "")) == Config()


def test_an_unknown_setting_stops_the_start_and_is_named() -> None:
    with pytest.raises(ConfigError, match=r"TRICKBOOK_REGISTRATOIN is not a setting .* are TRICKBOOK_REGISTRATION, T"):
        Config.from_environment({"TRICKBOOK_REGISTRATOIN": "closed"})


INVALID: dict[str, tuple[str, ...]] = {
    "DATABASE_URL": ("mysql://ann:secret@db/games", "postgresql://ann:secret@db:port=1/games?nonsense=1"),
    "SERVERS": ("east", "east=mysql://x", "home=postgresql://x", "east=http://u:secret@x/y"),
    "ORIGIN": (
        "https://cards.example", "cards.example/", "Cards.example", "cards+example", "cards example",
        "cards.example\n", "c" * 201,
    ),
    "REGISTRATION": ("invite", "OPEN"),
    "WEBHOOKS": ("yes",),
    "SMTP_URL": ("mail.example", "http://ann:secret@mail.example", "smtp://ann:secret@mail.example:port"),
    "MAIL_FROM": ("cards",),
    "MAIL_DOMAIN": ("Cards example",),
    "MAIL_AUTHSERV": ("a b",),
    "URL": (
        "cards.example.com", "https://example.com//cards", "https://example.com/cards?x", "https://example.com/../cards",
        "https://example.com/a b", 'https://example.com/"', "https://example.com/games", "https://example.com/api/cards",
    ),
    "SEATING": ("at once",),
    "TRUSTED_PROXIES": ("-1", "10", "٣"),
    "LOG": ("loud",),
    "CIPHER_KEY": ("secret", "c2hvcnQ="),
    "LIMITS": ("none", "on", "missing/limits.toml"),
    "OPERATOR": ("a\nb", "x" * 201),
    "CONTACT": ("ann", "javascript:alert(1)"),
    "ALLOW_UNSAFE_DATABASE": ("true",),
    "INSECURE_LAN": ("on",),
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
        assert str(caught.value).startswith((f"TRICKBOOK_{name}: ", f"TRICKBOOK_{name}={text} is ")), text
        assert "secret" not in str(caught.value)


def test_a_host_can_hold_all_settings_in_mind() -> None:
    assert len(SETTINGS) + len(OF_COMMANDS) <= 25
    assert {each.field for each in SETTINGS.values()} <= {each.name for each in fields(Config)}
    assert NUMBERS.keys() <= {each.name for each in fields(Config)}


def test_a_profile_sets_the_numbers() -> None:
    usual = Config.from_environment({})
    small = Config.from_environment({"TRICKBOOK_LIMITS": "small"})
    large = Config.from_environment({"TRICKBOOK_LIMITS": "large"})
    assert small.hourly_games < usual.hourly_games < large.hourly_games
    assert small.streams < usual.streams < large.streams
    assert (small.limits, usual.limits, large.limits) == (Limits(), Limits(), CROWD)
    assert not Config.from_environment({"TRICKBOOK_LIMITS": "off"}).is_limited


@pytest.mark.parametrize("public", [{"URL": "https://cards.example.com"}, {"TRUSTED_PROXIES": "1"}])
def test_limits_are_off_on_loopback_alone(public: dict[str, str]) -> None:
    off = {"TRICKBOOK_LIMITS": "off", **{f"TRICKBOOK_{name}": text for name, text in public.items()}}
    with pytest.raises(ConfigError, match="is for this machine alone"):
        Config.from_environment(off)
    assert Config.from_environment(off | {"TRICKBOOK_LIMITS": "small"}).is_limited


def test_a_server_that_others_reach_keeps_its_limits(tmp_path: Path) -> None:
    off = {"TRICKBOOK_LIMITS": "off"}
    refused = CliRunner().invoke(main, ["serve", "--host", "0.0.0.0", "--data", str(tmp_path)], env=off)
    assert (refused.exit_code, "serve on 127.0.0.1 without a proxy" in refused.output) == (2, True)


def test_config_prints_each_setting_with_its_meaning() -> None:
    lines = run("config").stdout.splitlines()
    assert lines[::2] == [f"# {each.meaning}" for each in SETTINGS.values()]
    assert lines[1::2] == Config().to_lines()
    assert run("config", "--limits").stdout.splitlines() == Config().to_numbers()


def test_the_page_of_operations_names_the_limits_that_hold() -> None:
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").replace(",", "")
    section = " ".join(text.partition("\n## Limits")[2].partition("\n## ")[0].split())
    said = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", section)
    named: dict[str, tuple[Rate | None, ...]] = {
        r"(\d+) wrong passwords in 30 seconds (\d+) unknown tokens in 60": (
            USUAL.guesses_by_address, USUAL.unknown_tokens,
        ),
        r"(\d+) registrations and (\d+) guests in 10 minutes": (USUAL.registrations, USUAL.guests),
        r"(\d+) units of heavy work a minute": (USUAL.heavy_by_address,),
        r"player: (\d+) units (\d+) branches (\d+) receipts and (\d+) messages a minute": (
            USUAL.heavy_by_player, USUAL.branches, USUAL.receipt_requests, USUAL.messages,
        ),
        r"(\d+) mails and rulebooks (\d+) reports and (\d+) blocks an hour": (
            USUAL.mails, USUAL.conduct_reports, USUAL.blocks,
        ),
    }  # fmt: skip
    for words, chosen in named.items():
        found = re.search(words, said)
        assert found is not None, words
        rates = [require(rate) for rate in chosen]
        assert [int(count) for count in found.groups()] == [rate.count for rate in rates]
        assert len({rate.window_s for rate in rates}) == (2 if "tokens" in words else 1)
    assert USUAL.rulebooks == USUAL.mails


def test_a_file_sets_single_numbers_of_a_profile(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    file.write_text('profile = "large"\nhourly_games = 7\n')
    config = Config.from_environment({"TRICKBOOK_LIMITS": str(file)})
    large = Config.from_environment({"TRICKBOOK_LIMITS": "large"})
    assert config == replace(large, profile=str(file), hourly_games=7)
    assert f"TRICKBOOK_LIMITS={file}" in config.to_lines(changed=True)


def test_the_numbers_that_are_printed_can_be_read_again(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    small = Config.from_environment({"TRICKBOOK_LIMITS": "small"})
    file.write_text("\n".join(small.to_numbers()))
    assert Config.from_environment({"TRICKBOOK_LIMITS": str(file)}) == replace(small, profile=str(file))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hourly_gmes = 7", "there is no hourly_gmes; the most similar ones are hourly_games"),
        ("hourly_games = 0", "hourly_games: expected a whole number from 1 to 1000000, got 0"),
        ("hourly_games = true", "got True"),
        ("game_events = 99", "from 100 to"),
        ('profile = "huge"', "expected a profile of small, default, large, off, got 'huge'"),
        ("hourly_games", "isn't TOML"),
    ],
)
def test_an_invalid_number_in_the_file_stops_the_start(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "limits.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=re.escape(reason)):
        Config.from_environment({"TRICKBOOK_LIMITS": str(file)})


def test_a_setting_of_version_0_2_stops_the_start_and_its_new_name_and_value_are_said() -> None:
    old = {"HOURLY_GAMES": "90", "GUESTS": "off", "SHARDS": "4", "CLOCK_GAP_S": "9", "LIMITS": "on", "STREAMS": ""}
    with pytest.raises(ConfigError) as caught:
        Config.from_environment({f"TRICKBOOK_{name}": text for name, text in old.items()})
    assert str(caught.value) == (
        "TRICKBOOK_CLOCK_GAP_S=9 was a setting of version 0.2: remove it: it can't be changed any more\n"
        "TRICKBOOK_GUESTS=off was a setting of version 0.2: GUESTS=off is TRICKBOOK_REGISTRATION=no-guests now;"
        " otherwise remove it\n"
        "TRICKBOOK_HOURLY_GAMES=90 was a setting of version 0.2: write `hourly_games = 90` into a file, and set"
        " TRICKBOOK_LIMITS to its path\n"
        "TRICKBOOK_SHARDS=4 was a setting of version 0.2: remove it: the store keeps its number; for a new one, run"
        " `trickbook store init --shards 4`\n"
        "TRICKBOOK_LIMITS=on is TRICKBOOK_LIMITS=default now"
    )
    assert {f"TRICKBOOK_{name}" for name in old if name != "LIMITS"} <= RENAMED.keys()
    assert RENAMED.keys().isdisjoint(SETTINGS)


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
