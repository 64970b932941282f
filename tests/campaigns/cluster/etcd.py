"""Three members of etcd, of which any one can be killed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.campaigns.cluster.programs import CannotRun, Programs, Running, free_ports
from tests.campaigns.traffic.load import kill
from tests.programs import find_program
from tests.waiting import wait_for, wait_until

MEMBERS = 3


@dataclass
class Member:
    """A member of etcd."""

    name: str
    client: str
    peer: str
    folder: Path
    running: Running | None = None

    def status(self) -> dict[str, str]:
        """Return the member's own id as `member_id`, and that of the leader as it knows it; nothing if it's down."""
        try:
            answer = httpx.post(f"{self.client}/v3/maintenance/status", json={}, timeout=5)
        except httpx.TransportError:
            return {}
        found = answer.json()
        return (
            {"member_id": found["header"]["member_id"], "leader": found.get("leader", "0")} if answer.is_success else {}
        )


class Etcd:
    """A cluster of etcd on this machine."""

    def __init__(self, programs: Programs) -> None:
        program = find_program("etcd")
        if program is None:
            raise CannotRun("etcd isn't installed: apt-get install etcd-server")
        self._program, self._programs = program, programs
        ports = [f"http://127.0.0.1:{port}" for port in free_ports(2 * MEMBERS)]
        self.members = [
            Member(f"etcd{number + 1}", ports[2 * number], ports[2 * number + 1], programs.folder(f"etcd{number + 1}"))
            for number in range(MEMBERS)
        ]

    @property
    def hosts(self) -> str:
        """The addresses for Patroni."""
        return ",".join(f"'{each.client.removeprefix('http://')}'" for each in self.members)

    def start(self, member: Member) -> None:
        """Start a member, for the first time or again."""
        members = ",".join(f"{each.name}={each.peer}" for each in self.members)
        command = [self._program, "--name", member.name, "--data-dir", str(member.folder / "data"),
                   "--listen-client-urls", member.client, "--advertise-client-urls", member.client,
                   "--listen-peer-urls", member.peer, "--initial-advertise-peer-urls", member.peer,
                   "--initial-cluster", members, "--initial-cluster-token", "trickbook"]  # fmt: skip
        member.running = Running(command, self._programs.environment, member.folder / "log")

    def kill(self, member: Member) -> None:
        """Kill a member."""
        assert member.running is not None
        kill(member.running.pid)
        member.running.stop()

    def leader(self) -> Member:
        """Return the member that leads, once one does."""

        def leaders() -> list[Member]:
            said = ((each, each.status()) for each in self.members)
            return [each for each, status in said if status and status["leader"] == status["member_id"]]

        return wait_for(leaders, lambda found: len(found) == 1, "etcd has no leader")[0]

    def is_whole(self) -> bool:
        """Return whether all members agree about a leader."""
        leaders = {each.status().get("leader", "0") for each in self.members}
        return len(leaders) == 1 and leaders != {"0"}

    def stop(self) -> None:
        """Kill all members."""
        for each in self.members:
            if each.running is not None:
                each.running.stop()


@contextmanager
def running_etcd(programs: Programs) -> Iterator[Etcd]:
    """Run the members."""
    etcd = Etcd(programs)
    try:
        for each in etcd.members:
            etcd.start(each)
        wait_until(etcd.is_whole, "etcd doesn't start")
        yield etcd
    finally:
        etcd.stop()
