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
UPSTREAM = "127.0.0.1:8000"
"""The server's address in the documented files."""
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
    port = free_port()
    write = {"nginx": _nginx_site, "caddy": _caddy_site}[name]
    with _running(name, folder, write(port, urlsplit(url).netloc), port):
        yield RemoteServer(f"http://127.0.0.1:{port}")


@contextmanager
def below_a_path(url: str, name: str, folder: Path, *, takes_off: bool) -> Iterator[str]:
    """Run a proxy with its documented file for a path, which it passes on or takes off, and yield the new address."""
    file = {"nginx": "nginx-below-a-path.conf", "caddy": "Caddyfile-below-a-path"}[name]
    documented, port = (DEPLOY / file).read_text(encoding="ascii"), free_port()
    block = documented
    if takes_off and name == "nginx":
        block = block.replace(f"{UPSTREAM};", f"{UPSTREAM}/;")
    elif takes_off:
        block = block.replace("handle /cards/*", "handle_path /cards/*").replace("/cards/metrics", "/metrics")
    assert (block == documented) != takes_off
    block = block.replace(UPSTREAM, urlsplit(url).netloc)
    nginx = f"server {{\nlisten 127.0.0.1:{port};\n{block}}}\n"
    caddy = f"{{\n\tadmin off\n}}\nhttp://:{port} {{\n{block}}}\n"
    with _running(name, folder, nginx if name == "nginx" else caddy, port):
        yield f"http://127.0.0.1:{port}/cards"


@contextmanager
def _running(name: str, folder: Path, site: str, port: int) -> Iterator[None]:
    """Run a proxy with the file of a site that listens on a port."""
    found = need_program(name)
    arguments = {"nginx": _write_nginx, "caddy": _write_caddy}[name](folder, site)
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("wb") as log, subprocess.Popen([found, *arguments], env=environ, stderr=log) as proxy:
        try:
            wait_until(partial(_accepts, port, proxy, folder / "log"), "the proxy doesn't listen")
            yield
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE_S)


def _nginx_site(port: int, upstream: str) -> str:
    return _replaced("nginx.conf", {"listen 80;": f"listen 127.0.0.1:{port};", UPSTREAM: upstream})


def _caddy_site(port: int, upstream: str) -> str:
    """Return the Caddyfile for plain HTTP, without the interface that changes a running Caddy."""
    places = {"cards.example.com {": f"http://:{port} {{", UPSTREAM: upstream}
    return _replaced("Caddyfile", places | {"\n{\n": "\n{\n\tadmin off\n"})


def _write_nginx(folder: Path, site: str) -> list[str]:
    (folder / "site.conf").write_text(site)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    return ["-p", str(folder), "-c", str(folder / "nginx.conf")]


def _write_caddy(folder: Path, site: str) -> list[str]:
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
