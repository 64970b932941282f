"""A proxy for PostgreSQL on a Unix socket that cuts a connection when a commit of the log passes through it."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

Cut = Literal["before", "in the reply", "after"]
CUTS: tuple[Cut, ...] = ("before", "in the reply", "after")
"""A commit is cut before the server gets it, after a few bytes of its reply, or after it and before the reply."""
SOCKET = ".s.PGSQL.5432"
APPENDS = re.compile(rb"(Bid|Card|Trump)[A-Za-z]+/[0-9]")
"""Bytes that only a commit of a move sends: the topic of its first fact."""
READ_BYTES = 1 << 16
PART_OF_REPLY = 7


class Proxy:
    """Passes everything on. The next commit after `cut_next` is cut in that way; `cuts` counts those that were."""

    def __init__(self, folder: Path, server: Path) -> None:
        self._server, self._listener = server / SOCKET, socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET))
        self._listener.listen()
        self._lock = threading.Lock()
        self._cut: Cut | None = None
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_next(self, cut: Cut) -> None:
        """Cut the next commit."""
        with self._lock:
            self._cut = cut

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                threading.Thread(target=_Connection(self, client, server).run, daemon=True).start()

    def take_cut(self) -> Cut | None:
        """Return how to cut the commit that passes now, or None."""
        with self._lock:
            cut, self._cut = self._cut, None
            self.cuts += cut is not None
            return cut


class _Connection:
    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy, self._client, self._server = proxy, client, server
        self._reply_bytes: int | None = None
        """How much of the next reply is passed on before the cut; None: all of it."""

    def run(self) -> None:
        """Pass on what both sides send, until one of them closes or the connection is cut."""
        threading.Thread(target=self._pass_replies, daemon=True).start()
        with suppress(OSError):
            while sent := self._client.recv(READ_BYTES):
                cut = self._proxy.take_cut() if APPENDS.search(sent) else None
                if cut == "before":
                    break
                if cut is not None:
                    self._reply_bytes = PART_OF_REPLY if cut == "in the reply" else 0
                self._server.sendall(sent)
        self._close()

    def _pass_replies(self) -> None:
        with suppress(OSError):
            while reply := self._server.recv(READ_BYTES):
                if self._reply_bytes is not None:
                    self._client.sendall(reply[: self._reply_bytes])
                    break
                self._client.sendall(reply)
        self._close()

    def _close(self) -> None:
        for each in (self._client, self._server):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


@contextmanager
def running_proxy(folder: Path, server: Path) -> Iterator[Proxy]:
    """Run a proxy on a socket in `folder` for the server that has its socket in `server`."""
    proxy = Proxy(folder, server)
    try:
        yield proxy
    finally:
        proxy.close()
