"""Which processes can be killed, and how to find them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.api.server.test_supervisor import children_of, niceness
from tests.api.server_process import ServerProcess
from tests.campaigns.traffic.load import kill
from tests.postgres import Cluster

LISTENING = "0A"


def process_ids(serving: ServerProcess) -> dict[str, int]:
    """Return the process ids of a server by the names of its processes. A process that is starting may be absent."""
    found = {"supervisor": serving.process.pid}
    sockets = _listening_sockets(urlsplit(serving.url).port or 0)
    for pid in children_of(serving.process.pid):
        with suppress(ProcessLookupError, PermissionError):
            if niceness(pid):
                found["heavy"] = pid
            elif sockets & set(_open_files(pid)):
                found["requests"] = pid
            else:
                found["worker"] = pid
    return found


def _listening_sockets(port: int) -> set[str]:
    rows = [row.split() for row in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return {f"socket:[{row[9]}]" for row in rows if row[3] == LISTENING and int(row[1].split(":")[1], 16) == port}


def _open_files(pid: int) -> Iterator[str]:
    with suppress(OSError):
        for each in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                yield str(each.readlink())


def kill_backend(cluster: Cluster) -> None:
    """Kill one process of PostgreSQL that serves a connection; the server then restarts all of them."""
    with suppress(psycopg.OperationalError), psycopg.connect(cluster.server.dsn) as connection:
        statement = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        found = connection.execute(statement + " ORDER BY backend_start DESC LIMIT 1").fetchone()
        if found:
            kill(int(found[0]))


def kill_cluster(cluster: Cluster) -> None:
    """Kill every process of PostgreSQL."""
    postmaster = int((cluster.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
    processes = children_of(postmaster)
    kill(postmaster)
    for pid in processes:
        kill(pid)
    cluster.stop()
