"""A group of PostgreSQL nodes under Patroni: which is primary, killing it, and bringing it back."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.api.server.test_supervisor import children_of
from tests.campaigns.cluster.etcd import Etcd
from tests.campaigns.cluster.programs import Programs, Running, free_ports
from tests.campaigns.traffic.load import kill
from tests.postgres import run_as
from tests.waiting import wait_for, wait_until

START_WITHIN_S = 300.0
ANSWER_WITHIN_S = 2.0


@dataclass
class Node:
    """One PostgreSQL node with its Patroni."""

    name: str
    port: int
    rest: int
    folder: Path
    running: Running | None = None

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.folder / "data"

    def ask(self, path: str) -> httpx.Response | None:
        """Return the answer of Patroni's interface; None if it doesn't answer."""
        with suppress(httpx.TransportError):
            return httpx.get(f"http://127.0.0.1:{self.rest}/{path}", timeout=ANSWER_WITHIN_S)
        return None

    def is_primary(self) -> bool:
        """Return whether Patroni says that this node is the primary and holds the lock."""
        answer = self.ask("primary")
        return answer is not None and answer.status_code == 200

    def kill_postgres(self) -> None:
        """Kill every process of PostgreSQL, and leave Patroni alone."""
        postmaster = self._postmaster()
        processes = children_of(postmaster)
        for pid in (postmaster, *processes):
            kill(pid)

    def kill(self) -> None:
        """Kill Patroni and every process of PostgreSQL, as if the machine were gone."""
        assert self.running is not None
        kill(self.running.pid)
        with suppress(FileNotFoundError):
            self.kill_postgres()
        self.running.stop()

    def freeze(self) -> None:
        """Stop Patroni and every process of PostgreSQL: they keep their connections, and don't answer."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        assert self.running is not None
        postmaster = self._postmaster()
        for pid in (self.running.pid, postmaster, *children_of(postmaster)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def pause_senders(self) -> int:
        """Stop the processes that send the log to standbys, and return their number."""
        senders = [pid for pid in children_of(self._postmaster()) if "walsender" in _command(pid)]
        for pid in senders:
            os.kill(pid, signal.SIGSTOP)
        return len(senders)

    def _postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text(encoding="ascii").split()[0])


class Group:
    """Nodes of one database, which replace each other."""

    def __init__(self, programs: Programs, etcd: Etcd, name: str, size: int) -> None:
        self.name, self._programs, self._etcd = name, programs, etcd
        ports = free_ports(2 * size)
        self.nodes = [
            Node(f"{name}{number + 1}", ports[2 * number], ports[2 * number + 1],
                 programs.folder(f"{name}{number + 1}"))
            for number in range(size)
        ]  # fmt: skip

    @property
    def url(self) -> str:
        """The URL of the database, with every node in it, as docs/postgresql.md says."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        user = f"trickbook:{self._programs.password('postgres')}"
        return f"postgresql://{user}@{hosts}/trickbook?target_session_attrs=read-write"

    def start(self, node: Node) -> None:
        """Start a node, for the first time or again."""
        node.running = Running(self._programs.node, self._environment(node), node.folder / "log", node.data)

    def switch_over(self, node: Node, successor: Node) -> None:
        """Make another node the primary, as an operator does before work on a machine."""
        words = ["patronictl", "-c", "patroni.yaml", "switchover", "--leader", node.name, "--candidate", successor.name]
        command, environment = [*self._programs.node, *words, "--force"], self._environment(node)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **run_as())
        assert done.returncode == 0, done.stdout + done.stderr
        wait_until(lambda: self.primary() is successor, f"{successor.name} isn't primary", START_WITHIN_S)

    def _environment(self, node: Node) -> dict[str, str]:
        address = "127.0.0.1", node.port, node.rest
        return self._programs.environment | node_variables(self.name, node.name, self._etcd.hosts, address, node.folder)

    def primary(self) -> Node:
        """Return the primary, once there is one."""

        def primaries() -> list[Node]:
            return [node for node in self.nodes if node.is_primary()]

        return wait_for(primaries, lambda found: len(found) == 1, f"{self.name} has no primary", START_WITHIN_S)[0]

    def successor_of(self, node: Node) -> Node:
        """Return the next primary, once there is one."""
        wait_until(lambda: self.primary() is not node, f"nobody replaces {node.name}", START_WITHIN_S)
        return self.primary()

    def is_whole(self) -> bool:
        """Return whether every standby follows the primary, and may replace it without a loss."""
        members = self._members()
        roles = sorted(each["role"] for each in members if each["state"] in ("running", "streaming"))
        return roles == ["leader", *["quorum_standby"] * (len(self.nodes) - 1)]

    def wait_until_whole(self) -> None:
        """Wait until all nodes run, and every standby has what the primary has."""
        try:
            wait_until(self.is_whole, f"{self.name} isn't whole", START_WITHIN_S)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self._members()}\n{self._logs()}") from None

    def use_asynchronous_replication(self) -> None:
        """Let commits wait for no standby from now on."""
        node = self.primary()
        credentials = ("patroni", self._programs.password("restapi"))
        change = {"synchronous_mode": False}
        httpx.patch(f"http://127.0.0.1:{node.rest}/config", json=change, auth=credentials).raise_for_status()
        wait_until(
            lambda: [each["role"] for each in self._members()].count("replica") == len(self.nodes) - 1,
            "the standbys are still synchronous",
        )

    def stop(self) -> None:
        """Kill all nodes."""
        for node in self.nodes:
            if node.running is not None:
                node.kill()

    def _members(self) -> list[dict[str, Any]]:
        for node in self.nodes:
            answer = node.ask("cluster")
            if answer is not None and answer.is_success:
                return list(answer.json()["members"])
        return []

    def _logs(self) -> str:
        return "\n".join((node.folder / "log").read_text(errors="replace")[-2000:] for node in self.nodes)


def node_variables(scope: str, name: str, etcd: str, address: tuple[str, int, int], folder: Path) -> dict[str, str]:
    """Return the variables of a node: its group, its name, the hosts of etcd, its host and two ports, its folder."""
    host, port, rest = address
    return {
        "PATRONI_SCOPE": scope,
        "PATRONI_NAME": name,
        "PATRONI_ETCD3_HOSTS": etcd,
        "PATRONI_RESTAPI_LISTEN": f"{host}:{rest}",
        "PATRONI_RESTAPI_CONNECT_ADDRESS": f"{host}:{rest}",
        "PATRONI_POSTGRESQL_LISTEN": f"{host}:{port}",
        "PATRONI_POSTGRESQL_CONNECT_ADDRESS": f"{host}:{port}",
        "PATRONI_POSTGRESQL_DATA_DIR": str(folder / "data"),
        "PATRONI_POSTGRESQL_PGPASS": str(folder / "pgpass"),
    }


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    return ""


@contextmanager
def running_group(programs: Programs, etcd: Etcd, name: str, size: int) -> Iterator[Group]:
    """Run a group, and wait until it's whole."""
    group = Group(programs, etcd, name, size)
    try:
        for node in group.nodes:
            group.start(node)
        group.wait_until_whole()
        yield group
    finally:
        group.stop()
