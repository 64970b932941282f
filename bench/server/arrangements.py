"""One WSGI application behind one of several servers, for comparison; prints `listening on http://...`.

    python -m bench.server.arrangements SERVER FOLDER [--peer] [--postgres URL]

SERVER is `asgi` (granian and threads, as `trickbook serve` has it), `wsgi-1` or `wsgi-8` (granian's WSGI with that many
threads), `nginx` (wsgi-1 behind nginx, which could route event streams to another process), or `waitress`. The
application is trickbook without its worker, or with --peer a raw INSERT (bench.server.peer).
"""

import argparse
import atexit
import logging
import socket
import subprocess
import time
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import uvloop
import waitress
from flask import Flask
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from api.app import create_app
from api.config import Config
from api.server.batch_lane import BatchLane
from api.server.front import Front, Lanes
from api.server.listener import Address, listen
from api.server.process_lane import ThreadLane
from api.server.processes import LIGHT_PLACES, LOGIN_AT_ONCE
from bench.server.peer import peer_app

HOST = "127.0.0.1"
PEER_THREADS = 2
NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
    access_log off;
    upstream requests {{ server 127.0.0.1:{behind}; keepalive 64; }}
    map $http_accept $process {{ default requests; "text/event-stream" requests; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://$process;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
        }}
    }}
}}
"""


def application(asked: argparse.Namespace) -> Flask:
    """Return the application to serve."""
    if asked.peer:
        app = peer_app(str(Path(asked.folder) / "peer.db"), asked.postgres)
        clock = SimpleNamespace(kept_us=lambda: time.time_ns() // 1000)
        app.extensions["trickbook"] = SimpleNamespace(clock=clock)  # all that `Front` asks of services
        return app
    environ = {
        "TRICKBOOK_DATA": asked.folder,
        "TRICKBOOK_LIMITS": "off",
        "TRICKBOOK_SEATING": "at-once",
        "TRICKBOOK_LOG": "error",
    }
    return create_app(
        Config.from_environment(environ | ({"TRICKBOOK_DATABASE_URL": asked.postgres} if asked.postgres else {}))
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def serve_asgi(app: Flask, port: int, asked: argparse.Namespace) -> None:
    """Serve with granian's ASGI server and a pool of threads."""

    async def main() -> None:
        light = ThreadLane("light", PEER_THREADS, LIGHT_PLACES) if asked.peer else BatchLane("light", LIGHT_PLACES)
        front = Front(app, Lanes(light, ThreadLane("login", LOGIN_AT_ONCE, 64)))
        await listen(front, Address(HOST, port), lambda: announce(port))

    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024
    uvloop.run(main())


def serve_wsgi(asked: argparse.Namespace, port: int, threads: int, shown: int) -> None:
    """Serve with granian's WSGI server: one worker process. Clients use the port `shown`."""
    server: Any = Granian(
        "bench.server.arrangements:unused", HOST, port, interface=Interfaces.WSGI, blocking_threads=threads, workers=1,
        backlog=4096, log_level=LogLevels.error,
    )  # fmt: skip
    Thread(target=announce_when_accepting, args=(port, shown), daemon=True).start()
    server.serve(target_loader=lambda *_: application(asked), wrap_loader=False)


def start_nginx(folder: str, behind: int) -> int:
    """Start nginx in front of a port and return its own port. It ends with this process's group."""
    port, path = free_port(), Path(folder) / "nginx.conf"
    path.write_text(NGINX.format(folder=folder, port=port, behind=behind))
    nginx = subprocess.Popen(["nginx", "-p", folder, "-c", str(path)])
    atexit.register(nginx.terminate)
    return port


def announce(port: int) -> None:
    """Print the address."""
    print(f"listening on http://{HOST}:{port}", flush=True)


def announce_when_accepting(port: int, shown: int) -> None:
    """Print the address with the port `shown` once a connection to `port` is accepted."""
    while True:
        try:
            socket.create_connection((HOST, port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            announce(shown)
            return


def main() -> None:
    """Serve until the process ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", choices=("asgi", "wsgi-1", "wsgi-8", "nginx", "waitress"))
    parser.add_argument("folder")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--postgres", metavar="URL")
    asked, port = parser.parse_args(), free_port()
    if asked.server == "asgi":
        serve_asgi(application(asked), port, asked)
    elif asked.server == "waitress":
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # one line for each request that waits
        server: Any = waitress.create_server(
            application(asked), host=HOST, port=port, threads=8, channel_request_lookahead=1, asyncore_use_poll=True
        )
        announce(port)
        server.run()
    elif asked.server == "nginx":
        serve_wsgi(asked, port, 1, shown=start_nginx(asked.folder, port))
    else:
        serve_wsgi(asked, port, int(asked.server.removeprefix("wsgi-")), shown=port)


if __name__ == "__main__":
    main()
