"""docs/deploy/cluster: valid, consistent, and the files that `make cluster` runs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from importlib.metadata import requires
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from psycopg.conninfo import conninfo_to_dict
from ruamel.yaml import YAML

from api.config import Config
from api.config.settings import SETTINGS
from tests import postgres
from tests.api.server_process import start_server
from tests.campaigns.cluster.group import node_variables
from tests.campaigns.cluster.programs import DEPLOY, FILES, PASSWORDS, Programs, free_ports
from tests.conftest import Database
from tests.programs import need_program
from tests.test_compose import faults, made_passwords, mounts_of
from tests.waiting import wait_until

Document = dict[str, Any]
ROOT = Path(__file__).parents[3]
NODES = ("postgres1", "postgres2", "postgres3")
MEMBERS = ("etcd1", "etcd2", "etcd3")


@pytest.fixture(scope="module")
def compose() -> Document:
    loaded: Document = YAML(typ="safe").load(DEPLOY / "compose.yaml")
    return loaded


def test_the_compose_file_is_valid_by_its_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    answer = subprocess.run([*command, str(DEPLOY / "compose.yaml")], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_its_volumes_and_the_order_of_starting_are_correct(compose: Document) -> None:
    assert (DEPLOY / "Caddyfile").exists()
    assert list(faults(compose)) == []


def test_it_has_three_nodes_of_postgresql_three_of_etcd_two_of_trickbook_and_two_workers(compose: Document) -> None:
    services = compose["services"]
    assert {*NODES, *MEMBERS, "api1", "api2", "worker1", "worker2", "proxy"} <= {*services}
    assert all(services[name]["command"][:2] == ["serve", "--no-worker"] for name in ("api1", "api2"))
    assert all(services[name]["command"] == ["work"] for name in ("worker1", "worker2"))
    assert [name for name, service in services.items() if "ports" in service] == ["mail", "proxy"]
    assert {service["logging"]["driver"] for service in services.values()} == {"local"}
    assert all(service.get("volumes", [""])[0].startswith(name) for name, service in services.items() if name in NODES)


def test_a_node_gets_the_variables_that_the_campaign_gives_it(compose: Document) -> None:
    """Only the values differ, so that the campaign tries what the compose file starts."""
    for name in NODES:
        service = compose["services"][name]
        given, address = service["environment"], (name, 5432, 8008)
        folder = Path(given["PATRONI_POSTGRESQL_DATA_DIR"]).parent
        expected = node_variables("home", name, ",".join(f"'{each}:2379'" for each in MEMBERS), address, folder)
        assert given.keys() == {"PASSWORDS", *expected}, name
        for variable in ("PATRONI_NAME", "PATRONI_ETCD3_HOSTS", "PATRONI_RESTAPI_CONNECT_ADDRESS",
                         "PATRONI_POSTGRESQL_CONNECT_ADDRESS"):  # fmt: skip
            assert given[variable] == expected[variable], (name, variable)
        assert f"{name}:{folder}" in service["volumes"], name


def test_a_member_of_etcd_names_itself_and_all_members(compose: Document) -> None:
    for name in MEMBERS:
        environment = compose["services"][name]["environment"]
        assert environment["ETCD_NAME"] == name
        assert environment["ETCD_ADVERTISE_CLIENT_URLS"] == f"http://{name}:2379"
        peers = dict(each.split("=", 1) for each in environment["ETCD_INITIAL_CLUSTER"].split(","))
        assert peers == {each: f"http://{each}:2380" for each in MEMBERS}
        assert environment["ETCD_INITIAL_ADVERTISE_PEER_URLS"] == peers[name]


def test_trickbook_knows_every_node_and_writes_to_the_primary(compose: Document) -> None:
    for name in ("migrate", "api1", "api2", "worker1", "worker2", "mail"):
        given = compose["services"][name]["environment"]
        config = Config.from_environment({each: text for each, text in given.items() if each in SETTINGS})
        parts = conninfo_to_dict(config.database_url or "")
        assert (parts["host"], parts["port"]) == (",".join(NODES), "5432,5432,5432"), name
        assert (parts["target_session_attrs"], given["PGPASSFILE"]) == ("read-write", "/client/pgpass"), name


def test_each_password_is_made_once_and_only_the_nodes_read_those_of_their_roles(
    compose: Document, tmp_path: Path
) -> None:
    assert made_passwords(compose, tmp_path) == {
        "password": dict.fromkeys(PASSWORDS, 0o640),
        "client": {"pgpass": 0o600},
    }
    programs = {"migrate", "api1", "api2", "worker1", "worker2", "mail"}
    assert mounts_of(compose) == {"password": {"password", *NODES}, "client": {"password", *programs}}
    for name in NODES:
        assert (compose["services"][name]["group_add"], compose["services"][name]["cap_drop"]) == (["10001"], ["ALL"])


def test_the_image_holds_the_files_and_the_versions_that_the_campaign_runs() -> None:
    text = (DEPLOY / "patroni.Dockerfile").read_text(encoding="ascii")
    assert f"COPY {' '.join(FILES)} /opt/cluster/" in text
    assert "pip install --no-cache-dir --require-hashes -r /opt/cluster/requirements.txt" in text
    pinned, dev = (pins(path) for path in (DEPLOY / "requirements.txt", ROOT / "requirements-dev.txt"))
    assert {name: dev[name] for name in pinned} == pinned
    assert closure_of("patroni[etcd3,psycopg3]") <= pinned.keys()
    hadolint = Path(sys.executable).parent / "hadolint"
    command = [str(hadolint), "--ignore", "DL3008", "--ignore", "DL3066", str(DEPLOY / "patroni.Dockerfile")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout


def pins(path: Path) -> dict[str, tuple[str, list[str]]]:
    """Return version and hashes of each package in a file of requirements."""
    text = path.read_text(encoding="ascii").replace(" \\\n", " ")
    lines = [line.split("--hash=") for line in text.splitlines() if line.strip()]
    named = [(Requirement(first.partition(" ;")[0]), rest) for first, *rest in lines]
    return {
        canonicalize_name(each.name): (str(each.specifier), [part.strip() for part in rest]) for each, rest in named
    }


def closure_of(text: str) -> set[str]:
    """Return the names of all packages that one needs on Linux, as those that are installed say."""
    found, waiting = dict[str, set[str]](), [Requirement(text)]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found and wanted.extras <= found[name]:
            continue
        found.setdefault(name, set()).update(wanted.extras)
        extras = {"", *wanted.extras}
        needed = [Requirement(each) for each in requires(wanted.name) or []]
        waiting += [
            each for each in needed if each.marker is None or any(each.marker.evaluate({"extra": ex}) for ex in extras)
        ]
    return {*found}


def test_commits_wait_for_a_standby_and_time_limits_fit() -> None:
    dcs = YAML(typ="safe").load(DEPLOY / "patroni.yaml")["bootstrap"]["dcs"]
    assert (dcs["synchronous_mode"], dcs["synchronous_node_count"]) == ("quorum", 1)
    assert (dcs["primary_start_timeout"], dcs["synchronous_mode_strict"]) == (0, False)
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"]


def validate(programs: Programs, folder: Path, spoil: Callable[[str], str] = str) -> str:
    """Return the faults that Patroni finds in its configuration, except those of an address that is local."""
    (folder / "patroni.yaml").write_text(spoil((DEPLOY / "patroni.yaml").read_text(encoding="ascii")))
    shutil.copy(DEPLOY / "node.sh", folder)
    port, rest = free_ports(2)
    own = node_variables("home", "home1", "'127.0.0.1:2379'", ("127.0.0.1", port, rest), folder)
    programs.own(folder)
    command = ["/bin/sh", str(folder / "node.sh"), "patroni", "--validate-config", "patroni.yaml"]
    environment = programs.environment | own
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **postgres.run_as())
    assert "Traceback" not in ran.stderr, ran.stderr
    lines = (ran.stdout + ran.stderr).splitlines()
    return "\n".join(line for line in lines if "must not contain" not in line and "is not reachable" not in line)


@pytest.mark.slow
def test_patroni_finds_no_fault_in_its_configuration_but_in_a_spoiled_one() -> None:
    place = postgres.short_folder()
    with postgres.new_folder(place) as home, postgres.new_folder(place) as folder:
        programs = Programs(home)
        assert validate(programs, folder) == ""
        assert "ttl" in validate(programs, folder, lambda text: text.replace("ttl: 20", "ttl: soon"))


@pytest.mark.slow
def test_the_proxy_sends_requests_to_the_node_that_is_left(tmp_path: Path) -> None:
    caddy, (port,) = need_program("caddy"), free_ports(1)
    database = Database(None, tmp_path / "data")
    with ExitStack() as stack:
        nodes = [stack.enter_context(start_server(database)) for _ in range(2)]
        text = (DEPLOY / "Caddyfile").read_text(encoding="ascii")
        changes = {"\n{\n": "\n{\n\tadmin off\n", ":8080 {": f"http://:{port} {{",
                   "api1:8000 api2:8000": " ".join(urlsplit(each.url).netloc for each in nodes)}  # fmt: skip
        for old, new in changes.items():
            assert text.count(old) == 1
            text = text.replace(old, new)
        (tmp_path / "Caddyfile").write_text(text)
        command = [caddy, "run", "--config", str(tmp_path / "Caddyfile"), "--adapter", "caddyfile"]
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        proxy = stack.enter_context(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))
        stack.callback(proxy.kill)
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: _status(f"{url}/health/live") == 200, "the proxy doesn't answer")
        assert _status(f"{url}/metrics") == 404
        nodes[0].kill()
        assert [_status(f"{url}/api/v1/variants") for _ in range(20)] == [200] * 20


def _status(url: str) -> int:
    try:
        return httpx.get(url, timeout=30).status_code
    except httpx.TransportError:
        return 0


def test_the_shell_scripts_are_valid() -> None:
    for name in ("node.sh", "create_database.sh"):
        assert subprocess.run(["/bin/sh", "-n", DEPLOY / name], check=False).returncode == 0
        assert os.access(DEPLOY / name, os.X_OK)
