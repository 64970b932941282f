"""The processes of `trickbook serve`: they start together, replace each other, and leave nothing behind."""

import os
import pty
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from api.server.stop_signals import IGNORED, REOPENED, TERMINAL_GONE
from tests.api.conftest import ConfiguredServer
from tests.api.remote_server import RemoteServer
from tests.api.server_process import CHECKOUT, NeverListened, ServerProcess, server_environment, start_server
from tests.conftest import Database
from tests.waiting import wait_until

PATIENCE_S = 60.0
SLOW_VARIANTS = """
import os
import time
import api.server.listener as listener
import api.server.processes as processes
from api.cli.main import main
create = processes.create_app
def with_slow_variants(config):
    made = create(config)
    made.view_functions["variants.list_variants"] = lambda: time.sleep(float(os.environ["SLOW_S"])) or "{}"
    return made
processes.create_app = with_slow_variants
listener.DRAIN_TIMEOUT_S = float(os.environ["DRAIN_S"])
main()
"""
BAD_START = """
import sys, time
from pathlib import Path
import api.server.processes as processes
from api.cli.main import main
def create_app(_config):
    {}
processes.create_app = create_app
main()
"""
STOPPING = """\
import threading
from api.server.stop_signals import on_stop_signals
stop = threading.Event()
on_stop_signals(stop.set)
print("ready", flush=True)
while not stop.wait(0.05): pass
"""
STOPPING_IN_LOOP = """\
import asyncio
from api.server.stop_signals import on_stop_signals_in_loop
async def main():
    stop = asyncio.Event()
    on_stop_signals_in_loop(stop.set)
    print("ready", flush=True)
    await stop.wait()
asyncio.run(main())
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")


def children_of(pid: int) -> dict[int, str]:
    """Return the running child processes of a process, with their state."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[1]) == pid and after_name[0] != "Z":
            found[int(stat.parent.name)] = after_name[0]
    return found


def niceness(pid: int) -> int:
    """Return how much lower the priority of a process is than ours."""
    return os.getpriority(os.PRIO_PROCESS, pid) - os.getpriority(os.PRIO_PROCESS, 0)


@pytest.fixture(autouse=True)
def long_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make TMPDIR longer than the address of a Unix socket can be."""
    folder = tmp_path / ("t" * 100)
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))


def start(tmp_path: Path, *options: str) -> AbstractContextManager[ServerProcess]:
    return start_server(Database(None, tmp_path), *options)


def test_one_command_starts_requests_heavy_requests_and_the_worker_and_starts_a_killed_one_again(
    tmp_path: Path,
) -> None:
    with start(tmp_path) as serving:
        supervisor, nobody = serving.process.pid, RemoteServer(serving.url).nobody
        children = children_of(supervisor)
        assert len(children) == 3
        wait_until(lambda: any(map(niceness, children)), "heavy requests run at a lower priority")
        heavy = max(children, key=niceness)
        assert sum(map(niceness, children)) == niceness(heavy)
        wait_until(lambda: _answers(nobody.get, "/games/1/audit") == 404, "no heavy request is answered")
        os.kill(heavy, signal.SIGKILL)

        def is_heavy_again() -> bool:
            assert nobody.get("/variants").status_code == 200
            answer = nobody.get("/games/1/audit")
            assert answer.status_code == 404 or int(answer.headers["retry-after"]) >= 1, answer.text
            return answer.status_code == 404 and _is_replaced(supervisor, heavy)

        wait_until(is_heavy_again, "the heavy process didn't come back")
        for pid in children.keys() - {heavy}:
            os.kill(pid, signal.SIGKILL)
            wait_until(partial(_is_replaced, supervisor, pid), "the process wasn't started again")
        wait_until(lambda: _answers(nobody.get, "/variants") == 200, "no light request is answered")
        wait_until(lambda: _answers(nobody.get, "/games/1/audit") == 404, "no heavy request is answered")
        children = children_of(supervisor)
        assert serving.stop() == 0
        assert not any(map(_is_running, children))


@pytest.mark.slow
def test_a_port_in_use_is_refused_and_a_killed_supervisor_leaves_no_process_and_frees_it(tmp_path: Path) -> None:
    with start(tmp_path) as serving:
        port = str(urlsplit(serving.url).port)
        with pytest.raises(NeverListened), start(tmp_path, "--port", port):
            pass
        assert RemoteServer(serving.url).nobody.get("/variants").status_code == 200
        children = children_of(serving.process.pid)
        serving.kill()
        wait_until(lambda: not any(map(_is_running, children)), "orphans are running")
        with start(tmp_path, "--port", port) as again:
            assert RemoteServer(again.url).nobody.get("/variants").status_code == 200


def _is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _is_replaced(supervisor: int, child: int) -> bool:
    children = children_of(supervisor)
    return child not in children and len(children) == 3


def _answers(get: Callable[[str], object], path: str) -> int:
    try:
        return int(getattr(get(path), "status_code", 0))
    except OSError:
        return 0


@pytest.mark.slow
def test_a_server_that_cannot_start_says_so_at_once_and_a_stop_during_the_start_ends_it(tmp_path: Path) -> None:
    for code, expected in (("sys.exit(3)", 2), ("Path(sys.argv[-1], 'starting').touch(); time.sleep(600)", 0)):
        command = [sys.executable, "-c", BAD_START.format(code), "serve", "--port", "0", "--data", str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=server_environment()) as process:
            try:
                if expected == 0:
                    wait_until((tmp_path / "starting").exists, "the request process didn't start")
                    process.terminate()
                assert process.wait(PATIENCE_S / 2) == expected
            finally:
                process.kill()


def has_read_all(port: int) -> bool:
    """Return whether no connection to a port has unread bytes or waits to be accepted."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    established = [row for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01"]
    return all(row[4].endswith(":00000000") and row[9] != "0" for row in established)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slow_s", "drain_s", "status"),
    [pytest.param(0.1, 60, 200, id="answered"), pytest.param(600, 0.5, 503, id="refused-if-they-take-too-long")],
)
def test_a_stop_answers_the_requests_under_way(
    slow_s: float, drain_s: float, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """24 slow requests are under way at SIGTERM: every one gets an answer, and new connections are refused."""
    monkeypatch.setenv("SLOW_S", str(slow_s))
    monkeypatch.setenv("DRAIN_S", str(drain_s))
    with start_server(Database(None, tmp_path), program=[sys.executable, "-c", SLOW_VARIANTS]) as serving:
        address = urlsplit(serving.url)
        begun, answers = threading.Semaphore(0), Counter[object]()

        def ask() -> None:
            connection = HTTPConnection(address.hostname or "", address.port, timeout=PATIENCE_S)
            try:
                connection.request("GET", "/api/v1/variants")
                begun.release()
                answers[connection.getresponse().status] += 1
            except (OSError, HTTPException) as error:
                answers[type(error).__name__] += 1

        asking = [threading.Thread(target=ask) for _ in range(24)]
        for each in asking:
            each.start()
        for _ in asking:
            begun.acquire()
        wait_until(partial(has_read_all, address.port or 0), "the requests aren't read")
        assert serving.stop() == 0
        for each in asking:
            each.join()
        assert answers == {status: 24}
        with pytest.raises(OSError, match="refused"):
            HTTPConnection(address.hostname or "", address.port, timeout=5).connect()


def test_a_hangup_is_a_line_in_the_log_and_the_server_goes_on(configured_server: ConfiguredServer) -> None:
    for pid in (configured_server.pid, *children_of(configured_server.pid)):
        os.kill(pid, signal.SIGHUP)
    wait_until(lambda: IGNORED in configured_server.log.read_text(), "SIGHUP isn't in the log")
    assert httpx.get(f"{configured_server.url}/health/ready", timeout=60).status_code == 200
    assert "starting it again" not in configured_server.log.read_text()


def test_a_log_file_that_was_moved_is_written_again_by_every_process(tmp_path: Path) -> None:
    file, moved = tmp_path / "log", tmp_path / "log.1"
    with start_server(Database(None, tmp_path / "data"), "--log-file", str(file), LOG="debug") as serving:
        assert httpx.get(f"{serving.url}/api/v1/variants", timeout=60).status_code == 200
        file.rename(moved)
        serving.process.send_signal(signal.SIGHUP)
        wait_until(lambda: file.exists() and REOPENED in file.read_text(), "SIGHUP isn't in a new file")
        before = moved.read_text()
        assert httpx.get(f"{serving.url}/api/v1/variants", timeout=60).status_code == 200
        wait_until(lambda: '"message": "request"' in file.read_text(), "the request isn't in the new file")
        assert serving.stop() == 0
    assert moved.read_text() == before
    assert '"message": "request"' in before


@pytest.mark.parametrize("program", [STOPPING, STOPPING_IN_LOOP], ids=["serve and work", "mail and witness"])
def test_a_program_whose_terminal_is_closed_stops_in_order(program: str) -> None:
    master, slave = pty.openpty()
    with subprocess.Popen(
        ["setsid", "-c", sys.executable, "-c", program],
        stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=CHECKOUT,
    ) as running:  # fmt: skip
        os.close(slave)
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == "ready\n"
        os.close(master)
        assert running.wait(timeout=60) == 0
        assert running.stderr.read() == TERMINAL_GONE + "\n"
