"""The program `trickbook` for the pages: one process imports it, and forks for each command that a page types.

    python -m tests.docs.warm_program SOCKET      fork for each command that comes through the socket

A command takes its arguments, folder, environment, input and outputs from the shell, as in a process of its own, but
saves a second of imports. Servers run in processes of their own.
"""

import gc
import marshal
import os
import random
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.cli.main import main
from api.cli.parser.catalog import COMMANDS
from api.cli.parser.groups import load_command
from tests.docs.markdown import ROOT
from tests.waiting import wait_until

LONGEST = 1 << 20
FORWARDER = """#!{python} -IS
import marshal, os, sys
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_SEQPACKET, SOL_SOCKET, socket

if "serve" in sys.argv:
    os.execv({program!r}, [{program!r}, *sys.argv[1:]])
warm = socket(AF_UNIX, SOCK_SEQPACKET)
warm.connect({place!r})
files = b"".join(file.to_bytes(4, sys.byteorder) for file in (0, 1, 2))
command = marshal.dumps((sys.argv, os.getcwd(), dict(os.environ)))
warm.sendmsg([command], [(SOL_SOCKET, SCM_RIGHTS, files)])
sys.exit(int(warm.recv(4)))
"""
"""The program on a page's path named `trickbook`: without the modules of `site`, it starts in ten milliseconds."""


@contextmanager
def warm_program(folder: Path) -> Iterator[Path]:
    """Import the program in a new process. Yield a folder with a `trickbook` that uses it."""
    place, path = folder / "warm.socket", folder / "path"
    path.mkdir()
    program = str(Path(sys.executable).with_name("trickbook"))
    forwarder = path / "trickbook"
    forwarder.write_text(FORWARDER.format(python=sys.executable, program=program, place=str(place)), encoding="utf-8")
    forwarder.chmod(0o755)
    command = [sys.executable, "-m", "tests.docs.warm_program", str(place)]
    with subprocess.Popen(command, cwd=ROOT) as warm:
        try:
            wait_until(lambda: place.exists() or warm.poll() is not None, "the program isn't imported")
            yield path
        finally:
            warm.kill()


def serve(place: str) -> None:
    """Import every command, then fork for each connection."""
    for name in COMMANDS:
        load_command(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no zombies
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(f"{place}.new")
        listening.listen()
        Path(f"{place}.new").rename(place)
        while True:
            connection, _ = listening.accept()
            with connection:
                asked, files, _, _ = socket.recv_fds(connection, LONGEST, 3)
                if os.fork() == 0:
                    listening.close()
                    arguments, folder, environment = marshal.loads(asked)
                    connection.send(b"%d" % run(arguments, folder, environment, files))
                    os._exit(0)
                for file in files:
                    os.close(file)


def run(arguments: list[str], folder: str, environment: dict[str, str], files: list[int]) -> int:
    """Run one command in this process, and return its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    random.seed()
    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = arguments
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001  the shell gets the exit code of an uncaught error
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    serve(sys.argv[1])
