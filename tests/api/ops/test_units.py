"""docs/deploy: systemd accepts the units, and their commands work; PostgreSQL as set up step by step."""

import re
import shlex
import shutil
import subprocess
from configparser import RawConfigParser, SectionProxy
from pathlib import Path
from typing import Any

import click
import httpx
import psycopg
import pytest
from ruamel.yaml import YAML

from api.cli.main import main
from api.config import Config
from api.server.serve import LONGEST_STOP_S
from tests.api.conftest import MakeApp, services_of
from tests.api.server.proxies import DEPLOY
from tests.api.server_process import server_environment, start_server
from tests.commands import run
from tests.conftest import Database
from tests.docs.markdown import ROOT
from tests.postgres import Cluster
from tests.waiting import wait_until

INSTALLED = "/opt/trickbook/bin/trickbook"
SERVICES = ("trickbook.service", "trickbook-mail.service", "trickbook-backup.service")
UNITS = (*SERVICES, "trickbook-backup.timer")


def settings_of(unit: str) -> SectionProxy:
    """Return what a unit says about its service."""
    parser = RawConfigParser(strict=False)
    parser.read(DEPLOY / unit)
    return parser["Service"]


def command_of(unit: str) -> str:
    """Return the command of a unit as systemd runs it."""
    return settings_of(unit)["ExecStart"].replace("%%", "%")


def run_backup(program: Path, data: Path, backups: Path) -> "subprocess.CompletedProcess[str]":
    """Run the command of the backup's unit on other folders."""
    command = command_of("trickbook-backup.service").replace("/var/lib/trickbook", str(data))
    command = command.replace("/var/backups/trickbook", str(backups)).replace(INSTALLED, str(program))
    return subprocess.run(
        shlex.split(command), env=server_environment(), cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_commands_of_a_host_have_the_settings_of_the_page_and_their_arguments_as_typed(
    tmp_path: Path, program_path: Path
) -> None:
    lines = re.findall(r"^TRICKBOOK_\w+=.*$", (ROOT / "docs" / "host.md").read_text(encoding="utf-8"), re.MULTILINE)
    (tmp_path / "env").write_text("\n".join(line for line in lines if "output of" not in line))
    text = (DEPLOY / "trickbook").read_text(encoding="ascii").replace("sudo -u trickbook ", "")
    text = text.replace("/etc/trickbook/env", str(tmp_path / "env")).replace(INSTALLED, str(program_path / "trickbook"))
    (tmp_path / "run").write_text(text)

    def run_as_host(*typed: str) -> str:
        command, environ = ["sh", str(tmp_path / "run"), *typed], server_environment()
        done = subprocess.run(command, env=environ, cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert {"TRICKBOOK_DATA=/var/lib/trickbook", "TRICKBOOK_OPERATOR=The Card Club"} <= set(
        run_as_host("config").splitlines()
    )
    assert "No such command 'a b'" in run_as_host("user", "a b")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd isn't installed")
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_accepts_a_unit(unit: str, tmp_path: Path) -> None:
    for each in UNITS:  # systemd looks for the program
        (tmp_path / each).write_text((DEPLOY / each).read_text(encoding="ascii").replace(INSTALLED, "/bin/true"))
    found = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / unit)], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_the_units_run_the_server_and_its_backups(tmp_path: Path, program_path: Path) -> None:
    options = shlex.split(command_of("trickbook.service"))
    assert options[:2] == [INSTALLED, "serve"]
    data, backups = tmp_path / "data", tmp_path / "backups"
    options[options.index("--port") + 1], options[options.index("--data") + 1] = "0", str(data)
    with start_server(Database(None, data), *options[2:]) as server:
        assert httpx.get(f"{server.url}/health/ready", timeout=60).status_code == 200
        made = run_backup(program_path / "trickbook", data, backups)
    assert made.returncode == 0, made.stderr
    (folder,) = backups.iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d", folder.name)
    assert (folder / "manifest.json").is_file()
    assert "--keep 14 " in command_of("trickbook-backup.service")


def test_each_unit_has_the_settings_and_the_data_of_the_server_and_its_command_can_be_read() -> None:
    shared = ("User", "Group", "EnvironmentFile", "StateDirectory", "StateDirectoryMode", "UMask")
    for unit in SERVICES:
        found = settings_of(unit)
        assert {name: found[name] for name in shared} == {name: settings_of(SERVICES[0])[name] for name in shared}
        words = shlex.split(command_of(unit).removeprefix("/bin/sh -c '").removeprefix("exec ").removesuffix("'"))
        command, options = read_command(words[words.index(INSTALLED) + 1 :])
        assert options["data"] == Path("/var/lib", found["StateDirectory"]), command


def test_every_way_to_run_the_server_gives_it_longer_to_stop_than_it_may_take() -> None:
    page = " ".join((ROOT / "docs" / "operations.md").read_text(encoding="utf-8").split())
    assert f"leaves within {LONGEST_STOP_S:.0f} seconds" in page
    found = {"trickbook.service": settings_of("trickbook.service")["TimeoutStopSec"]}
    for path in (ROOT / "docker-compose.yml", DEPLOY / "cluster" / "compose.yaml"):
        for name, service in YAML(typ="safe").load(path)["services"].items():
            if service.get("command", [""])[0] in ("serve", "work", "mail"):
                found[f"{path.name} {name}"] = service["stop_grace_period"].removesuffix("s")
    assert len(found) == 1 + 3 + 5
    assert {name: text for name, text in found.items() if int(text) < LONGEST_STOP_S + 5} == {}


def read_command(words: list[str]) -> tuple[str, dict[str, Any]]:
    """Return the name of a command and its options, as the program reads them."""
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group):
        name, found, words = command.resolve_command(context, words)
        assert found is not None, name
        command = found
    with command.make_context(command.name, words) as made:
        return str(command.name), made.params


def test_postgres_is_set_up_step_by_step_and_settings_that_lose_moves_are_named(
    postgres_cluster: Cluster, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The role of the page needs no right outside its database, which another role can't enter."""
    page = (ROOT / "docs" / "postgresql.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    block = re.sub(r"\b(ROLE|OWNER) trickbook\b", r"\1 host", block)  # the superuser of the tests has that name
    with psycopg.connect(postgres_cluster.server.url("postgres"), autocommit=True) as superuser:
        for statement in block.split(";")[:-1]:
            superuser.execute(statement.strip().encode())
        superuser.execute("CREATE ROLE stranger LOGIN")
        owner = re.sub(r"//[^@/]*@", "//host@", postgres_cluster.server.url("trickbook"))
        at = Config(data=tmp_path / "no", database_url=owner, origin="cards.example.com")
        monkeypatch.setenv("TRICKBOOK_ORIGIN", "cards.example.com")
        assert run("store", "init", at=at).exit_code == 0
        services_of(make_app(at)).clock.beat()
        looked = run("doctor", at=at)
        assert (looked.exit_code, "superuser" in looked.stdout) == (0, False), looked.stdout
        superuser.execute("ALTER SYSTEM SET autovacuum = off")
        superuser.execute("SELECT pg_reload_conf()")
        wait_until(lambda: run("doctor", at=at).exit_code == 1)
    assert "autovacuum" in run("doctor", at=at).stdout
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(owner.replace("//host@", "//stranger@"))
