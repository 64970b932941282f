"""The documented proxies, really run: nginx and Caddy with the files of docs/deploy in front of a server."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from tests.api.remote_server import RemoteServer
from tests.ports import free_port
from tests.programs import need_program
from tests.waiting import wait_until

DEPLOY = Path(__file__).parents[3] / "docs" / "deploy"
PATIENCE_S = 30.0
MAIN = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; {user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/site.conf;
}}
"""


@contextmanager
def in_front_of(url: str, name: str, folder: Path) -> Iterator[RemoteServer]:
    """Run a proxy with its documented file; only addresses differ. Requests go to the proxy."""
    found, port = need_program(name), free_port()
    write = {"nginx": _write_nginx, "caddy": _write_caddy}[name]
    arguments = write(folder, port, urlsplit(url).netloc)
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("wb") as log, subprocess.Popen([found, *arguments], env=environ, stderr=log) as proxy:
        try:
            wait_until(partial(_accepts, port, proxy, folder / "log"), "the proxy doesn't listen")
            yield RemoteServer(f"http://127.0.0.1:{port}")
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE_S)


def _write_nginx(folder: Path, port: int, upstream: str) -> list[str]:
    site = _replaced("nginx.conf", {"listen 80;": f"listen 127.0.0.1:{port};", "127.0.0.1:8000": upstream})
    (folder / "site.conf").write_text(site)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    return ["-p", str(folder), "-c", str(folder / "nginx.conf")]


def _write_caddy(folder: Path, port: int, upstream: str) -> list[str]:
    """Write the Caddyfile for plain HTTP, without the interface that changes a running Caddy."""
    places = {"cards.example.com {": f"http://:{port} {{", "127.0.0.1:8000": upstream}
    site = _replaced("Caddyfile", places | {"\n{\n": "\n{\n\tadmin off\n"})
    (folder / "Caddyfile").write_text(site)
    return ["run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def _replaced(name: str, texts: dict[str, str]) -> str:
    site = (DEPLOY / name).read_text(encoding="ascii")
    for text, instead in texts.items():
        assert site.count(text) == 1, (name, text)
        site = site.replace(text, instead)
    return site


def _accepts(port: int, proxy: "subprocess.Popen[bytes]", log: Path) -> bool:
    assert proxy.poll() is None, log.read_text()
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    return False
