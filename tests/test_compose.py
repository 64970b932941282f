"""docker-compose.yml: valid by the compose schema and by further checks."""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from ruamel.yaml import YAML

from api.config import Config
from api.config.settings import RENAMED, SETTINGS
from tests.postgres import Cluster

ROOT = Path(__file__).parent.parent
COMPOSE = ROOT / "docker-compose.yml"
Document = dict[str, Any]
PROGRAMS = ("migrate", "api", "projections", "mail")


@pytest.fixture(scope="module")
def document() -> Document:
    loaded: Document = YAML(typ="safe").load(COMPOSE)
    return loaded


def faults(document: Document) -> Iterator[str]:
    """Return a sentence for each fault that would stop `docker compose up` or start services in the wrong order."""
    for name, service in document["services"].items():
        yield from _dependencies(document["services"], name, service)
        yield from _mounts(document, name, service)
        yield from _secrets(document, name, service)
    for kind in ("volumes", "secrets"):
        for unused in set(document.get(kind, {})) - set(_used(document, kind)):
            yield f"{kind}: {unused} is unused"


def _dependencies(services: Document, name: str, service: Document) -> Iterator[str]:
    for other, how in service.get("depends_on", {}).items():
        if other not in services:
            yield f"{name} depends on {other}, which doesn't exist"
        elif how["condition"] == "service_healthy" and "test" not in services[other].get("healthcheck", {}):
            yield f"{name} waits for {other} to be healthy, but it has no health check"
        elif how["condition"] == "service_completed_successfully" and services[other].get("restart") != "on-failure":
            yield f"{name} waits for {other} to complete, but it restarts forever"


def _mounts(document: Document, name: str, service: Document) -> Iterator[str]:
    for source in _sources(service):
        if source not in document["volumes"]:
            yield f"{name} mounts {source}, which isn't a volume"


def _secrets(document: Document, name: str, service: Document) -> Iterator[str]:
    for secret in service.get("secrets", []):
        if secret not in document.get("secrets", {}):
            yield f"{name} asks for the secret {secret}, which doesn't exist"
        elif "environment" in document["secrets"][secret] and service.get("read_only"):
            yield f"{name} is read-only and can't get {secret} from the environment"


def _sources(service: Document) -> list[str]:
    """Return the volumes of a service, without the files that it mounts."""
    sources = [volume.partition(":")[0] for volume in service.get("volumes", [])]
    return [source for source in sources if not source.startswith("./")]


def _used(document: Document, kind: str) -> Iterator[str]:
    for service in document["services"].values():
        yield from _sources(service) if kind == "volumes" else service.get("secrets", [])


def test_it_is_valid_by_the_compose_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_names_volumes_secrets_and_the_order_of_starting_are_correct(document: Document) -> None:
    assert list(faults(document)) == []


def test_every_anchor_is_used_and_every_alias_has_one() -> None:
    text = COMPOSE.read_text(encoding="utf-8")
    anchors = re.findall(r"(?<=\s)&(\w+)", text)
    assert len(anchors) == len(set(anchors))
    assert set(anchors) == set(re.findall(r"(?<=\s)\*(\w+)", text))


def test_postgresql_17_can_run_read_only_stops_cleanly_and_publishes_no_port(document: Document) -> None:
    postgres = document["services"]["postgres"]
    assert postgres["image"] == "postgres:17"
    assert "postgres:/var/lib/postgresql/data" in postgres["volumes"]
    assert postgres["tmpfs"] == ["/tmp", "/run/postgresql:mode=1777"]  # the server doesn't run as root
    assert (postgres["read_only"], postgres["stop_signal"]) == (True, "SIGINT")
    published = {name: service["ports"] for name, service in document["services"].items() if "ports" in service}
    assert published == {"api": ["127.0.0.1:${PORT:-8000}:8000"], "mail": ["127.0.0.1:${MAIL_PORT:-8024}:8024"]}


def test_every_container_keeps_a_log_that_is_bounded(document: Document) -> None:
    assert {service["logging"]["driver"] for service in document["services"].values()} == {"local"}


def test_migration_api_projections_and_mail_run_the_program_read_only_and_unprivileged(document: Document) -> None:
    commands = {name: document["services"][name]["command"] for name in PROGRAMS}
    assert [words[:2] for words in commands.values()] == [
        ["store", "init"], ["serve", "--no-worker"], ["work"], ["mail", "listen"],
    ]  # fmt: skip
    assert document["services"]["mail"]["profiles"] == ["mail"]  # it needs settings that not every host has
    assert all(document["services"][name]["read_only"] for name in commands)
    assert "USER 10001:10001" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def made_passwords(document: Document, place: Path) -> dict[str, dict[str, int]]:
    """Run the service `password` twice in folders below `place`; return the mode of each file in each volume."""
    service = document["services"]["password"]
    command = [part.replace("$$", "$") for part in (*service["entrypoint"], *service["command"])]
    command = [re.sub(r"/(password|client)\b", rf"{place}/\1", part) for part in command]
    for name in ("password", "client"):
        (place / name).mkdir()
    (place / "password" / "pgpass").touch()  # of an earlier version
    passwords = set()
    for _ in range(2):
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        assert (answer.stdout, answer.stderr) == ("", "")
        files = sorted((place / "password").iterdir())
        passwords.add(tuple(file.read_text().strip() for file in files))
        own = (place / "password" / "postgres").read_text().strip()
        assert (place / "client" / "pgpass").read_text() == f"*:*:*:trickbook:{own}\n"
    ((*made,),) = passwords
    assert [len(password) for password in made] == [48] * len({*made})
    folders = {folder.name: folder for folder in (place / "password", place / "client")}
    assert stat.S_IMODE(folders["password"].stat().st_mode) == 0o750
    return {
        name: {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
        for name, folder in folders.items()
    }


def mounts_of(document: Document) -> dict[str, set[str]]:
    """Return the services that mount each of the two volumes with passwords."""
    return {
        volume: {name for name, service in document["services"].items() if volume in _sources(service)}
        for volume in ("password", "client")
    }


def test_each_password_is_made_once_and_only_postgresql_reads_those_of_its_roles(
    document: Document, tmp_path: Path
) -> None:
    assert made_passwords(document, tmp_path) == {
        "password": {"superuser": 0o640, "postgres": 0o640},
        "client": {"pgpass": 0o600},
    }
    assert mounts_of(document) == {"password": {"password", "postgres"}, "client": {"password", *PROGRAMS}}
    postgres = document["services"]["postgres"]
    assert (postgres["user"], postgres["group_add"], postgres["cap_drop"]) == ("postgres", ["10001"], ["ALL"])
    assert "useradd --uid 10001 --user-group" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_the_role_of_the_program_is_no_superuser_and_owns_its_database(
    postgres_cluster: Cluster, document: Document, tmp_path: Path
) -> None:
    """As the image of PostgreSQL does it, which runs the file once after it has made the data folder."""
    script = ROOT / "docs" / "deploy" / "cluster" / "create_database.sh"
    mounted = f"./{script.relative_to(ROOT)}:/docker-entrypoint-initdb.d/create_database.sh:ro"
    assert mounted in document["services"]["postgres"]["volumes"]
    assert "POSTGRES_USER" not in document["services"]["postgres"]["environment"]
    copy = tmp_path / "create_database.sh"  # the superuser of the tests has the name of the role
    copy.write_text(re.sub(r"\b(ROLE|DATABASE|OWNER) trickbook\b", r"\1 host", script.read_text(encoding="ascii")))
    (tmp_path / "postgres").write_text("a long password")
    superuser = postgres_cluster.server.url("postgres")
    environment = os.environ | {"PASSWORDS": str(tmp_path), "PGHOST": str(postgres_cluster.home), "PGUSER": "trickbook"}
    subprocess.run(["/bin/sh", str(copy)], env=environment, check=True)
    with psycopg.connect(superuser) as connection:
        select = "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication FROM pg_roles WHERE rolname = 'host'"
        assert connection.execute(select).fetchone() == (False,) * 4
        select = "SELECT datdba::regrole::text, datacl::text FROM pg_database WHERE datname = 'host'"
        assert connection.execute(select).fetchone() == ("host", "{host=CTc/host}")


def test_every_command_in_a_container_gets_the_database_and_the_settings(document: Document) -> None:
    """A command of `docker compose exec` gets the environment of the service, but not its entry point."""
    for name in PROGRAMS:
        service = document["services"][name]
        given = dict(line.partition("=")[::2] for line in service["environment"])
        assert "entrypoint" not in service
        assert given["PGPASSFILE"] == "/client/pgpass"
        assert "client:/client:ro" in service["volumes"]
        assert set(SETTINGS) - set(given) == {"TRICKBOOK_DATA"}  # the image sets it
        assert set(RENAMED) <= set(given)  # otherwise GUESTS=off of an old .env would let guests in without a word
        config = Config.from_environment({each: text for each, text in given.items() if each in SETTINGS})
        assert config == Config(database_url="postgresql://trickbook@postgres:5432/trickbook")
