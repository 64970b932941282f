"""docs/deploy: systemd accepts the units, and their commands work; PostgreSQL as set up step by step."""

import re
import shlex
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.api.server.proxies import DEPLOY
from tests.api.server_process import PROGRAM, run_program, server_environment, start_server
from tests.conftest import Database
from tests.docs.markdown import ROOT
from tests.postgres import Cluster

INSTALLED = "/opt/trickbook/bin/trickbook"
UNITS = ("trickbook.service", "trickbook-backup.service", "trickbook-backup.timer")


def command_of(unit: str) -> str:
    """Return the command of a unit as systemd runs it."""
    parser = RawConfigParser(strict=False)
    parser.read(DEPLOY / unit)
    return parser["Service"]["ExecStart"].replace("%%", "%")


def run_backup(data: Path, backups: Path) -> "subprocess.CompletedProcess[str]":
    """Run the command of the backup's unit on other folders."""
    command = command_of("trickbook-backup.service").replace("/var/lib/trickbook", str(data))
    command = command.replace("/var/backups/trickbook", str(backups)).replace(INSTALLED, shlex.join(PROGRAM))
    return subprocess.run(
        shlex.split(command), env=server_environment(), cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd isn't installed")
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_accepts_a_unit(unit: str, tmp_path: Path) -> None:
    for each in UNITS:  # systemd looks for the program
        (tmp_path / each).write_text((DEPLOY / each).read_text(encoding="ascii").replace(INSTALLED, "/bin/true"))
    found = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / unit)], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_the_units_run_the_server_and_its_backups(tmp_path: Path) -> None:
    options = shlex.split(command_of("trickbook.service"))
    assert options[:2] == [INSTALLED, "serve"]
    data, backups = tmp_path / "data", tmp_path / "backups"
    options[options.index("--port") + 1], options[options.index("--data") + 1] = "0", str(data)
    with start_server(Database(None, data), *options[2:]) as server:
        assert httpx.get(f"{server.url}/health/ready", timeout=60).status_code == 200
        made = run_backup(data, backups)
    assert made.returncode == 0, made.stderr
    (folder,) = backups.iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d", folder.name)
    assert (folder / "manifest.json").is_file()
    assert "--keep 14 " in command_of("trickbook-backup.service")


def test_postgres_is_set_up_step_by_step(postgres_cluster: Cluster, tmp_path: Path) -> None:
    """The role of the page needs no right outside its database, which another role can't enter."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    block = re.sub(r"\b(ROLE|OWNER) trickbook\b", r"\1 host", block)  # the superuser of the tests has that name
    with psycopg.connect(postgres_cluster.server.url("postgres"), autocommit=True) as superuser:
        for statement in block.split(";")[:-1]:
            superuser.execute(statement.strip().encode())
        superuser.execute("CREATE ROLE stranger LOGIN")
    owner = re.sub(r"//[^@/]*@", "//host@", postgres_cluster.server.url("trickbook"))
    assert run_program("store", "init", url=owner, ORIGIN="cards.example.com").returncode == 0
    with start_server(Database(owner, tmp_path)) as server:
        assert httpx.get(f"{server.url}/health/ready", timeout=60).status_code == 200
        looked = run_program("doctor", "--data", str(tmp_path / "no"), url=owner)
    assert looked.returncode == 0, looked.stdout
    assert "superuser" not in looked.stdout
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(owner.replace("//host@", "//stranger@"))
